import { Button, Skeleton } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { connectionKinds } from '../../../domain/integrations/connections/all.ts'
import { describeSchedule } from '../../../domain/integrations/connections/schedule.ts'
import { displayDateTime } from '../../../domain/values/format.ts'
import { useMay, useMayForAll } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { Empty } from '../../ui/Empty.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardHead, Note } from '../../ui/layout/Card.tsx'
import classes from '../Integrations.module.css'
import { integrationsPath } from '../status.tsx'
import { ConnectionState, useConnections } from './state.tsx'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function List() {
  const mayEdit = useMayForAll()(['ConsoleOrganisationsReadUpdate'])
  const navigate = useNavigate()
  const connections = useConnections()
  if (connections.isError) return <LoadFailed query={connections} />
  if (!connections.data) return <Skeleton height={120} />
  if (!connections.data.length)
    return (
      <Empty>
        <h2>No connections yet</h2>
        <p>Budgets go to your ledger by themselves, and its actuals come in: by a web service or a folder on an SFTP server.</p>
        {mayEdit && <Button onClick={() => void navigate(`${integrationsPath}/connections/add`)}>Add connection</Button>}
      </Empty>
    )
  return (
    <table className={classes.table} aria-label="Connections">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col">What it does</th>
          <th scope="col">Runs</th>
        </tr>
      </thead>
      <tbody>
        {connections.data.map((connection) => {
          const { id, name, kind, state, schedule, nextRun } = connection
          const { title, direction } = connectionKinds[kind]
          return (
            <tr key={id}>
              <th scope="row">{mayEdit ? <Link to={`${integrationsPath}/connections/${id}`}>{name}</Link> : name}</th>
              <td>
                <ConnectionState connection={connection} />
              </td>
              <td>
                {title}, {direction === 'out' ? 'out' : 'in'}
              </td>
              <td className={textStyles.dim}>
                {state === 'paused' ? 'Not by itself while it is paused' : capital(describeSchedule(schedule))}
                {nextRun && `, next ${displayDateTime(nextRun)}`}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The organisation's automatic connections, for users who can see its settings. */
export function Connections() {
  const may = useMay()
  const navigate = useNavigate()
  const mayEdit = useMayForAll()(['ConsoleOrganisationsReadUpdate'])
  if (!mayEdit && !may(['ConsoleOrganisationsRead'])) return null
  return (
    <Card aria-label="Connections" style={{ marginTop: 16 }}>
      <CardHead>
        Connections <Note>What goes to other systems and comes from them by itself.</Note>
        {mayEdit && (
          <Button
            size="compact-sm"
            variant="default"
            style={{ marginLeft: 'auto' }}
            onClick={() => void navigate(`${integrationsPath}/connections/add`)}
          >
            Add connection
          </Button>
        )}
      </CardHead>
      <List />
    </Card>
  )
}

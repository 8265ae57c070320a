import { Button, Skeleton } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { connectionKinds } from '../../../domain/integrations/connections/all.ts'
import { describeSchedule } from '../../../domain/integrations/connections/schedule.ts'
import { displayDateTime } from '../../../domain/values/format.ts'
import { useOrganisationWideCheck, usePermissionCheck } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import classes from '../Integrations.module.css'
import { integrationsPath } from '../linkStatus.tsx'
import { ConnectionStateLabel, useConnections } from './connectionState.tsx'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function List() {
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const navigate = useNavigate()
  const connections = useConnections()
  if (connections.isError) return <LoadFailed query={connections} />
  if (!connections.data) return <Skeleton height={120} />
  if (!connections.data.length)
    return (
      <EmptyState>
        <h2>No connections yet</h2>
        <p>Send budgets to your ledger and fetch its actuals automatically, through a web service or a folder on an SFTP server.</p>
        {mayEdit && <Button onClick={() => void navigate(`${integrationsPath}/connections/add`)}>Add connection</Button>}
      </EmptyState>
    )
  return (
    <DataTable
      label="Connections"
      className={classes.table}
      isWrapped
      columns={[
        {
          id: 'name',
          label: 'Name',
          cell: ({ id, name }) => (mayEdit ? <Link to={`${integrationsPath}/connections/${id}`}>{name}</Link> : name),
        },
        { id: 'state', label: 'State', cell: (connection) => <ConnectionStateLabel connection={connection} /> },
        {
          id: 'kind',
          label: 'What it does',
          cell: ({ kind }) => `${connectionKinds[kind].title}, ${connectionKinds[kind].direction === 'out' ? 'out' : 'in'}`,
        },
        {
          id: 'runs',
          label: 'Runs',
          cell: ({ state, schedule, nextRun }) => (
            <span className={textStyles.dim}>
              {state === 'paused' ? 'No automatic runs while it is paused' : capital(describeSchedule(schedule))}
              {nextRun && `, next ${displayDateTime(nextRun)}`}
            </span>
          ),
        },
      ]}
      rows={connections.data}
      keyOf={({ id }) => id}
    />
  )
}

/** The organisation's automatic connections, for users who can see its settings. */
export function Connections() {
  const may = usePermissionCheck()
  const navigate = useNavigate()
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  if (!mayEdit && !may(['ConsoleOrganisationsRead'])) return null
  return (
    <Card aria-label="Connections" style={{ marginTop: 16 }}>
      <CardHead>
        Connections <CardNote>What is sent to other systems and fetched from them automatically.</CardNote>
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

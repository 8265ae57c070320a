import { Button, Skeleton } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { displayDateTime } from '../../../domain/values/format.ts'
import { trpc } from '../../shell/api.ts'
import { useOrganisationWideCheck, usePermissionCheck } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import classes from '../Integrations.module.css'
import { integrationsPath } from '../linkStatus.tsx'
import { WebhookStateLabel } from './webhookState.tsx'

function List() {
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const navigate = useNavigate()
  const webhooks = trpc.webhooks.list.useQuery(undefined, { staleTime: 0 })
  if (webhooks.isError) return <LoadFailed query={webhooks} />
  if (!webhooks.data) return <Skeleton height={120} />
  if (!webhooks.data.length)
    return (
      <EmptyState>
        <h2>No webhooks yet</h2>
        <p>
          Another system is notified straight away when a budget is saved, approved or locked, a month is closed or a payroll is completed.
        </p>
        {mayEdit && <Button onClick={() => void navigate(`${integrationsPath}/webhooks/add`)}>Add webhook</Button>}
      </EmptyState>
    )
  return (
    <DataTable
      label="Webhooks"
      className={classes.table}
      isWrapped
      columns={[
        {
          id: 'name',
          label: 'Name',
          cell: ({ id, name }) => (mayEdit ? <Link to={`${integrationsPath}/webhooks/${id}`}>{name}</Link> : name),
        },
        { id: 'state', label: 'State', cell: (webhook) => <WebhookStateLabel webhook={webhook} /> },
        { id: 'address', label: 'Address', cellProps: () => ({ className: classes.address }) },
        {
          id: 'lastAccepted',
          label: 'Last accepted',
          cell: ({ lastAccepted }) => (
            <span className={textStyles.dim}>{lastAccepted ? displayDateTime(lastAccepted) : 'Nothing yet'}</span>
          ),
        },
      ]}
      rows={webhooks.data}
      keyOf={({ id }) => id}
    />
  )
}

/** The systems that receive webhooks, for users who can see the organisation's settings. */
export function Webhooks() {
  const may = usePermissionCheck()
  const navigate = useNavigate()
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  if (!mayEdit && !may(['ConsoleOrganisationsRead'])) return null
  return (
    <Card aria-label="Webhooks" style={{ marginTop: 16 }}>
      <CardHead>
        Webhooks <CardNote>Notify other systems of events, with signed messages.</CardNote>
        {mayEdit && (
          <Button
            size="compact-sm"
            variant="default"
            style={{ marginLeft: 'auto' }}
            onClick={() => void navigate(`${integrationsPath}/webhooks/add`)}
          >
            Add webhook
          </Button>
        )}
      </CardHead>
      <List />
    </Card>
  )
}

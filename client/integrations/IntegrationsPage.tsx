import { Button, Skeleton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link, useNavigate } from 'react-router'
import { getIntegrationTypeName } from '../../domain/integrations/credentials.ts'
import { trpc } from '../shell/api.ts'
import { useOrganisationWideCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { ShortcutHint } from '../ui/labels/ShortcutHint.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'
import { Connections } from './connections/Connections.tsx'
import classes from './Integrations.module.css'
import { CredentialStatusLabel, integrationsPath, LastTestResult, useCredentialStatuses } from './linkStatus.tsx'
import { Webhooks } from './webhooks/Webhooks.tsx'

/** Each way in which other systems can connect, with what it needs. */
const ways = [
  {
    to: '/console/general/api-clients',
    label: 'API clients',
    text: 'Let a payroll, finance or HR system connect with its own secret.',
  },
  { href: '/api/docs', label: 'API reference', text: 'Every call with an example, and openapi.json to generate a client from.' },
  {
    to: '/console/integrations/files',
    label: 'Files for the ledger',
    text: 'A budget in your ledger’s import format: preview it, then download it. Use the layout of a common ledger, or your own.',
  },
  {
    to: '/console/monitoring/actuals',
    label: 'Ledger files',
    text: 'A month’s actuals and commitments as your ledger exports them, CSV or Excel. Columns and codes are learned once.',
  },
  {
    to: '/console/payroll/reconciliation',
    label: 'Payroll files',
    text: 'A month from any payroll provider, with a row or a column for each element.',
  },
] as const

function Credentials() {
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const navigate = useNavigate()
  const credentials = trpc.integrations.list.useQuery()
  const { statuses } = useCredentialStatuses()
  if (credentials.isError) return <LoadFailed query={credentials} />
  if (!credentials.data) return <Skeleton height={120} />
  if (!credentials.data.length)
    return (
      <EmptyState>
        <h2>No credentials yet</h2>
        <p>A credential holds another system’s address and the secret to sign in to it. You can test it straight away.</p>
        {mayEdit && <Button onClick={() => void navigate(`${integrationsPath}/add`)}>Add credential</Button>}
      </EmptyState>
    )
  return (
    <DataTable
      label="Credentials"
      className={classes.table}
      isWrapped
      columns={[
        {
          id: 'description',
          label: 'Description',
          cell: ({ id, description }) => (mayEdit ? <Link to={`${integrationsPath}/${id}`}>{description}</Link> : description),
        },
        { id: 'type', label: 'Type', cell: ({ integrationType }) => getIntegrationTypeName(integrationType) },
        { id: 'state', label: 'State', cell: ({ id }) => <CredentialStatusLabel status={statuses.get(id)} /> },
        {
          id: 'lastTry',
          label: 'Last attempt',
          cell: ({ id }) => (
            <span className={textStyles.dim}>
              <LastTestResult status={statuses.get(id)} />
            </span>
          ),
        },
      ]}
      rows={credentials.data}
      keyOf={({ id }) => id}
    />
  )
}

/** The organisation's credentials for other systems and their state, with links to the related screens (behaviour B-245). */
export function IntegrationsPage() {
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const navigate = useNavigate()
  const add = (): void => void navigate(`${integrationsPath}/add`)
  useHotkeys([['N', () => mayEdit && add()]])
  const count = trpc.integrations.list.useQuery().data?.length
  return (
    <>
      <PageHead
        title="Integrations"
        documentTitle="Integrations - Console"
        pills={count !== undefined && <Pill>{count}</Pill>}
        facts="Connections to your ledger, payroll and other systems."
      >
        {mayEdit && (
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add credential
          </Button>
        )}
      </PageHead>
      <Card aria-label="Credentials">
        <CardHead>
          Credentials <CardNote>Secrets are stored encrypted and never shown again.</CardNote>
        </CardHead>
        <Credentials />
      </Card>
      <Connections />
      <Webhooks />
      <Card aria-label="Help" style={{ marginTop: 16 }}>
        <CardHead>Help</CardHead>
        <dl className={classes.ways}>
          {ways.map((way) => (
            <div key={way.label}>
              <dt>{'to' in way ? <Link to={way.to}>{way.label}</Link> : <a href={way.href}>{way.label}</a>}</dt>
              <dd>{way.text}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  )
}

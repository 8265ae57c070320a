import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import { displayDateTime, formatRelativeTime } from '../../domain/values/format.ts'
import { ServerList } from '../resources/list/ServerList.tsx'
import { useListState } from '../resources/list/useList.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import { ShortcutHint } from '../ui/labels/ShortcutHint.tsx'
import textStyles from '../ui/labels/text.module.css'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { apiClientsPath } from './apiClientsPath.ts'

export type ApiClient = Awaited<ReturnType<typeof api.apiClients.get.query>>

/** The state of an API client: active, changing its secret, or revoked. */
export function ApiClientStateLabel({ client }: { client: Pick<ApiClient, 'active' | 'previousUntil'> }) {
  if (!client.active) return <Pill>Revoked</Pill>
  if (client.previousUntil)
    return (
      <Pill tone="warn" title={`The previous secret works until ${displayDateTime(client.previousUntil)}`}>
        Two secrets
      </Pill>
    )
  return <Pill tone="good">Active</Pill>
}

export function ApiClientsPage() {
  const { organisationId } = useSelection()
  const mayEdit = usePermissionCheck()(['ConsoleUsersReadUpdate'])
  const navigate = useNavigate()
  const view = useListState(`apiClients ${organisationId}`)
  const list = trpc.apiClients.list.useQuery(view.request, { placeholderData: (before) => before })
  const rows = list.data?.rows
  const groups = useRecordNames('userGroup', [...new Set(rows?.flatMap((row) => row.userGroupIds))])
  const locationsById = useRecordNames('location', [...new Set(rows?.flatMap((row) => row.locationIds))])
  const named = (names: typeof groups, ids: readonly number[]): string => ids.map((id) => names.get(id)?.name ?? '…').join(', ')
  const add = mayEdit ? (): void => void navigate(`${apiClientsPath}/add`) : undefined
  return (
    <>
      <PageHead
        title="API clients"
        documentTitle="API clients - Console"
        pills={list.data && <Pill>{list.data.total}</Pill>}
        facts={
          <>
            External systems that sign in with their own client ID and secret. <a href="/api/docs">API reference</a>
          </>
        }
      >
        {add && (
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add API client
          </Button>
        )}
      </PageHead>
      <ServerList<ApiClient>
        label="API clients"
        rows={rows}
        isEarlier={list.isPlaceholderData}
        total={list.data?.total ?? 0}
        columns={[
          { id: 'name', label: 'Name', minWidth: 150, flex: 1.2 },
          { id: 'clientId', label: 'Client ID', minWidth: 150, flex: 1.4 },
          {
            id: 'userGroupIds',
            label: 'User groups',
            minWidth: 130,
            isSortable: false,
            cell: (row) => named(groups, row.userGroupIds),
          },
          {
            id: 'locationIds',
            label: 'Locations',
            minWidth: 130,
            isSortable: false,
            cell: (row) => (row.locationIds.length ? named(locationsById, row.locationIds) : 'All'),
          },
          {
            id: 'lastUsed',
            label: 'Last used',
            width: 120,
            flex: 0,
            cell: ({ lastUsed: value }) =>
              value ? (
                <span title={displayDateTime(value)}>{formatRelativeTime(value, new Date())}</span>
              ) : (
                <span className={textStyles.dim}>Never</span>
              ),
          },
          {
            id: 'active',
            label: 'State',
            width: 120,
            flex: 0,
            cell: (row) => <ApiClientStateLabel client={row} />,
          },
        ]}
        filterable={[
          { name: 'name', label: 'Name', field: { kind: 'text', label: 'Name', max: 100 } },
          { name: 'active', label: 'Active', field: { kind: 'flag', label: 'Active' } },
        ]}
        {...view.grid}
        searchPlaceholder="Search by name or client ID"
        onOpen={mayEdit ? (row) => void navigate(`${apiClientsPath}/${row.id}`) : undefined}
        onNew={add}
        error={list.isError ? toPublicError(list.error).message : null}
        empty={
          <>
            <h2>No API clients yet</h2>
            <p>
              Let a payroll, finance or HR system read and write what you choose, with a secret that you can replace or revoke at any time.
            </p>
            {add && <Button onClick={add}>Add API client</Button>}
          </>
        }
      />
    </>
  )
}

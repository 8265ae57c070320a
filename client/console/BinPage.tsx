import { Button, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { binRetentionDays } from '../../domain/changes/bin.ts'
import { getResource } from '../../domain/resources/all.ts'
import { displayCount, displayNumber } from '../../domain/values/format.ts'
import { ListPager } from '../resources/list/Pager.tsx'
import { findPageNumber } from '../resources/list/pageFit.ts'
import { usePageFit } from '../resources/list/usePageFit.ts'
import { usePageSize } from '../resources/list/usePageSize.ts'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { useTickedItems } from '../ui/fields/TickAll.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import cardStyles from '../ui/layout/Card.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { PageSkeleton } from '../ui/layout/PageSkeleton.tsx'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { BinTable } from './BinTable.tsx'
import { BudgetsInBin, GroupsInBin } from './BudgetsInBin.tsx'

type Bin = Awaited<ReturnType<typeof api.bin.list.query>>
type Row = Bin['rows'][number]

const keyOf = ({ kind, id }: Pick<Row, 'kind' | 'id'>): string => `${kind} ${id}`

/** Recently deleted records, to search and restore. */
export function BinPage() {
  const term = useTerm()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const [kind, setKind] = useState<string | null>(null)
  const [firstRow, setFirstRow] = useState(0)
  const size = usePageSize('bin')
  const chosen = useTickedItems<Row>(keyOf)
  const { mutateAsync: send, isPending } = trpc.bin.restore.useMutation()
  const bin = trpc.bin.list.useQuery(
    { search, kinds: kind ? [kind] : null, pageNumber: findPageNumber(firstRow, size.rows), pageSize: size.rows },
    { staleTime: 0, placeholderData: (before) => before },
  )
  const card = usePageFit({
    list: 'bin',
    size,
    firstRow,
    rows: bin.data?.rows,
    isAtRest: !bin.isPlaceholderData && !chosen.ticked.length,
  })
  const { organisationId } = useSelection()
  const may = usePermissionCheck()
  const mayBudgets = may(['ConsoleBudgetManagementReadUpdate']) && organisationId !== null
  const mayGroups = may(['ConsoleBudgetGroupReadUpdate']) && organisationId !== null
  const queryOptions = { staleTime: 0, placeholderData: <T,>(before: T): T => before }
  const budgets = trpc.bin.budgets.useQuery({ search }, { ...queryOptions, enabled: mayBudgets })
  const groups = trpc.bin.groups.useQuery({ search }, { ...queryOptions, enabled: mayGroups })
  const look = (change: () => void): void => {
    change()
    setFirstRow(0)
    chosen.clear()
  }
  const restore = async (rows: readonly Row[], includesRequired = false): Promise<void> => {
    try {
      await send({ records: rows.map(({ kind: of, id }) => ({ kind: of, id })), withNeeded: includesRequired })
      const [first] = rows
      notifySuccess(rows.length === 1 && first ? `Restored ${first.name}` : `Restored ${displayCount(rows.length, 'record')}`)
      chosen.clear()
      setFirstRow(0)
    } catch (error) {
      const { code, message } = toPublicError(error)
      if (code !== 'needsOthers') return notifyFailure(error)
      modals.openConfirmModal({
        title: 'Also restore the record it belongs to?',
        children: <Text size="sm">{message}</Text>,
        labels: { cancel: 'Cancel', confirm: 'Restore both' },
        onConfirm: () => void restore(rows, true),
      })
    }
  }
  if (bin.isError && !bin.data) return <LoadFailed query={bin} />
  if (!bin.data) return <PageSkeleton />
  // If the list cannot be loaded, the page must not look like an empty bin.
  if (budgets.isError && !budgets.data) return <LoadFailed query={budgets} />
  if (groups.isError && !groups.data) return <LoadFailed query={groups} />
  if ((mayBudgets && budgets.isPending) || (mayGroups && groups.isPending)) return <PageSkeleton />
  const { rows, total, kinds } = bin.data
  // Choosing a kind of record hides budgets and groups.
  const deleted = kind === null && mayBudgets && budgets.data?.rows.length ? budgets.data : null
  const deletedGroups = kind === null && mayGroups && groups.data?.length ? groups.data : null
  const getNoun = (name: string): string => term(getResource(name).key).singular
  const isFiltered = search !== '' || kind !== null
  return (
    <>
      <PageHead
        title="Bin"
        documentTitle="Bin - Console"
        pills={<Pill>{displayNumber(total + (deleted?.total ?? 0) + (deletedGroups?.length ?? 0))}</Pill>}
        facts={`Records deleted in the last ${binRetentionDays} days. Staff and users are not kept here: deleting them is permanent.`}
      />
      <Toolbar>
        <TextInput
          value={typed}
          onChange={(event) => {
            const { value } = event.currentTarget
            look(() => setTyped(value))
          }}
          placeholder="Search code, name"
          aria-label="Search the bin"
          leftSection={<IconSearch size={15} />}
          maxLength={200}
          w={300}
          maw="100%"
        />
        <Choice
          aria-label="Type"
          placeholder="All types"
          data={kinds.map((name) => ({ value: name, label: getNoun(name) })).sort((a, b) => a.label.localeCompare(b.label))}
          value={kind}
          onChange={(value) => look(() => setKind(value))}
          clearable
          w={240}
          maw="100%"
        />
      </Toolbar>
      {deleted && <BudgetsInBin deleted={deleted} />}
      {deletedGroups && <GroupsInBin deleted={deletedGroups} />}
      {(rows.length > 0 || !(deleted || deletedGroups)) && (
        <Card ref={card} aria-label="Deleted records">
          {rows.length ? (
            <BinTable
              rows={rows}
              keyOf={keyOf}
              nameOf={({ name }) => name}
              more={({ parts }) => parts > 0 && ` with ${displayCount(parts, 'row')}`}
              columns={[{ label: 'Type', of: (row) => getNoun(row.kind) }]}
              deletedAt={({ deletedAt }) => deletedAt}
              deletedBy={({ deletedBy }) => deletedBy}
              until={(row) => row.until}
              ticks={chosen}
              isPending={isPending}
              onRestore={(row) => void restore([row])}
            />
          ) : (
            <EmptyState>
              <h2>{isFiltered ? 'Nothing in the bin matches' : 'The bin is empty'}</h2>
              <p>
                {isFiltered
                  ? 'Search for something else, or choose all types.'
                  : `Records deleted from lists, budgets and budget groups stay here for ${binRetentionDays} days and can be restored.`}
              </p>
            </EmptyState>
          )}
          {total > 0 && (
            <div className={cardStyles.foot}>
              {chosen.ticked.length > 0 && (
                <>
                  <b aria-live="polite">{displayNumber(chosen.ticked.length)} selected</b>
                  <Button size="compact-sm" onClick={() => void restore(chosen.ticked)} loading={isPending}>
                    Restore
                  </Button>
                  <Button variant="subtle" size="compact-sm" color="gray" onClick={chosen.clear}>
                    Select none
                  </Button>
                </>
              )}
              <ListPager total={total} firstRow={firstRow} size={size} onFirstRow={setFirstRow} />
            </div>
          )}
        </Card>
      )}
    </>
  )
}

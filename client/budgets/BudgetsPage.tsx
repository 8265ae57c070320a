import { Button, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { binRetentionDays } from '../../domain/changes/bin.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { budget } from '../../domain/resources/entities/budget/budget.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { displayCount } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { useRestoreBudgets } from '../budget/useRestoreBudgets.ts'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { deleteOptimistically } from '../resources/list/deleteOptimistically.ts'
import { countSelected } from '../resources/list/listState.ts'
import { ServerList } from '../resources/list/ServerList.tsx'
import { useListState } from '../resources/list/useList.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import { answerCache, api, toPublicError, trpc } from '../shell/api.ts'
import { useCoreData, usePermissionCheck, useTerm } from '../shell/core.ts'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { notifyBackgroundFailure, notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { PageSection } from '../shell/PageSection.tsx'
import { useSelection } from '../shell/selection.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import { ShortcutHint } from '../ui/labels/ShortcutHint.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { type BudgetListRow, createBudgetColumns, hiddenBudgetColumns } from './budgetColumns.tsx'

const BulkEditBudgets = lazyComponent(() => import('./BulkEditBudgets.tsx'), 'BulkEditBudgets')
const CopyBudgetsDialog = lazyComponent(() => import('./CopyBudgetsDialog.tsx'), 'CopyBudgetsDialog')

/** All budgets of the organisation, across locations, with bulk actions. */
export function BudgetsPage() {
  const { organisationId } = useSelection()
  const { locations } = useCoreData()
  const term = useTerm()('Budget')
  const mayEdit = usePermissionCheck()(['ConsoleBudgetManagementReadUpdate'])
  const navigate = useNavigate()
  const view = useListState(`budgets ${organisationId}`, { hiddenColumns: hiddenBudgetColumns })
  const [open, setOpen] = useState<'edit' | { how: 'duplicate' | 'rollForward'; sources: BudgetListRow[] } | null>(null)
  const list = trpc.budgets.list.useQuery(view.request, {
    placeholderData: (before) => before,
    // Poll while budgets are being created, in case live updates are not connected.
    refetchInterval: ({ state }) => (state.data?.rows.some((row) => row.isBeingMade) ? 2000 : false),
  })
  const groups = trpc.groups.names.useQuery()
  const rows = list.data?.rows.map((row): BudgetListRow => ({ ...row, id: row.mongoId }))
  const types = useRecordNames('contractType', rows?.flatMap((row) => row.contractTypeIds) ?? [])
  const tables = useRecordNames(
    'adminTable',
    rows?.flatMap((row) =>
      [row.teacherPayScales, row.supportPayScales, row.nationalInsurance, row.extendedLeaveRates, row.localAuthorityFundingRates]
        .flat()
        .map((one) => one.adminTableId),
    ) ?? [],
  )
  const total = list.data?.total ?? 0
  const count = countSelected(view.state, total)
  const { mutateAsync: lockMany } = trpc.budgetRound.lockMany.useMutation()
  const { mutateAsync: deleteMany } = trpc.budgetRound.deleteMany.useMutation()
  const { createUndo } = useRestoreBudgets()
  const { mutateAsync: fill } = trpc.budgetRound.fillAgain.useMutation()
  const done = (): void => {
    setOpen(null)
    view.unselect()
  }
  /** Reads the selected budgets, including those on other pages. */
  const chosenRows = async (): Promise<BudgetListRow[]> => {
    const all = await api.budgets.list.query({ pageNumber: 1, pageSize: 5000, ...view.selection })
    const { selectAll, toggledNodes } = view.state
    return all.rows.map((row) => ({ ...row, id: row.mongoId })).filter((row) => toggledNodes.includes(row.id) !== selectAll)
  }
  const copy = (mode: 'duplicate' | 'rollForward'): void =>
    void chosenRows().then((sources) => setOpen({ how: mode, sources }), notifyFailure)
  const lock = (): void =>
    void modals.openConfirmModal({
      title: `Lock ${toMidSentence(count === 1 ? term.singular : term.plural)}`,
      children: (
        <Text size="sm">A locked budget can never be changed again. Lock {count === 1 ? 'it' : displayCount(count, 'budget')}?</Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Lock' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        try {
          await lockMany(view.chosen)
          notifySuccess(notices.locked)
          done()
        } catch (error) {
          notifyFailure(error)
        }
      },
    })
  const remove = (): void =>
    confirmDelete({
      term,
      count,
      hint: `${count === 1 ? 'Its contracts, entries and figures are deleted with it. The bin keeps the budget' : 'Their contracts, entries and figures are deleted with them. The bin keeps the budgets'} for ${binRetentionDays} days; after that only the audit log remains.`,
      run: async () => {
        const deletedRows = await chosenRows()
        await deleteOptimistically(
          { query: answerCache.budgets.list, input: view.request, state: view.state },
          (row) => row.mongoId,
          () => deleteMany(view.chosen),
        )
        return deletedRows
      },
      undo: createUndo,
      after: done,
    })
  const fillAgain = ({ mongoId }: BudgetListRow): void => {
    void fill({ id: mongoId }).then(
      (result) => (result.notMade ? notifyBackgroundFailure(`${result.name} could not be created: ${result.notMade}`) : done()),
      notifyFailure,
    )
  }
  const add = mayEdit ? (): void => void navigate('/console/budget-management/create') : undefined
  const years = [...new Set(rows?.map((row) => row.firstYear))].sort()
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Console`}
        pills={
          list.data && (
            <Pill>
              {total} {toMidSentence(total === 1 ? term.singular : term.plural)}
            </Pill>
          )
        }
      >
        {add && (
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add {toMidSentence(term.singular)}
          </Button>
        )}
      </PageHead>
      <ServerList<BudgetListRow>
        label={term.plural}
        rows={rows}
        isEarlier={list.isPlaceholderData}
        total={total}
        columns={createBudgetColumns({
          location: (id) => locations.find((one) => one.id === id)?.name ?? '',
          group: (id) => groups.data?.find((group) => group.id === id)?.name ?? '',
          type: (id) => types.get(id)?.name ?? '…',
          table: (id) => tables.get(id)?.name ?? '…',
          fillAgain: mayEdit ? fillAgain : undefined,
        })}
        filterable={[
          { name: 'name', label: budget.fields.name.label, field: budget.fields.name },
          { name: 'locationId', label: 'Location', field: { kind: 'set', items: locations } },
          { name: 'versionType', label: budget.fields.versionType.label, field: { kind: 'set', items: [...lookups.budgetVersionTypes] } },
          {
            name: 'firstYear',
            label: budget.fields.firstYear.label,
            field: { kind: 'set', items: years.map((year) => ({ id: year, name: formatBudgetYear(year, 0) })) },
          },
          {
            name: 'state',
            label: 'State',
            field: {
              kind: 'set',
              items: [
                { id: 1, name: 'Open' },
                { id: 2, name: 'Locked' },
              ],
            },
          },
        ]}
        {...view.grid}
        searchPlaceholder="Search name"
        bulk={
          mayEdit ? (
            <>
              <Button variant="subtle" size="compact-sm" onClick={() => copy('duplicate')}>
                Duplicate
              </Button>
              <Button variant="subtle" size="compact-sm" onClick={() => copy('rollForward')}>
                Roll forward
              </Button>
              <Button variant="subtle" size="compact-sm" onClick={() => setOpen('edit')}>
                Bulk edit
              </Button>
              <Button variant="subtle" size="compact-sm" onClick={lock}>
                Lock
              </Button>
              <Button variant="subtle" size="compact-sm" color="red" onClick={remove}>
                Delete
              </Button>
            </>
          ) : undefined
        }
        onOpen={mayEdit ? (row) => void navigate(`/console/budget-management/budget/${row.mongoId}`) : undefined}
        onNew={add}
        error={list.isError ? toPublicError(list.error).message : null}
        empty={
          <>
            <h2>No budgets yet</h2>
            <p>A budget holds the staff and money of one location for up to five years.</p>
            {add && <Button onClick={add}>Add {toMidSentence(term.singular)}</Button>}
          </>
        }
      />
      {open && (
        <PageSection height={0}>
          {open === 'edit' ? (
            <BulkEditBudgets count={count} chosen={view.chosen} onClose={() => setOpen(null)} onDone={() => void done()} />
          ) : (
            <CopyBudgetsDialog {...open} onClose={() => setOpen(null)} onDone={() => void done()} />
          )}
        </PageSection>
      )}
    </>
  )
}

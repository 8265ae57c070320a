import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { isFiltered } from '../../domain/lists/lists.ts'
import { findNumberColumns } from '../../domain/resources/columns.ts'
import { contractFile } from '../../domain/resources/contractFile.ts'
import { staffContract } from '../../domain/resources/entities/budget/staffContract.ts'
import { dayInLondon, displayDate, displayDateTime, displayMoney, toPennies } from '../../domain/values/format.ts'
import type { BudgetId } from '../../domain/values/ids.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { useSelectedBudget } from '../budget/useBudget.ts'
import { useBudgetUndo } from '../budget/useBudgetUndo.ts'
import { useIsBudgetLocked } from '../budget/useChangeObstacle.ts'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import type { ColumnsWithSameValue } from '../resources/import/importFile.ts'
import { deleteOptimistically } from '../resources/list/deleteOptimistically.ts'
import { countSelected } from '../resources/list/listState.ts'
import { ServerList } from '../resources/list/ServerList.tsx'
import { createFirstListRequest, useListState } from '../resources/list/useList.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import { answerCache, api, queryClient, toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck, useTerm } from '../shell/core.ts'
import { ExportButton } from '../shell/files/ExportButton.tsx'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { preloadSubPage, type Screen } from '../shell/screens/screen.ts'
import { getSelection, useSelection } from '../shell/selection.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import { ShortcutHint } from '../ui/labels/ShortcutHint.tsx'
import textStyles from '../ui/labels/text.module.css'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { ChangesSinceRecalculation } from './ChangesSinceRecalculation.tsx'
import { createCostingInputsQuery } from './contract/costingInputs.ts'
import { type ContractListRow, createContractColumns, createContractFilters, hiddenContractColumns } from './contractColumns.tsx'

const BulkEditContracts = lazyComponent(() => import('./BulkEditContracts.tsx'), 'BulkEditContracts')
const ImportDialog = lazyComponent(() => import('../resources/import/ImportDialog.tsx'), 'ImportDialog')

const viewOf = (budgetId: BudgetId | null) => [`contracts ${budgetId}`, { hiddenColumns: hiddenContractColumns }] as const

function prepare(): void {
  void answerCache.contracts.list.prefetch(createFirstListRequest(...viewOf(getSelection().budgetId)))
  void answerCache.contracts.sinceRecalculation.prefetch()
  void answerCache.budgets.summary.prefetch()
}

/**
 * Lists columns of a contract file that usually have the same value: a job title is both the contract name and the position. The scale
 * points in a file are those of today, so salary rows must not start earlier; otherwise the increments since then would be added again.
 */
function listSameColumns({ firstYear, startMonth }: { firstYear: number; startMonth: number }): ColumnsWithSameValue {
  const firstDay = `${firstYear}-${String(startMonth).padStart(2, '0')}-01`
  const today = dayInLondon(new Date())
  return {
    EffectiveDate: { column: 'StartDate', notBefore: today < firstDay ? today : firstDay },
    ContractName: { column: 'Position' },
    Position: { column: 'ContractName', ifCalled: /\b(?:job|post|role)\b/i },
  }
}

/** The staff contracts of the budget. */
export function ContractsPage({ screen }: { screen: Screen }) {
  const { budgetId } = useSelection()
  const budget = useSelectedBudget()
  const terms = useTerm()
  const [term, people] = [terms('StaffContract'), toMidSentence(terms('StaffMember').plural)]
  const isLocked = useIsBudgetLocked()
  const mayEdit = usePermissionCheck()(['BudgetingStaffingReadUpdate']) && !isLocked
  const navigate = useNavigate()
  const [open, setOpen] = useState<'import' | 'edit' | null>(null)
  const view = useListState(...viewOf(budgetId))
  const list = trpc.contracts.list.useQuery(view.request, { placeholderData: (before) => before })
  const sinceRecalculation = trpc.contracts.sinceRecalculation.useQuery()
  const summary = trpc.budgets.summary.useQuery()
  const staffFile = trpc.staffFiles.head.useQuery()
  const types = useRecordNames('contractType', summary.data?.budget.contractTypeIds ?? [])
  const add = mayEdit ? (): void => void navigate('/staffing/staff-contracts/add') : undefined
  const total = list.data?.total ?? 0
  const createUndo = useBudgetUndo()
  const { mutateAsync: bulkDelete } = trpc.contracts.bulkDelete.useMutation()
  const { mutateAsync: importRows } = trpc.contractFiles.import.useMutation()
  const remove = (): void =>
    confirmDelete({
      term,
      count: countSelected(view.state, total),
      hint: 'You can undo this in the history.',
      run: () =>
        deleteOptimistically(
          { query: answerCache.contracts.list, input: view.request, state: view.state },
          (row) => row.id,
          () => bulkDelete(view.chosen),
        ),
      undo: ({ versions }) => createUndo(versions),
      after: view.unselect,
    })
  const exported = () =>
    api.contractFiles.export.query({ sort: view.state.sort, sortDirection: view.state.sortDirection, ...view.selection })
  const year = list.data?.firstYearName ?? ''
  const filtered = isFiltered(view.selection.search, view.selection.filters)
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Staffing`}
        pills={
          <>
            {list.data && <Pill>{`${total} ${total === 1 ? 'contract' : 'contracts'}${filtered ? ' match' : ''}`}</Pill>}
            {isLocked && <Pill tone="warn">Locked</Pill>}
          </>
        }
        facts={
          list.data && (
            <>
              Cost {year}{' '}
              <b>
                <Link to="/staffing/costs" title="Breakdown">
                  {displayMoney(toPennies(list.data.firstYearCost))}
                </Link>
              </b>
              {list.data.notCalculated > 0 && (
                <>
                  {' '}
                  ·{' '}
                  <Link to="/staffing/checks" className={textStyles.up}>
                    {list.data.notCalculated} not calculated
                  </Link>
                </>
              )}
              {summary.data?.budget.recalculatedAt && (
                <> · excluding the apprenticeship levy · costs as at {displayDateTime(summary.data.budget.recalculatedAt)}</>
              )}
              {staffFile.data && (
                <>
                  {' '}
                  · <Link to="/staffing/changes">HR file of {displayDate(staffFile.data.day)}</Link>
                </>
              )}
            </>
          )
        }
      >
        {mayEdit && (
          <Button variant="default" onClick={() => setOpen('import')}>
            Import
          </Button>
        )}
        <ExportButton file={exported} kinds={findNumberColumns(staffContract)} disabled={!total} />
        {add && (
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add contract
          </Button>
        )}
      </PageHead>
      <ChangesSinceRecalculation since={sinceRecalculation.data} />
      <ServerList<ContractListRow>
        label={term.plural}
        rows={list.data?.rows}
        isEarlier={list.isPlaceholderData}
        total={total}
        columns={createContractColumns(types, year, sinceRecalculation.data?.version ?? null)}
        filterable={createContractFilters(types)}
        {...view.grid}
        searchPlaceholder="Search name, number, position"
        bulk={
          mayEdit ? (
            <>
              <Button variant="subtle" size="compact-sm" onClick={() => setOpen('edit')}>
                Bulk edit
              </Button>
              <Button variant="subtle" size="compact-sm" color="red" onClick={remove}>
                Delete
              </Button>
            </>
          ) : undefined
        }
        onOpen={(row) => void navigate(mayEdit ? `/staffing/staff-contracts/${row.id}` : `/staffing/staff-contracts/${row.id}/cost`)}
        onPoint={({ id, employeeNumber }) => {
          preloadSubPage(screen, mayEdit ? ':id' : ':id/cost')
          // The contract itself is never prefetched, because its editor must open with current data.
          void queryClient.prefetchQuery(createCostingInputsQuery(api, { contractId: id, employeeNumber }))
          void answerCache.contracts.forecast.prefetch({ id, withSteps: false })
        }}
        onNew={add}
        error={list.isError ? toPublicError(list.error).message : null}
        empty={
          <>
            <h2>No staff contracts yet</h2>
            <p>Each contract is costed for every year of the budget as soon as it is saved.</p>
            {add && (
              <Button onClick={add} mr="xs">
                Add contract
              </Button>
            )}
            {mayEdit && (
              <Button variant="default" onClick={() => setOpen('import')}>
                Import
              </Button>
            )}
          </>
        }
      />
      {open === 'import' && (
        <PageSection height={0}>
          <ImportDialog
            resource={contractFile}
            calls={{ import: importRows, template: api.contractFiles.template }}
            isHidden={() => false}
            sameAs={listSameColumns(budget)}
            asksMaximum
            options={
              <Text size="sm" c="dimmed" mt="sm">
                New people are added to the {people} of this school, with the name in the file. People already there are not changed.
              </Text>
            }
            onClose={() => setOpen(null)}
            onDone={view.reset}
          />
        </PageSection>
      )}
      {open === 'edit' && (
        <PageSection height={0}>
          <BulkEditContracts
            count={countSelected(view.state, total)}
            chosen={view.chosen}
            onClose={() => setOpen(null)}
            onDone={() => {
              setOpen(null)
              view.unselect()
            }}
          />
        </PageSection>
      )}
    </>
  )
}
ContractsPage.prepare = prepare

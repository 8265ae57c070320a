import { Button } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { displayDate, displayFigure, toPennies } from '../../../domain/values/format.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { confirmDelete } from '../../resources/confirmDelete.tsx'
import { deleteOptimistically } from '../../resources/list/deleteOptimistically.ts'
import { countSelected } from '../../resources/list/listState.ts'
import { ServerList } from '../../resources/list/ServerList.tsx'
import { useListState } from '../../resources/list/useList.ts'
import { useRecordNames } from '../../resources/resourceApi.ts'
import { answerCache, api, toPublicError, trpc } from '../../shell/api.ts'
import { usePermissionCheck, useTerm } from '../../shell/core.ts'
import { useSelection } from '../../shell/selection.ts'
import { Pill } from '../../ui/labels/Pill.tsx'
import { ShortcutHint } from '../../ui/labels/ShortcutHint.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import type { TableColumn } from '../../ui/table/columns.ts'
import { QuickComparisonDialog } from './QuickComparisonDialog.tsx'
import type { QuickResult, QuickRow } from './quickRow.ts'

const rightAligned = { isFigure: true, isSlim: true, flex: 0, isSortable: false, isResizable: false } as const

function amount(key: keyof QuickResult, label: string, width: number): TableColumn<QuickRow> {
  return {
    id: key,
    label,
    ...rightAligned,
    width,
    minWidth: width,
    cell: (row) =>
      row.result[0] ? (
        displayFigure(toPennies(row.result[0][key]))
      ) : (
        <span className={textStyles.missing} title={row.problems[0]?.text}>
          not calculated
        </span>
      ),
  }
}

const createAmountColumns = (period: 'monthly' | 'annual'): TableColumn<QuickRow>[] => [
  amount(`${period}Basic`, 'Basic', period === 'annual' ? 94 : 84),
  amount(`${period}ErNi`, "ER's NI", period === 'annual' ? 88 : 76),
  amount(`${period}ErPension`, "ER's Pension", 98),
  amount(`${period}Total`, 'Total', period === 'annual' ? 102 : 84),
]

/** What a post would cost per month, year, hour and day, before a contract exists (behaviour B-100). */
export function QuickCalculatorPage() {
  const { budgetId } = useSelection()
  const term = useTerm()('QuickCalculator')
  const isLocked = useIsBudgetLocked()
  const mayEdit = usePermissionCheck()(['BudgetingStaffingReadUpdate']) && !isLocked
  const navigate = useNavigate()
  const view = useListState(`quick ${budgetId}`, { hiddenColumns: ['contractTypeId'] })
  const [comparing, setComparing] = useState<string[] | null>(null)
  const list = trpc.quickCalculator.list.useQuery(view.request, { placeholderData: (before) => before })
  const rows = list.data?.rows
  const types = useRecordNames('contractType', rows?.map((row) => row.contractTypeId) ?? [])
  const points = useRecordNames('payScalePoint', rows?.flatMap((row) => row.scalePointId ?? []) ?? [])
  const total = list.data?.total ?? 0
  const selected = countSelected(view.state, total)
  const add = mayEdit ? (): void => void navigate('/staffing/quick-calculator/add') : undefined
  const { mutateAsync: bulkDelete } = trpc.quickCalculator.bulkDelete.useMutation()
  const remove = (): void =>
    confirmDelete({
      term: { singular: term.singular, plural: 'Quick calculations' },
      count: selected,
      lost: 'Their details are deleted. Contracts are not changed.',
      run: () =>
        deleteOptimistically(
          { query: answerCache.quickCalculator.list, input: view.request, state: view.state },
          (row) => row.id,
          () => bulkDelete(view.chosen),
        ),
      after: view.unselect,
    })
  const compare = async (): Promise<void> => {
    const { rows: all } = await api.quickCalculator.list.query({ ...view.request, pageNumber: 1, pageSize: 5000 })
    const { selectAll, toggledNodes } = view.state
    setComparing(all.map((row) => row.id).filter((id) => toggledNodes.includes(id) !== selectAll))
  }
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Staffing`}
        pills={
          <>
            {list.data && <Pill>{total}</Pill>}
            {isLocked && <Pill tone="warn">Locked</Pill>}
          </>
        }
        facts={
          rows?.[0]
            ? `Monthly and annual costs at the rates on ${displayDate(rows[0].ratesOf)}; basic pay includes allowances`
            : 'What a post would cost, before you add a contract'
        }
      >
        {add && (
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add quick calculation
          </Button>
        )}
      </PageHead>
      {comparing && <QuickComparisonDialog ids={comparing} onClose={() => setComparing(null)} />}
      <ServerList<QuickRow>
        label={term.plural}
        rows={rows}
        isEarlier={list.isPlaceholderData}
        total={total}
        columns={[
          { id: 'name', label: 'Name', minWidth: 130, flex: 1.4 },
          {
            id: 'contractTypeId',
            label: 'Contract type',
            width: 124,
            flex: 0,
            cell: ({ contractTypeId: value }) => types.get(value)?.name ?? '',
          },
          {
            id: 'scalePointId',
            label: 'Point',
            minWidth: 96,
            isSortable: false,
            cell: (row) => {
              const point = row.scalePointId ? points.get(row.scalePointId) : undefined
              if (!row.scalePointId) return 'Spot salary'
              return point ? [point.description, point.name].filter(Boolean).join(' ') : '…'
            },
          },
          { label: 'Monthly', children: createAmountColumns('monthly') },
          { label: 'Annual', children: createAmountColumns('annual') },
          amount('hourlyRate', 'Hourly rate', 90),
          amount('dailyRate', 'Daily rate', 84),
        ]}
        filterable={[
          { name: 'name', label: 'Name', field: { kind: 'text', label: 'Name', max: 100 } },
          { name: 'type', label: 'Pay scale type', field: { kind: 'set', items: [...lookups.payScaleTypes] } },
          { name: 'eRpension', label: 'Employer pension', field: { kind: 'flag', label: 'Employer pension' } },
        ]}
        {...view.grid}
        searchPlaceholder="Search by name"
        bulk={
          mayEdit ? (
            <>
              <Button variant="subtle" size="compact-sm" onClick={() => void compare()} disabled={selected < 2}>
                Compare
              </Button>
              <Button variant="subtle" size="compact-sm" color="red" onClick={remove}>
                Delete
              </Button>
            </>
          ) : undefined
        }
        onOpen={mayEdit ? (row) => void navigate(`/staffing/quick-calculator/${row.id}`) : undefined}
        onNew={add}
        error={list.isError ? toPublicError(list.error).message : null}
        empty={
          <>
            <h2>No quick calculations yet</h2>
            <p>See what a post costs a month, a year, a day and an hour, compare posts, and turn the one you choose into a contract.</p>
            {add && <Button onClick={add}>Add quick calculation</Button>}
          </>
        }
      />
    </>
  )
}

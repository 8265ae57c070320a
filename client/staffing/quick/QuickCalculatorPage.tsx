import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ColDef } from 'ag-grid-community'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { displayDate, figure, penniesOf } from '../../../domain/format.ts'
import { lookups } from '../../../domain/lookups.ts'
import { api, problemOf, queries } from '../../api/api.ts'
import { confirmDelete } from '../../resources/confirmDelete.tsx'
import { Grid } from '../../resources/Grid.tsx'
import { selectedCount } from '../../resources/listState.ts'
import { useNames } from '../../resources/resourceApi.ts'
import { useList } from '../../resources/useList.ts'
import { PageHead } from '../../shell/PageHead.tsx'
import { useMay, useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { useIsLocked } from '../useObstacle.ts'
import { Compare } from './Compare.tsx'
import type { QuickRow, Result } from './quickRow.ts'

const right = { headerClass: 'num slim', cellClass: 'ag-cell-num slim', flex: 0, sortable: false, resizable: false } as const

function amount(key: keyof Result, headerName: string, width: number): ColDef<QuickRow> {
  return {
    colId: key,
    headerName,
    ...right,
    width,
    minWidth: width,
    cellRenderer: ({ data }: { data?: QuickRow }) =>
      data &&
      (data.result[0] ? (
        figure(penniesOf(data.result[0][key]))
      ) : (
        <span className="missing" title={data.problems[0]?.text}>
          not calculated
        </span>
      )),
  }
}

const four = (period: 'monthly' | 'annual'): ColDef<QuickRow>[] => [
  amount(`${period}Basic`, 'Basic', period === 'annual' ? 94 : 84),
  amount(`${period}ErNi`, "ER's NI", period === 'annual' ? 88 : 76),
  amount(`${period}ErPension`, "ER's Pension", 98),
  amount(`${period}Total`, 'Total', period === 'annual' ? 102 : 84),
]

/** What posts would cost, a month and a year, an hour and a day, before there is a contract (behaviour B-100). */
export function QuickCalculatorPage() {
  const { budgetId } = useSelection()
  const term = useTerm()('QuickCalculator')
  const isLocked = useIsLocked()
  const mayEdit = useMay()(['BudgetingStaffingReadUpdate']) && !isLocked
  const navigate = useNavigate()
  const view = useList(`quick ${budgetId}`, { hiddenColumns: ['contractTypeId'] })
  const [comparing, setComparing] = useState<string[] | null>(null)
  const list = useQuery({
    queryKey: ['quick', 'list', budgetId, view.request],
    queryFn: () => api.quickCalculator.list.query(view.request),
    placeholderData: (before) => before,
  })
  const rows = list.data?.rows
  const types = useNames('contractType', rows?.map((row) => row.contractTypeId) ?? [])
  const points = useNames('payScalePoint', rows?.flatMap((row) => row.scalePointId ?? []) ?? [])
  const total = list.data?.total ?? 0
  const selected = selectedCount(view.state, total)
  const add = mayEdit ? (): void => void navigate('/staffing/quick-calculator/add') : undefined
  const remove = (): void =>
    confirmDelete({
      term: { singular: term.singular, plural: 'Quick calculations' },
      count: selected,
      run: () => api.quickCalculator.bulkDelete.mutate(view.chosen),
      after: () => {
        view.unselect()
        return queries.invalidateQueries({ queryKey: ['quick'] })
      },
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
            {list.data && <span className="pill">{total}</span>}
            {isLocked && <span className="pill warn">Locked</span>}
          </>
        }
        facts={
          rows?.[0]
            ? `A month and a year at the rates of ${displayDate(rows[0].ratesOf)}; basic holds the allowances`
            : 'What a post would cost, before there is a contract'
        }
      >
        {add && (
          <Button onClick={add} rightSection={<span className="hint">N</span>}>
            Add quick calculation
          </Button>
        )}
      </PageHead>
      {comparing && <Compare ids={comparing} onClose={() => setComparing(null)} />}
      <Grid<QuickRow>
        label={term.plural}
        rows={rows}
        total={total}
        columns={[
          { colId: 'name', headerName: 'Name', field: 'name', minWidth: 130, flex: 1.4 },
          {
            colId: 'contractTypeId',
            headerName: 'Contract type',
            field: 'contractTypeId',
            width: 124,
            flex: 0,
            cellRenderer: ({ value }: { value: number }) => types.get(value)?.name ?? '',
          },
          {
            colId: 'scalePointId',
            headerName: 'Point',
            field: 'scalePointId',
            minWidth: 96,
            sortable: false,
            cellRenderer: ({ data }: { data?: QuickRow }) => {
              const point = data?.scalePointId ? points.get(data.scalePointId) : undefined
              if (!data?.scalePointId) return data && 'Spot salary'
              return point ? [point.description, point.name].filter(Boolean).join(' ') : '…'
            },
          },
          { headerName: 'Monthly', children: four('monthly') },
          { headerName: 'Annual', children: four('annual') },
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
        error={list.isError ? problemOf(list.error).message : null}
        empty={
          <>
            <h2>No quick calculations yet</h2>
            <p>See what a post costs a month, a year, a day and an hour, compare posts, and make the one you choose a contract.</p>
            {add && <Button onClick={add}>Add quick calculation</Button>}
          </>
        }
      />
    </>
  )
}

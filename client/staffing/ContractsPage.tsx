import { Button } from '@mantine/core'
import { IconCalculator } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { displayDate, displayDateTime, figure, money, penniesOf } from '../../domain/format.ts'
import { isFiltered } from '../../domain/lists.ts'
import { lookups } from '../../domain/lookups.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { Grid } from '../resources/Grid.tsx'
import { selectedCount } from '../resources/listState.ts'
import { useNames } from '../resources/resourceApi.ts'
import { useList } from '../resources/useList.ts'
import { PageHead } from '../shell/PageHead.tsx'
import { useMay, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

type Row = Awaited<ReturnType<typeof api.contracts.list.query>>['rows'][number]

/** The row in force today, else the first. */
function currentRow(row: Row): number {
  const today = new Date().toISOString().slice(0, 10)
  const past = row.salary.filter((one) => one.effectiveDate <= today).length
  return Math.max(0, past - 1)
}

function workOf(row: Row): string {
  const salary = row.salary[currentRow(row)]
  if (!salary) return ''
  return salary.hoursPerWeek !== null
    ? `${salary.hoursPerWeek} h × ${salary.weeksPerYear ?? '?'} w`
    : salary.fte === null
      ? ''
      : salary.fte.toFixed(3)
}

function Cost({ row }: { row: Row }) {
  const first = row.costYears?.[0]
  if (row.costYears === null) return <span className="dim">to be calculated</span>
  return first === null || first === undefined ? (
    <span className="missing" title={row.problems[0]?.text}>
      not calculated
    </span>
  ) : (
    figure(penniesOf(first))
  )
}

const right = { headerClass: 'num', cellClass: 'ag-cell-num' }

/** The staff contracts of the budget. */
export function ContractsPage() {
  const { budgetId } = useSelection()
  const term = useTerm()('StaffContract')
  const mayEdit = useMay()(['BudgetingStaffingReadUpdate'])
  const navigate = useNavigate()
  const view = useList(`contracts ${budgetId}`, { hiddenColumns: ['contractName'] })
  const list = useQuery({
    queryKey: ['contracts', 'list', budgetId, view.request],
    queryFn: () => api.contracts.list.query(view.request),
    placeholderData: (before) => before,
  })
  const summary = useQuery({ queryKey: ['summary', budgetId], queryFn: () => api.budgets.summary.query() })
  const types = useNames('contractType', summary.data?.budget.contractTypeIds ?? [])
  const typeItems = [...types.values()].map(({ id, name }) => ({ id, name }))
  const add = mayEdit ? (): void => void navigate('/staffing/staff-contracts/add') : undefined
  const total = list.data?.total ?? 0
  const remove = (): void =>
    confirmDelete({
      term,
      count: selectedCount(view.state, total),
      hint: 'The history keeps them, and you can undo it there.',
      run: () => api.contracts.bulkDelete.mutate(view.chosen),
      after: () => {
        view.unselect()
        return queries.invalidateQueries()
      },
    })
  const year = list.data?.firstYearName ?? ''
  const filtered = isFiltered(view.selection.search, view.selection.filters)
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Staffing`}
        pills={list.data && <span className="pill">{`${total} ${total === 1 ? 'contract' : 'contracts'}${filtered ? ' match' : ''}`}</span>}
        facts={
          list.data && (
            <>
              Cost {year} <b>{money(penniesOf(list.data.firstYearCost))}</b>
              {list.data.notCalculated > 0 && (
                <>
                  {' '}
                  · <span className="up">{list.data.notCalculated} not calculated</span>
                </>
              )}
              {summary.data?.budget.recalculatedAt && <> · costs of {displayDateTime(summary.data.budget.recalculatedAt)}</>}
            </>
          )
        }
      >
        {add && (
          <Button onClick={add} rightSection={<span className="hint">N</span>}>
            Add contract
          </Button>
        )}
      </PageHead>
      <Grid<Row>
        label={term.plural}
        rows={list.data?.rows}
        total={total}
        columns={[
          {
            colId: 'employeeNumber',
            headerName: 'Employee',
            field: 'employeeNumber',
            width: 110,
            flex: 0,
            cellRenderer: ({ value }: { value: string | null }) => value ?? <span className="dim">vacancy</span>,
          },
          { colId: 'name', headerName: 'Name', field: 'name', minWidth: 130, flex: 1.3 },
          { colId: 'contractName', headerName: 'Contract', field: 'contractName', flex: 1.3 },
          { colId: 'position', headerName: 'Position', field: 'position', minWidth: 120, flex: 1.2 },
          {
            colId: 'contractTypeName',
            headerName: 'Type',
            field: 'contractTypeName',
            width: 120,
            flex: 0,
            cellRenderer: ({ value }: { value: number }) => types.get(value)?.name ?? '',
          },
          {
            headerName: 'Point',
            colId: 'point',
            sortable: false,
            minWidth: 140,
            flex: 1,
            cellRenderer: ({ data }: { data?: Row }) =>
              data && (data.pointNames[currentRow(data)] ?? (data.salary.length ? 'Spot salary' : '')),
          },
          {
            headerName: 'FTE / hours',
            colId: 'work',
            sortable: false,
            ...right,
            width: 150,
            flex: 0,
            cellRenderer: ({ data }: { data?: Row }) => data && workOf(data),
          },
          {
            colId: 'startDate',
            headerName: 'Start',
            field: 'startDate',
            width: 124,
            flex: 0,
            cellRenderer: ({ value }: { value: string }) => displayDate(value),
          },
          {
            headerName: `Cost ${year}`,
            colId: 'cost',
            sortable: false,
            ...right,
            width: 136,
            flex: 0,
            cellRenderer: ({ data }: { data?: Row }) => data && <Cost row={data} />,
          },
          {
            headerName: '',
            colId: 'link',
            width: 56,
            minWidth: 56,
            flex: 0,
            sortable: false,
            resizable: false,
            cellRenderer: ({ data }: { data?: Row }) =>
              data && (
                <Link
                  to={`/staffing/staff-contracts/${data.id}/cost`}
                  aria-label={`Cost of ${data.contractName}`}
                  title="Cost view"
                  tabIndex={-1}
                  style={{ display: 'inline-flex', verticalAlign: 'middle' }}
                >
                  <IconCalculator size={17} stroke={1.6} />
                </Link>
              ),
          },
        ]}
        filterable={[
          { name: 'employeeNumber', label: 'Employee number', field: { kind: 'text', label: 'Employee number', max: 30 } },
          { name: 'contractName', label: 'Contract name', field: { kind: 'text', label: 'Contract name', max: 100 } },
          { name: 'contractTypeName', label: 'Contract type', field: { kind: 'set', items: typeItems } },
          { name: 'type', label: 'Pay scale type', field: { kind: 'set', items: [...lookups.payScaleTypes] } },
          { name: 'position', label: 'Position', field: { kind: 'text', label: 'Position', max: 100 } },
          { name: 'department', label: 'Department', field: { kind: 'text', label: 'Department', max: 100 } },
          { name: 'startDate', label: 'Start date', field: { kind: 'date', label: 'Start date' } },
          { name: 'endDate', label: 'End date', field: { kind: 'date', label: 'End date' } },
          { name: 'apprentice', label: 'Apprentice', field: { kind: 'flag', label: 'Apprentice' } },
        ]}
        {...view.grid}
        searchPlaceholder="Search name, number, position"
        bulk={
          mayEdit ? (
            <Button variant="subtle" size="compact-sm" color="red" onClick={remove}>
              Delete
            </Button>
          ) : undefined
        }
        onOpen={(row) => void navigate(mayEdit ? `/staffing/staff-contracts/${row.id}` : `/staffing/staff-contracts/${row.id}/cost`)}
        onNew={add}
        error={list.isError ? problemOf(list.error).message : null}
        empty={
          <>
            <h2>No staff contracts yet</h2>
            <p>Each contract is costed for every year of the budget as soon as it is saved.</p>
            {add && <Button onClick={add}>Add contract</Button>}
          </>
        }
      />
    </>
  )
}

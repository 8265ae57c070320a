import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ColDef } from 'ag-grid-community'
import { useNavigate } from 'react-router'
import { displayDate, figure, penniesOf } from '../../../domain/format.ts'
import { notices } from '../../../domain/notices.ts'
import { api, problemOf, queries } from '../../api/api.ts'
import { failed, said } from '../../api/notify.tsx'
import { confirmDelete } from '../../resources/confirmDelete.tsx'
import { Grid } from '../../resources/Grid.tsx'
import { selectedCount } from '../../resources/listState.ts'
import { useNames } from '../../resources/resourceApi.ts'
import { useList } from '../../resources/useList.ts'
import { PageHead } from '../../shell/PageHead.tsx'
import { useIsLocked } from '../../staffing/useObstacle.ts'
import { useMay, useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { templates } from './templates.ts'

type Row = Awaited<ReturnType<typeof api.calculations.list.query>>['rows'][number]
const path = '/non-staffing/ie-calculator'

/** Whether a calculation is in the budget, and as it stands. */
function State({ row }: { row: Row }) {
  if (row.total === null) return <span className="pill warn">Not complete</span>
  if (!row.entryId) return <span className="pill">Not in the budget</span>
  return row.isOutOfDate ? <span className="pill warn">Out of date</span> : <span className="pill good">In the budget</span>
}

/** The income and expenditure calculations of the budget. */
export function CalculationsPage() {
  const { budgetId } = useSelection()
  const term = useTerm()('IncomeExpenditureCalculator')
  const things = { singular: term.singular, plural: 'Income and expenditure calculations' }
  const isLocked = useIsLocked()
  const mayEdit = useMay()(['BudgetingNonStaffingReadUpdate']) && !isLocked
  const navigate = useNavigate()
  const view = useList(`calculations ${budgetId}`)
  const list = useQuery({
    queryKey: ['calculations', 'list', budgetId, view.request],
    queryFn: () => api.calculations.list.query(view.request),
    placeholderData: (before) => before,
  })
  const rows = list.data?.rows
  const codes = useNames('budgetCode', rows?.map((row) => row.budgetCodeId) ?? [])
  const total = list.data?.total ?? 0
  const add = mayEdit ? (): void => void navigate(`${path}/add`) : undefined
  const process = async (row: Row): Promise<void> => {
    try {
      await api.calculations.process.mutate({ id: row.id })
      said(notices.saved)
      await queries.invalidateQueries()
    } catch (error) {
      failed(error)
    }
  }
  const remove = (): void =>
    confirmDelete({
      term: things,
      count: selectedCount(view.state, total),
      hint: 'The budget entries they made go too. The history keeps them, and you can undo it there.',
      run: () => api.calculations.bulkDelete.mutate(view.chosen),
      after: () => {
        view.unselect()
        return queries.invalidateQueries()
      },
    })
  const columns: ColDef<Row>[] = [
    { colId: 'name', headerName: 'Name', field: 'name', minWidth: 180, flex: 1.6 },
    { colId: 'description', headerName: 'Description', field: 'description', minWidth: 160, flex: 1.4 },
    {
      colId: 'budgetCodeId',
      headerName: 'Budget code',
      minWidth: 150,
      cellRenderer: ({ data }: { data?: Row }) => {
        const code = data && codes.get(data.budgetCodeId)
        return code ? `${code.name} ${code.description ?? ''}` : '…'
      },
    },
    {
      colId: 'total',
      headerName: 'First year',
      headerClass: 'num',
      cellClass: 'ag-cell-num',
      width: 130,
      flex: 0,
      cellRenderer: ({ data }: { data?: Row }) =>
        data && (data.total === null ? <span className="missing">not calculated</span> : figure(penniesOf(data.total))),
    },
    {
      colId: 'created',
      headerName: 'Created',
      width: 120,
      flex: 0,
      cellRenderer: ({ data }: { data?: Row }) => data && displayDate(data.created),
    },
    {
      colId: 'state',
      headerName: 'Budget',
      width: 230,
      flex: 0,
      sortable: false,
      cellRenderer: ({ data }: { data?: Row }) =>
        data && (
          <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}>
            <State row={data} />
            {mayEdit && data.total !== null && (!data.entryId || data.isOutOfDate) && (
              <button
                type="button"
                className="pill good"
                onClick={(event) => {
                  event.stopPropagation()
                  void process(data)
                }}
              >
                Put into the budget
              </button>
            )}
          </span>
        ),
    },
  ]
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Non-staffing`}
        pills={
          <>
            {list.data && <span className="pill">{total}</span>}
            {isLocked && <span className="pill warn">Locked</span>}
          </>
        }
        facts="Numbers by rates that come to one budget entry, which stays linked to them"
      >
        {mayEdit && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default">From a template</Button>
            </Menu.Target>
            <Menu.Dropdown>
              {templates.map((one) => (
                <Menu.Item key={one.key} onClick={() => void navigate(`${path}/add?template=${one.key}`)}>
                  {one.name} <span className="dim">{one.description}</span>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {add && (
          <Button onClick={add} rightSection={<span className="hint">N</span>}>
            Add calculation
          </Button>
        )}
      </PageHead>
      <Grid<Row>
        label={term.plural}
        rows={rows}
        total={total}
        columns={columns}
        filterable={[
          { name: 'name', label: 'Name', field: { kind: 'text', label: 'Name', max: 100 } },
          { name: 'budgetCodeId', label: 'Budget code', field: { kind: 'reference', label: 'Budget code', to: 'budgetCode' } },
          { name: 'isOutOfDate', label: 'Out of date', field: { kind: 'flag', label: 'Out of date' } },
        ]}
        {...view.grid}
        searchPlaceholder="Search by name"
        bulk={
          mayEdit ? (
            <Button variant="subtle" size="compact-sm" color="red" onClick={remove}>
              Delete
            </Button>
          ) : undefined
        }
        onOpen={mayEdit ? (row) => void navigate(`${path}/${row.id}`) : undefined}
        onNew={add}
        error={list.isError ? problemOf(list.error).message : null}
        empty={
          <>
            <h2>No calculations yet</h2>
            <p>Catering, exam fees, a trip: work them out from numbers and rates, and put the result into the budget.</p>
            {add && <Button onClick={add}>Add calculation</Button>}
          </>
        }
      />
    </>
  )
}

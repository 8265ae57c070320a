import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { displayDate, figure, money, penniesOf } from '../../domain/format.ts'
import { lookupName, lookups } from '../../domain/lookups.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { Grid } from '../resources/Grid.tsx'
import { selectedCount } from '../resources/listState.ts'
import { useList } from '../resources/useList.ts'
import { PageHead } from '../shell/PageHead.tsx'
import { useIsLocked } from '../staffing/useObstacle.ts'
import { useMay, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

type Row = Awaited<ReturnType<typeof api.openingBalances.list.query>>['rows'][number]
const path = '/overview/opening-balances'

/** What the budget begins with, by kind of balance. */
export function OpeningBalancesPage() {
  const { budgetId } = useSelection()
  const term = useTerm()('OpeningBalance')
  const isLocked = useIsLocked()
  const mayEdit = useMay()(['BudgetingOverviewReadUpdate']) && !isLocked
  const navigate = useNavigate()
  const view = useList(`balances ${budgetId}`)
  const list = useQuery({
    queryKey: ['balances', 'list', budgetId, view.request],
    queryFn: () => api.openingBalances.list.query(view.request),
    placeholderData: (before) => before,
  })
  const all = useQuery({ queryKey: ['balances', 'all', budgetId], queryFn: () => api.openingBalances.list.query({ pageSize: 5000 }) })
  const total = list.data?.total ?? 0
  const add = mayEdit ? (): void => void navigate(`${path}/add`) : undefined
  const sums = lookups.openingBalanceTypes.map((type) => ({
    name: type.name,
    rows: (all.data?.rows ?? []).filter((row) => row.type === type.id),
  }))
  const remove = (): void =>
    confirmDelete({
      term,
      count: selectedCount(view.state, total),
      hint: 'The history keeps them, and you can undo it there.',
      run: () => api.openingBalances.bulkDelete.mutate(view.chosen),
      after: () => {
        view.unselect()
        return queries.invalidateQueries()
      },
    })
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Overview`}
        pills={
          <>
            {list.data && <span className="pill">{total}</span>}
            {isLocked && <span className="pill warn">Locked</span>}
          </>
        }
        facts={
          all.data?.rows.length
            ? sums
                .filter((sum) => sum.rows.length)
                .map((sum) => `${sum.name} ${money(sum.rows.reduce((pennies, row) => pennies + penniesOf(row.value), 0))}`)
                .join(' · ')
            : 'What is carried into the first year'
        }
      >
        {add && (
          <Button onClick={add} rightSection={<span className="hint">N</span>}>
            Add opening balance
          </Button>
        )}
      </PageHead>
      <Grid<Row>
        label={term.plural}
        rows={list.data?.rows}
        total={total}
        columns={[
          { colId: 'description', headerName: 'Description', field: 'description', minWidth: 200, flex: 2 },
          {
            colId: 'type',
            headerName: 'Type',
            width: 150,
            flex: 0,
            cellRenderer: ({ data }: { data?: Row }) => data && lookupName('openingBalanceTypes', data.type),
          },
          {
            colId: 'value',
            headerName: 'Value',
            headerClass: 'num',
            cellClass: 'ag-cell-num',
            width: 150,
            flex: 0,
            cellRenderer: ({ data }: { data?: Row }) =>
              data && <span className={data.value < 0 ? 'up' : undefined}>{figure(penniesOf(data.value))}</span>,
          },
          {
            colId: 'created',
            headerName: 'Created',
            width: 140,
            flex: 0,
            cellRenderer: ({ data }: { data?: Row }) => data && displayDate(data.created),
          },
        ]}
        filterable={[
          { name: 'description', label: 'Description', field: { kind: 'text', label: 'Description', max: 200 } },
          { name: 'type', label: 'Type', field: { kind: 'set', items: [...lookups.openingBalanceTypes] } },
          { name: 'value', label: 'Value', field: { kind: 'money', label: 'Value' } },
        ]}
        {...view.grid}
        searchPlaceholder="Search description"
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
            <h2>No opening balances yet</h2>
            <p>Closing balances start from what the school brings in: type its reserves.</p>
            {add && <Button onClick={add}>Add opening balance</Button>}
          </>
        }
      />
    </>
  )
}

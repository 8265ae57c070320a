import { Button, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { yearName } from '../../domain/calendar.ts'
import { displayDate } from '../../domain/format.ts'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { Grid } from '../resources/Grid.tsx'
import { useList } from '../resources/useList.ts'
import { PageHead } from '../shell/PageHead.tsx'
import { reloadBudgets, useCore, useMay, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

type Row = Awaited<ReturnType<typeof api.budgets.list.query>>['rows'][number] & { id: string }

/** All budgets of the organisation, over all locations. */
export function BudgetsPage() {
  const { organisationId } = useSelection()
  const { locations } = useCore()
  const term = useTerm()('Budget')
  const mayEdit = useMay()(['ConsoleBudgetManagementReadUpdate'])
  const navigate = useNavigate()
  const view = useList(`budgets ${organisationId}`)
  const list = useQuery({
    queryKey: ['list', 'budgets', organisationId, view.request],
    queryFn: () => api.budgets.list.query(view.request),
    placeholderData: (before) => before,
  })
  const place = (id: number): string => locations.find((one) => one.id === id)?.name ?? ''
  const lock = (row: Row): void =>
    void modals.openConfirmModal({
      title: 'Lock budget',
      children: <Text size="sm">A locked budget can never be changed again. Lock it?</Text>,
      labels: { cancel: 'Cancel', confirm: 'Lock' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        try {
          await api.budgets.lock.mutate({ id: row.mongoId })
          said(notices.locked)
          await Promise.all([queries.invalidateQueries(), reloadBudgets()])
        } catch (error) {
          failed(error)
        }
      },
    })
  const add = mayEdit ? (): void => void navigate('/console/budget-management/create') : undefined
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Console`}
        pills={list.data && <span className="pill">{list.data.total} budgets</span>}
      >
        {add && (
          <Button onClick={add} rightSection={<span className="hint">N</span>}>
            Add budget
          </Button>
        )}
      </PageHead>
      <Grid<Row>
        label={term.plural}
        rows={list.data?.rows.map((row) => ({ ...row, id: row.mongoId }))}
        total={list.data?.total ?? 0}
        columns={[
          { colId: 'name', headerName: 'Name', field: 'name', flex: 1.4 },
          {
            colId: 'locationId',
            headerName: 'Location',
            field: 'locationId',
            flex: 1.6,
            cellRenderer: ({ value }: { value: number }) => place(value),
          },
          {
            colId: 'firstYear',
            headerName: 'First year',
            field: 'firstYear',
            cellRenderer: ({ value }: { value: number }) => yearName(value, 0),
          },
          {
            colId: 'numberOfYears',
            headerName: 'Years',
            field: 'numberOfYears',
            headerClass: 'num',
            cellClass: 'ag-cell-num',
            width: 90,
            flex: 0.5,
          },
          {
            colId: 'state',
            headerName: 'State',
            field: 'state',
            cellRenderer: ({ data }: { data?: Row }) =>
              data?.state === 2 ? (
                <span className="pill warn">Locked {displayDate(data.lockedAt)}</span>
              ) : (
                <span className="pill good">Open</span>
              ),
          },
          { colId: 'created', headerName: 'Created', field: 'created', cellRenderer: ({ value }: { value: string }) => displayDate(value) },
          {
            headerName: '',
            width: 90,
            flex: 0,
            sortable: false,
            cellRenderer: ({ data }: { data?: Row }) =>
              data && mayEdit && data.state === 1 ? (
                <Button size="compact-xs" variant="default" onClick={() => lock(data)}>
                  Lock
                </Button>
              ) : null,
          },
        ]}
        filterable={[
          { name: 'name', label: 'Name', field: { kind: 'text', label: 'Name', max: 100 } },
          { name: 'locationId', label: 'Location', field: { kind: 'set', items: locations } },
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
        onOpen={mayEdit ? (row) => void navigate(`/console/budget-management/budget/${row.mongoId}`) : undefined}
        onNew={add}
        error={list.isError ? problemOf(list.error).message : null}
        empty={
          <>
            <h2>No budgets yet</h2>
            <p>A budget holds the staff and money of one location for up to five years.</p>
            {add && <Button onClick={add}>Add budget</Button>}
          </>
        }
      />
    </>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { displayDate } from '../../domain/format.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { Grid } from '../resources/Grid.tsx'
import { selectedCount } from '../resources/listState.ts'
import { useList } from '../resources/useList.ts'
import { PageHead } from '../shell/PageHead.tsx'
import { useMay, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

type Row = Awaited<ReturnType<typeof api.staff.listByLocation.query>>['rows'][number]

/** The staff members of the location. */
export function StaffMembersPage() {
  const { locationId } = useSelection()
  const term = useTerm()('StaffMember')
  const mayEdit = useMay()(['BudgetingStaffingReadUpdate'])
  const navigate = useNavigate()
  const view = useList(`staff ${locationId}`)
  const list = useQuery({
    queryKey: ['staff', 'list', locationId, view.request],
    queryFn: () => api.staff.listByLocation.query(view.request),
    placeholderData: (before) => before,
  })
  const total = list.data?.total ?? 0
  const add = mayEdit ? (): void => void navigate('/staffing/staff-members/add') : undefined
  const remove = (): void =>
    confirmDelete({
      term,
      count: selectedCount(view.state, total),
      run: () => api.staff.bulkDelete.mutate({ locationId, ...view.chosen }),
      after: () => {
        view.unselect()
        return queries.invalidateQueries({ queryKey: ['staff'] })
      },
    })
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Staffing`}
        pills={list.data && <span className="pill">{total} people</span>}
      >
        {add && (
          <Button onClick={add} rightSection={<span className="hint">N</span>}>
            Add staff member
          </Button>
        )}
      </PageHead>
      <Grid<Row>
        label={term.plural}
        rows={list.data?.rows}
        total={total}
        columns={[
          { colId: 'employeeNumber', headerName: 'Employee number', field: 'employeeNumber' },
          { colId: 'surname', headerName: 'Surname', field: 'surname', flex: 1.3 },
          { colId: 'forename', headerName: 'Forename', field: 'forename', flex: 1.2 },
          {
            colId: 'dateOfBirth',
            headerName: 'Date of birth',
            field: 'dateOfBirth',
            cellRenderer: ({ value }: { value: string | null }) => (value ? displayDate(value) : <span className="missing">unknown</span>),
          },
          {
            colId: 'continuousServiceDate',
            headerName: 'Continuous service',
            field: 'continuousServiceDate',
            cellRenderer: ({ value }: { value: string | null }) => displayDate(value),
          },
          { colId: 'email', headerName: 'Email', field: 'email', flex: 1.6 },
        ]}
        filterable={[
          { name: 'surname', label: 'Surname', field: { kind: 'text', label: 'Surname', max: 100 } },
          { name: 'employeeNumber', label: 'Employee number', field: { kind: 'text', label: 'Employee number', max: 30 } },
          { name: 'dateOfBirth', label: 'Date of birth', field: { kind: 'date', label: 'Date of birth' } },
        ]}
        {...view.grid}
        searchPlaceholder="Search name, number, email"
        bulk={
          mayEdit ? (
            <Button variant="subtle" size="compact-sm" color="red" onClick={remove}>
              Delete
            </Button>
          ) : undefined
        }
        onOpen={mayEdit ? (row) => void navigate(`/staffing/staff-members/${row.id}`) : undefined}
        onNew={add}
        error={list.isError ? problemOf(list.error).message : null}
        empty={
          <>
            <h2>Nobody works here yet</h2>
            <p>People are kept once and can hold several contracts.</p>
            {add && <Button onClick={add}>Add staff member</Button>}
          </>
        }
      />
    </>
  )
}

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { yearName } from '../../domain/calendar.ts'
import { displayDate, figure, penniesOf } from '../../domain/format.ts'
import { api, problemOf } from '../api/api.ts'
import { ItemReminders } from '../staffing/ItemReminders.tsx'
import { useBudget } from '../staffing/tables/useBudget.ts'
import { useMay } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import type { RecordPart } from './extras.ts'

/** What somebody is employed for in the selected budget, and what each contract costs in its years. */
export function ContractsTab({ record }: RecordPart) {
  const { budgetId } = useSelection()
  const budget = useBudget()
  const mayEdit = useMay()(['BudgetingStaffingReadUpdate'])
  const number = String(record.employeeNumber)
  const query = useQuery({
    queryKey: ['contracts', 'ofStaff', budgetId, number],
    queryFn: () =>
      api.contracts.list.query({
        pageNumber: 1,
        pageSize: 100,
        filters: [{ filter: 'employeeNumber', filterType: 'text', type: 'equals', value: number }],
      }),
    enabled: Boolean(budget),
  })
  if (!budget) return <div className="empty">Select a budget to see the contracts in it.</div>
  if (query.isError) return <p role="alert">{problemOf(query.error).message}</p>
  if (!query.data) return <Skeleton height={120} />
  const { rows } = query.data
  if (!rows.length)
    return (
      <div className="card">
        <div className="empty">
          <h2>No contract in {budget.name}</h2>
          <p>Nothing of this person is in the selected budget.</p>
        </div>
      </div>
    )
  return (
    <div className="card scroll">
      <table className="figures">
        <thead>
          <tr>
            <th scope="col" className="text">
              Contract
            </th>
            <th scope="col" className="text">
              From and to
            </th>
            {Array.from({ length: budget.numberOfYears }, (_unused, year) => (
              <th key={year} scope="col">
                {yearName(budget.firstYear, year)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Link to={`/staffing/staff-contracts/${row.id}${mayEdit ? '' : '/cost'}`}>{row.contractName}</Link>
              </th>
              <td className="text">
                {displayDate(row.startDate)} {row.endDate ? `to ${displayDate(row.endDate)}` : 'on'}
              </td>
              {Array.from({ length: budget.numberOfYears }, (_unused, year) => {
                const cost = row.costYears?.[year]
                return (
                  <td key={year}>
                    {cost === null || cost === undefined ? <span className="missing">not calculated</span> : figure(penniesOf(cost))}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** One's own reminders about a person. */
export function RemindersTab({ record }: RecordPart) {
  return <ItemReminders about={{ staffId: record.id }} />
}

import { Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { yearName } from '../../../domain/values/calendar.ts'
import { displayDate, displayFigure, toPennies } from '../../../domain/values/format.ts'
import { toStaffId } from '../../../domain/values/ids.ts'
import { useBudget } from '../../budget/useBudget.ts'
import type { RecordPart } from '../../resources/extras.ts'
import { problemOf, trpc } from '../../shell/api.ts'
import { useMay } from '../../shell/core.ts'
import { Empty } from '../../ui/Empty.tsx'
import figuresStyles from '../../ui/figures/Figures.module.css'
import { Figures } from '../../ui/figures/Figures.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { ItemReminders } from '../ItemReminders.tsx'

/** A person's contracts in the selected budget, with each one's annual costs. */
export function ContractsTab({ record }: RecordPart) {
  const budget = useBudget()
  const mayEdit = useMay()(['BudgetingStaffingReadUpdate'])
  const number = String(record.employeeNumber)
  const query = trpc.contracts.list.useQuery(
    {
      pageNumber: 1,
      pageSize: 100,
      filters: [{ filter: 'employeeNumber', filterType: 'text', type: 'equals', value: number }],
    },
    { enabled: Boolean(budget) },
  )
  if (!budget) return <Empty>Select a budget to see the contracts in it.</Empty>
  if (query.isError) return <p role="alert">{problemOf(query.error).message}</p>
  if (!query.data) return <Skeleton height={120} />
  const { rows } = query.data
  if (!rows.length)
    return (
      <Card>
        <Empty>
          <h2>No contract in {budget.name}</h2>
          <p>Nothing of this person is in the selected budget.</p>
        </Empty>
      </Card>
    )
  return (
    <Card className={scrollStyles.scroll}>
      <Figures>
        <thead>
          <tr>
            <th scope="col" className={figuresStyles.text}>
              Contract
            </th>
            <th scope="col" className={figuresStyles.text}>
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
              <td className={figuresStyles.text}>
                {displayDate(row.startDate)} {row.endDate ? `to ${displayDate(row.endDate)}` : 'on'}
              </td>
              {Array.from({ length: budget.numberOfYears }, (_unused, year) => {
                const cost = row.costYears?.[year]
                return (
                  <td key={year}>
                    {cost === null || cost === undefined ? (
                      <span className={textStyles.missing}>not calculated</span>
                    ) : (
                      displayFigure(toPennies(cost))
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </Figures>
    </Card>
  )
}

/** The user's own reminders about a person. */
export function RemindersTab({ record }: RecordPart) {
  return <ItemReminders about={{ staffId: toStaffId(record.id) }} />
}

import { Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { displayDate, toPennies } from '../../../domain/values/format.ts'
import { toStaffId } from '../../../domain/values/ids.ts'
import { useSelectedBudget } from '../../budget/useBudget.ts'
import type { RecordPartProps } from '../../resources/entityExtras.ts'
import { toPublicError, trpc } from '../../shell/api.ts'
import { usePermissionCheck } from '../../shell/core.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Amount } from '../../ui/figures/Amount.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { createFigureColumns } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { ItemReminders } from '../ItemReminders.tsx'

/** A person's contracts in the selected budget, with each one's annual costs. */
export function ContractsTab({ record }: RecordPartProps) {
  const budget = useSelectedBudget()
  const mayEdit = usePermissionCheck()(['BudgetingStaffingReadUpdate'])
  const number = String(record.employeeNumber)
  const query = trpc.contracts.list.useQuery(
    {
      pageNumber: 1,
      pageSize: 100,
      filters: [{ filter: 'employeeNumber', filterType: 'text', type: 'equals', value: number }],
    },
    { enabled: Boolean(budget) },
  )
  if (!budget) return <EmptyState>Select a budget to see the contracts in it.</EmptyState>
  if (query.isError) return <p role="alert">{toPublicError(query.error).message}</p>
  if (!query.data) return <Skeleton height={120} />
  const { rows } = query.data
  if (!rows.length)
    return (
      <Card>
        <EmptyState>
          <h2>No contract in {budget.name}</h2>
          <p>This person is not in the selected budget.</p>
        </EmptyState>
      </Card>
    )
  return (
    <Card className={scrollStyles.scroll}>
      <DataTable
        columns={[
          {
            id: 'contract',
            label: 'Contract',
            cell: (row) => <Link to={`/staffing/staff-contracts/${row.id}${mayEdit ? '' : '/cost'}`}>{row.contractName}</Link>,
          },
          {
            id: 'dates',
            label: 'Dates',
            cell: ({ startDate, endDate }) => `${displayDate(startDate)} ${endDate ? `to ${displayDate(endDate)}` : 'on'}`,
          },
          ...createFigureColumns<(typeof rows)[number]>(
            Array.from({ length: budget.numberOfYears }, (_unused, year) => formatBudgetYear(budget.firstYear, year)),
            ({ costYears }, year) => {
              const cost = costYears?.[year] ?? null
              return <Amount pennies={cost === null ? null : toPennies(cost)} />
            },
          ),
        ]}
        rows={rows}
        keyOf={({ id }) => id}
      />
    </Card>
  )
}

/** The user's own reminders about a person. */
export function RemindersTab({ record }: RecordPartProps) {
  return <ItemReminders about={{ staffId: toStaffId(record.id) }} />
}

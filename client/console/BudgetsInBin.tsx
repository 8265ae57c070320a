import { getRestorableUntil } from '../../domain/changes/bin.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { displayCount, displayNumber } from '../../domain/values/format.ts'
import { useRestoreBudgetGroups, useRestoreBudgets } from '../budget/useRestoreBudgets.ts'
import type { api } from '../shell/api.ts'
import { useCoreData, useTerm } from '../shell/core.ts'
import cardStyles from '../ui/layout/Card.module.css'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import { BinTable } from './BinTable.tsx'

type Deleted = Awaited<ReturnType<typeof api.bin.budgets.query>>
type DeletedGroup = Awaited<ReturnType<typeof api.bin.groups.query>>[number]

/** Describes the first and last year, such as `2026/27 to 2028/29`. */
function describeYears({ firstYear, numberOfYears }: Deleted['rows'][number]): string {
  const first = formatBudgetYear(firstYear, 0)
  return numberOfYears > 1 ? `${first} to ${formatBudgetYear(firstYear, numberOfYears - 1)}` : first
}

/** Recently deleted budgets. A budget is restored with everything in it. */
export function BudgetsInBin({ deleted: { rows, total } }: { deleted: Deleted }) {
  const { locations } = useCoreData()
  const term = useTerm()
  const { restore, isPending } = useRestoreBudgets()
  const placeOf = ({ locationId }: Deleted['rows'][number]): string => locations.find((one) => one.id === locationId)?.name ?? ''
  return (
    <Card aria-label="Deleted budgets">
      <CardHead>{term('Budget').plural}</CardHead>
      <BinTable
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={[
          { label: term('Location').singular, of: placeOf },
          { label: 'Years', of: describeYears },
        ]}
        deletedAt={({ deletedAt }) => deletedAt}
        deletedBy={({ deletedBy }) => deletedBy}
        until={({ deletedAt }) => getRestorableUntil(deletedAt)}
        restored={(row) => `${row.name} at ${placeOf(row)}`}
        isPending={isPending}
        onRestore={(row) => void restore([row])}
      />
      {total > rows.length && (
        <div className={cardStyles.foot}>
          The newest {displayNumber(rows.length)} of {displayNumber(total)}. Search to find the others.
        </div>
      )}
    </Card>
  )
}

/** Recently deleted budget groups. Restoring a group puts those of its budgets into it that are in no other group. */
export function GroupsInBin({ deleted }: { deleted: readonly DeletedGroup[] }) {
  const term = useTerm()('BudgetGroup')
  const { restore, isPending } = useRestoreBudgetGroups()
  return (
    <Card aria-label="Deleted budget groups">
      <CardHead>{term.plural}</CardHead>
      <BinTable
        rows={deleted}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={[{ label: 'Budgets returned to it', of: ({ left }) => displayCount(left, 'budget') }]}
        deletedAt={({ deletedAt }) => deletedAt}
        deletedBy={({ deletedBy }) => deletedBy}
        until={({ deletedAt }) => getRestorableUntil(deletedAt)}
        isPending={isPending}
        onRestore={(row) => void restore([row])}
      />
    </Card>
  )
}

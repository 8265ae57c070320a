import { budgetTableKindNames, budgetTableKinds } from '../../domain/resources/entities/budget/budget.ts'
import { displayDate } from '../../domain/values/format.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import type { api } from '../shell/api.ts'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { FactsTable } from '../ui/table/FactsTable.tsx'

type Budget = Awaited<ReturnType<typeof api.budgets.summary.query>>['budget']

/** Shows which table of each kind applies from which date. */
export function TablesTab({ budget }: { budget: Budget }) {
  const idsOf = (of: string): number[] =>
    budgetTableKindNames.filter((kind) => budgetTableKinds[kind].of === of).flatMap((kind) => budget[kind].map((row) => row.adminTableId))
  const names = {
    adminTable: useRecordNames('adminTable', idsOf('adminTable')),
    topSliceTable: useRecordNames('topSliceTable', idsOf('topSliceTable')),
    gagPoolTable: useRecordNames('gagPoolTable', idsOf('gagPoolTable')),
  }
  return (
    <Card className={scrollStyles.scroll}>
      <CardHead>
        Effective tables <CardNote>each from its effective date</CardNote>
      </CardHead>
      <FactsTable
        facts={budgetTableKindNames.map((kind) => [
          budgetTableKinds[kind].label,
          budget[kind].length
            ? budget[kind]
                .map(
                  (row) => `${names[budgetTableKinds[kind].of].get(row.adminTableId)?.name ?? '…'} from ${displayDate(row.effectiveDate)}`,
                )
                .join(' · ')
            : 'none',
        ])}
      />
    </Card>
  )
}

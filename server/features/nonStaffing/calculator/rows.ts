import type { StoredItem } from '../../../../domain/budget/items/item.ts'
import type { Figure } from '../../../../domain/calculation/inputs.ts'
import { calculateRows } from '../../../../domain/calculation/nonStaffing/calculator.ts'
import { dayInLondon, toPounds } from '../../../../domain/values/format.ts'

const pounds = (figure: Figure): number | null => (figure === null ? null : toPounds(figure))

/** A calculation as the API shows it (entities.json IncomeExpenditureCalculator), in pounds. `worked` holds the result of each row. */
export function presentCalculation(
  { id, version, created, item }: StoredItem<'calculation'>,
  { years, entry, isOutOfDate }: { years: number; entry: StoredItem<'entry'> | undefined; isOutOfDate: boolean },
) {
  const { rows, total } = calculateRows(item.rows, years)
  return {
    ...item,
    id,
    version,
    created: dayInLondon(created),
    total: pounds(total[0] ?? null),
    totals: total.map(pounds),
    worked: rows.map((row) => ({ years: row.years?.map(pounds) ?? null, problem: row.problem })),
    entryId: entry?.id ?? null,
    isOutOfDate,
  }
}

export type ShownCalculation = ReturnType<typeof presentCalculation>

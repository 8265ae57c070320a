import { findLinkedEntry } from '../../../../domain/budget/items/decideItems.ts'
import type { StoredItem } from '../../../../domain/budget/items/item.ts'
import type { Figure } from '../../../../domain/calculation/inputs.ts'
import { calculate } from '../../../../domain/calculation/nonStaffing/calculator.ts'
import { dayInLondon, toPounds } from '../../../../domain/values/format.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import type { BudgetCall } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { outOfDate } from '../../../shared/funding/queries.ts'
import { linkedEntries, loadItems } from '../../../streams/budget/items.ts'

const pounds = (figure: Figure): number | null => (figure === null ? null : toPounds(figure))

/** A calculation as the API shows it (entities.json IncomeExpenditureCalculator): pounds; `worked` stands beside the rows, one for each. */
function shown(
  { id, version, created, item }: StoredItem<'calculation'>,
  { years, entry, isOutOfDate }: { years: number; entry: StoredItem<'entry'> | undefined; isOutOfDate: boolean },
) {
  const { rows, total } = calculate(item.rows, years)
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

export async function allShown(tx: OrganisationTx, { organisationId, budget }: BudgetCall) {
  const entries = await linkedEntries(tx, organisationId, budget.id)
  const stale = await outOfDate({ tx, organisationId }, budget.head, entries)
  return (await loadItems({ tx, organisationId, budgetId: budget.id }, 'calculation')).map((one) => {
    const entry = findLinkedEntry(entries, { kind: 'calculation', id: one.id })
    return shown(one, { years: budget.head.numberOfYears, entry, isOutOfDate: Boolean(entry && stale.has(entry.id)) })
  })
}

export async function oneShown(tx: OrganisationTx, ctx: BudgetCall, id: string) {
  const one = (await allShown(tx, ctx)).find((row) => row.id === id)
  if (!one) throw notFound('Income and expenditure calculation')
  return one
}

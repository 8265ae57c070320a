import { findLinkedEntry } from '../../../../domain/budget/items/decideItems.ts'
import type { StoredItem } from '../../../../domain/budget/items/item.ts'
import type { Figure } from '../../../../domain/calculation/inputs.ts'
import { dayInLondon, toPounds } from '../../../../domain/values/format.ts'
import type { BudgetCall } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { calculatePrediction, findOutdatedEntries, readPupilCounts } from '../../../shared/funding/queries.ts'
import { loadItem, loadLinkedEntries } from '../../../streams/budget/items.ts'

const pounds = (figure: Figure): number | null => (figure === null ? null : toPounds(figure))

/** A prediction as the API shows it (entities.json FundingPredictor), in pounds. `worked` holds the result of each row. */
export async function presentPrediction(
  tx: OrganisationTx,
  { organisationId, budget }: BudgetCall,
  { id, version, created, item }: StoredItem<'prediction'>,
) {
  const { head } = budget
  const worked = await calculatePrediction(tx, head, { prediction: item, pupils: await readPupilCounts(tx, organisationId, head) })
  const entries = await loadLinkedEntries(tx, organisationId, head.id)
  const entry = findLinkedEntry(entries, { kind: 'prediction', id })
  return {
    ...item,
    id,
    version,
    created: dayInLondon(created),
    total: pounds(worked.total[0] ?? null),
    totals: worked.total.map(pounds),
    worked: worked.rows.map(({ years, rates, ...row }) => ({
      ...row,
      years: years?.map(pounds) ?? null,
      rates: rates?.map(pounds) ?? null,
    })),
    tableRates: Object.fromEntries(worked.rates),
    /** The budget year for which the table's rates apply, as an index from 0. Later years' rates are increased from these. */
    tableYear: worked.tableYear,
    leftOut: worked.leftOut,
    stoodIn: worked.stoodIn,
    entryId: entry?.id ?? null,
    isOutOfDate: Boolean(entry && (await findOutdatedEntries({ tx, organisationId }, head, [entry])).size),
  }
}

export async function loadPredictionForDisplay(tx: OrganisationTx, ctx: BudgetCall, id: string) {
  return presentPrediction(tx, ctx, await loadItem({ ...ctx, tx }, 'prediction', id))
}

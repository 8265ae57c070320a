import { calculateEntryYears, periodNames } from '../../../domain/budget/items/budgetEntry.ts'
import { listYearNames } from '../../../domain/budget/items/decideEntry.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toPennies } from '../../../domain/values/format.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, notFound } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { refuseEntriesInClosedMonths } from '../../shared/monitoring/commands.ts'
import { findYearIndex } from '../../shared/monitoring/queries.ts'
import { runChangeEntries } from '../../shared/nonStaffing/entries/commands.ts'
import { readEntryRows, type ShownEntry } from '../../shared/nonStaffing/entries/rows.ts'
import { loadItems } from '../../streams/budget/items.ts'
import { refuseWhileUnfilled } from '../../streams/budget/jobs.ts'
import { loadBudget } from '../../streams/budget/queries.ts'

/** Selects entries by budget year, given as the calendar year in which it starts, and by budget code. */
export interface EntrySelection {
  year: number
  budgetId: BudgetId
  budgetCodeId: number
}

/** The entries of a budget that have an amount on a code in a year (behaviour B-231). */
export async function readEntriesOnCode(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { year, budgetId, budgetCodeId }: EntrySelection,
): Promise<ShownEntry[]> {
  const { head } = await loadBudget({ tx, organisationId }, budgetId)
  const index = findYearIndex(head, year)
  const entries = await loadItems({ tx, organisationId, budgetId }, 'entry')
  const ids = entries.filter(({ item }) => item.budgetCodeId === budgetCodeId && item.firstYear <= index).map((entry) => entry.id)
  return readEntryRows({ tx, organisationId }, head, ids)
}

/**
 * Sets months of entries in the working forecast (behaviour B-232). Amounts in pounds.
 * @throws DomainError 409 while the organisation's setting `allowWorkingForecast` is off, or while the budget is locked or being filled
 */
export async function runSetForecastEntries(
  call: Call<'organisationId' | 'actor'>,
  { year, budgetId, budgetCodeId, entries }: EntrySelection & { entries: readonly { id: string; periods: readonly number[] }[] },
): Promise<number> {
  const { tx, organisationId, actor } = call
  const [organisation] = await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] })
  if (!organisation?.allowWorkingForecast)
    throw conflict('noWorkingForecast', 'Your organisation does not allow a working forecast. Ask an administrator to allow it.')
  await refuseWhileUnfilled(tx, organisationId, budgetId)
  const { head } = await loadBudget(call, budgetId)
  const index = findYearIndex(head, year)
  const stored = new Map((await loadItems({ tx, organisationId, budgetId }, 'entry')).map((entry) => [entry.id, entry.item]))
  const before = (id: string, period: number): number => {
    const item = stored.get(id)
    return (item && calculateEntryYears(item, head.numberOfYears)[index]?.periods[period]) ?? 0
  }
  await refuseEntriesInClosedMonths(call, { locationId: head.locationId, year, startMonth: head.startMonth }, (period) =>
    entries.some(({ id, periods }) => before(id, period) !== toPennies(assertDefined(periods[period]))),
  )
  const changes = entries.map(({ id, periods }) => {
    const item = stored.get(id)
    if (item?.budgetCodeId !== budgetCodeId || item.firstYear > index) throw notFound('Budget entry')
    const ofFirst = Object.fromEntries(periodNames.map((name, period) => [name, assertDefined(periods[period])]))
    const ofLater = { years: [{ yearName: assertDefined(listYearNames(head)[index]), amount: null, rate: null, periods: [...periods] }] }
    return { id, changes: index === item.firstYear ? ofFirst : ofLater }
  })
  await runChangeEntries({ tx, organisationId, budgetId, actor }, changes)
  return changes.length
}

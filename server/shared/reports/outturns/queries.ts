import { toMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import type { CompletedYear } from '../../../../domain/reports/facts.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import type { LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readOutturns } from '../../monitoring/outlook/queries.ts'
import type { ReportedScope } from '../scopes/queries.ts'

/**
 * For each scope, the outturn of each location in the last year, before one of the scope's years, for which every location has actuals in
 * every month; empty if there is no such year (rules.md §20).
 */
export async function readOutturnsByLocation(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  scopes: readonly Pick<ReportedScope, 'budgets' | 'years'>[],
): Promise<ReadonlyMap<LocationId, CompletedYear>[]> {
  const wanted = new Map<string, { locationId: LocationId; start: number }>()
  const request = scopes.map(({ budgets, years }) => {
    const locationsById = new Map(budgets.map(({ location, head }) => [location.id, head.startMonth]))
    return years.map((after) => ({
      year: after - 1,
      places: [...locationsById].map(([locationId, month]) => {
        const start = toMonthIndex({ year: after - 1, month })
        const key = `${locationId} ${start}`
        wanted.set(key, { locationId, start })
        return { locationId, key }
      }),
    }))
  })
  const found = await readOutturns(tx, organisationId, [...wanted.values()])
  const outturns = new Map([...wanted.keys()].map((key, index) => [key, found[index]]))
  return request.map((years) => {
    const last = years.findLast(({ places: locations }) => locations.every(({ key }) => outturns.get(key)))
    return new Map(
      (last?.places ?? []).map(({ locationId, key }) => [
        locationId,
        { name: formatBudgetYear(assertDefined(last).year, 0), byCode: assertDefined(outturns.get(key)) },
      ]),
    )
  })
}

/** The outturn of all locations of a scope added up; null if there are none. */
export function combineOutturns(outturns: ReadonlyMap<number, CompletedYear>): CompletedYear | null {
  const [first, ...others] = outturns.values()
  if (!first) return null
  const byCode = new Map(first.byCode)
  for (const one of others) for (const [codeId, value] of one.byCode) byCode.set(codeId, (byCode.get(codeId) ?? 0) + value)
  return { name: first.name, byCode }
}

import { canSeeActuals } from '../../../../domain/monitoring/rights.ts'
import type { ReportFacts, ReturnContext } from '../../../../domain/reports/facts.ts'
import type { ReturnKey } from '../../../../domain/reports/returns/returnReasons.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readContactRatios } from '../contactRatios/queries.ts'
import { readMoneyFactsByLocation } from '../money/queries.ts'
import { combineOutturns, readOutturnsByLocation } from '../outturns/queries.ts'
import { readReasonsOfReturns } from '../reasons/queries.ts'
import { readReturnActuals } from '../returnActuals/queries.ts'
import { hasLineFilters, type ReportedScope, type ReportReader, type ReportRequest } from '../scopes/queries.ts'

/** The data of the Budget Forecast Return of each scope, read together for any number of scopes. */
export async function readReturnFacts(
  call: Call & ReportReader,
  each: readonly ReportedScope[],
  { request, asking }: { request: ReportRequest; asking: Parameters<typeof readMoneyFactsByLocation>[2]['asking'] },
): Promise<ReportFacts[]> {
  const facts = await readMoneyFactsByLocation(call, each, { request, asking })
  const beside = await readReturnContext(call, each)
  const without = hasLineFilters(request) ? ('narrowed' as const) : canSeeActuals(call.holder) ? null : ('hidden' as const)
  const came = without ? [] : await readReturnActuals(call, each)
  return facts.map((unitFacts, index) => ({
    ...unitFacts,
    returnContext: assertDefined(beside[index]),
    returnActuals: without ?? assertDefined(came[index]),
  }))
}

/** The data from outside the budgets against which each return is checked (rules.md §20). */
async function readReturnContext(call: Call & ReportReader, each: readonly ReportedScope[]): Promise<ReturnContext[]> {
  const { tx, organisationId, holder } = call
  const outturns = canSeeActuals(holder) ? await readOutturnsByLocation(tx, organisationId, each) : null
  const all = new Map(each.flatMap(({ budgets }) => budgets.map((budget) => [budget.id, budget])))
  const ratios = await readContactRatios(tx, organisationId, { budgets: [...all.values()], years: assertDefined(each[0]).years })
  const reasons = await readReasonsOfReturns(call, each.map(getReturnKey))
  return each.map(({ budgets }, index) => ({
    outturn: outturns ? combineOutturns(assertDefined(outturns[index])) : 'hidden',
    contactRatios: budgets
      .filter(({ location }) => !location.isCentral)
      .map(({ id, location }) => ({ location: location.name, ratio: ratios.get(id) ?? null })),
    reasons: reasons[index] ?? null,
  }))
}

/** The key of a scope's return: its only location, or the organisation. */
function getReturnKey({ budgets, years }: ReportedScope): ReturnKey {
  const locationIds = new Set(budgets.map(({ location }) => location.id))
  const [only] = locationIds.size === 1 ? locationIds : []
  return { locationId: only ?? null, firstYear: assertDefined(years[0]) }
}

import { engineVersion } from '../../../domain/calculation/engine.ts'
import { openingBalanceType } from '../../../domain/lookups/lookupIds.ts'
import { canSeeStaff } from '../../../domain/people/permissions.ts'
import { isBelowShareOfIncome } from '../../../domain/reports/warnings.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { DrawnYears } from '../../../domain/uncertainty/budget/drawBudget.ts'
import { type LocatedBudget, prepareBudgetRun } from '../../../domain/uncertainty/budget/drawBudgets.ts'
import type { BudgetDriver } from '../../../domain/uncertainty/budget/driver.ts'
import type { UncertainPrediction } from '../../../domain/uncertainty/budget/uncertainBudget.ts'
import {
  describeInterpolation,
  describeMovedPair,
  describeReserve,
  describeShares,
  describeYear,
} from '../../../domain/uncertainty/describeUncertainty.ts'
import { type Chance, countChance, type DriverShare, summariseFutures } from '../../../domain/uncertainty/results.ts'
import { assertDefined, requireItemAt } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { toPounds } from '../../../domain/values/format.ts'
import type { BudgetId } from '../../../domain/values/ids.ts'
import type { Pennies, Percent } from '../../../domain/values/units.ts'
import { DomainError, invalid, serverBusy } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import type { Viewer } from '../../core/calls/viewer.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { sha256 } from '../../core/stream/hash.ts'
import { readBudgetInputs, readSharedInputs } from '../../shared/costing/inputs/queries.ts'
import { findBudgetsOfFewPeople, readHiddenCodes } from '../../shared/fewPeople/queries.ts'
import { readFundingTable } from '../../shared/funding/queries.ts'
import type { LocationWithoutBudget } from '../../shared/monitoring/requests/queries.ts'
import { readCodesForTotals, readOverview } from '../../shared/overview/queries.ts'
import { readReserveFloor } from '../../shared/reports/reserveFloor/queries.ts'
import { createNoBudgetError, type ReportBudget, readScope } from '../../shared/reports/scopes/queries.ts'
import { loadItems } from '../../streams/budget/items.ts'
import { loadBudget, loadContractsToCost } from '../../streams/budget/queries.ts'
import type { RunRequest } from './inputs.ts'
import type { RunResult } from './replies.ts'

/**
 * Milliseconds that one run may calculate. It occupies a thread for long calls, of which an organisation may use two. This is half the time
 * that other calls of the organisation wait for a thread, so they still get one.
 */
const longestRunMs = 60_000

/** A budget ready to be drawn, and what its results say about it. */
interface LoadedBudget extends LocatedBudget {
  location: string
  budgetId: BudgetId
  version: number
  inputs: string
  /** By year of the budget: how many monthly figures are not calculated, and the opening reserve. */
  missing: number[]
  opening: Pennies[]
  hasOpeningBalance: boolean
}

/** The budgets of a run, which all have these years. */
interface LoadedRun {
  budgets: LoadedBudget[]
  years: string[]
  leftOut: LocationWithoutBudget[]
  floor: Percent | null
  seesStaff: boolean
}

/**
 * Reads everything that a run needs, so that no transaction stays open while it calculates.
 * @throws DomainError 404 for a budget or location that the caller may not see; 403 for a budget that would reveal what one or two people
 *   are paid
 */
export async function loadForRun(
  call: Call & Viewer,
  { budgetId, locationIds }: Pick<RunRequest, 'budgetId' | 'locationIds'>,
): Promise<LoadedRun> {
  const { tx, organisationId, holder } = call
  const scope = await readScope(call, { budgetId, locationIds })
  const ids = scope.budgets.map(({ id }) => id)
  if (budgetId) await readHiddenCodes(call, ids)
  const hidden = await findBudgetsOfFewPeople(call, ids)
  const shown = scope.budgets.filter(({ id }) => !hidden.has(id))
  if (!shown.length) throw createNoBudgetError()
  const shared = await readSharedInputs(
    call,
    shown.map(({ head }) => head),
  )
  const budgets: LoadedBudget[] = []
  for (const one of shown) budgets.push(await loadBudgetForRun(call, one, { shared, firstYear: assertDefined(scope.years[0]) }))
  return {
    budgets,
    years: scope.years.map((year) => formatBudgetYear(year, 0)),
    leftOut: [
      ...scope.leftOut,
      ...scope.budgets.flatMap(({ id, location }) => (hidden.has(id) ? [{ locationId: location.id, location: location.name }] : [])),
    ],
    floor: await readReserveFloor(tx, organisationId),
    seesStaff: canSeeStaff(holder),
  }
}

async function loadBudgetForRun(
  call: Call & Viewer,
  { id: budgetId, location }: ReportBudget,
  { shared, firstYear }: { shared: LocatedBudget['budget']['shared']; firstYear: number },
): Promise<LoadedBudget> {
  const { tx } = call
  const row = await loadBudget(call, budgetId)
  const { head } = row
  const contracts = await loadContractsToCost({ ...call, budgetId })
  const [frozen, entries, predictions, [pupils], overview, codes] = await Promise.all([
    readBudgetInputs(call, head, { contracts, shared }),
    loadItems({ ...call, budgetId }, 'entry'),
    loadItems({ ...call, budgetId }, 'prediction'),
    loadItems({ ...call, budgetId }, 'pupils'),
    readOverview(tx, row),
    readCodesForTotals(tx, head.locationId),
  ])
  const linked: UncertainPrediction[] = []
  for (const { id, item } of predictions) {
    const entry = entries.find((one) => one.item.source?.id === id)
    if (!entry) continue
    const table = await readFundingTable(tx, head, item.versionId)
    linked.push({
      budgetCodeId: entry.item.budgetCodeId,
      rows: item.rows,
      rates: table?.rates ?? new Map(),
      tableYear: table?.tableYear ?? 0,
    })
  }
  const outside = linked.map((prediction) => ({ ...prediction, rates: [...prediction.rates] }))
  return {
    locationId: location.id,
    location: location.name,
    budgetId,
    firstCommonYear: firstYear - head.firstYear,
    version: row.version,
    inputs: sha256(canonicalJson({ frozen, shared, predictions: outside })),
    missing: overview.years.map(({ gaps }) => gaps.closing),
    opening: overview.years.map(({ balances }) => addRevenue(balances, 'opening')),
    hasOpeningBalance: overview.hasOpening,
    budget: {
      head,
      frozen,
      shared,
      contracts,
      entries: entries.map(({ item }) => item),
      pupils: pupils?.item.rows ?? [],
      predictions: linked,
      codes: new Map([...codes].map(([id, code]) => [id, code.facts])),
      levyShares: row.levyShares ?? null,
      planned: overview.years.map(({ balances, income }) => ({ closing: addRevenue(balances, 'closing'), income })),
    },
  }
}

/** Reserves exclude capital, as everywhere that a reserve is compared with the floor. */
function addRevenue(balances: readonly { type: number; opening: Pennies; closing: Pennies }[], side: 'opening' | 'closing'): Pennies {
  return balances.reduce((sum, balance) => (balance.type === openingBalanceType.capital ? sum : sum + balance[side]), 0)
}

/**
 * Checks that drivers name contract types, budget codes and locations that the caller may see.
 * @throws DomainError 400 with the field that names another
 */
export async function checkDriverReferences({ tx, holder }: Call & Viewer, drivers: readonly BudgetDriver[]): Promise<void> {
  for (const [field, resource, words, named] of [
    ['contractTypeIds', resources.contractType, 'Contract type', drivers.map((driver) => driver.contractTypeIds)],
    ['budgetCodeIds', resources.budgetCode, 'Budget code', drivers.map((driver) => driver.budgetCodeIds)],
    ['locationIds', resources.location, 'Location', drivers.map((driver) => driver.locationIds)],
  ] as const) {
    const ids = [...new Set(named.flat())]
    if (!ids.length) continue
    const known = new Set<number>((await readResourceRecords(tx, resource, { column: 'id', ids })).map((one) => one.id))
    const isHidden = (id: number): boolean =>
      field === 'locationIds' && holder.locationIds !== null && !holder.locationIds.some((own) => own === id)
    const at = named.findIndex((all) => all.some((id) => !known.has(id) || isHidden(id)))
    if (at >= 0) throw invalid([{ field: `drivers.${at}.${field}`, message: `${words} was not found.` }])
  }
}

/**
 * Draws the futures of a budget, or of several together. The same budget versions, inputs, drivers, engine and seed give the same result.
 * @throws DomainError 403 for a driver that would reveal what one or two people are paid; 503 for a run that takes too long
 */
export function runDraws(
  { budgets, years, leftOut, floor, seesStaff }: LoadedRun,
  { drivers, correlations, draws: count, seed }: Pick<RunRequest, 'drivers' | 'correlations' | 'draws'> & { seed: number },
): RunResult {
  if (budgets.length > 1) refusePairsOfIntakeAndOther(drivers, correlations)
  const run = prepareBudgetRun(budgets, years.length, { drivers, pairs: correlations, count, seed })
  if (!seesStaff) refuseDriversOfFewPeople(drivers, run.findDriversOfFewPeople())
  const began = performance.now()
  const { drawn, interpolation } = run.drawAll(() => {
    if (performance.now() - began > longestRunMs)
      throw serverBusy('This takes too long to draw so often. Draw fewer futures, or leave out drivers or locations.', 60)
  })
  const addUp = (pick: (one: LoadedBudget, year: number) => number) =>
    years.map((_year, index) => budgets.reduce((sum, one) => sum + pick(one, one.firstCommonYear + index), 0))
  const planned = addUp((one, year) => requireItemAt(one.budget.planned, year).closing)
  const missing = addUp((one, year) => requireItemAt(one.missing, year))
  const openingReserve = requireItemAt(
    addUp((one, year) => requireItemAt(one.opening, year)),
    0,
  )
  const futures = summariseFutures({
    draws: run.draws,
    closing: drawn.map(({ closing }) => closing),
    years: planned.map((closing) => ({ planned: closing, floor: null })),
    openingReserve,
  })
  const shares = addShares(drivers, futures.drivers, run)
  const nameOf = (id: string): string => assertDefined(drivers.find((driver) => driver.id === id)).name
  const moved = run.draws.correlation.moved.flatMap((pair) => {
    const [first, second] = [run.plannedIdOf(pair.first), run.plannedIdOf(pair.second)]
    // Intakes of two schools are drawn apart.
    return first === second ? [] : [{ ...pair, first, second, used: Math.round(pair.used * 10_000) / 10_000 }]
  })
  return {
    years: futures.years.map((year, index) => {
      const belowFloor = floor === null ? null : countBelowFloor(drawn, index, floor)
      const name = requireItemAt(years, index)
      return {
        year: name,
        planned: inPounds(year.planned),
        p10: inPounds(year.p10),
        p50: inPounds(year.p50),
        p90: inPounds(year.p90),
        belowZeroPercent: year.belowZero?.percent ?? null,
        belowFloorPercent: belowFloor?.percent ?? null,
        belowZero: year.belowZero && withoutPercent(year.belowZero),
        belowFloor: belowFloor && withoutPercent(belowFloor),
        meanShortfall: inPounds(year.meanShortfall),
        notCalculated: year.notCalculated,
        sentences: describeYear(year, name),
        missing: requireItemAt(missing, index),
      }
    }),
    drivers: shares.map(({ id, name, share }) => ({ id, name, share, note: run.notes.get(id) ?? null })),
    reserveForNineInTen: inPounds(futures.reserveForNineInTen),
    openingReserve: toPounds(openingReserve),
    sentences: [
      describeShares(shares, requireItemAt(years, years.length - 1)),
      describeReserve(futures.reserveForNineInTen, openingReserve),
      ...moved.map((pair) => describeMovedPair(pair, [nameOf(pair.first), nameOf(pair.second)])),
      ...(interpolation && interpolation.locationsInFull.length < budgets.length
        ? [describeInterpolation(interpolation.largestDifference)]
        : []),
    ],
    withoutOpeningBalance: budgets.filter((one) => !one.hasOpeningBalance).map((one) => one.location),
    contractsNotCalculated: run.notCalculated,
    movedCorrelations: moved,
    draws: count,
    seed,
    engine: engineVersion,
    version: budgets.length === 1 ? requireItemAt(budgets, 0).version : null,
    budgets: budgets.map(({ locationId, location, budgetId, version, inputs }) => ({ locationId, location, budgetId, version, inputs })),
    leftOut,
    interpolation: interpolation && { ...interpolation, largestDifference: toPounds(interpolation.largestDifference) },
  }
}

/** An intake is drawn for each location, and it cannot move with what all of them share without moving with the other intakes. */
function refusePairsOfIntakeAndOther(drivers: readonly BudgetDriver[], pairs: RunRequest['correlations']): void {
  const isIntake = (id: string): boolean => drivers.some((driver) => driver.id === id && driver.kind === 'intake')
  const at = pairs.findIndex(({ first, second }) => isIntake(first) !== isIntake(second))
  if (at >= 0)
    throw invalid([
      {
        field: `correlations.${at}`,
        message: 'With several locations, an intake can only move with another intake. Remove this pair, or choose one budget.',
      },
    ])
}

function refuseDriversOfFewPeople(drivers: readonly BudgetDriver[], few: ReadonlySet<string>): void {
  const first = drivers.find(({ id }) => few.has(id))
  if (first)
    throw new DomainError(
      'forbidden',
      'fewPeople',
      `${first.name} concerns a contract type with fewer than three people. Leave it out, or ask someone who can view staff.`,
    )
}

/** The share of each driver of the plan, the greatest first. Those of an intake that is drawn for each location are added up. */
function addShares(
  drivers: readonly BudgetDriver[],
  drawn: readonly DriverShare[],
  { plannedIdOf, hasEffect }: Pick<ReturnType<typeof prepareBudgetRun>, 'plannedIdOf' | 'hasEffect'>,
): DriverShare[] {
  return drivers
    .map(({ id, name }) => {
      const own = drawn.filter((one) => plannedIdOf(one.id) === id).map(({ share }) => share)
      const known = own.filter((share) => share !== null)
      // A driver without an effect matches the reserve only by chance.
      const sum = hasEffect(id)
        ? Math.min(
            1,
            known.reduce((all, share) => all + share, 0),
          )
        : 0
      return { id, name, share: known.length < own.length ? null : Math.round(sum * 10_000) / 10_000 }
    })
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0))
}

const inPounds = (pennies: Pennies | null): number | null => (pennies === null ? null : toPounds(pennies))
const withoutPercent = ({ count, of }: Chance): Omit<Chance, 'percent'> => ({ count, of })

/** In how many draws the reserve is below the floor’s share of that draw’s income; null if a draw cannot be calculated. */
function countBelowFloor(drawn: readonly DrawnYears[], year: number, floor: Percent): Chance | null {
  let count = 0
  for (const { closing, income } of drawn) {
    const [reserve, earned] = [requireItemAt(closing, year), requireItemAt(income, year)]
    if (reserve === null || earned === null) return null
    if (earned > 0 && isBelowShareOfIncome(reserve, earned, floor)) count++
  }
  return countChance(count, drawn.length)
}

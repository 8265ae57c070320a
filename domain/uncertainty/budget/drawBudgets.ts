import type { Figure } from '../../calculation/inputs.ts'
import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import type { LocationId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import type { DriverPair } from '../correlation.ts'
import { type Draws, drawFutures } from '../draws.ts'
import { checkedDraws, findLargestDifference, interpolateCosts, interpolationPoints, mayInterpolate } from '../interpolation.ts'
import { calculateValue } from '../normal.ts'
import { type BudgetDraws, type DrawnYears, prepareBudgetDraws } from './drawBudget.ts'
import { type BudgetDriver, concernsLocation } from './driver.ts'
import { createEffect, type DrawEffect, type UncertainBudget } from './uncertainBudget.ts'

/** The budget of a location, and which of its years is the first that all budgets of the run have. */
export interface LocatedBudget {
  locationId: LocationId
  budget: UncertainBudget
  firstCommonYear: number
}

export interface BudgetRunPlan {
  drivers: readonly BudgetDriver[]
  pairs: readonly DriverPair[]
  count: number
  seed: number
}

/** A driver as it is drawn: an intake of all locations is drawn for each of them, because their pupils are not the same. */
interface DrawnDriver {
  driver: BudgetDriver
  /** The id of the driver of the plan. */
  plannedId: string
}

/** A run that is ready to be drawn. */
export interface BudgetRun {
  draws: Draws
  /** Draws all futures. @param beforeDraw called at least once for each location and draw, so that a caller can end a run that takes too long */
  drawAll(beforeDraw: () => void): DrawnRun
  /** The id in the plan of a drawn driver. */
  plannedIdOf(id: string): string
  /** By id in the plan, sentences that say why a driver changes nothing, or not everything that it names. */
  notes: ReadonlyMap<string, string>
  /** Whether a driver of the plan changes any of the budgets. */
  hasEffect(plannedId: string): boolean
  notCalculated: number
  /** The ids in the plan of drivers whose effect would reveal what one or two people are paid. */
  findDriversOfFewPeople(): ReadonlySet<string>
}

/** The sums over all locations, by draw and common year. */
export interface DrawnRun {
  drawn: DrawnYears[]
  /** How staff were costed if not in full in every draw: the largest difference to full costing, and the locations costed in full for it. */
  interpolation: { largestDifference: Pennies; locationsInFull: LocationId[] } | null
}

/**
 * Prepares the futures of one budget, or of several together. Awards, prices and rates are common to all locations; intakes are drawn for
 * each (rules.md §21).
 * @param years the number of years that all budgets have
 * @throws DomainError for a plan that cannot be drawn
 */
export function prepareBudgetRun(budgets: readonly LocatedBudget[], years: number, plan: BudgetRunPlan): BudgetRun {
  const { drawnDrivers, pairs } = expandIntakes(budgets, plan)
  const draws = drawFutures({
    drivers: drawnDrivers.map(({ driver }) => ({ ...driver, isCount: driver.kind === 'intake' })),
    pairs,
    count: plan.count,
    seed: plan.seed,
  })
  const byId = new Map(drawnDrivers.map((one) => [one.driver.id, one]))
  const plannedIdOf = (id: string): string => assertDefined(byId.get(id)).plannedId
  const prepared = budgets.map((located) => {
    const placed = draws.drivers.flatMap(({ driver: { id } }, index) => {
      const { driver } = assertDefined(byId.get(id))
      return concernsLocation(driver, located.locationId) ? [{ driver, index }] : []
    })
    return { ...located, placed, draws: prepareBudgetDraws(located.budget, placed) }
  })
  const active = new Set(
    prepared.flatMap(({ placed, draws: own }) => placed.flatMap(({ driver }) => (own.hasEffect(driver) ? [plannedIdOf(driver.id)] : []))),
  )
  const notes = new Map(prepared.flatMap(({ draws: own }) => [...own.notes].map(([id, note]) => [plannedIdOf(id), note] as const)))
  return {
    draws,
    plannedIdOf,
    // With several budgets, a driver that only some of them lack needs no sentence.
    notes: budgets.length === 1 ? notes : new Map([...notes].filter(([id]) => !active.has(id))),
    hasEffect: (id) => active.has(id),
    notCalculated: prepared.reduce((sum, one) => sum + one.draws.notCalculated, 0),
    findDriversOfFewPeople: () => new Set(prepared.flatMap((one) => [...one.draws.findDriversOfFewPeople()].map(plannedIdOf))),
    drawAll(beforeDraw) {
      const rows = listDifferences(draws)
      const drawn = rows.map((): DrawnYears => ({ closing: Array<Figure>(years).fill(0), income: Array<Figure>(years).fill(0) }))
      const interpolated = budgets.length > 1
      let largestDifference = 0
      const locationsInFull: LocationId[] = []
      for (const one of prepared) {
        const costInFull = (row: readonly number[]): DrawEffect => {
          beforeDraw()
          return one.draws.drawStaff(row)
        }
        const staff = interpolated ? interpolateStaff(one, { draws, rows, costInFull }) : null
        if (staff) largestDifference = Math.max(largestDifference, staff.largestDifference)
        else if (interpolated) locationsInFull.push(one.locationId)
        for (const [index, row] of rows.entries()) {
          beforeDraw()
          const own = one.draws.finish(row, staff ? requireItemAt(staff.effects, index) : costInFull(row))
          const { closing, income } = requireItemAt(drawn, index)
          for (let year = 0; year < years; year++) {
            closing[year] = plus(requireItemAt(closing, year), requireItemAt(own.closing, one.firstCommonYear + year))
            income[year] = plus(requireItemAt(income, year), requireItemAt(own.income, one.firstCommonYear + year))
          }
        }
      }
      return { drawn, interpolation: interpolated ? { largestDifference, locationsInFull } : null }
    },
  }
}

const plus = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : a + b)

function expandIntakes(
  budgets: readonly LocatedBudget[],
  { drivers, pairs }: BudgetRunPlan,
): { drawnDrivers: DrawnDriver[]; pairs: DriverPair[] } {
  const isForEach = ({ kind }: BudgetDriver): boolean => budgets.length > 1 && kind === 'intake'
  const copyId = (id: string, locationId: LocationId): string => `${id}@${locationId}`
  const forEach = new Set(drivers.filter(isForEach).map(({ id }) => id))
  return {
    drawnDrivers: drivers.flatMap((driver): DrawnDriver[] =>
      isForEach(driver)
        ? budgets.map(({ locationId }) => ({
            driver: {
              ...driver,
              id: copyId(driver.id, locationId),
              locationIds: [locationId],
              // Where it does not concern a location, nothing is uncertain.
              ...(!concernsLocation(driver, locationId) && { low: driver.likely, high: driver.likely }),
            },
            plannedId: driver.id,
          }))
        : [{ driver, plannedId: driver.id }],
    ),
    // Two intakes move together within their location.
    pairs: pairs.flatMap(({ first, second, word }) => {
      if (!forEach.has(first) && !forEach.has(second)) return [{ first, second, word }]
      const of = (id: string, locationId: LocationId): string => (forEach.has(id) ? copyId(id, locationId) : id)
      return budgets.map(({ locationId }) => ({ first: of(first, locationId), second: of(second, locationId), word }))
    }),
  }
}

/** By draw, how much each driver differs from its likely value, to six decimals, so that rates stay plain decimals. */
function listDifferences({ count, drivers }: Draws): number[][] {
  return Array.from({ length: count }, (_unused, draw) =>
    drivers.map(({ driver, values }) => roundDifference(assertDefined(values[draw]) - driver.likely)),
  )
}

const roundDifference = (difference: number): number => Math.round(difference * 1_000_000) / 1_000_000

/**
 * The effect of awards and pension rates on a location in every draw, interpolated between five values of each driver.
 * @returns null if full costings of the first draws differ by more than the rules allow, so that all must be costed in full
 */
function interpolateStaff(
  { draws: prepared, budget }: { draws: BudgetDraws; budget: UncertainBudget },
  { draws, rows, costInFull }: { draws: Draws; rows: readonly number[][]; costInFull: (row: readonly number[]) => DrawEffect },
): { effects: DrawEffect[]; largestDifference: Pennies } | null {
  const { numberOfYears } = budget.head
  const points = prepared.staffDrivers.map(({ index }) => ({
    z: requireItemAt(draws.drivers, index).z,
    effects: interpolationPoints.map((z) => {
      const row = draws.drivers.map(({ driver }, at) => (at === index ? roundDifference(calculateValue(driver, z) - driver.likely) : 0))
      return costInFull(row)
    }),
  }))
  const effects = rows.map(() => createEffect(numberOfYears))
  const checked = rows.slice(0, checkedDraws).map(costInFull)
  let largestDifference = 0
  for (const side of ['reserve', 'income'] as const)
    for (let year = 0; year < numberOfYears; year++) {
      const tables = points.map((one) => ({ z: one.z, costs: one.effects.map((effect) => requireItemAt(effect[side], year)) }))
      const interpolated = interpolateCosts(0, tables, rows.length)
      const full = checked.map((effect) => requireItemAt(effect[side], year))
      const difference = findLargestDifference(interpolated, full)
      if (difference === null || !mayInterpolate(difference)) return null
      largestDifference = Math.max(largestDifference, difference)
      for (const [index, effect] of interpolated.entries()) requireItemAt(effects, index)[side][year] = effect
    }
  return { effects, largestDifference }
}

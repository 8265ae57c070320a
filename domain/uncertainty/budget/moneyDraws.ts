import { calculateEntryYears } from '../../budget/items/budgetEntry.ts'
import { addPupils } from '../../budget/scenarios/applyScenario.ts'
import { type Exact, exactOne, fromInteger, round, times } from '../../calculation/exact.ts'
import type { Figure } from '../../calculation/inputs.ts'
import { toRiseFactor } from '../../calculation/nonStaffing/entries.ts'
import { calculateFunding } from '../../calculation/nonStaffing/funding.ts'
import { type PupilRow, rollUpPupilCounts } from '../../calculation/nonStaffing/pupils.ts'
import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import { type BudgetDriver, findFirstYear } from './driver.ts'
import { addToEffect, type DrawEffect, type UncertainBudget } from './uncertainBudget.ts'

/** A driver with its place among the values of a draw. */
export interface PlacedDriver {
  driver: BudgetDriver
  index: number
}

/** The amounts of one budget code that rise and fall together, in whole pennies by year. */
interface Bucket {
  budgetCodeId: number
  /** Whether funding predictions made the entries. */
  isPredicted: boolean
  amounts: number[]
  drivers: { index: number; firstYear: number; perYear: boolean }[]
}

const percentKinds = ['topUp', 'supply', 'energy', 'prices']

/**
 * Prepares the effect of drivers other than pay: pupils through the funding predictions, and percentages on the entries of budget codes.
 * @returns the function that adds the effect of one draw, given by how much each driver differs from its likely value; the drivers that
 *   have any effect; and sentences that say why others have none
 */
export function prepareMoneyDraws(
  budget: UncertainBudget,
  drivers: readonly PlacedDriver[],
): { addDraw(differences: readonly number[], effect: DrawEffect): void; notes: Map<string, string>; active: Set<string> } {
  const { numberOfYears } = budget.head
  const notes = new Map<string, string>()
  const buckets = buildBuckets(budget)
  for (const { driver, index } of drivers) {
    if (driver.kind !== 'fundingRate' && !percentKinds.includes(driver.kind)) continue
    const firstYear = findFirstYear(driver, budget.head)
    const own = buckets.filter((bucket) =>
      driver.kind === 'fundingRate' ? bucket.isPredicted : driver.budgetCodeIds.includes(bucket.budgetCodeId),
    )
    if (firstYear >= numberOfYears) notes.set(driver.id, 'It begins after the last year of the budget.')
    else if (!own.some(({ amounts }) => amounts.slice(firstYear).some((amount) => amount !== 0)))
      notes.set(driver.id, 'No entry of the budget uses these budget codes in its years.')
    for (const bucket of own) bucket.drivers.push({ index, firstYear, perYear: driver.perYear })
  }
  const intakes = drivers.filter(({ driver }) => driver.kind === 'intake')
  const predict = preparePredictions(budget, intakes, notes)
  const factors = new Map<number, Exact>()
  const factorOf = (difference: number): Exact => {
    const known = factors.get(difference)
    if (known) return known
    // Income and costs cannot become negative.
    const factor = toRiseFactor(Math.max(-100, difference))
    factors.set(difference, factor)
    return factor
  }
  return {
    notes,
    active: new Set(drivers.flatMap(({ driver }) => (notes.has(driver.id) ? [] : [driver.id]))),
    addDraw(differences, effect) {
      factors.clear()
      const funding = predict(differences)
      for (const { budgetCodeId, isPredicted, amounts, drivers: own } of buckets) {
        const predicted = isPredicted ? funding?.get(budgetCodeId) : undefined
        if (!predicted && own.every(({ index }) => differences[index] === 0)) continue
        const code = budget.codes.get(budgetCodeId) ?? null
        for (const [year, amount] of amounts.entries()) {
          const before = predicted ? requireItemAt(predicted, year) : 0
          let factor = exactOne
          for (const { index, firstYear, perYear } of own) {
            const difference = requireItemAt(differences, index)
            if (difference === 0 || year < firstYear) continue
            for (let times_ = perYear ? year - firstYear + 1 : 1; times_ > 0; times_--) factor = times(factor, factorOf(difference))
          }
          const drawn = before === null ? null : factor === exactOne ? amount + before : round(times(fromInteger(amount + before), factor))
          addToEffect(effect, year, { code, isStaff: false, amount: drawn === null ? null : drawn - amount })
        }
      }
    },
  }
}

/** Adds up the known amounts of the entries by budget code, those of predictions apart. */
function buildBuckets({ entries, predictions, head }: UncertainBudget): Bucket[] {
  const buckets = new Map<string, Bucket>()
  const bucketOf = (budgetCodeId: number, isPredicted: boolean): Bucket => {
    const key = `${budgetCodeId} ${isPredicted}`
    const bucket = buckets.get(key) ?? { budgetCodeId, isPredicted, amounts: Array<number>(head.numberOfYears).fill(0), drivers: [] }
    buckets.set(key, bucket)
    return bucket
  }
  for (const { budgetCodeId } of predictions) bucketOf(budgetCodeId, true)
  for (const entry of entries) {
    const { amounts } = bucketOf(entry.budgetCodeId, entry.source?.kind === 'prediction')
    for (const [year, { amount }] of calculateEntryYears(entry, head.numberOfYears).entries())
      amounts[year] = requireItemAt(amounts, year) + (amount ?? 0)
  }
  return [...buckets.values()]
}

/** Returns a function that calculates by how much the predictions change with the pupils of a draw, by code and year. Equal draws share it. */
function preparePredictions(
  { head: { numberOfYears, ...head }, pupils, predictions }: UncertainBudget,
  intakes: readonly PlacedDriver[],
  notes: Map<string, string>,
): (differences: readonly number[]) => Map<number, Figure[]> | undefined {
  const usable = intakes.filter(({ driver }) => {
    const firstYear = findFirstYear(driver, head)
    const changed = addPupils(pupils, numberOfYears, { yearGroup: assertDefined(driver.yearGroup), firstYear, by: 0 })
    if (typeof changed === 'string') notes.set(driver.id, changed)
    else if (!predictions.length) notes.set(driver.id, 'No funding prediction of the budget follows the pupil numbers.')
    return typeof changed !== 'string'
  })
  const totals = (rows: readonly PupilRow[]): Figure[][] => {
    const counted = rollUpPupilCounts(rows, numberOfYears)
    return predictions.map((one) => calculateFunding({ ...one, pupils: counted, years: numberOfYears }).total)
  }
  const before = usable.length && predictions.length ? totals(pupils) : []
  const known = new Map<string, Map<number, Figure[]>>()
  return (differences) => {
    const key = usable.map(({ index }) => differences[index]).join()
    if (!before.length || usable.every(({ index }) => differences[index] === 0)) return undefined
    const found = known.get(key)
    if (found) return found
    let rows: readonly PupilRow[] = pupils
    for (const { driver, index } of usable) {
      const change = {
        yearGroup: assertDefined(driver.yearGroup),
        firstYear: findFirstYear(driver, head),
        by: requireItemAt(differences, index),
      }
      const changed = addPupils(rows, numberOfYears, change)
      if (typeof changed !== 'string') rows = changed
    }
    const effects = new Map<number, Figure[]>()
    for (const [at, after] of totals(rows).entries()) {
      const { budgetCodeId } = requireItemAt(predictions, at)
      const sums = effects.get(budgetCodeId) ?? Array<Figure>(numberOfYears).fill(0)
      effects.set(
        budgetCodeId,
        sums.map((sum, year) => {
          const was = requireItemAt(requireItemAt(before, at), year)
          const is = requireItemAt(after, year)
          // A prediction that cannot be calculated in the budget itself is left out there too.
          if (was === null) return sum
          return sum === null || is === null ? null : sum + is - was
        }),
      )
    }
    known.set(key, effects)
    return effects
  }
}

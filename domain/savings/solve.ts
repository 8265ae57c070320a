import { assertDefined, requireItemAt } from '../values/assertDefined.ts'
import { buildProgramme, type Condition, holds, type ProgrammeSolver, sumChosen } from './programme.ts'
import {
  type Obstacle,
  quantityScale,
  type SavingsAnswer,
  type SavingsOption,
  type SavingsPlan,
  type SavingsProblem,
  type SavingsRule,
} from './savings.ts'

/** Which options are chosen, in the order of `Search.options`. */
type Choice = boolean[]

/** A problem in whole numbers. */
interface Search {
  /** Sorted by id. */
  options: SavingsOption[]
  pain: number[]
  /** Savings less one-off costs in pennies, by year and option. */
  saves: number[][]
  /** Savings less one-off costs over all years in pennies, by option. */
  total: number[]
  /** The rules and then the targets, in the order listed. */
  limits: Limit[]
  solver: ProgrammeSolver
  /** The best choice so far that meets every limit, to show if time runs out before a plan is proven. */
  best: Choice | null
}

/** A rule or target as a condition. */
type Limit = Condition & { obstacle: Obstacle }

/** The solver's time is over. */
class OutOfTime extends Error {}

/** How many ids are settled at once. Their weights, up to 2^15, are far below what a solver cannot tell apart. */
const idsAtOnce = 16

/**
 * Finds the plan of rules.md §22: of all sets of options that meet every rule and reach every target, the one with the least pain; of
 * equals the one that saves most over all years, after one-off costs; of equals the one whose ids come first. To see which ids come first,
 * sort the ids of each plan by code unit and compare the lists id by id; if one list is the start of the other, the shorter comes first.
 *
 * Each plan that the solver offers is checked in whole numbers. One that fails is cut off, and the programme is solved again.
 *
 * If time runs out before the plan is proven, the answer has the best that was found. If time runs out later, what was proven stays so, and
 * the answer leaves out what was not found in time.
 */
export function solve(problem: SavingsProblem, solver: ProgrammeSolver): SavingsAnswer {
  const search = prepareSearch(problem, solver)
  const { limits } = search
  const answer: SavingsAnswer = { status: 'not proven', plan: [], pain: null, saves: [], next: [], conflict: [], most: [] }
  const best = findInTime(() => findBest(search, limits))
  if (best === undefined) return search.best ? { ...answer, ...presentPlan(search, search.best) } : answer
  if (!best) {
    const conflict = findInTime(() => findConflict(search)) ?? []
    const most = findInTime(() => findMost(search)) ?? []
    return { ...answer, status: 'impossible', conflict, most }
  }
  const next: Choice[] = []
  while (next.length < 2) {
    const conditions = [best, ...next].map(leavesOneOut)
    const choice = findInTime(() => findBest(search, [...limits, ...conditions]))
    if (!choice) break
    next.push(choice)
  }
  return { ...answer, status: 'proven', ...presentPlan(search, best), next: next.map((one) => presentPlan(search, one)) }
}

/** @returns undefined if time runs out */
function findInTime<Found>(find: () => Found): Found | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof OutOfTime) return undefined
    throw error
  }
}

function prepareSearch(problem: SavingsProblem, solver: ProgrammeSolver): Search {
  const { options, targets } = problem
  const sorted = [...options].sort((a, b) => (a.id < b.id ? -1 : 1))
  const saves = targets.map((_target, year) =>
    sorted.map(({ savings, oneOff }) => requireItemAt(savings, year) - requireItemAt(oneOff, year)),
  )
  return {
    options: sorted,
    pain: sorted.map(({ pain }) => pain),
    saves,
    total: sorted.map((_option, at) => saves.reduce((sum, ofYear) => sum + requireItemAt(ofYear, at), 0)),
    limits: listLimits({ options: sorted, saves }, problem),
    solver,
    best: null,
  }
}

function listLimits({ options, saves }: Pick<Search, 'options' | 'saves'>, { rules, targets }: SavingsProblem): Limit[] {
  return [
    ...rules.map((rule, index) => ({ ...toCondition(options, rule), obstacle: { kind: 'rule' as const, index } })),
    ...targets.map((lower, index) => ({ factors: requireItemAt(saves, index), lower, obstacle: { kind: 'target' as const, index } })),
  ]
}

function toCondition(options: readonly SavingsOption[], rule: SavingsRule): Condition {
  const weigh = (weightOf: (option: SavingsOption) => number): number[] => options.map(weightOf)
  switch (rule.kind) {
    case 'atMost':
      return { factors: weigh(({ id }) => (rule.ids.includes(id) ? -1 : 0)), lower: -rule.n }
    case 'atLeast':
      return { factors: weigh(({ id }) => (rule.ids.includes(id) ? 1 : 0)), lower: rule.n }
    case 'notBoth':
      return { factors: weigh(({ id }) => (rule.ids.includes(id) ? -1 : 0)), lower: -1 }
    case 'onlyWith':
      return { factors: weigh(({ id }) => (id === rule.with ? 1 : id === rule.id ? -1 : 0)), lower: 0 }
    case 'sumAtMost': {
      const scale = (value: number): number => Math.round(value * quantityScale)
      const quantityOf = ({ id, quantities }: SavingsOption): number =>
        rule.ids.includes(id) && Object.hasOwn(quantities, rule.quantity) ? (quantities[rule.quantity] ?? 0) : 0
      return { factors: weigh((option) => 0 - scale(quantityOf(option))), lower: -scale(rule.value) }
    }
  }
}

/** The best choice that meets all conditions, or null if no choice does. */
function findBest(search: Search, conditions: readonly Condition[]): Choice | null {
  const { pain, total, options } = search
  const leastPain = findChoice(search, conditions, pain)
  if (!leastPain) return null
  const asPainless = [...conditions, { factors: pain.map((one) => -one), lower: -sumChosen(pain, leastPain) }]
  const greatest = findGreatest(search, { conditions: asPainless, factors: total, start: leastPain }) ?? leastPain
  const equals = [...asPainless, { factors: total, lower: sumChosen(total, greatest) }]
  const isOnlyOne = !findChoice(
    search,
    [...equals, isNot(greatest)],
    options.map(() => 0),
  )
  return isOnlyOne ? greatest : findFirstByIds(search, equals)
}

/** Of the choices that meet all conditions, of which there is at least one, the one whose ids come first. */
function findFirstByIds(search: Search, conditions: readonly Condition[]): Choice {
  const { options } = search
  // Settle the ids from the first on: choosing an earlier id always comes before choosing only later ones.
  const settled: Condition[] = []
  let choice: Choice = []
  for (let start = 0; start < options.length; start += idsAtOnce) {
    const weights = options.map((_option, at) => (at >= start && at < start + idsAtOnce ? -(2 ** (start + idsAtOnce - 1 - at)) : 0))
    choice = assertDefined(findChoice(search, [...conditions, ...settled], weights))
    for (let at = start; at < Math.min(start + idsAtOnce, options.length); at++) {
      const sign = choice[at] ? 1 : -1
      settled.push({ factors: options.map((_option, other) => (other === at ? sign : 0)), lower: choice[at] ? 1 : 0 })
    }
  }
  // A shorter list comes before its continuations, so drop later ids that are not needed.
  for (let end = 0; end < options.length; end++) {
    const shorter = choice.map((isChosen, at) => isChosen && at < end)
    if (conditions.every((condition) => holds(condition, shorter))) return shorter
  }
  return choice
}

/**
 * The choice that meets all conditions with the greatest sum of factors, exact to the penny: it is the greatest because no choice has a
 * sum that is greater by 1.
 * @returns null if no choice is greater than `start` or, without one, if no choice meets the conditions
 */
function findGreatest(
  search: Search,
  { conditions, factors, start }: { conditions: readonly Condition[]; factors: readonly number[]; start?: Choice },
): Choice | null {
  const largest = Math.max(1, ...factors.map(Math.abs))
  const costs = factors.map((factor) => (-factor / largest) * 1000)
  let greatest: Choice | null = null
  for (;;) {
    const known = greatest ?? start
    const greater = known ? [...conditions, { factors, lower: sumChosen(factors, known) + 1 }] : conditions
    const choice = findChoice(search, greater, costs)
    if (!choice) return greatest
    greatest = choice
  }
}

/**
 * A choice that meets all conditions with the least sum of costs, as far as floating point can tell, or null if there is none. Keeps what
 * the solver offers as `search.best` if it is the best so far, also if time runs out.
 */
function findChoice(search: Search, conditions: readonly Condition[], costs: readonly number[]): Choice | null {
  const cutOff: Condition[] = []
  for (;;) {
    const programme = buildProgramme([...conditions, ...cutOff], costs)
    if (!programme) return null
    const outcome = programme.columns.length === 0 ? { status: 'solved' as const, values: [] } : search.solver(programme)
    if (outcome.status === 'infeasible') return null
    const { status, values } = outcome
    const choice = values && costs.map((_cost, at) => (values[at] ?? 0) > 0.5)
    if (choice) keepIfBest(search, choice)
    if (!choice || status === 'stopped') throw new OutOfTime()
    if (conditions.every((condition) => holds(condition, choice))) return choice
    cutOff.push(isNot(choice))
  }
}

/** Keeps a choice that meets every rule and target, if none that is kept is as good. */
function keepIfBest(search: Search, choice: Choice): void {
  if (!search.limits.every((limit) => holds(limit, choice))) return
  if (!search.best || comparePlans(search, choice, search.best) < 0) search.best = choice
}

/** Negative if the first of two plans is better, 0 if they are the same. */
function comparePlans({ pain, total }: Search, one: Choice, other: Choice): number {
  return sumChosen(pain, one) - sumChosen(pain, other) || sumChosen(total, other) - sumChosen(total, one) || compareIds(one, other)
}

/** Negative if the ids of the first choice come first. */
function compareIds(one: Choice, other: Choice): number {
  const at = one.findIndex((isChosen, index) => isChosen !== other[index])
  if (at < 0) return 0
  // One list goes on with the id at this place. It comes first unless the other list ends here.
  const [without, sign] = one[at] ? [other, -1] : [one, 1]
  return without.includes(true, at) ? sign : -sign
}

/** Every choice but this one. */
const isNot = (choice: Choice): Condition => ({
  factors: choice.map((isChosen) => (isChosen ? -1 : 1)),
  lower: 1 - countChosen(choice),
})

/** At least one option of the choice is not chosen. */
const leavesOneOut = (choice: Choice): Condition => ({
  factors: choice.map((isChosen) => (isChosen ? -1 : 0)),
  lower: 1 - countChosen(choice),
})

const countChosen = (choice: Choice): number => choice.filter(Boolean).length

/** Leaves out one rule or target after the other; those without which the rest can hold are the conflict. */
function findConflict(search: Search): Obstacle[] {
  let conflict = search.limits
  for (const limit of search.limits) {
    const others = conflict.filter((one) => one !== limit)
    if (
      !findChoice(
        search,
        others,
        search.pain.map(() => 0),
      )
    )
      conflict = others
  }
  return conflict.map(({ obstacle }) => obstacle)
}

/** The most that each year could save on its own under the rules, or an empty list if no choice meets the rules. */
function findMost(search: Search): number[] {
  const rules = search.limits.filter(({ obstacle }) => obstacle.kind === 'rule')
  return search.saves.flatMap((factors) => {
    const greatest = findGreatest(search, { conditions: rules, factors })
    return greatest ? [sumChosen(factors, greatest)] : []
  })
}

function presentPlan({ options, pain, saves }: Search, choice: Choice): SavingsPlan {
  return {
    plan: options.filter((_option, at) => choice[at]).map(({ id }) => id),
    pain: sumChosen(pain, choice),
    saves: saves.map((ofYear) => sumChosen(ofYear, choice)),
  }
}

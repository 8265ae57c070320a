/**
 * The plan of `rules.md` §22 by trying every subset of the options, written from the rules alone. It shares nothing with the solver,
 * so that the two can be compared. It is meant for up to 16 options.
 */

export interface OracleOption {
  id: string
  pain: number
  savings: readonly number[]
  oneOff: readonly number[]
  quantities?: Readonly<Record<string, number>>
}

export type OracleRule =
  | { kind: 'atMost' | 'atLeast'; n: number; ids: readonly string[] }
  | { kind: 'notBoth'; ids: readonly string[] }
  | { kind: 'onlyWith'; id: string; with: string }
  | { kind: 'sumAtMost'; quantity: string; value: number; ids: readonly string[] }

export interface OracleProblem {
  options: readonly OracleOption[]
  rules: readonly OracleRule[]
  targets: readonly number[]
}

export interface OraclePlan {
  plan: string[]
  pain: number
  saves: number[]
}

/** The plans in order of preference, or what stands in the way. */
export interface OracleAnswer {
  /** The best plan and the next two; empty if there is no plan. */
  plans: OraclePlan[]
  /** The rules, by position, and the targets, by year, that cannot hold together. */
  conflict: { rules: number[]; targets: number[] }
  /** The most that the rules allow to be saved in each year; null if no subset meets the rules. */
  most: (number | null)[]
}

type Chosen = ReadonlySet<string>

function meetsRule(rule: OracleRule, chosen: Chosen, options: ReadonlyMap<string, OracleOption>): boolean {
  switch (rule.kind) {
    case 'atMost':
      return countChosen(rule.ids, chosen) <= rule.n
    case 'atLeast':
      return countChosen(rule.ids, chosen) >= rule.n
    case 'notBoth':
      return countChosen(rule.ids, chosen) <= 1
    case 'onlyWith':
      return !chosen.has(rule.id) || chosen.has(rule.with)
    case 'sumAtMost': {
      const amounts = rule.ids.map((id) => (chosen.has(id) ? hundredths(options.get(id)?.quantities?.[rule.quantity] ?? 0) : 0))
      return amounts.reduce((sum, amount) => sum + amount, 0) <= hundredths(rule.value)
    }
  }
}

const countChosen = (ids: readonly string[], chosen: Chosen): number => ids.filter((id) => chosen.has(id)).length

/** Quantities of the drawn problems have at most two decimals. In hundredths, their sums are exact. */
const hundredths = (quantity: number): number => Math.round(quantity * 100)

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Sorted ids by code unit: the first id that differs decides, and a plan that is the beginning of another comes first. */
function compareIds(a: readonly string[], b: readonly string[]): number {
  for (const [index, id] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (id !== other) return id < other ? -1 : 1
  }
  return a.length - b.length
}

const comparePlans = (a: OraclePlan, b: OraclePlan): number => a.pain - b.pain || sum(b.saves) - sum(a.saves) || compareIds(a.plan, b.plan)

function listSubsets({ options, targets }: OracleProblem): OraclePlan[] {
  return Array.from({ length: 2 ** options.length }, (_unused, bits) => {
    const chosen = options.filter((_option, index) => Math.floor(bits / 2 ** index) % 2 === 1)
    return {
      plan: chosen.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1)),
      pain: sum(chosen.map(({ pain }) => pain)),
      saves: targets.map((_target, year) => sum(chosen.map(({ savings, oneOff }) => (savings[year] ?? 0) - (oneOff[year] ?? 0)))),
    }
  })
}

/** Solves a problem by trying every subset. */
export function solveByTryingAll(problem: OracleProblem): OracleAnswer {
  const { options, rules, targets } = problem
  const byId = new Map(options.map((option) => [option.id, option]))
  const subsets = listSubsets(problem)
  // For each subset: whether it meets each rule, then each target, in the order of the call.
  const met = subsets.map(({ plan, saves }) => {
    const chosen = new Set(plan)
    return [...rules.map((rule) => meetsRule(rule, chosen, byId)), ...targets.map((target, year) => (saves[year] ?? 0) >= target)]
  })
  const isPossibleWith = (kept: readonly number[]): boolean => met.some((one) => kept.every((index) => one[index]))
  const allowed = subsets.filter((_subset, index) => met[index]?.slice(0, rules.length).every(Boolean))
  const most = targets.map((_target, year) =>
    allowed.reduce<number | null>((best, { saves }) => Math.max(best ?? Number.NEGATIVE_INFINITY, saves[year] ?? 0), null),
  )
  const everything = [...rules.keys(), ...targets.map((_target, year) => rules.length + year)]
  const possible = subsets.filter((_subset, index) => met[index]?.every(Boolean)).sort(comparePlans)
  if (!possible.length) {
    let kept = everything
    for (const index of everything) {
      const without = kept.filter((other) => other !== index)
      if (!isPossibleWith(without)) kept = without
    }
    return {
      plans: [],
      conflict: {
        rules: kept.filter((index) => index < rules.length),
        targets: kept.filter((index) => index >= rules.length).map((index) => index - rules.length),
      },
      most,
    }
  }
  const plans: OraclePlan[] = []
  for (const plan of possible) {
    const leavesOutOneOfEach = plans.every((earlier) => earlier.plan.some((id) => !plan.plan.includes(id)))
    if (leavesOutOneOfEach) plans.push(plan)
    if (plans.length === 3) break
  }
  return { plans, conflict: { rules: [], targets: [] }, most }
}

import { assertDefined, elementAt } from '../../values/assertDefined.ts'
import type { ContractCost, Figure, YearCost } from '../inputs.ts'

export type LineKind = 'basic' | 'allowance' | 'leavePay' | 'ni' | 'pension' | 'leaveRecovery'

/** One component of a contract's cost over all months of the budget, in whole pennies. */
export interface CostLine {
  kind: LineKind
  /** The `figure` of its steps in a derivation. */
  figure: string
  label: string
  months: Figure[]
}

/** A sum is known only when all of its parts are. */
function sum(figures: readonly Figure[]): Figure {
  let total = 0
  for (const figure of figures) {
    if (figure === null) return null
    total += figure
  }
  return total
}

/**
 * The lines of a cost view: basic pay, each allowance, leave pay, employer contributions, recovery. Components that are never paid are
 * left out, but for the three that every contract has.
 * @param labels names of allowances by `allowance:ID`
 */
export function costLines(cost: ContractCost, labels: Readonly<Record<string, string>>): CostLine[] {
  const over = (pick: (year: YearCost) => Figure[]): Figure[] => cost.years.flatMap(pick)
  const allowances = Object.keys(cost.years[0]?.allowances ?? {})
  const lines: CostLine[] = [
    { kind: 'basic', figure: 'basic', label: 'Basic pay', months: over((year) => year.basic) },
    ...allowances.map(
      (key): CostLine => ({
        kind: 'allowance',
        figure: key,
        label: labels[`allowance:${key}`] ?? 'Allowance',
        months: over((year) => assertDefined(year.allowances[key])),
      }),
    ),
    { kind: 'leavePay', figure: 'leavePay', label: 'Leave pay', months: over((year) => year.leavePay) },
    { kind: 'ni', figure: 'ni', label: 'Employer NI', months: over((year) => year.ni) },
    { kind: 'pension', figure: 'pension', label: 'Employer pension', months: over((year) => year.pension) },
    { kind: 'leaveRecovery', figure: 'leaveRecovery', label: 'Leave recovery', months: over((year) => year.leaveRecovery) },
  ]
  const always: LineKind[] = ['basic', 'ni', 'pension']
  return lines.filter((line) => always.includes(line.kind) || line.months.some((figure) => figure !== 0 && figure !== null))
}

/** The total of each month over all lines. */
export function totalMonths(lines: readonly CostLine[]): Figure[] {
  return (lines[0]?.months ?? []).map((_figure, month) => sum(lines.map((line) => elementAt(line.months, month))))
}

/** The twelve months of a year, from 0, added up; null for a year that was not costed. */
export function yearSum(months: readonly Figure[], year: number): Figure {
  const own = months.slice(year * 12, year * 12 + 12)
  return own.length < 12 ? null : sum(own)
}

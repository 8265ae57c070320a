import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import type { ContractCost, Figure, YearCost } from '../inputs.ts'

export type LineKind = 'basic' | 'allowance' | 'leavePay' | 'ni' | 'pension' | 'leaveRecovery'

/** One component of a contract's cost over all months of the budget, in whole pennies. */
export interface CostLine {
  kind: LineKind
  /** The value of `figure` in the derivation steps of this component. */
  figure: string
  label: string
  months: Figure[]
}

/** Adds figures; null if any figure is null. */
function sumFigures(figures: readonly Figure[]): Figure {
  let total = 0
  for (const figure of figures) {
    if (figure === null) return null
    total += figure
  }
  return total
}

/**
 * The lines of a cost view: basic pay, each allowance, leave pay, employer contributions, recovery. A component without pay in any month is
 * left out, unless it is basic pay, national insurance or pension.
 * @param labels names of allowances by `allowance:ID`
 */
export function listCostLines(cost: ContractCost, labels: Readonly<Record<string, string>>): CostLine[] {
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

/** The total of all lines in each month. */
export function sumLinesByMonth(lines: readonly CostLine[]): Figure[] {
  return (lines[0]?.months ?? []).map((_figure, month) => sumFigures(lines.map((line) => requireItemAt(line.months, month))))
}

/** The sum of the twelve months of a year, counted from 0; null if the year was not costed. */
export function sumYear(months: readonly Figure[], year: number): Figure {
  const monthsOfYear = months.slice(year * 12, year * 12 + 12)
  return monthsOfYear.length < 12 ? null : sumFigures(monthsOfYear)
}

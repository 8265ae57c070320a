import type { ContractCost, Figure, FundShare, YearCost } from '../inputs.ts'
import { split } from '../split.ts'

export interface Coding {
  budgetCodeId: number
  costCentreId: number | null
}

/** The coding of a payroll code (service term): pay, national insurance and pension each have their own. */
export interface TermCoding {
  basic: Coding
  ni: Coding
  pension: Coding
}

/**
 * The component of a cost that a line holds. Basic pay, allowances and leave pay are the single component `pay`, because they share a
 * coding; `recovery` on leave has the same coding.
 */
export type LineComponent = 'pay' | 'recovery' | 'ni' | 'pension' | 'levy' | 'employmentAllowance' | 'entry' | 'topSlice' | 'gagPool'

/** The amounts of one source, year, component and coding: twelve months in whole pennies, null where a month could not be calculated. */
export interface PostedLine {
  component: LineComponent
  /** Counted from 0. */
  year: number
  /** Null for the levy, and for an Employment Allowance without a chosen budget code. */
  budgetCodeId: number | null
  costCentreId: number | null
  fundCodeId: number | null
  amounts: Figure[]
}

/** Consecutive years of one component and coding in one stored line: twelve months for each year from `firstYear`. */
export interface MultiYearLine extends Omit<PostedLine, 'year'> {
  /** Counted from 0. */
  firstYear: number
}

/** Joins consecutive years of the same component and coding into the lines that are stored. */
export function joinYears(lines: readonly PostedLine[]): MultiYearLine[] {
  const joined: MultiYearLine[] = []
  for (const { year, amounts, ...line } of lines) {
    const before = joined.find(
      (one) =>
        one.component === line.component &&
        one.budgetCodeId === line.budgetCodeId &&
        one.costCentreId === line.costCentreId &&
        one.fundCodeId === line.fundCodeId &&
        one.firstYear + one.amounts.length / 12 === year,
    )
    if (before) before.amounts.push(...amounts)
    else joined.push({ ...line, firstYear: year, amounts: [...amounts] })
  }
  return joined
}

/** The number of yearly lines that stored lines contain. */
export function countLineYears(lines: readonly MultiYearLine[]): number {
  return lines.reduce((sum, { amounts }) => sum + amounts.length / 12, 0)
}

/** Splits stored lines into one line for each year, as reports use them. */
export function splitByYear(lines: readonly MultiYearLine[]): PostedLine[] {
  return lines.flatMap(({ firstYear, amounts, ...line }) =>
    Array.from({ length: amounts.length / 12 }, (_unused, index) => ({
      ...line,
      year: firstYear + index,
      amounts: amounts.slice(index * 12, index * 12 + 12),
    })),
  )
}

const components: {
  component: LineComponent
  coding: keyof TermCoding
  figures: keyof YearCost & ('gross' | 'leaveRecovery' | 'ni' | 'pension')
}[] = [
  { component: 'pay', coding: 'basic', figures: 'gross' },
  { component: 'recovery', coding: 'basic', figures: 'leaveRecovery' },
  { component: 'ni', coding: 'ni', figures: 'ni' },
  { component: 'pension', coding: 'pension', figures: 'pension' },
]

/**
 * The lines of one contract's cost (rules.md §9). Each month is split by the fund codes' percentages, so that the lines add up to the cost
 * to the penny. A year of zeros has no line.
 * @param coding of the contract's first payroll code. The other codes serve only to match payroll; rules.md leaves this open.
 */
export function postContract(cost: Pick<ContractCost, 'years'>, coding: TermCoding, funds: readonly FundShare[]): MultiYearLine[] {
  return components.flatMap(({ component, coding: which, figures }) => {
    const months: Figure[] = []
    for (const costs of cost.years) months.push(...costs[figures])
    return splitByFunds(months, funds).flatMap(({ fundCodeId, amounts }) =>
      runsOfYears(amounts).map((run): MultiYearLine => ({ component, fundCodeId, ...coding[which], ...run })),
    )
  })
}

/** Splits the months into runs of consecutive years, leaving out each year whose months are all zero. */
function runsOfYears(amounts: Figure[]): Pick<MultiYearLine, 'firstYear' | 'amounts'>[] {
  const runs: { firstYear: number; amounts: Figure[] }[] = []
  let first: number | null = null
  const years = amounts.length / 12
  for (let year = 0; year <= years; year++) {
    const hasSome = year < years && hasSomeIn(amounts, year * 12)
    if (hasSome) first ??= year
    else if (first !== null) {
      runs.push({ firstYear: first, amounts: first === 0 && year === years ? amounts : amounts.slice(first * 12, year * 12) })
      first = null
    }
  }
  return runs
}

function hasSomeIn(amounts: readonly Figure[], from: number): boolean {
  for (let month = from; month < from + 12; month++) if (amounts[month] !== 0) return true
  return false
}

/**
 * Splits each month by fund codes and drops a fund code that gets only zeros. Without fund codes, the whole amount has `fundCodeId` null.
 */
export function splitByFunds(months: readonly Figure[], funds: readonly FundShare[]): { fundCodeId: number | null; amounts: Figure[] }[] {
  if (funds.length < 2)
    return months.some((amount) => amount !== 0) ? [{ fundCodeId: funds[0]?.fundCodeId ?? null, amounts: [...months] }] : []
  const weights = funds.map((fund) => Math.round(fund.percentage * 10_000))
  let before: Figure | undefined
  let share: readonly Figure[] = []
  // Most months equal the one before, so its split is reused.
  const shares = months.map((amount) => {
    if (amount !== before) share = amount === null ? weights.map(() => null) : split(amount, weights)
    before = amount
    return share
  })
  return funds.flatMap(({ fundCodeId }, index) =>
    shares.some((one) => one[index] !== 0) ? [{ fundCodeId, amounts: shares.map((one) => one[index] ?? null) }] : [],
  )
}

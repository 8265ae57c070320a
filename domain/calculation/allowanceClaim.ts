import { assertDefined } from '../values/assertDefined.ts'
import { calendarYear, type Day, findEffectiveRow, firstDayOfMonth, formatPeriodMonth } from '../values/calendar.ts'
import { displayList, displayMoney } from '../values/format.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { type AllowanceMonth, type AllowanceYear, calculateReductions, listClaimedYears } from './employmentAllowance.ts'
import type { Figure } from './inputs.ts'

/** A budget of a group as the claim for the Employment Allowance sees it. Lists of claimants are in the order of the group. */
export interface Claimant {
  name: string
  locationId: LocationId
  isCentral: boolean
  isLocked: boolean
  /** The first day of each month of the budget. */
  months: readonly Day[]
  /** Employer national insurance of each month; null where a contract could not be calculated. */
  ni: readonly Figure[]
  /** The allowance lines that a locked budget has posted, which no longer change. */
  lines: readonly Figure[]
}

/** The amount of the allowance from a day on. From 6 April 2025 it is 10,500 pounds a tax year. */
export interface DatedAllowance {
  from: Day
  amount: Pennies
}

/**
 * The part of its group's claim that one open budget posts: the tax years from which its lines are calculated, and sentences about
 * problems.
 */
export interface ClaimShare {
  years: AllowanceYear[]
  problems: string[]
}

/**
 * The budgets of a group that post its allowance (rules.md §7): those of central locations. A single school has no central location: each
 * of its budgets posts the allowance, provided no two of them share a month.
 */
export function findPostingBudgets<B extends Pick<Claimant, 'locationId' | 'isCentral'> & Partial<Pick<Claimant, 'months'>>>(
  budgets: readonly B[],
): readonly B[] {
  const isOneLocation = new Set(budgets.map(({ locationId }) => locationId)).size === 1
  const months = budgets.flatMap((budget) => budget.months ?? [])
  return isOneLocation && new Set(months).size === months.length ? budgets : budgets.filter(({ isCentral }) => isCentral)
}

/**
 * Divides a group's allowance claim among its open budgets (rules.md §7). The central budgets post it, or those of the only location. The
 * allowance is not calculated without a central budget, or without a budget code to post to. The budget that would have posted it then
 * reports the problem, otherwise the first open budget does.
 * @param hasCode whether the group has chosen a budget code for the allowance
 * @returns one claim for each budget; empty for locked ones
 */
export function divideClaim(
  budgets: readonly Claimant[],
  { amounts, hasCode }: { amounts: readonly DatedAllowance[]; hasCode: boolean },
): ClaimShare[] {
  const claims = budgets.map((): ClaimShare => ({ years: [], problems: [] }))
  const years = listClaimedYears(budgets.flatMap(({ months }) => months))
  const open = budgets.filter(({ isLocked }) => !isLocked)
  const central = findPostingBudgets(budgets)
  const posting = central.length ? central.filter(({ isLocked }) => !isLocked) : open.slice(0, 1)
  const isKnown = central.length > 0 && hasCode
  const teller = posting[0] ?? open[0]
  if (!teller || !years.length) return claims
  const say = (problem: string): void => void assertDefined(claims[budgets.indexOf(teller)]).problems.push(problem)
  if (!central.length) say('The Employment Allowance is not calculated: the group has no budget of a central location.')
  else if (!posting.length)
    say(`The Employment Allowance stays as posted because the central location’s budget, ${assertDefined(central[0]).name}, is locked.`)
  else if (!hasCode) say('The Employment Allowance is not calculated: the group has no budget code for it. Choose one in the group.')
  for (const year of posting.length ? years : []) {
    const amount = findEffectiveRow(amounts, firstDayOfMonth(year, 4) + 5)?.amount ?? null
    const months = Array.from({ length: 12 }, (_unused, index) => combineMonth(budgets, { year, index, posting, central }))
    const shared = { amount: isKnown ? amount : null, year }
    if (isKnown && amount === null)
      say(`No amount is known for the Employment Allowance in the tax year from April ${year}. An administrator can add it.`)
    for (const budget of posting) {
      const monthsOfBudget = months.map(({ holder, ...month }) => ({
        ...month,
        goes: month.goes === 'here' && holder !== budget ? ('elsewhere' as const) : month.goes,
      }))
      if (monthsOfBudget.some(({ goes }) => goes === 'here'))
        assertDefined(claims[budgets.indexOf(budget)]).years.push({ ...shared, months: monthsOfBudget })
    }
    if (!isKnown || amount === null) continue
    const plain = months.map(({ holder: _holder, ...month }) => month)
    for (const problem of describeGaps(budgets, { year, amount, months: plain })) say(problem)
  }
  return claims
}

/** Combines one month of a tax year over all budgets, and finds the open budget that posts it. */
function combineMonth(
  budgets: readonly Claimant[],
  { year, index, posting, central }: { year: number; index: number; posting: readonly Claimant[]; central: readonly Claimant[] },
): AllowanceMonth & { holder: Claimant | undefined } {
  const month = firstDayOfMonth(year, 4 + index)
  const having = budgets.flatMap((budget) => {
    const at = budget.months.indexOf(month)
    return at < 0 ? [] : [{ budget, ni: budget.ni[at] ?? null, line: budget.isLocked ? (budget.lines[at] ?? null) : 0 }]
  })
  const sum = (figures: readonly Figure[]): Figure =>
    figures.reduce<Figure>((all, one) => (all === null || one === null ? null : all + one), 0)
  const has = (budget: Claimant): boolean => having.some((one) => one.budget === budget)
  const holder = posting.find(has)
  const claimedAmount = sum(having.map(({ line }) => line))
  return {
    ni: having.length ? sum(having.map(({ ni }) => ni)) : null,
    kept: claimedAmount === null ? null : Math.abs(claimedAmount),
    goes: holder ? 'here' : central.some(has) ? 'kept' : 'outside',
    holder,
  }
}

/** Says which parts of a tax year could not be calculated or posted. */
function describeGaps(budgets: readonly Claimant[], year: AllowanceYear): string[] {
  const reductions = calculateReductions(year)
  const isOpen = (goes: AllowanceMonth['goes'] | undefined): boolean => goes === 'here' || goes === 'elsewhere'
  const unknown = reductions.indexOf(null)
  const outside = reductions.reduce<number>((all, given, index) => all + (year.months[index]?.goes === 'outside' ? (given ?? 0) : 0), 0)
  return [
    ...(unknown >= 0 && year.months.slice(unknown).some(({ goes }) => isOpen(goes)) ? [unknownSentence(budgets, year.year, unknown)] : []),
    ...(outside
      ? [
          `${displayMoney(outside)} of the Employment Allowance for the tax year from April ${year.year} is not posted: no central budget covers the months it reduces.`,
        ]
      : []),
  ]
}

/** @param index of the first month of the tax year that is not known */
function unknownSentence(budgets: readonly Claimant[], year: number, index: number): string {
  const month = firstDayOfMonth(year, 4 + index)
  const names = budgets.flatMap(({ name, months, ni }) => (months.includes(month) && ni[months.indexOf(month)] === null ? [name] : []))
  const locked = budgets.flatMap(({ name, isLocked, months, lines }) =>
    isLocked && months.includes(month) && lines[months.indexOf(month)] === null ? [name] : [],
  )
  const first = names.length
    ? ` Correct the contracts of ${displayList(names)} that are not calculated.`
    : locked.length
      ? ` ${displayList(locked)} ${locked.length === 1 ? 'was' : 'were'} locked before it was calculated. Remove ${locked.length === 1 ? 'it' : 'them'} from the group.`
      : ''
  return `The Employment Allowance is not calculated from ${formatPeriodMonth(4, index + 1)} ${calendarYear(month)} to March ${year + 1}.${first}`
}

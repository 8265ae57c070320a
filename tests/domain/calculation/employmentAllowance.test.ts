import { describe, expect, it } from 'vitest'
import { postEmploymentAllowance } from '../../../domain/budget/sharedLines.ts'
import { type Claimant, type ClaimShare, divideClaim } from '../../../domain/calculation/allowanceClaim.ts'
import { calculateAllowanceLine, clearAllowanceAmounts } from '../../../domain/calculation/employmentAllowance.ts'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import { listBudgetPeriods, toDay } from '../../../domain/values/calendar.ts'
import { toLocationId } from '../../../domain/values/ids.ts'
import { created } from '../../support/stories/budgetStory.ts'

/** £10,500 from 6 April 2025, in pennies. */
const amounts = [{ from: toDay('2025-04-06'), amount: 1_050_000 }]
const allowance = { amounts, hasCode: true }

type Figure = number | null
const times = (count: number, amount: Figure): Figure[] => Array.from({ length: count }, () => amount)

/** A budget of one or more years, with its national insurance by month. */
const budget = (
  firstYear: number,
  startMonth: number,
  ni: Figure[],
  { name = 'Central', locationId = toLocationId(1), isCentral = true, lines = [], isLocked = lines.length > 0 }: Partial<Claimant> = {},
): Claimant => ({
  name,
  locationId,
  isCentral,
  isLocked,
  months: listBudgetPeriods(firstYear, ni.length / 12, startMonth).map(({ first }) => first),
  ni,
  lines: isLocked && !lines.length ? ni.map(() => 0) : lines,
})
const school = (firstYear: number, startMonth: number, ni: Figure[], name = 'School'): Claimant =>
  budget(firstYear, startMonth, ni, { name, locationId: toLocationId(name === 'School' ? 2 : 3), isCentral: false })

/** The pennies that each budget posts, by month. */
const posted = (budgets: readonly Claimant[], claims: readonly ClaimShare[]): Figure[][] =>
  claims.map(({ years }, index) => calculateAllowanceLine(years, budgets[index]!.months))
const share = (budgets: readonly Claimant[], claim = allowance) => {
  const claims = divideClaim(budgets, claim)
  return { lines: posted(budgets, claims), problems: claims.map(({ problems }) => problems) }
}

describe('the Employment Allowance of a group', () => {
  it('reduces national insurance month by month from April until it is used up', () => {
    // 4,000.00 a month: April 4,000, May 4,000, June the remaining 2,500.
    const { lines, problems } = share([budget(2026, 4, times(12, 400_000))])
    expect(lines).toEqual([[-400_000, -400_000, -250_000, ...times(9, 0)]])
    expect(problems).toEqual([[]])
  })
  it('is never more than the national insurance of the month, and what is unused by March is lost', () => {
    // 12 × 800.00 = 9,600.00, less than 10,500: the remaining 900 are not carried into the next tax year.
    const { lines } = share([budget(2026, 4, [...times(12, 80_000), ...times(12, 600_000)])])
    expect(lines).toEqual([[...times(12, -80_000), -600_000, -450_000, ...times(10, 0)]])
  })
  it('of a month is based on all budgets together, and is posted only in the central one', () => {
    // 1,500 + 2,500 + 1,000 = 5,000 a month: April and May 5,000, June 500.
    const budgets = [school(2026, 4, times(12, 150_000)), school(2026, 4, times(12, 250_000), 'Other'), budget(2026, 4, times(12, 100_000))]
    expect(share(budgets).lines).toEqual([times(12, 0), times(12, 0), [-500_000, -500_000, -50_000, ...times(9, 0)]])
  })
  it('of the only budget of a group is posted there, central or not', () => {
    expect(share([school(2026, 4, times(12, 1_100_000))]).lines).toEqual([[-1_050_000, ...times(11, 0)]])
  })
  it('of an academy with a budget for each year is posted in both, and continues from one into the next', () => {
    const academy = (firstYear: number, amount: number, more: Partial<Claimant> = {}) =>
      budget(firstYear, 9, times(12, amount), { name: `${firstYear}`, locationId: toLocationId(2), isCentral: false, ...more })
    // April to August 2027 1,500 each = 7,500; September 1,800 and October the 1,200 left. Then from April 2028 1,800 a month, five times.
    const { lines, problems } = share([academy(2026, 150_000), academy(2027, 180_000)])
    expect(lines).toEqual([
      [...times(7, 0), ...times(5, -150_000)],
      [-180_000, -120_000, ...times(5, 0), ...times(5, -180_000)],
    ])
    expect(problems).toEqual([[], []])
    // A locked first year keeps its lines, and the second year posts the same remainder.
    const locked = academy(2026, 150_000, { lines: [...times(7, 0), ...times(5, -150_000)] })
    expect(share([locked, academy(2027, 180_000)]).lines).toEqual([times(12, 0), lines[1]])
  })
  it('of two tax years in a budget that begins in September counts from its first April, with nothing from the previous tax year', () => {
    // September 2026 to March 2027 belong to the tax year 2026/27, which began before the group's first month.
    const { lines } = share([budget(2026, 9, times(24, 300_000))])
    // April to June 2027 3,000 each, July the remaining 1,500; then from April 2028 again.
    expect(lines).toEqual([
      [...times(7, 0), -300_000, -300_000, -300_000, -150_000, 0, ...times(7, 0), -300_000, -300_000, -300_000, -150_000, 0],
    ])
  })
  it('is 10,500 from April 2025, and is not calculated if the table has no amount', () => {
    const { lines, problems } = share([budget(2024, 4, times(24, 2_000_000))])
    expect(lines).toEqual([[...times(12, null), -1_050_000, ...times(11, 0)]])
    expect(problems).toEqual([
      ['No amount is known for the Employment Allowance in the tax year from April 2024. An administrator can add it.'],
    ])
  })
  it('uses the newest amount at the beginning of the tax year', () => {
    const later = [...amounts, { from: toDay('2027-04-06'), amount: 1_100_000 }]
    const { lines } = share([budget(2026, 4, times(24, 2_000_000))], { amounts: later, hasCode: true })
    expect(lines).toEqual([[-1_050_000, ...times(11, 0), -1_100_000, ...times(11, 0)]])
  })
})

describe('a month with unknown national insurance', () => {
  it('leaves itself and all later months of its tax year not calculated, and no other tax year', () => {
    const ni = [...times(2, 200_000), null, ...times(9, 200_000), ...times(12, 1_050_000)]
    const { lines, problems } = share([budget(2026, 4, ni)])
    expect(lines).toEqual([[-200_000, -200_000, ...times(10, null), -1_050_000, ...times(11, 0)]])
    expect(problems[0]).toEqual([
      'The Employment Allowance is not calculated from June 2026 to March 2027. Correct the contracts of Central that are not calculated.',
    ])
  })
  it('has no effect if the allowance is used up before it', () => {
    const { lines, problems } = share([budget(2026, 4, [1_100_000, null, ...times(10, 200_000)])])
    expect(lines).toEqual([[-1_050_000, ...times(11, 0)]])
    expect(problems).toEqual([[]])
  })
  it('is one in which any budget of the group is not calculated', () => {
    const { lines } = share([school(2026, 4, [100_000, null, ...times(10, 100_000)]), budget(2026, 4, times(12, 100_000))])
    expect(lines[1]).toEqual([-200_000, ...times(11, null)])
  })
})

describe('budgets whose years begin in different months', () => {
  it('share a tax year whose April is in any of them; what falls before the central budget begins is used, and reported as not posted', () => {
    // The school has April to August 2026 with 1,000 each: 5,000 are used before the central team's September, 5,500 are left.
    const budgets = [school(2026, 4, times(24, 100_000)), budget(2026, 9, times(12, 200_000))]
    const { lines, problems } = share(budgets)
    // September to November 3,000, 2,500 …: 3,000 in September, the remaining 2,500 in October; from April 2027 3,000 a month.
    expect(lines[1]).toEqual([-300_000, -250_000, ...times(5, 0), -300_000, -300_000, -300_000, -150_000, 0])
    expect(problems[1]).toEqual([
      '£5,000.00 of the Employment Allowance for the tax year from April 2026 is not posted: no central budget covers the months it reduces.',
    ])
  })
})

describe('locked budgets', () => {
  it('keep their lines, and the open ones get the rest', () => {
    // The locked year posted 2,000 a month from April to August 2027 = 10,000; 500 are left, for September in the open one.
    const kept = [...times(7, 0), ...times(5, -200_000)]
    const budgets = [budget(2026, 9, times(12, 250_000), { name: 'Locked', lines: kept }), budget(2027, 9, times(12, 300_000))]
    const { lines } = share(budgets)
    expect(lines).toEqual([times(12, 0), [-50_000, ...times(6, 0), -300_000, -300_000, -300_000, -150_000, 0]])
  })
  it('of the same months keep their part of a month, and the open one gets no more than the rest of the month', () => {
    // 3,000 a month; 1,000 are kept in each of three months: 7,500 are left, 2,000 in each of April to June, then 1,500 of July.
    const kept = [-100_000, -100_000, -100_000, ...times(9, 0)]
    const budgets = [budget(2026, 4, times(12, 100_000), { name: 'Locked', lines: kept }), budget(2026, 4, times(12, 200_000))]
    expect(share(budgets).lines[1]).toEqual([-200_000, -200_000, -200_000, -150_000, ...times(8, 0)])
  })
  it('that are central keep the allowance as posted, and an open budget says so', () => {
    const locked = budget(2026, 4, times(12, 500_000), { name: 'Central 2026/27', isLocked: true })
    expect(share([locked, school(2026, 4, times(12, 500_000))])).toEqual({
      lines: [times(12, 0), times(12, 0)],
      problems: [[], ['The Employment Allowance stays as posted because the central location’s budget, Central 2026/27, is locked.']],
    })
  })
})

describe('a claim that cannot be posted', () => {
  it('is not calculated without a central budget, in the first open budget, once', () => {
    const budgets = [school(2026, 9, times(12, 100_000)), school(2026, 9, times(12, 100_000), 'Other')]
    expect(share(budgets)).toEqual({
      lines: [[...times(7, 0), ...times(5, null)], times(12, 0)],
      problems: [['The Employment Allowance is not calculated: the group has no budget of a central location.'], []],
    })
  })
  it('is not calculated without a budget code', () => {
    expect(share([budget(2026, 4, times(12, 100_000))], { amounts, hasCode: false })).toEqual({
      lines: [times(12, null)],
      problems: [['The Employment Allowance is not calculated: the group has no budget code for it. Choose one in the group.']],
    })
  })
})

describe('the lines of an allowance', () => {
  const head = { ...created().data, id: 'x', locked: false }
  it('of an engine without the allowance are none, and once withdrawn they are not calculated', () => {
    const months = listBudgetPeriods(head.firstYear, head.numberOfYears, head.startMonth).map(({ first }) => first)
    const [claim] = divideClaim(
      [
        budget(
          head.firstYear,
          head.startMonth,
          months.map(() => 2_000_000),
        ),
      ],
      allowance,
    )
    const own = { engine: engineVersion, budgetCodeId: 7, costCentreId: 3, ...claim! }
    const ofHead = head as unknown as Parameters<typeof postEmploymentAllowance>[0]
    const lines = postEmploymentAllowance(ofHead, own)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines[0]).toMatchObject({ component: 'employmentAllowance', budgetCodeId: 7, costCentreId: 3, fundCodeId: null })
    expect(lines.flatMap(({ amounts: of }) => of).filter((amount) => amount)).toContain(-1_050_000)
    expect(postEmploymentAllowance(ofHead, { ...own, engine: '1.0.0' })).toEqual([])
    const withdrawn = postEmploymentAllowance(ofHead, clearAllowanceAmounts(own)).flatMap(({ amounts: of }) => of)
    expect(withdrawn.every((amount) => amount === null || amount === 0)).toBe(true)
    expect(withdrawn).toContain(null)
  })
})

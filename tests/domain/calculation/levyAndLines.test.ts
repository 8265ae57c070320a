import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContractCost, YearCost } from '../../../domain/calculation/inputs.ts'
import { calculateLevy, calculateLevyShares, monthlyLevyAllowance, resolveEnteredLevyShares } from '../../../domain/calculation/levy.ts'
import { joinYears, type PostedLine, postContract, splitByYear, type TermCoding } from '../../../domain/calculation/staffing/posting.ts'
import { addSums, toKnownTotal } from '../../../domain/calculation/sums.ts'
import { firstDayOfMonth, toDay } from '../../../domain/values/calendar.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'

const twelve = (amount: number | null): (number | null)[] => Array.from({ length: 12 }, () => amount)
const sum = (figures: readonly (number | null)[]): number => figures.reduce<number>((total, figure) => total + (figure ?? 0), 0)

const costYear = ({
  gross,
  ni,
  pension,
  recovery,
}: Record<'gross' | 'ni' | 'pension', number | null> & { recovery: number }): YearCost => ({
  year: '2026/27',
  basic: twelve(gross),
  allowances: {},
  leavePay: twelve(0),
  leaveRecovery: twelve(recovery),
  gross: twelve(gross),
  ni: twelve(ni),
  pension: twelve(pension),
})
const costWith = (years: YearCost[]): ContractCost => ({ name: 'one', problems: [], warnings: [], years })

describe('the apprenticeship levy', () => {
  it('is half a percent of the gross to the penny, less the share of the allowance, and never below zero', () => {
    // £300,000.99 in a month: £1,500.00495, less £1,250.
    expect(calculateLevy([30_000_099, 20_000_000, 0], [125_000, 125_000, 125_000])).toEqual([25_000, 0, 0])
    expect(calculateLevy([30_000_100], [0])).toEqual([150_001])
  })
  it('is unknown while the gross or the share is unknown', () => {
    expect(calculateLevy([null, 30_000_000], [0, null])).toEqual([null, null])
  })
  it('is zero in a month without pay, whether the share is known or not', () => {
    expect(calculateLevy([0, -5, 30_000_000], [])).toEqual([0, 0, null])
  })
  it('of open budgets shares the allowance left by the locked ones, never more than exists', () => {
    const payer = (amount: number, kept: (number | string | null)[] | null = null) => ({ gross: [{ month: 0, amount }], kept })
    expect(calculateLevyShares([payer(600, [62_500]), payer(600), payer(900)])).toEqual([[62_500], [25_000], [37_500]])
    expect(calculateLevyShares([payer(600, ['250000/3']), payer(600)])).toEqual([['250000/3'], [41_666]])
    expect(calculateLevyShares([payer(600, [130_000]), payer(600), payer(0)])).toEqual([[130_000], [0], [0]])
  })
  it('shares the whole allowance of each calendar month by gross, whatever month a budget starts in', () => {
    const month = (number: number) => firstDayOfMonth(2026, number)
    const [academy, school] = calculateLevyShares([
      { gross: [9, 10].map((number) => ({ month: month(number), amount: 30_000_000 })), kept: null },
      { gross: [10, 11].map((number) => ({ month: month(number), amount: 10_000_000 })), kept: null },
    ])
    expect(academy).toEqual([monthlyLevyAllowance, 93_750])
    expect(school).toEqual([31_250, monthlyLevyAllowance])
  })
  it('leaves the shares of a month unknown if one gross is unknown', () => {
    const gross = (amount: number | null) => ({ gross: [{ month: 0, amount }], kept: null })
    expect(calculateLevyShares([gross(100), gross(null)])).toEqual([[null], [null]])
  })
  it('leaves the shares of a month unknown if a locked budget with pay has an unknown share', () => {
    const month = (amount: number | null, kept: (number | null)[] | null = null) => ({ gross: [{ month: 0, amount }], kept })
    expect(calculateLevyShares([month(600, [null]), month(600), month(900, [62_500])])).toEqual([[null], [null], [62_500]])
    expect(calculateLevyShares([month(600, []), month(600)])).toEqual([[null], [null]])
    expect(calculateLevyShares([month(null, [null]), month(600)])).toEqual([[null], [null]])
    // A contract without pay uses none of the allowance, however large its share.
    expect(calculateLevyShares([month(0, [null]), month(600)])).toEqual([[null], [monthlyLevyAllowance]])
  })
  it('uses typed shares from their dates, as pounds a year or as percent of the allowance', () => {
    const rows = [
      { from: toDay('2026-09-01'), allowance: 3000, percentage: 20 },
      { from: toDay('2027-01-01'), allowance: 1000, percentage: 12.5 },
    ]
    const months = ['2026-08-01', '2026-09-01', '2027-01-01'].map(toDay)
    expect(resolveEnteredLevyShares(rows, false, months)).toEqual([0, 25_000, '25000/3'])
    expect(resolveEnteredLevyShares(rows, true, months)).toEqual([0, 25_000, 15_625])
  })
  it('deducts the exact twelfth of a typed share: only the month is rounded', () => {
    // 11.81 % of 15,000 is 1,771.50 a year; half a percent of 40,872.07 is 204.36035, less 147.625 is 56.73535.
    const september = [toDay('2026-09-01')]
    const typed = { from: toDay('2026-09-01'), allowance: 1771.5, percentage: 11.81 }
    for (const asPercentage of [true, false])
      expect(calculateLevy([4_087_207], resolveEnteredLevyShares([typed], asPercentage, september))).toEqual([5_674])
    // Shares stored in the log by earlier recalculations are whole pennies and stay unchanged.
    expect(calculateLevy([4_087_207], [14_763])).toEqual([5_673])
  })
})

describe('the lines of a contract', () => {
  const coding: TermCoding = {
    basic: { budgetCodeId: 1, costCentreId: 10 },
    ni: { budgetCodeId: 2, costCentreId: null },
    pension: { budgetCodeId: 3, costCentreId: 11 },
  }
  const costOf = (gross: number | null, ni: number | null, pension: number | null, recovery = 0): ContractCost =>
    costWith([costYear({ gross, ni, pension, recovery })])
  it('add up to its cost to the penny, however the fund codes share it', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(shares, fc.integer({ min: 1, max: 900_000 }), fc.integer({ min: 0, max: 90_000 }), (weights, gross, ni) => {
        const whole = sum(weights)
        const percentages = weights.map((weight) => Math.floor((weight * 1_000_000) / whole) / 10_000)
        percentages[0] = Number((percentages[0]! + 100 - sum(percentages)).toFixed(4))
        const funds = percentages.map((percentage, index) => ({ fundCodeId: index + 1, percentage }))
        const lines = postContract(costOf(gross, ni, -gross, -ni), coding, funds)
        for (let month = 0; month < 12; month++) expect(sum(lines.map((line) => line.amounts[month]!))).toBe(gross + ni - gross - ni)
        expect(sum(lines.filter((line) => line.component === 'pay').map((line) => sum(line.amounts)))).toBe(12 * gross)
      }),
    )
  })
  it('go to the codes of the payroll code, each component to its own', () => {
    const lines = postContract(costOf(100, 20, 30, -5), coding, [])
    expect(
      lines.map(({ component, budgetCodeId, costCentreId, fundCodeId }) => [component, budgetCodeId, costCentreId, fundCodeId]),
    ).toEqual([
      ['pay', 1, 10, null],
      ['recovery', 1, 10, null],
      ['ni', 2, null, null],
      ['pension', 3, 11, null],
    ])
  })
  it('show where a month could not be calculated, and leave out components that are zero all year', () => {
    const lines = postContract(costOf(100, null, 0), coding, [{ fundCodeId: 7, percentage: 100 }])
    expect(lines.map((line) => [line.component, line.amounts[0]])).toEqual([
      ['pay', 100],
      ['ni', null],
    ])
  })
})

describe('the years of a line', () => {
  const line = (year: number, more: Partial<PostedLine> = {}): PostedLine => ({
    component: 'entry',
    year,
    budgetCodeId: 1,
    costCentreId: null,
    fundCodeId: null,
    amounts: twelve(100 + year),
    ...more,
  })
  it('that follow each other are stored together, and start again after a year of zeros', () => {
    const cost = (years: readonly number[]) => costWith(years.map((gross) => costYear({ gross, ni: 0, pension: 0, recovery: 0 })))
    const coding = { budgetCodeId: 1, costCentreId: null }
    const kept = (years: readonly number[]) =>
      postContract(cost(years), { basic: coding, ni: coding, pension: coding }, []).map(({ firstYear, amounts }) => [
        firstYear,
        amounts.filter((_amount, month) => month % 12 === 0),
      ])
    expect(kept([1, 2, 3, 4, 5])).toEqual([[0, [1, 2, 3, 4, 5]]])
    expect(kept([0, 2, 3, 0, 5])).toEqual([
      [1, [2, 3]],
      [4, [5]],
    ])
    expect(kept([0, 0])).toEqual([])
  })
  it('with another coding are another line, and so is a second one of the same year', () => {
    const kept = joinYears([line(0), line(1), line(1, { fundCodeId: 7 }), line(1), line(3)])
    expect(kept.map(({ firstYear, fundCodeId, amounts }) => [firstYear, fundCodeId, amounts.length])).toEqual([
      [0, null, 24],
      [1, 7, 12],
      [1, null, 12],
      [3, null, 12],
    ])
  })
  it('are read one by one as they were posted', () => {
    const posted = fc.array(
      fc.record({
        year: fc.nat(4),
        budgetCodeId: fc.constantFrom(1, 2, null),
        fundCodeId: fc.constantFrom(3, null),
        amounts: fc.array(fc.option(fc.integer(), { nil: null }), { minLength: 12, maxLength: 12 }),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(posted, (lines) => {
        const given = lines.map(({ year, ...more }) => line(year, more))
        const texts = (all: readonly PostedLine[]): string[] => all.map(canonicalJson).sort()
        expect(texts(splitByYear(joinYears(given)))).toEqual(texts(given))
      }),
    )
  })
})

describe('sums of lines', () => {
  it('show nothing rather than zero if nothing could be calculated, and zero if it is zero', () => {
    expect(toKnownTotal({ total: 0, missing: 12 })).toBeNull()
    expect(toKnownTotal({ total: 0, missing: 0 })).toBe(0)
    expect(toKnownTotal({ total: 0.29, missing: 1 })).toBe(29)
  })
  it('add up to the penny and keep every gap', () => {
    const sum = addSums([
      { total: 0.1, missing: 0 },
      { total: 0.2, missing: 3 },
      { total: -0.01, missing: 1 },
    ])
    expect([toKnownTotal(sum), sum.missing]).toEqual([29, 4])
  })
})

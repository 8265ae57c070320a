import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeSum, calculateOverviewYears, calculateShareOfWhole } from '../../../domain/calculation/nonStaffing/balances.ts'
import {
  calculateGagPool,
  calculateTopSlices,
  listLockedReceipts,
  listUngroupedTransfers,
  type Transfer,
  type TransferParty,
} from '../../../domain/calculation/nonStaffing/transfers.ts'
import { toLocationId } from '../../../domain/values/ids.ts'

const even = (year: number): number[] => Array.from({ length: 12 }, (_unused, month) => Math.floor(year / 12) + (month < year % 12 ? 1 : 0))
const party = (locationId: number, income: number | null, pupils: number | null = 100, isCentral = false): TransferParty => ({
  locationId: toLocationId(locationId),
  isCentral,
  year: 0,
  income: new Map([[1, income === null ? Array(12).fill(null) : even(income)]]),
  pupils,
  lockedTransfers: null,
})
const sum = (amounts: readonly (number | null)[]): number => amounts.reduce<number>((all, one) => all + (one ?? Number.NaN), 0)
const member = (locationId: number, weight = 1) => ({ locationId: toLocationId(locationId), percentage: 10, weight, budgetCodeId: 1 })

describe('pooling of general annual grant', () => {
  const parties = [party(1, 210_000_000, 420), party(2, 595_000_000, 1000), party(3, 105_000_000, 180)]
  it('takes a percentage of each and shares it by pupils, to the penny', () => {
    const { byParty, problems } = calculateGagPool(parties, { tableId: 7, shareByPupils: true, members: [member(1), member(2), member(3)] })
    expect(byParty.map((own) => sum(own[0]!.amounts))).toEqual([-21_000_000, -59_500_000, -10_500_000])
    expect(byParty.map((own) => sum(own[1]!.amounts))).toEqual([23_887_500, 56_875_000, 10_237_500])
    expect(problems).toEqual([])
  })
  it('adds up to zero over the trust in every month, whatever the incomes and weights', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 900_000_000 }), fc.integer({ min: 0, max: 5000 })), { minLength: 2, maxLength: 9 }),
        (schools) => {
          const all = schools.map(([income], index) => party(index, income))
          const members = schools.map(([, weight], index) => member(index, weight))
          const { byParty } = calculateGagPool(all, { tableId: 1, shareByPupils: false, members })
          for (let month = 0; month < 12; month++) expect(sum(byParty.flatMap((own) => own.map((one) => one.amounts[month]!)))).toBe(0)
          for (const own of byParty) expect(own[1]!.amounts.every((amount) => amount! >= -schools.length)).toBe(true)
        },
      ),
    )
  })
  it('is not calculated for anybody while one income or the pupils are unknown', () => {
    const { byParty, problems } = calculateGagPool([party(1, 100), party(2, null)], {
      tableId: 1,
      shareByPupils: false,
      members: [member(1), member(2)],
    })
    expect(byParty.flat().every((one) => one.amounts.every((amount) => amount === null))).toBe(true)
    expect(problems).toEqual(['The pool cannot be shared: an income is not known.'])
    expect(
      calculateGagPool([party(1, 100, null), party(2, 100)], { tableId: 1, shareByPupils: true, members: [member(1), member(2)] }).problems,
    ).toHaveLength(1)
  })
})

describe('a pool that includes locked budgets', () => {
  it('adds up to zero over the trust in every month: the open ones share what the locked ones leave', () => {
    const rule = { tableId: 1, shareByPupils: false, members: [member(1), member(2), member(3)] }
    const before = calculateGagPool([party(1, 120_000), party(2, 240_000), party(3, 360_001)], rule).byParty
    const locked = { ...party(1, 120_000), lockedTransfers: before[0]! }
    for (const incomes of [
      [240_000, 360_001],
      [9_999_999, 17],
      [0, 0],
    ]) {
      const { byParty, problems } = calculateGagPool([locked, party(2, incomes[0]!), party(3, incomes[1]!)], rule)
      expect([byParty[0], problems]).toEqual([[], []])
      const all = [...before[0]!, ...byParty.flat()]
      for (let month = 0; month < 12; month++) expect(sum(all.map((one) => one.amounts[month]!))).toBe(0)
      expect(sum(byParty[1]![0]!.amounts)).toBe(-Math.round(incomes[0]! / 10) || 0)
    }
  })
})

describe('a budget in no group', () => {
  const rules = {
    slices: [
      { tableId: 3, locationId: toLocationId(1), method: 1, value: 10, budgetCodeId: 40, centralBudgetCodeId: 12, incomeCodeIds: [1] },
    ],
    pools: [{ tableId: 4, shareByPupils: false, members: [member(1), member(2)] }],
  }
  const nothing = Array(12).fill(null)
  it('has its slice and its parts of a pool not calculated, never zero', () => {
    const sides = listUngroupedTransfers(party(1, 120_000), rules, [])
    expect(sides.map((one) => [one.part, one.amounts])).toEqual([
      ['charge', nothing],
      ['contribution', nothing],
      ['share', nothing],
    ])
    expect(listUngroupedTransfers(party(9, 0, null, true), rules, []).map((one) => [one.part, one.counterpartId, one.amounts])).toEqual([
      ['receipt', 1, nothing],
    ])
  })
  it('keeps copied transfers as long as their income is unchanged', () => {
    const side = { tableId: 4, year: 0, budgetCodeId: 1, counterpartId: null } as const
    const posted: Transfer[] = [
      { kind: 'topSlice', tableId: 3, year: 0, budgetCodeId: 40, counterpartId: toLocationId(9), part: 'charge', amounts: even(12_000) },
      { ...side, kind: 'gagPool', part: 'contribution', amounts: even(12_000).map((one) => -one) },
      { ...side, kind: 'gagPool', part: 'share', amounts: even(7_777) },
    ]
    expect(listUngroupedTransfers(party(1, 120_000), rules, posted)).toEqual(posted)
    expect(listUngroupedTransfers(party(1, 120_120), rules, posted).every((one) => one.amounts.every((amount) => amount === null))).toBe(
      true,
    )
  })
})

describe('top slices', () => {
  const rule = (locationId: number, method: number, value: number) => ({
    tableId: 3,
    locationId: toLocationId(locationId),
    method,
    value,
    budgetCodeId: 40,
    centralBudgetCodeId: 12,
    incomeCodeIds: [1],
  })
  it('are a percentage of income, pounds for each pupil, or a fixed sum, and are posted at both parties', () => {
    const parties = [party(1, 425_000_000), party(2, 100, 850), party(3, 100), party(9, 0, null, true)]
    const { byParty } = calculateTopSlices(parties, [rule(1, 1, 5), rule(2, 2, 245), rule(3, 3, 60_000)], '')
    expect(byParty.slice(0, 3).map((own) => own.map((one) => [one.budgetCodeId, sum(one.amounts)]))).toEqual([
      [[40, 21_250_000]],
      [[40, 20_825_000]],
      [[40, 6_000_000]],
    ])
    expect(byParty[3]!.map((one) => [one.budgetCodeId, one.counterpartId, sum(one.amounts)])).toEqual([
      [12, 1, 21_250_000],
      [12, 2, 20_825_000],
      [12, 3, 6_000_000],
    ])
  })
  it('are not posted without a central budget to receive them, which is reported', () => {
    const { byParty, problems } = calculateTopSlices([party(1, 100), party(2, 100)], [rule(1, 1, 5)], 'No central budget.')
    expect(byParty.flat()).toEqual([])
    expect(problems).toEqual(['No central budget.'])
  })
})

describe('top slices of a locked budget', () => {
  it('are received as posted, whatever the rule is now', () => {
    const central = party(9, 0, null, true)
    const charge: Transfer = {
      kind: 'topSlice',
      tableId: 3,
      year: 2,
      budgetCodeId: 40,
      counterpartId: toLocationId(9),
      part: 'charge',
      amounts: even(777),
    }
    const { receipts, isWhole } = listLockedReceipts(central, [{ ...party(1, 500), lockedTransfers: [charge] }, party(2, 5)], () => 12)
    expect(isWhole).toBe(true)
    expect(receipts).toEqual([{ ...charge, year: 0, budgetCodeId: 12, counterpartId: toLocationId(1), part: 'receipt' }])
    expect(listLockedReceipts(central, [{ ...party(1, 500), lockedTransfers: [charge] }], () => undefined)).toEqual({
      receipts: [],
      isWhole: false,
    })
  })
})

describe('the years of a budget', () => {
  const code = (isIncome: boolean, category: number | null, cfrCode: string | null = null) => ({ isIncome, category, cfrCode })
  const line = (part: Partial<CodeSum>): CodeSum => ({ code: code(true, 2), isStaff: false, year: 0, total: 0, missing: 0, ...part })
  it('carry each balance separately: revenue, capital and extended', () => {
    const sums = [0, 1].flatMap((year) => [
      line({ year, total: 1000 }),
      line({ year, code: code(false, 1), isStaff: true, total: 700 }),
      line({ year, code: null, isStaff: true, total: 50 }),
      line({ year, code: code(false, 2), total: 400 }),
      line({ year, code: code(true, 3), total: 90 }),
      line({ year, code: code(false, 2, 'CE02'), total: 40 }),
      line({ year, code: code(true, 2, 'I17'), total: 7 }),
      line({ year, code: code(true, 4), total: 99_999 }),
    ])
    const [first, second] = calculateOverviewYears(sums, new Map([[1, 500]]), 2)
    expect(first).toMatchObject({ income: 1097, staffing: 750, nonStaffing: 440, inYear: -93, opening: 500, closing: 407 })
    expect(first!.balances.map((one) => one.closing)).toEqual([350, 50, 7])
    expect(second!.balances.map((one) => [one.opening, one.closing])).toEqual([
      [350, 200],
      [50, 100],
      [7, 14],
    ])
  })
  it('count the missing figures of each line, and those that a balance lacks from earlier years', () => {
    const [first, second] = calculateOverviewYears([line({ missing: 3 }), line({ code: code(false, 2), missing: 2 })], new Map(), 2)
    expect(first!.gaps).toEqual({ income: 3, staffing: 0, nonStaffing: 2, inYear: 5, opening: 0, closing: 5 })
    expect([second!.gaps.inYear, second!.gaps.opening, second!.gaps.closing]).toEqual([0, 5, 5])
  })
  it('count their missing figures', () => {
    expect(calculateOverviewYears([line({ missing: 3 }), line({ code: code(false, 2), missing: 2 })], new Map(), 1)[0]!.missing).toBe(5)
    expect([calculateShareOfWhole(784, 1000), calculateShareOfWhole(1, 0)]).toEqual([78.4, null])
  })
})

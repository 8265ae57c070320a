import { describe, expect, it } from 'vitest'
import {
  calculateGagPool,
  calculateTopSlices,
  type PoolRule,
  type SliceRule,
  type TransferParty,
} from '../../../domain/calculation/nonStaffing/transfers.ts'
import { toLocationId } from '../../../domain/values/ids.ts'

/** Pools and top slices worked out by hand (rules.md §14). Figures are pennies, starting in September; 1 is the code of the GAG. */
const school = (locationId: number, months: number[], pupils: number | null = null, isCentral = false): TransferParty => ({
  locationId: toLocationId(locationId),
  isCentral,
  year: 0,
  income: new Map([[1, months]]),
  pupils,
  lockedTransfers: null,
})
const inOneMonth = (month: number, pennies: number): number[] => Array.from({ length: 12 }, (_unused, at) => (at === month ? pennies : 0))
const byTwelfths = (pennies: number): number[] => Array<number>(12).fill(pennies / 12)
const poolOf = (share: 'pupils' | 'weights', members: [locationId: number, percentage: number, weight: number][]): PoolRule => ({
  tableId: 1,
  shareByPupils: share === 'pupils',
  members: members.map(([locationId, percentage, weight]) => ({
    locationId: toLocationId(locationId),
    percentage,
    weight,
    budgetCodeId: 1,
  })),
})
const year = (amounts: readonly (number | null)[]): number => amounts.reduce<number>((all, one) => all + (one ?? Number.NaN), 0)
const paidAndBack = (parties: TransferParty[], rule: PoolRule) =>
  calculateGagPool(parties, rule).byParty.map(([paid, back]) => ({ paid: paid!.amounts, back: back!.amounts }))

describe('a pool calculated by hand', () => {
  it('takes each percentage of the year, rounded once, and shares it by the pupils of the previous October', () => {
    // 5.5 % of £2,100,000.37 is 115,500.02035: £115,500.02. 7.333 % of £5,950,000.01 is 436,313.50073: £436,313.50.
    // 5.5 % of £1,050,000.55 is 57,750.03025: £57,750.03. The pool is £609,563.55, for 420 + 1,000 + 191 = 1,611 pupils.
    // A pupil brings 378.375884…: 158,917.8715…, 378,375.8845… and 72,269.7939…, of which whole pennies are
    // £158,917.87, £378,375.88 and £72,269.79: £609,563.54. The odd penny goes to the second, the largest: £378,375.89.
    const worked = paidAndBack(
      [school(1, inOneMonth(0, 210_000_037), 420), school(2, inOneMonth(0, 595_000_001), 1000), school(3, inOneMonth(0, 105_000_055), 191)],
      poolOf('pupils', [
        [1, 5.5, 1],
        [2, 7.333, 1],
        [3, 5.5, 1],
      ]),
    )
    expect(worked.map(({ paid }) => year(paid))).toEqual([-11_550_002, -43_631_350, -5_775_003])
    expect(worked.map(({ back }) => year(back))).toEqual([15_891_787, 37_837_589, 7_226_979])
  })
  it('gives the odd pennies of the year to the largest share, not to the largest remainders', () => {
    // All of £60.00, £30.00 and £10.01 is pooled: £100.01. By weights of 4, 1 and 1 the shares are 66.6733…, 16.6683… and 16.6683…:
    // £66.67, £16.66 and £16.66 in whole pennies, and two pennies are left. Both go to the first: £66.69.
    const worked = paidAndBack(
      [school(1, inOneMonth(3, 6000)), school(2, inOneMonth(3, 3000)), school(3, inOneMonth(3, 1001))],
      poolOf('weights', [
        [1, 100, 4],
        [2, 100, 1],
        [3, 100, 1],
      ]),
    )
    expect(worked.map(({ back }) => year(back))).toEqual([6669, 1666, 1666])
    // Of several largest parties, the earliest gets the odd penny: £1.00 by 1, 1 and 1 is 33 pence each, and one penny is left.
    const equal = paidAndBack(
      [school(1, inOneMonth(0, 100)), school(2, inOneMonth(0, 0)), school(3, inOneMonth(0, 0))],
      poolOf('weights', [
        [1, 100, 1],
        [2, 100, 1],
        [3, 100, 1],
      ]),
    )
    expect(equal.map(({ back }) => year(back))).toEqual([34, 33, 33])
  })
  it('returns in each month everything that was paid in for it', () => {
    // £1,200.00 in September pays £120.00 at 10 %, in September; £600.00 by twelfths pays £5.00 a month. The pool is £125.00 in September,
    // £5.00 in every other month, £180.00 in all. By 2 to 1 the first gets £120.00 and the second £60.00.
    // The second's £60.00 follows the pool: 60 × 125 ÷ 180 = 41.666… in September and 60 × 5 ÷ 180 = 1.666… in the others. In whole
    // pennies that is 41.66 + 11 × 1.66 = £59.92, and the eight pennies left go to equal remainders, the earlier first: September to April.
    // The first, who has the largest share, gets what is left of each month.
    const worked = paidAndBack(
      [school(1, inOneMonth(0, 120_000)), school(2, byTwelfths(60_000))],
      poolOf('weights', [
        [1, 10, 2],
        [2, 10, 1],
      ]),
    )
    expect(worked[0]!.paid).toEqual([-12_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(worked[1]!.paid).toEqual(Array(12).fill(-500))
    expect(worked[1]!.back).toEqual([4167, 167, 167, 167, 167, 167, 167, 167, 166, 166, 166, 166])
    expect(worked[0]!.back).toEqual([8333, 333, 333, 333, 333, 333, 333, 333, 334, 334, 334, 334])
  })
})

describe('top slices calculated by hand', () => {
  const central = school(9, inOneMonth(0, 0), null, true)
  const ruleOf = (method: number, value: number): SliceRule => ({
    tableId: 3,
    locationId: toLocationId(1),
    method,
    value,
    budgetCodeId: 40,
    centralBudgetCodeId: 12,
    incomeCodeIds: [1, 2],
  })
  const charge = (payer: TransferParty, rule: SliceRule) => {
    const { byParty } = calculateTopSlices([payer, central], [rule], '')
    // The central team receives in every month what the school is charged.
    expect(byParty[1]![0]!.amounts).toEqual(byParty[0]![0]!.amounts)
    return byParty[0]![0]!.amounts
  }
  it('of a percentage are calculated on the year’s income of all codes, and distributed over months like it', () => {
    // £100.00 in September, £200.00 in January and 3 pence in August are £300.03; 3 % is 9.0009: £9.00. By months that is
    // 900 × 10,000 ÷ 30,003 = 299.97, 900 × 20,000 ÷ 30,003 = 599.94 and 900 × 3 ÷ 30,003 = 0.09 pence: 299 + 599 + 0, and the two
    // pennies left go to the largest remainders, September and January.
    const months = inOneMonth(0, 10_000)
    months[11] = 3
    const payer = {
      ...school(1, months),
      income: new Map([
        [1, months],
        [2, inOneMonth(4, 20_000)],
      ]),
    }
    expect(charge(payer, ruleOf(1, 3))).toEqual([300, 0, 0, 0, 600, 0, 0, 0, 0, 0, 0, 0])
  })
  it('of half a penny are rounded up', () => {
    // 12.5 % of 20 pence is 2.5 pence: 3.
    expect(year(charge(school(1, inOneMonth(2, 20)), ruleOf(1, 12.5)))).toBe(3)
  })
  it('of pounds a pupil use the previous October, in twelfths', () => {
    // 1,010.5 pupils at £17.35 are 17,532.175: £17,532.18. A twelfth is 1,461.015: six months of £1,461.02, then six of £1,461.01.
    expect(charge(school(1, inOneMonth(0, 1), 1010.5), ruleOf(2, 17.35))).toEqual([...Array(6).fill(146_102), ...Array(6).fill(146_101)])
  })
  it('of a fixed sum are distributed in twelfths, odd pennies to the earlier months', () => {
    // £10,000.01 ÷ 12 = 833.33416…: twelve times £833.33 are £9,999.96, and five pennies are left.
    expect(charge(school(1, inOneMonth(0, 1)), ruleOf(3, 10_000.01))).toEqual([...Array(5).fill(83_334), ...Array(7).fill(83_333)])
  })
})

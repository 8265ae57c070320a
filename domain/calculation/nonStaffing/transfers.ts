import { topSliceMethod } from '../../lookups/lookupIds.ts'
import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import type { LocationId } from '../../values/ids.ts'
import type { Pennies, Percent } from '../../values/units.ts'
import { fromInteger, parseDecimal, round, times } from '../exact.ts'
import type { Figure } from '../inputs.ts'
import { findIndexOfLargest, split, splitToLargest } from '../split.ts'
import { calculatePercentage, toWholeWeights } from './entries.ts'

/** One budget's side of a GAG pool or top slice in one year: twelve months in whole pennies (rules.md §14). */
export interface Transfer {
  kind: 'gagPool' | 'topSlice'
  /** The table that contains its rule. */
  tableId: number
  /** Counted from 0. */
  year: number
  budgetCodeId: number
  /** The location at the other end of the transfer; null for a pool, which has many. */
  counterpartId: LocationId | null
  part: 'contribution' | 'share' | 'charge' | 'receipt'
  amounts: Figure[]
}

/** One budget of a group in one year: the facts that pools and top slices are calculated from. */
export interface TransferParty {
  locationId: LocationId
  isCentral: boolean
  year: number
  /** Whole pennies of each month by income code, before any pool or slice. */
  income: ReadonlyMap<number, Figure[]>
  /** Pupils on roll in the year; null if not known. */
  pupils: number | null
  /** For a locked budget, the transfers that it has posted for the year and that the other budgets must match; null for an open budget. */
  lockedTransfers: readonly Transfer[] | null
}

export interface PoolRule {
  tableId: number
  shareByPupils: boolean
  members: readonly { locationId: LocationId; percentage: Percent; weight: number; budgetCodeId: number }[]
}

export interface SliceRule {
  tableId: number
  locationId: LocationId
  /** From the list `topSliceMethods`: 1 a percentage of income, 2 pounds a pupil, 3 pounds a year. */
  method: number
  value: number
  budgetCodeId: number
  centralBudgetCodeId: number
  /** The income codes that a percentage applies to. */
  incomeCodeIds: readonly number[]
}

/** The transfers of each party, in the order of the parties. Each entry in `problems` explains one that could not be calculated. */
export interface CalculatedTransfers {
  byParty: Transfer[][]
  problems: string[]
}

const equal = Array<number>(12).fill(1)
const unknown = Array<Figure>(12).fill(null)
const sum = (figures: readonly Figure[]): Figure =>
  figures.reduce<Figure>((all, one) => (all === null || one === null ? null : all + one), 0)
const months = (figures: readonly Figure[][]): Figure[] =>
  Array.from({ length: 12 }, (_unused, month) => sum(figures.map((one) => requireItemAt(one, month))))
const minus = (figures: readonly Figure[]): Figure[] => figures.map((one) => (one === null ? null : -one || 0))

/** Spreads the whole pennies of a year over its months in proportion to `like`, the income that they are taken from. */
function spreadOverMonths(total: number, like: readonly Figure[]): Pennies[] {
  const weights = like.map((one) => Math.max(0, one ?? 0))
  return split(total, weights.some((weight) => weight > 0) ? weights : equal)
}

/**
 * Calculates a GAG pool: each member contributes a percentage of the income on its GAG code, and the pool is shared back by pupils or
 * entered weights. Both sides are posted to the member's own income code, so that the trust's income is unchanged in every month. The
 * posted sides of locked budgets are fixed; open budgets share the rest.
 */
export function calculateGagPool(parties: readonly TransferParty[], rule: PoolRule): CalculatedTransfers {
  const byParty: Transfer[][] = parties.map(() => [])
  const members = rule.members.flatMap((member) => {
    const index = parties.findIndex((party) => party.locationId === member.locationId && party.lockedTransfers === null)
    return index === -1 ? [] : [{ ...member, index, party: assertDefined(parties[index]) }]
  })
  const frozen = parties.flatMap(
    (party) => party.lockedTransfers?.filter((one) => one.kind === 'gagPool' && one.tableId === rule.tableId) ?? [],
  )
  const isShared = members.length > 1 || (members.length === 1 && frozen.length > 0)
  if (!isShared) return { byParty, problems: [] }
  const paid = members.map(({ party, budgetCodeId, percentage }) => calculateContribution(party, budgetCodeId, percentage))
  const pupils = members.map(({ party }) => party.pupils)
  const taken = frozen.map((one) => minus(one.amounts))
  const isKnown = [...paid, ...taken].every((one) => sum(one) !== null) && !(rule.shareByPupils && pupils.includes(null))
  const problems = isKnown
    ? []
    : [
        rule.shareByPupils && pupils.includes(null)
          ? 'The pool cannot be shared: pupil numbers are missing.'
          : 'The pool cannot be shared: an income is not known.',
      ]
  const weights = members.map((member, index) => (rule.shareByPupils ? (pupils[index] ?? 0) : member.weight))
  const back = isKnown ? shareBack(months([...paid, ...taken]).map(assertDefined), weights) : members.map(() => [...unknown])
  for (const [at, { index, party, budgetCodeId }] of members.entries()) {
    const side = { kind: 'gagPool', tableId: rule.tableId, year: party.year, budgetCodeId, counterpartId: null } as const
    assertDefined(byParty[index]).push({ ...side, part: 'contribution', amounts: isKnown ? minus(assertDefined(paid[at])) : [...unknown] })
    assertDefined(byParty[index]).push({ ...side, part: 'share', amounts: assertDefined(back[at]) })
  }
  return { byParty, problems }
}

function calculateContribution({ income }: TransferParty, budgetCodeId: number, percentage: Percent): Figure[] {
  const incomeByMonth = income.get(budgetCodeId) ?? Array<Figure>(12).fill(0)
  const year = sum(incomeByMonth)
  return year === null ? [...unknown] : spreadOverMonths(calculatePercentage(year, percentage), incomeByMonth)
}

/**
 * Shares a pool so that the yearly shares of all members, and their shares in each month, add up to the pool to the penny. The member with
 * the largest share takes the odd pennies of the year and of each month.
 */
function shareBack(poolMonths: readonly number[], weights: readonly number[]): number[][] {
  const whole = toWholeWeights(weights)
  const largest = findIndexOfLargest(whole)
  const years = splitToLargest(
    poolMonths.reduce((all, one) => all + one, 0),
    whole,
  )
  const shares = years.map((year, index) => (index === largest ? null : spreadOverMonths(year, poolMonths)))
  const left = poolMonths.map((month, index) => month - shares.reduce((all, share) => all + (share?.[index] ?? 0), 0))
  return shares.map((share) => share ?? left)
}

/**
 * Calculates top slices: each location's charge is a cost in its own budget and income in the central one, in the same months. A locked
 * budget is not charged again.
 * @param withoutCentral the problem to report if no central budget covers the year
 */
export function calculateTopSlices(
  parties: readonly TransferParty[],
  rules: readonly SliceRule[],
  withoutCentral: string,
): CalculatedTransfers {
  const byParty: Transfer[][] = parties.map(() => [])
  const problems: string[] = []
  const central = parties.findIndex((party) => party.isCentral)
  for (const rule of rules) {
    const payer = parties.findIndex((party) => party.locationId === rule.locationId)
    if (payer === -1 || payer === central) continue
    if (central === -1) {
      problems.push(withoutCentral)
      break
    }
    const party = assertDefined(parties[payer])
    if (party.lockedTransfers) continue
    const amounts = calculateCharge(party, rule)
    if (amounts.includes(null)) problems.push('A top slice cannot be worked out: its income or pupil numbers are not known.')
    const side = { kind: 'topSlice', tableId: rule.tableId, amounts } as const
    const { locationId } = assertDefined(parties[central])
    assertDefined(byParty[payer]).push({
      ...side,
      year: party.year,
      budgetCodeId: rule.budgetCodeId,
      counterpartId: locationId,
      part: 'charge',
    })
    assertDefined(byParty[central]).push({
      ...side,
      year: assertDefined(parties[central]).year,
      budgetCodeId: rule.centralBudgetCodeId,
      counterpartId: party.locationId,
      part: 'receipt',
    })
  }
  return { byParty, problems: [...new Set(problems)] }
}

/**
 * What an open central budget receives from locked budgets: exactly the amounts that they have posted, on the budget code of the rule or of
 * the earlier receipt.
 */
export function listLockedReceipts(
  central: TransferParty,
  parties: readonly TransferParty[],
  codeOf: (charge: Transfer, payerId: number) => number | undefined,
): { receipts: Transfer[]; isWhole: boolean } {
  const charges = parties.flatMap(
    ({ lockedTransfers, locationId }) =>
      lockedTransfers?.flatMap((one) =>
        one.part === 'charge' && one.counterpartId === central.locationId ? [{ ...one, payerId: locationId }] : [],
      ) ?? [],
  )
  const receipts = charges.flatMap(({ payerId, ...charge }): Transfer[] => {
    const budgetCodeId = codeOf(charge, payerId)
    return budgetCodeId === undefined ? [] : [{ ...charge, year: central.year, budgetCodeId, counterpartId: payerId, part: 'receipt' }]
  })
  return { receipts, isWhole: receipts.length === charges.length }
}

/**
 * The transfers of a budget outside any group. New ones are not calculated, because there is no other budget to post the other side. Posted
 * amounts stay if none of their inputs changed, as after a roll-forward.
 * @param rules those of the tables that apply to the party's year
 */
export function listUngroupedTransfers(
  party: TransferParty,
  rules: { slices: readonly SliceRule[]; pools: readonly PoolRule[] },
  posted: readonly Transfer[],
): Transfer[] {
  const transfersOfYear = posted.filter((one) => one.year === party.year)
  const before = (wanted: Omit<Transfer, 'amounts'>): Transfer | undefined =>
    transfersOfYear.find(
      (one) =>
        one.tableId === wanted.tableId &&
        one.part === wanted.part &&
        one.budgetCodeId === wanted.budgetCodeId &&
        (wanted.counterpartId === null || wanted.part === 'charge' || one.counterpartId === wanted.counterpartId),
    )
  const side = (wanted: Omit<Transfer, 'amounts'>, isKept: (before: Transfer) => boolean): Transfer => {
    const previous = before(wanted)
    return previous && isKept(previous) ? previous : { ...wanted, amounts: [...unknown] }
  }
  const isSame = (a: readonly Figure[], b: readonly Figure[]): boolean => a.every((one, month) => one === b[month])
  const { year, locationId } = party
  const result: Transfer[] = []
  for (const rule of rules.slices)
    if (party.isCentral && rule.locationId !== locationId)
      result.push(
        side(
          {
            kind: 'topSlice',
            tableId: rule.tableId,
            year,
            budgetCodeId: rule.centralBudgetCodeId,
            counterpartId: rule.locationId,
            part: 'receipt',
          },
          () => true,
        ),
      )
    else if (!party.isCentral && rule.locationId === locationId) {
      const amounts = calculateCharge(party, rule)
      result.push(
        side(
          { kind: 'topSlice', tableId: rule.tableId, year, budgetCodeId: rule.budgetCodeId, counterpartId: null, part: 'charge' },
          (one) => isSame(one.amounts, amounts),
        ),
      )
    }
  for (const rule of rules.pools)
    for (const member of rule.members.filter((one) => one.locationId === locationId)) {
      const wanted = { kind: 'gagPool', tableId: rule.tableId, year, budgetCodeId: member.budgetCodeId, counterpartId: null } as const
      const paid = minus(calculateContribution(party, member.budgetCodeId, member.percentage))
      const put = side({ ...wanted, part: 'contribution' }, (one) => isSame(one.amounts, paid))
      result.push(
        put,
        side({ ...wanted, part: 'share' }, () => !put.amounts.includes(null)),
      )
    }
  return result
}

function calculateCharge({ income, pupils }: TransferParty, { method, value, incomeCodeIds }: SliceRule): Figure[] {
  const pounds = (number: number): number => round(times(times(parseDecimal(value), fromInteger(100)), parseDecimal(number)))
  if (method === topSliceMethod.fixed) return split(pounds(1), equal)
  if (method === topSliceMethod.perPupil) return pupils === null ? [...unknown] : split(pounds(pupils), equal)
  const base = months(incomeCodeIds.map((code) => income.get(code) ?? Array<Figure>(12).fill(0)))
  const year = sum(base)
  return year === null ? [...unknown] : spreadOverMonths(calculatePercentage(year, value), base)
}

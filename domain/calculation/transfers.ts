import { percentageOf, wholeWeights } from './entries.ts'
import { decimal, round, times, whole } from './exact.ts'
import type { Figure } from './inputs.ts'
import { split } from './split.ts'

/** One side of a pool or a top slice in one budget and year: whole pennies of twelve months (calculation.md §14). */
export interface Transfer {
  kind: 'gagPool' | 'topSlice'
  /** The table it follows from. */
  tableId: number
  /** From 0. */
  year: number
  budgetCodeId: number
  /** The other side: the location that pays or receives; null for the pool, which is everybody. */
  counterpartId: number | null
  part: 'contribution' | 'share' | 'charge' | 'receipt'
  amounts: Figure[]
}

/** A budget of a group as pools and slices see it, in one year. */
export interface TransferParty {
  locationId: number
  isCentral: boolean
  year: number
  /** Whole pennies of each month by income code, before any pool or slice. */
  income: ReadonlyMap<number, Figure[]>
  /** Pupils on roll in the year; null: not known. */
  pupils: number | null
}

export interface PoolRule {
  tableId: number
  shareByPupils: boolean
  members: readonly { locationId: number; percentage: number; weight: number; budgetCodeId: number }[]
}

export interface SliceRule {
  tableId: number
  locationId: number
  /** 1 per cent of income, 2 pounds for each pupil, 3 pounds a year (list topSliceMethods). */
  method: number
  value: number
  budgetCodeId: number
  centralBudgetCodeId: number
  /** The income codes that a percentage is taken of. */
  incomeCodeIds: readonly number[]
}

/** Transfers of each party, in its order; with a sentence for each that could not be worked out. */
export interface Transfers {
  byParty: Transfer[][]
  problems: string[]
}

const equal = Array<number>(12).fill(1)
const unknown = Array<Figure>(12).fill(null)
const sum = (figures: readonly Figure[]): Figure =>
  figures.reduce<Figure>((all, one) => (all === null || one === null ? null : all + one), 0)
const months = (figures: readonly Figure[][]): Figure[] =>
  Array.from({ length: 12 }, (_unused, month) => sum(figures.map((one) => one[month]!)))
const minus = (figures: readonly Figure[]): Figure[] => figures.map((one) => (one === null ? null : -one || 0))

/** Whole pennies of a year over its months, as the income it is taken from comes in. */
function spread(total: number, like: readonly Figure[]): number[] {
  const weights = like.map((one) => Math.max(0, one ?? 0))
  return split(total, weights.some((weight) => weight > 0) ? weights : equal)
}

/**
 * A pool: each member puts in a percentage of what its GAG code brings, and the pool of the year is shared back by pupils or typed weights.
 * Both sides stand on the member's own income code, so that the trust's income stays what it was, in the year and in each month.
 */
export function pool(parties: readonly TransferParty[], rule: PoolRule): Transfers {
  const byParty: Transfer[][] = parties.map(() => [])
  const members = rule.members.flatMap((member) => {
    const index = parties.findIndex((party) => party.locationId === member.locationId)
    return index === -1 ? [] : [{ ...member, index, party: parties[index]! }]
  })
  if (members.length < 2) return { byParty, problems: [] }
  const paid = members.map(({ party, budgetCodeId, percentage }): Figure[] => {
    const income = party.income.get(budgetCodeId) ?? Array<Figure>(12).fill(0)
    const year = sum(income)
    return year === null ? [...unknown] : spread(percentageOf(year, percentage), income)
  })
  const pupils = members.map(({ party }) => party.pupils)
  const isKnown = paid.every((one) => sum(one) !== null) && !(rule.shareByPupils && pupils.includes(null))
  const problems = isKnown
    ? []
    : [
        rule.shareByPupils && pupils.includes(null)
          ? 'The pool cannot be shared: pupil numbers are missing.'
          : 'The pool cannot be shared: an income is not known.',
      ]
  const weights = members.map((member, index) => (rule.shareByPupils ? (pupils[index] ?? 0) : member.weight))
  const back = isKnown ? sharedBack(months(paid) as number[], weights) : members.map(() => [...unknown])
  for (const [at, { index, party, budgetCodeId }] of members.entries()) {
    const side = { kind: 'gagPool', tableId: rule.tableId, year: party.year, budgetCodeId, counterpartId: null } as const
    byParty[index]!.push({ ...side, part: 'contribution', amounts: isKnown ? minus(paid[at]!) : [...unknown] })
    byParty[index]!.push({ ...side, part: 'share', amounts: back[at]! })
  }
  return { byParty, problems }
}

/**
 * Shares a pool so that every member's year is its share to the penny and every month of the pool is given out whole: the member with the
 * largest share takes what is left of each month.
 */
function sharedBack(poolMonths: readonly number[], weights: readonly number[]): number[][] {
  const years = split(
    poolMonths.reduce((all, one) => all + one, 0),
    wholeWeights(weights),
  )
  const largest = years.indexOf(Math.max(...years))
  const shares = years.map((year, index) => (index === largest ? null : spread(year, poolMonths)))
  const left = poolMonths.map((month, index) => month - shares.reduce((all, share) => all + (share?.[index] ?? 0), 0))
  return shares.map((share) => share ?? left)
}

/** Top slices: what each location pays stands as a cost in its budget and as income of the same months in the central one. */
export function slices(parties: readonly TransferParty[], rules: readonly SliceRule[]): Transfers {
  const byParty: Transfer[][] = parties.map(() => [])
  const problems: string[] = []
  const central = parties.findIndex((party) => party.isCentral)
  for (const rule of rules) {
    const payer = parties.findIndex((party) => party.locationId === rule.locationId)
    if (payer === -1 || payer === central) continue
    if (central === -1) {
      problems.push('Top slices are not posted: the group has no budget of a central location.')
      break
    }
    const party = parties[payer]!
    const amounts = charged(party, rule)
    if (amounts.includes(null)) problems.push('A top slice cannot be worked out: its income or pupil numbers are not known.')
    const side = { kind: 'topSlice', tableId: rule.tableId, amounts } as const
    const { locationId } = parties[central]!
    byParty[payer]!.push({ ...side, year: party.year, budgetCodeId: rule.budgetCodeId, counterpartId: locationId, part: 'charge' })
    byParty[central]!.push({
      ...side,
      year: parties[central]!.year,
      budgetCodeId: rule.centralBudgetCodeId,
      counterpartId: party.locationId,
      part: 'receipt',
    })
  }
  return { byParty, problems: [...new Set(problems)] }
}

function charged({ income, pupils }: TransferParty, { method, value, incomeCodeIds }: SliceRule): Figure[] {
  const pounds = (number: number): number => round(times(times(decimal(value), whole(100)), decimal(number)))
  if (method === 3) return split(pounds(1), equal)
  if (method === 2) return pupils === null ? [...unknown] : split(pounds(pupils), equal)
  const base = months(incomeCodeIds.map((code) => income.get(code) ?? Array<Figure>(12).fill(0)))
  const year = sum(base)
  return year === null ? [...unknown] : spread(percentageOf(year, value), base)
}

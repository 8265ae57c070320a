import { assertDefined } from '../../values/assertDefined.ts'
import { findBudgetBounds, type IsoDate, toDay } from '../../values/calendar.ts'
import { displayDate } from '../../values/format.ts'
import { keysOf } from '../../values/keysOf.ts'
import { div, exactOne, fromInteger, isGreater, minus, parseDecimal, times, toDecimals } from '../exact.ts'
import { type PayPoint, payScaleFlags } from '../inputs.ts'
import type { FrozenBudget, SharedInputs } from './frozen.ts'
import { payTableElements, rateColumn } from './payTables.ts'

/** A pay award in force in a budget for a contract type: an assumption, or the rise from one pay table to the next. */
export interface AwardInForce {
  contractTypeId: number
  effectiveDate: IsoDate
  /** Per cent. */
  rate: string
  /** The pay table that includes it; null for an assumption. */
  table: string | null
}

/**
 * A pay table of a budget for a contract type, with its rise over the one before in per cent; null for the first, whose rise is not known.
 */
interface DatedTable {
  effectiveDate: IsoDate
  name: string
  rise: string | null
}

/** The median rise of the points that two tables share, in per cent with at most two decimals. */
export function calculateMedianRise(
  before: readonly PayPoint[],
  after: readonly PayPoint[],
  column: (typeof rateColumn)[keyof typeof rateColumn],
): string | null {
  const key = ({ scale, increment }: PayPoint): string => `${scale} ${increment}`
  const was = new Map(before.map((point) => [key(point), point[column]]))
  const rises = after
    .flatMap((point) => {
      const old = was.get(key(point))
      const rate = point[column]
      if (rate === null || old === undefined || old === null || Number(old) === 0) return []
      return [times(minus(div(parseDecimal(rate), parseDecimal(old)), exactOne), fromInteger(100))]
    })
    .sort((a, b) => (isGreater(a, b) ? 1 : -1))
  const middle = rises[Math.floor(rises.length / 2)]
  return middle ? String(toDecimals(middle, 2)) : null
}

/** The pay tables of a budget that apply to a contract type, by date. */
function payTables({ budget, budgetElements }: FrozenBudget, shared: SharedInputs, typeId: number): DatedTable[] {
  const flags = shared.contractTypes[typeId]?.payScaleTypes ?? 0
  const kinds = keysOf(payTableElements).filter((kind) => flags & payScaleFlags[kind])
  return kinds
    .flatMap((kind) => {
      const rows = budgetElements[payTableElements[kind]].toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))
      return rows.map(({ effectiveDate, table }, index): DatedTable => {
        const points = (key: string | undefined): PayPoint[] => (key && shared.tables.payScales[key]?.points) || []
        const rise = index
          ? calculateMedianRise(points(assertDefined(rows[index - 1]).table), points(table), rateColumn[budget.payArea])
          : null
        return { effectiveDate, name: shared.labels[`table:${table}`] ?? table, rise }
      })
    })
    .sort((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))
}

const assumed = (frozen: FrozenBudget, shared: SharedInputs, typeId: number) =>
  shared.assumptions[frozen.staffAssumptionsId]?.[typeId]?.inflation ?? []

/**
 * The awards in force for some contract types, up to the last day of the budget. An assumption on the date of a pay table is not listed
 * separately.
 */
export function listAwardsInForce(frozen: FrozenBudget, shared: SharedInputs, typeIds: readonly number[]): AwardInForce[] {
  const { firstYear, years, startMonth } = frozen.budget
  const { last } = findBudgetBounds(firstYear, years, startMonth)
  return typeIds.flatMap((contractTypeId) => {
    const rates = assumed(frozen, shared, contractTypeId)
    const tables = payTables(frozen, shared, contractTypeId)
    const inTables = tables.flatMap(({ effectiveDate, name, rise }): AwardInForce[] => {
      const lifted = rates.find((rate) => rate.effectiveDate === effectiveDate && rate.inTable !== undefined)
      return rise === null ? [] : [{ contractTypeId, effectiveDate, rate: lifted?.liftedTo ?? lifted?.rate ?? rise, table: name }]
    })
    const others = rates
      .filter((rate) => !tables.some((table) => table.effectiveDate === rate.effectiveDate))
      .map(({ effectiveDate, rate }): AwardInForce => ({ contractTypeId, effectiveDate, rate, table: null }))
    return [...inTables, ...others].filter(({ effectiveDate }) => toDay(effectiveDate) <= last)
  })
}

/** The effect of placing an award on a date for a contract type, with sentences that explain it. */
export interface AwardPlacement {
  /** The percentage that the pay table of that date already includes. The table is raised by the difference. */
  inTable: string | null
  sentences: string[]
}

/**
 * Places an award among those in force. It replaces an existing award on its date; a pay table of that date is raised by the difference. On
 * any other date it is added to the existing awards, and the sentences say to which.
 */
export function placeAward(
  frozen: FrozenBudget,
  { shared, typeId, effectiveDate, rate }: { shared: SharedInputs; typeId: number; effectiveDate: IsoDate; rate: string },
): AwardPlacement {
  const tables = payTables(frozen, shared, typeId)
  const same = tables.find((table) => table.effectiveDate === effectiveDate)
  const next = tables.find((table) => table.effectiveDate > effectiveDate)
  const assumedAward = assumed(frozen, shared, typeId).find(
    (award) => award.effectiveDate === effectiveDate && award.liftedTo === undefined,
  )
  const { first } = findBudgetBounds(frozen.budget.firstYear, frozen.budget.years, frozen.budget.startMonth)
  const until = next
    ? [`From ${displayDate(next.effectiveDate)}, pay follows the pay table ${next.name}, and this award does not change that table.`]
    : []
  if (next && toDay(next.effectiveDate) <= first)
    return {
      inTable: null,
      sentences: [
        `Pay from tables does not change: the pay table ${next.name} is dated after this award and applies from the first day of the budget.`,
      ],
    }
  if (same?.rise)
    return {
      inTable: same.rise,
      sentences: [
        `${percentText(rate)} in place of the ${percentText(same.rise)} that the pay table ${same.name} includes: its figures are increased by the difference.`,
        ...(assumedAward
          ? [`Pay outside the table: ${percentText(rate)} in place of the ${percentText(assumedAward.rate)} in the assumptions.`]
          : []),
        ...until,
      ],
    }
  if (same)
    return {
      inTable: null,
      sentences: [
        `Pay from tables does not change: ${same.name} is the first pay table of the budget, so the award in it cannot be worked out.`,
        ...until,
      ],
    }
  if (assumedAward)
    return {
      inTable: null,
      sentences: [`${percentText(rate)} in place of the ${percentText(assumedAward.rate)} in the assumptions.`, ...until],
    }
  const before = listAwardsInForce(frozen, shared, [typeId]).filter((award) => award.effectiveDate < effectiveDate)
  const last = before.toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate)).at(-1)
  const onTop = last
    ? `A new award, on top of the ${percentText(last.rate)} of ${displayDate(last.effectiveDate)}${last.table ? ` in ${last.table}` : ''}.`
    : 'A new award: there is none before it.'
  return { inTable: null, sentences: [onTop, ...until] }
}

function percentText(rate: string): string {
  return `${Number(rate)}%`
}

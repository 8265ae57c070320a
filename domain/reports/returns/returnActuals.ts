import { type CodeId, calculateCodeFigures, type LocationYear } from '../../monitoring/figures.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { formatPeriodMonth } from '../../values/calendar.ts'
import { displayCount, displayList } from '../../values/format.ts'
import type { CodeBudget, LineSum, OpeningPosition, ReportCode, ReportFacts, ReturnActuals, ReturnYear, YearActuals } from '../facts.ts'

/** The facts of a return including actuals, and the status of its years. */
export interface ReturnFacts {
  facts: ReportFacts
  /** The year of the return for each unit; null for a year with budget figures only. */
  returnYears: readonly (ReturnYear | null)[]
  /** Codes that have both payments between schools and other money. Actuals do not distinguish the two. */
  mixed: readonly ReportCode[]
}

/**
 * Finds the index of the current year: the last year with actuals, or the year after it if all its months have actuals; -1 if there are no
 * actuals.
 */
export function findCurrentYearIndex(returnYears: readonly (ReturnYear | null)[]): number {
  const last = returnYears.findLastIndex((one) => one?.months.some(({ closed }) => closed.some(Boolean)))
  const isOver = returnYears[last]?.months.every(({ closed }) => closed.every(Boolean))
  return isOver ? Math.min(last + 1, returnYears.length - 1) : last
}

/** Whether a month has figures at every location (`whole`), at some locations (`part`), or at none. */
export function findMonthStatus(returnYears: ReturnYear | null | undefined, month: number): 'whole' | 'part' | 'none' {
  if (!returnYears) return 'whole'
  const has = returnYears.months.map(({ closed, hasBudget }) => hasBudget || Boolean(closed[month]))
  return has.every(Boolean) && has.length ? 'whole' : has.some(Boolean) ? 'part' : 'none'
}

/**
 * Replaces the budget by actuals in months that have them, and by the forecast in the other months (rules.md §17 and §20). For several
 * locations, payments between them are excluded: codes that budgets use only for such payments are left out of actuals.
 */
export function replaceBudgetByActuals(facts: ReportFacts, { earlierYears, years, cumulative }: ReturnActuals): ReturnFacts {
  const shift = earlierYears.length
  const shiftUnits = <T extends { unit: number }>(rows: readonly T[]): T[] => rows.map((row) => ({ ...row, unit: row.unit + shift }))
  const units = [...earlierYears.map((one) => one.unit), ...facts.units]
  const returnYears = units.map(({ year }) => years.find((one) => one.year === year) ?? null)
  const { internal, mixed } = findTransferCodes(facts, years)
  const linesOf = (sums: readonly YearActuals[]) =>
    sums.flatMap((sum) => buildLinesWithActuals(sum, { cumulative, isSeveral: facts.hasSeveralLocations, internal }))
  const shown = (one: ReturnYear) => linesOf(one.isPrior ? one.sums.map((sum) => ({ ...sum, budget: null })) : one.sums)
  const lines = [
    ...shiftUnits(facts.lines).filter(({ unit }) => !returnYears[unit]),
    ...returnYears.flatMap((one, unit) => (one ? shown(one).map((line) => ({ ...line, unit })) : [])),
  ]
  const carried = facts.carried && {
    openings: [
      ...earlierYears.flatMap((one, unit) => (one.carried?.openings ?? []).map((opening) => ({ ...opening, unit }))),
      ...shiftUnits(facts.carried.openings),
    ],
    before: [
      ...earlierYears.flatMap((one, unit) => (one.carried?.before ?? []).map((line) => ({ ...line, unit }))),
      ...shiftUnits(facts.carried.before),
      // A year starts with the results of all earlier years, whether shown or not.
      ...years
        .filter((one) => one.isRequested)
        .flatMap((one) => {
          const changes = calculateDifferencesFromBudget(selectActualsWithBudget(one), linesOf(selectActualsWithBudget(one)))
          return units.flatMap(({ year }, unit) => (year > one.year ? changes.map((change) => ({ ...change, unit })) : []))
        }),
    ],
  }
  return { facts: { ...facts, units, lines, carried }, returnYears, mixed }
}

/** Finds codes with payments between locations only, and codes that also have other money and do not cancel out. */
function findTransferCodes(facts: ReportFacts, years: readonly ReturnYear[]): { internal: Set<CodeId>; mixed: ReportCode[] } {
  if (!facts.hasSeveralLocations) return { internal: new Set(), mixed: [] }
  const budgets = [
    ...facts.lines,
    ...years.flatMap(({ sums }) =>
      sums.flatMap(({ budget }) => (budget ?? []).map((one) => ({ ...one, missing: assertDefined(sumOf(one.gaps)) }))),
    ),
  ]
  const budgetedCodes = new Set(budgets.flatMap((one) => (one.transfer || !hasAny(one) ? [] : [one.codeId])))
  const paid = new Map<CodeId, number>()
  for (const one of budgets) if (one.transfer) paid.set(one.codeId, (paid.get(one.codeId) ?? 0) + sumOf(one.amounts))
  const imported = new Set(years.flatMap(({ sums }) => sums.flatMap((sum) => [...sum.imported.keys()])))
  return {
    internal: new Set([...paid.keys()].filter((codeId) => !budgetedCodes.has(codeId))),
    mixed: [...paid].flatMap(([codeId, total]) => {
      const code = codeId === null ? undefined : facts.codes.get(codeId)
      return code && total !== 0 && budgetedCodes.has(codeId) && imported.has(codeId) ? [code] : []
    }),
  }
}

const sumOf = (amounts: readonly (number | null)[]): number => amounts.reduce<number>((sum, one) => sum + (one ?? 0), 0)
const hasAny = ({ amounts, missing }: Pick<LineSum, 'amounts' | 'missing'>): boolean => missing > 0 || amounts.some((one) => one)

/** Builds the lines of a year: actuals by code for months that have them, and the forecast for the other months. */
export function buildLinesWithActuals(
  { closed, imported, methods, budget }: YearActuals,
  { cumulative, isSeveral, internal }: { cumulative: boolean; isSeveral: boolean; internal: ReadonlySet<CodeId> },
): Omit<LineSum, 'unit'>[] {
  const isPaid = (one: CodeBudget): boolean => isSeveral && one.transfer !== null
  const byCode = new Map<CodeId, CodeBudget[]>()
  for (const one of budget ?? []) if (!isPaid(one)) byCode.set(one.codeId, [...(byCode.get(one.codeId) ?? []), one])
  for (const codeId of imported.keys()) if (!internal.has(codeId) && !byCode.has(codeId)) byCode.set(codeId, [])
  const openGaps = (one: CodeBudget): number => one.gaps.reduce((sum, gaps, month) => (closed[month] ? sum : sum + gaps), 0)
  const year: LocationYear = {
    period: 12,
    closed,
    imported,
    methods,
    forecastBudget: null,
    budget: new Map(
      [...byCode].map(([codeId, budgetsOfCode]) => [
        codeId,
        closed.map((_one, month) => budgetsOfCode.reduce((sum, one) => sum + (one.amounts[month] ?? 0), 0)),
      ]),
    ),
  }
  const forecastLines = [...byCode].map(([codeId, some]): Omit<LineSum, 'unit'> => {
    const method = methods.get(codeId)?.method ?? 'budget'
    const { values } = calculateCodeFigures(year, codeId, cumulative)
    const isUnknown = (month: number): boolean =>
      !closed[month] &&
      (budget === null || (method === 'budget' && some.length > 0 && some.every((one) => (one.amounts[month] ?? null) === null)))
    return {
      codeId,
      centreId: null,
      isStaff: some.some((one) => one.isStaff),
      transfer: null,
      amounts: values.map((value, month) => (isUnknown(month) ? null : value)),
      missing:
        method === 'budget'
          ? some.reduce((sum, one) => sum + openGaps(one), 0)
          : method === 'whatIsLeft'
            ? some.reduce((sum, one) => sum + sumOf(one.gaps), 0)
            : 0,
    }
  })
  const paid = (budget ?? []).filter(isPaid).map(
    ({ gaps: _gaps, ...one }, index): Omit<LineSum, 'unit'> => ({
      ...one,
      centreId: null,
      amounts: one.amounts.map((amount, month) => (closed[month] ? 0 : amount)),
      missing: openGaps(assertDefined((budget ?? []).filter(isPaid)[index])),
    }),
  )
  return [...forecastLines, ...paid]
}

/** The actuals of locations that have a budget in the year. The other locations start their balances in a later year. */
const selectActualsWithBudget = ({ sums }: ReturnYear): YearActuals[] => sums.filter(({ budget }) => budget !== null)

/** Calculates the result of a year less its budget, by code. */
function calculateDifferencesFromBudget(
  sums: readonly YearActuals[],
  lines: readonly Omit<LineSum, 'unit'>[],
): Omit<OpeningPosition['before'][number], 'unit'>[] {
  const budgets = sums.flatMap(({ budget }) => budget ?? [])
  return [
    ...lines.map(({ codeId, isStaff, transfer, amounts, missing }) => ({ codeId, isStaff, transfer, total: sumOf(amounts), missing })),
    ...budgets.map(({ codeId, isStaff, transfer, amounts, gaps }) => ({
      codeId,
      isStaff,
      transfer,
      total: -sumOf(amounts),
      missing: -sumOf(gaps),
    })),
  ]
}

const maximumNamed = 12

/** Describes which months of which school are actuals (rules.md §20). */
export function describeActuals(returnYears: readonly (ReturnYear | null)[], startMonth: number): string[] {
  return returnYears.flatMap((one) => {
    if (!one) return []
    const { year, months, sums, isPrior } = one
    if (!months.some(({ closed }) => closed.some(Boolean))) return isPrior ? [`${year} is not available: it has no actuals.`] : []
    const groups = new Map<string, string[]>()
    for (const { location, closed } of months) {
      const words = describeMonths(closed, year, startMonth)
      groups.set(words, [...(groups.get(words) ?? []), location])
    }
    const sentences = [...groups].map(([words, locationNames]) => {
      const at = groups.size === 1 ? (locationNames.length > 1 ? ' at every school' : '') : ` at ${listLocations(locationNames)}`
      return `${words || 'none'}${at}`
    })
    const forecast = new Set(sums.flatMap(({ methods }) => [...methods.keys()])).size
    const isWhole = months.every(({ closed }) => closed.every(Boolean))
    const rest = isPrior
      ? 'The other months are not available.'
      : forecast
        ? `The other months are from the budget or, for ${displayCount(forecast, 'budget code')}, from the forecast at month end.`
        : 'The other months are from the budget.'
    return [`Actuals for ${year}: ${sentences.join('; ')}.${isWhole ? '' : ` ${rest}`}`]
  })
}

/** Describes, by school, which months are missing in a year for which only actuals are shown. */
export function describeMissingMonths(returnYears: readonly (ReturnYear | null)[], startMonth: number): string[] {
  return returnYears.flatMap((one) => {
    if (!one?.months.some(({ closed }) => closed.some(Boolean))) return []
    const groups = new Map<string, string[]>()
    for (const { location, closed, hasBudget } of one.months) {
      const words = hasBudget
        ? ''
        : describeMonths(
            closed.map((isIn) => !isIn),
            one.year,
            startMonth,
          )
      if (words) groups.set(words, [...(groups.get(words) ?? []), location])
    }
    if (!groups.size) return []
    const descriptions = [...groups].map(([words, locationNames]) => `${words} for ${listLocations(locationNames)}`)
    return [`Check: ${one.year} is missing ${displayList(descriptions)}: these months have no actuals.`]
  })
}

function listLocations(locationNames: readonly string[]): string {
  const named = locationNames.slice(0, maximumNamed)
  const more = locationNames.length - named.length
  return displayList(more ? [...named, displayCount(more, 'other school')] : named)
}

/** Describes months, with consecutive months as a range: `September to October 2026`. */
function describeMonths(chosen: readonly boolean[], year: string, startMonth: number): string {
  const first = Number(year.slice(0, 4))
  const yearOf = (month: number): number => first + (startMonth + month > 12 ? 1 : 0)
  const nameOf = (month: number): string => formatPeriodMonth(startMonth, month + 1)
  const runs: [number, number][] = []
  for (const [month, isChosen] of chosen.entries()) {
    if (!isChosen) continue
    const run = runs.at(-1)
    if (run && run[1] === month - 1) run[1] = month
    else runs.push([month, month])
  }
  return displayList(
    runs.map(([from, to]) => {
      if (from === to) return `${nameOf(from)} ${yearOf(from)}`
      return `${nameOf(from)}${yearOf(from) === yearOf(to) ? '' : ` ${yearOf(from)}`} to ${nameOf(to)} ${yearOf(to)}`
    }),
  )
}

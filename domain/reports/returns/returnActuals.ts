import { type CodeId, codeFigures, type LocationYear } from '../../monitoring/figures.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { periodName } from '../../values/calendar.ts'
import { displayCount, displayList } from '../../values/format.ts'
import type { BudgetOfCode, CameIn, Carried, LineSum, PlacesInYear, ReportCode, ReportFacts, YearCame } from '../facts.ts'

/** The facts of the return with what has come in, and which of its years stand how. */
export interface FactsThatCame {
  facts: ReportFacts
  /** Of each unit; none where everything is of the budgets. */
  came: readonly (YearCame | null)[]
  /** Budget codes on which schools pay each other beside other money, so that actuals do not tell the two apart. */
  mixed: readonly ReportCode[]
}

/** The year that is going on: the last of which a month is in, or the one after it once every month of it is; -1: none is in. */
export function currentOf(came: readonly (YearCame | null)[]): number {
  const last = came.findLastIndex((one) => one?.months.some(({ closed }) => closed.some(Boolean)))
  const isOver = came[last]?.months.every(({ closed }) => closed.every(Boolean))
  return isOver ? Math.min(last + 1, came.length - 1) : last
}

/** How a month of a year stands: of figures at every location, at some of them, or at none. */
export function monthStands(came: YearCame | null | undefined, month: number): 'whole' | 'part' | 'none' {
  if (!came) return 'whole'
  const has = came.months.map(({ closed, hasBudget }) => hasBudget || Boolean(closed[month]))
  return has.every(Boolean) && has.length ? 'whole' : has.some(Boolean) ? 'part' : 'none'
}

/**
 * The facts with months that are in as they came, all others as they are forecast (rules.md §17 and §20). Of several locations what they pay
 * each other is out of both: codes on which budgets have nothing else are left out of actuals.
 */
export function withActuals(facts: ReportFacts, { front, years, cumulative }: CameIn): FactsThatCame {
  const by = front.length
  const moved = <T extends { unit: number }>(rows: readonly T[]): T[] => rows.map((row) => ({ ...row, unit: row.unit + by }))
  const units = [...front.map((one) => one.unit), ...facts.units]
  const came = units.map(({ year }) => years.find((one) => one.year === year) ?? null)
  const { internal, mixed } = betweenLocations(facts, years)
  const linesOf = (sums: readonly PlacesInYear[]) =>
    sums.flatMap((sum) => linesThatCame(sum, { cumulative, isSeveral: facts.isSeveral, internal }))
  const shown = (one: YearCame) => linesOf(one.isPrior ? one.sums.map((sum) => ({ ...sum, budget: null })) : one.sums)
  const lines = [
    ...moved(facts.lines).filter(({ unit }) => !came[unit]),
    ...came.flatMap((one, unit) => (one ? shown(one).map((line) => ({ ...line, unit })) : [])),
  ]
  const carried = facts.carried && {
    openings: [
      ...front.flatMap((one, unit) => (one.carried?.openings ?? []).map((own) => ({ ...own, unit }))),
      ...moved(facts.carried.openings),
    ],
    before: [
      ...front.flatMap((one, unit) => (one.carried?.before ?? []).map((own) => ({ ...own, unit }))),
      ...moved(facts.carried.before),
      // A year begins with what the years before it came to, shown or not.
      ...years
        .filter((one) => one.isAsked)
        .flatMap((one) => {
          const changes = changesOf(budgetedOf(one), linesOf(budgetedOf(one)))
          return units.flatMap(({ year }, unit) => (year > one.year ? changes.map((change) => ({ ...change, unit })) : []))
        }),
    ],
  }
  return { facts: { ...facts, units, lines, carried }, came, mixed }
}

/** Codes on which budgets have nothing but what locations pay each other, and those that have other money too and do not cancel. */
function betweenLocations(facts: ReportFacts, years: readonly YearCame[]): { internal: Set<CodeId>; mixed: ReportCode[] } {
  if (!facts.isSeveral) return { internal: new Set(), mixed: [] }
  const budgets = [
    ...facts.lines,
    ...years.flatMap(({ sums }) =>
      sums.flatMap(({ budget }) => (budget ?? []).map((one) => ({ ...one, missing: assertDefined(sumOf(one.gaps)) }))),
    ),
  ]
  const own = new Set(budgets.flatMap((one) => (one.transfer || !hasAny(one) ? [] : [one.codeId])))
  const paid = new Map<CodeId, number>()
  for (const one of budgets) if (one.transfer) paid.set(one.codeId, (paid.get(one.codeId) ?? 0) + sumOf(one.amounts))
  const imported = new Set(years.flatMap(({ sums }) => sums.flatMap((sum) => [...sum.imported.keys()])))
  return {
    internal: new Set([...paid.keys()].filter((codeId) => !own.has(codeId))),
    mixed: [...paid].flatMap(([codeId, total]) => {
      const code = codeId === null ? undefined : facts.codes.get(codeId)
      return code && total !== 0 && own.has(codeId) && imported.has(codeId) ? [code] : []
    }),
  }
}

const sumOf = (amounts: readonly (number | null)[]): number => amounts.reduce<number>((sum, one) => sum + (one ?? 0), 0)
const hasAny = ({ amounts, missing }: Pick<LineSum, 'amounts' | 'missing'>): boolean => missing > 0 || amounts.some((one) => one)

/** The lines of a year at some places: by code what came in the months that are in, then the forecast of the others. */
export function linesThatCame(
  { closed, imported, methods, budget }: PlacesInYear,
  { cumulative, isSeveral, internal }: { cumulative: boolean; isSeveral: boolean; internal: ReadonlySet<CodeId> },
): Omit<LineSum, 'unit'>[] {
  const isPaid = (one: BudgetOfCode): boolean => isSeveral && one.transfer !== null
  const byCode = new Map<CodeId, BudgetOfCode[]>()
  for (const one of budget ?? []) if (!isPaid(one)) byCode.set(one.codeId, [...(byCode.get(one.codeId) ?? []), one])
  for (const codeId of imported.keys()) if (!internal.has(codeId) && !byCode.has(codeId)) byCode.set(codeId, [])
  const openGaps = (one: BudgetOfCode): number => one.gaps.reduce((sum, gaps, month) => (closed[month] ? sum : sum + gaps), 0)
  const year: LocationYear = {
    period: 12,
    closed,
    imported,
    methods,
    forecastBudget: null,
    budget: new Map(
      [...byCode].map(([codeId, own]) => [
        codeId,
        closed.map((_one, month) => own.reduce((sum, one) => sum + (one.amounts[month] ?? 0), 0)),
      ]),
    ),
  }
  const own = [...byCode].map(([codeId, some]): Omit<LineSum, 'unit'> => {
    const method = methods.get(codeId)?.method ?? 'budget'
    const { values } = codeFigures(year, codeId, cumulative)
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
  return [...own, ...paid]
}

/** The places of a year that have budgets in it: balances of the others begin later. */
const budgetedOf = ({ sums }: YearCame): PlacesInYear[] => sums.filter(({ budget }) => budget !== null)

/** By how much a year came to more than its budgets say, by code. */
function changesOf(sums: readonly PlacesInYear[], lines: readonly Omit<LineSum, 'unit'>[]): Omit<Carried['before'][number], 'unit'>[] {
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

/** So many schools are named; more are counted. */
const mostNamed = 12

/** Which months of which school are actuals, in words (rules.md §20). */
export function actualsInWords(came: readonly (YearCame | null)[], startMonth: number): string[] {
  return came.flatMap((one) => {
    if (!one) return []
    const { year, months, sums, isPrior } = one
    if (!months.some(({ closed }) => closed.some(Boolean)))
      return isPrior ? [`${year} is not available: the actuals of none of its months are in.`] : []
    const groups = new Map<string, string[]>()
    for (const { location, closed } of months) {
      const words = monthsInWords(closed, year, startMonth)
      groups.set(words, [...(groups.get(words) ?? []), location])
    }
    const told = [...groups].map(([words, places]) => {
      const at = groups.size === 1 ? (places.length > 1 ? ' at every school' : '') : ` at ${placesInWords(places)}`
      return `${words || 'none'}${at}`
    })
    const forecast = new Set(sums.flatMap(({ methods }) => [...methods.keys()])).size
    const isWhole = months.every(({ closed }) => closed.every(Boolean))
    const rest = isPrior
      ? 'The other months are not available.'
      : forecast
        ? `The other months are of the budget, and of ${displayCount(forecast, 'budget code')} as month end forecasts them.`
        : 'The other months are of the budget.'
    return [`Actuals of ${year}: ${told.join('; ')}.${isWhole ? '' : ` ${rest}`}`]
  })
}

/** What a year is without that has no other figures than actuals: which months, and of whom. */
export function lackingInWords(came: readonly (YearCame | null)[], startMonth: number): string[] {
  return came.flatMap((one) => {
    if (!one?.months.some(({ closed }) => closed.some(Boolean))) return []
    const groups = new Map<string, string[]>()
    for (const { location, closed, hasBudget } of one.months) {
      const words = hasBudget
        ? ''
        : monthsInWords(
            closed.map((isIn) => !isIn),
            one.year,
            startMonth,
          )
      if (words) groups.set(words, [...(groups.get(words) ?? []), location])
    }
    if (!groups.size) return []
    const told = [...groups].map(([words, places]) => `${words} of ${placesInWords(places)}`)
    return [`Check: ${one.year} is without ${displayList(told)}: no actuals of these months are in.`]
  })
}

function placesInWords(places: readonly string[]): string {
  const named = places.slice(0, mostNamed)
  const more = places.length - named.length
  return displayList(more ? [...named, displayCount(more, 'other school')] : named)
}

/** Months of a year in words, those that follow each other as one: `September to October 2026`. */
function monthsInWords(chosen: readonly boolean[], year: string, startMonth: number): string {
  const first = Number(year.slice(0, 4))
  const yearOf = (month: number): number => first + (startMonth + month > 12 ? 1 : 0)
  const nameOf = (month: number): string => periodName(startMonth, month + 1)
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

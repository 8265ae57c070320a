import { sideOf } from '../../calculation/nonStaffing/balances.ts'
import { openingBalanceType } from '../../lookups/lookupIds.ts'
import { percentOf, roundedQuotient } from '../../monitoring/figures.ts'
import { isOver } from '../../monitoring/rows.ts'
import { assertDefined, elementAt } from '../../values/assertDefined.ts'
import { periodName } from '../../values/calendar.ts'
import { displayList, displayMoney } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { addCells, type Cell, negated, shownCell } from '../columns.ts'
import type { LastReturn, LineSum, ReportFacts } from '../facts.ts'
import { mergeFewInReport } from '../fewCodes.ts'
import { isCapital, type MappedLine, mappedLines, mappingChecks } from '../mapped.ts'
import { besideOutturn } from '../outturn.ts'
import { codesIn, type Place, placeText, type Report, type ReportColumn, type ReportRow } from '../report.ts'
import { ledgerOf } from '../statement.ts'
import { contactWarnings, isYearAfter, listedYears, warningsOf } from '../warnings.ts'
import { actualsInWords, currentOf, type FactsThatCame, lackingInWords, monthStands, withActuals } from './returnActuals.ts'
import { lineOfReturn, whoseReason } from './returnReasons.ts'

/** Years that the return wants in halves where nothing has come in; those after them stand whole. */
const yearsInHalves = 3
/** What stands where a year has no figures, for its actuals are not in. */
const notAvailable = 'not available'
/** Whole pennies in the unit of the return, a thousand pounds. */
const unit = 100_000
/** The first and the last line of the return that takes costs of staff, and of those that take all other costs. */
const [staffLines, otherLines] = [
  [300, 334],
  [336, 379],
] as const

/** What the rows of sums are called. */
const [incomeName, staffName, otherName, spentName] = [
  '298 Total revenue income',
  '335 Total staff costs',
  'Total other costs',
  '380 Total revenue expenditure',
] as const
/** What stands in the place of a reason that is not written yet, before the years it is wanted for. */
const reasonWanted = 'Wanted for'
/** What is said of the rows where nobody is named. */
const notToldWords =
  'Figures from the last return, and lines for budget codes that pay fewer than three people, are shown only to people who may see staff.'
const [inYearName, broughtName] = ['In-year revenue balance', 'Revenue funds brought forward'] as const

/** A column of the return: a part of a year, and the months of it, from 0. */
interface Part {
  year: number
  from: number
  to: number
}

/** The parts of years, of which those that are halved stand in two. */
const partsOf = (halved: readonly boolean[]): Part[] =>
  halved.flatMap((isHalved, year) =>
    isHalved
      ? [
          { year, from: 0, to: 7 },
          { year, from: 7, to: 12 },
        ]
      : [{ year, from: 0, to: 12 }],
  )

/** A figure of each part: of what could be calculated, and how much could not. */
type Amounts = readonly Cell[]

/** Thousands, halves away from zero. */
const thousands = (cell: Cell): Cell => ({ ...cell, value: roundedQuotient(cell.value, unit) })

/** What the exact amount has more than the thousands; whole pennies. */
const leftByRounding = (inThousands: number | null, inPennies: Pennies | null): number | null =>
  inThousands === null || inPennies === null ? null : inPennies - inThousands * unit

const missingOf = (lines: readonly { missing: number }[]): number => lines.reduce((sum, line) => sum + line.missing, 0)

/**
 * On which side of the costs a line of the return stands: by its number, so that it is one row, rounded once; a line without a number of
 * costs is of staff where any of what is posted to it is.
 */
function isStaffCost(facts: ReportFacts, { code, lines }: MappedLine): boolean {
  const number = Number.parseInt(code ?? '', 10)
  if (number >= staffLines[0] && number <= staffLines[1]) return true
  if (number >= otherLines[0] && number <= otherLines[1]) return false
  return lines.some(({ codeId, isStaff }) => sideOf((codeId === null ? null : facts.codes.get(codeId)?.facts) ?? null, isStaff) === 'staff')
}

/**
 * The keying sheet of the Budget Forecast Return (rules.md §20): revenue of all locations together without what they pay each other, in
 * thousands of pounds rounded line by line, so that it casts; beside each year the exact amount and what the rounding leaves. The year before, the one that is going on and the one
 * after it stand in halves, the first seven months and the last five: the year before as it came, the one that is going on as it came where its months are in and then as it is
 * forecast. Beside each year that the last return told of, what it said and what has moved since, the
 * reason that is kept of it and who wrote it, or that one is wanted where it is more than the organisation leaves unexplained (rules.md §20). What could not be calculated is left
 * out and counted (§19).
 */
export function budgetForecastReturn(title: string, budgeted: ReportFacts): Report {
  const that = toldOf(
    typeof budgeted.cameIn === 'object' ? withActuals(budgeted, budgeted.cameIn) : { facts: budgeted, came: [], mixed: [] },
  )
  const { facts, came } = that
  const inFront = facts.units.length - budgeted.units.length
  const ledger = ledgerOf(facts)
  const { sides } = ledger
  const { units, startMonth } = facts
  const month = (period: number): string => periodName(startMonth, period).slice(0, 3)
  const isPrior = units.map((_unit, year) => Boolean(came[year]?.isPrior))
  const current = currentOf(came)
  const startOf = (at: number): number => Number(assertDefined(units[at]).year.slice(0, 4))
  const halved = units.map((_unit, at) => (current < 0 ? at < yearsInHalves + inFront : Math.abs(startOf(at) - startOf(current)) <= 1))
  const parts = partsOf(halved)
  /** Of each part, and of each year, whether there are figures of it: some of its actuals are in, or a budget has it. */
  const isKnown = parts.map(({ year, from, to }) => monthsOf(from, to).some((at) => monthStands(came[year], at) !== 'none'))
  const isYearKnown = units.map((_unit, year) => parts.every((part, at) => part.year !== year || assertDefined(isKnown[at])))
  const { lastReturn } = facts
  const last = lastReturn && { ...lastReturn, sides: ledgerOf(lastReturn.facts).sides }
  /** Where the last return has the years of this one; -1: it says nothing of it. */
  const saidAt = units.map(({ year }) => last?.facts.units.findIndex((one) => one.year === year) ?? -1)
  // In the halves of this return, so that what has not changed is not told apart by its rounding.
  const saidParts = partsOf((last?.facts.units ?? []).map((_unit, at) => halved[saidAt.indexOf(at)] ?? true))
  const isCompared = saidAt.some((at) => at >= 0)
  const revenue = (lines: readonly LineSum[]): LineSum[] => lines.filter((line) => !isCapital(facts, line.codeId))
  /** Of each part the thousands, and after the parts of a year all of it, rounded and exact, and the difference. */
  const columns: ReportColumn[] = units.flatMap(({ year }, index): ReportColumn[] => {
    const name = isPrior[index] ? `${year} actuals` : year
    return [
      ...(halved[index]
        ? [
            { key: `first ${year}`, title: `${name} ${month(1)} to ${month(7)} £000`, type: 'number' as const },
            { key: `last ${year}`, title: `${name} ${month(8)} to ${month(12)} £000`, type: 'number' as const },
          ]
        : []),
      { key: `thousands ${year}`, title: `${name} £000`, type: 'number' as const },
      { key: placeText({ year }), title: `${name} exact`, type: 'money' as const },
      { key: `difference ${year}`, title: `${name} left by rounding`, type: 'money' as const },
    ]
      .map((one) => (isPrior[index] ? { ...one, without: notAvailable } : one))
      .concat(
        assertDefined(saidAt[index]) >= 0
          ? [
              { key: `said ${year}`, title: `${year} last return £000`, type: 'number' as const },
              { key: `moved ${year}`, title: `${year} moved since £000`, type: 'number' as const },
            ]
          : [],
      )
  })
  const reasons = facts.beside?.reasons ?? null
  if (isCompared) columns.push({ key: 'reason', title: 'Reason', type: 'text' }, { key: 'reasonBy', title: 'Reason by', type: 'text' })
  /** Thousands of a year, and what the last return said of it. */
  interface Compared {
    now: number | null
    said: number | null
  }
  const moved = ({ now, said }: Compared): number | null => (now === null || said === null ? null : now - said)
  const isWorthExplaining = (one: Compared): boolean => {
    const change = moved(one)
    if (!last || change === null || one.said === null) return false
    return isOver(change * unit, percentOf(change, one.said), last.settings)
  }
  interface Beside {
    values: ReportRow['values']
    /** Whether it has moved in a year, and the years in which it moved by more than is left unexplained. */
    hasMoved: boolean
    due: { name: string }[]
  }
  /** Each year's own figures, and beside them the last return's. */
  const beside = (own: readonly (number | null)[][], saidOf: (at: number) => number | null): Beside => {
    const compared = own.map((values, year): Compared | null => {
      const at = assertDefined(saidAt[year])
      return at < 0 ? null : { now: values.at(-3) ?? null, said: saidOf(at) }
    })
    return {
      values: own.flatMap((values, year) => {
        const one = compared[year]
        return one ? [...values, one.said, moved(one)] : values
      }),
      hasMoved: compared.some((one) => one !== null && moved(one)),
      due: units.flatMap(({ year }, index) => {
        const one = compared[index]
        return one && isWorthExplaining(one) ? [{ name: year }] : []
      }),
    }
  }
  /** No reason belongs to a sum. */
  const unexplained = isCompared ? [null, null] : []
  /** What stands under the reason of a line: what is kept, or that one is wanted. */
  const explained = (line: string, { hasMoved, due }: Beside): Pick<ReportRow, 'values' | 'reason'> => {
    if (!isCompared) return { values: [] }
    const kept = reasons?.kept.get(line)
    if (kept) return { values: [kept.text, whoseReason(kept)], reason: { line, version: kept.version } }
    return {
      values: [due.length && reasons ? `${reasonWanted} ${listedYears(due)}` : null, null],
      ...(hasMoved && reasons && { reason: { line, version: 0 } }),
    }
  }
  const yearsOf = (rounded: Amounts, exact: Amounts): (number | null)[][] =>
    units.map((_unit, year) => {
      const own = parts.flatMap((part, index) => (part.year === year ? [index] : []))
      const sum = (cells: Amounts): number | null =>
        isYearKnown[year] ? shownCell(addCells(own.map((index) => assertDefined(cells[index])))) : null
      const [inThousands, inPennies] = [sum(rounded), sum(exact)]
      return [
        ...(own.length > 1 ? own.map((index) => shownCell(assertDefined(rounded[index]))) : []),
        inThousands,
        inPennies,
        leftByRounding(inThousands, inPennies),
      ]
    })
  interface Sum {
    rounded: Amounts
    exact: Amounts
    /** What the last return said, of its parts. */
    said: Amounts
    saidExact: Amounts
    missing: number
  }
  const saidOf =
    ({ said }: Sum) =>
    (at: number): number | null =>
      shownCell(addCells(said.filter((_cell, index) => assertDefined(saidParts[index]).year === at)))
  const together = (sums: readonly Sum[]): Sum => ({
    rounded: parts.map((_part, index) => addCells(sums.map((one) => assertDefined(one.rounded[index])))),
    exact: parts.map((_part, index) => addCells(sums.map((one) => assertDefined(one.exact[index])))),
    said: saidParts.map((_part, index) => addCells(sums.map((one) => assertDefined(one.said[index])))),
    saidExact: saidParts.map((_part, index) => addCells(sums.map((one) => assertDefined(one.saidExact[index])))),
    missing: missingOf(sums),
  })
  const minus = (sum: Sum): Sum => ({
    ...sum,
    rounded: sum.rounded.map(negated),
    exact: sum.exact.map(negated),
    said: sum.said.map(negated),
    saidExact: sum.saidExact.map(negated),
  })
  const row = (
    kind: ReportRow['kind'],
    { label, level, sum, drill = null }: { label: string; level: number; sum: Sum; drill?: string | null },
  ): ReportRow => ({
    kind,
    label,
    level,
    values: [...beside(yearsOf(sum.rounded, sum.exact), saidOf(sum)).values, ...unexplained],
    drill,
    missing: sum.missing,
  })
  /** Which lines a figure is of: those of all its codes, without what locations pay each other where the return is. */
  const drillOf = (side: Place['side'], lines: readonly LineSum[]): string | null => {
    const code = codesIn(lines)
    const basis = came.length ? ({ basis: 'outturn' } as const) : {}
    return code ? placeText({ side, transfer: facts.isSeveral ? 'without' : 'with', code, ...basis }) : null
  }
  const words = (kind: ReportRow['kind'], label: string): ReportRow => ({
    kind,
    label,
    level: 0,
    values: columns.map(() => null),
    drill: null,
    missing: 0,
  })
  const section = (
    side: 'income' | 'expenditure',
    { name, footer, lines }: { name: string; footer: string; lines: readonly MappedLine[] },
  ): { rows: ReportRow[]; sum: Sum; due: number } => {
    const data = lines.map((line) => {
      const own = line.lines.filter((one) => one.unit < units.length)
      const exact = amountsOf(own, parts).map((cell, index) => (isKnown[index] ? cell : unknown))
      const saidExact = amountsOf(
        line.lines.flatMap((one) => (one.unit < units.length ? [] : [{ ...one, unit: one.unit - units.length }])),
        saidParts,
      )
      const sum: Sum = { exact, rounded: exact.map(thousands), saidExact, said: saidExact.map(thousands), missing: missingOf(own) }
      const figures = beside(yearsOf(sum.rounded, sum.exact), saidOf(sum))
      const why = explained(lineOfReturn(side, line), figures)
      return {
        sum,
        isDue: figures.due.length > 0 && !why.reason?.version,
        row: {
          ...row('Data', { label: line.label, level: 1, sum }),
          ...why,
          values: [...figures.values, ...why.values],
          drill: drillOf(side, line.lines),
        },
      }
    })
    const sum = together(data.map((one) => one.sum))
    return {
      rows: [
        words('SectionHeader', name),
        ...data.map((one) => one.row),
        row('SectionFooter', {
          label: footer,
          level: 0,
          sum,
          drill: drillOf(
            side,
            lines.flatMap((one) => one.lines),
          ),
        }),
      ],
      sum,
      due: data.filter(({ isDue }) => isDue).length,
    }
  }
  /** With what the last return had: its years follow those of this one. */
  const withLast = (own: readonly LineSum[], said: readonly LineSum[] = []): LineSum[] => [
    ...revenue(own),
    ...revenue(said).map((line) => ({ ...line, unit: line.unit + units.length })),
  ]
  const incomeLines = mappedLines(facts, withLast(sides.income, last?.sides.income))
  const costLines = mappedLines(facts, withLast([...sides.staff, ...sides.other], last ? [...last.sides.staff, ...last.sides.other] : []))
  const income = section('income', { name: 'Income', footer: incomeName, lines: incomeLines })
  const staff = section('expenditure', {
    name: 'Staff costs',
    footer: staffName,
    lines: costLines.filter((line) => isStaffCost(facts, line)),
  })
  const other = section('expenditure', {
    name: 'Other costs',
    footer: otherName,
    lines: costLines.filter((line) => !isStaffCost(facts, line)),
  })
  const spent = together([staff.sum, other.sum])
  const spentLines = costLines.flatMap((one) => one.lines)
  const inYear = together([income.sum, minus(spent)])
  const counted = revenue([...sides.income, ...sides.staff, ...sides.other])
  const isWhole = parts.map(({ year, from, to }) => monthsOf(from, to).every((at) => monthStands(came[year], at) === 'whole'))
  const balances = facts.carried ? carriedForward(facts, { parts, inYear, counted, isPrior, isWhole }) : null
  const lastCounted = last ? revenue([...last.sides.income, ...last.sides.staff, ...last.sides.other]) : []
  const lastBalances = last?.facts.carried
    ? carriedForward(last.facts, { parts: saidParts, inYear: { rounded: inYear.said, exact: inYear.saidExact }, counted: lastCounted })
    : null
  const balanceValues = (which: 'opening' | 'closing'): ReportRow['values'] => [
    ...beside(assertDefined(balances)[which].years, (at) => lastBalances?.[which].years[at]?.at(-3) ?? null).values,
    ...unexplained,
  ]
  const exactYears = units.flatMap(({ year }, index) => {
    if (isPrior[index]) return []
    const over = (amounts: Amounts): number | null =>
      shownCell(addCells(amounts.filter((_amount, at) => assertDefined(parts[at]).year === index)))
    return {
      name: year,
      income: over(income.sum.exact),
      staff: over(staff.sum.exact),
      inYear: over(inYear.exact),
      reserve: balances?.reserves[index] ?? null,
    }
  })
  const hasFloor = typeof facts.reserveFloor === 'number'
  const { outturn, contactRatios } = facts.beside ?? { outturn: null, contactRatios: [] }
  const lastCame = outturn === 'hidden' ? null : outturn
  const withoutRatio = contactRatios.filter(({ ratio }) => ratio === null)
  const hasRatios = withoutRatio.length < contactRatios.length
  const checked = [
    'what maps to no line',
    'what could not be calculated',
    ...(balances ? [`a reserve below nothing${hasFloor ? ' and below the floor' : ''}`] : []),
    'deficits two years running',
    'the share of staff in income',
    ...(lastCame ? [`the outturn of ${lastCame.name}`] : []),
    ...(hasRatios ? ['the contact ratio'] : []),
  ]
  const unchecked = [
    ...(balances ? (hasFloor ? [] : ['a floor of the reserve (the organisation has none)']) : ['the reserve']),
    ...(lastCame ? [] : [`the last outturn (${outturn === 'hidden' ? 'it is for those who may see actuals' : 'a month of it is not in'})`]),
    ...(withoutRatio.length || !hasRatios
      ? [
          `the contact ratio${hasRatios ? ` of ${displayList(withoutRatio.map(({ location }) => location))}` : ''} (it needs a timetable and the FTE of teachers)`,
        ]
      : []),
  ]
  const due = income.due + staff.due + other.due
  const checks = [
    ...mappingChecks([...incomeLines, ...costLines], { line: 'line of the return', ask: 'Give their budget codes a main BFR code.' }),
    ...(missingOf(counted) ? ['Check: part of the budget could not be calculated and is in no line.'] : []),
    ...lackingInWords(came, startMonth),
    ...that.mixed.map(
      ({ code, description }) =>
        `Check: schools pay each other on ${code} ${description}, which has other money too: actuals do not tell the two apart, and are whole.`,
    ),
    ...opensOtherwise(balances, { units, inFront, isPrior }),
    ...(balances?.missingBefore ? ['Check: part of the years before could not be calculated and is in no balance.'] : []),
    ...(missingOf(lastCounted) ? ['Check: part of the last return could not be calculated and is in no line of it.'] : []),
    ...(due
      ? [
          `Check: ${due} of the rows above ${due === 1 ? 'has' : 'have'} moved since the last return by more than is left unexplained. ${
            reasons ? 'Write why under Reason.' : 'The reasons are for those who see every school of the organisation.'
          }`,
        ]
      : []),
    ...[
      ...warningsOf(exactYears, { reserveFloor: facts.reserveFloor, outturn: lastCame && besideOutturn(ledger, lastCame) }),
      ...contactWarnings(contactRatios),
    ].map((one) => `Check: ${one.text}`),
  ]
  const report: Report = {
    title,
    columns,
    rows: [
      ...income.rows,
      ...staff.rows,
      ...other.rows,
      {
        ...row('Total', { label: spentName, level: 0, sum: spent, drill: drillOf('expenditure', spentLines) }),
        adds: [{ label: staffName }, { label: otherName }],
      },
      {
        ...row('Total', {
          label: inYearName,
          level: 0,
          sum: inYear,
          drill: drillOf('inYear', [...spentLines, ...incomeLines.flatMap((one) => one.lines)]),
        }),
        adds: [{ label: incomeName }, { label: spentName, less: true }],
      },
      ...(balances
        ? [
            { ...words('Total', broughtName), values: balanceValues('opening'), missing: balances.opening.missing },
            {
              ...words('Total', '430 Balance carried forward'),
              values: balanceValues('closing'),
              missing: balances.closing.missing,
              adds: [{ label: broughtName }, { label: inYearName }],
            },
          ]
        : []),
      ...pupilRows(columns, units),
      ...basisWords(budgeted, came).map((text) => words('Empty', text)),
      ...checks.map((text) => words('Empty', text)),
      ...(checks.length ? [] : [words('Empty', 'The checks made find nothing to say.')]),
      words('Empty', `Checked: ${displayList(checked)}.`),
      ...(lastReturn === undefined ? [] : [words('Empty', lastWords(lastReturn, isCompared))]),
      ...(facts.notTold ? [words('Empty', notToldWords)] : []),
      ...(unchecked.length ? [words('Empty', `Not checked here: ${displayList(unchecked)}.`)] : []),
    ],
    notCalculated: facts.notCalculated,
    bases: columns.map(() => ({ income: null, pupils: null })),
    ...(isCompared && reasons && { reasons: { ...reasons.of, mayWrite: reasons.mayWrite } }),
  }
  // A year of which nothing is in says so once.
  const isNothing = units.flatMap(({ year }, at) =>
    isPrior[at] && parts.every((part, index) => part.year !== at || !isKnown[index]) ? [year] : [],
  )
  return without(report, new Set(isNothing.flatMap((year) => [`first ${year}`, `last ${year}`, placeText({ year }), `difference ${year}`])))
}

/**
 * The return as it is told where nobody is named: codes of few people together, and without the last return, which was of other people and so
 * would tell what some of them are paid.
 */
function toldOf(that: FactsThatCame): FactsThatCame {
  const { notTold } = that.facts
  if (!notTold) return that
  const { lastReturn: _last, ...facts } = mergeFewInReport(that.facts, { codes: notTold, centres: null, isMapped: true })
  return { ...that, facts }
}

/** A report without some of its columns. */
function without(report: Report, keys: ReadonlySet<string>): Report {
  if (!keys.size) return report
  const isLeft = report.columns.map(({ key }) => !keys.has(key))
  const left = <T>(all: readonly T[]): T[] => all.filter((_one, index) => isLeft[index])
  return {
    ...report,
    columns: left(report.columns),
    bases: left(report.bases),
    rows: report.rows.map((row) => ({ ...row, values: left(row.values) })),
  }
}

/** What the last return is taken from, and what it is without. */
function lastWords(last: LastReturn | null, isCompared: boolean): string {
  if (!last || !isCompared)
    return 'Not compared with the last return: no budget that was approved for an earlier first year tells of these years.'
  const without = last.without.length ? ` It is without ${last.without.join(', ')}, which had none.` : ''
  return `The last return is what budgets approved for an earlier first year said, put together by the codes of today.${without}`
}

/** Months of a part of a year, from 0. */
const monthsOf = (from: number, to: number): number[] => Array.from({ length: to - from }, (_unused, at) => from + at)

/** Nothing is known of a part. */
const unknown: Cell = { value: 0, known: 0, missing: 1 }

/** The pupils of each year, which the return asks for beside its money: one number, in the column of the year. */
function pupilRows(columns: readonly ReportColumn[], units: ReportFacts['units']): ReportRow[] {
  if (units.every(({ pupils }) => pupils === null)) return []
  const values = columns.map(({ key }) => {
    const unit = units.find(({ year }) => key === `thousands ${year}`)
    return unit ? (unit.pupils ?? 'not known') : null
  })
  return [{ kind: 'Empty', label: '999 Pupil numbers, one for each year and not in thousands', level: 0, values, drill: null, missing: 0 }]
}

/** What the figures are made of. */
function basisWords({ cameIn, startMonth }: ReportFacts, came: FactsThatCame['came']): string[] {
  const fromBudgets = 'Every month is of the budgets: no column has actuals. Key what has happened over it.'
  if (cameIn === 'hidden') return [`${fromBudgets} Actuals are for those who may see them.`]
  if (cameIn === 'narrowed') return [`${fromBudgets} Actuals are in the return of all codes, centres, funds and tags.`]
  const told = actualsInWords(came, startMonth)
  return currentOf(came) < 0 ? [fromBudgets, ...told] : [...told, 'Months of which no actuals are named are of the budgets.']
}

/** Where a year in front ends with other than the budgets that follow it begin with. */
function opensOtherwise(
  balances: { begun: readonly number[]; closed: readonly (number | null)[] } | null,
  { units, inFront, isPrior }: { units: ReportFacts['units']; inFront: number; isPrior: readonly boolean[] },
): string[] {
  if (!balances || !inFront || isPrior[inFront - 1] !== false) return []
  const [ends, begins] = [balances.closed[inFront - 1] ?? null, assertDefined(balances.begun[inFront])]
  if (ends === null || ends === begins) return []
  return [
    `Check: the budgets begin ${assertDefined(units[inFront]).year} with ${displayMoney(begins)}, and ${assertDefined(units[inFront - 1]).year} is forecast to end with ${displayMoney(ends)}, which is carried on here.`,
  ]
}

const cellOf = (amount: number | null): Cell =>
  amount === null ? { value: 0, known: 0, missing: 1 } : { value: amount, known: 1, missing: 0 }

/** Of each part what lines come to. */
const amountsOf = (lines: readonly LineSum[], parts: readonly Part[]): Amounts =>
  parts.map(({ year, from, to }) =>
    addCells(lines.filter((line) => line.unit === year).flatMap((line) => line.amounts.slice(from, to).map(cellOf))),
  )

/**
 * Revenue balances. A year begins with its own opening balances and what the years before it came to, shown or not, without what locations
 * pay each other where the years shown are without it; in thousands a year that follows the one beside it begins with what that carried
 * forward, so that the rounded columns chain. Of a part of which nothing could be calculated no balance is known, nor of those that follow.
 */
function carriedForward(
  facts: ReportFacts,
  {
    parts,
    inYear,
    counted,
    isPrior = [],
    isWhole = [],
  }: {
    parts: readonly Part[]
    inYear: { rounded: Amounts; exact: Amounts }
    counted: readonly LineSum[]
    isPrior?: readonly boolean[]
    isWhole?: readonly boolean[]
  },
) {
  const { units } = facts
  const openings = assertDefined(facts.carried).openings.filter((one) => one.type !== openingBalanceType.capital)
  const before = assertDefined(facts.carried).before.flatMap((one) => {
    const code = (one.codeId === null ? null : facts.codes.get(one.codeId)?.facts) ?? null
    const side = sideOf(code, one.isStaff)
    if (side === 'balance' || isCapital(facts, one.codeId) || (facts.isSeveral && one.transfer)) return []
    return [{ ...one, total: side === 'income' ? one.total : -one.total }]
  })
  const gapsBefore = units.map((_unit, year) => missingOf(before.filter((one) => one.unit === year)))
  const gapsIn = units.map((_unit, year) => missingOf(counted.filter((line) => line.unit === year)))
  const begun = units.map((_unit, year) => {
    const opened = openings.reduce((sum, one) => (one.unit === year ? sum + one.value : sum), 0)
    return before.reduce((sum, one) => (one.unit === year ? sum + one.total : sum), opened)
  })
  const chain = (amounts: Amounts, first: (pennies: Pennies) => number) => {
    const opening: (number | null)[] = []
    const closing: (number | null)[] = []
    const follows = (later: Part, earlier: Part): boolean =>
      earlier.year === later.year || isYearAfter(assertDefined(units[later.year]).year, assertDefined(units[earlier.year]).year)
    for (const [index, part] of parts.entries()) {
      const earlier = parts[index - 1]
      if (isPrior[part.year]) {
        opening.push(null)
        closing.push(null)
        continue
      }
      const at =
        earlier && !isPrior[earlier.year] && follows(part, earlier) ? elementAt(closing, index - 1) : first(assertDefined(begun[part.year]))
      const moved = shownCell(assertDefined(amounts[index]))
      opening.push(at)
      closing.push(at === null || moved === null ? null : at + moved)
    }
    // What came before the budgets ends with what they begin with, and so it is worked out backwards.
    for (let index = parts.length - 2; index >= 0; index--) {
      const [part, later] = [assertDefined(parts[index]), assertDefined(parts[index + 1])]
      if (!isPrior[part.year] || !follows(later, part)) continue
      const [ends, moved] = [elementAt(opening, index + 1), shownCell(assertDefined(amounts[index]))]
      closing[index] = ends
      opening[index] = ends === null || moved === null || !isWhole[index] ? null : ends - moved
    }
    return { opening, closing }
  }
  const rounded = chain(inYear.rounded, (pennies) => roundedQuotient(pennies, unit))
  const exact = chain(inYear.exact, (pennies) => pennies)
  /** Of a year: what its first part begins with, or its last ends with. */
  const shown = (which: 'opening' | 'closing'): (number | null)[][] =>
    units.map((_unit, year) => {
      const own = parts.flatMap((part, index) => (part.year === year ? [index] : []))
      const at = which === 'opening' ? assertDefined(own[0]) : assertDefined(own.at(-1))
      const [inThousands, inPennies] = [elementAt(rounded[which], at), elementAt(exact[which], at)]
      return [
        ...(own.length > 1 ? own.map((index) => elementAt(rounded[which], index)) : []),
        inThousands,
        inPennies,
        leftByRounding(inThousands, inPennies),
      ]
    })
  const most = (gaps: readonly number[]): number => Math.max(0, ...gaps)
  const closingGaps = most(units.map((_unit, year) => assertDefined(gapsBefore[year]) + assertDefined(gapsIn[year])))
  return {
    // The second half of a year begins without what the first lacks.
    opening: { years: shown('opening'), missing: closingGaps },
    closing: { years: shown('closing'), missing: closingGaps },
    reserves: units.map((_unit, year) =>
      elementAt(
        exact.closing,
        parts.findLastIndex((part) => part.year === year),
      ),
    ),
    begun,
    closed: units.map((_unit, year) =>
      elementAt(
        exact.closing,
        parts.findLastIndex((part) => part.year === year),
      ),
    ),
    /** Of the years before that are not shown themselves. */
    missingBefore: most(gapsBefore.map((gaps, year) => gaps - gapsIn.slice(0, year).reduce((sum, one) => sum + one, 0))),
  }
}

import { findOverviewSection } from '../../calculation/nonStaffing/balances.ts'
import { openingBalanceType } from '../../lookups/lookupIds.ts'
import { calculatePercentOfBase, divideRounded } from '../../monitoring/figures.ts'
import { needsExplanation } from '../../monitoring/rows.ts'
import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import { formatPeriodMonth } from '../../values/calendar.ts'
import { displayCount, displayList, displayMoney } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { mergeFewPeopleInReport } from '../codesOfFewPeople.ts'
import { type CellFigure, negateCell, sumCells, toDisplayedValue } from '../columns.ts'
import type { LastReturn, LineSum, ReportFacts } from '../facts.ts'
import { describeUnmappedCodes, groupMappedLines, isCapitalCode, type MappedLine } from '../mapped.ts'
import { compareWithOutturn } from '../outturn.ts'
import { formatCodeIds, formatLineFilter, type LineFilter, type Report, type ReportColumn, type ReportRow } from '../report.ts'
import { buildReportLedger } from '../statement.ts'
import { findContactWarnings, findWarnings, formatYearRanges, isYearAfter } from '../warnings.ts'
import {
  describeActuals,
  describeMissingMonths,
  findCurrentYearIndex,
  findMonthStatus,
  type ReturnFacts,
  replaceBudgetByActuals,
} from './returnActuals.ts'
import { createReturnLineKey, describeReasonAuthor } from './returnReasons.ts'

/** If no actuals have been imported, the first years are split into two parts. This is the number of years split. */
const yearsInHalves = 3
const notAvailable = 'not available'
/** The pennies in a thousand pounds, the unit of the return. */
const penniesPerUnit = 100_000
/** The first and last line numbers of the return for staff costs, and for other costs. */
const [staffLines, otherLines] = [
  [300, 334],
  [336, 379],
] as const

const [incomeName, staffName, otherName, spentName] = [
  '298 Total revenue income',
  '335 Total staff costs',
  'Total other costs',
  '380 Total revenue expenditure',
] as const
/** Shown in place of a missing reason; the years follow it. */
const reasonRequiredText = 'Required for'
const hiddenSentence =
  'Figures from the last return, and lines for budget codes that pay fewer than three people, are shown only to people who can view staff.'
const [inYearName, broughtName] = ['In-year revenue balance', 'Revenue funds brought forward'] as const

/** A part of a year: the months from `from` up to but excluding `to`. Months are counted from 0. */
interface YearPart {
  year: number
  from: number
  to: number
}

/** Splits years into parts. A year that is not split has one part; other years have two. */
const splitYears = (halved: readonly boolean[]): YearPart[] =>
  halved.flatMap((isHalved, year) =>
    isHalved
      ? [
          { year, from: 0, to: 7 },
          { year, from: 7, to: 12 },
        ]
      : [{ year, from: 0, to: 12 }],
  )

type Amounts = readonly CellFigure[]

/** Rounds to thousands, halves away from zero. */
const roundToThousands = (cell: CellFigure): CellFigure => ({ ...cell, value: divideRounded(cell.value, penniesPerUnit) })

/** The exact amount less the rounded one, in whole pennies. */
const calculateRoundingDifference = (inThousands: number | null, inPennies: Pennies | null): number | null =>
  inThousands === null || inPennies === null ? null : inPennies - inThousands * penniesPerUnit

const sumMissing = (lines: readonly { missing: number }[]): number => lines.reduce((sum, line) => sum + line.missing, 0)

/**
 * Whether a line of the return is a staff cost. Its line number decides, so that the line is a single row and is rounded once. A line
 * without such a number is a staff cost if any of its codes is.
 */
function isStaffCost(facts: ReportFacts, { code, lines }: MappedLine): boolean {
  const number = Number.parseInt(code ?? '', 10)
  if (number >= staffLines[0] && number <= staffLines[1]) return true
  if (number >= otherLines[0] && number <= otherLines[1]) return false
  return lines.some(
    ({ codeId, isStaff }) => findOverviewSection((codeId === null ? null : facts.codes.get(codeId)?.facts) ?? null, isStaff) === 'staff',
  )
}

/**
 * Builds the sheet for entering the Budget Forecast Return (rules.md §20). It contains the revenue of all locations without payments
 * between them, in thousands of pounds. Each line is rounded, and totals add up the rounded lines; the exact amounts and rounding
 * differences are shown as well. The previous, current and next year are split into the first seven and the last five months. The previous
 * year has actuals. The current year has actuals in the months for which they are imported, and the forecast in the other months.
 *
 * For each year of the last return it also shows the figure of that return and the change since. If a change exceeds the organisation's
 * threshold, the row has the stored reason with its author, or says that a reason is required. Figures that could not be calculated are
 * left out and counted (§19).
 */
export function buildBudgetForecastReturn(title: string, budgeted: ReportFacts): Report {
  const returnFacts = hideFewPeople(
    typeof budgeted.returnActuals === 'object'
      ? replaceBudgetByActuals(budgeted, budgeted.returnActuals)
      : { facts: budgeted, returnYears: [], mixed: [] },
  )
  const { facts, returnYears } = returnFacts
  const inFront = facts.units.length - budgeted.units.length
  const ledger = buildReportLedger(facts)
  const { sides } = ledger
  const { units, startMonth } = facts
  const month = (period: number): string => formatPeriodMonth(startMonth, period).slice(0, 3)
  const isPrior = units.map((_unit, year) => Boolean(returnYears[year]?.isPrior))
  const current = findCurrentYearIndex(returnYears)
  const startOf = (at: number): number => Number(assertDefined(units[at]).year.slice(0, 4))
  const halved = units.map((_unit, at) => (current < 0 ? at < yearsInHalves + inFront : Math.abs(startOf(at) - startOf(current)) <= 1))
  const parts = splitYears(halved)
  /** Whether each part of a year has figures, which are actuals or a budget. */
  const isKnown = parts.map(({ year, from, to }) => listMonths(from, to).some((at) => findMonthStatus(returnYears[year], at) !== 'none'))
  const isYearKnown = units.map((_unit, year) => parts.every((part, at) => part.year !== year || assertDefined(isKnown[at])))
  const { lastReturn } = facts
  const last = lastReturn && { ...lastReturn, sides: buildReportLedger(lastReturn.facts).sides }
  /** The index of each year in the last return; -1 if the last return does not include it. */
  const lastReturnIndex = units.map(({ year }) => last?.facts.units.findIndex((one) => one.year === year) ?? -1)
  // The last return is split in the same way as this one, so that rounding alone causes no difference.
  const lastReturnParts = splitYears((last?.facts.units ?? []).map((_unit, at) => halved[lastReturnIndex.indexOf(at)] ?? true))
  const isCompared = lastReturnIndex.some((at) => at >= 0)
  const revenue = (lines: readonly LineSum[]): LineSum[] => lines.filter((line) => !isCapitalCode(facts, line.codeId))
  /** The columns of each year: its parts in thousands, then the whole year rounded, exact, and the rounding difference. */
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
      { key: formatLineFilter({ year }), title: `${name} exact`, type: 'money' as const },
      { key: `difference ${year}`, title: `${name} rounding`, type: 'money' as const },
    ]
      .map((one) => (isPrior[index] ? { ...one, without: notAvailable } : one))
      .concat(
        assertDefined(lastReturnIndex[index]) >= 0
          ? [
              { key: `said ${year}`, title: `${year} last return £000`, type: 'number' as const },
              { key: `moved ${year}`, title: `${year} change since £000`, type: 'number' as const },
            ]
          : [],
      )
  })
  const reasons = facts.returnContext?.reasons ?? null
  if (isCompared)
    columns.push({ key: 'reason', title: 'Reason', type: 'text' }, { key: 'reasonBy', title: 'Reason given by', type: 'text' })
  /** The figure of a year in thousands, now and in the last return. */
  interface ComparedFigure {
    now: number | null
    lastReturn: number | null
  }
  const moved = ({ now, lastReturn }: ComparedFigure): number | null => (now === null || lastReturn === null ? null : now - lastReturn)
  const exceedsThreshold = (one: ComparedFigure): boolean => {
    const change = moved(one)
    if (!last || change === null || one.lastReturn === null) return false
    return needsExplanation(change * penniesPerUnit, calculatePercentOfBase(change, one.lastReturn), last.settings)
  }
  interface ComparedRow {
    values: ReportRow['values']
    /** Whether any year's figure has changed since the last return; `due` has the years whose change exceeds the threshold. */
    hasMoved: boolean
    due: { name: string }[]
  }
  /** Adds the figures of the last return to the values of each year, in the columns after them. */
  const compareWithLast = (currentFigures: readonly (number | null)[][], saidOf: (at: number) => number | null): ComparedRow => {
    const compared = currentFigures.map((values, year): ComparedFigure | null => {
      const at = assertDefined(lastReturnIndex[year])
      return at < 0 ? null : { now: values.at(-3) ?? null, lastReturn: saidOf(at) }
    })
    return {
      values: currentFigures.flatMap((values, year) => {
        const one = compared[year]
        return one ? [...values, one.lastReturn, moved(one)] : values
      }),
      hasMoved: compared.some((one) => one !== null && moved(one)),
      due: units.flatMap(({ year }, index) => {
        const one = compared[index]
        return one && exceedsThreshold(one) ? [{ name: year }] : []
      }),
    }
  }
  /** The empty reason columns of a total, which has no reason. */
  const unexplained = isCompared ? [null, null] : []
  /** Builds the reason columns of a line: the stored reason, or a text that says that a reason is required. */
  const explainLine = (line: string, { hasMoved, due }: ComparedRow): Pick<ReportRow, 'values' | 'reason'> => {
    if (!isCompared) return { values: [] }
    const stored = reasons?.kept.get(line)
    if (stored) return { values: [stored.text, describeReasonAuthor(stored)], reason: { line, version: stored.version } }
    return {
      values: [due.length && reasons ? `${reasonRequiredText} ${formatYearRanges(due)}` : null, null],
      ...(hasMoved && reasons && { reason: { line, version: 0 } }),
    }
  }
  const valuesByYear = (rounded: Amounts, exact: Amounts): (number | null)[][] =>
    units.map((_unit, year) => {
      const partsOfYear = parts.flatMap((part, index) => (part.year === year ? [index] : []))
      const sum = (cells: Amounts): number | null =>
        isYearKnown[year] ? toDisplayedValue(sumCells(partsOfYear.map((index) => assertDefined(cells[index])))) : null
      const [inThousands, inPennies] = [sum(rounded), sum(exact)]
      return [
        ...(partsOfYear.length > 1 ? partsOfYear.map((index) => toDisplayedValue(assertDefined(rounded[index]))) : []),
        inThousands,
        inPennies,
        calculateRoundingDifference(inThousands, inPennies),
      ]
    })
  interface ReturnSum {
    rounded: Amounts
    exact: Amounts
    /** The amounts of the last return, for each part of a year. */
    lastReturn: Amounts
    saidExact: Amounts
    missing: number
  }
  const lastReturnValue =
    ({ lastReturn }: ReturnSum) =>
    (at: number): number | null =>
      toDisplayedValue(sumCells(lastReturn.filter((_cell, index) => assertDefined(lastReturnParts[index]).year === at)))
  const addUp = (sums: readonly ReturnSum[]): ReturnSum => ({
    rounded: parts.map((_part, index) => sumCells(sums.map((one) => assertDefined(one.rounded[index])))),
    exact: parts.map((_part, index) => sumCells(sums.map((one) => assertDefined(one.exact[index])))),
    lastReturn: lastReturnParts.map((_part, index) => sumCells(sums.map((one) => assertDefined(one.lastReturn[index])))),
    saidExact: lastReturnParts.map((_part, index) => sumCells(sums.map((one) => assertDefined(one.saidExact[index])))),
    missing: sumMissing(sums),
  })
  const minus = (sum: ReturnSum): ReturnSum => ({
    ...sum,
    rounded: sum.rounded.map(negateCell),
    exact: sum.exact.map(negateCell),
    lastReturn: sum.lastReturn.map(negateCell),
    saidExact: sum.saidExact.map(negateCell),
  })
  const row = (
    kind: ReportRow['kind'],
    { label, level, sum, drill = null }: { label: string; level: number; sum: ReturnSum; drill?: string | null },
  ): ReportRow => ({
    kind,
    label,
    level,
    values: [...compareWithLast(valuesByYear(sum.rounded, sum.exact), lastReturnValue(sum)).values, ...unexplained],
    drill,
    missing: sum.missing,
  })
  /** Builds the filter of a figure from all its codes. It excludes payments between locations if the return does. */
  const buildFilter = (side: LineFilter['side'], lines: readonly LineSum[]): string | null => {
    const code = formatCodeIds(lines)
    const basis = returnYears.length ? ({ basis: 'outturn' } as const) : {}
    return code ? formatLineFilter({ side, transfer: facts.hasSeveralLocations ? 'without' : 'with', code, ...basis }) : null
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
  ): { rows: ReportRow[]; sum: ReturnSum; due: number } => {
    const data = lines.map((line) => {
      const currentLines = line.lines.filter((one) => one.unit < units.length)
      const exact = sumByPart(currentLines, parts).map((cell, index) => (isKnown[index] ? cell : unknownCell))
      const saidExact = sumByPart(
        line.lines.flatMap((one) => (one.unit < units.length ? [] : [{ ...one, unit: one.unit - units.length }])),
        lastReturnParts,
      )
      const sum: ReturnSum = {
        exact,
        rounded: exact.map(roundToThousands),
        saidExact,
        lastReturn: saidExact.map(roundToThousands),
        missing: sumMissing(currentLines),
      }
      const figures = compareWithLast(valuesByYear(sum.rounded, sum.exact), lastReturnValue(sum))
      const why = explainLine(createReturnLineKey(side, line), figures)
      return {
        sum,
        isDue: figures.due.length > 0 && !why.reason?.version,
        row: {
          ...row('Data', { label: line.label, level: 1, sum }),
          ...why,
          values: [...figures.values, ...why.values],
          drill: buildFilter(side, line.lines),
        },
      }
    })
    const sum = addUp(data.map((one) => one.sum))
    return {
      rows: [
        words('SectionHeader', name),
        ...data.map((one) => one.row),
        row('SectionFooter', {
          label: footer,
          level: 0,
          sum,
          drill: buildFilter(
            side,
            lines.flatMap((one) => one.lines),
          ),
        }),
      ],
      sum,
      due: data.filter(({ isDue }) => isDue).length,
    }
  }
  /** Appends the lines of the last return, as further years. */
  const appendLastReturn = (currentLines: readonly LineSum[], lastLines: readonly LineSum[] = []): LineSum[] => [
    ...revenue(currentLines),
    ...revenue(lastLines).map((line) => ({ ...line, unit: line.unit + units.length })),
  ]
  const incomeLines = groupMappedLines(facts, appendLastReturn(sides.income, last?.sides.income))
  const costLines = groupMappedLines(
    facts,
    appendLastReturn([...sides.staff, ...sides.other], last ? [...last.sides.staff, ...last.sides.other] : []),
  )
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
  const spent = addUp([staff.sum, other.sum])
  const spentLines = costLines.flatMap((one) => one.lines)
  const inYear = addUp([income.sum, minus(spent)])
  const counted = revenue([...sides.income, ...sides.staff, ...sides.other])
  const isWhole = parts.map(({ year, from, to }) => listMonths(from, to).every((at) => findMonthStatus(returnYears[year], at) === 'whole'))
  const balances = facts.carried ? calculateReturnBalances(facts, { parts, inYear, counted, isPrior, isWhole }) : null
  const lastCounted = last ? revenue([...last.sides.income, ...last.sides.staff, ...last.sides.other]) : []
  const lastBalances = last?.facts.carried
    ? calculateReturnBalances(last.facts, {
        parts: lastReturnParts,
        inYear: { rounded: inYear.lastReturn, exact: inYear.saidExact },
        counted: lastCounted,
      })
    : null
  const balanceValues = (which: 'opening' | 'closing'): ReportRow['values'] => [
    ...compareWithLast(assertDefined(balances)[which].years, (at) => lastBalances?.[which].years[at]?.at(-3) ?? null).values,
    ...unexplained,
  ]
  const exactYears = units.flatMap(({ year }, index) => {
    if (isPrior[index]) return []
    const over = (amounts: Amounts): number | null =>
      toDisplayedValue(sumCells(amounts.filter((_amount, at) => assertDefined(parts[at]).year === index)))
    return {
      name: year,
      income: over(income.sum.exact),
      staff: over(staff.sum.exact),
      inYear: over(inYear.exact),
      reserve: balances?.reserves[index] ?? null,
    }
  })
  const hasFloor = typeof facts.reserveFloor === 'number'
  const { outturn, contactRatios } = facts.returnContext ?? { outturn: null, contactRatios: [] }
  const lastCame = outturn === 'hidden' ? null : outturn
  const withoutRatio = contactRatios.filter(({ ratio }) => ratio === null)
  const hasRatios = withoutRatio.length < contactRatios.length
  const checked = [
    'codes not mapped to a line',
    'figures that could not be calculated',
    ...(balances ? [`negative reserves${hasFloor ? ' and reserves below the floor' : ''}`] : []),
    'deficits two years running',
    'staff costs as a share of income',
    ...(lastCame ? [`the outturn of ${lastCame.name}`] : []),
    ...(hasRatios ? ['the contact ratio'] : []),
  ]
  const unchecked = [
    ...(balances ? (hasFloor ? [] : ['the reserve floor (the organisation has not set one)']) : ['the reserve']),
    ...(lastCame ? [] : [`the last outturn (${outturn === 'hidden' ? 'only for people who can view actuals' : 'a month is missing'})`]),
    ...(withoutRatio.length || !hasRatios
      ? [
          `the contact ratio${hasRatios ? ` of ${displayList(withoutRatio.map(({ location }) => location))}` : ''} (it needs a timetable and teachers’ FTE)`,
        ]
      : []),
  ]
  const due = income.due + staff.due + other.due
  const checks = [
    ...describeUnmappedCodes([...incomeLines, ...costLines], {
      line: 'line in the return',
      ask: 'Give their budget codes a main BFR code.',
    }),
    ...(sumMissing(counted) ? ['Check: part of the budget could not be calculated and is not in any line.'] : []),
    ...describeMissingMonths(returnYears, startMonth),
    ...returnFacts.mixed.map(
      ({ code, description }) =>
        `Check: ${code} ${description} holds transfers between schools and also other money: actuals cannot separate the two and are shown in full.`,
    ),
    ...describeOpeningMismatch(balances, { units, inFront, isPrior }),
    ...(balances?.missingBefore ? ['Check: part of the earlier years could not be calculated and is not in any balance.'] : []),
    ...(sumMissing(lastCounted) ? ['Check: part of the last return could not be calculated and is not in any of its lines.'] : []),
    ...(due
      ? [
          `Check: ${displayCount(due, 'row')} above ${due === 1 ? 'has' : 'have'} changed since the last return by more than the limit. ${
            reasons ? 'Enter the cause under Reason.' : 'Only people who see every school of the organisation can read the reasons.'
          }`,
        ]
      : []),
    ...[
      ...findWarnings(exactYears, { reserveFloor: facts.reserveFloor, outturn: lastCame && compareWithOutturn(ledger, lastCame) }),
      ...findContactWarnings(contactRatios),
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
        ...row('Total', { label: spentName, level: 0, sum: spent, drill: buildFilter('expenditure', spentLines) }),
        adds: [{ label: staffName }, { label: otherName }],
      },
      {
        ...row('Total', {
          label: inYearName,
          level: 0,
          sum: inYear,
          drill: buildFilter('inYear', [...spentLines, ...incomeLines.flatMap((one) => one.lines)]),
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
      ...buildPupilRows(columns, units),
      ...describeBasis(budgeted, returnYears).map((text) => words('Empty', text)),
      ...checks.map((text) => words('Empty', text)),
      ...(checks.length ? [] : [words('Empty', 'The checks found no problems.')]),
      words('Empty', `Checked: ${displayList(checked)}.`),
      ...(lastReturn === undefined ? [] : [words('Empty', describeLastReturn(lastReturn, isCompared))]),
      ...(facts.hiddenCodes ? [words('Empty', hiddenSentence)] : []),
      ...(unchecked.length ? [words('Empty', `Not checked here: ${displayList(unchecked)}.`)] : []),
    ],
    notCalculated: facts.notCalculated,
    bases: columns.map(() => ({ income: null, pupils: null })),
    ...(isCompared && reasons && { reasons: { ...reasons.of, mayWrite: reasons.mayWrite } }),
  }
  // A year without any actuals is mentioned only once.
  const emptyYears = units.flatMap(({ year }, at) =>
    isPrior[at] && parts.every((part, index) => part.year !== at || !isKnown[index]) ? [year] : [],
  )
  return removeColumns(
    report,
    new Set(emptyYears.flatMap((year) => [`first ${year}`, `last ${year}`, formatLineFilter({ year }), `difference ${year}`])),
  )
}

/**
 * Hides figures that would reveal individual pay from readers without staffing permissions. It merges codes of a few people, and removes
 * the last return, because differences from it would reveal pay.
 */
function hideFewPeople(that: ReturnFacts): ReturnFacts {
  const { hiddenCodes } = that.facts
  if (!hiddenCodes) return that
  const { lastReturn: _last, ...facts } = mergeFewPeopleInReport(that.facts, { codes: hiddenCodes, centres: null, isMapped: true })
  return { ...that, facts }
}

function removeColumns(report: Report, keys: ReadonlySet<string>): Report {
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

function describeLastReturn(last: LastReturn | null, isCompared: boolean): string {
  if (!last || !isCompared) return 'Not compared with the last return: no budget approved for an earlier first year covers these years.'
  const without = last.without.length ? ` It excludes ${last.without.join(', ')}, which had no approved budget.` : ''
  return `The last return is taken from budgets approved for an earlier first year, grouped by current codes.${without}`
}

/** The months of a part, from 0. */
const listMonths = (from: number, to: number): number[] => Array.from({ length: to - from }, (_unused, at) => from + at)

/** A part without any known figures. */
const unknownCell: CellFigure = { value: 0, known: 0, missing: 1 }

/** Builds the rows of pupils by year, which the return also requires: one number for each year, in its column of thousands. */
function buildPupilRows(columns: readonly ReportColumn[], units: ReportFacts['units']): ReportRow[] {
  if (units.every(({ pupils }) => pupils === null)) return []
  const values = columns.map(({ key }) => {
    const unit = units.find(({ year }) => key === `thousands ${year}`)
    return unit ? (unit.pupils ?? 'not known') : null
  })
  return [{ kind: 'Empty', label: '999 Pupil numbers, one for each year and not in thousands', level: 0, values, drill: null, missing: 0 }]
}

function describeBasis({ returnActuals, startMonth }: ReportFacts, returnYears: ReturnFacts['returnYears']): string[] {
  const fromBudgets = 'Every month is from the budgets: no column has actuals. Key in the actual figures instead.'
  if (returnActuals === 'hidden') return [`${fromBudgets} Actuals are shown only to people who can view them.`]
  if (returnActuals === 'narrowed')
    return [`${fromBudgets} Actuals are shown only if the return covers all codes, cost centres, funds and tags.`]
  const actualsDescription = describeActuals(returnYears, startMonth)
  return findCurrentYearIndex(returnYears) < 0
    ? [fromBudgets, ...actualsDescription]
    : [...actualsDescription, 'Months without actuals are from the budgets.']
}

/** Describes earlier years whose closing balance differs from the opening balance of the budgets. */
function describeOpeningMismatch(
  balances: { begun: readonly number[]; closed: readonly (number | null)[] } | null,
  { units, inFront, isPrior }: { units: ReportFacts['units']; inFront: number; isPrior: readonly boolean[] },
): string[] {
  if (!balances || !inFront || isPrior[inFront - 1] !== false) return []
  const [ends, begins] = [balances.closed[inFront - 1] ?? null, assertDefined(balances.begun[inFront])]
  if (ends === null || ends === begins) return []
  return [
    `Check: the budgets for ${assertDefined(units[inFront]).year} begin with ${displayMoney(begins)}, and ${assertDefined(units[inFront - 1]).year} is forecast to end with ${displayMoney(ends)}. The forecast is brought forward here.`,
  ]
}

const toCell = (amount: number | null): CellFigure =>
  amount === null ? { value: 0, known: 0, missing: 1 } : { value: amount, known: 1, missing: 0 }

const sumByPart = (lines: readonly LineSum[], parts: readonly YearPart[]): Amounts =>
  parts.map(({ year, from, to }) =>
    sumCells(lines.filter((line) => line.unit === year).flatMap((line) => line.amounts.slice(from, to).map(toCell))),
  )

/**
 * Calculates revenue balances. A year starts with its opening balances and the results of all earlier years, whether these are shown or
 * not. If the return excludes payments between locations, so do the balances. In thousands, a year starts with the rounded balance of the
 * year before, so that each column follows from the one before. If a part of a year could not be calculated, its balance and all later
 * balances are unknown.
 */
function calculateReturnBalances(
  facts: ReportFacts,
  {
    parts,
    inYear,
    counted,
    isPrior = [],
    isWhole = [],
  }: {
    parts: readonly YearPart[]
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
    const side = findOverviewSection(code, one.isStaff)
    if (side === 'balance' || isCapitalCode(facts, one.codeId) || (facts.hasSeveralLocations && one.transfer)) return []
    return [{ ...one, total: side === 'income' ? one.total : -one.total }]
  })
  const gapsBefore = units.map((_unit, year) => sumMissing(before.filter((one) => one.unit === year)))
  const gapsIn = units.map((_unit, year) => sumMissing(counted.filter((line) => line.unit === year)))
  const begun = units.map((_unit, year) => {
    const opened = openings.reduce((sum, one) => (one.unit === year ? sum + one.value : sum), 0)
    return before.reduce((sum, one) => (one.unit === year ? sum + one.total : sum), opened)
  })
  const chain = (amounts: Amounts, first: (pennies: Pennies) => number) => {
    const opening: (number | null)[] = []
    const closing: (number | null)[] = []
    const follows = (later: YearPart, earlier: YearPart): boolean =>
      earlier.year === later.year || isYearAfter(assertDefined(units[later.year]).year, assertDefined(units[earlier.year]).year)
    for (const [index, part] of parts.entries()) {
      const earlier = parts[index - 1]
      if (isPrior[part.year]) {
        opening.push(null)
        closing.push(null)
        continue
      }
      const at =
        earlier && !isPrior[earlier.year] && follows(part, earlier)
          ? requireItemAt(closing, index - 1)
          : first(assertDefined(begun[part.year]))
      const moved = toDisplayedValue(assertDefined(amounts[index]))
      opening.push(at)
      closing.push(at === null || moved === null ? null : at + moved)
    }
    // The years before the budgets must end with the opening balance of the budgets, so they are calculated backwards.
    for (let index = parts.length - 2; index >= 0; index--) {
      const [part, later] = [assertDefined(parts[index]), assertDefined(parts[index + 1])]
      if (!isPrior[part.year] || !follows(later, part)) continue
      const [ends, moved] = [requireItemAt(opening, index + 1), toDisplayedValue(assertDefined(amounts[index]))]
      closing[index] = ends
      opening[index] = ends === null || moved === null || !isWhole[index] ? null : ends - moved
    }
    return { opening, closing }
  }
  const rounded = chain(inYear.rounded, (pennies) => divideRounded(pennies, penniesPerUnit))
  const exact = chain(inYear.exact, (pennies) => pennies)
  /** For each year, the opening balance of its first part, or the closing balance of its last part. */
  const shown = (which: 'opening' | 'closing'): (number | null)[][] =>
    units.map((_unit, year) => {
      const partsOfYear = parts.flatMap((part, index) => (part.year === year ? [index] : []))
      const at = which === 'opening' ? assertDefined(partsOfYear[0]) : assertDefined(partsOfYear.at(-1))
      const [inThousands, inPennies] = [requireItemAt(rounded[which], at), requireItemAt(exact[which], at)]
      return [
        ...(partsOfYear.length > 1 ? partsOfYear.map((index) => requireItemAt(rounded[which], index)) : []),
        inThousands,
        inPennies,
        calculateRoundingDifference(inThousands, inPennies),
      ]
    })
  const most = (gaps: readonly number[]): number => Math.max(0, ...gaps)
  const closingGaps = most(units.map((_unit, year) => assertDefined(gapsBefore[year]) + assertDefined(gapsIn[year])))
  return {
    // The balance in the middle of a year lacks the amounts that are missing in its first part, so the opening balances lack them too.
    opening: { years: shown('opening'), missing: closingGaps },
    closing: { years: shown('closing'), missing: closingGaps },
    reserves: units.map((_unit, year) =>
      requireItemAt(
        exact.closing,
        parts.findLastIndex((part) => part.year === year),
      ),
    ),
    begun,
    closed: units.map((_unit, year) =>
      requireItemAt(
        exact.closing,
        parts.findLastIndex((part) => part.year === year),
      ),
    ),
    /** Counts only the figures missing from earlier years that are not shown. */
    missingBefore: most(gapsBefore.map((gaps, year) => gaps - gapsIn.slice(0, year).reduce((sum, one) => sum + one, 0))),
  }
}

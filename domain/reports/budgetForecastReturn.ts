import { sideOf } from '../calculation/balances.ts'
import { periodName } from '../calendar.ts'
import { openingBalanceType } from '../lookupIds.ts'
import { roundedQuotient } from '../monitoring/figures.ts'
import { elementAt, must } from '../must.ts'
import { addCells, type Cell, negated, shownCell } from './columns.ts'
import type { LineSum, ReportFacts } from './facts.ts'
import { isCapital, type MappedLine, mappedLines, mappingChecks } from './mapped.ts'
import { placeText, type Report, type ReportColumn, type ReportRow } from './report.ts'
import { ledgerOf } from './statement.ts'
import { isYearAfter, warningsOf } from './warnings.ts'

/** Years that the return wants in halves; those after them stand whole. */
const yearsInHalves = 3
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
const [inYearName, broughtName] = ['In-year revenue balance', 'Revenue funds brought forward'] as const

/** A column of the return: a part of a year, and the months of it, from 0. */
interface Part {
  year: number
  from: number
  to: number
}

/** A figure of each part: of what could be calculated, and how much could not. */
type Amounts = readonly Cell[]

/** Thousands, halves away from zero. */
const thousands = (cell: Cell): Cell => ({ ...cell, value: roundedQuotient(cell.value, unit) })

/** What the exact amount has more than the thousands; whole pennies. */
const leftByRounding = (inThousands: number | null, inPennies: number | null): number | null =>
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
 * thousands of pounds rounded line by line, so that it casts; beside each year the exact amount and what the rounding leaves. The first years stand in halves, the first
 * seven months and the last five. From the budget alone: what has happened is keyed over it (choice). What could not be calculated is left
 * out and counted (§19).
 */
export function budgetForecastReturn(title: string, facts: ReportFacts): Report {
  const { sides } = ledgerOf(facts)
  const { units, startMonth } = facts
  const month = (period: number): string => periodName(startMonth, period).slice(0, 3)
  const parts: Part[] = units.flatMap((_unit, year) =>
    year < yearsInHalves
      ? [
          { year, from: 0, to: 7 },
          { year, from: 7, to: 12 },
        ]
      : [{ year, from: 0, to: 12 }],
  )
  const cellOf = (amount: number | null): Cell =>
    amount === null ? { value: 0, known: 0, missing: 1 } : { value: amount, known: 1, missing: 0 }
  const amountsOf = (lines: readonly LineSum[]): Amounts =>
    parts.map(({ year, from, to }) =>
      addCells(lines.filter((line) => line.unit === year).flatMap((line) => line.amounts.slice(from, to).map(cellOf))),
    )
  const revenue = (lines: readonly LineSum[]): LineSum[] => lines.filter((line) => !isCapital(facts, line.codeId))
  /** Of each part the thousands, and after the parts of a year all of it, rounded and exact, and the difference. */
  const columns: ReportColumn[] = units.flatMap(({ year }, index): ReportColumn[] => [
    ...(index < yearsInHalves
      ? [
          { key: `first ${year}`, title: `${year} ${month(1)} to ${month(7)} £000`, type: 'number' as const },
          { key: `last ${year}`, title: `${year} ${month(8)} to ${month(12)} £000`, type: 'number' as const },
        ]
      : []),
    { key: `thousands ${year}`, title: `${year} £000`, type: 'number' },
    { key: placeText({ year }), title: `${year} exact`, type: 'money' },
    { key: `difference ${year}`, title: `${year} left by rounding`, type: 'money' },
  ])
  const valuesOf = (rounded: Amounts, exact: Amounts): ReportRow['values'] =>
    units.flatMap((_unit, year) => {
      const own = parts.flatMap((part, index) => (part.year === year ? [index] : []))
      const sum = (cells: Amounts): number | null => shownCell(addCells(own.map((index) => must(cells[index]))))
      const [inThousands, inPennies] = [sum(rounded), sum(exact)]
      return [
        ...(own.length > 1 ? own.map((index) => shownCell(must(rounded[index]))) : []),
        inThousands,
        inPennies,
        leftByRounding(inThousands, inPennies),
      ]
    })
  interface Sum {
    rounded: Amounts
    exact: Amounts
    missing: number
  }
  const together = (sums: readonly Sum[]): Sum => ({
    rounded: parts.map((_part, index) => addCells(sums.map((one) => must(one.rounded[index])))),
    exact: parts.map((_part, index) => addCells(sums.map((one) => must(one.exact[index])))),
    missing: missingOf(sums),
  })
  const minus = (sum: Sum): Sum => ({ ...sum, rounded: sum.rounded.map(negated), exact: sum.exact.map(negated) })
  const row = (kind: ReportRow['kind'], label: string, level: number, sum: Sum, drill: string | null = null): ReportRow => ({
    kind,
    label,
    level,
    values: valuesOf(sum.rounded, sum.exact),
    drill,
    missing: sum.missing,
  })
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
    name: string,
    footer: string,
    lines: readonly MappedLine[],
  ): { rows: ReportRow[]; sum: Sum } => {
    const data = lines.map((line) => {
      const exact = amountsOf(line.lines)
      return { line, sum: { exact, rounded: exact.map(thousands), missing: missingOf(line.lines) } }
    })
    const sum = together(data.map((one) => one.sum))
    return {
      rows: [
        words('SectionHeader', name),
        ...data.map((one) => row('Data', one.line.label, 1, one.sum, one.line.only && placeText({ side, code: String(one.line.only.id) }))),
        row('SectionFooter', footer, 0, sum),
      ],
      sum,
    }
  }
  const incomeLines = mappedLines(facts, revenue(sides.income))
  const costLines = mappedLines(facts, revenue([...sides.staff, ...sides.other]))
  const income = section('income', 'Income', incomeName, incomeLines)
  const staff = section(
    'expenditure',
    'Staff costs',
    staffName,
    costLines.filter((line) => isStaffCost(facts, line)),
  )
  const other = section(
    'expenditure',
    'Other costs',
    otherName,
    costLines.filter((line) => !isStaffCost(facts, line)),
  )
  const spent = together([staff.sum, other.sum])
  const inYear = together([income.sum, minus(spent)])
  const counted = revenue([...sides.income, ...sides.staff, ...sides.other])
  const balances = facts.carried ? carriedForward(facts, parts, inYear, counted) : null
  const exactYears = units.map(({ year }, index) => {
    const over = (amounts: Amounts): number | null => shownCell(addCells(amounts.filter((_amount, at) => must(parts[at]).year === index)))
    return {
      name: year,
      income: over(income.sum.exact),
      staff: over(staff.sum.exact),
      inYear: over(inYear.exact),
      reserve: balances?.reserves[index] ?? null,
    }
  })
  const checks = [
    ...mappingChecks([...incomeLines, ...costLines], { line: 'line of the return', ask: 'Give their budget codes a main BFR code.' }),
    ...(missingOf(counted) ? ['Check: part of the budget could not be calculated and is in no line.'] : []),
    ...(balances?.missingBefore ? ['Check: part of the years before could not be calculated and is in no balance.'] : []),
    ...warningsOf(exactYears).map((one) => `Check: ${one.text}`),
  ]
  return {
    title,
    columns,
    rows: [
      ...income.rows,
      ...staff.rows,
      ...other.rows,
      { ...row('Total', spentName, 0, spent), adds: [{ label: staffName }, { label: otherName }] },
      { ...row('Total', inYearName, 0, inYear), adds: [{ label: incomeName }, { label: spentName, less: true }] },
      ...(balances
        ? [
            { ...words('Total', broughtName), ...balances.opening },
            {
              ...words('Total', '430 Balance carried forward'),
              ...balances.closing,
              adds: [{ label: broughtName }, { label: inYearName }],
            },
          ]
        : []),
      ...checks.map((text) => words('Empty', text)),
      ...(checks.length ? [] : [words('Empty', 'The checks made find nothing to say.')]),
      words(
        'Empty',
        `Checked: what maps to no line, what could not be calculated, ${balances ? 'a reserve below nothing, ' : ''}deficits two years running and the share of staff in income.`,
      ),
      words(
        'Empty',
        `Not checked here: ${balances ? '' : 'the reserve, '}the floor of the organisation, the last outturn and the contact ratio.`,
      ),
    ],
    notCalculated: facts.notCalculated,
    bases: columns.map(() => ({ income: null, pupils: null })),
  }
}

/**
 * Revenue balances. A year begins with its own opening balances and what the years before it came to, shown or not, without what locations
 * pay each other where the years shown are without it; in thousands a year that follows the one beside it begins with what that carried
 * forward, so that the rounded columns chain. Of a part of which nothing could be calculated no balance is known, nor of those that follow.
 */
function carriedForward(
  facts: ReportFacts,
  parts: readonly Part[],
  inYear: { rounded: Amounts; exact: Amounts },
  counted: readonly LineSum[],
) {
  const { units } = facts
  const openings = must(facts.carried).openings.filter((one) => one.type !== openingBalanceType.capital)
  const before = must(facts.carried).before.flatMap((one) => {
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
  const chain = (amounts: Amounts, first: (pennies: number) => number) => {
    const opening: (number | null)[] = []
    const closing: (number | null)[] = []
    for (const [index, { year }] of parts.entries()) {
      const earlier = parts[index - 1]
      const follows = earlier && (earlier.year === year || isYearAfter(must(units[year]).year, must(units[earlier.year]).year))
      const at = follows ? elementAt(closing, index - 1) : first(must(begun[year]))
      const moved = shownCell(must(amounts[index]))
      opening.push(at)
      closing.push(at === null || moved === null ? null : at + moved)
    }
    return { opening, closing }
  }
  const rounded = chain(inYear.rounded, (pennies) => roundedQuotient(pennies, unit))
  const exact = chain(inYear.exact, (pennies) => pennies)
  /** Of a year: what its first part begins with, or its last ends with. */
  const shown = (which: 'opening' | 'closing'): ReportRow['values'] =>
    units.flatMap((_unit, year) => {
      const own = parts.flatMap((part, index) => (part.year === year ? [index] : []))
      const at = which === 'opening' ? must(own[0]) : must(own.at(-1))
      const [inThousands, inPennies] = [elementAt(rounded[which], at), elementAt(exact[which], at)]
      return [
        ...(own.length > 1 ? own.map((index) => elementAt(rounded[which], index)) : []),
        inThousands,
        inPennies,
        leftByRounding(inThousands, inPennies),
      ]
    })
  const most = (gaps: readonly number[]): number => Math.max(0, ...gaps)
  const closingGaps = most(units.map((_unit, year) => must(gapsBefore[year]) + must(gapsIn[year])))
  return {
    // The second half of a year begins without what the first lacks.
    opening: { values: shown('opening'), missing: closingGaps },
    closing: { values: shown('closing'), missing: closingGaps },
    reserves: units.map((_unit, year) =>
      elementAt(
        exact.closing,
        parts.findLastIndex((part) => part.year === year),
      ),
    ),
    /** Of the years before that are not shown themselves. */
    missingBefore: most(gapsBefore.map((gaps, year) => gaps - gapsIn.slice(0, year).reduce((sum, one) => sum + one, 0))),
  }
}

import { periodName } from '../calendar.ts'
import { budgetCodeCategory, openingBalanceType } from '../lookupIds.ts'
import { roundedQuotient } from '../monitoring/figures.ts'
import type { LineSum, ReportFacts } from './facts.ts'
import { isCapital, type MappedLine, mappedLines } from './mapped.ts'
import { placeText, type Report, type ReportColumn, type ReportRow } from './report.ts'
import { ledgerOf } from './statement.ts'
import { warningsOf } from './warnings.ts'

/** Years that the return wants in halves; those after them stand whole. */
const yearsInHalves = 3
/** Whole pennies in the unit of the return, a thousand pounds. */
const unit = 100_000

/** A column of the return: a part of a year, and the months of it, from 0. */
interface Part {
  year: number
  from: number
  to: number
}

/** Whole pennies in a part of a year; null where a month of it could not be calculated. */
type Amounts = readonly (number | null)[]

const add = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)
const less = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a - b)

/** Thousands, halves away from zero. */
const thousands = (pennies: number | null): number | null => (pennies === null ? null : roundedQuotient(pennies, unit))

/**
 * The keying sheet of the Budget Forecast Return (rules.md §20): revenue of all locations together without what they pay each other, in
 * thousands of pounds rounded line by line, so that it casts; beside each year what the rounding leaves. The first years stand in halves,
 * the first seven months and the last five. From the budget alone: what has happened is keyed over it (choice).
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
  const amountsOf = (lines: readonly LineSum[]): Amounts =>
    parts.map(({ year, from, to }) =>
      lines
        .filter((line) => line.unit === year)
        .flatMap((line) => line.amounts.slice(from, to))
        .reduce<number | null>(add, 0),
    )
  const revenue = (lines: readonly LineSum[]): LineSum[] => lines.filter((line) => !isCapital(facts, line.codeId))
  /** Of each part the thousands, and after the parts of a year all of it and what is left between it and the exact amount in pennies. */
  const columns: ReportColumn[] = units.flatMap(({ year }, index): ReportColumn[] => [
    ...(index < yearsInHalves
      ? [
          { key: `first ${year}`, title: `${year} ${month(1)} to ${month(7)}`, type: 'number' as const },
          { key: `last ${year}`, title: `${year} ${month(8)} to ${month(12)}`, type: 'number' as const },
        ]
      : []),
    { key: `thousands ${year}`, title: `${year} £000`, type: 'number' },
    { key: placeText({ year }), title: `${year} exact`, type: 'money' },
  ])
  const valuesOf = (rounded: Amounts, exact: Amounts): ReportRow['values'] =>
    units.flatMap((_unit, year) => {
      const own = parts.flatMap((part, index) => (part.year === year ? [index] : []))
      const sum = (values: Amounts): number | null => own.map((index) => values[index]!).reduce(add, 0)
      return [...(own.length > 1 ? own.map((index) => rounded[index]!) : []), sum(rounded), sum(exact)]
    })
  const missingOf = (lines: readonly LineSum[]): number => lines.reduce((sum, line) => sum + line.missing, 0)
  interface Sum {
    rounded: Amounts
    exact: Amounts
    missing: number
  }
  const nothing: Sum = { rounded: parts.map(() => 0), exact: parts.map(() => 0), missing: 0 }
  const together = (a: Sum, b: Sum, way: typeof add = add): Sum => ({
    rounded: parts.map((_part, index) => way(a.rounded[index]!, b.rounded[index]!)),
    exact: parts.map((_part, index) => way(a.exact[index]!, b.exact[index]!)),
    missing: a.missing + b.missing,
  })
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
    side: 'income' | 'staff' | 'other',
    name: string,
    footer: string,
    lines: readonly MappedLine[],
  ): { rows: ReportRow[]; sum: Sum } => {
    const data = lines.map((line) => {
      const exact = amountsOf(line.lines)
      return { line, sum: { exact, rounded: exact.map(thousands), missing: missingOf(line.lines) } }
    })
    const sum = data.reduce((all, one) => together(all, one.sum), nothing)
    return {
      rows: [
        words('SectionHeader', name),
        ...data.map((one) => row('Data', one.line.label, 1, one.sum, one.line.only && placeText({ side, code: String(one.line.only.id) }))),
        row('SectionFooter', footer, 0, sum),
      ],
      sum,
    }
  }
  const income = section('income', 'Income', '298 Total revenue income', mappedLines(facts, revenue(sides.income)))
  const staff = section('staff', 'Staff costs', '335 Total staff costs', mappedLines(facts, revenue(sides.staff)))
  const other = section('other', 'Other costs', 'Total other costs', mappedLines(facts, revenue(sides.other)))
  const spent = together(staff.sum, other.sum)
  const inYear = together(income.sum, spent, less)
  const balances = facts.carried ? carriedForward(facts, parts, inYear) : null
  const unmapped = [...income.rows, ...staff.rows, ...other.rows].filter((one) => one.label.startsWith('Not mapped: ')).length
  const exactYears = units.map(({ year }, index) => {
    const over = (amounts: Amounts): number | null =>
      parts.reduce<number | null>((sum, part, at) => (part.year === index ? add(sum, amounts[at]!) : sum), 0)
    const last = parts.findLastIndex((part) => part.year === index)
    return {
      name: year,
      income: over(income.sum.exact),
      staff: over(staff.sum.exact),
      inYear: over(inYear.exact),
      reserve: balances?.closing.exact[last] ?? null,
    }
  })
  const checks = [
    ...(unmapped ? [`Check: ${unmapped} of the rows above map to no line of the return. Give their budget codes a main BFR code.`] : []),
    ...(missingOf(facts.lines) ? ['Check: part of the budget could not be calculated and is in no line.'] : []),
    ...warningsOf(exactYears).map((one) => `Check: ${one.text}`),
  ]
  return {
    title,
    columns,
    rows: [
      ...income.rows,
      ...staff.rows,
      ...other.rows,
      row('Total', '380 Total revenue expenditure', 0, spent),
      row('Total', 'In-year revenue balance', 0, inYear),
      ...(balances
        ? [
            { ...row('Total', 'Revenue funds brought forward', 0, balances.opening), values: balances.openingValues },
            { ...row('Total', '430 Balance carried forward', 0, balances.closing), values: balances.closingValues },
          ]
        : []),
      ...checks.map((text) => words('Empty', text)),
      ...(checks.length ? [] : [words('Empty', 'The checks before submission find nothing to say.')]),
    ],
    notCalculated: facts.notCalculated,
    bases: columns.map(() => ({ income: null, pupils: null })),
  }
}

/** Revenue balances: a part begins with what the part before it carried forward, so that the rounded columns chain as the exact ones do. */
function carriedForward(facts: ReportFacts, parts: readonly Part[], inYear: { rounded: Amounts; exact: Amounts; missing: number }) {
  const { openings, before } = facts.carried!
  const begun =
    openings.reduce((sum, one) => (one.unit === 0 && one.type !== openingBalanceType.capital ? sum + one.value : sum), 0) +
    before.reduce((sum, one) => {
      const code = one.codeId === null ? undefined : facts.codes.get(one.codeId)
      if (one.unit !== 0 || isCapital(facts, one.codeId) || code?.facts.category === budgetCodeCategory.balance) return sum
      return sum + (code?.facts.isIncome ? one.total : -one.total)
    }, 0)
  const chain = (first: number | null, moved: Amounts): { opening: (number | null)[]; closing: (number | null)[] } => {
    const opening: (number | null)[] = []
    const closing: (number | null)[] = []
    let at = first
    for (const amount of moved) {
      opening.push(at)
      at = add(at, amount)
      closing.push(at)
    }
    return { opening, closing }
  }
  const [rounded, exact] = [chain(thousands(begun), inYear.rounded), chain(begun, inYear.exact)]
  const { missing } = inYear
  /** Of a year: what its first part begins with, or its last ends with. */
  const shown = (which: 'opening' | 'closing'): ReportRow['values'] =>
    facts.units.flatMap((_unit, year) => {
      const own = parts.flatMap((part, index) => (part.year === year ? [index] : []))
      const at = which === 'opening' ? own[0]! : own.at(-1)!
      return [...(own.length > 1 ? own.map((index) => rounded[which][index]!) : []), rounded[which][at]!, exact[which][at]!]
    })
  return {
    opening: { rounded: rounded.opening, exact: exact.opening, missing },
    closing: { rounded: rounded.closing, exact: exact.closing, missing },
    openingValues: shown('opening'),
    closingValues: shown('closing'),
  }
}

import { parsePeriod } from '../../files/periods.ts'
import type { FileColumn } from '../../resources/columns.ts'
import { type ConvertedRow, type ImportLayout, splitRowsByColumn } from '../../resources/importLayout.ts'
import type { AnyResource } from '../../resources/resource.ts'
import { formatBudgetYear, formatPeriodMonth } from '../../values/calendar.ts'
import type { BudgetHead } from '../budget.ts'
import { entryFile } from './entryFile.ts'

type Years = Pick<BudgetHead, 'firstYear' | 'numberOfYears' | 'startMonth'>

const yearHeading = (year: string): string => `Amount ${year}`

/** One amount column for each budget year. @param years as budgets name them, such as `2026/27` */
function listYearColumns(years: readonly string[]): FileColumn[] {
  return years.map((year) => {
    const [first = '', second = ''] = year.split('/')
    const forms = [`${first} ${second}`, `${first} ${first.slice(0, 2)}${second}`, `${first.slice(2)} ${second}`]
    return {
      heading: yearHeading(year),
      required: false,
      field: 'amount',
      called: forms.flatMap((form) => [form, `amount ${form}`, `budget ${form}`, `${form} budget`, `fy ${form}`, `year ${form}`]),
    }
  })
}

/**
 * The layout with one amount column for each budget year. A year without an amount follows from the year before, as on the screen.
 * @param years as budgets name them, such as `2026/27`
 */
export function createYearsLayout(years: readonly string[]): ImportLayout {
  const columns = listYearColumns(years)
  const meaning = new Map(years.map((year) => [yearHeading(year), { BudgetYearName: year }]))
  return {
    columns,
    names: Object.fromEntries(columns.map(({ heading }) => [heading, heading])),
    inPlaceOf: ['BudgetYearName'],
    convertRows: (rows) => splitRowsByColumn(rows, 'Amount', meaning),
  }
}

/** The period or month in the heading of a column of planned amounts: `Sep`, `P1`, `Budget Sep-26`. */
function parsePlannedPeriod(heading: string) {
  const said = parsePeriod(heading.replace(/\b(?:budget(?:ed)?|amount|profiled?|forecast|plan(?:ned)?)\b|£/gi, '').trim())
  // Tax and pay periods begin in April, whatever the budget's year.
  return /\b(?:tax|pay)\b/i.test(heading) || said?.someYear !== undefined ? null : said
}

/** How many months after the start of the budget's first year a heading names; null if it does not name a month of a known year. */
function countMonths(heading: string, { firstYear, startMonth }: Years): number | null {
  const said = parsePlannedPeriod(heading)
  if (said?.month !== undefined && said.year !== undefined) return (said.year - firstYear) * 12 + said.month - startMonth
  const { firstYear: year, period, month } = said ?? {}
  if (year === undefined) return null
  return (year - firstYear) * 12 + (month === undefined ? (period ?? 1) - 1 : (month - startMonth + 12) % 12)
}

const monthHeading = (year: string, period: number): string => `Period ${period} of ${year}`

/** The layout with a column for each month of named years, such as `Sep 2026` to `Aug 2027`. */
export function createMonthsLayout(budget: Years): ImportLayout {
  const months = Array.from({ length: budget.numberOfYears * 12 }, (_unused, at) => ({
    at,
    year: formatBudgetYear(budget.firstYear, Math.floor(at / 12)),
    period: (at % 12) + 1,
  }))
  const years = new Set(months.map(({ year }) => year))
  const headings = new Set(months.map(({ year, period }) => monthHeading(year, period)))
  return {
    columns: months.map(({ at, year, period }) => ({
      heading: monthHeading(year, period),
      required: false,
      field: 'amount',
      isCalled: (heading) => countMonths(heading, budget) === at,
    })),
    names: Object.fromEntries(
      months.map(({ year, period }) => [monthHeading(year, period), `${formatPeriodMonth(budget.startMonth, period)} of ${year}`]),
    ),
    inPlaceOf: ['BudgetYearName', 'Amount'],
    convertRows: (rows) =>
      rows.flatMap(({ number, cells }): ConvertedRow[] => {
        const inFile = months.find(({ year, period }) => monthHeading(year, period) in cells)
        if (!inFile) return [{ number, cells, standsIn: {} }]
        const others = Object.fromEntries(Object.entries(cells).filter(([column]) => !headings.has(column)))
        const lines = [...years].flatMap((year): ConvertedRow[] => {
          const own = months.filter((one) => one.year === year && cells[monthHeading(year, one.period)]?.trim())
          if (!own.length) return []
          const from = own.map(({ period }) => [`Period${period}`, monthHeading(year, period)] as const)
          const values = Object.fromEntries(from.map(([column, heading]) => [column, cells[heading] ?? '']))
          return [{ number, cells: { ...others, BudgetYearName: year, ...values }, standsIn: Object.fromEntries(from) }]
        })
        if (lines.length) return lines
        // A row without amounts is sent for the first year, so that the import asks for its amount.
        const heading = monthHeading(inFile.year, inFile.period)
        return [{ number, cells: { ...others, BudgetYearName: inFile.year, Amount: '' }, standsIn: { Amount: heading } }]
      }),
  }
}

/** The file of entries of a budget, whose periods may also be headed by their months: `Sep` is period 1 of a year that begins in September. */
export function createEntryFile({ startMonth }: Pick<BudgetHead, 'startMonth'>): AnyResource {
  const fields = Object.entries(entryFile.fields).map(([name, field]) => {
    const period = Number(/^period(\d+)$/.exec(name)?.[1])
    const isCalled = (heading: string): boolean => {
      const said = parsePlannedPeriod(heading)
      if (!said || said.year !== undefined || said.firstYear !== undefined) return false
      return (said.month === undefined ? said.period : ((said.month - startMonth + 12) % 12) + 1) === period
    }
    return [name, period ? { ...field, isCalled } : field]
  })
  return { ...entryFile, fields: Object.fromEntries(fields) }
}

import type { Column } from '../../resources/columns.ts'
import type { FileRow } from '../../resources/importFile.ts'

const yearHeading = (year: string): string => `Amount ${year}`

/**
 * One amount column for each budget year. Spreadsheets have the years in columns, but the import needs a row for each year.
 * @param years as budgets name them, such as `2026/27`
 */
export function listYearColumns(years: readonly string[]): Column[] {
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

/** A row to import: one year of an entry. */
interface YearLine extends FileRow {
  /** For each value that came from another column of the file, that column. */
  standsIn: Readonly<Record<string, string>>
}

/**
 * Splits each row with years in columns into one row for each year with an amount. A year without an amount follows from the year before,
 * as on the screen. A row without amounts becomes a row for the first year, so that the import asks for its amount.
 */
export function splitRowsByYear(rows: readonly FileRow[], years: readonly string[]): YearLine[] {
  return rows.flatMap(({ number, cells }): YearLine[] => {
    const yearsInFile = years.filter((year) => yearHeading(year) in cells)
    if (!yearsInFile.length) return [{ number, cells, standsIn: {} }]
    const otherCells = Object.fromEntries(Object.entries(cells).filter(([column]) => !years.some((year) => yearHeading(year) === column)))
    const yearsWithAmount = yearsInFile.filter((year) => cells[yearHeading(year)]?.trim())
    return (yearsWithAmount.length ? yearsWithAmount : yearsInFile.slice(0, 1)).map((year) => ({
      number,
      cells: { ...otherCells, BudgetYearName: year, Amount: cells[yearHeading(year)] ?? '' },
      standsIn: { Amount: yearHeading(year), BudgetYearName: yearHeading(year) },
    }))
  })
}

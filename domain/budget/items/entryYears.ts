import type { Column } from '../../resources/columns.ts'
import type { FileRow } from '../../resources/importFile.ts'

/** The column of a file of entries that holds the amounts of one year. */
const headingOf = (year: string): string => `Amount ${year}`

/**
 * Columns of amounts, one for each year of a budget: sheets have years side by side, where the import takes a line for each.
 * @param years as budgets name them, `2026/27`
 */
export function yearColumns(years: readonly string[]): Column[] {
  return years.map((year) => {
    const [first = '', second = ''] = year.split('/')
    const forms = [`${first} ${second}`, `${first} ${first.slice(0, 2)}${second}`, `${first.slice(2)} ${second}`]
    return {
      heading: headingOf(year),
      required: false,
      field: 'amount',
      called: forms.flatMap((form) => [form, `amount ${form}`, `budget ${form}`, `${form} budget`, `fy ${form}`, `year ${form}`]),
    }
  })
}

/** A line of a file as it is imported. */
interface YearLine extends FileRow {
  /** Where the cell of a column stands in the file, where that is another column. */
  standsIn: Readonly<Record<string, string>>
}

/**
 * The lines of a file of entries: a row with years side by side is a line for each year that it has an amount of. A year without one follows
 * from the year before, as it does on the screen; a row without any is a line of the first year, so that its amount is asked for.
 */
export function linesByYear(rows: readonly FileRow[], years: readonly string[]): YearLine[] {
  return rows.flatMap(({ number, cells }): YearLine[] => {
    const side = years.filter((year) => headingOf(year) in cells)
    if (!side.length) return [{ number, cells, standsIn: {} }]
    const own = Object.fromEntries(Object.entries(cells).filter(([column]) => !years.some((year) => headingOf(year) === column)))
    const given = side.filter((year) => cells[headingOf(year)]?.trim())
    return (given.length ? given : side.slice(0, 1)).map((year) => ({
      number,
      cells: { ...own, BudgetYearName: year, Amount: cells[headingOf(year)] ?? '' },
      standsIn: { Amount: headingOf(year), BudgetYearName: headingOf(year) },
    }))
  })
}

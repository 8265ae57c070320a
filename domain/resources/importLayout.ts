import type { FileColumn } from './columns.ts'

/** A row of a file, with its cells assigned to columns of the import. */
export interface FileRow {
  /** The row number as in the spreadsheet, from 1. */
  number: number
  /** The cells of the row, by heading of the import column. */
  cells: Record<string, string>
}

/** A row to import, made from a row of a file. */
export interface ConvertedRow extends FileRow {
  /** If a value came from another column of the file: the heading of that column, by the heading of the import column that it fills. */
  standsIn: Readonly<Record<string, string>>
}

/** Another layout that files may have, such as years side by side. */
export interface ImportLayout {
  /** The columns that only this layout has. */
  columns: readonly FileColumn[]
  /** Labels of the columns that only this layout has. */
  names: Readonly<Record<string, string>>
  /** Columns of the import that a file with this layout does not need. They are not read from it. */
  inPlaceOf: readonly string[]
  /** Converts rows with this layout to the import's own layout. */
  convertRows(rows: readonly FileRow[]): ConvertedRow[]
}

/** Finds the layout of a file from its matched columns; undefined if it has the import's own layout. */
export function findImportLayout(layouts: readonly ImportLayout[], chosen: readonly (string | null)[]): ImportLayout | undefined {
  return layouts.find(({ columns }) => columns.some(({ heading }) => chosen.includes(heading)))
}

/**
 * Splits rows in which several columns hold values of one import column, such as one column for each year. Each such column with a value
 * becomes a row of its own. A row without any value becomes one row for the first of these columns, so that the import asks for the value.
 * @param valueColumn the import column that gets the value of the cell
 * @param meaning for each such column, by heading: the values of other import columns that it implies
 */
export function splitRowsByColumn(
  rows: readonly FileRow[],
  valueColumn: string,
  meaning: ReadonlyMap<string, Readonly<Record<string, string>>>,
): ConvertedRow[] {
  return rows.flatMap(({ number, cells }): ConvertedRow[] => {
    const inFile = [...meaning.keys()].filter((heading) => heading in cells)
    if (!inFile.length) return [{ number, cells, standsIn: {} }]
    const others = Object.fromEntries(Object.entries(cells).filter(([column]) => !meaning.has(column)))
    const filled = inFile.filter((heading) => cells[heading]?.trim())
    return (filled.length ? filled : inFile.slice(0, 1)).map((heading) => {
      const said = meaning.get(heading) ?? {}
      return {
        number,
        cells: { ...others, ...said, [valueColumn]: cells[heading] ?? '' },
        standsIn: Object.fromEntries([valueColumn, ...Object.keys(said)].map((column) => [column, heading])),
      }
    })
  })
}

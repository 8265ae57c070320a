import type { Column } from './columns.ts'

/** One row of a file in the form the import accepts. */
export interface FileRow {
  /** From 1, as in the spreadsheet. */
  number: number
  /** Cells by heading of the import column. */
  cells: Record<string, string>
}

/** A row to import, made from a row of a file. */
export interface ConvertedRow extends FileRow {
  /** Columns of the file whose values were used for columns of the import, by the heading of the import’s column. */
  standsIn: Readonly<Record<string, string>>
}

/** Another layout that files may have, such as years side by side. */
export interface ImportLayout {
  /** The columns that only this layout has. */
  columns: readonly Column[]
  /** Labels of these columns. */
  names: Readonly<Record<string, string>>
  /** Columns of the import that such a file does not need and that are not read from it. */
  inPlaceOf: readonly string[]
  /** Converts such rows to the import's own layout. */
  lines(rows: readonly FileRow[]): ConvertedRow[]
}

/** The layout that a file has, by the columns that were matched; undefined if it has the import's own layout. */
export function findLayout(layouts: readonly ImportLayout[], chosen: readonly (string | null)[]): ImportLayout | undefined {
  return layouts.find(({ columns }) => columns.some(({ heading }) => chosen.includes(heading)))
}

/**
 * Converts rows whose columns stand for the values of another column. Each of these columns with a value becomes a line of its own; a row
 * without any becomes a line of the first, so that the import asks for its value.
 * @param valueColumn the import's column that gets the value of the cell
 * @param meaning the values of other columns that each column of the layout stands for, by heading
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

import Papa from 'papaparse'
import writeExcelFile, { type Cell } from 'write-excel-file/browser'
import { unescapeFormula } from '../../../domain/resources/cells.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { isDate } from '../../../domain/values/calendar.ts'

/** The format of a column that is not text: a number, or a percentage such as `3.5`. */
export type FigureFormat = 'number' | 'percent'

const widest = 60

/**
 * Converts a CSV export to a workbook. Dates and numbers become cells of these types. Codes and other text stay text, and formulas are not
 * evaluated.
 * @param kinds the formats of number columns, by heading; in other columns only amounts in pounds and pence count as numbers
 */
export async function convertCsvToWorkbook(csv: string, name: string, kinds: Readonly<Record<string, FigureFormat>>): Promise<Blob> {
  const [headings = [], ...rows] = Papa.parse<string[]>(csv.replace(/^\uFEFF/, ''), { delimiter: ',', skipEmptyLines: true }).data
  const isMoney = headings.map((_unused, at) => isAllMoney(rows.map((row) => row[at] ?? '')))
  const kindOf = (at: number): FigureFormat | undefined => kinds[assertDefined(headings[at])] ?? (isMoney[at] ? 'number' : undefined)
  const widths = headings.map((heading, at) =>
    Math.min(widest, Math.max(10, heading.length + 2, ...rows.slice(0, 500).map((row) => (row[at] ?? '').length + 2))),
  )
  return writeExcelFile([
    {
      sheet:
        name
          .replace(/[[\]:*?/\\]/g, ' ')
          .slice(0, 31)
          .trim() || 'List',
      stickyRowsCount: 1,
      columns: widths.map((width) => ({ width })),
      data: [
        headings.map((heading): Cell => ({ value: unescapeFormula(heading), type: String, fontWeight: 'bold' })),
        ...rows.map((row) => headings.map((_unused, at) => cellOf(unescapeFormula(row[at] ?? ''), kindOf(at), assertDefined(isMoney[at])))),
      ],
    },
  ]).toBlob()
}

function isAllMoney(cells: readonly string[]): boolean {
  const filled = cells.filter(Boolean)
  return filled.length > 0 && filled.every((cell) => /^-?\d{1,12}\.\d\d$/.test(cell))
}

function cellOf(text: string, kind: FigureFormat | undefined, isMoney: boolean): Cell {
  if (!text) return null
  if (kind && /^-?\d{1,15}(\.\d+)?$/.test(text)) {
    if (kind === 'percent') return { value: Number(text) / 100, type: Number, format: '0.####%' }
    return { value: Number(text), type: Number, ...(isMoney ? { format: '#,##0.00' } : {}) }
  }
  if (isDate(text)) return { value: new Date(`${text}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' }
  return { value: text, type: String }
}

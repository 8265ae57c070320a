import writeExcelFile, { type Cell, type Sheet } from 'write-excel-file/node'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { FileReply } from './calls/reply.ts'

/**
 * The kind of a workbook column: words, pounds, a plain number, a ratio with two decimals, a percentage as `78.4`, a
 * calendar date as `2026-09-01`.
 */
export type ColumnKind = 'text' | 'money' | 'number' | 'ratio' | 'percent' | 'date'

export interface WorkbookColumn {
  title: string
  kind: ColumnKind
  /** In characters; a default for the kind if omitted. */
  width?: number
}

/**
 * A formula that the spreadsheet evaluates, `SUM(B4:B9)`, with its result for viewers that do not evaluate formulas. Only code writes
 * formulas, never user input.
 */
export interface Formula {
  formula: string
  value: number
}

export type WorkbookValue = string | number | Formula | null

export interface WorkbookRow<Value = string | number | null> {
  /** One for each column; null if empty. Text in a number column stays text. */
  cells: readonly Value[]
  weight?: 'heading' | 'total'
  /** The kind of the row's cells except the first, if it differs from the kinds of the columns. */
  kind?: ColumnKind
}

/** A sheet: introductory lines, then a table whose heading and first column stay visible. */
export interface WorkbookSheet {
  name: string
  about: readonly string[]
  columns: readonly WorkbookColumn[]
  rows: readonly WorkbookRow<WorkbookValue>[]
}

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const widths: Record<ColumnKind, number> = { text: 24, money: 15, number: 11, ratio: 11, percent: 11, date: 13 }
const formats: Partial<Record<ColumnKind, string>> = { money: '#,##0.00', ratio: '0.00', percent: '0.0%', date: 'dd/mm/yyyy' }
/** The limits of spreadsheets: characters in a cell and in a sheet name. */
const most = { cell: 32_767, name: 31 }
/** Light enough to print, dark enough to distinguish in black and white. */
const shades = { heading: '#E7EEEF', total: '#F3F6F6' }

/** Creates a workbook with real numbers and dates and frozen heading rows. Text never becomes a formula. */
export async function createWorkbook(fileName: string, sheets: readonly WorkbookSheet[]): Promise<FileReply<Buffer>> {
  const names = makeSheetNames(sheets.map((sheet) => sheet.name))
  const written = sheets.map(
    ({ about, columns, rows }, index): Sheet<Buffer> => ({
      sheet: assertDefined(names[index]),
      orientation: 'landscape',
      stickyRowsCount: about.length + 1,
      stickyColumnsCount: 1,
      columns: columns.map(({ kind, width }, column) => ({ width: width ?? (column ? widths[kind] : 44) })),
      data: [
        ...about.map((line, at): Cell[] => [{ value: line.slice(0, most.cell), type: String, ...(at ? {} : { fontWeight: 'bold' }) }]),
        columns.map(
          ({ title, kind }): Cell => ({
            value: title,
            type: String,
            fontWeight: 'bold',
            wrap: true,
            align: kind === 'text' ? 'left' : 'right',
            backgroundColor: shades.heading,
          }),
        ),
        ...rows.map(({ cells, weight, kind }) =>
          cells.map((value, column) => toCell(value, (column && kind) || assertDefined(columns[column]).kind, weight)),
        ),
      ],
    }),
  )
  return {
    fileName,
    contentType: workbookType,
    body: await writeExcelFile(written, { features: [writeFormulaResults(sheets), repeatTitles(sheets, names)] }).toBuffer(),
  }
}

/** Writes the results of formulas next to them, which the library does not support. */
function writeFormulaResults(sheets: readonly WorkbookSheet[]) {
  const transform = (xml: string, _options: object, { sheetIndex }: { sheetIndex: number }): string => {
    const cells = assertDefined(sheets[sheetIndex]).rows.flatMap((row) => row.cells)
    const values = cells.flatMap((cell) => (cell !== null && typeof cell === 'object' ? [cell.value] : []))
    let next = 0
    return xml.replace(/<\/f>/g, (end) => `${end}<v>${assertDefined(values[next++])}</v>`)
  }
  return { files: { transform: { 'xl/worksheets/sheet{id}.xml': { transform } } } }
}

const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": "''" }

/**
 * Repeats the introductory lines, headings and first column on every printed page, which the library does not support.
 */
function repeatTitles(sheets: readonly WorkbookSheet[], names: readonly string[]) {
  const titles = sheets.map(({ about }, index) => {
    const name = `'${assertDefined(names[index]).replace(/[&<>']/g, (sign) => assertDefined(escaped[sign]))}'`
    return `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">${name}!$A:$A,${name}!$1:$${about.length + 1}</definedName>`
  })
  const transform = (xml: string): string =>
    xml.replace(/<definedNames\s*\/>/, '').replace('</sheets>', `</sheets><definedNames>${titles.join('')}</definedNames>`)
  return { files: { transform: { 'xl/workbook.xml': { transform } } } }
}

function toCell(value: WorkbookValue, kind: ColumnKind, weight: WorkbookRow['weight']): Cell {
  const style = weight ? { fontWeight: 'bold' as const, backgroundColor: shades[weight] } : {}
  if (value === null || value === '') return weight ? { value: '', type: String, ...style } : null
  if (typeof value === 'object') return { value: `${value.formula}`, type: 'Formula', format: formats[kind], ...style }
  if (typeof value === 'number' && kind !== 'text')
    return { value: kind === 'percent' ? value / 100 : value, type: Number, format: formats[kind], ...style }
  if (kind === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(String(value)))
    return { value: new Date(`${value}T00:00:00Z`), type: Date, format: formats.date, ...style }
  return { value: String(value).slice(0, most.cell), type: String, ...style, ...(kind === 'text' ? {} : { align: 'right' as const }) }
}

/** Valid sheet names: short, without special characters, unique regardless of case. */
function makeSheetNames(wanted: readonly string[]): string[] {
  const taken = new Set<string>()
  return wanted.map((name) => {
    const plain =
      name
        .replace(/[[\]:*?/\\]/g, ' ')
        .replace(/^'+|'+$/g, '')
        .replace(/\s+/g, ' ')
        .trim() || 'Sheet'
    for (let turn = 1; ; turn++) {
      const suffix = turn === 1 ? '' : ` (${turn})`
      const tried = plain.slice(0, most.name - suffix.length).trim() + suffix
      if (taken.has(tried.toLowerCase()) || tried.toLowerCase() === 'history') continue
      taken.add(tried.toLowerCase())
      return tried
    }
  })
}

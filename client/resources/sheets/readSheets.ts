import { unzipSync, zipSync } from 'fflate'
import Papa from 'papaparse'
import readXlsxFile, { InvalidSpreadsheetError } from 'read-excel-file/universal'
import { must } from '../../../domain/must.ts'
import { unescapeFormula } from '../../../domain/resources/cells.ts'

/** A sheet of a file: its rows as they stand in it, cells apart by tabs. */
export interface Sheet {
  name: string
  rows: string[]
}

/** Bytes of a file, of what it unpacks to, and what a sheet may have. */
const most = { fileBytes: 25_000_000, unpackedBytes: 250_000_000, parts: 2000, rows: 120_000, columns: 200, cell: 2000 } as const

/** What is in a file: figures, whose long texts are cut and stand on one line, or records, whose texts are kept as they are. */
export type SheetsOf = 'figures' | 'records'

const tooManyRows = 'The file has more than 120,000 rows. Export fewer at once.'

/** Why a file cannot be read, in a sentence that says what to do. */
export class Unreadable extends Error {}

/**
 * Reads a CSV file or a workbook of a spreadsheet. Whatever it says, no more is unpacked or kept than a file of a ledger or a payroll can have.
 * @throws Unreadable
 */
export async function readSheets(name: string, bytes: ArrayBuffer, of: SheetsOf = 'figures'): Promise<Sheet[]> {
  if (bytes.byteLength > most.fileBytes) throw new Unreadable('The file is larger than 25 MB. Export fewer rows at once.')
  const [first = 0, second = 0] = new Uint8Array(bytes.slice(0, 2))
  if (first === 0x50 && second === 0x4b) return readWorkbook(bytes, of)
  if (/\.(xlsx?|xlsm|xlsb|ods|numbers|pdf|docx?)$/i.test(name))
    throw new Unreadable('This file cannot be read. Save it as .xlsx without a password, or as CSV.')
  return [{ name, rows: bounded(readCsv(bytes), of) }]
}

function readCsv(bytes: ArrayBuffer): string[][] {
  // An empty last line would count when the sign between cells is guessed from a few lines.
  const text = decode(bytes)
    .replace(/^\uFEFF/, '')
    .replace(/[\r\n]+$/, '')
  if (text.includes('\u0000')) throw new Unreadable('This file cannot be read. Save it as .xlsx without a password, or as CSV.')
  return Papa.parse<string[]>(text, { delimitersToGuess: [',', ';', '\t', '|'] }).data
}

/** UTF-8 where it is, else the Windows encoding that spreadsheets write. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

async function readWorkbook(bytes: ArrayBuffer, of: SheetsOf): Promise<Sheet[]> {
  const parts = unpack(bytes)
  // Reading a million rows takes minutes, only to find that they are too many.
  for (const [name, part] of Object.entries(parts))
    if (name.includes('worksheets/') && hasMoreRows(part, most.rows)) throw new Unreadable(tooManyRows)
  try {
    // Packed without compressing, the parts are read where they are, and no thread is begun that the page may not begin.
    const sheets = await readXlsxFile(zipSync(parts, { level: 0 }).buffer, { parseNumber: plainNumber })
    const percents = percentCells(parts)
    return sheets.map(({ sheet, data }) => {
      const isPercent = percents.get(sheet)
      const rows = data.map((row, at) => row.map((cell, column) => (isPercent?.has(placeOf(at, column)) ? percentOf(cell) : textOf(cell))))
      return { name: sheet, rows: bounded(rows, of) }
    })
  } catch (error) {
    if (error instanceof Unreadable) throw error
    const place = error instanceof InvalidSpreadsheetError ? /row (\d+), col (\d+)/.exec(String(error.message)) : null
    throw new Unreadable(
      place
        ? `The cell in row ${place[1]}, column ${place[2]} cannot be read. Open the file in the spreadsheet, save it again, and choose it once more.`
        : 'This workbook cannot be read. Open it in the spreadsheet, save it again as .xlsx, and choose it once more.',
    )
  }
}

const [less, slash, colon, space, greater] = [0x3c, 0x2f, 0x3a, 0x20, 0x3e]

/** Whether a sheet has more than a number of rows with something in them, as far as its tags say. */
function hasMoreRows(sheet: Uint8Array, limit: number): boolean {
  let rows = 0
  let isEmpty = false
  for (let at = sheet.indexOf(less); at >= 0 && rows <= limit; at = sheet.indexOf(less, at + 1)) {
    let [from, to] = [at + 1, at + 1]
    while (to < at + 12 && sheet[to] !== greater && sheet[to] !== space && sheet[to] !== slash) {
      if (sheet[to] === colon) from = to + 1
      to++
    }
    const tag = String.fromCharCode(...sheet.subarray(from, to))
    if (tag === 'row') isEmpty = true
    else if (isEmpty && (tag === 'v' || tag === 'is')) {
      rows++
      isEmpty = false
    }
  }
  return rows > limit
}

/** The parts of a workbook that say something of cells. What a part unpacks to is known before, and never more than it says. */
function unpack(bytes: ArrayBuffer): Record<string, Uint8Array> {
  let [count, size] = [0, 0]
  try {
    return unzipSync(new Uint8Array(bytes), {
      filter: (part) => {
        if (!/\.(xml|rels)$/.test(part.name)) return false
        count++
        size += part.originalSize
        if (count > most.parts || size > most.unpackedBytes)
          throw new Unreadable('The workbook unpacks to more than 250 MB. Keep the one sheet that is needed, or save it as CSV.')
        return true
      },
    })
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable('This workbook is damaged. Open it in the spreadsheet, save it again as .xlsx, and choose it once more.')
  }
}

/** A number as the spreadsheet shows it: fifteen digits count, what is behind them is how computers add. */
function plainNumber(text: string): string {
  if (/^-?\d{1,12}(\.\d{1,3})?$/.test(text)) return text
  const rounded = Number(Number(text).toPrecision(15))
  return Number.isFinite(rounded) ? rounded.toLocaleString('en-GB', { useGrouping: false, maximumFractionDigits: 15 }) : text
}

/** Formats that a spreadsheet shows a hundredth as a percentage with, by their numbers; others say so by their sign. */
const percentFormats = new Set(['9', '10'])

/** `C7`, from the row and the column counted from 0. */
function placeOf(row: number, column: number): string {
  let letters = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return `${letters}${row + 1}`
}

/** A spreadsheet keeps 3.5 % as 0.035; what somebody sees there, and means, is 3.5. */
function percentOf(cell: unknown): string {
  const text = textOf(cell)
  return /^-?\d*\.?\d+$/.test(text) ? plainNumber(String(Number(text) * 100)) : text
}

/** The cells of each sheet that are shown as percentages, by the name of the sheet. The library that reads the cells does not tell. */
function percentCells(parts: Readonly<Record<string, Uint8Array>>): Map<string, Set<string>> {
  const part = (name: string): string => (parts[name] ? new TextDecoder().decode(parts[name]) : '')
  const found = new Map<string, Set<string>>()
  const styles = part('xl/styles.xml')
  if (!styles.includes('numFmtId')) return found
  const formats = new Set(percentFormats)
  for (const [tag] of styles.matchAll(/<(?:\w+:)?numFmt\s[^>]*>/g)) {
    const code = attribute(tag, 'formatCode')?.replace(/&quot;[^&]*&quot;|\\./g, '')
    if (code?.includes('%')) formats.add(attribute(tag, 'numFmtId') ?? '')
  }
  const cellFormats = /<(?:\w+:)?cellXfs[\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(styles)?.[0] ?? ''
  const percentStyles = new Set<string>()
  for (const [index, [tag]] of [...cellFormats.matchAll(/<(?:\w+:)?xf\s[^>]*>/g)].entries())
    if (formats.has(attribute(tag, 'numFmtId') ?? '')) percentStyles.add(String(index))
  if (!percentStyles.size) return found
  const targets = new Map<string, string>()
  for (const [tag] of part('xl/_rels/workbook.xml.rels').matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g))
    targets.set(attribute(tag, 'Id') ?? '', attribute(tag, 'Target') ?? '')
  for (const [tag] of part('xl/workbook.xml').matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)) {
    const target = targets.get(attribute(tag, '(?:\\w+:)?id') ?? '') ?? ''
    const cells = new Set<string>()
    const sheet = part(target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    for (const [one] of sheet.matchAll(/<(?:\w+:)?c\s[^>]*>/g))
      if (percentStyles.has(attribute(one, 's') ?? '')) cells.add(attribute(one, 'r') ?? '')
    found.set(unescaped(attribute(tag, 'name') ?? ''), cells)
  }
  return found
}

/** The value of an attribute of a tag. */
function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
}

function unescaped(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&')
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
}

function bounded(rows: readonly (readonly string[])[], of: SheetsOf): string[] {
  let last = rows.length
  while (last && !must(rows[last - 1]).some((cell) => cell.trim())) last--
  if (last > most.rows) throw new Unreadable(tooManyRows)
  return rows.slice(0, last).map((row) =>
    row
      .slice(0, most.columns)
      .map((cell) => unescapeFormula(of === 'records' ? cell.replace(/\t/g, ' ') : cell.slice(0, most.cell).replace(/[\t\r\n]+/g, ' ')))
      .join('\t')
      .replace(/\t+$/, ''),
  )
}

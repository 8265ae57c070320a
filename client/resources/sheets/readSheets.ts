import { unzipSync, zipSync } from 'fflate'
import Papa from 'papaparse'
import readXlsxFile, { InvalidSpreadsheetError } from 'read-excel-file/universal'
import { unescapeFormula } from '../../../domain/resources/cells.ts'

/** A sheet of a file: its rows as they stand in it, cells apart by tabs. */
export interface Sheet {
  name: string
  rows: string[]
}

/** Bytes of a file, of what it unpacks to, and what a sheet may have. */
const most = { fileBytes: 25_000_000, unpackedBytes: 250_000_000, parts: 2000, rows: 120_000, columns: 200, cell: 2000 } as const

const tooManyRows = 'The file has more than 120,000 rows. Export fewer at once.'

/** Why a file cannot be read, in a sentence that says what to do. */
export class Unreadable extends Error {}

/**
 * Reads a CSV file or a workbook of a spreadsheet. Whatever it says, no more is unpacked or kept than a file of a ledger or a payroll can have.
 * @throws Unreadable
 */
export async function readSheets(name: string, bytes: ArrayBuffer): Promise<Sheet[]> {
  if (bytes.byteLength > most.fileBytes) throw new Unreadable('The file is larger than 25 MB. Export fewer rows at once.')
  const [first = 0, second = 0] = new Uint8Array(bytes.slice(0, 2))
  if (first === 0x50 && second === 0x4b) return readWorkbook(bytes)
  if (/\.(xlsx?|xlsm|xlsb|ods|numbers|pdf|docx?)$/i.test(name))
    throw new Unreadable('This file cannot be read. Save it as .xlsx without a password, or as CSV.')
  return [{ name, rows: bounded(readCsv(bytes)) }]
}

function readCsv(bytes: ArrayBuffer): string[][] {
  const text = decode(bytes).replace(/^\uFEFF/, '')
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

async function readWorkbook(bytes: ArrayBuffer): Promise<Sheet[]> {
  const parts = unpack(bytes)
  // Reading a million rows takes minutes, only to find that they are too many.
  for (const [name, part] of Object.entries(parts))
    if (name.includes('worksheets/') && hasMoreRows(part, most.rows)) throw new Unreadable(tooManyRows)
  try {
    // Packed without compressing, the parts are read where they are, and no thread is begun that the page may not begin.
    const sheets = await readXlsxFile(zipSync(parts, { level: 0 }).buffer as ArrayBuffer, { parseNumber: plainNumber })
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: bounded(data.map((row) => row.map(textOf))) }))
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

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
}

function bounded(rows: readonly (readonly string[])[]): string[] {
  let last = rows.length
  while (last && !rows[last - 1]!.some((cell) => cell.trim())) last--
  if (last > most.rows) throw new Unreadable(tooManyRows)
  return rows.slice(0, last).map((row) =>
    row
      .slice(0, most.columns)
      .map((cell) => unescapeFormula(cell.slice(0, most.cell).replace(/[\t\r\n]+/g, ' ')))
      .join('\t')
      .replace(/\t+$/, ''),
  )
}

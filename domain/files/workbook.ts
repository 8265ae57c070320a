import { strFromU8, unzipSync } from 'fflate'
import { assertDefined } from '../values/assertDefined.ts'
import { DomainError } from '../words/errors.ts'
import { formatCellNumber, type NumberFormat, readNumberFormats } from './numberFormats.ts'
import { createWholeFileError } from './refusals.ts'
import { notCalculatedMark } from './spoilt.ts'
import { readAttribute, visitTags, type XmlTag } from './xml.ts'

/** A sheet of a workbook; its first row is row 1. */
export interface WorkbookSheet {
  name: string
  isHidden: boolean
  /** The number of hidden rows with contents, for example those hidden by a filter. */
  hiddenRows: number
  rows: string[][]
}

/** Limits on the contents of a workbook. */
export interface WorkbookBounds {
  unpackedBytes: number
  parts: number
  /** The limits of each sheet. */
  rows: number
  columns: number
  tooManyRows: string
  tooManyColumns: string
}

/** Data that the cells of all sheets refer to. */
interface WorkbookData {
  texts: readonly string[]
  formats: readonly NumberFormat[]
  countsFrom: 1900 | 1904
  /** Whether the program that wrote the file stored 0 for every formula and left the calculation to the spreadsheet. */
  isUncalculated: boolean
}

const unreadable = 'This workbook cannot be read. Open it in the spreadsheet, save it again as .xlsx, and choose it once more.'

/** Whether the bytes begin with a zip header. A text file whose first heading begins with `PK` does not. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4
}

/**
 * Reads the sheets of a workbook, with cells as the spreadsheet displays them. Chart sheets are skipped. A cell with an error is read as
 * the error, never as empty text.
 * @throws DomainError
 */
export function readWorkbook(bytes: Uint8Array, bounds: WorkbookBounds): WorkbookSheet[] {
  const parts = unpack(bytes, bounds)
  const root = listReferencedParts(parts, '').find(({ type }) => type === 'officeDocument')
  const book = root && parts.get(root.path)
  if (!book) throw createWholeFileError(unreadable)
  const related = listReferencedParts(parts, root.path)
  const pathOf = (type: string): string => related.find((one) => one.type === type)?.path ?? ''
  const shared: WorkbookData = {
    texts: readSharedTexts(xmlOf(parts, pathOf('sharedStrings'))),
    formats: readNumberFormats(xmlOf(parts, pathOf('styles'))),
    countsFrom: 1900,
    isUncalculated: false,
  }
  const listed: { name: string; isHidden: boolean; path: string }[] = []
  visitTags(strFromU8(book), (tag) => {
    const isSet = (name: string): boolean => /^(?:1|true|on)$/.test(readAttribute(tag, name) ?? '')
    if (tag.name === 'workbookPr' && isSet('date1904')) shared.countsFrom = 1904
    if (tag.name === 'calcPr' && isSet('fullCalcOnLoad')) shared.isUncalculated = true
    if (tag.name !== 'sheet') return
    const target = related.find(({ id }) => id === readAttribute(tag, 'id'))
    const isHidden = (readAttribute(tag, 'state') ?? 'visible') !== 'visible'
    if (target?.type === 'worksheet') listed.push({ name: readAttribute(tag, 'name') ?? '', isHidden, path: target.path })
  })
  if (!listed.length || listed.some(({ path }) => !parts.has(path))) throw createWholeFileError(unreadable)
  return listed.map(({ path, ...sheet }) => ({ ...sheet, ...readCells(xmlOf(parts, path), shared, bounds) }))
}

/** The parts of a workbook by lower-case path, because programs differ in their use of capitals. */
type Parts = ReadonlyMap<string, Uint8Array>

function xmlOf(parts: Parts, path: string): string {
  const part = parts.get(path)
  return part ? strFromU8(part) : ''
}

/** Unpacks the parts of a workbook that affect cells. Sizes are checked before unpacking. */
function unpack(bytes: Uint8Array, bounds: WorkbookBounds): Parts {
  let [count, size] = [0, 0]
  try {
    const parts = unzipSync(bytes, {
      filter: (part) => {
        if (!/\.(xml|rels)$/i.test(part.name)) return false
        count++
        size += part.originalSize
        if (count > bounds.parts || size > bounds.unpackedBytes)
          throw createWholeFileError('The workbook unpacks to more than 250 MB. Keep the one sheet that is needed, or save it as CSV.')
        return true
      },
    })
    return new Map(Object.entries(parts).map(([path, part]) => [path.replaceAll('\\', '/').toLowerCase(), part]))
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw createWholeFileError('This workbook is damaged. Open it in the spreadsheet, save it again as .xlsx, and choose it once more.')
  }
}

/** The parts that a part refers to. `type` is the last segment of the relationship's type URL. */
function listReferencedParts(parts: Parts, path: string): { id: string; type: string; path: string }[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const found: { id: string; type: string; path: string }[] = []
  visitTags(xmlOf(parts, `${folder}_rels/${path.slice(folder.length)}.rels`), (tag) => {
    if (tag.name !== 'Relationship') return
    const target = readAttribute(tag, 'Target') ?? ''
    found.push({
      id: readAttribute(tag, 'Id') ?? '',
      type: (readAttribute(tag, 'Type') ?? '').replace(/^.*\//, ''),
      path: resolvePath(folder, target),
    })
  })
  return found
}

/** Resolves a target, which is relative to the root or to the folder of the referring part. */
function resolvePath(folder: string, target: string): string {
  const path: string[] = []
  for (const step of (target.startsWith('/') ? target : folder + target).replaceAll('\\', '/').toLowerCase().split('/')) {
    if (step === '..') path.pop()
    else if (step && step !== '.') path.push(step)
  }
  return path.join('/')
}

/** Decodes characters that a workbook escapes, such as `_x000D_`. */
function decodeEscapes(text: string): string {
  return text.includes('_x') ? text.replace(/_x([0-9a-f]{4})_/gi, (_whole, code) => String.fromCharCode(Number.parseInt(code, 16))) : text
}

/** Reads the shared texts, to which cells refer by index. Rich text is joined, and phonetic hints are left out. */
function readSharedTexts(xml: string): string[] {
  const texts: string[] = []
  let text = ''
  let isSpoken = false
  visitTags(xml, ({ name, kind, textBefore }: XmlTag) => {
    if (name === 'rPh') isSpoken = kind === 'open'
    else if (name === 't' && kind === 'close' && !isSpoken) text += textBefore
    else if (name === 'si' && kind !== 'open') {
      texts.push(decodeEscapes(text))
      text = ''
    }
  })
  return texts
}

/** The state of a cell while its tags are being read. */
interface OpenCell {
  column: number
  type: string
  format: NumberFormat
  hasFormula: boolean
  value: string | null
  text: string
}

const plain: NumberFormat = { kind: 'plain' }

function readCells(xml: string, shared: WorkbookData, most: WorkbookBounds): Pick<WorkbookSheet, 'rows' | 'hiddenRows'> {
  const rows: string[][] = []
  const hidden = new Set<number>()
  let [row, column] = [-1, -1]
  let [isHidden, isSpoken, isWhole] = [false, false, false]
  let cell: OpenCell | null = null
  const put = (one: OpenCell): void => {
    const text = readCellText(one, shared)
    if (text === null) throw createWholeFileError(unreadableCell(row, one.column))
    if (text === '') return
    if (row >= most.rows) throw createWholeFileError(most.tooManyRows)
    if (one.column >= most.columns) throw createWholeFileError(most.tooManyColumns)
    while (rows.length <= row) rows.push([])
    const line = assertDefined(rows[row])
    while (line.length < one.column) line.push('')
    line[one.column] = text
    if (isHidden) hidden.add(row)
  }
  const open = (tag: XmlTag): OpenCell => {
    const letters = /^([A-Z]{1,3})\d+$/.exec(readAttribute(tag, 'r') ?? '')?.[1]
    column = letters ? columnOf(letters) : column + 1
    return {
      column,
      type: readAttribute(tag, 't') ?? 'n',
      format: shared.formats[Number(readAttribute(tag, 's') ?? 0)] ?? plain,
      hasFormula: false,
      value: null,
      text: '',
    }
  }
  visitTags(xml, (tag) => {
    const { name, kind, textBefore } = tag
    if (name === 'row' && kind !== 'close') {
      const number = Number(readAttribute(tag, 'r') ?? row + 2)
      if (!Number.isInteger(number) || number < 1 || number > 1_048_576) throw createWholeFileError(unreadable)
      ;[row, column] = [number - 1, -1]
      isHidden = /^(?:1|true)$/.test(readAttribute(tag, 'hidden') ?? '')
    } else if (name === 'c' && kind !== 'close') {
      cell = open(tag)
      if (kind === 'empty') cell = null
    } else if (name === 'c' && cell) {
      put(cell)
      cell = null
    } else if (name === 'sheetData' && kind !== 'open') {
      isWhole = true
      return 'stop'
    } else if (cell) {
      if (name === 'f' && kind !== 'close') cell.hasFormula = true
      else if (name === 'v' && kind !== 'open') cell.value = kind === 'close' ? textBefore : ''
      else if (name === 'rPh') isSpoken = kind === 'open'
      else if (name === 't' && kind === 'close' && !isSpoken) cell.text += textBefore
    }
  })
  // A truncated sheet has lost rows, so it is refused.
  if (!isWhole) throw createWholeFileError(unreadable)
  return { rows, hiddenRows: hidden.size }
}

/** The displayed text of a cell; null if it cannot be read. */
function readCellText(
  { type, format, hasFormula, value, text }: OpenCell,
  { texts, countsFrom, isUncalculated }: WorkbookData,
): string | null {
  if (type === 'inlineStr') return decodeEscapes(text)
  if (type === 'str') return decodeEscapes(value ?? (hasFormula ? notCalculatedMark : ''))
  if (type === 'e') return value?.trim() || '#ERROR!'
  const words = value?.trim() ?? ''
  if (hasFormula && (!words || (isUncalculated && words === '0'))) return notCalculatedMark
  if (!words) return ''
  if (type === 's') return texts[Number(words)] ?? null
  if (type === 'b') return words === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return words
  return Number.isFinite(Number(words)) ? formatCellNumber(Number(words), format, countsFrom) : null
}

function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** The letters of a column counted from 0: 2 gives `C`. */
function formatColumn(column: number): string {
  let letters = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return letters
}

function unreadableCell(row: number, column: number): string {
  return `The cell in row ${row + 1}, column ${formatColumn(column)} cannot be read. Open the file in the spreadsheet, save it again, and choose it once more.`
}

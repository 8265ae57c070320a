import { explainMangledCode, notAnAmount, readAmount, readDate, readDecimal } from '../files/cells.ts'
import { explainSpoiltCell } from '../files/spoilt.ts'
import { type LookupItem, type LookupName, lookups } from '../lookups/lookups.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { isDate } from '../values/calendar.ts'
import { parseMomentInLondon } from '../values/format.ts'
import { requireList, requireNumber, requireNumbers, requireRecords } from '../values/unknownValues.ts'
import { type Field, type FieldKind, type FieldOf, getSingularName, type ReferringField } from './fields.ts'
import { formatShareCell, parseShareCell, requireShares } from './shares.ts'

/** The value of a spreadsheet cell, or a message that says why it cannot be read (behaviours B-142 to B-144). */
export type ParsedCell = { value: unknown } | { message: string }

/** Finds the id of a record by code or name. The caller loads the records beforehand, so that parsing does no I/O. */
export type ReferenceFinder = (field: ReferringField, text: string) => number | undefined

type Parser<K extends FieldKind> = (field: FieldOf<K>, text: string, find: ReferenceFinder) => ParsedCell

function numberOrProblem(text: string, label: string): ParsedCell {
  const read = readDecimal(text)
  // Digits after the fifteenth are floating-point noise.
  if (read) return { value: Number(Number(`${read.isNegative ? '-' : ''}${read.whole}.${read.decimals}`).toPrecision(15)) }
  return { message: noNumber(text, label) }
}

function noNumber(text: string, label: string): string {
  const plain = text.replace(/[£%\s]/g, '')
  const isDecimalComma = /^-?\d*,\d+$/.test(plain)
  return `${label} must be a number.${isDecimalComma ? ` Enter ${plain.replace(',', '.')} with a decimal point, not a comma.` : ''}`
}

const withoutPercent = (text: string): string => text.replace(/\s*%$/, '')

/** Finds an item of a fixed list by id or name. */
function findLookupItem(lookup: LookupName, text: string): LookupItem | undefined {
  return lookups[lookup].find((item) => String(item.id) === text || item.name.toLowerCase() === text.toLowerCase())
}

const asText: (field: Field, text: string) => ParsedCell = (_field, text) => ({ value: text })
const asNumber: (field: Field, text: string) => ParsedCell = (field, text) => numberOrProblem(text, field.label)

const parsers: { [K in Exclude<FieldKind, 'rows' | 'flags' | 'rates'>]: Parser<K> } = {
  text: ({ isCode }, text) => {
    const mangled = isCode ? explainMangledCode(text) : null
    return mangled ? { message: mangled } : { value: text }
  },
  longText: asText,
  richText: asText,
  colour: (_field, text) => ({ value: text.replace(/^#/, '') }),
  integer: asNumber,
  money: ({ label }, text) => {
    const read = readAmount(text)
    if ('value' in read) return { value: read.value / 100 }
    return { message: read.problem === notAnAmount ? noNumber(text, label) : read.problem }
  },
  percent: ({ label }, text) => numberOrProblem(withoutPercent(text), label),
  decimal: ({ label, unitBy }, text) => {
    const read = numberOrProblem(withoutPercent(text), label)
    // 60% of full time is 0.6. In a field whose number may be a percentage, 60% stays 60.
    return 'value' in read && text.endsWith('%') && !unitBy ? { value: requireNumber(read.value) / 100 } : read
  },
  date: ({ label, isBirthday }, text) => {
    const read = readDate(text, { isBirthday })
    return 'value' in read
      ? { value: read.value }
      : { message: `${label} is not a valid date. ${read.problem.replace(/^This is not a valid date\. /, '')}` }
  },
  dateTime: ({ label }, text) => {
    const british = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(.*)$/.exec(text)
    const iso = british
      ? `${british[3]}-${assertDefined(british[2]).padStart(2, '0')}-${assertDefined(british[1]).padStart(2, '0')}${british[4]}`
      : text
    return /^\d{4}-\d{2}-\d{2}/.test(iso) && isDate(iso.slice(0, 10)) && !Number.isNaN(parseMomentInLondon(iso).getTime())
      ? { value: parseMomentInLondon(iso).toISOString() }
      : { message: `${label} is not a valid date.` }
  },
  choices: ({ label, lookup }, text) => {
    const items = text.split(';').map((part) => findLookupItem(lookup, part.trim()))
    return items.includes(undefined) ? { message: `${label} is not one of the choices.` } : { value: items }
  },
  image: asNumber,
  flag: ({ label }, text) => parseYesNo(label, text),
  choice: ({ label, lookup }, text) => {
    const found = findLookupItem(lookup, text)
    return found ? { value: found.id } : { message: `${label} is not one of the choices.` }
  },
  reference: (field, text, find) => {
    const id = find(field, text)
    return id === undefined ? { message: `${field.label} was not found.` } : { value: id }
  },
  references: (field, text, find) => {
    const ids = text.split(';').map((part) => find(field, part.trim()))
    return ids.includes(undefined) ? { message: `${getSingularName(field)} was not found.` } : { value: ids }
  },
  // The text identifies a point only together with the pay scale, which is in another cell.
  point: asText,
  shares: (field, text, find) => {
    const funds = parseShareCell(text, (code) => find(field, code))
    return funds ? { value: funds } : { message: 'Enter each fund code with its share, such as GEN 60; PPG 40.' }
  },
}

/** Accepts Yes, No, True, False, 1 and 0 (behaviour B-143). */
export function parseYesNo(label: string, text: string): ParsedCell {
  const plain = text.toLowerCase()
  if (['yes', 'true', '1', 'y'].includes(plain)) return { value: true }
  if (['no', 'false', '0', 'n'].includes(plain)) return { value: false }
  return { message: `${label} must be Yes or No.` }
}

/** Parses a cell; the value of an empty cell is null. */
export function parseCell(field: Exclude<Field, { kind: 'rows' | 'flags' | 'rates' }>, cell: string, find: ReferenceFinder): ParsedCell {
  const text = unescapeFormula(cell).trim()
  if (text === '') return { value: null }
  const spoilt = explainSpoiltCell(text)
  if (spoilt) return { message: spoilt }
  return parsed(field, text, find)
}

const parsed = <K extends keyof typeof parsers>(field: FieldOf<K>, text: string, find: ReferenceFinder): ParsedCell =>
  parsers[field.kind](field, text, find)

/** Returns the text that stands for a referenced record in a cell: its code, or its name if it has none. */
export type ReferenceNamer = (to: string, id: number) => string

/** Formats a value for people and spreadsheets. */
export function formatCell(field: Field, value: unknown, name: ReferenceNamer): string {
  if (value === null || value === undefined) return ''
  switch (field.kind) {
    case 'flag':
      return value ? 'Yes' : 'No'
    case 'choice':
      return lookups[field.lookup].find((item) => item.id === value)?.name ?? String(value)
    case 'flags':
      return lookups[field.lookup]
        .filter((item) => Number(value) & item.id)
        .map((item) => item.name)
        .join('; ')
    case 'reference':
      return name(field.to, requireNumber(value))
    case 'shares':
      return formatShareCell(requireShares(value), (id) => name(field.to, id))
    case 'choices':
      return requireRecords(value)
        .map((item) => item.name)
        .join('; ')
    case 'rates':
      return requireNumbers(value).join('; ')
    case 'references':
      return requireNumbers(value)
        .map((id) => name(field.to, id))
        .join('; ')
    case 'money':
      return Number(value).toFixed(2)
    case 'rows':
      return String(requireList(value).length)
    default:
      return String(value)
  }
}

/** Matches characters with which a formula begins in a spreadsheet, including full-width forms that some programs treat alike. */
const formulaStartPattern = /^[=+\-@\t\r\n＝＋－＠]/

/** Prefixes an apostrophe to a cell that a spreadsheet would run as a formula (notices K-24). */
export function escapeFormula(cell: string): string {
  return formulaStartPattern.test(cell) && !/^[+-]?\d[\d.,]*$/.test(cell) ? `'${cell}` : cell
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && formulaStartPattern.test(cell.slice(1)) ? cell.slice(1) : cell
}

import { mangledCode, noAmount, readAmount, readDate, readDecimal } from '../files/cells.ts'
import { spoiltCell } from '../files/spoilt.ts'
import { type LookupItem, type LookupName, lookups } from '../lookups/lookups.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { isDate } from '../values/calendar.ts'
import { parseMomentInLondon } from '../values/format.ts'
import { requireList, requireNumber, requireNumbers, requireRecords } from '../values/unknownValues.ts'
import { calledOne, type Field, type FieldOf, type Kind, type NamingField } from './fields.ts'
import { formatFunds, parseFunds, sharesOf } from './shares.ts'

/** How a spreadsheet cell becomes a value, and a value a cell (behaviours B-142 to B-144). */
export type Parsed = { value: unknown } | { message: string }

/** Finds records by code or name; made ready by the caller, so that parsing stays pure. */
export type FindReference = (field: NamingField, text: string) => number | undefined

type Parser<K extends Kind> = (field: FieldOf<K>, text: string, find: FindReference) => Parsed

function numberOrProblem(text: string, label: string): Parsed {
  const read = readDecimal(text)
  // What computers add behind the fifteenth digit does not count.
  if (read) return { value: Number(Number(`${read.isNegative ? '-' : ''}${read.whole}.${read.decimals}`).toPrecision(15)) }
  return { message: noNumber(text, label) }
}

function noNumber(text: string, label: string): string {
  const plain = text.replace(/[£%\s]/g, '')
  const isDecimalComma = /^-?\d*,\d+$/.test(plain)
  return `${label} must be a number.${isDecimalComma ? ` Write ${plain.replace(',', '.')} with a point, not a comma.` : ''}`
}

const withoutPercent = (text: string): string => text.replace(/\s*%$/, '')

/** An item of a list by its id or its name. */
function itemOf(lookup: LookupName, text: string): LookupItem | undefined {
  return lookups[lookup].find((item) => String(item.id) === text || item.name.toLowerCase() === text.toLowerCase())
}

const asText: (field: Field, text: string) => Parsed = (_field, text) => ({ value: text })
const asNumber: (field: Field, text: string) => Parsed = (field, text) => numberOrProblem(text, field.label)

const parsers: { [K in Exclude<Kind, 'rows' | 'flags' | 'rates'>]: Parser<K> } = {
  text: ({ isCode }, text) => {
    const mangled = isCode ? mangledCode(text) : null
    return mangled ? { message: mangled } : { value: text }
  },
  longText: asText,
  richText: asText,
  colour: (_field, text) => ({ value: text.replace(/^#/, '') }),
  integer: asNumber,
  money: ({ label }, text) => {
    const read = readAmount(text)
    if ('value' in read) return { value: read.value / 100 }
    return { message: read.problem === noAmount ? noNumber(text, label) : read.problem }
  },
  percent: ({ label }, text) => numberOrProblem(withoutPercent(text), label),
  decimal: ({ label, unitBy }, text) => {
    const read = numberOrProblem(withoutPercent(text), label)
    // 60 % of full time is 0.6; what may itself be a percentage is written as one.
    return 'value' in read && text.endsWith('%') && !unitBy ? { value: requireNumber(read.value) / 100 } : read
  },
  date: ({ label, isBirthday }, text) => {
    const read = readDate(text, { isBirthday })
    return 'value' in read
      ? { value: read.value }
      : { message: `${label} is not a date. ${read.problem.replace(/^This is not a date\. /, '')}` }
  },
  dateTime: ({ label }, text) => {
    const british = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(.*)$/.exec(text)
    const iso = british
      ? `${british[3]}-${assertDefined(british[2]).padStart(2, '0')}-${assertDefined(british[1]).padStart(2, '0')}${british[4]}`
      : text
    return /^\d{4}-\d{2}-\d{2}/.test(iso) && isDate(iso.slice(0, 10)) && !Number.isNaN(parseMomentInLondon(iso).getTime())
      ? { value: parseMomentInLondon(iso).toISOString() }
      : { message: `${label} is not a date.` }
  },
  choices: ({ label, lookup }, text) => {
    const items = text.split(';').map((part) => itemOf(lookup, part.trim()))
    return items.includes(undefined) ? { message: `${label} is not one of the choices.` } : { value: items }
  },
  image: asNumber,
  flag: ({ label }, text) => yesNo(label, text),
  choice: ({ label, lookup }, text) => {
    const found = itemOf(lookup, text)
    return found ? { value: found.id } : { message: `${label} is not one of the choices.` }
  },
  reference: (field, text, find) => {
    const id = find(field, text)
    return id === undefined ? { message: `${field.label} was not found.` } : { value: id }
  },
  references: (field, text, find) => {
    const ids = text.split(';').map((part) => find(field, part.trim()))
    return ids.includes(undefined) ? { message: `${calledOne(field)} was not found.` } : { value: ids }
  },
  // Which point a text means depends on the pay scale, which stands in another cell.
  point: asText,
  shares: (field, text, find) => {
    const funds = parseFunds(text, (code) => find(field, code))
    return funds ? { value: funds } : { message: 'Write each fund code with its share, as in GEN 60; PPG 40.' }
  },
}

/** Yes, No, True, False, 1 and 0 (behaviour B-143). */
export function yesNo(label: string, text: string): Parsed {
  const plain = text.toLowerCase()
  if (['yes', 'true', '1', 'y'].includes(plain)) return { value: true }
  if (['no', 'false', '0', 'n'].includes(plain)) return { value: false }
  return { message: `${label} must be Yes or No.` }
}

/** The value of a cell; an empty cell is null. */
export function parseCell(field: Exclude<Field, { kind: 'rows' | 'flags' | 'rates' }>, cell: string, find: FindReference): Parsed {
  const text = unescapeFormula(cell).trim()
  if (text === '') return { value: null }
  const spoilt = spoiltCell(text)
  if (spoilt) return { message: spoilt }
  return parsed(field, text, find)
}

const parsed = <K extends keyof typeof parsers>(field: FieldOf<K>, text: string, find: FindReference): Parsed =>
  parsers[field.kind](field, text, find)

/** Names a referenced record in a cell: its code, or its name where it has none. */
export type NameReference = (to: string, id: number) => string

/** A value as people and spreadsheets read it. */
export function formatCell(field: Field, value: unknown, name: NameReference): string {
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
      return formatFunds(sharesOf(value), (id) => name(field.to, id))
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

/** Signs that a spreadsheet begins a formula with, those of full width too, which some take for the same. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/

/** A cell that a spreadsheet would run as a formula is written as text (notices K-24). */
export function escapeFormula(cell: string): string {
  return beginsFormula.test(cell) && !/^[+-]?\d[\d.,]*$/.test(cell) ? `'${cell}` : cell
}

/** What `escapeFormula` wrote, read back as it was. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && beginsFormula.test(cell.slice(1)) ? cell.slice(1) : cell
}

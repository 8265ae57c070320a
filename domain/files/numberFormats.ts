import { assertDefined } from '../values/assertDefined.ts'
import { toIsoDate } from '../values/calendar.ts'
import { readAttribute, visitTags, type XmlTag } from './xml.ts'

/**
 * How a workbook displays a number: plain, as a percentage, as a date or time, as a code with a fixed number of digits, or with a unit
 * (such as k or €) that changes the amount it stands for.
 */
export type NumberFormat = { kind: 'plain' | 'percent' | 'date' } | { kind: 'code'; pattern: string } | { kind: 'unit'; unit: string }

const plain: NumberFormat = { kind: 'plain' }

/** The built-in format with an id. */
function findBuiltInFormat(id: number): NumberFormat {
  if (id === 9 || id === 10) return { kind: 'percent' }
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
  return isDate ? { kind: 'date' } : plain
}

/** Interprets the first section of a format code, such as `0.0%`, `dd/mm/yyyy` or `000000`. */
function parseFormatCode(code: string): NumberFormat {
  const words = assertDefined(code.split(';')[0])
    // Removes colours, languages and conditions, but keeps elapsed hours such as `[h]`.
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    // Removes padding (`_x`) and repeated characters (`*x`).
    .replace(/[_*]./g, '')
  const signs = words.replace(/"[^"]*"|\\./g, '')
  if (signs.includes('%')) return { kind: 'percent' }
  if (/[dyhs]|m(?!.*[#0?])/i.test(signs) && !/general/i.test(signs)) return { kind: 'date' }
  const pattern = words.replace(/"([^"]*)"|\\(.)/g, (_whole, quoted, escaped) => quoted ?? escaped)
  if (/^[^#?.,eE]*00[^#?.,eE]*$/.test(signs)) return { kind: 'code', pattern }
  const unit = findUnit(assertDefined(code.split(';')[0]), pattern)
  return unit ? { kind: 'unit', unit } : plain
}

/** The foreign currency, scale or credit mark in a format, which changes the amount that a number stands for; empty if there is none. */
function findUnit(code: string, text: string): string {
  const currency = /\[\$([^\]-]+)/.exec(code)?.[1] ?? /[$€¥]/.exec(text)?.[0] ?? ''
  if (currency && !/^(?:£|GBP)$/i.test(currency.trim())) return currency.trim()
  const words = text.replace(/[#?0.,£()+\s-]/g, '')
  // With a comma after the last digit, only the display is divided by a thousand, so the number itself is in pounds.
  const isDivided = /[#?0],+(?![#?0.])/.test(text)
  return /^(?:cr|dr)$/i.test(words) || (/^['’]?(?:k|m|mn|bn|thousands?|millions?)$/i.test(words) && !isDivided) ? words : ''
}

/**
 * Reads the cell formats of a workbook. Cells refer to a format by its position in the result.
 * @param styles the part `styles.xml`; empty if there is none
 */
export function readNumberFormats(styles: string): NumberFormat[] {
  const own = new Map<string, NumberFormat>()
  const formats: NumberFormat[] = []
  let isCells = false
  const look = (tag: XmlTag): void => {
    if (tag.name === 'numFmt') {
      const id = readAttribute(tag, 'numFmtId') ?? ''
      const format = parseFormatCode(readAttribute(tag, 'formatCode') ?? '')
      // Spreadsheets show the built-in formats with the reader's own currency, whatever currency the file gives for them.
      own.set(id, format.kind === 'unit' && Number(id) < 164 ? plain : format)
    }
    if (tag.name === 'cellXfs') isCells = tag.kind === 'open'
    if (tag.name === 'xf' && tag.kind !== 'close' && isCells) {
      const id = readAttribute(tag, 'numFmtId') ?? '0'
      formats.push(own.get(id) ?? findBuiltInFormat(Number(id)))
    }
  }
  visitTags(styles, look)
  return formats
}

/** Days from the epoch of a workbook to 1970; old Mac workbooks count from 1904 instead of 1900. */
const daysTo1970 = { 1900: 25_569, 1904: 24_107 } as const

/**
 * Formats the number of a cell as the spreadsheet displays it, so that a code keeps its leading zeros and a percentage its sign.
 * @param from the year from which the workbook counts days
 */
export function formatCellNumber(value: number, format: NumberFormat, from: keyof typeof daysTo1970): string {
  if (format.kind === 'percent') return `${formatPlainNumber(value * 100)}%`
  if (format.kind === 'date') return formatDateTime(value, from)
  // A negative number that is displayed with `CR` or `DR` already has its sign.
  if (format.kind === 'unit' && !(value < 0 && /^[cd]r$/i.test(format.unit))) return `${formatPlainNumber(value)} ${format.unit}`
  const isCode = format.kind === 'code' && Number.isSafeInteger(value) && value >= 0
  return isCode ? applyDigitPattern(String(value), format.pattern) : formatPlainNumber(value)
}

/**
 * Writes at most fifteen digits; further ones are floating-point noise. A longer number keeps its exponent, which shows that the
 * spreadsheet has lost digits.
 */
function formatPlainNumber(value: number): string {
  const rounded = Number(value.toPrecision(15))
  if (Math.abs(rounded) >= 1e15) return rounded.toExponential().replace('e', 'E')
  const text = String(rounded)
  return text.includes('e') ? rounded.toLocaleString('en-GB', { useGrouping: false, maximumFractionDigits: 20 }) : text
}

/** Puts digits in place of the zeros of a pattern, from the right: 123 in `00-00-00` gives 00-01-23. */
function applyDigitPattern(digits: string, pattern: string): string {
  let left = digits
  let shown = ''
  for (const sign of [...pattern].reverse()) {
    shown = (sign === '0' ? left.slice(-1) || '0' : sign) + shown
    if (sign === '0') left = left.slice(0, -1)
  }
  // Surplus digits go before the first zero.
  return left ? shown.replace(/\d/, (first) => left + first) : shown
}

/** Formats a day, with its time if there is one. A value below one day is only a time. */
function formatDateTime(value: number, from: keyof typeof daysTo1970): string {
  const seconds = Math.round(value * 86_400)
  if (value < 0 || value > 2_958_466) return formatPlainNumber(value)
  const time = seconds % 86_400
  const clock = [3600, 60, 1].map((unit, index) => String(Math.floor(time / unit) % (index ? 60 : 24)).padStart(2, '0')).join(':')
  if (seconds < 86_400) return clock
  // Spreadsheets count 29 February 1900, which did not exist, so day numbers before it are one too low.
  const before = from === 1900 && value < 60 ? daysTo1970[1900] - 1 : daysTo1970[from]
  const day = toIsoDate(Math.floor(seconds / 86_400) - before)
  return time ? `${day} ${clock}` : day
}

import { assertDefined } from '../values/assertDefined.ts'
import { createWholeFileError } from './refusals.ts'

/** The Windows-1252 characters of bytes 80 to 9F; five of these bytes have none. */
const windowsLetters = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

/**
 * Decoded text. `brokenAt` is the position of the first byte that is invalid in the encoding, −1 if all are valid; `broken` counts invalid
 * bytes.
 */
interface Decoded {
  text: string
  brokenAt: number
  broken: number
  /** The number of characters that take more than one byte. */
  long: number
}

/**
 * Decodes the text of a file: UTF-8 or UTF-16 with or without a byte order mark, otherwise Windows-1252, which spreadsheets write.
 * @throws DomainError naming the row of the first invalid byte, so that no character is replaced silently
 */
export function decodeText(bytes: Uint8Array): string {
  const [first = 0, second = 0, third = 0] = bytes
  if (first === 0xff && second === 0xfe) return whole(decodeUtf16(bytes.subarray(2), 0), bytes)
  if (first === 0xfe && second === 0xff) return whole(decodeUtf16(bytes.subarray(2), 1), bytes)
  const zeros = findZeroBytes(bytes)
  if (zeros !== null) return whole(decodeUtf16(bytes, zeros), bytes)
  // Most files are ASCII, which every encoding except UTF-16 shares.
  if (bytes.every((byte) => byte > 0 && byte < 0x80))
    return whole({ text: textOf(bytes, bytes.length), brokenAt: -1, broken: 0, long: 0 }, bytes)
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf
  const utf8 = decodeUtf8(isMarked ? bytes.subarray(3) : bytes)
  // If there are no more invalid bytes than valid sequences, the file is damaged UTF-8; otherwise it has another encoding.
  if (isMarked || utf8.broken <= utf8.long) return whole(utf8, bytes)
  const windows = decodeWindows(bytes)
  // A file that ends lines with only a carriage return is from classic Mac OS. Its encoding shares with Windows-1252 only ASCII and the
  // pound sign.
  const isOfMac = bytes.includes(0x0d) && !bytes.includes(0x0a)
  return whole(isOfMac ? { ...windows, brokenAt: bytes.findIndex((byte) => byte >= 0x80 && byte !== 0xa3) } : windows, bytes)
}

function whole({ text, brokenAt }: Decoded, bytes: Uint8Array): string {
  if (bytes.includes(0) && text.includes('\0'))
    throw createWholeFileError('This file cannot be read. Save it as .xlsx without a password, or as CSV.')
  const lost = brokenAt < 0 ? text.indexOf('\uFFFD') : brokenAt
  if (lost >= 0)
    throw createWholeFileError(
      `Row ${countLine(text, lost)} has a character that cannot be read. Correct it there, or save the file as “CSV UTF-8”, and choose it again.`,
    )
  // DOS programs end a text file with this character.
  return text.endsWith('\u001a') ? text.slice(0, -1) : text
}

/** The line number, from 1, of a position in a text. */
function countLine(text: string, at: number): number {
  return text.slice(0, at).split(/\r\n|\r|\n/).length
}

/** Which byte of each pair is zero, as in UTF-16 without a byte order mark. @returns null if the bytes are not UTF-16 */
function findZeroBytes(bytes: Uint8Array): 0 | 1 | null {
  const looked = Math.min(bytes.length - (bytes.length % 2), 2000)
  const zeros: [number, number] = [0, 0]
  for (let at = 0; at < looked; at++) if (bytes[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++
  const [even, odd] = zeros
  if (odd > looked / 5 && even < looked / 40) return 0
  return even > looked / 5 && odd < looked / 40 ? 1 : null
}

/** @param high index of the low byte in a pair: 0 for little endian, 1 for big endian */
function decodeUtf16(bytes: Uint8Array, high: 0 | 1): Decoded {
  const units = new Uint16Array(bytes.length >> 1)
  for (let at = 0; at < units.length; at++) units[at] = assertDefined(bytes[2 * at + high]) | (assertDefined(bytes[2 * at + 1 - high]) << 8)
  const text = textOf(units, units.length)
  const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.exec(text)
  const brokenAt = lone?.index ?? (bytes.length % 2 ? text.length : -1)
  return { text, brokenAt, broken: brokenAt < 0 ? 0 : 1, long: 0 }
}

function decodeWindows(bytes: Uint8Array): Decoded {
  const units = new Uint16Array(bytes.length)
  let brokenAt = -1
  for (let at = 0; at < bytes.length; at++) {
    const byte = assertDefined(bytes[at])
    const unit = byte >= 0x80 && byte < 0xa0 ? windowsLetters.charCodeAt(byte - 0x80) : byte
    if (unit === 0 && byte !== 0 && brokenAt < 0) brokenAt = at
    units[at] = unit === 0 && byte !== 0 ? 0xfffd : unit
  }
  return { text: textOf(units, units.length), brokenAt, broken: 0, long: 0 }
}

/** The smallest code point allowed in two, three and four bytes. Overlong forms are refused, because they could disguise a character. */
const smallest = [0, 0x80, 0x800, 0x10000]

function decodeUtf8(bytes: Uint8Array): Decoded {
  const units = new Uint16Array(bytes.length)
  let [length, brokenAt, broken, long] = [0, -1, 0, 0]
  for (let at = 0; at < bytes.length; ) {
    const byte = assertDefined(bytes[at])
    if (byte < 0x80) {
      units[length++] = byte
      at++
      continue
    }
    const more = byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xc2 && byte < 0xe0 ? 1 : 0
    let letter = byte & (0x3f >> more)
    let read = 0
    while (read < more && (assertDefined(bytes[at + read + 1] ?? 0) & 0xc0) === 0x80)
      letter = (letter << 6) | (assertDefined(bytes[at + ++read]) & 0x3f)
    const isWhole =
      more > 0 && read === more && letter >= assertDefined(smallest[more]) && letter <= 0x10ffff && (letter & 0xfff800) !== 0xd800
    if (!isWhole) {
      if (brokenAt < 0) brokenAt = length
      broken++
      units[length++] = 0xfffd
      at++
      continue
    }
    long++
    at += more + 1
    if (letter < 0x10000) units[length++] = letter
    else {
      units[length++] = 0xd7c0 + (letter >> 10)
      units[length++] = 0xdc00 | (letter & 0x3ff)
    }
  }
  return { text: textOf(units, length), brokenAt, broken, long }
}

/** Bytes are converted in chunks of this size, because the number of arguments of a function call is limited. */
const chunk = 8192

function textOf(units: Uint16Array | Uint8Array, length: number): string {
  const parts: string[] = []
  for (let at = 0; at < length; at += chunk) parts.push(String.fromCharCode(...units.subarray(at, Math.min(at + chunk, length))))
  return parts.join('')
}

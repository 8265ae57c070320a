import { DomainError } from '../../domain/words/errors.ts'

/** Requests of the product itself have at most about a dozen levels. */
const maximumNesting = 40

const bytes = { quote: 0x22, backslash: 0x5c, u: 0x75, zero: 0x30, openList: 0x5b, closeList: 0x5d, openObject: 0x7b, closeObject: 0x7d }

function tooDeep(): DomainError {
  return new DomainError('invalid', 'tooDeep', `Lists and objects can be nested at most ${maximumNesting} deep.`)
}

export function createNulCharacterError(): DomainError {
  return new DomainError('invalid', 'nul', 'Text cannot contain the character U+0000. Leave it out.')
}

/**
 * Scans JSON in pieces before it is parsed, for deep nesting and for U+0000, which no text column accepts. It does not validate JSON; the
 * parser does.
 * @returns a function that takes the pieces in order and throws DomainError 400
 */
export function createJsonScanner(): (piece: Uint8Array) => void {
  let depth = 0
  let inText = false
  let escaped = false
  /** The number of zeros so far after `\u`; -1 outside an escape. */
  let zeros = -1
  return (piece) => {
    for (const byte of piece) {
      if (!inText) {
        if (byte === bytes.quote) inText = true
        else if (byte === bytes.openList || byte === bytes.openObject) {
          if (++depth > maximumNesting) throw tooDeep()
        } else if (byte === bytes.closeList || byte === bytes.closeObject) depth--
        continue
      }
      if (zeros >= 0) {
        zeros = byte === bytes.zero ? zeros + 1 : -1
        if (zeros === 4) throw createNulCharacterError()
        if (zeros > 0) continue
      }
      if (escaped) {
        escaped = false
        if (byte === bytes.u) zeros = 0
      } else if (byte === bytes.backslash) escaped = true
      else if (byte === bytes.quote) inText = false
    }
  }
}

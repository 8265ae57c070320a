import { DomainError } from '../../domain/words/errors.ts'

/** How deep lists and objects may stand in each other; what the product itself sends stands a dozen deep at most. */
const deepestNesting = 40

const signs = { quote: 0x22, backslash: 0x5c, u: 0x75, zero: 0x30, openList: 0x5b, closeList: 0x5d, openObject: 0x7b, closeObject: 0x7d }

function tooDeep(): DomainError {
  return new DomainError('invalid', 'tooDeep', `Lists and objects may stand at most ${deepestNesting} deep in each other.`)
}

export function nulSign(): DomainError {
  return new DomainError('invalid', 'nul', 'Text cannot hold the character U+0000. Leave it out.')
}

/**
 * Looks JSON through before anything parses it, piece by piece: how deep it is nested, and whether a text holds U+0000, which no database
 * column takes. It decides nothing else; what is no JSON is the parser's to refuse.
 * @returns a function that takes the pieces in order and throws DomainError 400
 */
export function jsonScan(): (piece: Uint8Array) => void {
  let depth = 0
  let inText = false
  let escaped = false
  /** Digits of a `\\u0000` met so far; -1 outside one. */
  let zeros = -1
  return (piece) => {
    for (const byte of piece) {
      if (!inText) {
        if (byte === signs.quote) inText = true
        else if (byte === signs.openList || byte === signs.openObject) {
          if (++depth > deepestNesting) throw tooDeep()
        } else if (byte === signs.closeList || byte === signs.closeObject) depth--
        continue
      }
      if (zeros >= 0) {
        zeros = byte === signs.zero ? zeros + 1 : -1
        if (zeros === 4) throw nulSign()
        if (zeros > 0) continue
      }
      if (escaped) {
        escaped = false
        if (byte === signs.u) zeros = 0
      } else if (byte === signs.backslash) escaped = true
      else if (byte === signs.quote) inText = false
    }
  }
}

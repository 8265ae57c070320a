import superjson, { type SuperJSONResult } from 'superjson'
import { DomainError } from '../../../domain/words/errors.ts'

/** Types that JSON lacks; the browser sends no others. */
const kinds = new Set(['undefined', 'Date', 'number'])

/** The maximum number of values of these types in a call. */
const maximumTypeNotes = 5000

function createInvalidBodyError(): DomainError {
  return new DomainError('invalid', 'input', 'The request body is not valid.')
}

/**
 * Counts the type notes on values, after validating them.
 * @throws DomainError for a type that is not supported
 */
function countTypeNotes(notes: unknown): number {
  if (typeof notes === 'string') {
    if (!kinds.has(notes)) throw createInvalidBodyError()
    return 1
  }
  if (typeof notes !== 'object' || notes === null) return 1
  let count = 0
  for (const part of Object.values(notes)) {
    count += countTypeNotes(part)
    if (count > maximumTypeNotes) throw createInvalidBodyError()
  }
  return count
}

/**
 * Decodes the input of a call from the browser's encoding (superjson). The value was parsed for this call alone, so it is decoded in place.
 * Everything else that the encoding supports (big numbers, expressions, classes) is refused.
 * @throws DomainError 400 for what the browser never sends
 */
export function decodeInput(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || !('json' in written)) throw createInvalidBodyError()
  // The code below validates both, or passes them on as unknown.
  const { json, meta } = written as SuperJSONResult
  const values = meta?.values
  if (values === undefined) return json
  countTypeNotes(values)
  return superjson.deserialize({ json, meta: { values, v: meta?.v } }, { inPlace: true })
}

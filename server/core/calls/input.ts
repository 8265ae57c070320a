import superjson, { type SuperJSONResult } from 'superjson'
import { DomainError } from '../../../domain/words/errors.ts'

/** Values of a call that JSON has no sign for; the browser sends nothing else of the kind. */
const kinds = new Set(['undefined', 'Date', 'number'])

/** How many such values a call may have. */
const most = 5000

function refused(): DomainError {
  return new DomainError('invalid', 'input', 'The body of the call is not valid.')
}

/** Looks the notes on values through. @returns how many there are. @throws DomainError for a kind that is not read */
function counted(notes: unknown): number {
  if (typeof notes === 'string') {
    if (!kinds.has(notes)) throw refused()
    return 1
  }
  if (typeof notes !== 'object' || notes === null) return 1
  let count = 0
  for (const part of Object.values(notes)) {
    count += counted(part)
    if (count > most) throw refused()
  }
  return count
}

/**
 * The input of a call as the browser wrote it. The value was parsed for this call alone, so it is used as it is and not copied; whatever
 * else the notation could make of a text (big numbers, expressions, classes) is refused.
 * @throws DomainError 400 for what the browser never sends
 */
export function readInput(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || !('json' in written)) throw refused()
  // Looked at part by part below, or handed on as the unknown that it is.
  const { json, meta } = written as SuperJSONResult
  const values = meta?.values
  if (values === undefined) return json
  counted(values)
  return superjson.deserialize({ json, meta: { values, v: meta?.v } }, { inPlace: true })
}

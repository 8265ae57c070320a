import superjson, { type SuperJSONResult } from 'superjson'

/**
 * Encodes the result of a call for the browser. Plain JSON, which most results are, is sent unchanged: encoding any other value walks
 * through every field, which costs more than reading the rows. Fields that are undefined are left out.
 */
export function encodeOutput(value: unknown): SuperJSONResult {
  return isPlain(value) ? { json: value } : superjson.serialize(value)
}

/** Whether JSON can represent the whole value. It cannot represent dates, bytes, undefined results and -0. */
function isPlain(value: unknown): value is SuperJSONResult['json'] {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    case 'object': {
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isPlain)
      const prototype = Object.getPrototypeOf(value)
      if (prototype !== Object.prototype && prototype !== null) return false
      for (const part of Object.values(value)) if (part !== undefined && !isPlain(part)) return false
      return true
    }
    default:
      return false
  }
}

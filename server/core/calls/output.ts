import superjson, { type SuperJSONResult } from 'superjson'

/**
 * The result of a call as the browser decodes it. Most results are plain JSON, and are sent as they are: the encoding
 * of other values walks through every field and costs more than reading the rows. Fields that are undefined are left
 * out.
 */
export function writeOutput(value: unknown): SuperJSONResult {
  return isPlain(value) ? { json: value } : superjson.serialize(value)
}

/** Whether JSON has a form for the whole value. It has none for dates, bytes, undefined results and -0. */
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

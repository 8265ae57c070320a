import type { ParsedUrlQuery } from 'node:querystring'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { JsonSchema } from './jsonSchema.ts'
import { sentTo } from './schemas.ts'

/**
 * What stands behind the question mark of an address, as the procedure's description has it: a number where it says a number, a list where
 * it says a list. What does not fit stays text, and the procedure refuses it in words.
 */
export function readQuery(procedure: string, query: ParsedUrlQuery): Record<string, unknown> {
  const { properties = {} } = sentTo(procedure)
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, properties[name] && value !== undefined ? read(properties[name], value) : value]),
  )
}

function read(schema: JsonSchema, value: string | string[]): unknown {
  const kinds = [schema, ...(schema.anyOf ?? [])]
  const list = kinds.find((one) => one.items)
  if (list?.items) return [value].flat().map((one) => read(assertDefined(list.items), one))
  if (typeof value !== 'string') return value
  const types = kinds.flatMap((one) => one.type ?? [])
  if ((types.includes('integer') || types.includes('number')) && /^-?\d{1,15}(\.\d{1,6})?$/.test(value)) return Number(value)
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

import type { ParsedUrlQuery } from 'node:querystring'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { JsonSchema } from './jsonSchema.ts'
import { buildInputJsonSchema } from './schemas.ts'

/**
 * Converts query values to the types in the procedure's input schema: numbers, booleans and lists. Values that cannot be converted remain
 * text, so that the procedure refuses them with a sentence.
 */
export function parseQuery(procedure: string, query: ParsedUrlQuery): Record<string, unknown> {
  const { properties = {} } = buildInputJsonSchema(procedure)
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      properties[name] && value !== undefined ? convertQueryValue(properties[name], value) : value,
    ]),
  )
}

function convertQueryValue(schema: JsonSchema, value: string | string[]): unknown {
  const kinds = [schema, ...(schema.anyOf ?? [])]
  const list = kinds.find((one) => one.items)
  if (list?.items) return [value].flat().map((one) => convertQueryValue(assertDefined(list.items), one))
  if (typeof value !== 'string') return value
  const types = kinds.flatMap((one) => one.type ?? [])
  if ((types.includes('integer') || types.includes('number')) && /^-?\d{1,15}(\.\d{1,6})?$/.test(value)) return Number(value)
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

import { componentReferencePrefix, type JsonSchema, type SchemasByName } from './jsonSchema.ts'

const byFormat: Record<string, string> = {
  date: '2026-09-01',
  'date-time': '2026-09-01T08:30:00.000Z',
  email: 'office@school.example',
  uuid: '0b6f6d1e-3c0a-4c57-9a53-0d2c6b1f7e11',
  uri: 'https://school.example',
}

/** Example texts by field name; the first match wins. */
const byName: [RegExp, string][] = [
  [/code$/i, 'E01'],
  [/(number|employee)$/i, '100245'],
  [/^yearName|YearName/, '2026/27'],
  [/(date|^created|^when|^from|^until)$/i, '2026-09-01'],
  [/(At|^at|since)$/, '2026-09-01T08:30:00.000Z'],
  [/email$/i, 'office@school.example'],
  [/^(forename|startedBy)$/i, 'Amara'],
  [/^surname$/i, 'Murphy'],
  [/position|contractName/i, 'Class teacher'],
  [/department/i, 'Teaching'],
  [/name$/i, 'Harbour View School'],
  [/notes?$|text$/i, 'Agreed with the trust.'],
]

const calendarYear = /^(year|firstYear)$/

/** Names of numbers that identify, date or count something, rather than measure an amount. */
const countOrIdName =
  /(type|state|year|month|version|order|count|total|title|gender|number|kind|id|category|tags|terms|locations|size|width|height)s?$/i

/** Examples are empty below this depth of nesting. */
const maxDepth = 6

/** Builds an example value of a schema. The schema's own example takes precedence. */
export function buildExample(
  schema: JsonSchema,
  { components, name = '', depth = 0 }: { components: SchemasByName; name?: string; depth?: number },
): unknown {
  if (schema.$ref) return buildExample(components[schema.$ref.slice(componentReferencePrefix.length)] ?? {}, { components, name, depth })
  const [declared] = schema.examples ?? []
  if (declared !== undefined) return declared
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.find((one) => one !== null) ?? null
  const choices = (schema.anyOf ?? schema.oneOf)?.filter((one) => one.type !== 'null')
  if (choices) return buildExample(chooseRichest(choices), { components, name, depth })
  const type = [schema.type].flat().find((one) => one !== 'null')
  switch (type) {
    case 'object':
      return exampleObject(schema, components, depth)
    case 'array':
      return exampleArray(schema, { components, name, depth })
    case 'integer':
      return clampToRange(schema, calendarYear.test(name) ? 2026 : /id$/i.test(name) ? 12 : 1)
    case 'number':
      return clampToRange(schema, calendarYear.test(name) ? 2026 : countOrIdName.test(name) ? 1 : 1250.5)
    case 'boolean':
      return false
    case 'string':
      return exampleText(schema, name)
    default:
      return schema.type === 'null' ? null : 'text'
  }
}

function chooseRichest(choices: readonly JsonSchema[]): JsonSchema {
  const weight = (one: JsonSchema): number => (one.properties ? JSON.stringify(one.properties).length : 0)
  return choices.reduce((best, one) => (weight(one) > weight(best) ? one : best), choices[0] ?? {})
}

function exampleObject(schema: JsonSchema, components: SchemasByName, depth: number): unknown {
  if (depth >= maxDepth && !schema.required?.length) return {}
  const wanted = Object.entries(schema.properties ?? {}).filter(([name]) => depth < maxDepth || schema.required?.includes(name))
  const { additionalProperties: further, properties = {}, required = [] } = schema
  const keys = typeof further === 'object' ? required.filter((name) => !properties[name]).map((name) => [name, further] as const) : []
  return Object.fromEntries(
    [...wanted, ...keys].map(([name, property]) => [name, buildExample(property, { components, name, depth: depth + 1 })]),
  )
}

function exampleArray(
  { items = {}, minItems = 0, maxItems = 1 }: JsonSchema,
  { components, name, depth }: { components: SchemasByName; name: string; depth: number },
): unknown[] {
  if (items.not) return []
  const count = Math.max(minItems, depth >= maxDepth ? 0 : Math.min(1, maxItems))
  return Array.from({ length: count }, () => buildExample(items, { components, name, depth: depth + 1 }))
}

function clampToRange({ minimum, exclusiveMinimum, maximum }: JsonSchema, wanted: number): number {
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1)
  return Math.min(Math.max(wanted, least), maximum ?? Infinity)
}

function exampleText({ format, pattern, minLength = 0, maxLength = 1000 }: JsonSchema, name: string): string {
  if (format && byFormat[format]) return byFormat[format]
  if (pattern === '^[0-9a-f]{24}$' || /^(\w*Id|id)$/.test(name)) return '66f1a2b3c4d5e6f708192a3b'
  const plain = byName.find(([like]) => like.test(name))?.[1] ?? 'Supply teachers'
  return plain.padEnd(minLength, '.').slice(0, maxLength)
}

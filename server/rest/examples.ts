import { componentPath, type JsonSchema, type Schemas } from './jsonSchema.ts'

/** Texts by the form they have. */
const byFormat: Record<string, string> = {
  date: '2026-09-01',
  'date-time': '2026-09-01T08:30:00.000Z',
  email: 'office@school.example',
  uuid: '0b6f6d1e-3c0a-4c57-9a53-0d2c6b1f7e11',
  uri: 'https://school.example',
}

/** Texts by what the field is called. */
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

/** Numbers that say which, when or how many, not how much. */
const plainNumber =
  /(type|state|year|month|version|order|count|total|title|gender|number|kind|id|category|tags|terms|locations|size|width|height)s?$/i

/** How deep an example goes; what is deeper is left empty. */
const deepest = 6

/** Something that a schema allows, as a reader would write it. What a schema gives as its own example is taken. */
export function exampleOf(
  schema: JsonSchema,
  { components, name = '', depth = 0 }: { components: Schemas; name?: string; depth?: number },
): unknown {
  if (schema.$ref) return exampleOf(components[schema.$ref.slice(componentPath.length)] ?? {}, { components, name, depth })
  const [own] = schema.examples ?? []
  if (own !== undefined) return own
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.find((one) => one !== null) ?? null
  const choices = (schema.anyOf ?? schema.oneOf)?.filter((one) => one.type !== 'null')
  if (choices) return exampleOf(richest(choices), { components, name, depth })
  const type = [schema.type].flat().find((one) => one !== 'null')
  switch (type) {
    case 'object':
      return object(schema, components, depth)
    case 'array':
      return array(schema, { components, name, depth })
    case 'integer':
      return within(schema, calendarYear.test(name) ? 2026 : /id$/i.test(name) ? 12 : 1)
    case 'number':
      return within(schema, calendarYear.test(name) ? 2026 : plainNumber.test(name) ? 1 : 1250.5)
    case 'boolean':
      return false
    case 'string':
      return text(schema, name)
    default:
      return schema.type === 'null' ? null : 'text'
  }
}

/** Of several shapes, the one that shows most. */
function richest(choices: readonly JsonSchema[]): JsonSchema {
  const weight = (one: JsonSchema): number => (one.properties ? JSON.stringify(one.properties).length : 0)
  return choices.reduce((best, one) => (weight(one) > weight(best) ? one : best), choices[0] ?? {})
}

function object(schema: JsonSchema, components: Schemas, depth: number): unknown {
  if (depth >= deepest && !schema.required?.length) return {}
  const wanted = Object.entries(schema.properties ?? {}).filter(([name]) => depth < deepest || schema.required?.includes(name))
  const { additionalProperties: further, properties = {}, required = [] } = schema
  const keys = typeof further === 'object' ? required.filter((name) => !properties[name]).map((name) => [name, further] as const) : []
  return Object.fromEntries(
    [...wanted, ...keys].map(([name, property]) => [name, exampleOf(property, { components, name, depth: depth + 1 })]),
  )
}

function array(
  { items = {}, minItems = 0, maxItems = 1 }: JsonSchema,
  { components, name, depth }: { components: Schemas; name: string; depth: number },
): unknown[] {
  if (items.not) return []
  const count = Math.max(minItems, depth >= deepest ? 0 : Math.min(1, maxItems))
  return Array.from({ length: count }, () => exampleOf(items, { components, name, depth: depth + 1 }))
}

function within({ minimum, exclusiveMinimum, maximum }: JsonSchema, wanted: number): number {
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1)
  return Math.min(Math.max(wanted, least), maximum ?? Infinity)
}

function text({ format, pattern, minLength = 0, maxLength = 1000 }: JsonSchema, name: string): string {
  if (format && byFormat[format]) return byFormat[format]
  if (pattern === '^[0-9a-f]{24}$' || /^(\w*Id|id)$/.test(name)) return '66f1a2b3c4d5e6f708192a3b'
  const plain = byName.find(([like]) => like.test(name))?.[1] ?? 'Supply teachers'
  return plain.padEnd(minLength, '.').slice(0, maxLength)
}

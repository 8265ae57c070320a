import fc from 'fast-check'
import type { z } from 'zod'
import { allResources } from '../../../domain/resources/all.ts'
import { listColumns } from '../../../domain/resources/columns.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { allProcedures } from '../../../server/rest/routes.ts'
import { inputSchemaOf } from './inputSchema.ts'
import { buildSample } from './samples.ts'

type Schema = Record<string, unknown>

/** Text that often causes faults. */
export const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e400',
    'NaN',
    'null',
    '2026-02-30',
    '2026-09-01',
    '01/09/2026',
    '99999-01-01',
    '0000-00-00',
    '2026/27',
    'GEN:50;SEN:50',
    'E19',
    '£1,000.005',
    '=1+1',
    '50%',
    '99999999999999999999',
    '__proto__',
    'constructor',
    '\ud800',
    '\u202e',
    "'; --",
    '%',
    '\\',
    '{{',
    '<p><script>',
    'x'.repeat(5000),
    'ffffffffffffffffffffffff',
    '00000000-0000-0000-0000-000000000000',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

/** A value of an unexpected type. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e300, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, [], {}, [[]], [null], { id: null }),
  fc.constantFrom<unknown>({ toString: 1 }, { valueOf: {} }, { length: -1 }, { toJSON: 1 }, JSON.parse('{"__proto__":[1]}')),
  oddText,
  fc.jsonValue({ maxDepth: 3 }),
)

const wholeNumber = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) },
  fc.constantFrom(0, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53),
)

/** Values of a JSON Schema, mostly valid, with some parts of another type. */
function valuesOf(schema: Schema, known: fc.Arbitrary<string>, depth = 0): fc.Arbitrary<unknown> {
  const inner = (part: unknown): fc.Arbitrary<unknown> => valuesOf(part as Schema, known, depth + 1)
  const proper = (): fc.Arbitrary<unknown> => {
    if (depth > 8) return fc.constant(null)
    if ('const' in schema) return fc.constant(schema.const)
    if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
    const either = (schema.anyOf ?? schema.oneOf) as unknown[] | undefined
    if (either) return fc.oneof(...either.map(inner))
    if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })))
    switch (schema.type) {
      case 'object': {
        const parts = Object.fromEntries(Object.entries((schema.properties ?? {}) as Schema).map(([name, part]) => [name, inner(part)]))
        const required = (schema.required ?? []) as string[]
        if (!Object.keys(parts).length) return fc.dictionary(oddText, oddValue, { maxKeys: 4 })
        return fc.oneof({ weight: 5, arbitrary: fc.record(parts, { requiredKeys: required }) }, fc.record(parts, { requiredKeys: [] }))
      }
      case 'array':
        return fc.array(inner(schema.items ?? {}), { maxLength: 4 })
      case 'integer':
      case 'number':
        return fc.oneof(wholeNumber, fc.constant(Number(schema.minimum ?? 1)), fc.constant(Number(schema.maximum ?? 12)))
      case 'string':
        return fc.oneof(known, oddText)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        return oddValue
    }
  }
  return fc.oneof({ weight: depth === 0 ? 40 : 15, arbitrary: proper() }, { weight: 1, arbitrary: oddValue })
}

const resources = new Map<string, AnyResource>(allResources.map((resource) => [resource.name, resource]))

/** Records of a resource in which most fields are valid. */
function recordsOf(resource: AnyResource): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      fc.integer({ min: 1, max: 400 }),
      fc.dictionary(fc.constantFrom(...Object.keys(resource.fields), 'id', 'version'), fc.oneof(oddValue, wholeNumber), { maxKeys: 4 }),
    )
    .map(([n, odd]) => ({ ...buildSample(resource, n, () => 1 + (n % 9)), id: 1 + (n % 30), version: 1, ...odd }))
}

const inputsSoFar = new Map<string, fc.Arbitrary<unknown>>()

/** Inputs of a procedure, from its schema. @param known texts that refer to something that exists: ids, dates, codes */
export function arbitraryInputs(procedure: string, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const inputs = inputsSoFar.get(procedure) ?? declared(procedure, known)
  inputsSoFar.set(procedure, inputs)
  return inputs
}

function declared(procedure: string, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const [first, name = ''] = procedure.split('.')
  const resource = first === 'resources' && /\.(create|update)$/.test(procedure) ? resources.get(name) : undefined
  if (resource) return fc.oneof({ weight: 20, arbitrary: recordsOf(resource) }, oddValue)
  const { inputs } = allProcedures[procedure]!._def as unknown as { inputs?: z.ZodType[] }
  const schema = inputs?.at(-1)
  return schema ? valuesOf(inputSchemaOf(schema) as Schema, known) : oddValue
}

/** Rows for an import of a resource: its own headings, with cells and rows of any kind. */
export function arbitraryRows(resource: AnyResource, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const headings = listColumns(resource).map(({ heading }) => heading)
  const cell = fc.oneof({ weight: 6, arbitrary: known }, { weight: 6, arbitrary: oddText }, { weight: 1, arbitrary: oddValue })
  const row = fc.record(Object.fromEntries(headings.map((heading) => [heading, cell])), {
    requiredKeys: resource.importRequired as string[],
  })
  return fc.array(fc.oneof({ weight: 15, arbitrary: row }, { weight: 1, arbitrary: oddValue }), { maxLength: 8 })
}

/** Encodes text for a URL. Lone surrogates, which cannot be encoded, are replaced. */
export function encodeForUrl(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '?'))
}

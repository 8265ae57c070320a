import { z } from 'zod'
import { fieldBehind } from '../../domain/resources/schema.ts'
import { describedAsSent } from '../../domain/resources/shape.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { schemaOfReply } from '../core/calls/reply.ts'
import { exampleOf } from './examples.ts'
import { componentPath, type JsonSchema, type Schemas } from './jsonSchema.ts'
import { allProcedures } from './routes.ts'

type Way = 'input' | 'output'

/** A schema as the library makes it, with what is read and written of one here. */
function ours(schema: object): JsonSchema {
  // The library's own type has the same parts, each in more forms than it makes.
  return schema as JsonSchema
}

/**
 * The JSON Schema of some schemas, by their names, and of what they have in common, by its ids. A reader of replies must bear a field that is
 * added one day, so no object says that it has no others.
 */
function converted(schemas: Record<string, z.ZodType>, io: Way): { schemas: Schemas; shared: Schemas } {
  const whole = z.toJSONSchema(z.object(schemas), {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      asDeclared(zodSchema, jsonSchema)
      tidy(ours(jsonSchema))
    },
  })
  const { properties, $defs } = ours(whole)
  return { schemas: properties ?? {}, shared: $defs ?? {} }
}

/** Describes what a declared field takes by its declaration: its schema also repairs what people type, of which a description says nothing. */
export function asDeclared(schema: object, described: object): void {
  const field = fieldBehind(schema)
  if (!field) return
  for (const name of Object.keys(described)) Reflect.deleteProperty(described, name)
  const { $schema: _schema, ...plain } = z.toJSONSchema(describedAsSent(field), {
    io: 'input',
    reused: 'inline',
    override: ({ jsonSchema }) => tidy(ours(jsonSchema)),
  })
  Object.assign(described, plain)
}

/** Leaves out what says nothing to a reader. */
function tidy(schema: JsonSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  // The key of a part names it.
  delete schema.id
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.exclusiveMinimum === 0 && schema.type === 'integer') {
    delete schema.exclusiveMinimum
    schema.minimum = 1
  }
  if (schema.format) delete schema.pattern
  // One plain kind of value or null is one type.
  const [one, none] = schema.anyOf ?? []
  if (schema.anyOf?.length !== 2 || none?.type !== 'null' || typeof one?.type !== 'string' || one.$ref || one.type === 'object') return
  const { anyOf: _anyOf, ...about } = schema
  for (const name of Object.keys(schema)) Reflect.deleteProperty(schema, name)
  Object.assign(schema, one, about, { type: [one.type, 'null'] })
  if (schema.enum) schema.enum = [...schema.enum, null]
  if (schema.const !== undefined) {
    schema.enum = [schema.const, null]
    delete schema.const
  }
}

/** What a procedure takes, as it says it. */
function inputOf(procedure: string): z.ZodType | undefined {
  const input = assertDefined(allProcedures[procedure])._def.inputs?.at(-1)
  return input instanceof z.ZodType ? input : undefined
}

const taken = new Map<string, JsonSchema>()

/** What a procedure takes, of which nothing stands elsewhere. */
export function sentTo(procedure: string): JsonSchema {
  let schema = taken.get(procedure)
  if (!schema) {
    const input = inputOf(procedure)
    schema = input
      ? ours(
          z.toJSONSchema(input, {
            io: 'input',
            unrepresentable: 'any',
            reused: 'inline',
            override: ({ zodSchema, jsonSchema }) => asDeclared(zodSchema, jsonSchema),
          }),
        )
      : {}
    taken.set(procedure, schema)
  }
  return schema
}

/** What a procedure takes at a place of its path, as a reader needs to know it. */
export function sentInPath(procedure: string, name: string): JsonSchema | undefined {
  const property = sentTo(procedure).properties?.[name]
  if (!property) return undefined
  const schema = structuredClone(property)
  tidy(schema)
  return schema
}

/** Every reference of a schema led elsewhere. */
function referring(schema: JsonSchema, to: (name: string) => string): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? componentPath + to(decodeURIComponent(value.slice(value.lastIndexOf('/') + 1))) : value,
  )
}

/** Names of what is taken in another form than it is given, and of what holds such. */
function otherForms(taken: Schemas, given: Schemas): ReadonlySet<string> {
  const same = (name: string): boolean => JSON.stringify(taken[name]) === JSON.stringify(given[name])
  const other = new Set(Object.keys(taken).filter((name) => given[name] && !same(name)))
  for (let before = -1; before !== other.size; ) {
    before = other.size
    for (const [name, schema] of Object.entries(taken)) {
      const text = JSON.stringify(schema)
      if (given[name] && [...other].some((one) => text.includes(`"#/$defs/${one}"`))) other.add(name)
    }
  }
  return other
}

const capital = (word: string): string => assertDefined(word[0]).toUpperCase() + word.slice(1)

/** What a body or a reply without a name of its own is called: after its entity and what is done with it. */
function nameOf(procedure: string): string {
  const parts = procedure.split('.')
  return (
    capital(assertDefined(allProcedures[procedure])._def.meta?.rest?.entity ?? assertDefined(parts[0])) +
    capital(assertDefined(parts.at(-1)))
  )
}

/** What the calls of the REST API take and answer, by procedure, and the parts that they refer to. */
export interface Described {
  taken: Schemas
  given: Schemas
  components: Schemas
}

/** Describes the procedures that stand in the REST API. */
export function describedCalls(procedures: readonly string[]): Described {
  const inputs: Record<string, z.ZodType> = {}
  const outputs: Record<string, z.ZodType> = {}
  for (const procedure of procedures) {
    const { meta, output } = assertDefined(allProcedures[procedure])._def
    const input = meta?.rest?.body ?? inputOf(procedure)
    if (input) inputs[procedure] = input
    const said = schemaOfReply(output)
    if (said) outputs[procedure] = said
  }
  const [takes, gives] = [converted(inputs, 'input'), converted(outputs, 'output')]
  const other = otherForms(takes.shared, gives.shared)
  const asTaken = (name: string): string => (other.has(name) ? `${name}Input` : name)
  const components: Schemas = {}
  const keep = (name: string, schema: JsonSchema): void => {
    if (components[name] && JSON.stringify(components[name]) !== JSON.stringify(schema)) throw new Error(`Two schemas are named ${name}`)
    components[name] = schema
  }
  for (const [name, schema] of Object.entries(gives.shared))
    keep(
      name,
      referring(schema, (to) => to),
    )
  for (const [name, schema] of Object.entries(takes.shared)) keep(asTaken(name), referring(schema, asTaken))
  /** What has no name of its own is named after its call. */
  const named = (schema: JsonSchema, name: string): JsonSchema => {
    if (schema.type === 'array' && schema.items) return { ...schema, items: named(schema.items, `${name}Row`) }
    if (schema.type === 'object' && schema.properties && !Object.keys(schema.properties).length) return schema
    if (schema.type !== 'object' && !schema.anyOf && !schema.oneOf && !schema.allOf) return schema
    keep(name, schema)
    return { $ref: componentPath + name }
  }
  const taken = Object.fromEntries(
    Object.entries(takes.schemas).map(([procedure, schema]) => [procedure, withoutPath(procedure, referring(schema, asTaken), components)]),
  )
  for (const [procedure, schema] of Object.entries(taken))
    if (!isQuery(procedure)) taken[procedure] = named(schema, `${nameOf(procedure)}Request`)
  const given = Object.fromEntries(
    Object.entries(gives.schemas).map(([procedure, schema]) => [
      procedure,
      named(
        referring(schema, (to) => to),
        `${nameOf(procedure)}Reply`,
      ),
    ]),
  )
  for (const [name, schema] of Object.entries(components))
    components[name] = { ...schema, examples: schema.examples ?? [exampleOf(schema, { components })] }
  return { taken, given, components }
}

/** Whether a call has no body, and what it takes stands behind the question mark. */
function isQuery(procedure: string): boolean {
  const { method } = assertDefined(assertDefined(assertDefined(allProcedures[procedure])._def.meta).rest)
  return method === 'GET' || method === 'DELETE'
}

/** What a call takes beside what its path names; of a body that is a list, what the list is. */
function withoutPath(procedure: string, schema: JsonSchema, components: Schemas): JsonSchema {
  const { path, isList } = assertDefined(assertDefined(assertDefined(allProcedures[procedure])._def.meta).rest)
  const named = [...path.matchAll(/\{(\w+)/g)].map((match) => assertDefined(match[1]))
  const whole = schema.$ref ? assertDefined(components[schema.$ref.slice(componentPath.length)]) : schema
  if (isList) return assertDefined(whole.properties?.rows)
  if (!isQuery(procedure) && !named.some((name) => whole.properties?.[name])) return schema
  const properties = Object.fromEntries(Object.entries(whole.properties ?? {}).filter(([name]) => !named.includes(name)))
  return { ...whole, properties, required: whole.required?.filter((name) => !named.includes(name)) }
}

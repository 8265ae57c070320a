import { z } from 'zod'
import { findSchemaField } from '../../domain/resources/schema.ts'
import { buildDocumentedInputSchema } from '../../domain/resources/shape.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { getReplySchema } from '../core/calls/reply.ts'
import { buildExample } from './examples.ts'
import { componentReferencePrefix, type JsonSchema, type SchemasByName } from './jsonSchema.ts'
import { allProcedures, type RestRoute } from './routes.ts'

type Direction = 'input' | 'output'

function asJsonSchema(schema: object): JsonSchema {
  // zod's own type allows more forms than zod generates.
  return schema as JsonSchema
}

/**
 * Converts zod schemas to JSON Schema: `schemas` by name, and `shared` parts by id. Objects never forbid additional properties, because
 * clients must tolerate new fields in replies.
 */
function convertSchemas(schemas: Record<string, z.ZodType>, io: Direction): { schemas: SchemasByName; shared: SchemasByName } {
  const whole = z.toJSONSchema(z.object(schemas), {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      describeDeclaredField(zodSchema, jsonSchema)
      simplify(asJsonSchema(jsonSchema))
    },
  })
  const { properties, $defs } = asJsonSchema(whole)
  return { schemas: properties ?? {}, shared: $defs ?? {} }
}

/** Describes a resource field by its declaration: its zod schema also accepts and corrects input that clients should not send. */
export function describeDeclaredField(schema: object, described: object): void {
  const field = findSchemaField(schema)
  if (!field) return
  for (const name of Object.keys(described)) Reflect.deleteProperty(described, name)
  const { $schema: _schema, ...plain } = z.toJSONSchema(buildDocumentedInputSchema(field), {
    io: 'input',
    reused: 'inline',
    override: ({ jsonSchema }) => simplify(asJsonSchema(jsonSchema)),
  })
  Object.assign(described, plain)
}

/** Removes keywords that give a reader no information. */
function simplify(schema: JsonSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  // A shared part is already named by its key.
  delete schema.id
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.exclusiveMinimum === 0 && schema.type === 'integer') {
    delete schema.exclusiveMinimum
    schema.minimum = 1
  }
  if (schema.format) delete schema.pattern
  // Write a union of a simple type and null as a list of types.
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

function inputSchema(procedure: string): z.ZodType | undefined {
  const input = assertDefined(allProcedures[procedure])._def.inputs?.at(-1)
  return input instanceof z.ZodType ? input : undefined
}

const inputCache = new Map<string, JsonSchema>()

/** Builds the JSON Schema of a procedure's input, with all parts inlined. */
export function buildInputJsonSchema(procedure: string): JsonSchema {
  let schema = inputCache.get(procedure)
  if (!schema) {
    const input = inputSchema(procedure)
    schema = input
      ? asJsonSchema(
          z.toJSONSchema(input, {
            io: 'input',
            unrepresentable: 'any',
            reused: 'inline',
            override: ({ zodSchema, jsonSchema }) => describeDeclaredField(zodSchema, jsonSchema),
          }),
        )
      : {}
    inputCache.set(procedure, schema)
  }
  return schema
}

/** Builds the schema of a path parameter; undefined if the input does not declare it. */
export function buildPathParameterSchema(procedure: string, name: string): JsonSchema | undefined {
  const property = buildInputJsonSchema(procedure).properties?.[name]
  if (!property) return undefined
  // A path parameter always has a value, even if the field may be null on another route.
  const [value, none] = property.anyOf ?? []
  const schema = structuredClone(value && none?.type === 'null' ? value : property)
  simplify(schema)
  return schema
}

function renameReferences(schema: JsonSchema, to: (name: string) => string): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string'
      ? componentReferencePrefix + to(decodeURIComponent(value.slice(value.lastIndexOf('/') + 1)))
      : value,
  )
}

/** Finds the names of shared parts that differ between input and output, and of the parts that contain them. */
function findDifferingParts(inputs: SchemasByName, outputs: SchemasByName): ReadonlySet<string> {
  const same = (name: string): boolean => JSON.stringify(inputs[name]) === JSON.stringify(outputs[name])
  const other = new Set(Object.keys(inputs).filter((name) => outputs[name] && !same(name)))
  for (let before = -1; before !== other.size; ) {
    before = other.size
    for (const [name, schema] of Object.entries(inputs)) {
      const text = JSON.stringify(schema)
      if (outputs[name] && [...other].some((one) => text.includes(`"#/$defs/${one}"`))) other.add(name)
    }
  }
  return other
}

const capitalise = (word: string): string => assertDefined(word[0]).toUpperCase() + word.slice(1)

function nameComponent({ operation, meta: { rest } }: RestRoute): string {
  const parts = operation.split('.')
  return capitalise(rest.entity ?? assertDefined(parts[0])) + capitalise(assertDefined(parts.at(-1)))
}

export interface CallDescriptions {
  requests: SchemasByName
  replies: SchemasByName
  components: SchemasByName
}

/** Builds the schemas of the requests and replies of calls, by operation, and the components that they refer to. */
export function buildCallDescriptions(routes: readonly RestRoute[]): CallDescriptions {
  const byOperation = new Map(routes.map((route) => [route.operation, route]))
  const inputs: Record<string, z.ZodType> = {}
  const outputs: Record<string, z.ZodType> = {}
  for (const [operation, { procedure, meta }] of byOperation) {
    const input = meta.rest.body ?? inputSchema(procedure)
    if (input) inputs[operation] = input
    const replySchema = getReplySchema(assertDefined(allProcedures[procedure])._def.output)
    if (replySchema) outputs[operation] = replySchema
  }
  const routeOf = (operation: string): RestRoute => assertDefined(byOperation.get(operation))
  const [inputParts, outputParts] = [convertSchemas(inputs, 'input'), convertSchemas(outputs, 'output')]
  const differing = findDifferingParts(inputParts.shared, outputParts.shared)
  const inputName = (name: string): string => (differing.has(name) ? `${name}Input` : name)
  const components: SchemasByName = {}
  const addComponent = (name: string, schema: JsonSchema): void => {
    if (components[name] && JSON.stringify(components[name]) !== JSON.stringify(schema)) throw new Error(`Two schemas are named ${name}`)
    components[name] = schema
  }
  for (const [name, schema] of Object.entries(outputParts.shared))
    addComponent(
      name,
      renameReferences(schema, (to) => to),
    )
  for (const [name, schema] of Object.entries(inputParts.shared)) addComponent(inputName(name), renameReferences(schema, inputName))
  /** Moves an object to the components under this name and returns a reference to it. For a list, it moves the objects in the list. */
  const nameObject = (schema: JsonSchema, name: string): JsonSchema => {
    if (schema.type === 'array' && schema.items) return { ...schema, items: nameObject(schema.items, `${name}Row`) }
    if (schema.type === 'object' && schema.properties && !Object.keys(schema.properties).length) return schema
    if (schema.type !== 'object' && !schema.anyOf && !schema.oneOf && !schema.allOf) return schema
    addComponent(name, schema)
    return { $ref: componentReferencePrefix + name }
  }
  const requests = Object.fromEntries(
    Object.entries(inputParts.schemas).map(([operation, schema]) => [
      operation,
      selectBodySchema(routeOf(operation), renameReferences(schema, inputName), components),
    ]),
  )
  for (const [operation, schema] of Object.entries(requests))
    if (!isQuery(routeOf(operation))) requests[operation] = nameObject(schema, `${nameComponent(routeOf(operation))}Request`)
  const replies = Object.fromEntries(
    Object.entries(outputParts.schemas).map(([operation, schema]) => [
      operation,
      nameObject(
        renameReferences(schema, (to) => to),
        `${nameComponent(routeOf(operation))}Reply`,
      ),
    ]),
  )
  for (const [name, schema] of Object.entries(components))
    components[name] = { ...schema, examples: schema.examples ?? [buildExample(schema, { components })] }
  return { requests, replies, components }
}

function isQuery({ meta }: RestRoute): boolean {
  const { method } = meta.rest
  return method === 'GET' || method === 'DELETE'
}

/**
 * The schema of a route's body or query: the input without its path parameters and without the field that this route
 * leaves out (`without`). For a list body, the schema of the list itself.
 */
function selectBodySchema(route: RestRoute, schema: JsonSchema, components: SchemasByName): JsonSchema {
  const { path, isList, without } = route.meta.rest
  const pathNames = [...[...path.matchAll(/\{(\w+)/g)].map((match) => assertDefined(match[1])), ...(without ? [without] : [])]
  const whole = schema.$ref ? assertDefined(components[schema.$ref.slice(componentReferencePrefix.length)]) : schema
  if (isList) return assertDefined(whole.properties?.rows)
  if (!isQuery(route) && !pathNames.some((name) => whole.properties?.[name])) return schema
  const properties = Object.fromEntries(Object.entries(whole.properties ?? {}).filter(([name]) => !pathNames.includes(name)))
  return { ...whole, properties, required: whole.required?.filter((name) => !pathNames.includes(name)) }
}

import { z } from 'zod'
import { describeUnknownName } from '../../../domain/lists/nearest.ts'
import { isRecord } from '../../../domain/values/unknownValues.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { getReplySchema } from './reply.ts'
import { listRestAddresses, type RestAddress, type RestMeta, type TwoLevelRestMeta } from './restMeta.ts'

/** The parts of a procedure that determine which fields callers may send. */
interface ProcedureParts {
  _def: {
    meta?: { rest?: RestMeta | TwoLevelRestMeta | undefined }
    inputs?: unknown[]
    output?: unknown
  }
}

/** One of the object shapes that an input may have. */
interface Shape {
  fields: ReadonlyMap<string, z.core.$ZodType>
  /** The schema of all other fields; null if no others are allowed. */
  others: z.core.$ZodType | null
}

interface UnknownField {
  at: readonly string[]
  value: unknown
  known: readonly string[]
}

const anything = z.unknown()
const shapesKnown = new WeakMap<z.core.$ZodType, readonly Shape[]>()

/** The definition of a schema, distinguished by its `type`. */
function getDefinition(schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] {
  // The library's own union includes every schema.
  return (schema as z.core.$ZodTypes)._zod.def
}

/** The schemas that a value may match, without wrappers such as optional. */
function unwrapSchema(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const def = getDefinition(schema)
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'catch':
    case 'readonly':
      return unwrapSchema(def.innerType)
    case 'lazy':
      return unwrapSchema(def.getter())
    case 'pipe':
      return unwrapSchema(getDefinition(def.in).type === 'transform' ? def.out : def.in)
    case 'union':
      return def.options.flatMap(unwrapSchema)
    default:
      return [schema]
  }
}

function mergeShapes(one: Shape, other: Shape): Shape {
  return { fields: new Map([...one.fields, ...other.fields]), others: one.others ?? other.others }
}

/** The object shapes that a schema accepts; none for a schema of other values. */
function listShapes(schema: z.core.$ZodType): readonly Shape[] {
  const known = shapesKnown.get(schema)
  if (known) return known
  const shapes = unwrapSchema(schema).flatMap((one): readonly Shape[] => {
    const def = getDefinition(one)
    if (def.type === 'object') {
      const isOpen = def.catchall && getDefinition(def.catchall).type !== 'never'
      return [{ fields: new Map(Object.entries(def.shape)), others: isOpen ? (def.catchall ?? null) : null }]
    }
    if (def.type === 'record') return [{ fields: new Map(), others: def.valueType }]
    if (def.type === 'intersection')
      return listShapes(def.left).flatMap((left) => listShapes(def.right).map((right) => mergeShapes(left, right)))
    return []
  })
  shapesKnown.set(schema, shapes)
  return shapes
}

function listElementSchemas(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  return unwrapSchema(schema).flatMap((one) => {
    const def = getDefinition(one)
    return def.type === 'array' ? [def.element] : def.type === 'tuple' ? [...def.items, ...(def.rest ? [def.rest] : [])] : []
  })
}

/** Whether a schema accepts any object, and so any field that it does not name. */
function acceptsObjects(schema: z.core.$ZodType): boolean {
  return listShapes(schema).length > 0 || listElementSchemas(schema).length > 0
}

/** Whether a literal field shows that a value has another shape: `kind: 'entry'` does not match `kind: 'contract'`. */
function contradictsLiteral({ fields }: Shape, value: Record<string, unknown>): boolean {
  return [...fields].some(([name, field]) => {
    const literal = value[name]
    const def = getDefinition(field)
    return def.type === 'literal' && literal !== undefined && !def.values.some((one) => one === literal)
  })
}

/**
 * The fields of a value that none of its possible shapes has. If several shapes are possible, the one with the fewest unknown fields
 * counts.
 */
function findUnknownInShapes(shapes: readonly Shape[], value: Record<string, unknown>, at: readonly string[]): readonly UnknownField[] {
  const matchingShapes = shapes.filter((shape) => !contradictsLiteral(shape, value))
  let fewest: readonly UnknownField[] | null = null
  for (const { fields, others } of matchingShapes.length ? matchingShapes : shapes) {
    if (others && !fields.size && !acceptsObjects(others)) return []
    const found = Object.entries(value).flatMap(([name, part]): readonly UnknownField[] => {
      const schema = fields.get(name) ?? others
      if (schema) return findUnknownInValue(schema, part, [...at, name])
      return part === undefined ? [] : [{ at: [...at, name], value: part, known: [...fields.keys()] }]
    })
    if (!found.length) return []
    if (!fewest || found.length < fewest.length) fewest = found
  }
  return fewest ?? []
}

function findUnknownInValue(schema: z.core.$ZodType, value: unknown, at: readonly string[]): readonly UnknownField[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    const elements = listElementSchemas(schema).filter(acceptsObjects)
    const shapes = elements.flatMap(listShapes)
    const [first] = elements
    if (!first) return []
    return value.flatMap((one) =>
      isRecord(one) && shapes.length ? findUnknownInShapes(shapes, one, at) : findUnknownInValue(first, one, at),
    )
  }
  const shapes = listShapes(schema)
  return shapes.length && isRecord(value) ? findUnknownInShapes(shapes, value, at) : []
}

/**
 * Collects the paths of a reply's fields, such as `rows.amount`, each also without its first part, because callers send back single records
 * of a list.
 */
function collectPaths(schema: z.core.$ZodType, at: readonly string[], paths: Set<string>): void {
  if (at.length > 6) return
  for (const element of listElementSchemas(schema)) collectPaths(element, at, paths)
  for (const { fields } of listShapes(schema))
    for (const [name, field] of fields) {
      const path = [...at, name]
      paths.add(path.join('.'))
      paths.add(path.slice(1).join('.'))
      collectPaths(field, path, paths)
    }
}

let procedures: Readonly<Record<string, ProcedureParts>> = {}
const sentShapes = new Map<string, readonly Shape[]>()
const returnedPaths = new Map<string, ReadonlySet<string>>()

/** Registers all procedures, whose input schemas determine which fields callers may send. */
export function registerProcedures(all: object): void {
  // Each of a thousand procedures has its own type; only what they share is read here.
  procedures = all as Record<string, ProcedureParts>
}

/** The shapes of a procedure's input, for one of its REST addresses or for the browser: the documented body and the path parameters. */
function getInputShapes(path: string, address?: RestAddress): readonly Shape[] {
  const key = `${path} ${address?.path ?? ''}`
  const known = sentShapes.get(key)
  if (known) return known
  const { inputs = [], meta } = procedures[path]?._def ?? {}
  const addresses = address ? [address] : listRestAddresses(meta?.rest)
  const inPath = addresses
    .flatMap((one) => [one.path, ...(one.also ?? [])])
    .flatMap((text) => [...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))
  const placed: Shape = { fields: new Map(inPath.map((name) => [name, anything])), others: null }
  const taken = inputs
    .filter((input) => input instanceof z.ZodType)
    .map(listShapes)
    .reduce((all, more) => all.flatMap((one) => more.map((other) => mergeShapes(one, other))), [placed])
  const documented = addresses[0]?.body
  const described = documented ? listShapes(documented) : []
  // A documented body is complete, even if its schema accepts more.
  const shapes = described.length
    ? described.flatMap((body) => taken.map((one) => ({ fields: new Map([...body.fields, ...one.fields]), others: null })))
    : inputs.length
      ? taken
      : []
  const without = address?.without
  const accepted = without
    ? shapes.map(({ fields, others }) => ({ fields: new Map([...fields].filter(([name]) => name !== without)), others }))
    : shapes
  sentShapes.set(key, accepted)
  return accepted
}

/** The fields that callers can read from procedures of the same router and entity. A change may contain them, and they are ignored. */
function getReturnedPaths(path: string): ReadonlySet<string> {
  const known = returnedPaths.get(path)
  if (known) return known
  const family = path.slice(0, path.lastIndexOf('.') + 1)
  const entityOf = (meta: ProcedureParts['_def']['meta']) => listRestAddresses(meta?.rest)[0]?.entity
  const entity = entityOf(procedures[path]?._def.meta)
  const paths = new Set<string>()
  for (const [name, { _def }] of Object.entries(procedures)) {
    if (!name.startsWith(family) && (!entity || entityOf(_def.meta) !== entity)) continue
    const output = getReplySchema(_def.output)
    if (output) collectPaths(output, [], paths)
  }
  returnedPaths.set(path, paths)
  return paths
}

/**
 * The fields of an input that a procedure neither names nor returns, if its schema accepts any field. The resource checks the declared
 * fields later.
 */
function findUnread(path: string, shapes: readonly Shape[], input: Record<string, unknown>): readonly UnknownField[] {
  if (shapes.some(({ others }) => !others)) return []
  const known = [
    ...new Set([...shapes.flatMap(({ fields }) => [...fields.keys()]), ...[...getReturnedPaths(path)].filter((one) => !one.includes('.'))]),
  ]
  return Object.keys(input).flatMap((name) =>
    known.includes(name) || input[name] === undefined ? [] : [{ at: [name], value: input[name], known }],
  )
}

/** Whether a procedure has input fields to check. */
export function hasInputFields(path: string): boolean {
  return getInputShapes(path).length > 0
}

const mostReported = 5

/**
 * The input fields that a procedure does not know, each with a sentence. Otherwise a misspelt filter would silently
 * filter nothing. A change may contain fields that were read before; those are ignored.
 */
export function findUnknownFields(
  { path, type, address }: { path: string; type: string; address?: RestAddress | undefined },
  input: unknown,
): FieldProblem[] {
  const shapes = getInputShapes(path, address)
  if (!shapes.length || !isRecord(input)) return []
  const isChange = type === 'mutation'
  const unknown = [...findUnknownInShapes(shapes, input, []), ...(isChange ? findUnread(path, shapes, input) : [])]
  if (!unknown.length) return []
  // Empty fields, and fields that reading the record returns, can be ignored without losing input.
  const isRead = ({ at, value }: UnknownField): boolean =>
    isChange && (value === null || (Array.isArray(value) && !value.length) || getReturnedPaths(path).has(at.join('.')))
  const unknownByPath = new Map(unknown.filter((one) => !isRead(one)).map((one) => [one.at.join('.'), one]))
  return [...unknownByPath]
    .slice(0, mostReported)
    .map(([field, { known }]) => ({ field, message: describeUnknownName('field', field, known) }))
}

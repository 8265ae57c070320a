import { z } from 'zod'
import { isKeyOf } from './keysOf.ts'

/*
 * How events are read. Each type of event has a zod schema for each version of its shape. An event is parsed by the schema that its row
 * names; an upcaster then brings an older shape to the next one, so that the folds know only today's. Events are never rewritten.
 */

/** Reads the stored data of an event of one schema version as today's shape. @throws z.ZodError if the data does not have the shape */
type ReadShape<Data> = (stored: unknown) => Data

/** The readers of a type of event by schema version, from 1; the last is today's. */
export type EventShapes<Data> = readonly ReadShape<Data>[]

/** Today's shape of an event that has had no other. */
export function defineEventShape<Data>(schema: z.ZodType<Data>): EventShapes<Data> {
  return [shapeReader(schema)]
}

/**
 * Adds a new shape of an event to its earlier ones.
 * @param upcast makes the new shape from the one before; it is pure, because every replay runs it again
 */
export function addEventShape<Old, Data>(
  earlier: EventShapes<Old>,
  upcast: (old: Old) => Data,
  schema: z.ZodType<Data>,
): EventShapes<Data> {
  return [
    ...earlier.map(
      (read): ReadShape<Data> =>
        (stored) =>
          upcast(read(stored)),
    ),
    shapeReader(schema),
  ]
}

/** Returns the data itself and not zod's copy: schemas of events change nothing, and a copy would lack fields that older versions wrote besides. */
function shapeReader<Data>(schema: z.ZodType<Data>): ReadShape<Data> {
  return (stored) => {
    requireShape(schema, stored)
    return stored
  }
}

function requireShape<Data>(schema: z.ZodType<Data>, stored: unknown): asserts stored is Data {
  schema.parse(stored)
}

/** An event whose data does not have the shape that its type and schema version require: it was damaged, or a newer version wrote it. */
export class DamagedEvent extends Error {}

/**
 * Parses the data of an event and brings it to today's shape.
 * @throws DamagedEvent for an unknown type or schema version, or data of another shape
 */
export function readEventData<Type extends string, Data>(
  shapes: Readonly<Record<Type, EventShapes<Data>>>,
  { type, schema, data }: { type: string; schema: number; data: unknown },
): Data {
  const ofType = isKeyOf(shapes, type) ? shapes[type] : undefined
  if (!ofType) throw new DamagedEvent(`The type ${type} is not known.`)
  const read = ofType[schema - 1]
  if (!read) throw new DamagedEvent(`Schema ${schema} of ${type} is not known; the newest is ${ofType.length}.`)
  try {
    return read(data)
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    throw new DamagedEvent(`Its data is not valid for ${type}: ${describeIssues(error.issues)}`)
  }
}

/** The version of an event's newest schema, which new events have. */
export function getNewestSchema<Type extends string>(shapes: Readonly<Record<Type, EventShapes<unknown>>>, type: Type): number {
  return shapes[type].length
}

/** Says where data differs from its schema. It leaves the values out, because they may be about a person. */
function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, 3).map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
  return `${shown.join('; ')}${issues.length > shown.length ? `; and ${issues.length - shown.length} more` : ''}.`
}

/** A type with all of its optional fields required, to compare the fields that two types declare. */
type Complete<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Part)[]
    ? Complete<Part>[]
    : { [K in keyof T]-?: Complete<T[K]> }

/** A schema whose output is `Data`, with every optional field of it and no other. */
type SchemaOf<Data, Schema extends z.ZodType> = [Complete<Data>] extends [Complete<z.output<Schema>>]
  ? [Complete<z.output<Schema>>] extends [Complete<Data>]
    ? Schema
    : never
  : never

/** Checks at compile time that a schema and a type declare the same fields, so that they cannot drift apart. */
export function schemaOf<Data>() {
  return <Schema extends z.ZodType<Data>>(schema: SchemaOf<Data, Schema>): Schema => schema
}

/** A moment in ISO 8601. */
export const momentText = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/)
export const dayText = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
export const userIdNumber = z.int().brand<'UserId'>()
export const locationIdNumber = z.int().brand<'LocationId'>()

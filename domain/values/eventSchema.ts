import { z } from 'zod'
import { isKeyOf } from './keysOf.ts'

/**
 * How events are read. Each type of event has a zod schema for each version of its shape. An event is parsed by the schema of its stored
 * version. Upcasters then convert it to the current shape, one version at a time, so that folds know only the current shape. Events are
 * never rewritten.
 */

/**
 * Reads the stored data of an event of one schema version and returns it in the current shape.
 * @throws z.ZodError if the data does not have the shape of that version
 */
type ReadShape<Data> = (stored: unknown) => Data

/** The functions that read a type of event, by schema version from 1. The last one is for the current shape. */
export type EventShapeReaders<Data> = readonly ReadShape<Data>[]

/** Defines the shape of a type of event that has only ever had one. */
export function defineEventShape<Data>(schema: z.ZodType<Data>): EventShapeReaders<Data> {
  return [createShapeReader(schema)]
}

/**
 * Adds a new shape to the earlier shapes of a type of event.
 * @param upcast converts the previous shape to the new one. It must be pure, because every replay runs it again.
 */
export function addEventShape<Old, Data>(
  earlier: EventShapeReaders<Old>,
  upcast: (old: Old) => Data,
  schema: z.ZodType<Data>,
): EventShapeReaders<Data> {
  return [
    ...earlier.map(
      (read): ReadShape<Data> =>
        (stored) =>
          upcast(read(stored)),
    ),
    createShapeReader(schema),
  ]
}

/**
 * Returns the data itself, not the copy that zod makes. The schemas of events do not change data, and the copy would lack additional fields
 * that older versions wrote.
 */
function createShapeReader<Data>(schema: z.ZodType<Data>): ReadShape<Data> {
  return (stored) => {
    requireShape(schema, stored)
    return stored
  }
}

function requireShape<Data>(schema: z.ZodType<Data>, stored: unknown): asserts stored is Data {
  schema.parse(stored)
}

/**
 * The data of an event does not have the shape that its type and schema version require. The data was damaged, or a newer version of Bursar
 * wrote it.
 */
export class DamagedEventError extends Error {}

/**
 * Parses the data of an event and converts it to the current shape.
 * @throws DamagedEvent for an unknown type or schema version, or data of another shape
 */
export function readEventData<Type extends string, Data>(
  shapes: Readonly<Record<Type, EventShapeReaders<Data>>>,
  { type, schema, data }: { type: string; schema: number; data: unknown },
): Data {
  const ofType = isKeyOf(shapes, type) ? shapes[type] : undefined
  if (!ofType) throw new DamagedEventError(`The type ${type} is not known.`)
  const read = ofType[schema - 1]
  if (!read) throw new DamagedEventError(`Schema ${schema} of ${type} is not known; the newest is ${ofType.length}.`)
  try {
    return read(data)
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    throw new DamagedEventError(`Its data is not valid for ${type}: ${describeIssues(error.issues)}`)
  }
}

/** The newest schema version of a type of event. New events are stored with it. */
export function getNewestSchema<Type extends string>(shapes: Readonly<Record<Type, EventShapeReaders<unknown>>>, type: Type): number {
  return shapes[type].length
}

/** Describes where data differs from its schema. Values are left out, because they may be personal data. */
function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, 3).map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
  return `${shown.join('; ')}${issues.length > shown.length ? `; and ${issues.length - shown.length} more` : ''}.`
}

/** A type with all its optional fields made required, for comparing the fields that two types declare. */
type Complete<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Part)[]
    ? Complete<Part>[]
    : { [K in keyof T]-?: Complete<T[K]> }

/** A schema whose output has exactly the fields of `Data`, including the optional ones. */
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
export const momentSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/)
export const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
export const userIdSchema = z.int().brand<'UserId'>()
export const locationIdSchema = z.int().brand<'LocationId'>()

import { z } from 'zod'
import type { AnyResource, RecordOf } from '../../domain/resources/resource.ts'
import { buildCallSchemas, namedReferenceShape } from '../../domain/resources/shape.ts'
import type { ImportTemplate } from '../../domain/resources/template.ts'
import { reply } from '../core/calls/reply.ts'
import type { FileMappingHistoryLine, HistoryEntry } from './referenceLog.ts'
import type { ChangeReference } from './undoing/logged.ts'
import type { RecordUse, UseCount } from './uses.ts'

const count = z.int().min(0)

const changeName: z.ZodType<ChangeReference> = z.strictObject({ id: z.int(), version: z.int().nullable() }).meta({
  id: 'ChangeName',
  description: 'One of the changed records and its new version; send both to undo the whole change.',
})
const change = changeName.optional()

const versions = z
  .array(z.int().positive())
  .optional()
  .describe('For items in a budget or another log: the versions created by the change; send them to undo the change.')

export const deletionResult = reply(
  z.strictObject({ deleted: count, change, versions }).meta({ id: 'DeleteResult', description: 'How many were deleted.' }),
)

/** The versions that a deletion added to the log of a budget or another log. They identify the deletion, so that it can be undone. */
export const deletedVersions = reply(z.array(z.number()))

export const bulkEditResult = reply(
  z.strictObject({ updated: count, change, versions }).meta({ id: 'BulkResult', description: 'How many were changed.' }),
)

export const importResult = reply(
  z
    .strictObject({ imported: count, created: count, updated: count, change })
    .meta({ id: 'ImportResult', description: 'The number of rows saved, and of records added or changed by them.' }),
)

const templateShape: z.ZodType<ImportTemplate> = z.strictObject({
  name: z.string(),
  columns: z.array(
    z.strictObject({
      heading: z.string(),
      name: z.string(),
      isRequired: z.boolean(),
      kind: z.enum(['text', 'number', 'date']),
      choices: z.array(z.strictObject({ value: z.string(), meaning: z.string().nullable() })),
      isSeveral: z.boolean(),
    }),
  ),
})
/** What a client needs to build an import file. */
export const template = reply(templateShape)

/** An id and name, as pickers offer them. */
export const nameItem = z.strictObject({ id: z.int(), name: z.string() }).meta({ id: 'NameItem' })
export const nameItems = reply(z.array(nameItem))

/** The records that a picker offers. */
export const pickerRecords = reply(z.strictObject({ rows: z.array(namedReferenceShape), total: count }))

const learnedLine: z.ZodType<FileMappingHistoryLine> = z.strictObject({
  version: z.int(),
  at: z.string(),
  actor: z.string(),
  sentence: z.string(),
})
/** How the reading and mapping of files from one source has changed. */
export const fileMappingHistory = reply(z.array(learnedLine))
/** The current version of how files from one source are read and mapped. */
export const fileMappingVersion = reply(z.strictObject({ version: z.int() }))

type NamedHistoryEntry = HistoryEntry & { actor: string }
const values = z.record(z.string(), z.unknown()).nullable()
const entry: z.ZodType<NamedHistoryEntry> = z.strictObject({
  version: z.int(),
  action: z.string(),
  before: values,
  after: values,
  actorId: z.int().brand<'UserId'>().nullable(),
  occurredAt: z.string(),
  sentence: z.string().optional(),
  actor: z.string(),
})
/** The changes to a record, and who made each. */
export const history = reply(z.array(entry))

const use: z.ZodType<UseCount> = z.strictObject({ count, thing: z.string() })
const usedBy: z.ZodType<RecordUse> = z.strictObject({
  kind: z.string(),
  id: z.union([z.string(), z.number()]),
  name: z.string(),
  locationId: z.int().brand<'LocationId'>().nullable(),
  budgetId: z.string().brand<'BudgetId'>().nullable(),
})
/** Lists what uses a record and is visible to the caller. `hidden`: whether there are other uses. */
export const uses = reply(z.strictObject({ counts: z.array(use), used: z.array(usedBy), hidden: z.boolean() }))

/** The result of moving all uses of a record to another. */
export const replacementResult = reply(z.strictObject({ moved: count, locked: z.array(z.string()) }))

/**
 * The result of undoing a change: how many records it restored or removed, and the record by which the change was identified, which is null
 * if the undo removed it.
 */
export const createUndoReply = (resource: AnyResource) =>
  reply(z.strictObject({ count, record: buildCallSchemas(resource).stored.nullable() }))

/** One record of a declared entity. */
export const createRecordReply = (resource: AnyResource) => reply(buildCallSchemas(resource).stored)
/** The records of a declared entity that a call changed or selected. */
export const createRecordsReply = (resource: AnyResource) => reply(z.array(buildCallSchemas(resource).stored))
/** A page of records of a declared entity. */
export const createPageReply = (resource: AnyResource) => reply(buildCallSchemas(resource).page)
/**
 * A record of a declared entity, with extra fields in the reply if given. The schema is built from the declaration when the server starts;
 * its TypeScript type is derived from the same declaration.
 */
export function createRecordShape<R extends AnyResource, F extends z.ZodRawShape = Record<never, never>>(resource: R, further?: F) {
  const { stored } = buildCallSchemas(resource)
  const shape: object = further && stored instanceof z.ZodObject ? stored.extend(further) : stored
  // The schema is built when the server starts, so the compiler cannot derive its type.
  return shape as z.ZodType<RecordOf<R> & z.output<z.ZodObject<F>>>
}

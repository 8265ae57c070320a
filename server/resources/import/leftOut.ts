import { and, desc, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import type { OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { isRecord, requireNumbers, textOrNull } from '../../../domain/values/unknownValues.ts'
import { maximumImportRows } from '../../../domain/words/notices.ts'
import { referenceChanges } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import { nameActor, readUserNames } from '../../core/database/userNames.ts'
import { logRecordChange } from '../referenceLog.ts'

/** The name under which the log records the rows that people left out of imported files. */
const leftOutLog = { name: 'rowsLeftOut' } as const

/** Excludes log lines about rows left out of imports, because undoing an import has nothing to restore for them. */
export const notLeftOutLogCondition = ne(referenceChanges.resource, leftOutLog.name)

export const leftOutInput = z
  .object({
    fileName: z.string().trim().max(200, 'The name of a file can have at most 200 characters.'),
    rows: z.array(z.int().positive()).max(maximumImportRows),
  })
  .nullish()
  .describe(
    'Rows of the file that a person left out on purpose, by their numbers in the spreadsheet. They are not among the rows. The screen lists them as part of the history of imports.',
  )
type LeftOutInput = z.infer<typeof leftOutInput>

/** Logs the rows that a person left out of an imported file, in the transaction that imports it. Logs nothing if there are none. */
export async function logLeftOutRows(
  call: Call<'actor'>,
  { entity, organisationId, leftOut }: { entity: string; organisationId: OrganisationId | null; leftOut: LeftOutInput },
): Promise<void> {
  if (!leftOut?.rows.length) return
  const after = { id: entity, version: 1, organisationId, fileName: leftOut.fileName, rows: leftOut.rows }
  await logRecordChange(call, leftOutLog, { action: 'imported', before: null, after })
}

/** An earlier import from which a person left rows out. */
export interface ImportWithLeftOutRows {
  /** ISO 8601. */
  at: string
  actor: string
  fileName: string
  /** Row numbers of the spreadsheet. */
  rows: number[]
}

/** The most earlier imports that are listed. */
const mostListed = 5

/**
 * The latest imports of an entity from which rows were left out, newest first.
 * @param ofUser whose imports to list; null for all users
 */
export async function listImportsWithLeftOutRows(
  { tx, organisationId, store }: Call<'organisationId' | 'store'>,
  entity: string,
  ofUser: UserId | null,
): Promise<ImportWithLeftOutRows[]> {
  const { resource, recordId, organisationId: owner, actorId, id } = referenceChanges
  const lines = await tx
    .select()
    .from(referenceChanges)
    .where(
      and(
        eq(resource, leftOutLog.name),
        eq(recordId, entity),
        eq(owner, organisationId),
        ofUser === null ? undefined : eq(actorId, ofUser),
      ),
    )
    .orderBy(desc(id))
    .limit(mostListed)
  const names = await readUserNames(
    store,
    lines.map((line) => line.actorId),
  )
  return lines.map(({ after, actorId: by, occurredAt }) => ({
    at: new Date(occurredAt).toISOString(),
    actor: nameActor(names, by),
    fileName: textOrNull(isRecord(after) ? after.fileName : null) ?? '',
    rows: requireNumbers(isRecord(after) ? after.rows : []),
  }))
}

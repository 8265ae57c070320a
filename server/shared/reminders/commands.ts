import { and, eq, inArray } from 'drizzle-orm'
import { reminderType } from '../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import { checkRecord, type RecordValues } from '../../../domain/resources/schema.ts'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { invalid, notFound, staleRecord } from '../../../domain/words/errors.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { castRows, getResourceTable } from '../../core/database/tables.ts'
import { toRecord } from '../../resources/queries.ts'
import { logRecordChange } from '../../resources/referenceLog.ts'
import { type ItemReminder, type ReminderSubjectKey, readRemindersAbout } from './queries.ts'

const { reminder } = resources

const { table, columns } = getResourceTable(reminder)

/** A reminder as the log stores it. The free text of a personal one is left out, because it could not be erased from the log. */
function toLogRecord(record: AnyRecord): AnyRecord {
  if (record.userId === null) return record
  const { description: _description, notes: _notes, ...rest } = record
  return rest
}

/**
 * Adds a reminder about a record, for the caller only.
 * @throws DomainError 400 with a sentence for each field
 */
export async function addReminderAbout(
  call: Call & { organisationId: OrganisationId; userId: UserId; actor: Actor },
  source: ReminderSubjectKey,
  input: { description?: unknown; when?: unknown; notes?: unknown },
): Promise<ItemReminder> {
  const { tx, organisationId, userId } = call
  const { values, problems } = checkRecord(reminder, { ...input, type: reminderType.personal, organisationId, sourceId: source })
  if (problems.length) throw invalid(problems)
  const row = requireSingleRow(
    castRows(
      reminder,
      await tx
        .insert(table)
        .values({ ...values, userId })
        .returning(),
    ),
  )
  await logRecordChange(call, reminder, { action: 'created', before: null, after: toLogRecord(toRecord(row)) })
  return toRecord(row)
}

/** The owner of a reminder, and its subject. */
export interface ReminderCall {
  organisationId: OrganisationId
  userId: UserId
  source: ReminderSubjectKey
  actor: Actor
}

/**
 * Saves the single reminder of a form that has a date and a text, or deletes it if both are empty (entities.json StaffContract
 * reminderDate).
 * @returns the caller's next reminder about the record, from today on
 */
export async function saveFormReminder(
  tx: OrganisationTx,
  { organisationId, userId, source, actor }: ReminderCall,
  { when, description }: { when: string | null; description: string | null },
): Promise<ItemReminder | undefined> {
  if (Boolean(when) !== Boolean(description))
    throw invalid([
      when
        ? { field: 'reminderText', message: 'Reminder text is required.' }
        : { field: 'reminderDate', message: 'Reminder date is required.' },
    ])
  const [before] = await readRemindersAbout({ tx, organisationId }, userId, source)
  if (before ? before.when === when && before.description === description : !when) return before
  if (before) {
    await tx.delete(table).where(eq(columns.id, before.id))
    await logRecordChange({ tx, actor }, reminder, { action: 'deleted', before: toLogRecord(before), after: null })
  }
  if (when) await addReminderAbout({ tx, organisationId, userId, actor }, source, { when, description, notes: before?.notes })
  return (await readRemindersAbout({ tx, organisationId }, userId, source))[0]
}

/** @throws DomainError 400 with a sentence for each field */
function validateReminder(input: RecordValues): RecordValues {
  const newReminder = { ...input, type: reminderType.personal, organisationId: null, userId: null, sourceId: null }
  const { values, problems } = checkRecord(reminder, newReminder)
  if (problems.length) throw invalid(problems)
  return values
}

/**
 * The caller's own reminder.
 * @throws DomainError 404, also for the reminder of another user (behaviour B-261)
 */
async function ownReminder(tx: OrganisationTx, userId: UserId, id: number): Promise<AnyRecord> {
  const [row] = await tx
    .select()
    .from(table)
    .where(and(eq(columns.id, id), eq(columns.userId, userId)))
    .for('update')
  if (!row) throw notFound('Reminder')
  return toRecord(row)
}

export async function createReminder(call: Call<'actor'>, userId: UserId, input: RecordValues): Promise<AnyRecord> {
  const { tx } = call
  const row = requireSingleRow(
    await tx
      .insert(table)
      .values({ ...validateReminder(input), userId, organisationId: null })
      .returning(),
  )
  await logRecordChange(call, reminder, { action: 'created', before: null, after: toLogRecord(toRecord(row)) })
  return toRecord(row)
}

/** @throws DomainError 404 for the reminder of another user, 409 if it changed since the given version */
export async function updateReminder(
  call: Call<'actor'>,
  userId: UserId,
  input: RecordValues & { id: number; version?: number | null },
): Promise<AnyRecord> {
  const { tx } = call
  const before = await ownReminder(tx, userId, input.id)
  if (input.version != null && input.version !== before.version) throw staleRecord({ version: before.version, record: before, fields: [] })
  const { userId: _user, organisationId: _organisation, sourceId: _source, ...values } = validateReminder(input)
  const row = requireSingleRow(
    await tx
      .update(table)
      .set({ ...values, version: before.version + 1 })
      .where(eq(columns.id, before.id))
      .returning(),
  )
  await logRecordChange(call, reminder, { action: 'updated', before: toLogRecord(before), after: toLogRecord(toRecord(row)) })
  return toRecord(row)
}

export async function deleteReminder(call: Call<'actor'>, userId: UserId, id: number): Promise<void> {
  const { tx } = call
  const before = await ownReminder(tx, userId, id)
  await tx.delete(table).where(eq(columns.id, before.id))
  await logRecordChange(call, reminder, { action: 'deleted', before: toLogRecord(before), after: null })
}

/** Deletes the reminders that any user has about some records, because their text may identify a person. */
export async function deleteRemindersAbout(call: Call<'organisationId' | 'actor'>, sources: readonly ReminderSubjectKey[]): Promise<void> {
  const { tx, organisationId } = call
  const gone = await tx
    .delete(table)
    .where(and(eq(columns.organisationId, organisationId), inArray(columns.sourceId, [...sources])))
    .returning()
  for (const row of gone) await logRecordChange(call, reminder, { action: 'deleted', before: toLogRecord(toRecord(row)), after: null })
}

/** Deletes a user's own reminders, in all organisations. */
export async function deleteRemindersOfUser(call: Call<'actor'>, userId: UserId): Promise<void> {
  const { tx } = call
  const gone = await tx.delete(table).where(eq(columns.userId, userId)).returning()
  for (const row of gone) await logRecordChange(call, reminder, { action: 'deleted', before: toLogRecord(toRecord(row)), after: null })
}

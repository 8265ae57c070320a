import { and, desc, eq, like } from 'drizzle-orm'
import { invalid } from '../../domain/errors.ts'
import { resources } from '../../domain/resources/all.ts'
import type { RecordOf } from '../../domain/resources/resource.ts'
import { checkRecord } from '../../domain/resources/schema.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { recordChange } from './referenceLog.ts'
import { asRecord } from './resourceQueries.ts'
import { tableFor } from './tables.ts'

const { reminder } = resources
const { table, columns } = tableFor(reminder)

export type ItemReminder = RecordOf<typeof reminder>

/** What a reminder is about: a contract or an entry of a budget, or a staff member. */
export type ItemSource = `contract:${string}` | `staff:${number}` | `entry:${string}`

/** The caller's reminders about one thing, the next first. */
export async function remindersAbout(
  tx: OrganisationTx,
  organisationId: number,
  userId: number,
  source: ItemSource,
): Promise<ItemReminder[]> {
  const rows = await tx
    .select()
    .from(table)
    .where(and(eq(columns.organisationId!, organisationId), eq(columns.userId!, userId), eq(columns.sourceId!, source)))
    .orderBy(columns.when!, columns.id!)
  return rows.map(asRecord) as unknown as ItemReminder[]
}

/** The caller's next reminder about each entry that has one, by the id of the entry. */
export async function remindersOfEntries(tx: OrganisationTx, organisationId: number, userId: number): Promise<Map<string, ItemReminder>> {
  const rows = await tx
    .select()
    .from(table)
    .where(and(eq(columns.organisationId!, organisationId), eq(columns.userId!, userId), like(columns.sourceId!, 'entry:%')))
    .orderBy(desc(columns.when!), desc(columns.id!))
  return new Map((rows.map(asRecord) as unknown as ItemReminder[]).map((row) => [String(row.sourceId).slice('entry:'.length), row]))
}

/** Adds a reminder about a thing, for the caller alone. @throws DomainError 400 with a sentence for each field */
export async function addReminderAbout(
  tx: OrganisationTx,
  organisationId: number,
  userId: number,
  source: ItemSource,
  input: { description?: unknown; when?: unknown; notes?: unknown },
  actor: Actor,
): Promise<ItemReminder> {
  const { values, problems } = checkRecord(reminder, { ...input, type: 1, organisationId, sourceId: source })
  if (problems.length) throw invalid(problems)
  const [row] = await tx
    .insert(table)
    .values({ ...values, userId })
    .returning()
  await recordChange(tx, reminder, 'created', null, asRecord(row!), actor)
  return asRecord(row!) as unknown as ItemReminder
}

/** Keeps the one reminder that a form has a date and a text for; without them it goes (entities.json StaffContract reminderDate). */
export async function keepReminder(
  tx: OrganisationTx,
  organisationId: number,
  userId: number,
  source: ItemSource,
  when: string | null,
  description: string | null,
  actor: Actor,
): Promise<void> {
  if (Boolean(when) !== Boolean(description))
    throw invalid([
      when
        ? { field: 'reminderText', message: 'Reminder text is required.' }
        : { field: 'reminderDate', message: 'Reminder date is required.' },
    ])
  const [before] = await remindersAbout(tx, organisationId, userId, source)
  if (before && before.when === when && before.description === description) return
  if (before) {
    await tx.delete(table).where(eq(columns.id!, before.id))
    await recordChange(tx, reminder, 'deleted', before, null, actor)
  }
  if (when) await addReminderAbout(tx, organisationId, userId, source, { when, description, notes: before?.notes }, actor)
}

import { and, desc, eq, inArray, isNull, like, or, sql } from 'drizzle-orm'
import type { ListRequest, Paged } from '../../../domain/lists/lists.ts'
import { findReminderDay } from '../../../domain/people/reminders.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { RecordOf } from '../../../domain/resources/resource.ts'
import type { OrganisationId, UserId } from '../../../domain/values/ids.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { castRows, getResourceTable } from '../../core/database/tables.ts'
import { listDeclaredColumns } from '../../resources/filters.ts'
import { buildLondonDayColumn, createTextSearch, orderByIds, readListPage } from '../../resources/listPages.ts'
import { toRecord } from '../../resources/queries.ts'

const { reminder } = resources

const { table, columns } = getResourceTable(reminder)

export type ItemReminder = RecordOf<typeof reminder>

/** The subject of a reminder: a contract or entry of a budget, a staff member, or the month end of a location. */
export type ReminderSubjectKey = `contract:${string}` | `staff:${number}` | `entry:${string}` | `monthEnd:${string}`

/** The caller's reminders about one record, the soonest first. */
export async function readRemindersAbout(
  { tx, organisationId }: Call<'organisationId'>,
  userId: UserId,
  source: ReminderSubjectKey,
): Promise<ItemReminder[]> {
  const rows = await tx
    .select()
    .from(table)
    .where(and(eq(columns.organisationId, organisationId), eq(columns.userId, userId), eq(columns.sourceId, source)))
    .orderBy(columns.when, columns.id)
  return castRows(reminder, rows).map((row) => toRecord(row))
}

/** The caller's next reminder about each entry that has one, by entry id. */
export async function readRemindersOfEntries(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  userId: UserId,
): Promise<Map<string, ItemReminder>> {
  const rows = await tx
    .select()
    .from(table)
    .where(and(eq(columns.organisationId, organisationId), eq(columns.userId, userId), like(columns.sourceId, 'entry:%')))
    .orderBy(desc(columns.when), desc(columns.id))
  return new Map(castRows(reminder, rows).map((row) => [String(row.sourceId).slice('entry:'.length), toRecord(row)]))
}

/** A user's reminders in a month: their own, and those for everyone in their organisations. */
export async function readRemindersOfMonth(
  tx: OrganisationTx,
  userId: UserId,
  { organisations, year, month }: { organisations: readonly OrganisationId[]; year: number; month: number },
) {
  const meant = and(
    isNull(columns.userId),
    or(isNull(columns.organisationId), organisations.length ? inArray(columns.organisationId, [...organisations]) : undefined),
  )
  const rows = await tx
    .select()
    .from(table)
    .where(or(eq(columns.userId, userId), meant))
  return castRows(reminder, rows)
    .map((row) => toRecord(row))
    .flatMap((row) => {
      const when = findReminderDay(row, year, month)
      // `when` is its day in this month, `since` the first day for which it was set.
      return when ? [{ ...row, when, since: row.when }] : []
    })
    .sort((a, b) => a.when.localeCompare(b.when) || a.id - b.id)
}

/** A user's reminders, by page. */
export async function listReminders(tx: OrganisationTx, userId: UserId, request: ListRequest): Promise<Paged<ItemReminder>> {
  const list = {
    from: sql`${table}`,
    where: sql`${columns.userId} = ${userId}`,
    id: sql`${columns.id}`,
    columns: { ...listDeclaredColumns({ ...columns }), created: buildLondonDayColumn(sql`${columns.created}`) },
    search: createTextSearch([sql`${columns.description}`, sql`${columns.notes}`]),
    defaultSort: reminder.defaultSort,
    ties: sql`${columns.id}`,
  }
  const { ids, total } = await readListPage<number>(tx, list, request)
  const rows = castRows(reminder, await tx.select().from(table).where(inArray(columns.id, ids)))
  return { rows: orderByIds(ids, rows, ({ id }) => id).map((row) => toRecord(row)), total }
}

import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { z } from 'zod'
import { DomainError, invalid, notFound, stale } from '../../domain/errors.ts'
import { listRequest, pageOf } from '../../domain/lists.ts'
import { reminderDay } from '../../domain/reminders.ts'
import { resources } from '../../domain/resources/all.ts'
import type { AnyRecord, RecordOf } from '../../domain/resources/resource.ts'
import { checkRecord, type Values } from '../../domain/resources/schema.ts'
import type { OrganisationTx } from '../store/database.ts'
import { recordChange } from '../store/referenceLog.ts'
import { asRecord } from '../store/resourceQueries.ts'
import { tableFor } from '../store/tables.ts'
import type { CallContext } from '../trpc/context.ts'
import { global, type RestMeta, router } from '../trpc/procedures.ts'

const { reminder } = resources
const { table, columns } = tableFor(reminder)
const place = (method: RestMeta['method'], path: string, status?: number): RestMeta => ({
  method,
  path: `/api/MyReminders${path}`,
  status,
  entity: 'Reminder',
})

/** Reminders belong to people; an external system has none. */
function personOf({ principal }: CallContext): number {
  if (principal?.userId == null) throw new DomainError('forbidden', 'forbidden', 'Reminders belong to people. Sign in as one.')
  return principal.userId
}

const ownFields = (values: Values): Values => ({ ...values, type: 1, organisationId: null, userId: null, sourceId: null })

function checked(input: Values): Values {
  const { values, problems } = checkRecord(reminder, ownFields(input))
  if (problems.length) throw invalid(problems)
  return values
}

/** The personal reminder of the caller. @throws DomainError 404, also for somebody else's (behaviour B-261) */
async function own(tx: OrganisationTx, userId: number, id: number): Promise<AnyRecord> {
  const [row] = await tx
    .select()
    .from(table)
    .where(and(eq(columns.id!, id), eq(columns.userId!, userId)))
    .for('update')
  if (!row) throw notFound('Reminder')
  return asRecord(row)
}

/** The reminders of the person who is signed in: their own, and those meant for them. */
export const reminderRouter = router({
  byMonth: global('signedIn', place('GET', '/year/{year:integer}/month/{month:integer}'))
    .input(z.object({ year: z.int().min(2000).max(2100), month: z.int().min(1).max(12) }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const userId = personOf(ctx)
        const { organisationId } = ctx.selection
        const organisations = organisationId !== null ? [organisationId] : ctx.principal.memberships.map((one) => one.organisationId)
        const meant = and(
          isNull(columns.userId!),
          or(isNull(columns.organisationId!), organisations.length ? inArray(columns.organisationId!, organisations) : undefined),
        )
        const rows = await tx
          .select()
          .from(table)
          .where(or(eq(columns.userId!, userId), meant))
        return (rows.map(asRecord) as unknown as RecordOf<typeof reminder>[])
          .flatMap((row) => {
            const when = reminderDay(row, input.year, input.month)
            // The day it falls on in this month, and the day it was set for.
            return when ? [{ ...row, when, since: row.when }] : []
          })
          .sort((a, b) => a.when.localeCompare(b.when) || a.id - b.id)
      }),
    ),
  list: global('signedIn', place('POST', '/List'))
    .input(listRequest)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const rows = (
          await tx
            .select()
            .from(table)
            .where(eq(columns.userId!, personOf(ctx)))
        ).map(asRecord)
        return pageOf(rows as (AnyRecord & { description: string; notes: string; when: string })[], input, ['description', 'notes'], 'when')
      }),
    ),
  create: global('signedIn', place('POST', '', 201))
    .input(z.record(z.string(), z.unknown()))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const [row] = await tx
          .insert(table)
          .values({ ...checked(input), userId: personOf(ctx), organisationId: null })
          .returning()
        await recordChange(tx, reminder, 'created', null, asRecord(row!), ctx.actor)
        return asRecord(row!)
      }),
    ),
  update: global('signedIn', place('PUT', ''))
    .input(z.looseObject({ id: z.int().positive(), version: z.int().nullish() }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const before = await own(tx, personOf(ctx), input.id)
        if (input.version != null && input.version !== before.version) throw stale({ version: before.version, record: before, fields: [] })
        const { userId: _user, organisationId: _organisation, sourceId: _source, ...values } = checked(input)
        const [row] = await tx
          .update(table)
          .set({ ...values, version: before.version + 1 })
          .where(eq(columns.id!, before.id))
          .returning()
        await recordChange(tx, reminder, 'updated', before, asRecord(row!), ctx.actor)
        return asRecord(row!)
      }),
    ),
  delete: global('signedIn', place('POST', '/delete', 204))
    .input(z.object({ id: z.int().positive() }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const before = await own(tx, personOf(ctx), input.id)
        await tx.delete(table).where(eq(columns.id!, before.id))
        await recordChange(tx, reminder, 'deleted', before, null, ctx.actor)
      }),
    ),
})

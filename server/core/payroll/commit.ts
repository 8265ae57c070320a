import { and, eq, inArray, sql } from 'drizzle-orm'
import { refuseCompletedMonths, requiredOpenMonths } from '../../../domain/payroll/decide.ts'
import type { PayrollEvent, StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { emptyPayroll, evolve, type PayrollState, touchedKeys } from '../../../domain/payroll/evolve.ts'
import type { ActualsItem, PayrollItem, StoredPayrollLine } from '../../../domain/payroll/payroll.ts'
import { must, onlyRow } from '../../../domain/values/must.ts'
import { payrollItems, payrollLogs } from '../../../drizzle/payrollTables.ts'
import type { Call } from '../calls/call.ts'
import { appendPayroll } from '../events/eventLog.ts'
import { genesisHash } from '../events/hash.ts'
import { loadPayroll, type PayrollLog } from './items.ts'

/**
 * Decides on a change of a payroll log, appends what it comes to, and folds it into what screens read, all in the caller's transaction. The log
 * is locked meanwhile: of two people the second decides on what the first has left. Whoever changes several locks that of the organisation,
 * location 0, first and the others by number.
 * @param keys of what the decision looks at
 */
export async function changePayroll(
  call: Call<'actor'> & PayrollLog,
  keys: readonly string[],
  decide: (state: PayrollState) => readonly PayrollEvent[] | Promise<readonly PayrollEvent[]>,
): Promise<StoredPayrollEvent[]> {
  const { tx, organisationId, locationId, actor } = call
  const at = actor.now.toISOString()
  await tx.insert(payrollLogs).values({ organisationId, locationId, version: 0, lastHash: genesisHash, savedAt: at }).onConflictDoNothing()
  const isLog = and(eq(payrollLogs.organisationId, organisationId), eq(payrollLogs.locationId, locationId))
  const log = onlyRow(await tx.select().from(payrollLogs).where(isLog).for('update'))
  const known = await loadPayroll(call, keys)
  const events = await decide(known)
  if (!events.length) return []
  refuseCompletedMonths(await loadPayroll(call, [...new Set(events.flatMap(requiredOpenMonths))]), events)
  const { version, lastHash } = log
  const stored = await appendPayroll(call, { organisationId, locationId, version, lastHash }, events)
  const touched = [...new Set(stored.flatMap(touchedKeys))]
  const unknown = touched.filter((key) => !keys.includes(key))
  const state = emptyPayroll()
  for (const [key, item] of known.items) state.items.set(key, item)
  for (const [key, item] of (await loadPayroll(call, unknown)).items) state.items.set(key, item)
  const before = new Map(state.items)
  for (const event of stored) evolve(state, event)
  await project(call, touched, { before, now: state.items })
  const last = must(stored.at(-1))
  await tx.update(payrollLogs).set({ version: last.version, lastHash: last.hash, savedAt: last.occurredAt }).where(isLog)
  return stored
}

/** An item as its table keeps it: lines stand in a table of their own. */
function withoutLines(item: PayrollItem): PayrollItem {
  return item.kind === 'actuals' ? { ...item, lines: [] } : item
}

/** Writes what has changed into the tables that screens read. */
async function project(
  call: Call & PayrollLog,
  touched: readonly string[],
  { before, now }: { before: PayrollState['items']; now: PayrollState['items'] },
): Promise<void> {
  const { tx, organisationId, locationId } = call
  const isOwn = and(eq(payrollItems.organisationId, organisationId), eq(payrollItems.locationId, locationId))
  const gone = touched.filter((key) => !now.has(key))
  for (let start = 0; start < gone.length; start += 5000)
    await tx.delete(payrollItems).where(and(isOwn, inArray(payrollItems.key, gone.slice(start, start + 5000))))
  const rows = touched.flatMap((key) => {
    const { version, savedAt, item } = now.get(key) ?? {}
    return item ? [{ organisationId, locationId, key, version: must(version), savedAt: must(savedAt), item: withoutLines(item) }] : []
  })
  for (let start = 0; start < rows.length; start += 500)
    await tx
      .insert(payrollItems)
      .values(rows.slice(start, start + 500))
      .onConflictDoUpdate({
        target: [payrollItems.organisationId, payrollItems.locationId, payrollItems.key],
        set: { version: sql`excluded.version`, savedAt: sql`excluded.saved_at`, item: sql`excluded.item` },
      })
  for (const key of touched) await projectLines(call, before.get(key)?.item, now.get(key)?.item)
}

/** Takes out the lines that stand no more, and writes those that are new or others. */
async function projectLines(
  { tx, organisationId, locationId }: Call & PayrollLog,
  before: PayrollItem | undefined,
  now: PayrollItem | undefined,
): Promise<void> {
  const [was, is] = [actualsOf(before), actualsOf(now)]
  const month = is ?? was
  if (!month) return
  const byKey = (lines: readonly StoredPayrollLine[] = []): Map<string, StoredPayrollLine> =>
    new Map(lines.map((line) => [`${line.employee} ${line.payrollCodeId}`, line]))
  const [old, standing] = [byKey(was?.lines), byKey(is?.lines)]
  const gone = [...old].filter(([key]) => !standing.has(key)).map(([, line]) => line)
  const changed = [...standing].filter(([key, line]) => !isSameLine(old.get(key), line)).map(([, line]) => line)
  // One parameter for all rows: thousands of placeholders would cost more than the write.
  if (gone.length)
    await tx.execute(sql`
      delete from payroll_lines line using json_to_recordset(${JSON.stringify(gone)}::json) as gone(employee text, "payrollCodeId" integer)
      where line.organisation_id = ${organisationId} and line.location_id = ${locationId} and line.year = ${month.year}
        and line.month = ${month.month} and line.employee = gone.employee and line.payroll_code_id = gone."payrollCodeId"`)
  if (changed.length)
    await tx.execute(sql`
      insert into payroll_lines (organisation_id, location_id, year, month, employee, payroll_code_id, sealed_number, value, version)
      select ${organisationId}, ${locationId}, ${month.year}, ${month.month}, employee, "payrollCodeId", "sealedNumber", value, version
      from json_to_recordset(${JSON.stringify(changed)}::json) as row(employee text, "payrollCodeId" integer, "sealedNumber" text, value bigint,
        version integer)
      on conflict (organisation_id, location_id, year, month, employee, payroll_code_id)
      do update set sealed_number = excluded.sealed_number, value = excluded.value, version = excluded.version`)
}

function actualsOf(item: PayrollItem | undefined): ActualsItem | undefined {
  return item?.kind === 'actuals' ? item : undefined
}

function isSameLine(a: StoredPayrollLine | undefined, b: StoredPayrollLine): boolean {
  return a !== undefined && a.value === b.value && a.version === b.version && a.sealedNumber === b.sealedNumber
}

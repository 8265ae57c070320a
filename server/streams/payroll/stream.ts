import { sql } from 'drizzle-orm'
import { isUndoable, listRequiredOpenMonths, refuseCompletedMonths, undoPayrollChange } from '../../../domain/payroll/decide.ts'
import type { PayrollEvent, StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { evolve, listTouchedKeys, type PayrollState } from '../../../domain/payroll/evolve.ts'
import type { ActualsItem, PayrollItem, StoredPayrollLine } from '../../../domain/payroll/payroll.ts'
import { payrollLines } from '../../../drizzle/payrollTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { insertRows } from '../../core/database/insertRows.ts'
import { changeStreamItems, type ItemStream, type LocationStream } from '../../core/stream/itemStream.ts'
import { loadPayrollItems } from './items.ts'

/**
 * The payroll stream of a location. Items of a budget group or of all locations are in the organisation's stream,
 * location 0.
 */
export const payrollStream: ItemStream<'payroll', PayrollItem> = {
  name: 'payroll',
  evolve,
  touchedKeys: listTouchedKeys,
  isUndoable,
  undo: undoPayrollChange,
  load: loadPayrollItems,
  check: async (call, events) =>
    refuseCompletedMonths(await loadPayrollItems(call, [...new Set(events.flatMap(listRequiredOpenMonths))]), events),
  lineTables: [payrollLines],
  withoutLines: (item) => (item.kind === 'actuals' ? { ...item, lines: [] } : item),
  projectLines,
}

/**
 * Decides on a change to the payroll of a location and stores it, as described at `changeStreamItems`. A caller that
 * changes several locations must lock location 0, the organisation, first and then the others in the order of their
 * ids.
 * @param keys the items that `decide` reads
 */
export function changePayroll(
  call: Call<'actor'> & LocationStream,
  keys: readonly string[],
  decide: (state: PayrollState) => readonly PayrollEvent[] | Promise<readonly PayrollEvent[]>,
): Promise<StoredPayrollEvent[]> {
  return changeStreamItems(payrollStream, call, { keys, decide })
}

/** Deletes removed lines and writes new or changed ones. */
async function projectLines(
  { tx, organisationId, locationId }: Call & LocationStream,
  before: PayrollItem | undefined,
  now: PayrollItem | undefined,
): Promise<void> {
  const [was, is] = [listActuals(before), listActuals(now)]
  const month = is ?? was
  if (!month) return
  const byKey = (lines: readonly StoredPayrollLine[] = []): Map<string, StoredPayrollLine> =>
    new Map(lines.map((line) => [`${line.employee} ${line.payrollCodeId}`, line]))
  const [oldLines, newLines] = [byKey(was?.lines), byKey(is?.lines)]
  const removed = [...oldLines].filter(([key]) => !newLines.has(key)).map(([, line]) => line)
  const changed = [...newLines].filter(([key, line]) => !isSameLine(oldLines.get(key), line)).map(([, line]) => line)
  // Pass the lines as a single JSON parameter: thousands of placeholders would take longer than the write.
  if (removed.length)
    await tx.execute(sql`
      delete from payroll_lines line using json_to_recordset(${JSON.stringify(removed)}::json) as gone(employee text, "payrollCodeId" integer)
      where line.organisation_id = ${organisationId} and line.location_id = ${locationId} and line.year = ${month.year}
        and line.month = ${month.month} and line.employee = gone.employee and line.payroll_code_id = gone."payrollCodeId"`)
  const { year, month: number } = month
  await insertRows(tx, payrollLines, {
    rows: changed.map((line) => ({ organisationId, locationId, year, month: number, ...line })),
    ending: sql`on conflict (organisation_id, location_id, year, month, employee, payroll_code_id)
      do update set sealed_number = excluded.sealed_number, value = excluded.value, version = excluded.version`,
  })
}

function listActuals(item: PayrollItem | undefined): ActualsItem | undefined {
  return item?.kind === 'actuals' ? item : undefined
}

function isSameLine(a: StoredPayrollLine | undefined, b: StoredPayrollLine): boolean {
  return a !== undefined && a.value === b.value && a.version === b.version && a.sealedNumber === b.sealedNumber
}

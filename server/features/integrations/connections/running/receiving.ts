import { findDayInFileName } from '../../../../../domain/budget/staffChanges/matchContracts.ts'
import type { ConnectionKindName } from '../../../../../domain/integrations/connections/all.ts'
import { findMonthInFileName } from '../../../../../domain/integrations/connections/connection.ts'
import { importType } from '../../../../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, formatMonth } from '../../../../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../../../../domain/values/assertDefined.ts'
import { dayInLondon, displayCount, displayDate, displayMoney } from '../../../../../domain/values/format.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../../../domain/values/ids.ts'
import type { Actor } from '../../../../core/calls/actor.ts'
import type { CallerRights } from '../../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../../core/database/database.ts'
import type { RecalculationRequired } from '../../../../core/live/announce.ts'
import { runImportActuals as importActuals } from '../../../../shared/monitoring/commands.ts'
import { describePupilImport, importPupilFile } from '../../../../shared/nonStaffing/pupilFiles/commands.ts'
import { runImportPayroll as importPayroll } from '../../../../shared/payroll/commands.ts'
import { describeStoredRows, storeStaffFile } from '../../../../shared/staffFiles/commands.ts'

type Rows = Record<string, string>[]

/** The file or answer to import. */
export interface IncomingData {
  /** Its file name or path, which may state its period. */
  name: string
  rows: Rows
  month: CalendarMonth | null
  day: string
}

/** The connection that receives data, and the user whose permissions were checked when they saved it. */
interface Receiver {
  organisationId: OrganisationId
  holder: CallerRights
  actor: Actor
}

/** What was imported: a sentence that summarises it, and whose figures changed. */
export interface ImportSummary {
  sentence: string
  changed:
    | { target: 'MonitoringChanged'; locationIds: LocationId[] }
    | { target: 'PayrollChanged' }
    | { target: 'BudgetChanged'; budgets: { budgetId: BudgetId; version: number }[]; required: RecalculationRequired[] }
    | null
  /** Whether all of the data was stored before, so that the import changed nothing. */
  isKnown?: boolean
}

/** How incoming data is imported, by kind of connection. Each function runs in a transaction: all or nothing. */
const importers: Partial<
  Record<ConnectionKindName, (tx: OrganisationTx, caller: Receiver, incoming: IncomingData) => Promise<ImportSummary>>
> = {
  async actuals(tx, caller, { rows, month }) {
    const done = await importActuals({ ...caller, tx }, { ...assertDefined(month), type: importType.replace, rows })
    return {
      sentence: `${displayCount(done.imported, 'line')} for ${formatMonth(assertDefined(month))}, ${displayCount(done.locationIds.length, 'location')}, ${displayMoney(done.sum)}`,
      changed: { target: 'MonitoringChanged', locationIds: done.locationIds },
    }
  },
  async payroll(tx, caller, { rows, month }) {
    const { imported, sum, remarks } = await importPayroll(
      { ...caller, tx },
      { ...assertDefined(month), rows, locationId: null, again: false },
    )
    return {
      sentence: [
        `${displayCount(imported, 'row')} for ${formatMonth(assertDefined(month))}, ${displayMoney(sum)}`,
        ...remarks.map((remark) => remark.replace(/\.$/, '')),
      ].join('. '),
      changed: { target: 'PayrollChanged' },
    }
  },
  async staff(tx, { organisationId, holder, actor }, { name, rows, day }) {
    const scope = { organisationId, locationIds: holder.locationIds, isAdministrator: holder.isAdministrator }
    const taken = await storeStaffFile({ tx, actor }, scope, { name, day, rows, locationId: null })
    return {
      sentence: `${describeStoredRows(taken)}, as at ${displayDate(day)}, to review under Staffing → Changes from HR`,
      changed: null,
    }
  },
  async pupils(tx, { organisationId, holder, actor }, { rows, day }) {
    const scope = { organisationId, locationIds: holder.locationIds, isAdministrator: holder.isAdministrator }
    const taken = await importPupilFile({ tx, actor }, scope, { taken: { day, rows, locationId: null }, today: dayInLondon(actor.now) })
    const { budgets, required } = taken
    return { sentence: describePupilImport(taken), changed: { target: 'BudgetChanged', budgets, required }, isKnown: !budgets.length }
  },
}

/**
 * Stores the data that a connection received.
 * @throws DomainError with what is wrong with it
 */
export function importIncomingData(
  kind: ConnectionKindName,
  { tx, caller, incoming }: { tx: OrganisationTx; caller: Receiver; incoming: IncomingData },
): Promise<ImportSummary> {
  return assertDefined(importers[kind])(tx, caller, incoming)
}

/** The month in a file name or path, if it has one, and the day; today if the name has no day. */
export function findPeriodInName(name: string, today: string): Pick<IncomingData, 'month' | 'day'> {
  return { month: findMonthInFileName(name), day: findDayInFileName(name) ?? today }
}

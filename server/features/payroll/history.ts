import { describePayrollEvent } from '../../../domain/payroll/describe.ts'
import { findPayrollMonth } from '../../../domain/payroll/evolve.ts'
import { buildMonthStateKey, type LevelMonth } from '../../../domain/payroll/payroll.ts'
import { type LocationId, organisationWideLocationId, type UserId } from '../../../domain/values/ids.ts'
import type { Call } from '../../core/calls/call.ts'
import { nameActor, readUserNames } from '../../core/database/userNames.ts'
import { decryptText, ensureOrganisationKey } from '../../core/database/vault.ts'
import { type LogHistoryLine, readItemHistory } from '../../core/stream/history.ts'
import { refuseHiddenLocation } from '../../shared/monitoring/commands.ts'
import type { PayrollEditor } from '../../shared/payroll/commands.ts'
import { readPayrollPeople } from '../../shared/payroll/people/queries.ts'
import { listVisibleLocations, readProviderCodes, resolveReconciliationLevel } from '../../shared/payroll/queries.ts'
import { loadPayrollItems } from '../../streams/payroll/items.ts'
import { payrollStream } from '../../streams/payroll/stream.ts'
import { presentPerson } from './rows.ts'

/**
 * The changes in a payroll log, newest first, as sentences. The log of a group or of the organisation names people at all its locations, so
 * it requires access to all of them.
 */
export async function readPayrollHistory(
  call: Call<'store'> & PayrollEditor,
  { locationId, before }: { locationId: LocationId; before: number | null },
): Promise<LogHistoryLine[]> {
  const { tx, organisationId, holder } = call
  if (locationId) await refuseHiddenLocation({ ...call, locationId })
  else if (holder.locationIds) return []
  const people = await readPayrollPeople(tx, organisationId)
  const codes = new Map((await readProviderCodes(tx, organisationId)).map((code) => [code.id, code.code]))
  const names = {
    employee: (employee: Parameters<typeof presentPerson>[1]): string => {
      const { name, employeeNumber } = presentPerson(people, employee, { numbers: new Map(), locationIds: holder.locationIds })
      return name ?? (employeeNumber || 'an employee')
    },
    code: (id: number): string => codes.get(id) ?? `code ${id}`,
  }
  return readItemHistory(payrollStream, { ...call, locationId }, { before, tell: (event) => describePayrollEvent(event, names) })
}

/** The state of a month of the organisation or a group, with who completed and reopened it, and why. */
export async function readMonthState(call: Call<'store'> & PayrollEditor, request: LevelMonth) {
  const { tx, store, organisationId } = call
  const level = await resolveReconciliationLevel(call, request)
  const key = buildMonthStateKey(request)
  const month = findPayrollMonth(await loadPayrollItems({ tx, organisationId, locationId: organisationWideLocationId }, [key]), request)
  const { completed, reopened } = month
  const names = await readUserNames(store, [completed?.by ?? null, reopened?.by ?? null])
  const done = (one: { by: UserId | null; at: string }) => ({
    by: nameActor(names, one.by),
    at: new Date(one.at).toISOString(),
  })
  return {
    year: month.year,
    month: month.month,
    budgetGroupId: month.groupId,
    isWhole: listVisibleLocations(level, call).length === level.locationIds.length,
    state: month.state,
    completionType: month.completionType,
    completed: completed && done(completed),
    reopened: reopened && {
      ...done(reopened),
      reason: reopened.sealedReason === null ? null : decryptText(await ensureOrganisationKey(tx, organisationId), reopened.sealedReason),
    },
  }
}

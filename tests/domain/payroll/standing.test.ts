import { describe, expect, it } from 'vitest'
import { createEmptyItems } from '../../../domain/changes/itemLog.ts'
import { applyStoredReference, listMonthsWithChangedActuals, matchStoredReferences } from '../../../domain/payroll/decide.ts'
import type { PayrollEvent, StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { evolve, type PayrollState } from '../../../domain/payroll/evolve.ts'
import {
  buildActualsKey,
  buildCarriedForwardKey,
  type EmployeeRef,
  type PayrollLine,
  toStaffRef,
  toUnknownEmployeeRef,
} from '../../../domain/payroll/payroll.ts'
import { toLocationId, toStaffId } from '../../../domain/values/ids.ts'

const september = { year: 2027, month: 9 }
const unknown = toUnknownEmployeeRef('abc')
/** The number was unknown at the first import and has since been given to employee 7. */
const resolve = (employee: EmployeeRef): EmployeeRef => (employee === unknown ? toStaffRef(toStaffId(7)) : employee)
const line = (employee: EmployeeRef, value: number, payrollCodeId = 100): PayrollLine => ({
  employee,
  sealedNumber: employee === unknown ? 'sealed' : null,
  payrollCodeId,
  value,
})
const stored = (event: PayrollEvent): StoredPayrollEvent =>
  ({ ...event, version: 1, occurredAt: '2027-10-01T00:00:00Z', actorId: 1 }) as StoredPayrollEvent

describe('an employee who was added after the month was imported', () => {
  it('keeps their lines: importing the same month again replaces them', () => {
    expect(matchStoredReferences([line(toStaffRef(toStaffId(7)), 310_000)], [line(unknown, 300_000)], resolve)).toEqual([
      line(unknown, 310_000),
    ])
    // Another code of the same employee is a separate line, and an employee who was always known is matched as usual.
    expect(
      matchStoredReferences(
        [line(toStaffRef(toStaffId(7)), 5, 200), line(toStaffRef(toStaffId(8)), 9)],
        [line(unknown, 300_000), line(toStaffRef(toStaffId(8)), 8)],
        resolve,
      ),
    ).toEqual([line(toStaffRef(toStaffId(7)), 5, 200), line(toStaffRef(toStaffId(8)), 9)])
  })

  it('has the line under their name replaced even if there is one under the number too', () => {
    const known = toStaffRef(toStaffId(7))
    expect(matchStoredReferences([line(known, 9)], [line(known, 8), line(unknown, 300_000)], resolve)).toEqual([line(known, 9)])
  })

  it('has their amount carried forward changed, not duplicated', () => {
    const state: PayrollState = createEmptyItems()
    const month = { ...september, groupId: null }
    const carried = { employee: unknown, sealedNumber: 'sealed', locationId: toLocationId(1), amount: 100 }
    evolve(state, stored({ type: 'PayrollCarriedForward', data: { ...month, carried: [carried] } }))
    const by = { refs: [toStaffRef(toStaffId(7)), unknown], key: (employee: EmployeeRef) => buildCarriedForwardKey(month, employee) }
    const today = { ...carried, employee: toStaffRef(toStaffId(7)), sealedNumber: null, amount: 50 }
    expect(applyStoredReference(state, today, by)).toEqual({ ...carried, amount: 50 })
    expect(applyStoredReference(createEmptyItems(), today, by)).toEqual(today)
  })
})

describe('the months that an event of a location concerns', () => {
  it('are those of its actuals, also for an undo, which names none', () => {
    const cleared: PayrollEvent = { type: 'PayrollCleared', data: september }
    const undone: PayrollEvent = {
      type: 'PayrollChangeUndone',
      data: { undoes: 1, things: [{ key: buildActualsKey(september), item: null }] },
    }
    expect([cleared, undone].map(listMonthsWithChangedActuals)).toEqual([[september], [september]])
  })
})

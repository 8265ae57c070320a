import { describe, expect, it } from 'vitest'
import { findBudgetOfRecordForMonth } from '../../../domain/budget/budgetOfRecord.ts'
import { versionType } from '../../../domain/lookups/lookupIds.ts'

const october = { year: 2026, month: 10 }

function budget(
  name: string,
  more: { versionType?: number; firstYear?: number; approvedAt?: string; state?: 'submitted' | 'returned' } = {},
) {
  const { approvedAt, state, ...head } = more
  const approval = approvedAt ? { state: 'approved' as const, at: approvedAt } : state ? { state, at: '2026-10-01T09:00:00.000Z' } : null
  return { head: { name, versionType: versionType.working, firstYear: 2026, startMonth: 9, numberOfYears: 1, ...head, approval } }
}

describe('the budget of record of a school in a month', () => {
  it('is the first working budget by name while none is approved', () => {
    const first = budget('2026/27 A')
    expect(
      findBudgetOfRecordForMonth([budget('2026/27 B'), first, budget('1 What if', { versionType: versionType.whatIf })], october),
    ).toBe(first)
    expect(findBudgetOfRecordForMonth([budget('2026/27 A', { state: 'submitted' }), budget('2026/27 B')], october)?.head.name).toBe(
      '2026/27 A',
    )
    expect(findBudgetOfRecordForMonth([budget('A', { versionType: versionType.forecast })], october)).toBeUndefined()
  })
  it('is the approved one once there is one, whatever the names', () => {
    const approved = budget('Z', { approvedAt: '2026-07-13T09:00:00.000Z', versionType: versionType.approved })
    expect(findBudgetOfRecordForMonth([budget('A'), approved], october)).toBe(approved)
  })
  it('is the one approved last of several', () => {
    const early = budget('July', { approvedAt: '2026-07-13T09:00:00.000Z' })
    const late = budget('December', { approvedAt: '2026-12-01T09:00:00.000Z' })
    expect(findBudgetOfRecordForMonth([late, early], october)).toBe(late)
    expect(findBudgetOfRecordForMonth([early, late], october)).toBe(late)
  })
  it('has the month in its years', () => {
    const before = budget('Last year', { firstYear: 2025, approvedAt: '2025-07-13T09:00:00.000Z' })
    const working = budget('This year')
    expect(findBudgetOfRecordForMonth([before, working], october)).toBe(working)
    expect(findBudgetOfRecordForMonth([before, working], { year: 2026, month: 8 })).toBe(before)
    expect(findBudgetOfRecordForMonth([before, working], { year: 2027, month: 9 })).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { findReminderDay } from '../../../domain/people/reminders.ts'

describe('B-260 a reminder', () => {
  it('falls on its own day and month once', () => {
    const once = { when: '2026-11-20', isRecurring: false }
    expect(findReminderDay(once, 2026, 11)).toBe('2026-11-20')
    expect(findReminderDay(once, 2027, 11)).toBeNull()
    expect(findReminderDay(once, 2026, 12)).toBeNull()
  })
  it('that recurs is shown every year, never before its first date', () => {
    const yearly = { when: '2026-11-20', isRecurring: true }
    expect(findReminderDay(yearly, 2031, 11)).toBe('2031-11-20')
    expect(findReminderDay(yearly, 2025, 11)).toBeNull()
  })
  it('for 29 February is shown on 28 February in years without one', () => {
    const leap = { when: '2024-02-29', isRecurring: true }
    expect(findReminderDay(leap, 2028, 2)).toBe('2028-02-29')
    expect(findReminderDay(leap, 2027, 2)).toBe('2027-02-28')
    expect(findReminderDay(leap, 2100, 2)).toBe('2100-02-28')
  })
})

import { describe, expect, it } from 'vitest'
import { decideRetention, type EmploymentEvidence } from '../../../domain/people/retention.ts'

const today = '2026-11-25'
const leaver: EmploymentEvidence = {
  plannedUntil: '2020-08-31',
  paidUntil: '2020-08-31',
  leaveUntil: null,
  recordedOn: '2015-09-01',
  archive: true,
}

describe('the retention of an employee’s record', () => {
  it('is counted from the last day of work on record', () => {
    expect(decideRetention(leaver, 6, today)).toEqual({ state: 'due', left: '2020-08-31', since: '2026-09-01' })
    const paidLonger = { ...leaver, paidUntil: '2021-01-31' }
    expect(decideRetention(paidLonger, 6, today)).toEqual({
      state: 'kept',
      left: '2021-01-31',
      until: '2027-02-01',
      reason: 'It is less than 6 years since a payroll last paid them.',
    })
  })
  it('ends on the day after the years are over, and not before', () => {
    expect(decideRetention(leaver, 6, '2026-08-31')).toMatchObject({ state: 'kept', until: '2026-09-01' })
    expect(decideRetention(leaver, 6, '2026-09-01')).toMatchObject({ state: 'due' })
  })
  it('continues while a budget includes them, or while they are on leave', () => {
    expect(decideRetention({ ...leaver, plannedUntil: '2027-08-31' }, 1, today)).toEqual({ state: 'works' })
    expect(decideRetention({ ...leaver, leaveUntil: today }, 1, today)).toEqual({ state: 'works' })
  })
  it('continues for people without a contract, payroll or leave unless they are archived', () => {
    const unknown: EmploymentEvidence = { plannedUntil: null, paidUntil: null, leaveUntil: null, recordedOn: '2015-09-01', archive: false }
    expect(decideRetention(unknown, 6, today)).toEqual({ state: 'works' })
    expect(decideRetention({ ...unknown, archive: true }, 6, today)).toMatchObject({ state: 'due', left: '2015-09-01' })
  })
  it('does not end if the organisation has not set a number of years', () => {
    expect(decideRetention(leaver, null, today)).toMatchObject({ state: 'kept', reason: expect.stringMatching(/^No one is proposed/) })
  })
})

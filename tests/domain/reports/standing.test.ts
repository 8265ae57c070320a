import { describe, expect, it } from 'vitest'
import { compareSchoolsByUrgency, decideSchoolState, explainSchoolState } from '../../../domain/reports/standing.ts'

const fine = {
  warnings: [],
  variance: 0,
  revenueVariance: 0,
  reserves: [
    { name: '2026/27', reserve: 9_000 },
    { name: '2027/28', reserve: 5_000 },
  ],
  isShortOfCash: false,
}
const warning = (kind: 'reserve' | 'deficit') => ({ kind, text: '' })

describe('how a school stands', () => {
  it('says to act where money runs out, and to watch where there is a warning or the forecast is worse than the budget', () => {
    expect(decideSchoolState(fine)).toBe('steady')
    expect(decideSchoolState({ ...fine, variance: null })).toBe('steady')
    expect(decideSchoolState({ ...fine, variance: -0.01 })).toBe('watch')
    expect(decideSchoolState({ ...fine, warnings: [warning('deficit')] })).toBe('watch')
    expect(decideSchoolState({ ...fine, warnings: [warning('deficit'), warning('reserve')] })).toBe('act')
    expect(decideSchoolState({ ...fine, isShortOfCash: true })).toBe('act')
  })
  it('says to act where the forecast is worse than the budget by more than the reserve of this year or a later one', () => {
    expect(decideSchoolState({ ...fine, variance: -5_000, revenueVariance: -5_000 })).toBe('watch')
    expect(decideSchoolState({ ...fine, variance: -5_000.01, revenueVariance: -5_000.01 })).toBe('act')
    expect(
      decideSchoolState({ ...fine, variance: -5_000.01, revenueVariance: -5_000.01, reserves: [{ name: '2026/27', reserve: null }] }),
    ).toBe('watch')
    // Capital is not paid from these reserves.
    expect(decideSchoolState({ ...fine, variance: -300_000 })).toBe('watch')
    const explain = (variance: number) => explainSchoolState({ ...fine, lowest: null, variance, revenueVariance: variance })
    expect(explain(-17_400)).toBe('On this forecast, the reserve will be in deficit by £8,400 at the end of 2026/27.')
    expect(explain(-7_400)).toBe('On this forecast, the reserve will be in deficit by £2,400 at the end of 2027/28.')
  })
  it('is explained by money that runs out, then by a forecast that is worse than the budget, then by other warnings', () => {
    const staff = { kind: 'staff', text: 'Staff costs are 83% of income.' } as const
    const reserve = { kind: 'reserve', text: 'Reserves are negative.' } as const
    const school = { lowest: null, warnings: [staff], variance: -350_984, revenueVariance: -350_984, reserves: [] }
    expect(explainSchoolState(school)).toBe('The forecast is £350,984 worse than the budget.')
    expect(explainSchoolState({ ...school, variance: -0.01 })).toBe('The forecast is less than £1 worse than the budget.')
    expect(explainSchoolState({ ...school, warnings: [staff, reserve] })).toBe('Reserves are negative.')
    expect(explainSchoolState({ ...school, variance: 5 })).toBe('Staff costs are 83% of income.')
    expect(explainSchoolState({ ...school, variance: 5, warnings: [] })).toBe('Nothing to report.')
  })
  it('orders schools worst first, and among equals puts those without a variance last', () => {
    const schools = [
      { name: 'unknown', state: 'watch', variance: null },
      { name: 'steady', state: 'steady', variance: 5 },
      { name: 'little', state: 'watch', variance: -1 },
      { name: 'act', state: 'act', variance: 9 },
      { name: 'much', state: 'watch', variance: -9 },
    ] as const
    expect([...schools].sort(compareSchoolsByUrgency).map(({ name }) => name)).toEqual(['act', 'much', 'little', 'unknown', 'steady'])
  })
})

import { describe, expect, it } from 'vitest'
import { compareSchools, judgeSchool } from '../../../domain/reports/standing.ts'

const fine = { warnings: [], variance: 0, isShortOfCash: false }
const warning = (kind: 'reserve' | 'deficit') => ({ kind, text: '' })

describe('how a school stands', () => {
  it('says to act where money runs out, and to watch where there is a warning or the forecast is worse than the budget', () => {
    expect(judgeSchool(fine)).toBe('steady')
    expect(judgeSchool({ ...fine, variance: null })).toBe('steady')
    expect(judgeSchool({ ...fine, variance: -0.01 })).toBe('watch')
    expect(judgeSchool({ ...fine, warnings: [warning('deficit')] })).toBe('watch')
    expect(judgeSchool({ ...fine, warnings: [warning('deficit'), warning('reserve')] })).toBe('act')
    expect(judgeSchool({ ...fine, isShortOfCash: true })).toBe('act')
  })
  it('orders schools worst first, and among equals puts those without a variance last', () => {
    const schools = [
      { name: 'unknown', standing: 'watch', variance: null },
      { name: 'steady', standing: 'steady', variance: 5 },
      { name: 'little', standing: 'watch', variance: -1 },
      { name: 'act', standing: 'act', variance: 9 },
      { name: 'much', standing: 'watch', variance: -9 },
    ] as const
    expect([...schools].sort(compareSchools).map(({ name }) => name)).toEqual(['act', 'much', 'little', 'unknown', 'steady'])
  })
})

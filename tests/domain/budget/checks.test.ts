import { describe, expect, it } from 'vitest'
import type { StaffContract } from '../../../domain/budget/budget.ts'
import { listStaffingFindings } from '../../../domain/budget/checks.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { contractOf, created, stateAfter } from '../../support/stories/budgetStory.ts'

const head = assertDefined(stateAfter(created()).head)
const row = contractOf().salary[0]!
const maximum = { id: 6, kind: 'teacher', scale: 'Main', increment: 6 } as const
const found = (change: Partial<StaffContract>): string[] =>
  listStaffingFindings(head, [{ contract: contractOf(change), costs: undefined, shares: new Map() }], []).map(({ code }) => code)

describe('the checks of a contract find costs that are silently too low', () => {
  it('an employee who never gets an increment because the contract has no maximum point', () => {
    expect(found({ maximumScalePoint: null })).toContain('noIncrements')
    expect(found({ maximumScalePoint: maximum })).not.toContain('noIncrements')
    expect(found({ maximumScalePoint: null, salary: [{ ...row, scalePoint: null, spotAdjustment: 30_000 }] })).not.toContain('noIncrements')
  })
  it('a term-time post paid only for the weeks of term, without holidays', () => {
    const weeks = (weeksPerYear: number): string[] =>
      found({ maximumScalePoint: maximum, salary: [{ ...row, hoursPerWeek: 30, weeksPerYear }] })
    expect(weeks(39)).toContain('termTimeWeeks')
    expect(weeks(44.86)).toEqual([])
    expect(weeks(52.143)).toEqual([])
    expect(weeks(10)).toEqual([])
  })
  it('nothing in a contract that ended before the budget or begins after it', () => {
    const salary = [{ ...row, hoursPerWeek: 30, weeksPerYear: 39 }]
    expect(found({ maximumScalePoint: null, salary, endDate: '2020-08-31' })).toEqual(['ended'])
    expect(found({ maximumScalePoint: null, salary, startDate: '2090-09-01' })).toEqual([])
    expect(found({ maximumScalePoint: null, salary: [{ ...row, calculationCeaseDate: '2020-08-31' }] })).toEqual([])
  })
  it('only what is paid in this budget: the weeks of an earlier row do not count', () => {
    const salary = [
      { ...row, effectiveDate: '2024-09-01', hoursPerWeek: 30, weeksPerYear: 39 },
      { ...row, effectiveDate: '2025-09-01', hoursPerWeek: 30, weeksPerYear: 44.86 },
    ]
    expect(found({ maximumScalePoint: maximum, salary })).toEqual([])
  })
  it('a post that ends within the budget and so costs nothing in later years', () => {
    expect(found({ maximumScalePoint: maximum, endDate: '2027-08-31' })).toEqual(['endsWithin'])
    expect(found({ maximumScalePoint: maximum, endDate: '2040-08-31' })).toEqual([])
  })
})

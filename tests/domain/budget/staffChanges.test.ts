import { describe, expect, it } from 'vitest'
import type { ContractRow, StoredScalePoint } from '../../../domain/budget/budget.ts'
import { findDayInFileName, matchContracts } from '../../../domain/budget/staffChanges/matchContracts.ts'
import { applyReportedPay, listRowsPlannedAfter } from '../../../domain/budget/staffChanges/reportedPay.ts'
import { findRowIncrement } from '../../../domain/calculation/staffing/salary.ts'

const point = (increment: number, id = increment): StoredScalePoint => ({ id, kind: 'teacher', scale: 'Main', increment })
const maximum = point(6)
const row = (effectiveDate: string, more: Partial<ContractRow> = {}): ContractRow => ({
  effectiveDate,
  calculationCeaseDate: null,
  scalePoint: point(3),
  spotAdjustment: null,
  allowances: [],
  erPension: true,
  fte: 0.8,
  hoursPerWeek: null,
  weeksPerYear: null,
  ...more,
})
/** A teacher’s point rises by one each September. */
const pointOn = ({ scalePoint, effectiveDate }: ContractRow, day: string): StoredScalePoint | null =>
  scalePoint && point(findRowIncrement(null, { maximum, scalePoint, effectiveDate, day }))
const day = '2026-11-24'
const agreed = (rows: ContractRow[], said: Parameters<typeof applyReportedPay>[1]['said']) => applyReportedPay(rows, { said, day, pointOn })

describe('the pay of a contract, once it agrees with what an HR system says', () => {
  const rows = [row('2025-09-01')]

  it('stays where the same is said, whenever it began', () => {
    expect(agreed(rows, [{ effectiveDate: '2020-01-01', values: { fte: 0.8 } }])).toEqual(rows)
    expect(agreed(rows, [{ effectiveDate: null, values: { fte: 0.8, erPension: true } }])).toEqual(rows)
  })
  it('stays where the point that is said is the one that increments have led to', () => {
    expect(agreed(rows, [{ effectiveDate: null, values: { scalePoint: point(4, 99) } }])).toEqual(rows)
  })
  it('has a row of its own from the date on which it changed, at the point of that day', () => {
    expect(agreed(rows, [{ effectiveDate: '2026-11-01', values: { fte: 1 } }])).toEqual([
      row('2025-09-01'),
      row('2026-11-01', { fte: 1, scalePoint: point(4) }),
    ])
  })
  it('has one from the day of the file where no date is said', () => {
    expect(agreed(rows, [{ effectiveDate: null, values: { fte: 1 } }]).map(({ effectiveDate }) => effectiveDate)).toEqual([
      '2025-09-01',
      day,
    ])
  })
  it('is corrected in the row in force where what is said is older than that', () => {
    expect(agreed(rows, [{ effectiveDate: '2024-09-01', values: { fte: 1 } }])).toEqual([row('2025-09-01', { fte: 1 })])
  })
  it('keeps what is planned for later, and says so', () => {
    const planned = [row('2025-09-01'), row('2027-09-01', { fte: 0.5 })]
    expect(agreed(planned, [{ effectiveDate: '2026-11-01', values: { fte: 1 } }])).toEqual([
      row('2025-09-01'),
      row('2026-11-01', { fte: 1, scalePoint: point(4) }),
      row('2027-09-01', { fte: 0.5 }),
    ])
    expect(listRowsPlannedAfter(planned, day).map(({ effectiveDate }) => effectiveDate)).toEqual(['2027-09-01'])
    expect(listRowsPlannedAfter([row('2027-09-01')], day)).toEqual([])
  })
  it('takes of several rows the one in force, and each that is to come', () => {
    const said = [
      { effectiveDate: '2024-09-01', values: { fte: 0.2 } },
      { effectiveDate: '2026-09-01', values: { fte: 0.6 } },
      { effectiveDate: '2027-01-01', values: { fte: 0.7 } },
    ]
    expect(agreed(rows, said).map(({ effectiveDate, fte }) => [effectiveDate, fte])).toEqual([
      ['2025-09-01', 0.8],
      ['2026-09-01', 0.6],
      ['2027-01-01', 0.7],
    ])
  })
  it('of a contract that has yet to begin is that of its first row', () => {
    expect(agreed([row('2027-09-01')], [{ effectiveDate: '2026-11-01', values: { fte: 1 } }])).toEqual([row('2027-09-01', { fte: 1 })])
  })
  it('that was made to agree once stays when the same is said again', () => {
    const said = [{ effectiveDate: '2026-11-01', values: { fte: 1, scalePoint: point(5) } }]
    const once = agreed(rows, said)
    expect(agreed(once, said)).toEqual(once)
  })
  it('has the same allowances in whatever order they are said', () => {
    const both = [row('2025-09-01', { allowances: [7, 9] })]
    expect(agreed(both, [{ effectiveDate: null, values: { allowances: [9, 7] } }])).toEqual(both)
  })
})

describe('the contract that an HR system means', () => {
  const held = (id: string, employee: string, contractName: string) => ({ id, employee, contractName })
  const said = (employee: string, contractName = '') => ({ employee, contractName })

  it('is the one of the employee with that name, in whatever case', () => {
    const { met, unsaid } = matchContracts([said('A1', 'CLASS TEACHER')], [held('x', 'a1', 'Class teacher'), held('y', 'a1', 'Cover')])
    expect([...met]).toEqual([[0, 'x']])
    expect([...unsaid]).toEqual(['y'])
  })
  it('is the only one of the employee, whatever the post is called elsewhere', () => {
    expect([...matchContracts([said('1', 'TCH-0044')], [held('x', '1', 'Class teacher')]).met]).toEqual([[0, 'x']])
    expect([...matchContracts([said('1')], [held('x', '1', 'Class teacher')]).met]).toEqual([[0, 'x']])
  })
  it('is none where one of several could be meant', () => {
    expect(matchContracts([said('1', 'Other')], [held('x', '1', 'A'), held('y', '1', 'B')]).met.size).toBe(0)
    expect(matchContracts([said('1', 'P'), said('1', 'Q')], [held('x', '1', 'A')]).met.size).toBe(0)
  })
  it('is the last of an employee once the others were met by name', () => {
    const { met, unsaid } = matchContracts([said('1', 'A'), said('1', 'TCH-9')], [held('x', '1', 'A'), held('y', '1', 'B')])
    expect([...met].sort()).toEqual([
      [0, 'x'],
      [1, 'y'],
    ])
    expect(unsaid.size).toBe(0)
  })
})

describe('the day that a file describes', () => {
  it('is the one in its name, where that says one', () => {
    expect(findDayInFileName('staff-2026-11-24.csv')).toBe('2026-11-24')
    expect(findDayInFileName('HR_20261124_0230.csv')).toBe('2026-11-24')
    expect(findDayInFileName('staff.csv')).toBeNull()
    expect(findDayInFileName('2026-11-24 and 2026-11-25.csv')).toBeNull()
    expect(findDayInFileName('2026-11-24 (2026-11-24).csv')).toBe('2026-11-24')
  })
})

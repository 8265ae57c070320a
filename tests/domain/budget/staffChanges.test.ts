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
const agreed = (rows: ContractRow[], said: Parameters<typeof applyReportedPay>[1]['reported']) =>
  applyReportedPay(rows, { reported: said, day, pointOn })

describe('the pay of a contract after applying an HR system’s value', () => {
  const rows = [row('2025-09-01')]

  it('stays unchanged if the value is the same, whatever its start date', () => {
    expect(agreed(rows, [{ effectiveDate: '2020-01-01', values: { fte: 0.8 } }])).toEqual(rows)
    expect(agreed(rows, [{ effectiveDate: null, values: { fte: 0.8, erPension: true } }])).toEqual(rows)
  })
  it('stays unchanged if the value is the point reached by increments', () => {
    expect(agreed(rows, [{ effectiveDate: null, values: { scalePoint: point(4, 99) } }])).toEqual(rows)
  })
  it('has a new row from the date of the change, at the point of that day', () => {
    expect(agreed(rows, [{ effectiveDate: '2026-11-01', values: { fte: 1 } }])).toEqual([
      row('2025-09-01'),
      row('2026-11-01', { fte: 1, scalePoint: point(4) }),
    ])
  })
  it('has a new row from the day of the file if no date is given', () => {
    expect(agreed(rows, [{ effectiveDate: null, values: { fte: 1 } }]).map(({ effectiveDate }) => effectiveDate)).toEqual([
      '2025-09-01',
      day,
    ])
  })
  it('is corrected in the row in force if the value has an older date', () => {
    expect(agreed(rows, [{ effectiveDate: '2024-09-01', values: { fte: 1 } }])).toEqual([row('2025-09-01', { fte: 1 })])
  })
  it('keeps what is planned for later, and reports it', () => {
    const planned = [row('2025-09-01'), row('2027-09-01', { fte: 0.5 })]
    expect(agreed(planned, [{ effectiveDate: '2026-11-01', values: { fte: 1 } }])).toEqual([
      row('2025-09-01'),
      row('2026-11-01', { fte: 1, scalePoint: point(4) }),
      row('2027-09-01', { fte: 0.5 }),
    ])
    expect(listRowsPlannedAfter(planned, day).map(({ effectiveDate }) => effectiveDate)).toEqual(['2027-09-01'])
    expect(listRowsPlannedAfter([row('2027-09-01')], day)).toEqual([])
  })
  it('applies to the row in force, or to each later one', () => {
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
  it('of a contract that has not begun is that of its first row', () => {
    expect(agreed([row('2027-09-01')], [{ effectiveDate: '2026-11-01', values: { fte: 1 } }])).toEqual([row('2027-09-01', { fte: 1 })])
  })
  it('once applied stays unchanged when the same value comes again', () => {
    const said = [{ effectiveDate: '2026-11-01', values: { fte: 1, scalePoint: point(5) } }]
    const once = agreed(rows, said)
    expect(agreed(once, said)).toEqual(once)
  })
  it('has the same allowances in whatever order they are given', () => {
    const both = [row('2025-09-01', { allowances: [7, 9] })]
    expect(agreed(both, [{ effectiveDate: null, values: { allowances: [9, 7] } }])).toEqual(both)
  })
})

describe('the contract that an HR system means', () => {
  const held = (id: string, employee: string, contractName: string) => ({ id, employee, contractName })
  const said = (employee: string, contractName = '') => ({ employee, contractName })

  it('is the employee’s contract with that name, ignoring case', () => {
    const { matched, unreported } = matchContracts(
      [said('A1', 'CLASS TEACHER')],
      [held('x', 'a1', 'Class teacher'), held('y', 'a1', 'Cover')],
    )
    expect([...matched]).toEqual([[0, 'x']])
    expect([...unreported]).toEqual(['y'])
  })
  it('is the employee’s only contract, whatever the post is called', () => {
    expect([...matchContracts([said('1', 'TCH-0044')], [held('x', '1', 'Class teacher')]).matched]).toEqual([[0, 'x']])
    expect([...matchContracts([said('1')], [held('x', '1', 'Class teacher')]).matched]).toEqual([[0, 'x']])
  })
  it('is none if several could be meant', () => {
    expect(matchContracts([said('1', 'Other')], [held('x', '1', 'A'), held('y', '1', 'B')]).matched.size).toBe(0)
    expect(matchContracts([said('1', 'P'), said('1', 'Q')], [held('x', '1', 'A')]).matched.size).toBe(0)
  })
  it('is the employee’s last one once the others were matched by name', () => {
    const { matched, unreported } = matchContracts([said('1', 'A'), said('1', 'TCH-9')], [held('x', '1', 'A'), held('y', '1', 'B')])
    expect([...matched].sort()).toEqual([
      [0, 'x'],
      [1, 'y'],
    ])
    expect(unreported.size).toBe(0)
  })
})

describe('the date of a file’s content', () => {
  it('is the one in its name, if it has one', () => {
    expect(findDayInFileName('staff-2026-11-24.csv')).toBe('2026-11-24')
    expect(findDayInFileName('HR_20261124_0230.csv')).toBe('2026-11-24')
    expect(findDayInFileName('staff.csv')).toBeNull()
    expect(findDayInFileName('2026-11-24 and 2026-11-25.csv')).toBeNull()
    expect(findDayInFileName('2026-11-24 (2026-11-24).csv')).toBe('2026-11-24')
  })
})

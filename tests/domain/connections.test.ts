import { describe, expect, it } from 'vitest'
import { octoberOf, yearGroupOf } from '../../domain/budget/items/saidPupils.ts'
import { connectionKinds } from '../../domain/integrations/connections/all.ts'
import { monthInName, pathOfMonth, pathProblem } from '../../domain/integrations/connections/connection.ts'
import { nextRun, scheduleWords } from '../../domain/integrations/connections/schedule.ts'
import { lookups } from '../../domain/lookups.ts'
import { actualFile } from '../../domain/monitoring/actualFile.ts'
import { columnsOf } from '../../domain/resources/columns.ts'

const next = (every: 'never' | 'hour' | 'day' | 'week' | 'month', at: string, after: string, day = 1): string | undefined =>
  nextRun({ every, at, day }, new Date(after))?.toISOString()

describe('the schedule of a connection', () => {
  it('runs at the same time of day in London in winter and in summer', () => {
    expect(next('day', '02:30', '2026-01-10T12:00:00Z')).toBe('2026-01-11T02:30:00.000Z')
    expect(next('day', '02:30', '2026-07-10T12:00:00Z')).toBe('2026-07-11T01:30:00.000Z')
    expect(next('day', '23:30', '2026-07-10T22:30:00Z')).toBe('2026-07-11T22:30:00.000Z')
  })
  it('runs once on the day on which the clocks change, and an hour later where its time is skipped', () => {
    expect(next('day', '01:30', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
    expect(next('day', '01:30', '2026-03-29T01:30:00Z')).toBe('2026-03-30T00:30:00.000Z')
    expect(next('day', '01:30', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(next('day', '01:30', '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z')
  })
  it('runs on its day of the week and of the month, each month', () => {
    expect(next('week', '06:00', '2026-11-24T12:00:00Z', 2)).toBe('2026-12-01T06:00:00.000Z')
    expect(next('week', '18:00', '2026-11-24T12:00:00Z', 2)).toBe('2026-11-24T18:00:00.000Z')
    expect(next('month', '06:00', '2026-01-28T06:00:00Z', 28)).toBe('2026-02-28T06:00:00.000Z')
    expect(next('hour', '00:15', '2026-11-24T12:20:00Z')).toBe('2026-11-24T13:15:00.000Z')
    expect(next('never', '02:30', '2026-11-24T12:20:00Z')).toBeUndefined()
    expect(scheduleWords({ every: 'week', at: '18:00', day: 2 })).toBe('every Tuesday at 18:00')
  })
})

describe('the name of a file', () => {
  it('says its month, or nothing where it says two', () => {
    expect(monthInName('actuals-2026-10.csv')).toEqual({ year: 2026, month: 10 })
    expect(monthInName('NGT_202610_v2.csv')).toEqual({ year: 2026, month: 10 })
    expect(monthInName('2026-10 again 2026-10.csv')).toEqual({ year: 2026, month: 10 })
    for (const name of ['actuals.csv', 'actuals-2026-13.csv', '2026-09 to 2026-10.csv', '12026-10.csv', '2026-101.csv'])
      expect([name, monthInName(name)]).toEqual([name, null])
  })
  it('of a path holds the month before, also in January, and leads nowhere else', () => {
    expect(pathOfMonth('/actuals/{month}.json', '2027-01-03')).toBe('/actuals/2026-12.json')
    expect(pathOfMonth('/actuals/{month}', '2026-11-24')).toBe('/actuals/2026-10')
    expect(pathProblem('/actuals/{month}/a_b-c.d~e')).toBeNull()
    for (const path of ['../secret', 'a/../b', 'a?b=c', 'a b', '{year}', '//other.example:1', 'a#b', 'a%2e'])
      expect([path, typeof pathProblem(path)]).toEqual([path, 'string'])
  })
})

describe('the example of a file that comes in', () => {
  it('has the columns that an import takes', () => {
    expect(connectionKinds.actuals.example.headings).toEqual(columnsOf(actualFile).map(({ heading }) => heading))
  })
  it('has year groups and Octobers as an import of pupils reads them', () => {
    for (const [, yearGroup, october] of connectionKinds.pupils.example.rows)
      expect([yearGroupOf(yearGroup, lookups.pupilYearGroups), octoberOf(october)]).toEqual([expect.any(Number), 2026])
  })
})

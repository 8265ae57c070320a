import { describe, expect, it } from 'vitest'
import { parseOctoberYear, parseYearGroup } from '../../../domain/budget/items/reportedPupils.ts'
import { connectionKinds } from '../../../domain/integrations/connections/all.ts'
import { checkPath, fillMonthInPath, findMonthInFileName } from '../../../domain/integrations/connections/connection.ts'
import {
  findMappingProblems,
  findRecordLists,
  mapRows,
  readReplyRows,
  suggestColumns,
  summariseRecordList,
} from '../../../domain/integrations/connections/mapping.ts'
import { describeSchedule, findNextRun } from '../../../domain/integrations/connections/schedule.ts'
import { lookups } from '../../../domain/lookups/lookups.ts'
import { actualFile } from '../../../domain/monitoring/actualFile.ts'
import { listColumns } from '../../../domain/resources/columns.ts'

const next = (every: 'never' | 'hour' | 'day' | 'week' | 'month', at: string, after: string, day = 1): string | undefined =>
  findNextRun({ every, at, day }, new Date(after))?.toISOString()

describe('the schedule of a connection', () => {
  it('runs at the same time of day in London in winter and in summer', () => {
    expect(next('day', '02:30', '2026-01-10T12:00:00Z')).toBe('2026-01-11T02:30:00.000Z')
    expect(next('day', '02:30', '2026-07-10T12:00:00Z')).toBe('2026-07-11T01:30:00.000Z')
    expect(next('day', '23:30', '2026-07-10T22:30:00Z')).toBe('2026-07-11T22:30:00.000Z')
  })
  it('runs once on the day of a clock change, an hour later if its time is skipped', () => {
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
    expect(describeSchedule({ every: 'week', at: '18:00', day: 2 })).toBe('every Tuesday at 18:00')
  })
})

describe('a file name', () => {
  it('gives the month, or none if it names two', () => {
    expect(findMonthInFileName('actuals-2026-10.csv')).toEqual({ year: 2026, month: 10 })
    expect(findMonthInFileName('NGT_202610_v2.csv')).toEqual({ year: 2026, month: 10 })
    expect(findMonthInFileName('2026-10 again 2026-10.csv')).toEqual({ year: 2026, month: 10 })
    for (const name of ['actuals.csv', 'actuals-2026-13.csv', '2026-09 to 2026-10.csv', '12026-10.csv', '2026-101.csv'])
      expect([name, findMonthInFileName(name)]).toEqual([name, null])
  })
  it('in a path contains the previous month, also in January, and leads nowhere else', () => {
    expect(fillMonthInPath('/actuals/{month}.json', '2027-01-03')).toBe('/actuals/2026-12.json')
    expect(fillMonthInPath('/actuals/{month}', '2026-11-24')).toBe('/actuals/2026-10')
    expect(checkPath('/actuals/{month}/a_b-c.d~e')).toBeNull()
    for (const path of ['../secret', 'a/../b', 'a?b=c', 'a b', '{year}', '//other.example:1', 'a#b', 'a%2e'])
      expect([path, typeof checkPath(path)]).toEqual([path, 'string'])
  })
})

describe('the sample of an incoming file', () => {
  it('has the columns that the import accepts', () => {
    expect(connectionKinds.actuals.example.headings).toEqual(listColumns(actualFile).map(({ heading }) => heading))
  })
  it('has the year groups and Octobers that an import of pupils reads', () => {
    for (const [, yearGroup, october] of connectionKinds.pupils.example.rows)
      expect([parseYearGroup(yearGroup, lookups.pupilYearGroups), parseOctoberYear(october)]).toEqual([expect.any(Number), 2026])
  })
})

describe('a mapping of another system’s fields', () => {
  const { pupils } = connectionKinds
  const columns = [
    { column: 'Location', field: '', text: 'NGT' },
    { column: 'YearGroup', field: 'class.year', text: '' },
    { column: 'Pupils', field: 'on.roll', text: '' },
  ]
  const answer = {
    'a.b': {
      list: [
        { class: { year: 'R' }, 'on.roll': 31 },
        { class: { year: '1' }, 'on.roll': null },
      ],
    },
  }
  it('uses dots to lead through records, also if a name contains dots', () => {
    expect(readReplyRows(answer, { records: 'a.b.list', columns }, 'It')).toMatchObject({
      rows: [
        { Location: 'NGT', YearGroup: 'R', Pupils: '31' },
        { Location: 'NGT', YearGroup: '1', Pupils: '' },
      ],
    })
  })
  it('does not find inherited properties', () => {
    const inherited = [{ column: 'Pupils', field: 'constructor.name', text: '' }]
    expect(mapRows([{ a: 1 }], { records: '', columns: inherited }, 'It')).toEqual({
      problem: 'It has no constructor.name, from which Pupils is read. Choose the field that holds it.',
    })
    expect(readReplyRows([], { records: '__proto__', columns }, 'It')).toHaveProperty('problem')
  })
  it('is not needed if the fields have our column names, and the rows may still be inside the reply', () => {
    expect(readReplyRows({ rows: [{ Pupils: 3 }] }, { records: 'rows', columns: [] }, 'It')).toMatchObject({ rows: [{ Pupils: '3' }] })
    expect(readReplyRows([{ Pupils: { a: 1 } }], null, 'It')).toEqual({ problem: 'It responded, but not with a list of records.' })
  })
  it('reports at its field a required column that is read from nothing', () => {
    expect(findMappingProblems(pupils, { records: '', columns: [] })).toEqual([])
    expect(findMappingProblems(pupils, { records: '', columns: columns.slice(0, 2) })).toEqual([
      { field: 'columns.Pupils', message: 'Pupils is required: choose the field that holds it.' },
    ])
    expect(findMappingProblems(pupils, { records: '', columns: [...columns, ...columns] })[0]?.field).toBe('mapping')
  })
  it('is offered the fields of a reply, up to a limit', () => {
    expect(findRecordLists(answer)).toEqual([
      {
        records: 'a.b.list',
        fields: ['class.year', 'on.roll'],
        rows: [
          { 'class.year': 'R', 'on.roll': '31' },
          { 'class.year': '1', 'on.roll': '' },
        ],
      },
    ])
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_unused, at) => [`f${at}`, 'x'.repeat(1000)]))
    const list = summariseRecordList('', [wide, wide, wide, wide, wide])
    expect([list.fields.length, list.rows.length, list.rows[0]?.f0?.length]).toEqual([200, 3, 100])
    const lists = Object.fromEntries(Array.from({ length: 50 }, (_unused, at) => [`l${at}`, [{ a: 1 }]]))
    expect(findRecordLists(lists)).toHaveLength(20)
    expect(findRecordLists([1, 2])).toEqual([])
  })
  it('is suggested as for an imported file, with the choices made there', () => {
    expect(suggestColumns(connectionKinds.staff, ['person.empNo', 'person.lastName', 'pay.net'])).toEqual([
      { column: 'EmployeeNumber', field: 'person.empNo', text: '' },
      { column: 'Surname', field: 'person.lastName', text: '' },
    ])
    expect(suggestColumns(pupils, ['a.nc', 'count'], new Map([['nc', 'YearGroup']]))).toEqual([
      { column: 'YearGroup', field: 'a.nc', text: '' },
    ])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparatorTemplate, readComparatorFile } from '../../../domain/reports/measures/comparatorFile.ts'
import { type Comparator, compareWithComparators, parseStoredComparator } from '../../../domain/reports/measures/comparators.ts'

const table = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))

describe('a file from the benchmarking service', () => {
  const file = table(`
    URN    | SchoolName | SchoolType | LAName | PeriodCoveredByReturn | TotalPupils | TotalExpenditure | TotalTeachingSupportStaffCosts | TeachingStaffCosts | SupplyTeachingStaffCosts | AgencySupplyTeachingStaffCosts | TotalUtilitiesCosts
    100001 | Ash        | Academy    | Kent   | 12                    | 200.5       | 1000000          | 600000.55                      | 450000             | 10000                    | 5450                           | 33333.33
    100002 | Birch      | Academy    | Kent   | 7                     | 300         | 900000           | 500000                         | 400000             |                          |                                | 1
    100003 | Cedar      | Academy    | Kent   | 12                    |             |                  |                                |                    |                          |                                |
    100001 | Ash        | Academy    | Kent   | 12                    | 1           | 1                | 1                              | 1                  | 1                        | 1                              | 1
    |  |  |  |  |  |  |  |  |  |  | 5
  `)
  it('has figures per pupil and shares calculated from its amounts, to the penny and the tenth of a per cent', () => {
    expect(readComparatorFile(file)?.schools).toEqual([
      {
        key: '100001',
        name: 'Ash',
        figures: {
          // (£600,000.55 + £33,333.33) ÷ 200.5 pupils; £450,000 and £15,450 of a million.
          teaching: 299_252,
          utilities: 16_625,
          teachersOfExpenditure: 450,
          supplyOfExpenditure: 15,
        },
      },
    ])
  })
  it('lists every row that gives no figures, with the reason', () => {
    expect(readComparatorFile(file)?.unused.map(({ row, text, why }) => `${row} ${text}: ${why}`)).toEqual([
      '3 Birch: Its return covers 7 months, not a year.',
      '4 Cedar: It has no value for any measure that Bursar compares.',
      '5 Ash: The school is already listed above.',
      '6 5: This row has no school name.',
    ])
  })
  it('says how each column was read, and which are not compared', () => {
    const columns = readComparatorFile(file)?.columns ?? []
    expect(columns.find((one) => one.heading === 'TotalPupils')?.use).toBe('Pupils')
    expect(columns.filter((one) => !one.use).map((one) => one.heading)).toEqual(['SchoolType', 'LAName'])
  })
  it('may already contain figures per pupil and per cent, title rows and other names for the same', () => {
    const read = readComparatorFile(
      table(`
        Benchmarking of primaries
        School | Year | Educational supplies (£ per pupil) | Staff costs % of income | Pupil-teacher ratio | Utilities, % of income
        Ash    | 2024/25 | £1,234.565 | 78.45% | 20.125 | 3
        Birch  | 2024/25 | (12) | n/a | | 4
      `),
    )
    expect(read?.year).toBe('2024/25')
    expect(read?.schools).toEqual([
      {
        key: 'Ash',
        name: 'Ash',
        figures: { educationalSupplies: 123_457, staffOfIncome: 785, pupilsPerTeacher: 2013 },
      },
      { key: 'Birch', name: 'Birch', figures: { educationalSupplies: -1200 } },
    ])
    expect(read?.columns.filter((one) => !one.use).map((one) => one.heading)).toEqual(['Utilities, % of income'])
  })
  it('may have a row for each measure of a school', () => {
    const read = readComparatorFile(
      table(`
        URN | School name | Measure | Value
        1   | Ash | Number of pupils | 100
        1   | Ash | Utilities | 5000
        1   | Ash | Playing fields | 3
        1   | Ash | Utilities | 6000
        2   | Birch | Utilities per pupil | 45.5
      `),
    )
    expect(read?.schools).toEqual([
      { key: '1', name: 'Ash', figures: { utilities: 5000 } },
      { key: '2', name: 'Birch', figures: { utilities: 4550 } },
    ])
    expect(read?.unused.map(({ row, why }) => `${row} ${why}`)).toEqual([
      '4 “Playing fields” is not a measure that Bursar compares.',
      '5 This measure of the school is already listed above.',
    ])
  })
  it('is refused if it names no schools with figures', () => {
    expect(readComparatorFile(table('Code | Description | Value\n1 | Books | 5'))).toBeNull()
    expect(readComparatorFile(table('School | Town\nAsh | Dover'))).toBeNull()
    expect(readComparatorFile([])).toBeNull()
  })
  it('may be made from the template, of which every column is recognised', () => {
    const headings = comparatorTemplate.columns.map((column) => column.heading)
    const read = readComparatorFile([headings, headings.map((_heading, index) => String(index + 1))])
    expect(read?.columns.every((one) => one.use)).toBe(true)
    expect(read?.schools).toHaveLength(1)
  })

  it('may be made from an earlier template, in which some measures had other names', () => {
    const former = [
      'URN',
      'Cost of a teacher (FTE 1), £',
      'Pupils for each teacher (FTE)',
      'Pupils for each adult (FTE)',
      'Cost of a lesson, £',
    ]
    expect(readComparatorFile([former, ['1', '2', '3', '4', '5']])?.columns.every((one) => one.use)).toBe(true)
  })
})

describe('a stored comparator', () => {
  it('is read by the keys of its measures, also if it was stored by their labels', () => {
    const school = { key: '1', name: 'Ash' }
    const figures = { staffOfIncome: 785, pupilsPerTeacher: 2013, utilities: 5000, lessonCost: 4300 }
    const byLabel = { 'Staff, % of income': 785, 'Pupils for each teacher (FTE)': 2013, Utilities: 5000, 'Cost of a lesson, £': 4300 }
    expect(parseStoredComparator({ ...school, figures })).toEqual({ ...school, figures })
    expect(parseStoredComparator({ ...school, figures: byLabel })).toEqual({ ...school, figures })
  })
})

describe('a figure compared with comparators', () => {
  const schools = (...figures: number[]): Comparator[] =>
    figures.map((figure, index) => ({ key: String(index), name: String(index), figures: { utilities: figure } }))
  const of = (own: number | null, ...figures: number[]) => compareWithComparators('utilities', own, schools(...figures))
  it('has a band in neutral words, a median and a count', () => {
    expect(of(1, 10, 20, 30, 40)).toEqual({ band: 'in the lowest quarter', median: 25, count: 4 })
    expect(of(15, 10, 20, 30, 40).band).toBe('below the middle')
    expect(of(25, 10, 20, 30, 40).band).toBe('in the middle')
    expect(of(30, 10, 20, 30, 40).band).toBe('above the middle')
    expect(of(41, 10, 20, 30, 40).band).toBe('in the highest quarter')
    expect(of(5, 5, 5, 5, 5)).toEqual({ band: 'in the middle', median: 5, count: 4 })
  })
  it('has none if fewer than four have the measure, and no band if its own is unknown', () => {
    expect(of(1, 10, 20, 30)).toEqual({ band: null, median: null, count: 3 })
    expect(of(null, 1, 2, 4, 4)).toEqual({ band: null, median: 3, count: 4 })
    expect(compareWithComparators('contactRatio', 0.78, schools(1, 2, 3, 4))).toEqual({ band: null, median: null, count: 0 })
  })
  it('is compared as the report shows it: tenths of a per cent and hundredths of a ratio', () => {
    const shares = [784, 785, 786, 787].map((share, at) => ({ key: `${at}`, name: '', figures: { staffOfIncome: share } }))
    expect(compareWithComparators('staffOfIncome', 78.5, shares)).toEqual({ band: 'below the middle', median: 78.6, count: 4 })
  })
  it('is never in a lower band for being larger, and half of the comparators are on each side of the median', () => {
    const bands = ['in the lowest quarter', 'below the middle', 'in the middle', 'above the middle', 'in the highest quarter']
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 4, maxLength: 30 }),
        fc.integer(),
        fc.nat(60),
        (all, own, more) => {
          const place = (value: number): number => bands.indexOf(of(value, ...all).band ?? '')
          expect(place(own)).toBeGreaterThanOrEqual(0)
          expect(place(own + more)).toBeGreaterThanOrEqual(place(own))
          const { median } = of(0, ...all)
          expect(all.filter((one) => one < median!).length * 2).toBeLessThanOrEqual(all.length + 1)
        },
      ),
    )
  })
})

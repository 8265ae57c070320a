import { describe, expect, it } from 'vitest'
import { entryFile } from '../../../domain/budget/items/entryFile.ts'
import { createEntryFile, createMonthsLayout, createYearsLayout } from '../../../domain/budget/items/entryYears.ts'
import { createPupilLayouts, pupilFile } from '../../../domain/budget/items/pupilFile.ts'
import { findClosestMatch } from '../../../domain/lists/nearest.ts'
import { parseCell } from '../../../domain/resources/cells.ts'
import { listColumns } from '../../../domain/resources/columns.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import { staffMember } from '../../../domain/resources/entities/budget/staffMember.ts'
import {
  findFileTable,
  listColumnChoicesToRemember,
  listMissingColumns,
  matchImportColumns,
  readFileRows,
  splitNameColumn,
} from '../../../domain/resources/importFile.ts'
import { findImportLayout } from '../../../domain/resources/importLayout.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'

const labelsOf = (resource: AnyResource) => Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, field.label]))
const people = listColumns(staffMember)
const labels = labelsOf(staffMember)

describe('a file of another system', () => {
  const cells = [
    ['Northgate Primary School'],
    ['Staff list at 1 September 2026'],
    [],
    ['Emp No', 'First name', 'Last name', 'DOB', 'Car park'],
    ['0071', 'Grace', 'Okoro', '1980-02-29', 'B'],
    ['', '', '', '', ''],
    ['0072', 'Aled', 'Price', '1991-07-01', ''],
    ['Total', '2', '', '', ''],
  ]
  it('is read below its title rows, by the column names of other systems', () => {
    expect(findFileTable(cells, { columns: people, labels })).toEqual({
      headingRow: 4,
      columns: ['EmployeeNumber', 'Forename', 'Surname', 'DateOfBirth', null],
    })
  })
  it('gives each row the number that the spreadsheet shows, leaves out empty rows, and names its totals', () => {
    expect(readFileRows(cells, findFileTable(cells, { columns: people, labels }))).toEqual({
      rows: [
        { number: 5, cells: { EmployeeNumber: '0071', Forename: 'Grace', Surname: 'Okoro', DateOfBirth: '1980-02-29' } },
        { number: 7, cells: { EmployeeNumber: '0072', Forename: 'Aled', Surname: 'Price', DateOfBirth: '1991-07-01' } },
      ],
      totals: [8],
    })
  })
  it('keeps a supplier called Total as an entry: a row is a total only if it adds up or counts those above', () => {
    const entries = [
      ['Description', 'Budget code', 'Cost centre', 'Amount'],
      ['Total Gas & Power', '4240', 'OFF', '12000'],
      ['Paper', '4330', 'OFF', '500'],
      ['Total', '', '', '12500'],
    ]
    const columns = ['Description', 'BudgetCode', 'CostCentre', 'Amount']
    const { rows, totals } = readFileRows(entries, { headingRow: 1, columns })
    expect(rows.map((row) => row.cells.Description)).toEqual(['Total Gas & Power', 'Paper'])
    expect(totals).toEqual([4])
    expect(readFileRows([...entries.slice(0, 3), ['Total', '', '', '12499']], { headingRow: 1, columns }).totals).toEqual([])
  })
  it('fills each column of the import once, preferring its own name', () => {
    expect(matchImportColumns(['Employee', 'EmployeeNumber', 'Payroll no'], { columns: people, labels })).toEqual([
      null,
      'EmployeeNumber',
      null,
    ])
    expect(matchImportColumns(['Surname', 'Surname', 'Employee', 'Employee'], { columns: people, labels })).toEqual([
      'Surname',
      null,
      'EmployeeNumber',
      null,
    ])
  })
  it('is read with the columns chosen before, including those left out', () => {
    const learned = new Map([
      ['car park', 'Email'],
      ['first name', null],
    ])
    expect(matchImportColumns(['Car park', 'First name'], { columns: people, labels, learned })).toEqual(['Email', null])
  })
  it('names the required columns that nothing was chosen for', () => {
    const contracts = listColumns(staffContract)
    const chosen = matchImportColumns(['Emp No', 'Job Title', 'Contract Start', 'Spine Point', 'Weekly Hrs'], {
      columns: contracts,
      labels: labelsOf(staffContract),
    })
    expect(chosen).toEqual(['EmployeeNumber', 'ContractName', 'StartDate', 'ScalePoint', 'HoursPerWeek'])
    expect(listMissingColumns(contracts, chosen)).toContain('EffectiveDate')
  })
  it('with meaningless headings is read from its first row of several cells, with no column used', () => {
    expect(findFileTable([['Report'], ['Red', 'Blue'], ['1', '2']], { columns: people, labels })).toEqual({
      headingRow: 2,
      columns: [null, null],
    })
  })
})

describe('the remembered choices for a file', () => {
  const headings = ['Emp No', 'Known as', 'Last name', 'DOB']
  const bySelf = matchImportColumns(headings, { columns: people, labels })
  const known = (learned: [string, string | null][] = []) => ({ columns: people, labels, learned: new Map(learned) })
  it('are those that differ from the headings, and the columns left out on purpose', () => {
    expect(bySelf).toEqual(['EmployeeNumber', null, 'Surname', 'DateOfBirth'])
    expect(listColumnChoicesToRemember(headings, bySelf, known())).toEqual([])
    expect(listColumnChoicesToRemember(headings, ['EmployeeNumber', 'Forename', 'Surname', null], known())).toEqual([
      { heading: 'known as', column: 'Forename' },
      { heading: 'dob', column: null },
    ])
  })
  it('apply to the next file, until somebody chooses otherwise', () => {
    const learned: [string, string | null][] = [
      ['known as', 'Forename'],
      ['dob', null],
    ]
    const next = ['Last name', 'KnownAs', 'DOB', 'Emp No']
    expect(matchImportColumns(next, { columns: people, labels, learned: new Map(learned) })).toEqual([
      'Surname',
      'Forename',
      null,
      'EmployeeNumber',
    ])
    expect(listColumnChoicesToRemember(next, ['Surname', 'Forename', null, 'EmployeeNumber'], known(learned))).toEqual([])
    expect(listColumnChoicesToRemember(next, ['Surname', 'Forename', 'DateOfBirth', 'EmployeeNumber'], known(learned))).toEqual([
      { heading: 'dob', column: 'DateOfBirth' },
    ])
  })
})

describe('a file with forename and surname in one column', () => {
  const file = (heading: string, names: readonly string[]): string[][] => [
    ['Staff in post'],
    ['Emp No', heading, 'DOB'],
    ...names.map((name, at) => [String(at + 1), name, '01/02/1980']),
    ['Total', '', '2'],
  ]
  const named = (heading: string, names: readonly string[]): string[][] =>
    splitNameColumn(file(heading, names), people)
      .slice(2, -1)
      .map(([, surname, forename]) => [surname ?? '', forename ?? ''])
  it('has them split at a comma or in the order given by the heading', () => {
    expect(named('Surname, forename', ['Okafor, Amira', 'Sato'])).toEqual([
      ['Okafor', 'Amira'],
      ['Sato', ''],
    ])
    expect(named('First name / Last name', ['Mary Ann Price'])).toEqual([['Price', 'Mary Ann']])
    expect(named('Employee name', ['Okafor, Amira', 'Price, Aled'])).toEqual([
      ['Okafor', 'Amira'],
      ['Price', 'Aled'],
    ])
    expect(
      findFileTable(splitNameColumn(file('Surname, forename', ['Okafor, Amira']), people), { columns: people, labels }).columns,
    ).toEqual(['EmployeeNumber', 'Surname', 'Forename', 'DateOfBirth'])
  })
  it('is not split if the column is not a person’s name, or the import has no names', () => {
    expect(named('Name', ['Okafor'])).toEqual([['Okafor', '01/02/1980']])
    const cells = file('Surname, forename', ['Okafor, Amira'])
    expect(splitNameColumn(cells, listColumns(entryFile))).toBe(cells)
  })
})

describe('a file of entries with the years in columns', () => {
  const years = ['2026/27', '2027/28']
  const layout = createYearsLayout(years)
  const columns = [...listColumns(entryFile), ...layout.columns]
  it('recognises its years however they are written', () => {
    expect(
      matchImportColumns(['Nominal code', 'Details', '2026/27', 'Budget 2027-28', '2028/29'], { columns, labels: labelsOf(entryFile) }),
    ).toEqual(['BudgetCode', 'Description', 'Amount 2026/27', 'Amount 2027/28', null])
    expect(matchImportColumns(['2026/2027', '27/28'], { columns, labels: labelsOf(entryFile) })).toEqual([
      'Amount 2026/27',
      'Amount 2027/28',
    ])
  })
  it('becomes a line for each year with an amount, or one for the first year if there is none', () => {
    const cells = { Description: 'Energy', 'Amount 2026/27': '100', 'Amount 2027/28': '' }
    const inFirst = { Amount: 'Amount 2026/27', BudgetYearName: 'Amount 2026/27' }
    expect(layout.convertRows([{ number: 4, cells }])).toEqual([
      { number: 4, cells: { Description: 'Energy', BudgetYearName: '2026/27', Amount: '100' }, standsIn: inFirst },
    ])
    expect(layout.convertRows([{ number: 5, cells: { ...cells, 'Amount 2026/27': '' } }])).toEqual([
      { number: 5, cells: { Description: 'Energy', BudgetYearName: '2026/27', Amount: '' }, standsIn: inFirst },
    ])
    const plain = { number: 6, cells: { Description: 'Energy', BudgetYearName: '2027/28', Amount: '7' } }
    expect(layout.convertRows([plain])).toEqual([{ ...plain, standsIn: {} }])
  })
})

describe('a file of entries with the months in columns', () => {
  const academy = { firstYear: 2026, numberOfYears: 2, startMonth: 9 }
  const maintained = { firstYear: 2026, numberOfYears: 2, startMonth: 4 }
  const match = (budget: typeof academy, headings: readonly string[]) => {
    const file = createEntryFile(budget)
    return matchImportColumns(headings, { columns: [...listColumns(file), ...createMonthsLayout(budget).columns], labels: labelsOf(file) })
  }
  const periods = (...numbers: number[]): string[] => numbers.map((number) => `Period${number}`)
  const all = periods(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
  it('has them understood as periods of the year of an academy or of a maintained school', () => {
    const months = ['Sep', 'Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug']
    expect(match(academy, months)).toEqual(all)
    expect(match(academy, ['Sept', 'October budget', 'DECEMBER', '£ Jan'])).toEqual(periods(1, 2, 4, 5))
    expect(match(maintained, ['April', 'May', 'March'])).toEqual(periods(1, 2, 12))
    expect(
      match(
        academy,
        Array.from({ length: 12 }, (_unused, at) => `Month ${at + 1}`),
      ),
    ).toEqual(all)
    expect(match(academy, ['P1', 'P02', 'Period 12', 'M3'])).toEqual(periods(1, 2, 12, 3))
  })
  it('does not take actuals, tax months or months of other years for them', () => {
    expect(match(academy, ['Sep actual', 'Tax month 1', 'Sep-24', 'Maybe', 'Marketing'])).toEqual(Array(5).fill(null))
  })
  it('with years becomes a line for each budget year, also if the year ends within the file', () => {
    const headings = ['Description', 'Code', '2026-09-01', 'Mar-27', 'Apr 2027', 'Total']
    const cells = [['Budget 2026/27'], headings, ['Energy', '4240', '100', '50', '25.50', '175.50'], ['Paper', '4330', '', '', '', '']]
    const layouts = [createMonthsLayout(maintained)]
    const columns = [...listColumns(createEntryFile(maintained)), ...layouts.flatMap((one) => one.columns)]
    const table = findFileTable(cells, { columns, labels, layouts })
    expect(table.columns).toEqual(['Description', 'BudgetCode', 'Period 6 of 2026/27', 'Period 12 of 2026/27', 'Period 1 of 2027/28', null])
    const lines = createMonthsLayout(maintained).convertRows(readFileRows(cells, table).rows)
    expect(lines.map((line) => line.cells)).toEqual([
      { Description: 'Energy', BudgetCode: '4240', BudgetYearName: '2026/27', Period6: '100', Period12: '50' },
      { Description: 'Energy', BudgetCode: '4240', BudgetYearName: '2027/28', Period1: '25.50' },
      { Description: 'Paper', BudgetCode: '4330', BudgetYearName: '2026/27', Amount: '' },
    ])
    expect(lines[1]!.standsIn).toEqual({ Period1: 'Period 1 of 2027/28' })
  })
})

describe('a file of pupil numbers', () => {
  const layouts = createPupilLayouts({ firstYear: 2026, numberOfYears: 3 })
  const columns = [...listColumns(pupilFile), ...layouts.flatMap((one) => one.columns)]
  const linesOf = (cells: string[][]) => {
    const table = findFileTable(cells, { columns, labels: labelsOf(pupilFile), layouts })
    const { rows, totals } = readFileRows(cells, table)
    const lines = findImportLayout(layouts, table.columns)!.convertRows(rows)
    return { totals, lines: lines.map((line) => `${line.number} ${line.cells.YearGroup} ${line.cells.October} ${line.cells.Pupils}`) }
  }
  it.each([
    ['Oct 2026', 'Oct 2027'],
    ['October 2026', 'October 2027'],
    ['Autumn census 2026', 'Autumn census 2027'],
    ['2026/27', '2027/28'],
    ['Oct-26', "Oct '27"],
    ['01/10/2026', '1 October 2027'],
    ['2026-10-01', '2027'],
    ['October 2026 (actual)', 'Forecast Oct 2027'],
  ])('with years down and Octobers across is read with its titles and totals: %s, %s', (first, second) => {
    const cells = [
      ['Northgate Primary School'],
      ['Pupil numbers'],
      [],
      ['Year', first, second],
      ['Reception', '30', '29'],
      ['Y1', '28', ''],
      ['KS1 total', '58', '29'],
      ['Year 2', '27', '28'],
      ['Total', '85', '57'],
    ]
    expect(linesOf(cells)).toEqual({
      totals: [7, 9],
      lines: ['5 Reception 2026 30', '5 Reception 2027 29', '6 Y1 2026 28', '8 Year 2 2026 27', '8 Year 2 2027 28'],
    })
  })
  it('is read without a heading above the years', () => {
    expect(
      linesOf([
        ['', '2026/27', '2027/28'],
        ['R', '30', '31'],
        ['1', '28', '30'],
      ]).lines,
    ).toEqual(['2 R 2026 30', '2 R 2027 31', '3 1 2026 28', '3 1 2027 30'])
  })
  it.each(['Year', 'Census', ''])('with Octobers down and years across is read the same way: %s', (heading) => {
    const cells = [
      ['Pupil numbers, Northgate'],
      [heading, 'Nursery', 'R', 'Y1', 'Year 2', 'Total'],
      ['Oct 2026', '20', '30', '28', '27', '105'],
      ['2027/28', '', '29', '30', '28', '87'],
    ]
    expect(linesOf(cells).lines).toEqual([
      '3 Nursery Oct 2026 20',
      '3 Reception Oct 2026 30',
      '3 Year 1 Oct 2026 28',
      '3 Year 2 Oct 2026 27',
      '4 Reception 2027/28 29',
      '4 Year 1 2027/28 30',
      '4 Year 2 2027/28 28',
    ])
  })
  it('is not taken for one with Octobers across because of another term', () => {
    expect(matchImportColumns(['Year group', 'Spring census 2027', 'May 2026 leavers'], { columns, labels: labelsOf(pupilFile) })).toEqual([
      'YearGroup',
      null,
      null,
    ])
  })
})

describe('an invalid cell of a file', () => {
  const none = (): undefined => undefined
  const amount = { kind: 'money', label: 'Amount' } as const
  it('is never read as another figure: a comma separates thousands and is no decimal point', () => {
    expect(parseCell(amount, '£1,234.50', none)).toEqual({ value: 1234.5 })
    expect(parseCell(amount, '(1,200)', none)).toEqual({ value: -1200 })
    expect(parseCell(amount, '1,5', none)).toEqual({ message: 'Amount must be a number. Enter 1.5 with a decimal point, not a comma.' })
    expect(parseCell(amount, 'about 9', none)).toEqual({ message: 'Amount must be a number.' })
  })
  it('with a date says what is wrong with it', () => {
    const start = { kind: 'date', label: 'Start date' } as const
    expect(parseCell(start, '1 Sep 2026', none)).toEqual({ value: '2026-09-01' })
    expect(parseCell(start, '31/02/2026', none)).toEqual({
      message: 'Start date is not a valid date. This day does not exist. Correct the date, day before month, such as 30/11/2026.',
    })
    expect(parseCell(start, 'soon', none)).toEqual({
      message: 'Start date is not a valid date. Enter day, month and year, such as 30/11/2026.',
    })
  })
  it('is offered the likeliest value, by code or by meaning, and nothing that is merely in the list', () => {
    const codes = [
      { value: '4240', meaning: 'Energy' },
      { value: '4250', meaning: 'Rates' },
    ]
    expect(findClosestMatch('Enrgy', codes)).toBe('4240')
    expect(findClosestMatch('Postage', codes)).toBeNull()
    const points = ['Main M5', 'Main M6', 'Upper U1'].map((value) => ({ value, meaning: null }))
    expect(findClosestMatch('Mian M6', points)).toBe('Main M6')
  })
})

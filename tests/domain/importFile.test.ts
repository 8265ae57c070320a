import { describe, expect, it } from 'vitest'

import { columnsOf } from '../../domain/resources/columns.ts'
import { staffContract } from '../../domain/resources/entities/staffContract.ts'
import { staffMember } from '../../domain/resources/entities/staffMember.ts'
import { chosenByHand, columnsFor, missingColumns, rowsOf, tableOf } from '../../domain/resources/importFile.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'

const labelsOf = (resource: AnyResource) => Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, field.label]))
const people = columnsOf(staffMember)
const labels = labelsOf(staffMember)

describe('the file of another system', () => {
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
  it('is read below its titles, by what other systems call its columns', () => {
    expect(tableOf(cells, people, labels)).toEqual({
      headingRow: 4,
      columns: ['EmployeeNumber', 'Forename', 'Surname', 'DateOfBirth', null],
    })
  })
  it('gives each row the number that the spreadsheet shows, leaves out empty rows, and names its totals', () => {
    expect(rowsOf(cells, tableOf(cells, people, labels))).toEqual({
      rows: [
        { number: 5, cells: { EmployeeNumber: '0071', Forename: 'Grace', Surname: 'Okoro', DateOfBirth: '1980-02-29' } },
        { number: 7, cells: { EmployeeNumber: '0072', Forename: 'Aled', Surname: 'Price', DateOfBirth: '1991-07-01' } },
      ],
      totals: [8],
    })
  })
  it('fills each column of the import once, its own name before another', () => {
    expect(columnsFor(['Employee', 'EmployeeNumber', 'Payroll no'], people, labels)).toEqual([null, 'EmployeeNumber', null])
    expect(columnsFor(['Surname', 'Surname', 'Employee', 'Employee'], people, labels)).toEqual(['Surname', null, 'EmployeeNumber', null])
  })
  it('is read as its columns were chosen before, those that were left out among them', () => {
    const learned = new Map([
      ['car park', 'Email'],
      ['first name', null],
    ])
    expect(columnsFor(['Car park', 'First name'], people, labels, learned)).toEqual(['Email', null])
  })
  it('says which columns nothing was chosen for that an import cannot do without', () => {
    const contracts = columnsOf(staffContract)
    const chosen = columnsFor(['Emp No', 'Job Title', 'Contract Start', 'Spine Point', 'Weekly Hrs'], contracts, labelsOf(staffContract))
    expect(chosen).toEqual(['EmployeeNumber', 'ContractName', 'StartDate', 'ScalePoint', 'HoursPerWeek'])
    expect(missingColumns(contracts, chosen)).toContain('EffectiveDate')
  })
  it('whose headings say nothing is read from its first row of several cells, with no column used', () => {
    expect(tableOf([['Report'], ['Red', 'Blue'], ['1', '2']], people, labels)).toEqual({ headingRow: 2, columns: [null, null] })
  })
})

describe('what is remembered of a file', () => {
  const headings = ['Emp No', 'Known as', 'Last name', 'DOB']
  const bySelf = columnsFor(headings, people, labels)
  const known = (learned: [string, string | null][] = []) => ({ columns: people, labels, learned: new Map(learned) })
  it('is what was chosen otherwise than by the headings themselves, and what was left out on purpose', () => {
    expect(bySelf).toEqual(['EmployeeNumber', null, 'Surname', 'DateOfBirth'])
    expect(chosenByHand(headings, bySelf, known())).toEqual([])
    expect(chosenByHand(headings, ['EmployeeNumber', 'Forename', 'Surname', null], known())).toEqual([
      { heading: 'known as', column: 'Forename' },
      { heading: 'dob', column: null },
    ])
  })
  it('reads the next file as the last one was read, until somebody chooses otherwise again', () => {
    const learned: [string, string | null][] = [
      ['known as', 'Forename'],
      ['dob', null],
    ]
    const next = ['Last name', 'KnownAs', 'DOB', 'Emp No']
    expect(columnsFor(next, people, labels, new Map(learned))).toEqual(['Surname', 'Forename', null, 'EmployeeNumber'])
    expect(chosenByHand(next, ['Surname', 'Forename', null, 'EmployeeNumber'], known(learned))).toEqual([])
    expect(chosenByHand(next, ['Surname', 'Forename', 'DateOfBirth', 'EmployeeNumber'], known(learned))).toEqual([
      { heading: 'dob', column: 'DateOfBirth' },
    ])
  })
})

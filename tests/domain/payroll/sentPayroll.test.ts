import { describe, expect, it } from 'vitest'
import {
  buildPayrollImport,
  detectPayrollChoices,
  mapPayrollTexts,
  type PayrollFileChoices,
  type ProviderSetup,
  parsePayrollRows,
  preparePayrollRowsToSend,
} from '../../../client/payroll/provider/payrollFile.ts'
import { mapPayrollRows, readPayroll } from '../../../domain/payroll/provider/rows.ts'
import { toLocationId } from '../../../domain/values/ids.ts'

const rowsOf = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .join('\t'),
    )
const cellsOf = (rows: readonly string[]): string[][] => rows.map((row) => row.split('\t'))

const northgate = { id: 7, codes: ['NOR'], name: 'Northgate', isArchived: false }
const eastfield = { id: 8, codes: ['EAS'], name: 'Eastfield', isArchived: false }
/** The setup as a user with access to these locations sees it. Other locations with the same name are unknown to them. */
const open = (locations: ProviderSetup['locations']): ProviderSetup => ({
  providers: [],
  codes: [{ id: 1, codes: ['100'], name: 'Basic pay', type: 1, element: null }],
  locations,
})
const sectioned = rowsOf(`
  Name              | Emp No | Element | Amount
  School: Northgate |        |         |
  Hill              | 123    | 100     | 3000.00
  School: Eastfield |        |         |
  Ivory             | 124    | 100     | 1500.00
`)
const leftOut = (choices: PayrollFileChoices): PayrollFileChoices => ({
  ...choices,
  mapping: { ...choices.mapping, location: new Map([['eastfield', null]]) },
})

describe('a payroll file as sent to the server', () => {
  it('is read as on the screen if its sections are in an unused column', () => {
    const known = open([northgate, eastfield])
    const choices = leftOut(detectPayrollChoices(cellsOf(sectioned), known))
    const reading = parsePayrollRows(cellsOf(sectioned), choices, known)!
    const texts = mapPayrollTexts(reading, choices, known)
    const { proof } = buildPayrollImport(cellsOf(sectioned), { reading, texts, locationId: toLocationId(northgate.id) })
    expect([proof.file.value, proof.imported.value, proof.leftOut.value]).toEqual([450000, 300000, 150000])
    const sent = cellsOf(preparePayrollRowsToSend(sectioned, choices))
    const mapping = {
      code: new Map([['100', 1]]),
      location: new Map([
        ['northgate', northgate.id],
        ['eastfield', null],
      ]),
    }
    const read = readPayroll(sent, reading.table, (text) => mapping.location.has(text.toLowerCase()))
    expect(mapPayrollRows(read.rows, mapping, toLocationId(northgate.id)).proof).toEqual(proof)
    // Names of employees are not sent to the server.
    expect(sent.flat()).not.toContain('Hill')
  })

  it.each([
    ['that says that it is one', 'School: Northgate', 'School: Eastfield'],
    ['below one that is known', 'Northgate', 'Eastfield'],
  ])('has the pay of an unknown school under its own heading: %s', (_which, first, second) => {
    const own = open([northgate])
    const rows = sectioned.map((row) => row.replace('School: Northgate', first).replace('School: Eastfield', second))
    const choices = detectPayrollChoices(cellsOf(rows), own)
    const reading = parsePayrollRows(cellsOf(rows), choices, own)!
    expect(reading.read.rows.map((row) => row.location)).toEqual(['Northgate', 'Eastfield'])
    const texts = mapPayrollTexts(reading, choices, own)
    const { unmapped } = buildPayrollImport(cellsOf(rows), { reading, texts, locationId: toLocationId(northgate.id) }).proof
    expect(unmapped).toEqual({ rows: 1, value: 150000 })
  })

  it('has the pay of an unknown school under its own heading, also above the first known one', () => {
    const own = open([eastfield])
    const rows = sectioned.map((row) => row.replace('School: ', ''))
    const reading = parsePayrollRows(cellsOf(rows), detectPayrollChoices(cellsOf(rows), own), own)!
    expect(reading.read.rows.map((row) => row.location)).toEqual(['Northgate', 'Eastfield'])
  })
})

it('has no school from a page or an employee that heads rows', () => {
  const rows = rowsOf(`
    Emp No            | Element | Amount
    School: Northgate |         |
    Employee: Hill    |         |
    123               | 100     | 3000.00
    Page 2 of 3       |         |
    123               | 100     | 10.00
  `)
  const own = open([northgate])
  const reading = parsePayrollRows(cellsOf(rows), detectPayrollChoices(cellsOf(rows), own), own)!
  expect(reading.read.rows.map((row) => row.location)).toEqual(['Northgate', 'Northgate'])
})

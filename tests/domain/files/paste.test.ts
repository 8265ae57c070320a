import { describe, expect, it } from 'vitest'
import { findPasteColumns, isPastedRowValid, parseCopiedBlock, previewPaste } from '../../../client/nonStaffing/entries/paste.ts'
import {
  createEmptyLine,
  type EntryChoices,
  type LoadedSheet,
  parsePoundsAsPennies,
  type SheetField,
} from '../../../client/nonStaffing/entries/sheetModel.ts'

const choice = (id: number, code: string, description: string) => ({ id, code, description, isOffered: true, isIncome: false })
const choices: EntryChoices = {
  budgetCodes: [
    { ...choice(1, '4220', 'Cleaning'), rates: null },
    { ...choice(2, '4240', 'Energy'), rates: null },
  ],
  costCentres: [choice(3, 'SITE', 'Site and premises'), choice(4, '100', 'Lower school')],
  fundCodes: [choice(5, 'GEN', 'General fund')],
  analysisTags: [],
  profiles: [{ ...choice(6, 'Winter', ''), weights: [] }],
  costCentresMandatory: false,
}
const yearNames = ['2026/27', '2027/28']
const sheet: LoadedSheet = { rows: [], version: 1, isWhole: true, total: 0, yearNames, linked: [], problems: [] }
const fields: SheetField[] = ['description', 'budgetCodeId', 'costCentreId', 'fundCodes', 'profileTemplateId', 'year0', 'year1']

describe('a block pasted into the sheet of budget entries', () => {
  it('with description, code and amount has its amounts in the first year, not in the cost centre', () => {
    const block = [
      ['Window cleaning', '4220', '£1,200'],
      ['Hygiene', '4220', '(1500)'],
    ]
    expect(findPasteColumns(block, fields, choices)).toEqual(['description', 'budgetCodeId', 'year0'])
    const wide = block.map((cells) => [...cells, '900'])
    expect(findPasteColumns(wide, fields, choices)).toEqual(['description', 'budgetCodeId', 'year0', 'year1'])
  })
  it('reads no amount from an unknown or archived code', () => {
    const archived = { ...choices, costCentres: [...choices.costCentres, { ...choice(7, '200', 'Annexe'), isOffered: false }] }
    expect(findPasteColumns([['Books', '9999', '500']], fields, choices)).toEqual(fields.slice(0, 3))
    expect(findPasteColumns([['Books', '4220', '9999', '500']], fields, choices)).toEqual([...fields.slice(0, 3), 'year0'])
    expect(findPasteColumns([['Books', '4220', '200', '', '', '1200', '1250']], fields, archived)).toEqual(fields)
    expect(findPasteColumns([['Books', '4220', '£200', 'GEN 100']], fields, archived)).toEqual(fields.slice(0, 4))
  })
  it('keeps every row if a text begins with a quotation mark', () => {
    expect(parseCopiedBlock('"5 reams A4\t4220\t200\nToner\t4240\t300\n')).toEqual([
      ['"5 reams A4', '4220', '200'],
      ['Toner', '4240', '300'],
    ])
    expect(parseCopiedBlock('"Two\nlines"\t4220\t200\n')).toEqual([['Two\nlines', '4220', '200']])
  })
  it('has its amounts read like those of a file, and thousands by the letter k', () => {
    const pounds = { '1,234.50-': -123_450, '(1.5k)': -150_000, '12k': 1_200_000, '£-': 0, '1234.5600000000001': 123_456 }
    for (const [text, pennies] of Object.entries(pounds)) expect(parsePoundsAsPennies(text), text).toBe(pennies)
    for (const text of ['1,5', '12 34', '-', '', '#N/A', '33.333333', '3.5%']) expect(parsePoundsAsPennies(text), text).toBeUndefined()
  })
  it('whose numbers are cost centres stays where it was pasted', () => {
    const block = [['Cleaning', '4220', '100', 'GEN 100', 'Winter', '1200']]
    expect(findPasteColumns(block, fields, choices)).toEqual(fields.slice(0, 6))
    expect(findPasteColumns([['1200']], fields.slice(2), choices)).toEqual(['costCentreId'])
  })
  it('separates valid and invalid rows, so that the valid ones can be pasted', () => {
    const block = [
      ['Window cleaning', '4220', '£1,200'],
      ['Pest control', '9999', '£800'],
      ['Nothing yet', '4240', ''],
    ]
    const columns = findPasteColumns(block, fields, choices)
    const rows = block.map((_cells, index) => createEmptyLine(`row ${index}`, yearNames.length))
    const read = previewPaste(block, { rows, columns, choices, sheet })
    expect(read.map(isPastedRowValid)).toEqual([true, false, false])
    expect(read[0]!.changes).toEqual({ description: 'Window cleaning', budgetCodeId: 1, amount: 1200 })
    expect(read[1]!.cells.find((cell) => cell.problem)?.problem).toBe(
      'No budget code matches “9999”. Enter a code, or choose from the list.',
    )
    expect(read[2]!.lacks).toBe('an amount')
  })
})

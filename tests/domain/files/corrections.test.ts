import { describe, expect, it } from 'vitest'
import { createCorrectionSuggester, suggestCorrection } from '../../../domain/resources/corrections.ts'

const choices = (...values: string[]) => values.map((value) => ({ value, meaning: null }))
const points = choices(
  'Main M3',
  'Main M4',
  'Main M5',
  'Upper U1',
  'Upper U3',
  'Unqualified UQ5',
  'Leadership L5',
  'Leadership L12',
  'NJC SCP2',
  'NJC SCP5',
  'NJC SCP12',
)
const offered = {
  ScalePoint: points,
  ErPension: choices('Yes', 'No'),
  ServiceTerm: [
    { value: 'TPS', meaning: 'Teachers’ Pension Scheme' },
    { value: 'SUP', meaning: 'Support staff, local government pension' },
  ],
  BudgetCode: [
    { value: '4010', meaning: 'Learning resources' },
    { value: '4010-B', meaning: 'Books' },
    { value: 'ENG', meaning: 'English income' },
  ],
  CostCentre: choices('ENG', 'B', 'SCI'),
  FundCodes: choices('GEN'),
}
const suggest = (column: string, value: string, more: { heading?: string; cells?: Record<string, string> } = {}) =>
  suggestCorrection({ column, value, heading: '', cells: {}, ...more }, offered)
const pointFor = (value: string, more?: { heading?: string; cells?: Record<string, string> }) =>
  suggest('ScalePoint', value, more)?.ScalePoint

describe('a scale point in a payroll’s words', () => {
  it.each([
    ['UPS3', 'Upper U3'],
    ['U3', 'Upper U3'],
    ['UPR 1', 'Upper U1'],
    ['MPS 4', 'Main M4'],
    ['M4', 'Main M4'],
    ['Main scale 5', 'Main M5'],
    ['SCP 2', 'NJC SCP2'],
    ['SCP02', 'NJC SCP2'],
    ['scp12', 'NJC SCP12'],
    ['L.12', 'Leadership L12'],
    ['UQT5', 'Unqualified UQ5'],
  ])('%s is suggested as %s', (text, point) => {
    expect(pointFor(text)).toBe(point)
  })
  it('as a number alone is suggested only if the heading or the row names its scale', () => {
    expect(pointFor('5', { heading: 'SCP' })).toBe('NJC SCP5')
    expect(pointFor('5', { heading: 'Main scale point' })).toBe('Main M5')
    expect(pointFor('5', { heading: 'Point', cells: { Type: 'Support' } })).toBe('NJC SCP5')
    expect(pointFor('5', { heading: 'Point', cells: { ContractTypeName: 'Support, full year' } })).toBe('NJC SCP5')
    expect(pointFor('5', { heading: 'Point' })).toBeUndefined()
    expect(pointFor('9', { heading: 'SCP' })).toBeUndefined()
  })
  it('that does not exist is never corrected to one with another number', () => {
    for (const text of ['SCP 51', 'NJC 1', 'NJC SCP22', 'Leadership 55', 'Leadership L51', 'Main 13'])
      expect(pointFor(text), text).toBeUndefined()
    expect(pointFor('Leadrship L12')).toBe('Leadership L12')
  })
})

describe('a pension scheme in a file', () => {
  it.each([
    ['TPS', 'Yes'],
    ['LGPS', 'Yes'],
    ['Teachers’ Pension', 'Yes'],
    ["Teachers' Pension Scheme", 'Yes'],
    ['Local Government Pension Scheme', 'Yes'],
    ['Opted out', 'No'],
    ['None', 'No'],
    ['Not a member', 'No'],
  ])('%s answers whether the employer pays a pension: %s', (text, answer) => {
    expect(suggest('ErPension', text)).toEqual({ ErPension: answer })
  })
  it('is found among payroll codes, written out or in short', () => {
    expect(suggest('ServiceTerm', 'Teachers Pension')).toEqual({ ServiceTerm: 'TPS' })
    expect(suggest('ServiceTerm', 'LGPS')).toEqual({ ServiceTerm: 'SUP' })
  })
})

describe('a mistake in thousands of rows', () => {
  it('is compared with a long list once', () => {
    let compared = 0
    const codes = Array.from({ length: 300 }, (_unused, at) => ({
      value: String(4000 + at),
      get meaning() {
        compared++
        return `Description of code ${at}`
      },
    }))
    const correct = createCorrectionSuggester({ BudgetCode: codes })
    const correctRow = (row: number) =>
      correct({ column: 'BudgetCode', value: 'Energi and wter', heading: 'Code', cells: { Description: `Row ${row}` } })
    correctRow(0)
    const comparedOnce = compared
    expect(comparedOnce).toBeGreaterThanOrEqual(300)
    for (let row = 1; row < 50; row++) correctRow(row)
    expect(compared).toBe(comparedOnce)
  })
  it('is separated into two codes without comparing spellings', () => {
    const correct = createCorrectionSuggester(offered)
    expect(correct({ column: 'BudgetCode', value: '4010-SCI', heading: '', cells: {} }, 'joinedCodes')).toEqual({
      BudgetCode: '4010',
      CostCentre: 'SCI',
    })
    expect(correct({ column: 'BudgetCode', value: 'Learning resorces', heading: '', cells: {} }, 'joinedCodes')).toBeNull()
    expect(correct({ column: 'BudgetCode', value: 'Learning resorces', heading: '', cells: {} })).toEqual({ BudgetCode: '4010' })
  })
})

describe('a budget code and a cost centre in one cell', () => {
  it.each(['4010-SCI', '4010/SCI', 'SCI-4010', '4010 SCI', '4010 – sci'])('are separated if both are known: %s', (text) => {
    expect(suggest('BudgetCode', text)).toEqual({ BudgetCode: '4010', CostCentre: 'SCI' })
  })
  it('may be a budget code and a fund', () => {
    expect(suggest('BudgetCode', '4010-GEN')).toEqual({ BudgetCode: '4010', FundCodes: 'GEN' })
  })
  it('are not separated, and the second is not dropped, if one is unknown, if it is a code itself, or if it can be read in two ways', () => {
    expect(suggest('BudgetCode', '4010-ART')).toBeNull()
    expect(suggest('BudgetCode', '4010-B')).toBeNull()
    const both = { ...offered, BudgetCode: choices('ENG', 'SCI'), CostCentre: choices('ENG', 'SCI') }
    expect(suggestCorrection({ column: 'BudgetCode', value: 'ENG-SCI', heading: '', cells: {} }, both)).toBeNull()
  })
  it('are told from a code with its description', () => {
    expect(suggest('BudgetCode', '4010 Learning resources')).toEqual({ BudgetCode: '4010' })
    expect(suggest('BudgetCode', 'Learning resource (4010)')).toEqual({ BudgetCode: '4010' })
  })
  it('never replace a cost centre that the row already has', () => {
    expect(suggest('BudgetCode', '4010-SCI', { cells: { CostCentre: 'ENG' } })).toBeNull()
    expect(suggest('BudgetCode', '4010-SCI', { cells: { CostCentre: 'sci' } })).toEqual({ BudgetCode: '4010', CostCentre: 'SCI' })
  })
})

describe('a budget code that is not known', () => {
  it('is never replaced by a code with other digits', () => {
    const codes = {
      BudgetCode: [
        { value: '642200', meaning: 'Nursery staff: employer NI' },
        { value: '730100', meaning: 'Cleaning' },
      ],
    }
    const cell = { column: 'BudgetCode', heading: 'Code', cells: { Description: 'Cleaning' } }
    expect(suggestCorrection({ ...cell, value: '4200-ADM' }, codes)).toBeNull()
    expect(suggestCorrection({ ...cell, value: '64220' }, codes)).toBeNull()
    for (const text of ['4011', '40100', '401']) expect(suggest('BudgetCode', text), text).toBeNull()
    expect(suggest('BudgetCode', '04010')).toEqual({ BudgetCode: '4010' })
    expect(suggestCorrection({ ...cell, value: 'Cleaning' }, codes)).toEqual({ BudgetCode: '730100' })
  })
})

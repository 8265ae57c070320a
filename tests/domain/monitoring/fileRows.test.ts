import { describe, expect, it } from 'vitest'
import { actualType } from '../../../domain/lookups/lookupIds.ts'
import { type ActualsFileContext, readActualsFile } from '../../../domain/monitoring/fileRows.ts'
import { toLocationId } from '../../../domain/values/ids.ts'
import type { DomainError } from '../../../domain/words/errors.ts'

const northgate = { id: toLocationId(7), name: 'Northgate', budgetCodeFilter: 'NG' }
const riverside = { id: toLocationId(8), name: 'Riverside', budgetCodeFilter: 'RS' }
const records: Record<string, Record<string, number>> = {
  budgetCode: { E01: 1, E02: 2 },
  costCentre: { OFF: 3 },
  fundCode: { GEN: 4 },
  analysisTag: { Sports: 5 },
}
/** Code E02 is used only at Riverside. */
const known: ActualsFileContext = {
  locations: [northgate, riverside, { id: toLocationId(9), name: 'Without a filter', budgetCodeFilter: null }],
  locationsWithBudget: new Set([northgate.id, riverside.id]),
  find: (field, text) => ('to' in field ? records[field.to]?.[text] : undefined),
  locationsByRecord: new Map([['budgetCode 2', [riverside.id]]]),
}
const september = { year: 2026, month: 9 }
type Cells = Record<string, string>
const row = (Value: string, more: Cells = {}): Cells => ({
  Type: 'Actual',
  BudgetCodeFilter: 'NG',
  Value,
  BudgetCode: 'E01',
  CostCentre: 'OFF',
  ...more,
})
const problemsIn = (...rows: Cells[]) => readActualsFile(rows, september, known).problems
/** The sentence with which the whole file is refused. */
function refusalOf(rows: Cells[]): string {
  try {
    readActualsFile(rows, september, known)
  } catch (error) {
    return (error as DomainError).message
  }
  return ''
}

describe('a file of actuals and commitments', () => {
  it('is read line by line, each for the location with its filter, ignoring case', () => {
    const more = { BudgetCodeFilter: 'rs', Type: 'Commitment', Description: ' Chairs ', FundCode: 'GEN', AnalysisTag: 'Sports' }
    const { lines, problems } = readActualsFile([row('90'), row('-12.30', more)], september, known)
    expect(problems).toEqual([])
    const plain = { budgetCodeId: 1, costCentreId: 3 }
    expect([...lines]).toEqual([
      [northgate.id, [{ ...plain, type: actualType.actual, fundCodeId: null, analysisTagId: null, description: null, value: 9_000 }]],
      [riverside.id, [{ ...plain, type: actualType.commitment, fundCodeId: 4, analysisTagId: 5, description: 'Chairs', value: -1_230 }]],
    ])
  })
  it('is refused if an unused column contains money, except for budgets and totals', () => {
    expect(refusalOf([row('90.00', { Bonus: '12.00' })])).toBe(
      'The column Bonus holds £12.00 and is not imported. Remove it from the file, or give it a heading that is imported.',
    )
    expect(refusalOf([row('90.00', { Budget: '12.00', 'Total YTD': '100.00', Note: 'paid 5.00', Reference: '12' })])).toBe('')
  })
  it('B-140 has every invalid cell named by row, column, value and what to do', () => {
    const problems = problemsIn(
      row('1'),
      row('a lot'),
      row('2', { BudgetCode: 'NOPE' }),
      row('3', { BudgetCodeFilter: 'nowhere' }),
      row('4', { Type: 'Guess' }),
      row('1.234'),
      row('5', { CostCentre: '' }),
      row('6', { BudgetCode: 'E02' }),
      row('7', { Description: 'x'.repeat(201) }),
      row('99999999999'),
    )
    expect(problems.map(({ row, column, value }) => [row, column, value?.slice(0, 12)])).toEqual([
      [2, 'Value', 'a lot'],
      [3, 'BudgetCode', 'NOPE'],
      [4, 'BudgetCodeFilter', 'nowhere'],
      [5, 'Type', 'Guess'],
      [6, 'Value', '1.234'],
      [7, 'CostCentre', ''],
      [8, 'BudgetCode', 'E02'],
      [9, 'Description', 'xxxxxxxxxxxx'],
      [10, 'Value', '99999999999'],
    ])
    for (const { message } of problems) expect(message).toMatch(/\.$/)
    expect(problems[1]!.message).toBe('Budget code was not found. Correct it, or add it first.')
    expect(problems[3]!.message).toMatch(/ Enter Actual or Commitment\.$/)
    expect(problems[6]!.message).toBe('This code is not used at Northgate. Choose one that is.')
  })
  it('for a month without a budget at its location is refused', () => {
    const { problems } = readActualsFile([row('1')], { year: 2050, month: 3 }, { ...known, locationsWithBudget: new Set() })
    expect(problems.map(({ message }) => message)).toEqual([
      'March 2050 is not covered by any budget for Northgate. Add a budget for that year, or choose another month.',
    ])
  })
  it.each(['Type', 'BudgetCodeFilter', 'Value', 'BudgetCode', 'CostCentre'])('B-147 needs the column %s', (left) => {
    const { [left]: _left, ...rest } = row('1')
    expect(refusalOf([rest])).toBe(`These columns are missing: ${left}.`)
  })
  it('names all missing columns', () => {
    expect(refusalOf([{ Type: 'Actual' }])).toBe('These columns are missing: BudgetCodeFilter, Value, BudgetCode, CostCentre.')
  })
})

import { expect, it } from 'vitest'
import type { BudgetHead } from '../../../domain/budget/budget.ts'
import { saveElements } from '../../../domain/budget/decide.ts'

const table = { effectiveDate: '2026-09-01', adminTableId: 7 }
const settings = { numberOfYears: 5, staffAssumptionsId: 1, inflationId: null, contractTypeIds: [1, 2] }
const elements = { nationalInsurance: [table], teacherPayScales: [table] } as unknown as BudgetHead['elements']
/** As PostgreSQL returns jsonb: keys ordered by length and then alphabetically. */
const stored = { teacherPayScales: [{ adminTableId: 7, effectiveDate: '2026-09-01' }], nationalInsurance: [{ ...table }] }
const head = { ...settings, elements: stored, locked: false } as unknown as BudgetHead

it('settings of a budget that are saved unchanged change nothing, in whatever order they were stored', () => {
  expect(saveElements(head, { ...settings, elements }, 5)).toEqual([])
})
it('a changed table or number of years is a change', () => {
  const later = { ...elements, nationalInsurance: [{ ...table, effectiveDate: '2027-04-01' }] }
  expect(saveElements(head, { ...settings, elements: later }, 5)).toHaveLength(1)
  expect(saveElements(head, { ...settings, elements, numberOfYears: 4 }, 5)).toHaveLength(1)
})

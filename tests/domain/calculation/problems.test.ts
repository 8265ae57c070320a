import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import { getEngine } from '../../../domain/calculation/engines/engines.ts'
import { calculateAgesReached, listAgeLimits } from '../../../domain/calculation/staffing/ages.ts'
import type { CostCase } from '../../../domain/calculation/staffing/case.ts'
import { toDisplayedProblem } from '../../../domain/calculation/staffing/displayProblem.ts'

const complete: CostCase = JSON.parse(readFileSync(join(import.meta.dirname, '../golden/teacher-part-time-tlr.json'), 'utf8'))

/** What people read about the contracts of a case. */
function shown(version: string, { employee, ...inputs }: CostCase): string[] {
  const ages = calculateAgesReached(employee.dateOfBirth, listAgeLimits(inputs.tables.nationalInsurance), inputs.budget)
  const costs = getEngine(version).costing(inputs)({ ...employee, ages })
  return costs.flatMap(({ problems }) => problems.map((problem) => toDisplayedProblem(problem).text))
}

describe.each(['1.0.0', engineVersion])('a cost that engine %s could not calculate', (version) => {
  it('names the day without a pay table as people read it', () => {
    const budgetElements = { ...complete.budgetElements, teacherPayScales: [] }
    expect(shown(version, { ...complete, budgetElements })).toEqual([
      'The budget has no teacher pay table on 01 Sep, 2026 that this contract type may use.',
    ])
  })
  it('names the day without a national insurance table', () => {
    const budgetElements = { ...complete.budgetElements, nationalInsurance: [] }
    expect(shown(version, { ...complete, budgetElements })).toEqual(['The budget has no national insurance table on 30 Sep, 2026.'])
  })
  it('names the month without a row, and leaves years in the name of a table alone', () => {
    const table = 'Rates in 2011-12'
    const budgetElements = { ...complete.budgetElements, nationalInsurance: [{ effectiveDate: '2020-01-01', table }] }
    const tables = { ...complete.tables, nationalInsurance: { [table]: [] } }
    expect(shown(version, { ...complete, budgetElements, tables })).toEqual([
      "Rates in 2011-12 has no row for this employee's age and pay in September 2026.",
    ])
  })
})

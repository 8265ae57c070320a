import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AppliedLeave, EmployeeInput } from '../../../domain/calculation/inputs.ts'
import { calculateAgesReached, listAgeLimits } from '../../../domain/calculation/staffing/ages.ts'
import { costEmployee } from '../../../domain/calculation/staffing/cost.ts'
import { calculateYearTotals } from '../../../domain/calculation/staffing/frozen.ts'
import { calculateLeaveEffect } from '../../../domain/calculation/staffing/leaveEffect.ts'
import { prepareCalculation } from '../../../domain/calculation/staffing/prepared.ts'
import { readCase } from '../../../domain/calculation/staffing/readCase.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'

const read = () => readCase(JSON.parse(readFileSync(join(import.meta.dirname, '../golden/maternity-teacher.json'), 'utf8')))

type Case = ReturnType<typeof read>

function employeeOf({ employee, tables, budget }: Case): EmployeeInput {
  return { ...employee, ages: calculateAgesReached(employee.dateOfBirth, listAgeLimits(tables.nationalInsurance), budget) }
}
const effectOf = (one: Case, leaves: AppliedLeave[]) => calculateLeaveEffect(prepareCalculation(one), employeeOf(one), leaves)

describe('the effect of extended leave', () => {
  it('is the cost of the contract with it, less the cost without it, in each year', () => {
    const maternity = read()
    const costs = (employee: EmployeeInput) => calculateYearTotals(assertDefined(costEmployee(prepareCalculation(maternity), employee)[0]))
    const without = costs({ ...employeeOf(maternity), leaves: [] })
    const [changes] = effectOf(maternity, maternity.employee.leaves)
    expect(changes).toEqual(costs(employeeOf(maternity)).map((total, year) => total! - without[year]!))
    // Full pay continues for only a few weeks.
    expect(changes!.reduce<number>((sum, change) => sum + change!, 0)).toBeLessThan(-500_000)
  })
  it('is zero for unchanged leave', () => {
    const maternity = read()
    expect(effectOf(maternity, [])).toEqual([Array(maternity.budget.years).fill(0)])
  })
  it('is not calculated if the cost is not, never zero', () => {
    const bare = read()
    bare.budgetElements.nationalInsurance = []
    expect(effectOf(bare, bare.employee.leaves)).toEqual([Array(bare.budget.years).fill(null)])
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CostCase } from '../../domain/calculation/staffing/case.ts'

/** Teachers with two allowances, increments and awards over five years, as most contracts of a trust are. */
export function createTeachers(count: number): { shared: CostCase; employees: CostCase['employee'][] } {
  const given: CostCase = JSON.parse(readFileSync(join(import.meta.dirname, '../domain/golden/teacher-part-time-tlr.json'), 'utf8'))
  const shared: CostCase = { ...given, budget: { ...given.budget, years: 5 } }
  const employees = Array.from({ length: count }, (_unused, index) => {
    const employee = structuredClone(given.employee)
    employee.contracts[0]!.maximumScalePoint = { kind: 'teacher', scale: 'Main', increment: 6 }
    for (const row of employee.contracts[0]!.rows) {
      row.fte = String((40 + (index % 61)) / 100)
      row.scalePoint = { kind: 'teacher', scale: 'Main', increment: 1 + (index % 5) }
    }
    return employee
  })
  return { shared, employees }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calculateAgesReached, listAgeLimits } from '../../../domain/calculation/staffing/ages.ts'
import { type CostCase, costCase } from '../../../domain/calculation/staffing/case.ts'
import { costEmployee, costMonth } from '../../../domain/calculation/staffing/cost.ts'
import { prepareCalculation } from '../../../domain/calculation/staffing/prepared.ts'

const folder = join(import.meta.dirname, '../golden')

describe('a month costed by itself', () => {
  it('has the same result as in the whole budget, in every month of every worked case', () => {
    for (const file of readdirSync(folder)) {
      const {
        employee,
        expect: _expected,
        ...inputs
      }: CostCase & { expect: unknown } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const prepared = prepareCalculation(inputs)
      const ages = calculateAgesReached(employee.dateOfBirth, listAgeLimits(inputs.tables.nationalInsurance), inputs.budget)
      const contracts = employee.contracts.filter((contract) => !contract.attritionContract)
      const own = { ages, leaves: employee.leaves, contracts }
      const whole = costEmployee(prepared, own)
      for (let month = 0; month < inputs.budget.years * 12; month++) {
        const alone = costMonth(prepared, own, month)
        for (const [index, { years }] of whole.entries()) {
          const year = years[Math.floor(month / 12)]!
          const { basic, leavePay, ni, pension, allowances } = alone[index]!
          const at = month % 12
          expect([file, month, basic, leavePay, ni, pension]).toEqual([
            file,
            month,
            year.basic[at],
            year.leavePay[at],
            year.ni[at],
            year.pension[at],
          ])
          for (const [name, figures] of Object.entries(year.allowances))
            expect(figures[at]).toBe(basic === null ? null : (allowances.get(name) ?? 0))
        }
      }
    }
  })
})

describe('worked cases of an independent calculation', () => {
  for (const file of readdirSync(folder)) {
    const { expect: expected, ...given } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    it(`${given.name}: ${given.checks}`, () => {
      expect(costCase(given)).toEqual(expected)
    })
  }
})

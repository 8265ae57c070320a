import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DerivationStep } from '../../../domain/calculation/inputs.ts'
import { calculateAgesReached, listAgeLimits } from '../../../domain/calculation/staffing/ages.ts'
import { type CostCase, costCase } from '../../../domain/calculation/staffing/case.ts'
import { explainMonth } from '../../../domain/calculation/staffing/explain.ts'
import { prepareCalculation } from '../../../domain/calculation/staffing/prepared.ts'

const folder = join(import.meta.dirname, '../golden')
const cases = readdirSync(folder).map((file): CostCase & { name: string } => JSON.parse(readFileSync(join(folder, file), 'utf8')))
const named = (name: string): CostCase => cases.find((one) => one.name === name)!

function explained(
  { employee, ...inputs }: CostCase,
  contract: number,
  month: number,
  labels: Record<string, string> = {},
): DerivationStep[] {
  const ages = calculateAgesReached(employee.dateOfBirth, listAgeLimits(inputs.tables.nationalInsurance), inputs.budget)
  return explainMonth(prepareCalculation(inputs), {
    employee: { ages, leaves: employee.leaves, contracts: employee.contracts },
    contract,
    month,
    labels,
  })
}

describe('the derivation of a month', () => {
  it('ends for each figure with the pennies of the month, in every month of every worked case', () => {
    for (const given of cases)
      for (const [index, contract] of costCase(given).contracts.entries())
        for (const [month, basic] of contract.years.flatMap((year) => year.basic).entries()) {
          if (!basic) continue
          const year = contract.years[Math.floor(month / 12)]!
          const steps = explained(given, index, month)
          const sign = given.employee.contracts[index]!.attritionContract ? -1 : 1
          for (const figure of ['basic', 'leavePay', 'pension', ...Object.keys(year.allowances)]) {
            const pennies = (figure in year.allowances ? year.allowances[figure] : year[figure as 'basic'])![month % 12]
            const last = steps.filter((step) => step.figure === figure).at(-1)
            if (pennies) expect(Math.round(Number(last!.value.replace(/,/g, '')) * 100)).toBe(sign * pennies)
          }
          const ni = year.ni[month % 12]
          const shown = steps.filter((step) => step.figure === 'ni').at(-1)?.value
          if (ni && given.employee.contracts.length === 1) expect(Math.round(Number(shown!.replace(/,/g, '')) * 100)).toBe(sign * ni)
        }
  })
  it('names point, table, awards, share, days, threshold, rate and rounding, each with its section', () => {
    const labels = explained(named('teacher-part-time-tlr'), 0, 14).map((step) => `${step.label} ${step.rule}`)
    for (const wanted of [
      /: Upper U2 §3.3/,
      /Pay award of .* §3.4/,
      /^FTE 0.6 §4/,
      /Less monthly threshold .* §6/,
      /halves down §0/,
      /× 28.68% §7/,
      /to the penny §0/,
    ])
      expect(labels.some((label) => wanted.test(label))).toBe(true)
  })
  it('distinguishes an allowance from a table with the same id', () => {
    const given = structuredClone(named('teacher-part-time-tlr'))
    const [contract] = given.employee.contracts
    given.allowances['7'] = given.allowances['TLR 2b']!
    contract!.rows[0]!.allowances = ['7']
    const steps = explained(given, 0, 0, { 'table:7': 'NI 2026/27', 'allowance:7': 'TLR 2b' })
    expect(steps.filter((step) => step.figure === '7').every((step) => !step.label.includes('NI 2026/27'))).toBe(true)
    expect(steps.some((step) => step.label.startsWith('TLR 2b: rate of'))).toBe(true)
  })
  it('changes no figure', () => {
    const given = named('maternity-teacher')
    const before = JSON.stringify(costCase(given))
    for (let month = 0; month < 24; month++) explained(given, 0, month)
    expect(JSON.stringify(costCase(given))).toBe(before)
  })
})

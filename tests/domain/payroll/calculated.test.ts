import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import { getEngine } from '../../../domain/calculation/engines/engines.ts'
import { splitByYear } from '../../../domain/calculation/staffing/posting.ts'
import { calculatePay, payComponents, substitutePayTables, sumPayComponents } from '../../../domain/payroll/calculatedPay.ts'
import { buildRecordByTableKind } from '../../../domain/resources/entities/budget/budget.ts'
import { listBudgetPeriods } from '../../../domain/values/calendar.ts'
import { goldenBudget, goldenBudgets } from '../../support/stories/goldenContracts.ts'

const golden = goldenBudgets()
const monthAt = (budget: { firstYear: number; startMonth: number }, index: number) => {
  const month0 = budget.startMonth - 1 + index
  return { year: budget.firstYear + Math.floor(month0 / 12), month: (month0 % 12) + 1 }
}

describe('the calculated pay of a month', () => {
  it.each(['1.0.0', engineVersion])('is what a budget recalculated with engine %s posts for that month, less recoveries', (engine) => {
    const { costContracts, linesOf } = getEngine(engine)
    for (const { name, contracts, frozen, shared } of golden) {
      const costs = costContracts(contracts, frozen, shared)
      const { firstYear, years, startMonth } = frozen.budget
      for (let index = 0; index < listBudgetPeriods(firstYear, years, startMonth).length; index++) {
        const pays = calculatePay(contracts, {
          frozen,
          shared,
          engine,
          question: { ...monthAt(frozen.budget, index), useInflation: true },
        })
        const employed = contracts.filter((contract) => !contract.attritionContract)
        expect(pays.map((pay) => pay.contractId)).toEqual(employed.map((contract) => contract.id))
        for (const { contractId, pay } of pays) {
          const contract = contracts.find((one) => one.id === contractId)!
          const cost = costs.get(contractId)!
          const lines = splitByYear(linesOf(contract, cost, shared)).filter(
            ({ year, component }) => year === Math.floor(index / 12) && component !== 'recovery',
          )
          const posted = lines.map((line) => line.amounts[index % 12]!)
          const expected = posted.some((amount) => amount === null) ? null : posted.reduce<number>((sum, amount) => sum + amount, 0)
          expect([name, index, sumPayComponents(pay)]).toEqual([name, index, expected])
        }
      }
    }
  })
  it('is shared over the payroll codes of a contract to the penny', () => {
    fc.assert(
      fc.property(fc.constantFrom(...golden), fc.nat(11), fc.integer({ min: 1, max: 5 }), (budget, index, codes) => {
        const terms = Array.from({ length: codes }, (_unused, n) => n + 1)
        const contracts = budget.contracts.map((contract) => ({ ...contract, serviceTerms: terms }))
        const month = { ...monthAt(budget.frozen.budget, index), useInflation: true }
        for (const { pay, shares } of calculatePay(contracts, { frozen: budget.frozen, shared: budget.shared, question: month }))
          for (const component of payComponents) {
            const own = shares.filter((share) => share.component === component)
            if (pay[component] === null) expect(own.map((share) => share.pennies)).toEqual(terms.map(() => null))
            else expect(own.reduce((sum, share) => sum + share.pennies!, 0)).toBe(pay[component])
          }
      }),
    )
  })
  it('without inflation ignores awards in the assumptions, and keeps those in the pay tables', () => {
    const { contracts, frozen, shared } = goldenBudget('teacher-m6-full-time')
    const september = { year: 2026, month: 9 }
    const paid = (rate: string, useInflation: boolean) => {
      const assumptions = { 1: { 1: { ...shared.assumptions[1]![1]!, inflation: [{ effectiveDate: '2026-09-15', rate }] } } }
      return calculatePay(contracts, { frozen, shared: { ...shared, assumptions }, question: { ...september, useInflation } })[0]!.pay
        .basic!
    }
    expect(paid('5', true)).toBeGreaterThan(paid('0', true))
    expect(paid('5', false)).toBe(paid('0', true))
  })
  it('leaves out vacancies, and is zero in a month that the budget does not have', () => {
    const { contracts, frozen, shared } = goldenBudget('teacher-m6-full-time')
    const vacant = contracts.map((contract) => ({ ...contract, staffId: null }))
    expect(calculatePay(vacant, { frozen, shared, question: { year: 2026, month: 9, useInflation: true } })).toEqual([])
    expect(calculatePay(contracts, { frozen, shared, question: { year: 2026, month: 8, useInflation: true } })).toEqual([])
    expect(calculatePay(contracts, { frozen, shared, question: { year: 2090, month: 8, useInflation: true } })).toEqual([])
  })
  it('uses chosen pay tables by their own dates, in place of the same kind only', () => {
    const elements = buildRecordByTableKind((kind) => [{ effectiveDate: '2025-09-01', adminTableId: kind.length }])
    const replaced = substitutePayTables(elements, [{ adminTableId: 90, kinds: ['teacher'], effectiveDate: '2026-09-01' }])
    expect(replaced).toEqual({ ...elements, teacherPayScales: [{ effectiveDate: '2026-09-01', adminTableId: 90 }] })
  })
})

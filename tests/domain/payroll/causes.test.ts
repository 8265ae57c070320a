import { describe, expect, it } from 'vitest'
import type { StaffContract } from '../../../domain/budget/budget.ts'
import { calculatePay, payComponents } from '../../../domain/payroll/calculatedPay.ts'
import { applyPayChange } from '../../../domain/payroll/causes/causes.ts'
import { explainPayDifference } from '../../../domain/payroll/causes/explain.ts'
import { prepareWhatIfBaseline, type RowKeyFinder } from '../../../domain/payroll/causes/whatIfBaseline.ts'
import { goldenBudget } from '../../support/stories/goldenContracts.ts'

const { contracts, frozen, shared } = goldenBudget('teacher-increments')
const labelled = { ...shared, labels: {} }
const october = { year: 2026, month: 10, useInflation: true }
const ground = prepareWhatIfBaseline(frozen, { shared: labelled, question: october })!
const rowOf: RowKeyFinder = (_contract, { component }) => component
const paid = (own: readonly StaffContract[]): Map<string, number> => {
  const [first] = calculatePay(own, { frozen, shared, question: october })
  return new Map(payComponents.map((component) => [component, first!.pay[component]!]))
}
const explain = (actual: Map<string, number>, more: { arrears?: Map<string, number>; notCompared?: Set<string> } = {}) =>
  explainPayDifference(ground, { staffId: contracts[0]!.staffId!, contracts, actual, arrears: new Map(), ...more }, rowOf)

describe('a difference in pay is explained', () => {
  it('by an increment not given, as a sentence, with the correction in the contract', () => {
    const held = contracts.map((contract) => ({ ...contract, maximumScalePoint: null }))
    const [first] = explain(paid(held))
    expect(first!.cause).toBe('increment')
    expect(first!.sentence).toMatch(/^Paid on M\d; the budget has M\d from 1 September: increment not given, −\d+\.\d\d$/)
    expect(first!.change).toMatchObject({ kind: 'row', contractId: contracts[0]!.id, from: '2026-09-01' })
  })
  it('by the arrears of the months carried forward, row by row', () => {
    const arrears = new Map([
      ['basic', 13_234],
      ['ni', 1_985],
    ])
    const actual = paid(contracts)
    for (const [row, pennies] of arrears) actual.set(row, actual.get(row)! + pennies)
    expect(explain(actual, { arrears })[0]).toMatchObject({
      cause: 'arrears',
      sentence: 'Includes arrears for months carried forward, +152.19',
    })
  })
  it('only on the rows that the payroll reports: rows missing from its files are not compared', () => {
    const held = contracts.map((contract) => ({ ...contract, maximumScalePoint: null }))
    const actual = paid(held)
    actual.delete('ni')
    expect(explain(actual)).toEqual([])
    expect(explain(actual, { notCompared: new Set(['ni']) })[0]!.cause).toBe('increment')
  })
  it('by two causes together, as two sentences, with the correction for each', () => {
    const both = contracts.map((contract) => ({
      ...contract,
      maximumScalePoint: null,
      salary: contract.salary.map((row) => ({ ...row, erPension: !row.erPension })),
    }))
    const [first] = explain(paid(both))
    expect(first!.sentence).toMatch(
      /^Paid on M\d; .*: increment not given\. Paid without employer pension, .*: not in the pension scheme, −[\d,]+\.\d\d$/,
    )
    expect(first).toMatchObject({ cause: 'increment', change: { kind: 'row' }, second: { kind: 'row', fields: { erPension: false } } })
    // Both corrections, applied in turn, give the pay that was paid.
    const put = [first!.change, first!.second!].reduce((own, change) => own.map((one) => applyPayChange(one, change)), [...contracts])
    expect(paid(put)).toEqual(paid(both))
  })
  it('by no pair of causes if only one row is compared', () => {
    const actual = paid(contracts)
    const only = new Map([['basic', actual.get('basic')! - 12_347]])
    const others = new Set(payComponents.filter((component) => component !== 'basic'))
    expect(explain(only, { notCompared: others }).filter(({ second }) => second)).toEqual([])
  })
  it('by nothing if it is within five pence on every row', () => {
    const actual = paid(contracts)
    actual.set('basic', actual.get('basic')! + 5)
    expect(explain(actual)).toEqual([])
  })
})

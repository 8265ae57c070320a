import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContractCost, Figure, YearCost } from '../../../domain/calculation/inputs.ts'
import { costCase } from '../../../domain/calculation/staffing/case.ts'
import { readStoredCost, type StoredCost, stringifyCanonicalCost, stringifyCost } from '../../../domain/calculation/staffing/storedCost.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'

const folder = join(import.meta.dirname, '../golden')
const figure = fc.oneof(fc.constant(0), fc.constant(null), fc.constant(254_876), fc.integer())
const nothing = Array<number>(12).fill(0)
// Includes years with zero in all months and with zero in all but one.
const months = fc.oneof(
  fc.array(figure, { minLength: 0, maxLength: 12 }),
  fc.constantFrom<Figure[]>(nothing, nothing.with(11, 1), nothing.slice(1), [null, ...nothing.slice(1)]),
)
const anyYear: fc.Arbitrary<YearCost> = fc.record({
  year: fc.constant('2026/27'),
  basic: months,
  allowances: fc.dictionary(fc.constantFrom('10', '9', 'TLR 2a'), months, { noNullPrototype: true }),
  leavePay: months,
  leaveRecovery: months,
  gross: months,
  ni: months,
  pension: months,
})
// Includes years with only basic pay, and years in which one month differs from the others.
const year = fc
  .tuple(anyYear, fc.constantFrom('any', 'basic', 'another'))
  .map(([one, gross]) => (gross === 'any' ? one : { ...one, gross: gross === 'basic' ? [...one.basic] : [...one.basic.slice(0, -1), 1] }))
const cost: fc.Arbitrary<ContractCost> = fc.record({
  name: fc.string(),
  problems: fc.array(fc.record({ code: fc.constant('NO_PAY_POINT' as const), text: fc.string(), from: fc.constant('2026-09-01') }), {
    maxLength: 2,
  }),
  warnings: fc.constantFrom<ContractCost['warnings']>([], ['NO_DATE_OF_BIRTH']),
  years: fc.array(year, { maxLength: 5 }),
})

describe('a costing stored in runs of equal months', () => {
  it('is read as it was written, through JSON', () => {
    fc.assert(fc.property(cost, (one) => void expect(readStoredCost(JSON.parse(stringifyCost(one)))).toEqual(one)))
  })
  it('has the hash of its canonical JSON', () => {
    fc.assert(fc.property(cost, (one) => void expect(stringifyCanonicalCost(one)).toBe(canonicalJson(one))))
  })
  it('is read alike if an earlier version stored it month by month', () => {
    fc.assert(fc.property(cost, (one) => void expect(readStoredCost(one as StoredCost)).toEqual(one)))
  })
  it('is the same again for every golden case, and is shorter', () => {
    for (const file of readdirSync(folder))
      for (const contract of costCase(JSON.parse(readFileSync(join(folder, file), 'utf8'))).contracts) {
        const whole: ContractCost = { name: contract.name, problems: [], warnings: [], years: contract.years }
        const kept = stringifyCost(whole)
        expect(readStoredCost(JSON.parse(kept))).toEqual(whole)
        expect(kept.length).toBeLessThan(JSON.stringify(whole).length)
      }
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DatedAward, PayPoint } from '../../../domain/calculation/inputs.ts'
import { calculateMedianRise, listAwardsInForce, placeAward } from '../../../domain/calculation/staffing/awardsInForce.ts'
import { costCase } from '../../../domain/calculation/staffing/case.ts'
import type { FrozenBudget, SharedInputs } from '../../../domain/calculation/staffing/frozen.ts'
import { readCase } from '../../../domain/calculation/staffing/readCase.ts'
import { addTrialAward, explainUnchanged } from '../../../domain/calculation/staffing/whatIf.ts'

const given = JSON.parse(readFileSync(join(import.meta.dirname, '../golden/teacher-m6-full-time.json'), 'utf8'))
const points = (table: string): PayPoint[] => given.tables.payScales[table].points
/** Monthly pay in September 2026, on the day that month’s pay table starts, with awards in the assumptions. */
const september = (inflation: DatedAward[]): number | null => {
  const assumptions = { ...given.assumptions, Teacher: { ...given.assumptions.Teacher, inflation } }
  return costCase(readCase({ ...given, assumptions })).contracts[0]!.years[0]!.basic[0]!
}

describe('an award included in a pay table', () => {
  const plain = september([])!
  it('is not counted again; a higher award adds the difference', () => {
    expect(september([{ effectiveDate: '2026-09-01', rate: '4' }])).toBe(plain)
    const annual = plain * 12
    expect(september([{ effectiveDate: '2026-09-01', rate: '4', inTable: '3' }])).toBe(Math.round((annual * 1.04) / 1.03 / 12))
    expect(september([{ effectiveDate: '2026-09-01', rate: '3', inTable: '3' }])).toBe(plain)
    // An award counts as included only in the table that starts on that very date.
    expect(september([{ effectiveDate: '2025-09-01', rate: '9', inTable: '3' }])).toBe(plain)
  })
  it('is the median rise of its points since the previous table', () => {
    const before = points('Teachers Sept 2025').slice(0, 3)
    const after = before.map((point, index) => ({ ...point, mainRate: String(Number(point.mainRate) * [1.02, 1.03, 1.09][index]!) }))
    expect(calculateMedianRise(before, after, 'mainRate')).toBe('3')
    expect(calculateMedianRise([], after, 'mainRate')).toBe(null)
  })
})

describe('an award that is tried', () => {
  const rise = calculateMedianRise(points('Teachers Sept 2025'), points('Teachers Sept 2026'), 'mainRate')!
  const frozen = { budget: given.budget, budgetElements: given.budgetElements, staffAssumptionsId: 1, people: {} } as FrozenBudget
  const shared = {
    tables: given.tables,
    contractTypes: { 1: { calculationType: 1, payScaleTypes: 1 }, 2: { calculationType: 2, payScaleTypes: 4 } },
    assumptions: {
      1: {
        1: { erPension: [], inflation: [{ effectiveDate: '2027-09-01', rate: '2.5' }] },
        2: { erPension: [], inflation: [{ effectiveDate: '2027-04-01', rate: '3' }] },
      },
    },
    allowances: {},
    leaveRulesets: {},
    labels: {},
  } as SharedInputs
  const place = (type: number, effectiveDate: string) => placeAward(frozen, { shared, typeId: type, effectiveDate, rate: '4.00' })
  it('is compared with the awards in force: of tables and of assumptions', () => {
    expect(listAwardsInForce(frozen, shared, [1])).toEqual([
      { contractTypeId: 1, effectiveDate: '2026-09-01', rate: rise, table: 'Teachers Sept 2026' },
      { contractTypeId: 1, effectiveDate: '2027-09-01', rate: '2.5', table: null },
    ])
  })
  it('raises a table, replaces an assumption, or names the award that it adds to', () => {
    const lifted = place(1, '2026-09-01')
    expect(lifted.inTable).toBe(rise)
    expect(lifted.sentences).toEqual([
      `4% in place of the ${Number(rise)}% that the pay table Teachers Sept 2026 includes: its figures are increased by the difference.`,
    ])
    expect(place(1, '2027-09-01').sentences).toEqual(['4% in place of the 2.5% in the assumptions.'])
    expect(place(2, '2027-09-01').sentences[0]).toBe('A new award, on top of the 3% of 01 Apr, 2027.')
    expect(place(1, '2025-09-01').sentences[0]).toContain('is dated after this award and applies from the first day of the budget')
  })
  it('changes the assumptions of its contract types and no others', () => {
    const changed = addTrialAward(shared, frozen, { contractTypeIds: [1], effectiveDate: '2026-09-01', rate: '4' })
    expect(changed.assumptions[1]![1]!.inflation).toEqual([
      { effectiveDate: '2027-09-01', rate: '2.5' },
      { effectiveDate: '2026-09-01', rate: '0', inTable: rise, liftedTo: '4' },
    ])
    expect(changed.assumptions[1]![2]).toBe(shared.assumptions[1]![2])
  })
})

it('an award equal to the one in force is reported to change nothing, not to miss employees', () => {
  const all = { isChosen: true, contracts: 3, ended: 1 }
  expect(explainUnchanged({ ...all, unchanged: 3 })).toBe(
    'No contract changes in cost: the award already applies, or no contract is paid under it from its date.',
  )
  expect(explainUnchanged({ ...all, unchanged: 1 })).toBe('1 of 3 contracts cost the same: 1 ended before the award.')
})

import { describe, expect, it } from 'vitest'
import { payrollElement } from '../../../domain/lookups/lookupIds.ts'
import { buildBackPayLedger, type ReconciledMonth, sumAccrualByCode } from '../../../domain/payroll/ledger.ts'
import { toStaffRef } from '../../../domain/payroll/payroll.ts'
import { type CalculatedShare, type ProviderCode, reconcile } from '../../../domain/payroll/reconcile.ts'
import { toContractId, toLocationId, toStaffId } from '../../../domain/values/ids.ts'

const code = (id: number, text: string, element: number): ProviderCode => ({
  id,
  code: text,
  type: 1,
  element,
  locations: [],
  serviceTerms: [],
})
const codes = [code(100, '100', payrollElement.basic), code(800, '800', payrollElement.employerNi)]
const terms = new Map([
  [5, { basic: 4000, ni: 4010, pension: 4020 }],
  [6, { basic: 4100, ni: 4110, pension: 4120 }],
])
const share = (staffId: number, pennies: number | null, more: Partial<CalculatedShare> = {}): CalculatedShare => ({
  locationId: toLocationId(1),
  employee: toStaffRef(toStaffId(staffId)),
  contractId: toContractId(`c${staffId}`),
  serviceTermId: 5,
  component: 'basic',
  pennies,
  ...more,
})
const month = (
  number: number,
  shares: CalculatedShare[],
  paid: [number, number, number][],
  notes: [number, string][] = [],
): ReconciledMonth => ({
  year: 2026,
  month: number,
  shares,
  budgetedLocations: new Set([1]),
  notes: new Map(notes.map(([id, text]) => [toStaffRef(toStaffId(id)), text])),
  tolerance: 0,
  rows: reconcile({
    shares,
    codes,
    imported: paid.map(([staffId, payrollCodeId, value]) => ({
      locationId: toLocationId(1),
      employee: toStaffRef(toStaffId(staffId)),
      payrollCodeId,
      value,
    })),
    typed: [],
    broughtForward: new Map(),
    carriedForward: new Map(),
    tolerance: 0,
  }),
})
const at = (number: number) => ({ codes, terms, at: { year: 2026, month: number } })

describe('the back-pay ledger of a level', () => {
  // The example of the rules: 3,911.67 calculated, and an award paid a month late.
  const september = month(9, [share(1, 391_167)], [[1, 100, 377_933]], [[1, 'Award not paid yet']])
  const october = month(10, [share(1, 391_167)], [[1, 100, 404_401]])

  it('shows what is owed since when and why, and the budget code for the accrual', () => {
    const { lines } = buildBackPayLedger([september], at(9))
    expect(lines).toEqual([
      {
        locationId: toLocationId(1),
        employee: 'staff 1',
        component: 'basic',
        open: 13_234,
        codes: [{ budgetCodeId: 4000, open: 13_234 }],
        entries: [{ year: 2026, month: 9, difference: -13_234, cause: 'Award not paid yet', settled: [], open: -13_234 }],
      },
    ])
    expect([...sumAccrualByCode(lines)]).toEqual([[4000, 13_234]])
  })

  it('is cleared by the month that pays it, and nothing is accrued then', () => {
    const { lines } = buildBackPayLedger([october, september], at(10))
    expect(lines[0]!.entries[0]!.settled).toEqual([{ year: 2026, month: 10, amount: -13_234 }])
    expect(lines[0]!.open).toBe(0)
    expect(sumAccrualByCode(lines).size).toBe(0)
    // The ledger as at the end of September.
    expect(buildBackPayLedger([october, september], at(9)).lines[0]!.open).toBe(13_234)
  })

  it('leaves out employees missing from the payroll, and counts what cannot be calculated instead of treating it as zero', () => {
    const shares = [share(1, 100_000), share(1, 12_000, { component: 'ni' }), share(2, null)]
    const { lines, notCalculated } = buildBackPayLedger(
      [
        month(9, shares, [
          [1, 100, 100_000],
          [2, 100, 50_000],
        ]),
      ],
      at(9),
    )
    expect(lines).toEqual([])
    expect(notCalculated).toBe(1)
  })

  it('splits the open amount over the codes of several contracts to the penny, and gives no code if no contract explains it', () => {
    const shares = [share(1, 100_000), share(1, 50_000, { contractId: toContractId('other'), serviceTermId: 6 })]
    const { lines } = buildBackPayLedger(
      [
        month(9, shares, [
          [1, 100, 149_900],
          [3, 100, 700],
        ]),
      ],
      at(9),
    )
    expect(lines.map(({ employee, open, codes: own }) => [employee, open, own])).toEqual([
      [
        'staff 1',
        100,
        [
          { budgetCodeId: 4000, open: 67 },
          { budgetCodeId: 4100, open: 33 },
        ],
      ],
      ['staff 3', -700, [{ budgetCodeId: null, open: -700 }]],
    ])
    expect([...sumAccrualByCode(lines)]).toEqual([
      [4000, 67],
      [4100, 33],
    ])
  })

  it('posts leave unknown to the budget to the code of the pay beside it', () => {
    const codesOfLeave = [...codes, code(110, '110', payrollElement.extendedLeave)]
    const own = month(
      9,
      [share(1, 100_000)],
      [
        [1, 100, 52_000],
        [1, 110, 48_000],
      ],
    )
    const { lines } = buildBackPayLedger([own], { ...at(9), codes: codesOfLeave })
    expect(lines.map(({ component, codes: posted }) => [component, posted])).toEqual([
      ['basic', [{ budgetCodeId: 4000, open: 48_000 }]],
      ['leavePay', [{ budgetCodeId: 4000, open: -48_000 }]],
    ])
    expect(sumAccrualByCode(lines).size).toBe(0)
  })

  it('includes only what a budget calculates: a levy or a deduction is owed to nobody', () => {
    const levy = month(
      9,
      [share(1, 100_000)],
      [
        [1, 100, 100_000],
        [1, 900, 5_000],
      ],
    )
    expect(buildBackPayLedger([levy], { ...at(9), codes: [...codes, code(900, '900', payrollElement.other)] }).lines).toEqual([])
  })

  it('of an employee at two schools nets by code: without a contract at a school, the code of their pay is used', () => {
    const shares = [share(1, 300_000), share(2, 100_000, { locationId: toLocationId(2) })]
    const imported = [
      { locationId: toLocationId(1), employee: toStaffRef(toStaffId(1)), payrollCodeId: 100, value: 200_000 },
      { locationId: toLocationId(2), employee: toStaffRef(toStaffId(1)), payrollCodeId: 100, value: 100_000 },
      { locationId: toLocationId(2), employee: toStaffRef(toStaffId(2)), payrollCodeId: 100, value: 100_000 },
    ]
    const own = { shares, codes, imported, typed: [], broughtForward: new Map(), carriedForward: new Map(), tolerance: 0 }
    const { lines } = buildBackPayLedger(
      [{ year: 2026, month: 9, shares, budgetedLocations: new Set([1, 2]), notes: new Map(), tolerance: 0, rows: reconcile(own) }],
      at(9),
    )
    expect(lines.map(({ locationId, codes: posted }) => [locationId, posted])).toEqual([
      [1, [{ budgetCodeId: 4000, open: 100_000 }]],
      [2, [{ budgetCodeId: 4000, open: -100_000 }]],
    ])
    expect(sumAccrualByCode(lines).size).toBe(0)
  })

  it('covers the last twelve months, and does not offset an overpayment by an earlier month', () => {
    const late = { ...october, year: 2027, month: 8 }
    const inOneYear = { codes, terms, at: { year: 2027, month: 8 } }
    expect(buildBackPayLedger([september, late], inOneYear).lines[0]!.open).toBe(0)
    const after = { codes, terms, at: { year: 2027, month: 9 } }
    expect(buildBackPayLedger([september, late], after)).toEqual({ lines: [], notCalculated: 0 })
    // An amount that is never paid leaves the ledger after a year.
    expect(buildBackPayLedger([september], after).lines).toEqual([])
  })

  it('does not offset an overpayment by a school in a month for which it has no budget', () => {
    const before = { ...september, budgetedLocations: new Set<number>() }
    expect(buildBackPayLedger([before], at(9))).toEqual({ lines: [], notCalculated: 1 })
    expect(buildBackPayLedger([before, october], at(10)).lines[0]!.open).toBe(-13_234)
  })
})

import { describe, expect, it } from 'vitest'
import { type StaffContractInput, type StoredScalePoint, staffContractInput } from '../../../domain/budget/budget.ts'
import { type ContractFacts, deleteStaffContracts, lockedSentence, saveStaffContract } from '../../../domain/budget/decide.ts'
import { deleteQuickCalculations, type QuickCalculationFacts, saveQuickCalculation } from '../../../domain/budget/decideQuick.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { type QuickCalculatorInput, quickCalculatorInput } from '../../../domain/budget/quickCalculation.ts'
import { toContractId, toStaffId } from '../../../domain/values/ids.ts'
import { type Budget, contractOf, contractSaved, created, given, idOf, sam } from '../../support/stories/budgetStory.ts'

const locked: BudgetEvent = { type: 'BudgetLocked', data: { lockedAt: '2026-10-05T10:00:00.000Z', lockedById: sam } }
const isLocked = { code: 'locked', message: lockedSentence }
const m6 = { id: 6, kind: 'teacher', scale: 'Main', increment: 6 } as const
const support = { id: 9, kind: 'support', scale: 'NJC', increment: 9 } as const

const facts: ContractFacts = {
  contractType: { id: 1, payScaleTypes: 1, calculationType: 1 },
  points: new Map<number, StoredScalePoint>([
    [6, m6],
    [9, support],
  ]),
  allowedIds: { serviceTerm: new Set([3]), allowance: new Set([4]), analysisTag: new Set([5]), fundCode: new Set([8, 9]) },
  staffId: toStaffId(7),
  otherNames: [],
  sealedNotes: null,
}

const row = { effectiveDate: '2026-09-01', scalePoint: 6, fte: 1 }
const typed = (change: object = {}, salary: object[] = [row]): StaffContractInput =>
  staffContractInput.parse({
    employeeNumber: 'E7',
    type: 1,
    contractName: 'Class teacher',
    contractTypeName: 1,
    startDate: '2026-09-01',
    serviceTerms: [3],
    salary,
    ...change,
  })

const save =
  (input: StaffContractInput, known: Partial<ContractFacts> = {}) =>
  (budget: Budget): BudgetEvent[] =>
    saveStaffContract(budget.head, {
      before: input.id ? budget.contract : undefined,
      id: toContractId(idOf('c')),
      input,
      facts: { ...facts, ...known },
    })

describe('saving a staff contract', () => {
  it('adds a contract with the scale point as it was at the time', () => {
    given(created()).when(save(typed())).gives(contractSaved())
  })
  it('sorts the rows by date', () => {
    const [event] = given(created()).when(save(typed({}, [{ ...row, effectiveDate: '2027-09-01' }, row]))).events
    expect(event?.type === 'StaffContractSaved' && event.data.contract.salary.map((one) => one.effectiveDate)).toEqual([
      '2026-09-01',
      '2027-09-01',
    ])
  })
  it('stores the note encrypted and never as text', () => {
    given(created())
      .when(save(typed({ notes: 'Returns in May' }), { sealedNotes: 'sealed' }))
      .gives(contractSaved({ sealedNotes: 'sealed' }))
  })
  it('without an employee is a vacancy', () => {
    given(created())
      .when(save(typed({ employeeNumber: null }), { staffId: null }))
      .gives(contractSaved({ staffId: null }))
  })
  it('unchanged changes nothing', () => {
    given(created(), contractSaved())
      .when(save(typed({ id: idOf('c') })))
      .changesNothing()
  })
  it('with another position is a change', () => {
    given(created(), contractSaved())
      .when(save(typed({ id: idOf('c'), position: 'Head of year' })))
      .gives(contractSaved({ position: 'Head of year' }))
  })
  it('that is not in the budget is refused', () => {
    given(created())
      .when(save(typed({ id: idOf('c') })))
      .isRefused({ code: 'notFound', message: 'Staff contract was not found.' })
  })
  it('with the name of the employee’s other contract is refused, ignoring case', () => {
    given(created())
      .when(save(typed(), { otherNames: ['CLASS teacher'] }))
      .isRefused({ code: 'duplicate', message: 'Contract name is already used.', fields: ['contractName'] })
  })
  it('in a locked budget is refused', () => {
    given(created(), locked).when(save(typed())).isRefused(isLocked)
  })
  it('with several faults reports all of them at once', () => {
    given(created())
      .when(save(typed({ endDate: '2026-08-31', serviceTerms: [99] })))
      .isRefused({
        code: 'invalid',
        message: 'End date must not be before Start date.\nPayroll code was not found.',
        fields: ['endDate', 'serviceTerms'],
      })
  })

  const byHours: Partial<ContractFacts> = { contractType: { id: 1, payScaleTypes: 1, calculationType: 2 } }
  it.each<[string, StaffContractInput, Partial<ContractFacts>, string, string]>([
    ['an employee number that nobody has', typed(), { staffId: null }, 'employeeNumber', 'Employee number was not found.'],
    ['an unknown contract type', typed(), { contractType: undefined }, 'contractTypeName', 'Contract type was not found.'],
    [
      'a contract type that the budget does not use',
      typed(),
      { contractType: { id: 3, payScaleTypes: 1, calculationType: 1 } },
      'contractTypeName',
      'Contract type was not found.',
    ],
    ['a pay scale that its type may not use', typed({ type: 4 }), {}, 'type', 'This contract type cannot use that pay scale.'],
    ['an end before its start', typed({ endDate: '2026-08-31' }), {}, 'endDate', 'End date must not be before Start date.'],
    ['an unknown payroll code', typed({ serviceTerms: [3, 99] }), {}, 'serviceTerms', 'Payroll code was not found.'],
    ['an unknown analysis tag', typed({ analysisTags: [99] }), {}, 'analysisTags', 'Analysis tag was not found.'],
    ['an unknown fund code', typed({ fundCodes: [{ fundCodeId: 99, percentage: 100 }] }), {}, 'fundCodes', 'Fund code was not found.'],
    [
      'shares that do not add up',
      typed({ fundCodes: [{ fundCodeId: 8, percentage: 99.9999 }] }),
      {},
      'fundCodes',
      'The fund code shares must add up to 100.',
    ],
    [
      'two shares of one fund code',
      typed({
        fundCodes: [
          { fundCodeId: 8, percentage: 50 },
          { fundCodeId: 8, percentage: 50 },
        ],
      }),
      {},
      'fundCodes',
      'A fund code can have one share only.',
    ],
    ['an unknown maximum scale point', typed({ maximumScalePoint: 99 }), {}, 'maximumScalePoint', 'Maximum scale point was not found.'],
    [
      'two rows from the same date',
      typed({}, [row, row]),
      {},
      'salary.1.effectiveDate',
      'Two salary rows start on 01 Sep, 2026. Give each its own date.',
    ],
    ['an unknown scale point', typed({}, [{ ...row, scalePoint: 99 }]), {}, 'salary.0.scalePoint', 'Scale point was not found.'],
    [
      'a scale point of another pay scale',
      typed({}, [{ ...row, scalePoint: 9 }]),
      {},
      'salary.0.scalePoint',
      'This contract type cannot use that pay scale.',
    ],
    [
      'neither a scale point nor a spot salary',
      typed({}, [{ ...row, scalePoint: null }]),
      {},
      'salary.0.scalePoint',
      'Choose a scale point or enter a spot salary.',
    ],
    [
      'a row that ceases before it begins',
      typed({}, [{ ...row, calculationCeaseDate: '2026-08-31' }]),
      {},
      'salary.0.calculationCeaseDate',
      'Calculation cease date must not be before Effective date.',
    ],
    ['an unknown allowance', typed({}, [{ ...row, allowances: [99] }]), {}, 'salary.0.allowances', 'Allowance was not found.'],
    ['no FTE where the type asks for it', typed({}, [{ ...row, fte: null }]), {}, 'salary.0.fte', 'FTE is required.'],
    [
      'no hours where the type asks for them',
      typed({}, [{ ...row, weeksPerYear: 39 }]),
      byHours,
      'salary.0.hoursPerWeek',
      'Hours per week is required.',
    ],
    [
      'no weeks where the type asks for them',
      typed({}, [{ ...row, hoursPerWeek: 30 }]),
      byHours,
      'salary.0.weeksPerYear',
      'Weeks per year is required.',
    ],
  ])('is refused with %s', (_fault, input, known, field, message) => {
    given(created())
      .when(save(input, known))
      .isRefused({ code: 'invalid', message, fields: [field] })
  })
  it('accepts shares of a third each, which add up to 100 with four decimals', () => {
    const thirds = [
      { fundCodeId: 8, percentage: 33.3333 },
      { fundCodeId: 9, percentage: 66.6667 },
    ]
    given(created())
      .when(save(typed({ fundCodes: thirds })))
      .gives(contractSaved({ fundCodes: thirds }))
  })
})

describe('deleting staff contracts', () => {
  it('removes each of them', () => {
    given(created(), contractSaved())
      .when((budget) => deleteStaffContracts(budget.head, [toContractId(idOf('c'))]))
      .gives({ type: 'StaffContractDeleted', data: { id: toContractId(idOf('c')) } })
  })
  it('of a locked budget is refused', () => {
    given(created(), contractSaved(), locked)
      .when((budget) => deleteStaffContracts(budget.head, [toContractId(idOf('c'))]))
      .isRefused(isLocked)
  })
  it('leaves a budget to which the same contract can be added again', () => {
    const gone: BudgetEvent = { type: 'StaffContractDeleted', data: { id: toContractId(idOf('c')) } }
    const { budget } = given(created(), contractSaved(), gone)
    expect(budget.contract).toBeUndefined()
    given(created(), contractSaved(), gone)
      .when(save(typed()))
      .gives({ type: 'StaffContractSaved', data: { id: toContractId(idOf('c')), contract: contractOf() } })
  })
})

describe('a quick calculation', () => {
  const known: QuickCalculationFacts = { contractType: facts.contractType, points: facts.points, allowances: new Set([4]) }
  const asked = (change: object = {}): QuickCalculatorInput =>
    quickCalculatorInput.parse({ name: 'A teacher more', type: 1, contractTypeId: 1, scalePointId: 6, fte: 1, ...change })
  const kept: BudgetEvent = {
    type: 'QuickCalculationSaved',
    data: {
      calculation: {
        id: idOf('e'),
        name: 'A teacher more',
        type: 1,
        contractTypeId: 1,
        scalePoint: m6,
        spotOrAdjustment: null,
        allowanceIds: [],
        eRpension: true,
        hoursPerWeek: null,
        paidWeeksPerYear: null,
        fte: 1,
      },
    },
  }
  const saveQuick =
    (input: QuickCalculatorInput, change: Partial<QuickCalculationFacts> = {}, names: string[] = []) =>
    (budget: Budget) =>
      saveQuickCalculation(budget.head, { id: idOf('e'), input, facts: { ...known, ...change }, otherNames: names })

  it('is stored with its scale point as it was at the time', () => {
    given(created()).when(saveQuick(asked())).gives(kept)
  })
  it('with the name of another is refused, ignoring case', () => {
    given(created())
      .when(saveQuick(asked(), {}, ['a TEACHER more']))
      .isRefused({ code: 'duplicate', message: 'Name is already used.', fields: ['name'] })
  })
  it('can be neither saved nor deleted in a locked budget', () => {
    given(created(), locked).when(saveQuick(asked())).isRefused(isLocked)
    given(created(), kept, locked)
      .when((budget) => deleteQuickCalculations(budget.head, [idOf('e')]))
      .isRefused(isLocked)
  })
  it('is deleted', () => {
    given(created(), kept)
      .when((budget) => deleteQuickCalculations(budget.head, [idOf('e')]))
      .gives({ type: 'QuickCalculationDeleted', data: { id: idOf('e') } })
  })
  it.each<[string, QuickCalculatorInput, Partial<QuickCalculationFacts>, string, string]>([
    ['an unknown contract type', asked(), { contractType: undefined }, 'contractTypeId', 'Contract type was not found.'],
    [
      'a pay scale that its type may not use',
      asked({ type: 4, scalePointId: 9 }),
      {},
      'contractTypeId',
      'This contract type cannot use that pay scale.',
    ],
    ['an unknown scale point', asked({ scalePointId: 99 }), {}, 'scalePointId', 'Scale point was not found.'],
    [
      'a scale point of another pay scale',
      asked({ scalePointId: 9 }),
      {},
      'scalePointId',
      'This scale point belongs to another pay scale.',
    ],
    [
      'neither a scale point nor a spot salary',
      asked({ scalePointId: null }),
      {},
      'scalePointId',
      'Choose a scale point or enter a spot salary.',
    ],
    ['an unknown allowance', asked({ allowanceIds: [99] }), {}, 'allowanceIds', 'Allowance was not found.'],
    ['no FTE where the type asks for it', asked({ fte: null }), {}, 'fte', 'FTE is required.'],
    [
      'no hours where the type asks for them',
      asked({ paidWeeksPerYear: 39 }),
      { contractType: { id: 1, payScaleTypes: 1, calculationType: 3 } },
      'hoursPerWeek',
      'Hours per week is required.',
    ],
    [
      'no weeks where the type asks for them',
      asked({ hoursPerWeek: 30 }),
      { contractType: { id: 1, payScaleTypes: 1, calculationType: 3 } },
      'paidWeeksPerYear',
      'Paid weeks per year is required.',
    ],
  ])('is refused with %s', (_fault, input, change, field, message) => {
    given(created())
      .when(saveQuick(input, change))
      .isRefused({ code: 'invalid', message, fields: [field] })
  })
})

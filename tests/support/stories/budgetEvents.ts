import type { ApprovalStep, EventOf, EventType } from '../../../domain/budget/events.ts'
import type { BudgetEntry } from '../../../domain/budget/items/budgetEntry.ts'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import { toContractId, toStaffId, type UserId } from '../../../domain/values/ids.ts'
import { contractSaved, created, elements, idOf, kim, sam } from './budgetStory.ts'

const at = '2026-10-05T10:00:00.000Z'
const decided = (byId: UserId, sealedComment: string | null = null): ApprovalStep => ({ byId, at, version: 3, sealedComment })

/** An entry: paper for £120 in the first year. */
export const paper: BudgetEntry = {
  id: idOf('a'),
  identifier: null,
  description: 'Paper',
  budgetCodeId: 1,
  costCentreId: null,
  analysisTags: [],
  fundCodes: [],
  sealedNotes: null,
  firstYear: 0,
  years: Array.from({ length: 5 }, (_unused, year) => ({ amount: year === 0 ? 12_000 : null, periods: null, rate: null })),
  profileTemplateId: null,
  rows: [],
  source: null,
  basis: { rates: null, weights: null },
}

/** One event of each type. A new type does not compile until it is added here, and must then be described and undone. */
export const oneOfEach: { [T in EventType]: EventOf<T> } = {
  BudgetCreated: created(),
  BudgetRenamed: { type: 'BudgetRenamed', data: { name: 'Second draft' } },
  BudgetVersionTypeChosen: { type: 'BudgetVersionTypeChosen', data: { versionType: 3 } },
  BudgetDeleted: { type: 'BudgetDeleted', data: {} },
  BudgetRestored: { type: 'BudgetRestored', data: {} },
  BudgetMomentNamed: { type: 'BudgetMomentNamed', data: { version: 1, name: 'For governors', at } },
  BudgetSubmitted: { type: 'BudgetSubmitted', data: decided(sam) },
  BudgetReturned: { type: 'BudgetReturned', data: decided(kim, 'sealed') },
  BudgetApproved: { type: 'BudgetApproved', data: decided(kim) },
  BudgetElementsSaved: {
    type: 'BudgetElementsSaved',
    data: { numberOfYears: 5, staffAssumptionsId: 1, inflationId: null, contractTypeIds: [1, 2], elements: elements() },
  },
  BudgetLocked: { type: 'BudgetLocked', data: { lockedAt: at, lockedById: sam } },
  StaffContractSaved: contractSaved(),
  StaffContractDeleted: { type: 'StaffContractDeleted', data: { id: toContractId(idOf('c')) } },
  StaffContractsRecalculated: {
    type: 'StaffContractsRecalculated',
    data: {
      cause: 'saved',
      contracts: [toContractId(idOf('c'))],
      inputs: '',
      engine: engineVersion,
      totals: { years: [5_000_000, 5_100_000, 5_200_000], contracts: 1, notCalculated: 0 },
      result: '',
    },
  },
  LeaveEarningsKept: {
    type: 'LeaveEarningsKept',
    data: { leaves: [{ staffId: toStaffId(1), type: 'Maternity', startDate: '2026-07-06', weekly: { [idOf('c')]: '412.5' } }] },
  },
  QuickCalculationSaved: {
    type: 'QuickCalculationSaved',
    data: {
      calculation: {
        id: idOf('e'),
        name: 'A teacher more',
        type: 1,
        contractTypeId: 1,
        scalePoint: null,
        spotOrAdjustment: 100,
        allowanceIds: [],
        eRpension: true,
        hoursPerWeek: null,
        paidWeeksPerYear: null,
        fte: 1,
      },
    },
  },
  QuickCalculationDeleted: { type: 'QuickCalculationDeleted', data: { id: idOf('e') } },
  LevyAllowanceShared: { type: 'LevyAllowanceShared', data: { shares: [null, 125_000] } },
  EmploymentAllowancePosted: {
    type: 'EmploymentAllowancePosted',
    data: {
      engine: '2.0.0',
      budgetCodeId: 2,
      costCentreId: null,
      years: [{ year: 2027, amount: 1_050_000, months: [{ ni: 400_000, kept: 0, goes: 'here' }] }],
      problems: [],
    },
  },
  BudgetEntrySaved: { type: 'BudgetEntrySaved', data: { id: paper.id, item: paper } },
  BudgetEntryDeleted: { type: 'BudgetEntryDeleted', data: { id: paper.id } },
  IncomeExpenditureCalculationSaved: {
    type: 'IncomeExpenditureCalculationSaved',
    data: {
      id: idOf('d'),
      item: { id: idOf('d'), name: 'Lettings', description: null, budgetCodeId: 2, costCentreId: null, fundCodes: [], rows: [] },
    },
  },
  IncomeExpenditureCalculationDeleted: { type: 'IncomeExpenditureCalculationDeleted', data: { id: idOf('d') } },
  FundingPredictionSaved: {
    type: 'FundingPredictionSaved',
    data: { id: idOf('f'), item: { id: idOf('f'), name: 'GAG', versionId: 3, budgetCodeId: 2, rows: [] } },
  },
  FundingPredictionDeleted: { type: 'FundingPredictionDeleted', data: { id: idOf('f') } },
  PupilNumbersSaved: {
    type: 'PupilNumbersSaved',
    data: {
      id: idOf('0'),
      item: { id: idOf('0'), rows: [{ kind: 'Phase', phase: null, yearGroup: 2, description: null, before: 30, years: [28] }] },
    },
  },
  PupilNumbersDeleted: { type: 'PupilNumbersDeleted', data: { id: idOf('0') } },
  OpeningBalanceSaved: {
    type: 'OpeningBalanceSaved',
    data: { id: idOf('8'), item: { id: idOf('8'), description: 'Carried forward', type: 1, value: -1250 } },
  },
  OpeningBalanceDeleted: { type: 'OpeningBalanceDeleted', data: { id: idOf('8') } },
  CommentSaved: {
    type: 'CommentSaved',
    data: {
      id: idOf('7'),
      item: {
        id: idOf('7'),
        about: { kind: 'budget', ref: null, year: null },
        sealedText: 'sealed',
        byId: sam,
        at,
        resolvedById: null,
        resolvedAt: null,
      },
    },
  },
  CommentDeleted: { type: 'CommentDeleted', data: { id: idOf('7') } },
  ScenarioSaved: { type: 'ScenarioSaved', data: { id: idOf('6'), item: { id: idOf('6'), name: 'Smaller', changes: [] } } },
  ScenarioDeleted: { type: 'ScenarioDeleted', data: { id: idOf('6') } },
  BudgetEntriesRebased: {
    type: 'BudgetEntriesRebased',
    data: { bases: [{ id: paper.id, rates: [0, 2, 2, 2, 2], weights: null }] },
  },
  TransfersPosted: { type: 'TransfersPosted', data: { transfers: [], problems: [] } },
}

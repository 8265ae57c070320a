import type { EmploymentAllowance } from '../calculation/employmentAllowance.ts'
import type { LevyShare } from '../calculation/levy.ts'
import type { EntryBasis } from '../calculation/nonStaffing/entryLines.ts'
import type { Transfer } from '../calculation/nonStaffing/transfers.ts'
import type { EventEnvelope } from '../changes/storedEvent.ts'
import type { BudgetGroupId, BudgetId, ContractId, UserId } from '../values/ids.ts'
import type {
  ApprovedFigures,
  BudgetHead,
  BudgetSettings,
  CostTotals,
  HeadFieldSetLater,
  StaffContract,
  StoredLeaveEarnings,
} from './budget.ts'
import type { ItemEvent } from './items/item.ts'
import type { QuickCalculation } from './quickCalculation.ts'

/** Events of a budget log. Old shapes are upcast when read, never rewritten. `undoes` is the version of the save that an undo reverses. */
export type BudgetEvent =
  | { type: 'BudgetCreated'; data: Omit<BudgetHead, HeadFieldSetLater> }
  | { type: 'BudgetRenamed'; data: { name: string; undoes?: number } }
  | { type: 'BudgetVersionTypeChosen'; data: { versionType: number } }
  /** The budget appears only in the bin; its log remains. `groupId` is the group that it was removed from. */
  | { type: 'BudgetDeleted'; data: { groupId?: BudgetGroupId | null } }
  /** The budget returns with the content that it had when it was deleted. */
  | { type: 'BudgetRestored'; data: Record<string, never> }
  /** Names a version, or removes its name (null). `at` is when that version was written. */
  | { type: 'BudgetMomentNamed'; data: { version: number; name: string | null; at: string } }
  | { type: 'BudgetSubmitted'; data: ApprovalStep }
  | { type: 'BudgetReturned'; data: ApprovalStep }
  | { type: 'BudgetApproved'; data: ApprovalStep & { figures?: ApprovedFigures } }
  | { type: 'BudgetElementsSaved'; data: BudgetSettings }
  | { type: 'BudgetLocked'; data: { lockedAt: string; lockedById: UserId } }
  /** `origin` is the contract, in another budget, that this one was first copied from. */
  | { type: 'StaffContractSaved'; data: { id: ContractId; contract: StaffContract; undoes?: number; origin?: ContractId } }
  | { type: 'StaffContractDeleted'; data: { id: ContractId; undoes?: number } }
  | { type: 'StaffContractsRecalculated'; data: Recalculation }
  /** Weekly earnings before leaves that had begun when the budget was rolled forward (rules.md §8). */
  | { type: 'LeaveEarningsKept'; data: { leaves: StoredLeaveEarnings[] } }
  | { type: 'QuickCalculationSaved'; data: { calculation: QuickCalculation } }
  | { type: 'QuickCalculationDeleted'; data: { id: string } }
  /**
   * The budget's monthly shares of the trust's levy allowance, whole pennies; null if a share could not be calculated (rules.md §7). The
   * engine of the last recalculation derives the levy from them.
   */
  | { type: 'LevyAllowanceShared'; data: { shares: LevyShare[] } }
  /** Inputs of the Employment Allowance of the group, in the budget that it is posted to (rules.md §7). */
  | { type: 'EmploymentAllowancePosted'; data: EmploymentAllowance }
  | ItemEvent
  /** A recalculation updated entries because the rates of their budget code or their profile template changed (rules.md §16). */
  | { type: 'BudgetEntriesRebased'; data: { bases: ({ id: string } & EntryBasis)[] } }
  /**
   * All lines of the group's pools and top slices in this budget. `problems` explains what could not be calculated (rules.md §14). Without
   * `engine`, the rules of 1.0.0 apply.
   */
  | { type: 'TransfersPosted'; data: { transfers: Transfer[]; problems: string[]; engine?: string } }

/** A submission, return or approval: who decided, on which version, with a sealed comment. */
export interface ApprovalStep {
  byId: UserId
  at: string
  version: number
  sealedComment: string | null
}

/**
 * A recalculation: its frozen inputs, its engine and its totals (rules.md §16). `contracts` lists the costed contracts; null means all of
 * them.
 *
 * `before` is the cost of the same employees with the same inputs, but without the saves and deletions of contracts directly before this
 * event; the history shows the difference. `saves` counts them; without it, it is one. Both are absent from events older than the fields.
 */
export interface Recalculation {
  cause: 'saved' | 'group'
  contracts: ContractId[] | null
  before?: CostTotals
  saves?: number
  inputs: string
  engine: string
  totals: CostTotals
  result: string
}

export type EventType = BudgetEvent['type']
export type EventOf<T extends EventType> = Extract<BudgetEvent, { type: T }>

export type StoredEvent = BudgetEvent & EventEnvelope & { budgetId: BudgetId }

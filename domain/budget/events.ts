import type { EmploymentAllowance } from '../calculation/employmentAllowance.ts'
import type { LevyShare } from '../calculation/levy.ts'
import type { EntryBasis } from '../calculation/nonStaffing/entryLines.ts'
import type { Transfer } from '../calculation/nonStaffing/transfers.ts'
import type { BudgetGroupId, BudgetId, ContractId, OrganisationId, UserId } from '../values/ids.ts'
import type { ApprovedFigures, BudgetHead, BudgetSettings, CostTotals, GivenLater, KeptLeaveEarnings, StaffContract } from './budget.ts'
import type { ItemEvent } from './items/item.ts'
import type { QuickCalculation } from './quickCalculation.ts'

/** Past-tense facts of a budget. Old shapes are up-cast when read, never rewritten. `undoes` is the version of the save an undo takes back. */
export type BudgetEvent =
  | { type: 'BudgetCreated'; data: Omit<BudgetHead, GivenLater> }
  | { type: 'BudgetRenamed'; data: { name: string; undoes?: number } }
  | { type: 'BudgetVersionTypeChosen'; data: { versionType: number } }
  /** Taken out of use: it shows nowhere but in the bin, and its log stays. `groupId` is the group that it was taken out of. */
  | { type: 'BudgetDeleted'; data: { groupId?: BudgetGroupId | null } }
  /** Back in use with all that was in it when it was deleted. */
  | { type: 'BudgetRestored'; data: Record<string, never> }
  /** A moment is given a name, or loses it: null. `at` is when that version was written. */
  | { type: 'BudgetMomentNamed'; data: { version: number; name: string | null; at: string } }
  | { type: 'BudgetSubmitted'; data: Decided }
  | { type: 'BudgetReturned'; data: Decided }
  | { type: 'BudgetApproved'; data: Decided & { figures?: ApprovedFigures } }
  | { type: 'BudgetElementsSaved'; data: BudgetSettings }
  | { type: 'BudgetLocked'; data: { lockedAt: string; lockedById: UserId } }
  /** `origin` is the contract of another budget that this one was first copied from. */
  | { type: 'StaffContractSaved'; data: { id: ContractId; contract: StaffContract; undoes?: number; origin?: ContractId } }
  | { type: 'StaffContractDeleted'; data: { id: ContractId; undoes?: number } }
  | { type: 'StaffContractsRecalculated'; data: Recalculated }
  /** Weekly earnings before leaves that had begun when the budget was rolled forward (rules.md §8). */
  | { type: 'LeaveEarningsKept'; data: { leaves: KeptLeaveEarnings[] } }
  | { type: 'QuickCalculationSaved'; data: { calculation: QuickCalculation } }
  | { type: 'QuickCalculationDeleted'; data: { id: string } }
  /**
   * The budget's share of the trust's levy allowance in each month, whole pennies; null where it could not be worked out (rules.md §7). The levy
   * follows from it by the engine of the last recalculation.
   */
  | { type: 'LevyAllowanceShared'; data: { shares: LevyShare[] } }
  /** The Employment Allowance of its group, as far as this budget posts it: what it follows from (rules.md §7). */
  | { type: 'EmploymentAllowancePosted'; data: EmploymentAllowance }
  | ItemEvent
  /** Entries whose budget code's rates or profile template changed, worked out anew by a recalculation (rules.md §16). */
  | { type: 'BudgetEntriesRebased'; data: { bases: ({ id: string } & EntryBasis)[] } }
  /** The budget's sides of the group's pools and top slices, all of them; `problems` says what could not be worked out (rules.md §14), `engine` by which rules; absent: those of 1.0.0. */
  | { type: 'TransfersPosted'; data: { transfers: Transfer[]; problems: string[]; engine?: string } }

/** Who asked for approval or decided on it, about which version, and with which words, sealed. */
export interface Decided {
  byId: UserId
  at: string
  version: number
  sealedComment: string | null
}

/**
 * A recalculation: which frozen inputs, which engine, what it came to (rules.md §16). `contracts` names those that were costed; null
 * means all of the budget.
 */
export interface Recalculated {
  cause: 'saved' | 'group'
  contracts: ContractId[] | null
  inputs: string
  engine: string
  totals: CostTotals
  result: string
}

export type EventType = BudgetEvent['type']
export type EventOf<T extends EventType> = Extract<BudgetEvent, { type: T }>

/** An event as it stands in the log. */
export type StoredEvent = BudgetEvent & {
  organisationId: OrganisationId
  budgetId: BudgetId
  version: number
  position: number
  actorId: UserId | null
  requestId: string
  occurredAt: string
  previousHash: string
  hash: string
}

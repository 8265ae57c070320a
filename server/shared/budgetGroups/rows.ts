import { recalculationState } from '../../../domain/lookups/lookupIds.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { BudgetGroupId, BudgetId } from '../../../domain/values/ids.ts'
import type { GroupRow } from '../../streams/budget/groupMembers.ts'

/** A budget group as the API shows it (entities.json BudgetGroup). */
export interface BudgetGroup {
  id: BudgetGroupId
  name: string
  description: string | null
  items: { budgetId: BudgetId; order: number }[]
  /** Lookup recalculationStates: 1 up to date, 2 required, 3 running, 4 failed. */
  recalculationState: number
  lastRecalculated: string | null
  requiredReason: string | null
  /** Why the last recalculation failed, in one sentence. */
  failure: string | null
  /** Whether the group claims the Employment Allowance, and where the allowance is posted. */
  claimsEmploymentAllowance: boolean
  allowanceBudgetCodeId: number | null
  allowanceCostCentreId: number | null
  /**
   * What could not be calculated for pools, top slices, the levy and the Employment Allowance across the group, and
   * which budgets take no part.
   */
  notes: string[]
  /** Whether the group also has budgets that the caller may not see. Only callers who see all its budgets can change and recalculate it. */
  isShared: boolean
  version: number
  created: string
}

/** A running recalculation, or the last one if it failed. */
export type LatestRecalculation = { status: 'running' | 'failed'; failure: string | null }

export function presentGroup(
  row: GroupRow,
  state: LatestRecalculation | undefined,
  notes: ReadonlyMap<string, readonly string[]> = new Map(),
): BudgetGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    items: row.budgetIds.map((budgetId, order) => ({ budgetId, order })),
    recalculationState: toGroupState(state?.status, row.requiredSince !== null),
    lastRecalculated: row.lastRecalculated && new Date(row.lastRecalculated).toISOString(),
    requiredReason: row.requiredReason,
    failure: state?.status === 'failed' ? state.failure : null,
    claimsEmploymentAllowance: row.claimsEmploymentAllowance,
    allowanceBudgetCodeId: row.allowanceBudgetCodeId,
    allowanceCostCentreId: row.allowanceCostCentreId,
    notes: [...new Set([...row.budgetIds, row.id].flatMap((id) => notes.get(id) ?? []))],
    isShared: false,
    version: row.version,
    created: dayInLondon(row.created),
  }
}

function toGroupState(status: string | undefined, isRequired: boolean): number {
  if (status === 'running') return recalculationState.running
  if (status === 'failed') return recalculationState.failed
  return isRequired ? recalculationState.required : recalculationState.upToDate
}

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
  /** lookups recalculationStates: 1 up to date, 2 required, 3 running, 4 failed. */
  recalculationState: number
  lastRecalculated: string | null
  requiredReason: string | null
  /** What came of the last recalculation where it failed, in one sentence. */
  failure: string | null
  /** Whether it claims the Employment Allowance, and where that is posted. */
  claimsEmploymentAllowance: boolean
  allowanceBudgetCodeId: number | null
  allowanceCostCentreId: number | null
  /** What of pools, top slices, the levy and the Employment Allowance could not be worked out over the group, and who takes no part. */
  notes: string[]
  /** Whether it also holds budgets that the caller does not see: somebody who sees all of them changes and recalculates it. */
  isShared: boolean
  version: number
  created: string
}

/** A run that is going on, or the last one where it failed. */
export type LatestState = { status: 'running' | 'failed'; failure: string | null }

export function shown(
  row: GroupRow,
  state: LatestState | undefined,
  notes: ReadonlyMap<string, readonly string[]> = new Map(),
): BudgetGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    items: row.budgetIds.map((budgetId, order) => ({ budgetId, order })),
    recalculationState: stateOf(state?.status, row.requiredSince !== null),
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

function stateOf(status: string | undefined, isRequired: boolean): number {
  if (status === 'running') return recalculationState.running
  if (status === 'failed') return recalculationState.failed
  return isRequired ? recalculationState.required : recalculationState.upToDate
}

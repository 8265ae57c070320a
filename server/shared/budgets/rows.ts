import { budgetState, recalculationState } from '../../../domain/lookups/lookupIds.ts'
import { budgetSettingFields } from '../../../domain/resources/entities/budget/budget.ts'
import { pickDeclaredFields } from '../../../domain/resources/fields.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { BudgetGroupId } from '../../../domain/values/ids.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import { type CostState, upToDateState } from '../recalculation/queries.ts'

/** A budget as the API shows it (entities.json Budget). */
export function presentBudget(
  row: BudgetRow,
  {
    groupId = null,
    making = undefined,
    costs = upToDateState,
  }: { groupId?: BudgetGroupId | null; making?: string | null | undefined; costs?: CostState } = {},
) {
  const { elements, locked, ...head } = row.head
  return {
    mongoId: row.id,
    name: head.name,
    locationId: head.locationId,
    budgetGroupId: groupId,
    firstYear: head.firstYear,
    startMonth: head.startMonth,
    state: locked ? budgetState.locked : budgetState.open,
    lockedAt: head.lockedAt,
    lockedById: head.lockedById,
    sourceBudgetId: head.source?.budgetId ?? null,
    versionType: head.versionType,
    approval: head.approval?.state ?? null,
    approvedAt: head.approval?.state === 'approved' ? head.approval.at : null,
    moments: head.moments,
    /** Whether the budget is still being filled from its source; `notMade` says why that failed. */
    isBeingMade: making === null,
    notMade: making ?? null,
    ...pickDeclaredFields(budgetSettingFields, head),
    ...elements,
    savedAt: new Date(row.savedAt).toISOString(),
    savedById: row.savedById,
    recalculatedAt: row.recalculated?.at ?? null,
    /** Lookup recalculationStates. A locked budget keeps its figures. */
    recalculationState: locked ? recalculationState.upToDate : costs.state,
    requiredReason: locked ? null : costs.reason,
    created: dayInLondon(row.created),
    version: row.version,
  }
}

export type ShownBudget = ReturnType<typeof presentBudget>

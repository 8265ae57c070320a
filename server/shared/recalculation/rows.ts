import { recalculationState } from '../../../domain/lookups/lookupIds.ts'
import { toPounds } from '../../../domain/values/format.ts'
import type { RecalculationRow } from './queries.ts'

/** A run as the API shows it (endpoints.json RecalculationEvent); state: 1 up to date, 3 running, 4 failed. */
export function presentRecalculation(run: RecalculationRow, startedBy: string | null) {
  return {
    id: run.id,
    budgetGroupId: run.groupId,
    budgetId: run.budgetId,
    state:
      run.status === 'running'
        ? recalculationState.running
        : run.status === 'done'
          ? recalculationState.upToDate
          : recalculationState.failed,
    /** A sentence if the run failed or was cancelled. */
    failure: run.failure,
    startedAt: new Date(run.startedAt).toISOString(),
    finishedAt: run.finishedAt ? new Date(run.finishedAt).toISOString() : null,
    startedBy,
    contracts: run.totals?.contracts ?? null,
    problems: run.totals?.notCalculated ?? null,
    totals: run.totals?.years.map(toPounds) ?? null,
    resultHash: run.resultHash,
  }
}

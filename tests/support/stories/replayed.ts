import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { compareBudgetTables } from '../../../server/audit/compare/compare.ts'
import { createInputsReader, readStoredBudgetLog } from '../../../server/audit/replay/logSource.ts'
import { replayLog } from '../../../server/audit/replay/replayLog.ts'
import { verifyLog } from '../../../server/audit/verify/verify.ts'
import type { Store } from '../../../server/core/database/database.ts'

/** Verifies a budget: its chain, its recalculations repeated, and its tables compared with its log. @returns the findings */
export function verifyBudget(store: Store, organisationId: OrganisationId, budgetId: BudgetId) {
  return store.asPlatform(async (tx) => {
    const source = await readStoredBudgetLog(tx, organisationId, budgetId)
    const inputsOf = createInputsReader(source)
    const replayed = replayLog(source.events, inputsOf)
    return [
      ...verifyLog(source, null, []),
      ...replayed.recalculations.filter((run) => !run.holds),
      ...(await compareBudgetTables({ tx, organisationId, budgetId }, replayed, inputsOf)),
    ]
  })
}

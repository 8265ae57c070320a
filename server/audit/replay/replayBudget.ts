import { displayMoney } from '../../../domain/values/format.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { compareBudgetTables } from '../compare/compare.ts'
import { type AuditFinding, verifyLog } from '../verify/verify.ts'
import { createInputsReader, type StoredBudgetLog } from './logSource.ts'
import { type ReplayedBudget, replayLog } from './replayLog.ts'

/**
 * Folds a log from the start, repeats each recalculation from its stored inputs, and compares the final state with the tables.
 * @param tx null to skip the comparison, for example for an exported log, which has no tables
 * @param upTo the last version to include; tables are compared only at the end of the log
 */
export async function replayBudget(
  source: StoredBudgetLog,
  tx: OrganisationTx | null,
  upTo = Number.POSITIVE_INFINITY,
): Promise<{ replayed: ReplayedBudget; findings: AuditFinding[]; isCompared: boolean }> {
  const findings = verifyLog(source, null, [])
  const inputsOf = createInputsReader(source)
  const replayed = replayLog(source.events, inputsOf, upTo)
  for (const run of replayed.recalculations)
    if (!run.holds)
      findings.push({
        budgetId: source.budgetId,
        version: run.version,
        problem: `The recalculation gives ${displayMoney(run.recomputed.years[0] ?? 0)} for the first year, but the log records ${displayMoney(run.recorded.years[0] ?? 0)} with engine ${run.engine}.`,
      })
  const isCompared = tx !== null && upTo === Number.POSITIVE_INFINITY && replayed.state.head !== null && !source.damaged
  if (isCompared)
    findings.push(
      ...(await compareBudgetTables({ tx, organisationId: source.organisationId, budgetId: source.budgetId }, replayed, inputsOf)),
    )
  return { replayed, findings, isCompared }
}

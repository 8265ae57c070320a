import { displayMoney } from '../../../domain/values/format.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { compareTables } from '../compare/compare.ts'
import { type Finding, verifyLog } from '../verify/verify.ts'
import { type Replayed, replayLog } from './replayLog.ts'
import { inputsReader, type LogSource } from './source.ts'

/**
 * Folds a log from nothing, recomputes every recalculation from its kept inputs, and compares the end with the tables.
 * @param tx null: of an export, beside which there are no tables
 * @param upTo the version it is folded to; tables say the last one only
 */
export async function replayBudget(
  source: LogSource,
  tx: OrganisationTx | null,
  upTo = Number.POSITIVE_INFINITY,
): Promise<{ replayed: Replayed; findings: Finding[]; isCompared: boolean }> {
  const findings = verifyLog(source, null, [])
  const inputsOf = inputsReader(source)
  const replayed = replayLog(source.events, inputsOf, upTo)
  for (const run of replayed.recalculations)
    if (!run.holds)
      findings.push({
        budgetId: source.budgetId,
        version: run.version,
        problem: `The recalculation came to ${displayMoney(run.recomputed.years[0] ?? 0)} in the first year; recorded are ${displayMoney(run.recorded.years[0] ?? 0)} with engine ${run.engine}.`,
      })
  const isCompared = tx !== null && upTo === Number.POSITIVE_INFINITY && replayed.state.head !== null
  if (isCompared)
    findings.push(...(await compareTables({ tx, organisationId: source.organisationId, budgetId: source.budgetId }, replayed, inputsOf)))
  return { replayed, findings, isCompared }
}

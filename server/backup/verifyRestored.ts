import { sql } from 'drizzle-orm'
import type { BudgetId, OrganisationId } from '../../domain/values/ids.ts'
import { readStoredBudgetLog } from '../audit/replay/logSource.ts'
import { replayBudget } from '../audit/replay/replayBudget.ts'
import type { AuditFinding } from '../audit/verify/verify.ts'
import { type VerificationResult, verifyAllOnce } from '../audit/verify/verifyAll.ts'
import type { Store } from '../core/database/database.ts'
import { readAnchors } from '../core/stream/anchorFiles.ts'
import { assertDataKey } from '../launch/databaseChecks.ts'

/** Number of budgets that are replayed. */
const defaultSamples = 5

/**
 * Verifies a restored database: chains, anchors and keys are checked, and sampled budgets must replay to the penny.
 * @param anchors the folder of the anchors; null if there are none
 */
export async function verifyRestoredDatabase(
  store: Store,
  anchors: string | null,
  samples = defaultSamples,
): Promise<VerificationResult & { replayed: number }> {
  const outside = anchors ? readAnchors(anchors, null) : { anchors: [], problems: [] }
  await assertDataKey(store)
  return store.snapshot(async (tx) => {
    const verified = await verifyAllOnce(tx, {}, outside.anchors)
    const findings: AuditFinding[] = [
      ...outside.problems.map((problem) => ({ budgetId: null, version: null, problem })),
      ...verified.findings,
    ]
    // Ordering by the digest of the id gives an arbitrary but repeatable sample.
    const chosen = await tx.execute<{ id: BudgetId; organisationId: OrganisationId }>(
      sql`select id, organisation_id as "organisationId" from budgets order by md5(id) limit ${samples}`,
    )
    for (const { id, organisationId } of chosen)
      findings.push(...(await replayBudget(await readStoredBudgetLog(tx, organisationId, id), tx)).findings)
    return { ...verified, findings, replayed: chosen.length }
  })
}

import { sql } from 'drizzle-orm'
import type { BudgetId, OrganisationId } from '../../domain/values/ids.ts'
import { replayBudget } from '../audit/replay/replayBudget.ts'
import { sourceOf } from '../audit/replay/source.ts'
import type { Finding } from '../audit/verify/verify.ts'
import { type Verified, verifyAll } from '../audit/verify/verifyAll.ts'
import type { Store } from '../core/database/database.ts'
import { readAnchors } from '../core/stream/anchorFiles.ts'
import { refuseOtherDataKey } from '../launch/databaseChecks.ts'

/** How many budgets are folded from nothing and compared with their tables. */
const usualSamples = 5

/**
 * Whether a restored database is what it was: every chain and anchor holds, the keys open, and sampled budgets replay to the penny.
 * @param anchors the folder they lie in; null where there are none
 */
export async function verifyRestored(
  store: Store,
  anchors: string | null,
  samples = usualSamples,
): Promise<Verified & { replayed: number }> {
  const outside = anchors ? readAnchors(anchors, null) : { anchors: [], problems: [] }
  await refuseOtherDataKey(store)
  return store.snapshot(async (tx) => {
    const verified = await verifyAll(tx, {}, outside.anchors)
    const findings: Finding[] = [...outside.problems.map((problem) => ({ budgetId: null, version: null, problem })), ...verified.findings]
    // By the digest of their ids: another few of each installation, the same ones each time.
    const chosen = await tx.execute<{ id: BudgetId; organisationId: OrganisationId }>(
      sql`select id, organisation_id as "organisationId" from budgets order by md5(id) limit ${samples}`,
    )
    for (const { id, organisationId } of chosen) findings.push(...(await replayBudget(await sourceOf(tx, organisationId, id), tx)).findings)
    return { ...verified, findings, replayed: chosen.length }
  })
}

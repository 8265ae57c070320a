import { sql } from 'drizzle-orm'
import type { Store } from './database.ts'

let anchored = ''

/** Writes out the heads of all chains once a day, so that a chain that is rewritten whole afterwards does not match any more. */
export async function anchorChains(store: Store, now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10)
  if (anchored === day) return
  await store.asPlatform((tx) =>
    tx.execute(
      sql`insert into chain_anchors (organisation_id, budget_id, day, version, hash) select organisation_id, id, ${day}, version, last_hash from budgets on conflict do nothing`,
    ),
  )
  anchored = day
}

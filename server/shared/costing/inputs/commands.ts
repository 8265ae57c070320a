import { sql } from 'drizzle-orm'
import type { FrozenBudget, FrozenInputs, SharedInputs } from '../../../../domain/calculation/staffing/frozen.ts'
import { requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../../domain/values/canonicalJson.ts'
import { calculationInputs } from '../../../../drizzle/costTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { sha256 } from '../../../core/stream/hash.ts'

/**
 * Stores inputs under the SHA-256 of their canonical JSON (rules.md §16): the shared set, the part of each budget, and a root that names
 * them. Equal inputs are stored only once, and a budget's inputs can be read without those of other budgets.
 * @returns the SHA-256 of the root
 */
export async function storeInputs(
  { tx, organisationId }: Call<'organisationId'>,
  shared: SharedInputs,
  budgets: Readonly<Record<string, FrozenBudget>>,
): Promise<string> {
  const bodies = new Map<string, string>()
  const keep = (value: unknown): string => {
    const body = canonicalJson(value)
    const sha = sha256(body)
    bodies.set(sha, body)
    return sha
  }
  // The shared set is large and usually the same as for the previous save, so its hash is cached, and the set is sent to the database only
  // if it is not stored yet.
  const known = sharedNames.get(shared)
  const named = known ?? keep(shared)
  if (Object.isFrozen(shared)) sharedNames.set(shared, named)
  const root: FrozenInputs = {
    shared: named,
    budgets: Object.fromEntries(Object.entries(budgets).map(([id, budget]) => [id, keep(budget)])),
  }
  const sha = keep(root)
  const values = [...bodies].map(([name, body]) => sql`(${organisationId}::integer, ${name}, ${body})`)
  const before = requireSingleRow(
    await tx.execute<{ hasShared: boolean }>(sql`
    with written as (
      insert into calculation_inputs (organisation_id, sha256, body) values ${sql.join(values, sql`, `)} on conflict do nothing
    )
    select exists(select from calculation_inputs where organisation_id = ${organisationId} and sha256 = ${named}) as "hasShared"`),
  )
  if (known !== undefined && !before.hasShared)
    await tx
      .insert(calculationInputs)
      .values({ organisationId, sha256: named, body: canonicalJson(shared) })
      .onConflictDoNothing()
  return sha
}

/** The SHA-256 of the frozen shared sets in memory. */
const sharedNames = new WeakMap<SharedInputs, string>()

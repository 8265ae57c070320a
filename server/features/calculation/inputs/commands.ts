import { and, eq } from 'drizzle-orm'
import type { FrozenBudget, FrozenInputs, SharedInputs } from '../../../../domain/calculation/frozen.ts'
import { canonicalJson } from '../../../../domain/canonicalJson.ts'
import { calculationInputs } from '../../../../drizzle/costTables.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { sha256 } from '../../../core/events/hash.ts'

/**
 * Keeps inputs under the SHA-256 of their canonical JSON (rules.md §16): the shared set, what is particular to each budget, and a root
 * that names them. The same inputs are kept once, and a budget is read without those of the others.
 * @returns the SHA-256 of the root
 */
export async function keepInputs(
  tx: OrganisationTx,
  organisationId: number,
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
  // The shared set is large, and most often that of the save before: its name is worked out once, and it is sent only where it is missing.
  let named = sharedNames.get(shared)
  if (named === undefined || !(await isKept(tx, organisationId, named))) named = keep(shared)
  if (Object.isFrozen(shared)) sharedNames.set(shared, named)
  const root: FrozenInputs = {
    shared: named,
    budgets: Object.fromEntries(Object.entries(budgets).map(([id, budget]) => [id, keep(budget)])),
  }
  const sha = keep(root)
  await tx
    .insert(calculationInputs)
    .values([...bodies].map(([name, body]) => ({ organisationId, sha256: name, body })))
    .onConflictDoNothing()
  return sha
}

/** The SHA-256 of shared sets that are kept in memory, where nothing can change them. */
const sharedNames = new WeakMap<SharedInputs, string>()

async function isKept(tx: OrganisationTx, organisationId: number, sha: string): Promise<boolean> {
  const [row] = await tx
    .select({ sha256: calculationInputs.sha256 })
    .from(calculationInputs)
    .where(and(eq(calculationInputs.organisationId, organisationId), eq(calculationInputs.sha256, sha)))
  return row !== undefined
}

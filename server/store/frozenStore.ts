import { and, eq } from 'drizzle-orm'
import type { FrozenBudget, FrozenInputs, SharedInputs } from '../../domain/calculation/frozen.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { calculationInputs } from '../../drizzle/costTables.ts'
import type { OrganisationTx } from './database.ts'
import { sha256 } from './hash.ts'

/**
 * Keeps inputs under the SHA-256 of their canonical JSON (calculation.md §16): the shared set, what is particular to each budget, and a root
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
  const root: FrozenInputs = {
    shared: keep(shared),
    budgets: Object.fromEntries(Object.entries(budgets).map(([id, budget]) => [id, keep(budget)])),
  }
  const sha = keep(root)
  await tx
    .insert(calculationInputs)
    .values([...bodies].map(([name, body]) => ({ organisationId, sha256: name, body })))
    .onConflictDoNothing()
  return sha
}

/** The last shared set that was read: the budgets of one run all need the same, and its name says what is in it. */
let lastShared: { sha: string; organisationId: number; shared: SharedInputs } | undefined

/** The kept inputs of one budget by the SHA-256 of their root. @throws Error when they are missing or do not match their name */
export async function readInputs(
  tx: OrganisationTx,
  organisationId: number,
  sha: string,
  budgetId: string,
): Promise<{ frozen: FrozenBudget; shared: SharedInputs }> {
  const root: FrozenInputs = JSON.parse(await bodyOf(tx, organisationId, sha))
  const part = root.budgets[budgetId]
  if (part === undefined) throw new Error(`The inputs ${sha.slice(0, 12)} are not of budget ${budgetId}`)
  if (lastShared?.sha !== root.shared || lastShared.organisationId !== organisationId)
    lastShared = { sha: root.shared, organisationId, shared: JSON.parse(await bodyOf(tx, organisationId, root.shared)) }
  return { frozen: typeof part === 'string' ? JSON.parse(await bodyOf(tx, organisationId, part)) : part, shared: lastShared.shared }
}

async function bodyOf(tx: OrganisationTx, organisationId: number, sha: string): Promise<string> {
  const [row] = await tx
    .select()
    .from(calculationInputs)
    .where(and(eq(calculationInputs.organisationId, organisationId), eq(calculationInputs.sha256, sha)))
  if (!row) throw new Error(`The inputs ${sha.slice(0, 12)} are missing`)
  if (sha256(row.body) !== sha) throw new Error(`The inputs ${sha.slice(0, 12)} do not match their hash`)
  return row.body
}

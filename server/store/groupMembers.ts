import { eq } from 'drizzle-orm'
import { budgetGroups } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { groupRow, saveGroup } from './groupStore.ts'

/** Puts budgets behind those that a group has. */
export async function addToGroup(
  tx: OrganisationTx,
  organisationId: number,
  groupId: string,
  budgetIds: readonly string[],
  actor: Actor,
): Promise<void> {
  const { name, description, budgetIds: before, version } = await groupRow(tx, organisationId, groupId)
  await saveGroup(tx, organisationId, groupId, { name, description, budgetIds: [...before, ...budgetIds] }, version, actor, false)
}

/** Puts a budget into another group, or into none; nothing happens when it is there already. */
export async function moveToGroup(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  groupId: string | null,
  actor: Actor,
): Promise<void> {
  const groups = await tx.select().from(budgetGroups).where(eq(budgetGroups.organisationId, organisationId))
  const now = groups.find((group) => group.budgetIds.includes(budgetId))
  if ((now?.id ?? null) === groupId) return
  await takeOutOfGroups(tx, organisationId, [budgetId], actor)
  if (groupId) await addToGroup(tx, organisationId, groupId, [budgetId], actor)
}

/** Takes budgets out of the groups they are in, when they are deleted. @throws DomainError 409 while one of those is recalculated */
export async function takeOutOfGroups(
  tx: OrganisationTx,
  organisationId: number,
  budgetIds: readonly string[],
  actor: Actor,
): Promise<void> {
  const groups = await tx.select().from(budgetGroups).where(eq(budgetGroups.organisationId, organisationId))
  for (const group of groups.filter((one) => one.budgetIds.some((id) => budgetIds.includes(id)))) {
    const { id, name, description, version } = group
    const rest = group.budgetIds.filter((one) => !budgetIds.includes(one))
    await saveGroup(tx, organisationId, id, { name, description, budgetIds: rest }, version, actor, false)
  }
}

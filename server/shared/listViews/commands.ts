import { and, eq, sql } from 'drizzle-orm'
import {
  findUnusedViewName,
  hasViewName,
  isNamedAfterPerson,
  type ListView,
  maxViewsPerList,
  searchesForPerson,
} from '../../../domain/lists/listViews.ts'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import type { OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { conflict, forbidden, notFound } from '../../../domain/words/errors.ts'
import { listViews } from '../../../drizzle/consoleTables.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import { advisoryLocks } from '../../core/database/advisoryLocks.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { encryptText, ensureOrganisationKey } from '../../core/database/vault.ts'
import { buildIntegerArray } from '../../resources/listConditions.ts'
import type { BrowserViewsInput, ViewInput } from './inputs.ts'
import { listUserViews, presentView, userViewsCondition } from './queries.ts'

type ViewCall = Call<'organisationId' | 'actor'>

/**
 * Locks a user's views, so that saves from several browsers happen one after the other.
 * @throws DomainError 403 for an API client, which is not a person
 */
async function lockOwnViews({ tx, actor }: { tx: OrganisationTx; actor: Actor }): Promise<UserId> {
  if (actor.userId === null) throw forbidden()
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.listViews}, ${actor.userId})`)
  return actor.userId
}

/**
 * Saves a list view under a name, replacing one with the same name.
 * @throws DomainError 403 for an API client; 409 above the limit
 */
export async function saveView(call: ViewCall, { list, name, look }: ViewInput): Promise<ListView> {
  const { tx, organisationId } = call
  const userId = await lockOwnViews(call)
  const views = await listUserViews(call, userId, list)
  const before = views.find((one) => hasViewName(one, name))
  const key = await ensureOrganisationKey(tx, organisationId)
  const values = { name, sealed: encryptText(key, JSON.stringify(look)) }
  if (before) {
    const ownView = and(userViewsCondition(call, userId), eq(listViews.id, before.id))
    return presentView(key, requireSingleRow(await tx.update(listViews).set(values).where(ownView).returning()))
  }
  if (views.length >= maxViewsPerList)
    throw conflict('tooMany', `You can save at most ${maxViewsPerList} views of a list. Remove one that you no longer need.`)
  return presentView(
    key,
    requireSingleRow(
      await tx
        .insert(listViews)
        .values({ ...values, organisationId, userId, list })
        .returning(),
    ),
  )
}

/**
 * @throws DomainError 403 for an API client; 404 for a view of another user; 409 for a name that another view of the
 * list has
 */
export async function renameView(call: ViewCall, { id, name }: Pick<ListView, 'id' | 'name'>): Promise<ListView> {
  const { tx, organisationId } = call
  const userId = await lockOwnViews(call)
  const [row] = await tx
    .update(listViews)
    .set({ name })
    .where(and(userViewsCondition(call, userId), eq(listViews.id, id)))
    .returning()
  if (!row) throw notFound('View')
  return presentView(await ensureOrganisationKey(tx, organisationId), row)
}

/** @throws DomainError 403 for an API client; 404 for a view of another user */
export async function deleteView(call: ViewCall, id: number): Promise<void> {
  const { tx } = call
  const userId = await lockOwnViews(call)
  const gone = await tx
    .delete(listViews)
    .where(and(userViewsCondition(call, userId), eq(listViews.id, id)))
    .returning({ id: listViews.id })
  if (!gone.length) throw notFound('View')
}

/**
 * Imports views that were stored in a browser. Views that already exist do not change; a different one with the same name gets a number.
 * Views above the limit stay in the browser.
 * @returns the names, in the browser, of those that were imported
 * @throws DomainError 403 for an API client
 */
export async function importBrowserViews(call: ViewCall, { list, views }: BrowserViewsInput): Promise<string[]> {
  const remainingViews = await listUserViews(call, await lockOwnViews(call), list)
  const taken: string[] = []
  for (const { name, look } of views) {
    const isKept = remainingViews.some((one) => hasViewName(one, name) && canonicalJson(one.look) === canonicalJson(look))
    if (!isKept && remainingViews.length >= maxViewsPerList) continue
    if (!isKept) remainingViews.push(await saveView(call, { list, name: findUnusedViewName(name, remainingViews), look }))
    taken.push(name)
  }
  return taken
}

/** Deletes users' views in organisations that they no longer belong to. Administrators belong to all organisations. */
export async function deleteViewsOfFormerOrganisations(tx: OrganisationTx, userIds: readonly UserId[]): Promise<void> {
  await tx.execute(sql`
    delete from list_views where user_id = any(${buildIntegerArray(userIds)})
      and not exists (select from memberships where memberships.user_id = list_views.user_id
        and memberships.organisation_id = list_views.organisation_id)
      and not exists (select from users where users.id = list_views.user_id and users.is_administrator)`)
}

/**
 * Deletes all views, of any user, that search for an erased person by surname, number or address. A view that contains the name only in its
 * title, or only as a word with another meaning, is renamed instead.
 */
export async function deleteViewsOfPerson(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  person: { surname: string; marks: readonly string[] },
): Promise<void> {
  const ofOrganisation = eq(listViews.organisationId, organisationId)
  const rows = await tx.select().from(listViews).where(ofOrganisation)
  if (!rows.length) return
  const key = await ensureOrganisationKey(tx, organisationId)
  const looking = new Set(rows.flatMap((row) => (searchesForPerson(presentView(key, row), person) ? [row.id] : [])))
  if (looking.size) await tx.delete(listViews).where(and(ofOrganisation, sql`${listViews.id} = any(${buildIntegerArray([...looking])})`))
  const left = rows.filter(({ id }) => !looking.has(id))
  for (const row of left.filter((one) => isNamedAfterPerson(one, person.surname))) {
    row.name = findUnusedViewName(
      'View',
      left.filter(({ userId, list }) => userId === row.userId && list === row.list),
    )
    await tx
      .update(listViews)
      .set({ name: row.name })
      .where(and(ofOrganisation, eq(listViews.id, row.id)))
  }
}

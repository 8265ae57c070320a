import { sql } from 'drizzle-orm'
import { getRestorableSince } from '../../../../domain/changes/bin.ts'
import { allResources, getResource } from '../../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../../../domain/resources/resource.ts'
import { requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../../domain/values/format.ts'
import type { LocationId, UserId } from '../../../../domain/values/ids.ts'
import { conflict } from '../../../../domain/words/errors.ts'
import { defaultTerms, toMidSentence } from '../../../../domain/words/terms.ts'
import { budgetItems } from '../../../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { Store } from '../../../core/database/database.ts'
import { nameActor, readUserNames } from '../../../core/database/userNames.ts'
import { readRecordNames } from '../../../resources/names.ts'
import { buildIdArray } from '../../../resources/useSources.ts'
import { buildBudgetUsesCondition, buildContractUsesCondition, buildItemUsesCondition } from '../../../streams/budget/usePaths.ts'

/** A deleted budget, from its log. */
export interface DeletedBudget {
  id: string
  name: string
  locationId: LocationId
  /** The calendar year and month in which its first year starts. */
  firstYear: number
  startMonth: number
  numberOfYears: number
  /** Null if the system deleted it. */
  deletedById: UserId | null
  /** ISO 8601. */
  deletedAt: string
}

/** The most deleted budgets shown at once. */
const mostShown = 200

/**
 * The deleted budgets that the caller may restore, newest deletion first, read only from the logs.
 * @param locationIds the locations that the caller is limited to; null for all
 */
export async function listDeletedBudgets(
  { tx, organisationId, now }: Call<'organisationId' | 'now'>,
  { locationIds, search, ids }: { locationIds: readonly LocationId[] | null; search?: string | null; ids?: readonly string[] },
): Promise<{ rows: DeletedBudget[]; total: number }> {
  const words = search?.trim().replace(/[\\%_]/g, '\\$&')
  const rows = await tx.execute<DeletedBudget & { total: number } & Record<string, unknown>>(sql`
    select gone.budget_id as id, named.data ->> 'name' as name, (made.data ->> 'locationId')::integer as "locationId",
      (made.data ->> 'firstYear')::integer as "firstYear", (made.data ->> 'startMonth')::integer as "startMonth",
      (lasting.data ->> 'numberOfYears')::integer as "numberOfYears",
      gone.actor_id as "deletedById", gone.occurred_at as "deletedAt", count(*) over ()::integer as total
    from budget_events gone
    join budget_events made on made.organisation_id = gone.organisation_id and made.budget_id = gone.budget_id and made.version = 1
    cross join lateral (
      select data from budget_events one where one.organisation_id = gone.organisation_id and one.budget_id = gone.budget_id
        and one.type in ('BudgetCreated', 'BudgetRenamed') order by one.version desc limit 1
    ) named
    cross join lateral (
      select data from budget_events one where one.organisation_id = gone.organisation_id and one.budget_id = gone.budget_id
        and one.type in ('BudgetCreated', 'BudgetElementsSaved') order by one.version desc limit 1
    ) lasting
    where gone.organisation_id = ${organisationId} and gone.type = 'BudgetDeleted' and gone.occurred_at > ${getRestorableSince(now).toISOString()}::timestamptz
      and not exists (select from budget_events later where later.organisation_id = gone.organisation_id and later.budget_id = gone.budget_id
        and later.version > gone.version)
      and ${locationIds ? sql`(made.data ->> 'locationId')::integer = any(${buildIdArray(locationIds)})` : sql`true`}
      and ${words ? sql`named.data ->> 'name' ilike ${`%${words}%`}` : sql`true`}
      and ${ids ? sql`gone.budget_id = any(${sql.param(`{${ids.join(',')}}`)}::char(24)[])` : sql`true`}
    order by gone.position desc limit ${ids ? ids.length : mostShown}`)
  return {
    rows: [...rows].map(({ total: _total, deletedAt, ...row }) => ({ ...row, deletedAt: new Date(deletedAt).toISOString() })),
    total: rows[0]?.total ?? 0,
  }
}

/** A deleted budget, as the bin shows it. */
export interface BudgetInBin extends Omit<DeletedBudget, 'deletedById'> {
  deletedBy: string
}

/** Deleted budgets with the names of the users who deleted them. Users are stored outside the tenants. */
export async function addBudgetDeleterNames(
  store: Store,
  { rows, total }: { rows: readonly DeletedBudget[]; total: number },
): Promise<{ rows: BudgetInBin[]; total: number }> {
  const people = await readUserNames(
    store,
    rows.map((row) => row.deletedById),
  )
  return {
    rows: rows.map(({ deletedById, ...row }) => ({
      ...row,
      deletedBy: nameActor(people, deletedById),
    })),
    total,
  }
}

/**
 * The longest time that a request may have waited to run. A deletion is logged with the time of its request, so the search starts this much
 * earlier.
 */
const waited = '10 minutes'

/** The most records that an error names. */
const mostNamed = 3

/**
 * The names of the first few records that a budget refers to and that were deleted while the restored data was deleted.
 * @param since when the restored data was deleted, ISO 8601
 */
async function listDeletedMeanwhile(call: Call<'organisationId' | 'budgetId'>, since: string): Promise<string[]> {
  const { tx, organisationId } = call
  const gone = await tx.execute<{ resource: string; id: number; record: AnyRecord }>(sql`
    select gone.resource, gone.record_id::integer as id, gone.before as record from reference_changes gone
    where gone.action = 'deleted' and gone.occurred_at >= ${since}::timestamptz - ${waited}::interval
      and (gone.organisation_id = ${organisationId} or gone.organisation_id is null)
      and gone.resource = any(${sql.param(`{${allResources.map(({ name }) => name).join(',')}}`)}::text[])
      and not exists (select from reference_changes later where later.resource = gone.resource and later.record_id = gone.record_id and later.id > gone.id)
    order by gone.id`)
  const sentences: string[] = []
  for (const name of new Set(gone.map(({ resource }) => resource))) {
    const resource = getResource(name)
    const records = gone.flatMap((one) => (one.resource === name ? [one.record] : []))
    const used = await findUsedRecords(call, resource, { records, most: mostNamed - sentences.length })
    const names = await readRecordNames(tx, resource, used)
    sentences.push(...used.map(({ id }) => `${toMidSentence(defaultTerms[resource.key].singular)} ${names.get(id) || `number ${id}`}`))
    if (sentences.length === mostNamed) break
  }
  return sentences
}

/** The first few among some records that a budget refers to, found by bisection. */
async function findUsedRecords(
  call: Call<'organisationId' | 'budgetId'>,
  resource: AnyResource,
  { records, most }: { records: readonly AnyRecord[]; most: number },
): Promise<AnyRecord[]> {
  if (
    most <= 0 ||
    !records.length ||
    !(await refersToAny(
      call,
      resource,
      records.map(({ id }) => id),
    ))
  )
    return []
  if (records.length === 1) return [...records]
  const half = Math.ceil(records.length / 2)
  const found = await findUsedRecords(call, resource, { records: records.slice(0, half), most })
  return [...found, ...(await findUsedRecords(call, resource, { records: records.slice(half), most: most - found.length }))]
}

async function refersToAny(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  resource: AnyResource,
  ids: readonly number[],
): Promise<boolean> {
  const [inBudget, inContracts, inItems] = [
    buildBudgetUsesCondition(resource, ids),
    buildContractUsesCondition(resource, ids),
    buildItemUsesCondition(resource, ids),
  ]
  const uses = [
    inBudget &&
      sql`exists (select from ${budgets} where ${budgets.organisationId} = ${organisationId} and ${budgets.id} = ${budgetId} and ${inBudget})`,
    inContracts &&
      sql`exists (select from ${staffContracts} where ${staffContracts.organisationId} = ${organisationId} and ${staffContracts.budgetId} = ${budgetId} and ${inContracts})`,
    inItems &&
      sql`exists (select from ${budgetItems} where ${budgetItems.organisationId} = ${organisationId} and ${budgetItems.budgetId} = ${budgetId} and ${inItems})`,
  ].filter((one) => one !== undefined)
  if (!uses.length) return false
  const { isUsed } = requireSingleRow(await tx.execute<{ isUsed: boolean }>(sql`select (${sql.join(uses, sql` or `)}) as "isUsed"`))
  return isUsed
}

/**
 * Refuses to restore data if a record that the budget would then refer to has been deleted in the meantime.
 * @param since when the restored data was deleted, ISO 8601
 * @param refusal the refused action, in words
 * @throws DomainError 409
 */
export async function refuseIfReferencesDeleted(
  call: Call<'organisationId' | 'budgetId'>,
  { since, refusal }: { since: string; refusal: string },
): Promise<void> {
  const people = await countErasedPeople(call, since)
  if (people)
    throw conflict(
      'peopleGone',
      `${refusal}: ${displayCount(people, 'person who holds a contract in it has', 'people who hold contracts in it have')} since been deleted, which is permanent.`,
    )
  const gone = await listDeletedMeanwhile(call, since)
  if (gone.length)
    throw conflict(
      'needsOthers',
      `${refusal}: it needs ${gone.join(', ')}, which ${gone.length === 1 ? 'has' : 'have'} since been deleted. Restore that first.`,
    )
}

/** How many employees with contracts in a budget have been permanently erased since it was deleted. */
async function countErasedPeople({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>, since: string): Promise<number> {
  const { people } = requireSingleRow(
    await tx.execute<{ people: number }>(sql`
    select count(distinct held.staff_id)::integer as people from staff_contracts held
    where held.organisation_id = ${organisationId} and held.budget_id = ${budgetId} and held.staff_id is not null
      and not exists (select from staff_members one where one.organisation_id = held.organisation_id and one.id = held.staff_id)
      and exists (select from reference_changes gone where gone.resource = 'staffMember' and gone.record_id = held.staff_id::text
        and gone.action = 'deleted' and gone.occurred_at >= ${since}::timestamptz - ${waited}::interval)`),
  )
  return people
}

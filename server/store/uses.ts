import { asc, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { conflict } from '../../domain/errors.ts'
import { resourceNamed, usesOf } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { defaultTerms, type TermKey } from '../../domain/terms.ts'
import { apiClients, memberships } from '../../drizzle/accessTables.ts'
import { appliedExtendedLeave } from '../../drizzle/consoleTables.ts'
import { budgetItems } from '../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import { namesOfRecords } from './recordNames.ts'
import { type StaffMember, staffByIds } from './staffStore.ts'
import { tableFor } from './tables.ts'
import { budgetUse, contractUse, itemUse } from './usePaths.ts'

/** What uses a record, of one kind. */
export interface Use {
  count: number
  /** In words, singular or plural as the count is. */
  thing: string
}

/** One thing that uses a record, so that a screen can lead to it. */
export interface UsedBy {
  /** The resource, or what else it is. */
  kind: string
  id: number | string
  name: string
  locationId: number | null
  budgetId: string | null
}

const idList = (ids: readonly number[]): SQL => sql`${sql.param(`{${ids.join(',')}}`)}::int[]`

/** The resources whose records name others of a kind, each with its condition. The parts of a record are no use of it. */
export function usingRecords(resource: AnyResource, ids: readonly number[]): { using: AnyResource; where: SQL }[] {
  const parts = new Set((resource.parts ?? []).map((part) => part.of))
  const byResource = new Map<AnyResource, SQL[]>()
  for (const use of usesOf(resource.name)) {
    const column = tableFor(use.resource).columns[use.field]
    if (!column || parts.has(use.resource.name)) continue
    const condition = use.many ? sql`${column} && ${idList(ids)}` : sql`${column} = any(${idList(ids)})`
    byResource.set(use.resource, [...(byResource.get(use.resource) ?? []), condition])
  }
  return [...byResource].map(([using, conditions]) => ({ using, where: sql`(${sql.join(conditions, sql` or `)})` }))
}

const itemTerms = { entry: 'BudgetEntry', calculation: 'IncomeExpenditureCalculator', prediction: 'FundingPredictor' } as const

/** Everything that may use a record: its table, which rows, and what they are called. */
function sources(resource: AnyResource, ids: readonly number[]): { table: PgTable; where: SQL; key: TermKey }[] {
  const all: { table: PgTable; where: SQL | undefined; key: TermKey }[] = usingRecords(resource, ids).map(({ using, where }) => ({
    table: tableFor(using).table,
    where,
    key: using.key,
  }))
  all.push({ table: budgets, where: budgetUse(resource, ids), key: 'Budget' })
  all.push({ table: staffContracts, where: contractUse(resource, ids), key: 'StaffContract' })
  const inItems = itemUse(resource, ids)
  for (const [kind, key] of Object.entries(itemTerms))
    all.push({ table: budgetItems, where: inItems && sql`${inItems} and ${budgetItems.kind} = ${kind}`, key })
  if (resource.name === 'extendedLeaveRuleSet')
    all.push({
      table: appliedExtendedLeave,
      where: sql`${appliedExtendedLeave.extendedLeaveRulesetId} = any(${idList(ids)})`,
      key: 'AppliedExtendedLeave',
    })
  if (resource.name === 'userGroup') {
    all.push({ table: memberships, where: sql`${memberships.userGroupIds} && ${idList(ids)}`, key: 'User' })
    all.push({ table: apiClients, where: sql`${apiClients.userGroupId} = any(${idList(ids)})`, key: 'IntegrationCredential' })
  }
  if (resource.name === 'organisation')
    all.push({ table: memberships, where: sql`${memberships.organisationId} = any(${idList(ids)})`, key: 'User' })
  return all.flatMap(({ where, ...rest }) => (where ? [{ ...rest, where }] : []))
}

/** How many of each kind use some records. */
export async function usesOfRecord(tx: OrganisationTx, resource: AnyResource, ids: readonly number[]): Promise<Use[]> {
  const uses: Use[] = []
  for (const { table, where, key } of sources(resource, ids)) {
    const [row] = await tx.select({ count: sql<number>`count(*)::int` }).from(table).where(where)
    const term = defaultTerms[key]
    if (row!.count) uses.push({ count: row!.count, thing: (row!.count === 1 ? term.singular : term.plural).toLowerCase() })
  }
  return uses
}

/** The first hundred of each kind that use a record, by name; budgets and contracts only as far as the caller may open them. */
export async function usedBy(
  tx: OrganisationTx,
  resource: AnyResource,
  id: number,
  may: { budgets: boolean; contracts: boolean; items: boolean; locationIds: readonly number[] | null },
): Promise<UsedBy[]> {
  const rows: UsedBy[] = []
  for (const { using, where } of usingRecords(resource, [id])) {
    const { table, columns } = tableFor(using)
    const found = (await tx.select().from(table).where(where).orderBy(asc(columns.id!)).limit(100)) as AnyRecord[]
    const names = await namesOfRecords(tx, using, found)
    for (const record of found)
      rows.push({ kind: using.name, id: record.id, name: names.get(record.id) ?? String(record.id), locationId: null, budgetId: null })
  }
  const within = may.locationIds && sql`${budgets.locationId} = any(${idList(may.locationIds)})`
  const inBudgets = budgetUse(resource, [id])
  if (inBudgets && may.budgets) {
    const found = await tx
      .select()
      .from(budgets)
      .where(within ? sql`${inBudgets} and ${within}` : inBudgets)
      .orderBy(asc(budgets.name))
      .limit(100)
    const placeNames = await namesOfPlaces(
      tx,
      found.map((row) => row.locationId),
    )
    for (const row of found)
      rows.push({
        kind: 'budget',
        id: row.id,
        name: `${placeNames.get(row.locationId) ?? ''}: ${row.name}`,
        locationId: row.locationId,
        budgetId: row.id,
      })
  }
  const inContracts = contractUse(resource, [id])
  if (inContracts && may.contracts) rows.push(...(await contractsWhere(tx, within ? sql`${inContracts} and ${within}` : inContracts)))
  const inItems = itemUse(resource, [id])
  if (inItems && may.items) rows.push(...(await itemsWhere(tx, within ? sql`${inItems} and ${within}` : inItems)))
  return rows
}

/** The first hundred entries, calculations and predictions that meet a condition, with place and budget. */
async function itemsWhere(tx: OrganisationTx, where: SQL): Promise<UsedBy[]> {
  const rows = await tx
    .select({
      id: budgetItems.id,
      kind: budgetItems.kind,
      item: budgetItems.item,
      budgetId: budgets.id,
      budget: budgets.name,
      locationId: budgets.locationId,
    })
    .from(budgetItems)
    .innerJoin(budgets, sql`${budgets.organisationId} = ${budgetItems.organisationId} and ${budgets.id} = ${budgetItems.budgetId}`)
    .where(where)
    .orderBy(asc(budgets.locationId), asc(budgets.name), asc(budgetItems.kind), asc(budgetItems.id))
    .limit(100)
  const placeNames = await namesOfPlaces(
    tx,
    rows.map((row) => row.locationId),
  )
  return rows.map(({ id, kind, item, budget, budgetId, locationId }) => {
    const name = 'name' in item ? item.name : 'description' in item ? item.description : ''
    return { kind, id, name: `${name}, ${placeNames.get(locationId) ?? ''}, ${budget}`, locationId, budgetId }
  })
}

/** The contracts of a person, by name as far as the caller may open them. */
export async function contractsOfStaff(
  tx: OrganisationTx,
  { organisationId, locationIds }: { organisationId: number | null; locationIds: readonly number[] | null },
  staffId: number,
  mayOpen: boolean,
): Promise<{ counts: Use[]; used: UsedBy[] }> {
  const own = sql`${staffContracts.organisationId} = ${organisationId} and ${staffContracts.staffId} = ${staffId}`
  const [counted] = await tx.select({ count: sql<number>`count(*)::int` }).from(staffContracts).where(own)
  const { count } = counted!
  const within = locationIds ? sql`${own} and ${budgets.locationId} = any(${idList(locationIds)})` : own
  const term = defaultTerms.StaffContract
  return {
    counts: count ? [{ count, thing: (count === 1 ? term.singular : term.plural).toLowerCase() }] : [],
    used: mayOpen ? await contractsWhere(tx, within) : [],
  }
}

/** The first hundred contracts that meet a condition, by person, place and budget, so that twenty teachers can be told apart. */
async function contractsWhere(tx: OrganisationTx, where: SQL): Promise<UsedBy[]> {
  const rows = await tx
    .select({
      id: staffContracts.id,
      organisationId: staffContracts.organisationId,
      staffId: staffContracts.staffId,
      contract: staffContracts.contract,
      budgetId: budgets.id,
      budget: budgets.name,
      locationId: budgets.locationId,
    })
    .from(staffContracts)
    .innerJoin(budgets, sql`${budgets.organisationId} = ${staffContracts.organisationId} and ${budgets.id} = ${staffContracts.budgetId}`)
    .where(where)
    .orderBy(asc(budgets.locationId), asc(budgets.name), asc(staffContracts.id))
    .limit(100)
  const placeNames = await namesOfPlaces(
    tx,
    rows.map((row) => row.locationId),
  )
  const people = new Map<number, StaffMember>()
  // What an administrator looks at may be used in several organisations.
  for (const organisationId of new Set(rows.map((row) => row.organisationId))) {
    const ids = rows.flatMap((row) => (row.organisationId === organisationId && row.staffId !== null ? [row.staffId] : []))
    for (const [id, member] of await staffByIds(tx, organisationId, [...new Set(ids)])) people.set(id, member)
  }
  return rows.map(({ id, staffId, contract, budget, budgetId, locationId }) => {
    const person = staffId === null ? undefined : people.get(staffId)
    const who = person ? `${person.forename} ${person.surname}` : 'Vacancy'
    return {
      kind: 'staffContract',
      id,
      name: `${who}: ${contract.contractName}, ${placeNames.get(locationId) ?? ''}, ${budget}`,
      locationId,
      budgetId,
    }
  })
}

async function namesOfPlaces(tx: OrganisationTx, ids: readonly number[]): Promise<Map<number, string>> {
  const { table, columns } = tableFor(resourceNamed('location'))
  if (!ids.length) return new Map()
  const rows = await tx
    .select({ id: columns.id!, name: columns.name! })
    .from(table)
    .where(inArray(columns.id!, [...new Set(ids)]))
  return new Map(rows.map((row) => [row.id as number, String(row.name)]))
}

/** @throws DomainError 409 that says by what the records are used (behaviours B-105 and B-127) */
export async function refuseIfUsed(tx: OrganisationTx, resource: AnyResource, records: readonly AnyRecord[]): Promise<void> {
  if (!records.length) return
  const all = await usesOfRecord(
    tx,
    resource,
    records.map((record) => record.id),
  )
  if (!all.length) return
  const sentences: string[] = []
  for (const record of records.slice(0, 20)) {
    const uses = await usesOfRecord(tx, resource, [record.id])
    if (!uses.length) continue
    const name = records.length === 1 ? defaultTerms[resource.key].singular : String(record[resource.naming[0]!])
    const parts = uses.map((use) => `${use.count} ${use.thing}`)
    const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts[0]
    sentences.push(`${name} is in use by ${list} and cannot be deleted.`)
  }
  throw conflict('inUse', sentences.join('\n'))
}

/** The resources in which a use can be moved to another record by itself. */
export function isReplaceable(resource: AnyResource): boolean {
  return !['location', 'organisation', 'userGroup'].includes(resource.name) && resourceNamed(resource.name) === resource
}

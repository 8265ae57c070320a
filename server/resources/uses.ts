import { and, asc, inArray, type SQL, sql } from 'drizzle-orm'
import { labelContract } from '../../domain/budget/budget.ts'
import { canSeeStaff, hasAnyPermission, listViewPermissions } from '../../domain/people/permissions.ts'
import { findFieldsReferringTo, getResource } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import {
  type BudgetId,
  type LocationId,
  type OrganisationId,
  type StaffId,
  toLocationId,
  toOrganisationId,
} from '../../domain/values/ids.ts'
import { conflict } from '../../domain/words/errors.ts'
import { defaultTerms, type Term } from '../../domain/words/terms.ts'
import { budgetItems } from '../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../drizzle/schema.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { buildVisibleCondition, buildVisibleRowsCondition, castRows, getResourceTable } from '../core/database/tables.ts'
import { loadStaffByIds, type StaffMember } from '../streams/budget/people.ts'
import { lockAllBudgets } from '../streams/budget/queries.ts'
import { buildBudgetUsesCondition, buildContractUsesCondition, buildItemUsesCondition } from '../streams/budget/usePaths.ts'
import { getHooks } from './hooks/all.ts'
import { readRecordNames } from './names.ts'
import { buildCallerRowsCondition } from './rowRules.ts'
import {
  buildCallerLocationsCondition,
  buildIdArray,
  buildVisibleBudgetsCondition,
  requirePermissionToSee,
  type UseSource,
  type UsesViewer,
} from './useSources.ts'

/** How many things of one kind use a record. */
export interface UseCount {
  count: number
  /** What these things are, in words that are singular or plural to match the count. */
  thing: string
}

/** One thing that uses a record, so that a screen can link to it. */
export interface RecordUse {
  /** The name of the resource, or of another kind of thing. */
  kind: string
  id: number | string
  name: string
  locationId: LocationId | null
  budgetId: BudgetId | null
}

/**
 * Finds the resources whose records refer to some records, each with an SQL condition for the records that refer to them. Parts of a record
 * do not count as uses of it.
 */
export function findUsingResources(resource: AnyResource, ids: readonly number[]): { using: AnyResource; where: SQL }[] {
  const parts = new Set((resource.parts ?? []).map((part) => part.of))
  const byResource = new Map<AnyResource, SQL[]>()
  for (const use of findFieldsReferringTo(resource.name)) {
    const column = getResourceTable(use.resource).columns[use.field]
    if (!column || parts.has(use.resource.name)) continue
    const condition = use.many ? sql`${column} && ${buildIdArray(ids)}` : sql`${column} = any(${buildIdArray(ids)})`
    byResource.set(use.resource, [...(byResource.get(use.resource) ?? []), condition])
  }
  return [...byResource].map(([using, conditions]) => ({ using, where: sql`(${sql.join(conditions, sql` or `)})` }))
}

const itemTerms = { entry: 'BudgetEntry', calculation: 'IncomeExpenditureCalculator', prediction: 'FundingPredictor' } as const

/** SQL condition for rows of budgets that the caller may open. */
function visibleBudgetRowsCondition(table: typeof staffContracts | typeof budgetItems, viewer: UsesViewer): SQL {
  return sql`exists (select from ${budgets} where ${budgets.organisationId} = ${table.organisationId} and ${budgets.id} = ${table.budgetId} and ${buildVisibleBudgetsCondition(viewer) ?? sql`true`})`
}

const seenRecords =
  (using: AnyResource) =>
  (viewer: UsesViewer): SQL | undefined | null => {
    const { read, alsoReadBy = [] } = using.access
    if (read.length && !hasAnyPermission(viewer.holder, [...read, ...alsoReadBy])) return null
    return and(...buildCallerRowsCondition(using, { columns: getResourceTable(using).columns, scope: viewer.rows }))
  }

/**
 * Lists the tables whose rows may use a record. Each has the condition for the rows that use it, the term for such rows, and the condition
 * for the rows that the caller may see.
 */
function listUseSources(resource: AnyResource, ids: readonly number[]): UseSource[] {
  const all: (Omit<UseSource, 'where'> & { where: SQL | undefined })[] = findUsingResources(resource, ids).map(({ using, where }) => ({
    table: getResourceTable(using).table,
    where,
    key: using.key,
    visibilityFor: seenRecords(using),
  }))
  all.push({
    table: budgets,
    where: buildBudgetUsesCondition(resource, ids),
    key: 'Budget',
    visibilityFor: requirePermissionToSee(listViewPermissions('ConsoleBudgetManagement'), buildVisibleBudgetsCondition),
  })
  all.push({
    table: staffContracts,
    where: buildContractUsesCondition(resource, ids),
    key: 'StaffContract',
    visibilityFor: requirePermissionToSee(listViewPermissions('BudgetingStaffing'), (viewer) =>
      visibleBudgetRowsCondition(staffContracts, viewer),
    ),
  })
  const inItems = buildItemUsesCondition(resource, ids)
  for (const [kind, key] of Object.entries(itemTerms))
    all.push({
      table: budgetItems,
      where: inItems && sql`${inItems} and ${budgetItems.kind} = ${kind}`,
      key,
      visibilityFor: requirePermissionToSee(listViewPermissions('BudgetingNonStaffing'), (viewer) =>
        visibleBudgetRowsCondition(budgetItems, viewer),
      ),
    })
  all.push(...(getHooks(resource).uses?.(ids) ?? []))
  return all.flatMap(({ where, ...rest }) => (where ? [{ ...rest, where }] : []))
}

/** Counts the uses of some records by kind: all that the transaction can read, or only those that a caller may see. */
async function countUses(
  tx: OrganisationTx,
  resource: AnyResource,
  { ids, viewer }: { ids: readonly number[]; viewer?: UsesViewer },
): Promise<UseCount[]> {
  // Two tables can have the same term; their counts are added.
  const found = new Map<Term, number>()
  for (const { table, where, key, visibilityFor } of listUseSources(resource, ids)) {
    const condition = viewer && visibilityFor(viewer)
    if (condition === null) continue
    const row = requireSingleRow(
      await tx
        .select({ count: sql<number>`count(*)::int` })
        .from(table)
        .where(and(buildVisibleRowsCondition(tx, table), where, condition)),
    )
    const term = typeof key === 'string' ? defaultTerms[key] : key
    if (row.count) found.set(term, (found.get(term) ?? 0) + row.count)
  }
  return [...found].map(([term, count]) => ({ count, thing: (count === 1 ? term.singular : term.plural).toLowerCase() }))
}

/**
 * Lists what uses a record and is visible to the caller: a count of each kind and the first hundred by name. Also says whether there are
 * uses that the caller may not see.
 */
export async function listVisibleUses(
  tx: OrganisationTx,
  resource: AnyResource,
  { id, viewer }: { id: number; viewer: UsesViewer },
): Promise<{ counts: UseCount[]; used: RecordUse[]; hidden: boolean }> {
  const sum = (uses: readonly UseCount[]): number => uses.reduce((total, use) => total + use.count, 0)
  const counts = await countUses(tx, resource, { ids: [id], viewer })
  const all = await countUses(tx, resource, { ids: [id] })
  return { counts, used: await listUsedBy(tx, resource, { id, viewer }), hidden: sum(all) > sum(counts) }
}

/** The first hundred things of each kind that use a record, by name. */
async function listUsedBy(
  tx: OrganisationTx,
  resource: AnyResource,
  { id, viewer }: { id: number; viewer: UsesViewer },
): Promise<RecordUse[]> {
  const rows: RecordUse[] = []
  for (const { using, where } of findUsingResources(resource, [id])) {
    const { table, columns } = getResourceTable(using)
    const seenCondition = seenRecords(using)(viewer)
    if (seenCondition === null) continue
    const found = castRows(
      using,
      await tx
        .select()
        .from(table)
        .where(and(buildVisibleRowsCondition(tx, table), where, seenCondition))
        .orderBy(asc(columns.id))
        .limit(100),
    )
    const names = await readRecordNames(tx, using, found)
    for (const record of found)
      rows.push({ kind: using.name, id: record.id, name: names.get(record.id) ?? String(record.id), locationId: null, budgetId: null })
  }
  const within = buildVisibleBudgetsCondition(viewer)
  const inBudgets = buildBudgetUsesCondition(resource, [id])
  if (inBudgets && hasAnyPermission(viewer.holder, listViewPermissions('ConsoleBudgetManagement'))) {
    const found = await tx
      .select()
      .from(budgets)
      .where(and(buildVisibleCondition(tx, budgets.organisationId), inBudgets, within))
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
  const inContracts = buildContractUsesCondition(resource, [id])
  if (inContracts && canSeeStaff(viewer.holder)) rows.push(...(await contractsWhere(tx, assertDefined(and(inContracts, within)))))
  const inItems = buildItemUsesCondition(resource, [id])
  if (inItems && hasAnyPermission(viewer.holder, listViewPermissions('BudgetingNonStaffing')))
    rows.push(...(await itemsWhere(tx, assertDefined(and(inItems, within)))))
  return rows
}

/** The first hundred entries, calculations and predictions that meet a condition, with location and budget. */
async function itemsWhere(tx: OrganisationTx, where: SQL): Promise<RecordUse[]> {
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
    .where(and(buildVisibleCondition(tx, budgetItems.organisationId), where))
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

/** Counts and lists a person's contracts that the caller may open. `hidden`: whether the person has other contracts. */
export async function listContractsOfStaff(
  { tx, organisationId, locationIds }: Call & { organisationId: OrganisationId | null; locationIds: readonly LocationId[] | null },
  staffId: StaffId,
  mayOpen: boolean,
): Promise<{ counts: UseCount[]; used: RecordUse[]; hidden: boolean }> {
  const staffCondition = sql`${staffContracts.organisationId} = ${organisationId} and ${staffContracts.staffId} = ${staffId}`
  const within = locationIds ? sql`${staffCondition} and ${buildCallerLocationsCondition(budgets.locationId, locationIds)}` : staffCondition
  const count = async (where: SQL): Promise<number> => {
    const row = requireSingleRow(
      await tx
        .select({ count: sql<number>`count(*)::int` })
        .from(staffContracts)
        .innerJoin(
          budgets,
          sql`${budgets.organisationId} = ${staffContracts.organisationId} and ${budgets.id} = ${staffContracts.budgetId}`,
        )
        .where(where),
    )
    return row.count
  }
  const seen = mayOpen ? await count(within) : 0
  const term = defaultTerms.StaffContract
  return {
    counts: seen ? [{ count: seen, thing: (seen === 1 ? term.singular : term.plural).toLowerCase() }] : [],
    used: mayOpen ? await contractsWhere(tx, within) : [],
    hidden: (await count(staffCondition)) > seen,
  }
}

/**
 * The first hundred contracts that meet a condition, with person, location and budget, so that twenty teachers can be
 * distinguished.
 */
async function contractsWhere(tx: OrganisationTx, where: SQL): Promise<RecordUse[]> {
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
    .where(and(buildVisibleCondition(tx, staffContracts.organisationId), where))
    .orderBy(asc(budgets.locationId), asc(budgets.name), asc(staffContracts.id))
    .limit(100)
  const placeNames = await namesOfPlaces(
    tx,
    rows.map((row) => row.locationId),
  )
  const people = new Map<number, StaffMember>()
  // If an administrator asks, the contracts may belong to several organisations. Each has its own staff.
  for (const organisationId of new Set(rows.map((row) => row.organisationId))) {
    const ids = rows.flatMap((row) => (row.organisationId === organisationId && row.staffId !== null ? [row.staffId] : []))
    for (const [id, member] of await loadStaffByIds(tx, organisationId, [...new Set(ids)])) people.set(id, member)
  }
  return rows.map(({ id, staffId, contract, budget, budgetId, locationId }) => {
    const person = staffId === null ? undefined : people.get(staffId)
    const personName = person ? `${person.forename} ${person.surname}` : null
    return {
      kind: 'staffContract',
      id,
      name: `${labelContract(personName, contract.contractName)}, ${placeNames.get(locationId) ?? ''}, ${budget}`,
      locationId,
      budgetId,
    }
  })
}

async function namesOfPlaces(tx: OrganisationTx, ids: readonly LocationId[]): Promise<Map<LocationId, string>> {
  const { table, columns } = getResourceTable(getResource('location'))
  if (!ids.length) return new Map()
  const rows = await tx
    .select({ id: columns.id, name: assertDefined(columns.name) })
    .from(table)
    .where(inArray(columns.id, [...new Set(ids)]))
  return new Map(rows.map((row) => [toLocationId(row.id), String(row.name)]))
}

/**
 * Locks the budgets that may refer to some records, so that none can begin to refer to them. Any budget may refer to national records; for
 * those, no budget is locked.
 */
async function lockNamingBudgets(tx: OrganisationTx, resource: AnyResource, records: readonly AnyRecord[]): Promise<void> {
  const ids = records.map(({ id }) => id)
  if (!(buildBudgetUsesCondition(resource, ids) ?? buildContractUsesCondition(resource, ids) ?? buildItemUsesCondition(resource, ids)))
    return
  const owners = new Set(records.map(({ organisationId }) => organisationId))
  for (const owner of owners) if (typeof owner === 'number') await lockAllBudgets(tx, toOrganisationId(owner))
}

/**
 * Refuses an action on records that are in use.
 * @param action the action as the sentence says it: `cannot be deleted`
 * @throws DomainError 409 that names what uses the records (behaviours B-105 and B-127)
 */
export async function refuseIfUsed(
  tx: OrganisationTx,
  resource: AnyResource,
  { records, action }: { records: readonly AnyRecord[]; action: string },
): Promise<void> {
  if (!records.length) return
  await lockNamingBudgets(tx, resource, records)
  const all = await countUses(tx, resource, { ids: records.map((record) => record.id) })
  if (!all.length) return
  const sentences: string[] = []
  for (const record of records.slice(0, 20)) {
    const uses = await countUses(tx, resource, { ids: [record.id] })
    if (!uses.length) continue
    const name = records.length === 1 ? defaultTerms[resource.key].singular : String(record[resource.naming[0]])
    const parts = uses.map((use) => `${use.count} ${use.thing}`)
    const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts[0]
    sentences.push(`${name} is in use by ${list} and ${action}.`)
  }
  throw conflict('inUse', sentences.join('\n'))
}

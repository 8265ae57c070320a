import { and, asc, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { conflict, DomainError, type FieldProblem, forbidden, invalid, notFound, stale } from '../../domain/errors.ts'
import type { BulkSelection, ExportRequest, ListRequest, Paged } from '../../domain/lists.ts'
import { resourceNamed } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { changedFields, checkRecord, type Values } from '../../domain/resources/schema.ts'
import { defaultTerms } from '../../domain/terms.ts'
import { snake } from '../../drizzle/resourceTable.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { conditionOf, searchCondition } from './filters.ts'
import { recordChange } from './referenceLog.ts'
import { referenceProblems, refuseIfUsed } from './references.ts'
import { tableFor } from './tables.ts'

/** Whose rows a call may touch; the context makes it from headers and memberships, nobody else. */
export interface RowScope {
  organisationId: number | null
  /** The locations a user is limited to; null: all. */
  locationIds: number[] | null
  /** For organisations and locations read at the start: those the user belongs to. */
  organisationIds?: number[]
  isAdministrator: boolean
}

function asRecord(row: Record<string, unknown>): AnyRecord {
  return {
    ...row,
    created: new Date(row.created as string).toISOString().slice(0, 10),
    organisationId: (row.organisationId as number) ?? null,
  } as AnyRecord
}

/** Which rows of a list a user may see, beside what row-level security already keeps away. */
function visible(resource: AnyResource, columns: Record<string, AnyPgColumn>, scope: RowScope, requestType?: number | null): SQL[] {
  const conditions: (SQL | undefined)[] = []
  if (resource.scope === 'globalOrOrganisation') {
    const type = requestType || 3
    if (type === 1) conditions.push(eq(columns.organisationId!, scope.organisationId ?? -1))
    else if (type === 2) conditions.push(isNull(columns.organisationId!))
    else if (scope.organisationId !== null)
      conditions.push(sql`(${columns.organisationId!} is null or ${columns.organisationId!} = ${scope.organisationId})`)
  }
  if (scope.organisationId !== null && resource.scope === 'organisation') conditions.push(eq(columns.organisationId!, scope.organisationId))
  if (scope.organisationIds && resource.name === 'organisation')
    conditions.push(inArray(columns.id!, scope.organisationIds.length ? scope.organisationIds : [-1]))
  if (scope.organisationIds && resource.name === 'location')
    conditions.push(inArray(columns.organisationId!, scope.organisationIds.length ? scope.organisationIds : [-1]))
  if (scope.locationIds) {
    const own = sql.param(`{${scope.locationIds.join(',')}}`)
    if (resource.name === 'location') conditions.push(sql`${columns.id!} = any(${own}::int[])`)
    else if (columns.locations) conditions.push(sql`(${columns.locations} = '{}' or ${columns.locations} && ${own}::int[])`)
  }
  return conditions.filter((one): one is SQL => one !== undefined)
}

function selectedBy(
  resource: AnyResource,
  scope: RowScope,
  { search, filters }: { search?: string | null; filters?: ListRequest['filters'] },
  requestType?: number | null,
): SQL | undefined {
  const { columns } = tableFor(resource)
  return and(
    ...visible(resource, columns, scope, requestType),
    searchCondition(resource, columns, search),
    ...(filters ?? []).map((item) => conditionOf(resource, columns, item)),
  )
}

/** Sorts by any shown column over all rows; a reference sorts by the name of what it points to, and the id breaks ties. */
function orderOf(resource: AnyResource, request: Pick<ListRequest, 'sort' | 'sortDirection'>): SQL[] {
  const { columns } = tableFor(resource)
  const name = request.sort && columns[request.sort] ? request.sort : resource.defaultSort
  const direction = request.sortDirection === 'desc' ? desc : asc
  const field = resource.fields[name]
  if (field?.kind === 'reference') {
    const target = resourceNamed(field.to)
    const key = sql`(select ${sql.identifier(snake(target.naming[0]!))} from ${sql.identifier(target.table)} t where t.id = ${columns[name]!})`
    return [direction(key), asc(columns.id!)]
  }
  return [direction(columns[name]!), asc(columns.id!)]
}

/** One page of a list and the number of all rows that meet it. */
export async function list(tx: OrganisationTx, resource: AnyResource, scope: RowScope, request: ListRequest): Promise<Paged<AnyRecord>> {
  const { table } = tableFor(resource)
  const where = selectedBy(resource, scope, request, request.requestType)
  const [rows, counted] = await Promise.all([
    tx
      .select()
      .from(table)
      .where(where)
      .orderBy(...orderOf(resource, request))
      .limit(request.pageSize)
      .offset((request.pageNumber - 1) * request.pageSize),
    tx.select({ total: sql<number>`count(*)::int` }).from(table).where(where),
  ])
  return { rows: rows.map(asRecord), total: counted[0]!.total }
}

/** Every row that meets search and filters, in order, for an export. */
export async function all(tx: OrganisationTx, resource: AnyResource, scope: RowScope, request: ExportRequest): Promise<AnyRecord[]> {
  const { table } = tableFor(resource)
  const rows = await tx
    .select()
    .from(table)
    .where(selectedBy(resource, scope, request, request.requestType))
    .orderBy(...orderOf(resource, request))
  return rows.map(asRecord)
}

/** @throws DomainError 404, also for a record of somebody else (behaviour B-004) */
export async function get(tx: OrganisationTx, resource: AnyResource, scope: RowScope, id: number, lock = false): Promise<AnyRecord> {
  const { table, columns } = tableFor(resource)
  const query = tx
    .select()
    .from(table)
    .where(and(eq(columns.id!, id), ...visible(resource, columns, scope)))
  const [row] = await (lock ? query.for('update') : query)
  if (!row) throw notFound(defaultTerms[resource.key].singular)
  return asRecord(row)
}

/** The organisation a new record will belong to; null for a national one. */
function ownerOf(resource: AnyResource, scope: RowScope, input: Values): number | null {
  if (resource.scope === 'global') return null
  if (resource.scope === 'globalOrOrganisation' && scope.isAdministrator) return (input.organisationId as number) ?? null
  if (resource.fields.organisationId && scope.organisationId === null) return (input.organisationId as number) ?? null
  return scope.organisationId
}

/** A global row of a list that has both is changed with the administrator flag only (behaviour B-275). */
function refuseGlobal(resource: AnyResource, scope: RowScope, record: AnyRecord): void {
  if (resource.scope === 'globalOrOrganisation' && record.organisationId === null && !scope.isAdministrator) throw forbidden()
}

async function check(tx: OrganisationTx, resource: AnyResource, input: Values, owner: number | null, id: number | null): Promise<Values> {
  const { values, problems } = checkRecord(resource, input)
  if (problems.length) throw invalid(problems)
  const missing = await referenceProblems(tx, resource, [values], owner)
  if (missing[0]?.length) throw invalid(missing[0])
  const twice = await duplicateProblems(tx, resource, values, owner, id)
  if (twice.length) throw new DomainError('conflict', 'duplicate', twice.map((one) => one.message).join('\n'), twice)
  return values
}

async function duplicateProblems(
  tx: OrganisationTx,
  resource: AnyResource,
  values: Values,
  owner: number | null,
  id: number | null,
): Promise<FieldProblem[]> {
  const { table, columns } = tableFor(resource)
  const problems: FieldProblem[] = []
  for (const set of resource.unique) {
    if (set.every((name) => values[name] === null)) continue
    const same = set.map((name) =>
      resource.fields[name]!.kind === 'text' && values[name] !== null
        ? sql`lower(${columns[name]!}) = lower(${values[name]})`
        : sql`${columns[name]!} is not distinct from ${values[name]}`,
    )
    const [found] = await tx
      .select({ id: columns.id! })
      .from(table)
      .where(
        and(
          ...same,
          columns.organisationId ? sql`${columns.organisationId} is not distinct from ${owner}` : undefined,
          id === null ? undefined : ne(columns.id!, id),
        ),
      )
      .limit(1)
    const field = resource.fields[set[0]!]!
    if (found) problems.push({ field: set[0]!, message: `${field.label} is already used.` })
  }
  return problems
}

export async function create(tx: OrganisationTx, resource: AnyResource, scope: RowScope, input: Values, actor: Actor): Promise<AnyRecord> {
  const { table, columns } = tableFor(resource)
  const owner = ownerOf(resource, scope, input)
  const { organisationId: _owner, ...values } = await check(tx, resource, input, owner, null)
  const [row] = await tx
    .insert(table)
    .values(columns.organisationId ? { ...values, organisationId: owner } : values)
    .returning()
  const record = asRecord(row as Record<string, unknown>)
  await recordChange(tx, resource, 'created', null, record, actor)
  return record
}

/** Saves a changed record. @throws DomainError 409 with what changed when somebody else saved it since `version` (behaviour B-119) */
export async function update(
  tx: OrganisationTx,
  resource: AnyResource,
  scope: RowScope,
  id: number,
  version: number | null,
  input: Values,
  actor: Actor,
  hidden: readonly string[] = [],
): Promise<AnyRecord> {
  const before = await get(tx, resource, scope, id, true)
  refuseGlobal(resource, scope, before)
  if (version !== null && version !== before.version) {
    const fields = changedFields(resource, { ...before, ...input }, before)
    throw stale({ version: before.version, record: before, fields })
  }
  return write(tx, resource, before, { ...input, ...kept(before, hidden) }, 'updated', actor)
}

/** The values of fields the organisation hides stay untouched (behaviour B-098). */
function kept(before: AnyRecord, hidden: readonly string[]): Values {
  return Object.fromEntries(hidden.map((name) => [name, before[name]]))
}

async function write(
  tx: OrganisationTx,
  resource: AnyResource,
  before: AnyRecord,
  input: Values,
  action: 'updated' | 'restored' | 'imported',
  actor: Actor,
): Promise<AnyRecord> {
  const { table, columns } = tableFor(resource)
  const { organisationId: _owner, ...values } = await check(
    tx,
    resource,
    { ...input, organisationId: before.organisationId },
    before.organisationId,
    before.id,
  )
  if (!changedFields(resource, before, { ...values, organisationId: before.organisationId }).length) return before
  const [row] = await tx
    .update(table)
    .set({ ...values, version: before.version + 1 })
    .where(eq(columns.id!, before.id))
    .returning()
  const record = asRecord(row as Record<string, unknown>)
  await recordChange(tx, resource, action, before, record, actor)
  return record
}

/** Puts an earlier version back, as a new change. */
export async function restore(
  tx: OrganisationTx,
  resource: AnyResource,
  scope: RowScope,
  id: number,
  earlier: Values,
  actor: Actor,
): Promise<AnyRecord> {
  const before = await get(tx, resource, scope, id, true)
  refuseGlobal(resource, scope, before)
  return write(tx, resource, before, earlier, 'restored', actor)
}

export async function remove(
  tx: OrganisationTx,
  resource: AnyResource,
  scope: RowScope,
  ids: readonly number[],
  actor: Actor,
): Promise<AnyRecord[]> {
  const { table, columns } = tableFor(resource)
  const records: AnyRecord[] = []
  for (const id of ids) records.push(await get(tx, resource, scope, id, true))
  for (const record of records) refuseGlobal(resource, scope, record)
  await refuseIfUsed(tx, resource, records)
  if (ids.length) await tx.delete(table).where(inArray(columns.id!, [...ids]))
  for (const record of records) await recordChange(tx, resource, 'deleted', record, null, actor)
  return records
}

/** The records a bulk action takes (behaviour B-094). */
export async function selectedIds(
  tx: OrganisationTx,
  resource: AnyResource,
  scope: RowScope,
  { state, search, filters }: BulkSelection,
): Promise<number[]> {
  const { table, columns } = tableFor(resource)
  const toggled = state.toggledNodes.map(Number)
  if (!state.selectAll && !toggled.length) return []
  const where = state.selectAll
    ? and(
        selectedBy(resource, scope, { search, filters }),
        toggled.length ? sql`not (${columns.id!} = any(${sql.param(`{${toggled.join(',')}}`)}::int[]))` : undefined,
      )
    : and(...visible(resource, columns, scope), inArray(columns.id!, toggled))
  const rows = await tx.select({ id: columns.id! }).from(table).where(where).orderBy(asc(columns.id!))
  const ids = rows.map((row) => row.id as number)
  if (!state.selectAll && ids.length < new Set(toggled).size) throw notFound(defaultTerms[resource.key].singular)
  if (ids.length > 20_000) throw conflict('tooMany', 'More than 20,000 rows are selected. Select fewer.')
  return ids
}

/** Changes the same fields of many records at once, all or none. */
export async function edit(
  tx: OrganisationTx,
  resource: AnyResource,
  scope: RowScope,
  ids: readonly number[],
  patch: Values,
  actor: Actor,
): Promise<AnyRecord[]> {
  const changed: AnyRecord[] = []
  for (const id of ids) {
    const before = await get(tx, resource, scope, id, true)
    refuseGlobal(resource, scope, before)
    changed.push(await write(tx, resource, before, { ...before, ...patch }, 'updated', actor))
  }
  return changed
}

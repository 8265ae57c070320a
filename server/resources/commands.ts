import { and, eq, ne, sql } from 'drizzle-orm'
import { getResource } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { checkRecord, findSiblingProblems, getGroupingField, listChangedFields, type RecordValues } from '../../domain/resources/schema.ts'
import { hasLocationField } from '../../domain/resources/sharing.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../domain/values/canonicalJson.ts'
import { isOneOf } from '../../domain/values/keysOf.ts'
import type { Pounds } from '../../domain/values/units.ts'
import { allLocationsRequired, DomainError, type FieldProblem, invalid, staleRecord } from '../../domain/words/errors.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { RowScope } from '../core/calls/scope.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { buildOwnerCondition, getResourceTable, readResourceRecords } from '../core/database/tables.ts'
import { lockListChanges } from '../core/database/uniqueRules.ts'
import { getHooks } from './hooks/all.ts'
import { lockRecords, readRecord, toRecord } from './queries.ts'
import { logRecordChange, logRecordChanges } from './referenceLog.ts'
import { findReferenceProblems } from './references.ts'
import { cleanRichText } from './richText.ts'
import { fillInCallerLocations, findLocationProblem, refuseSharedRecordChange } from './rowRules.ts'
import { buildIdArray } from './useSources.ts'
import { refuseIfUsed } from './uses.ts'
import { insertRecords, updateRecords } from './writeAll.ts'
import type { WriteContext } from './writing.ts'

/** @throws DomainError 400 if the organisation is not a number */
function parseOwner({ organisationId }: RecordValues): Pounds | null {
  if (organisationId === undefined || organisationId === null) return null
  if (typeof organisationId === 'number') return organisationId
  throw invalid([{ field: 'organisationId', message: 'Organisation was not found.' }])
}

/** The organisation that will own a new record; null for a national record. */
function findOwner(resource: AnyResource, scope: RowScope, input: RecordValues): number | null {
  if (resource.scope === 'global') return null
  if (resource.scope === 'globalOrOrganisation' && scope.isAdministrator && !scope.ownOnly) return parseOwner(input)
  if (resource.fields.organisationId && scope.organisationId === null) return parseOwner(input)
  return scope.organisationId
}

async function validateRecord(
  tx: OrganisationTx,
  resource: AnyResource,
  { input, owner, id }: { input: RecordValues; owner: number | null; id: number | null },
): Promise<RecordValues> {
  const { values, problems } = checkRecord(resource, cleanRichText(resource, input))
  if (problems.length) throw invalid(problems)
  const missing = await findReferenceProblems(tx, resource, { records: [values], owner })
  if (missing[0]?.length) throw invalid(missing[0])
  await lockListChanges(tx, resource, owner)
  const twice = await findDuplicateProblems(tx, resource, { values, owner, id })
  if (twice.length) throw new DomainError('conflict', 'duplicate', twice.map((one) => one.message).join('\n'), { fields: twice })
  const others = await readSiblings(tx, resource, { records: [values], owner, but: id === null ? [] : [id] })
  const siblingProblems = findSiblingProblems(resource, values, others)
  if (siblingProblems.length) throw invalid(siblingProblems)
  return values
}

/**
 * Reads the records that the rules compare with those being checked: the others in the same group, such as the other rates of a table.
 * @param but ids of the records being changed
 */
async function readSiblings(
  tx: OrganisationTx,
  resource: AnyResource,
  { records, owner, but }: { records: readonly RecordValues[]; owner: number | null; but: readonly number[] },
): Promise<RecordValues[]> {
  const within = getGroupingField(resource)
  if (!within) return []
  const ids = [...new Set(records.map((values) => Number(values[within])))]
  const rows = await readResourceRecords(tx, resource, { column: within, ids })
  return rows.filter(({ id, organisationId }) => (organisationId ?? null) === owner && !but.includes(id))
}

async function findDuplicateProblems(
  tx: OrganisationTx,
  resource: AnyResource,
  { values, owner, id }: { values: RecordValues; owner: number | null; id: number | null },
): Promise<FieldProblem[]> {
  const { table, columns } = getResourceTable(resource)
  const problems: FieldProblem[] = []
  for (const set of resource.unique) {
    if (set.every((name) => values[name] === null)) continue
    const same = set.map((name) =>
      assertDefined(resource.fields[name]).kind === 'text' && values[name] !== null
        ? sql`lower(${assertDefined(columns[name])}) = lower(${values[name]})`
        : sql`${assertDefined(columns[name])} is not distinct from ${values[name]}`,
    )
    const [found] = await tx
      .select({ id: columns.id })
      .from(table)
      .where(and(...same, buildOwnerCondition(columns.organisationId, owner), id === null ? undefined : ne(columns.id, id)))
      .limit(1)
    const field = assertDefined(resource.fields[assertDefined(set[0])])
    if (found) problems.push({ field: assertDefined(set[0]), message: `${field.label} is already used.` })
  }
  return problems
}

export async function createRecord(call: Call & WriteContext, input: RecordValues): Promise<AnyRecord> {
  const { tx, resource, scope, actor } = call
  const { table, columns } = getResourceTable(resource)
  const owner = findOwner(resource, scope, input)
  const given = resource.fields.locations ? fillInCallerLocations(scope.locationIds, input) : input
  const { organisationId: _owner, ...values } = await validateRecord(tx, resource, {
    input: { ...given, ...buildServerValues(resource, actor) },
    owner,
    id: null,
  })
  refuseOtherLocations(resource, scope, values)
  const [row] = await tx
    .insert(table)
    .values(columns.organisationId ? { ...values, organisationId: owner } : values)
    .returning()
  const record = toRecord(assertDefined(row))
  await logRecordChange(call, resource, { action: 'created', before: null, after: record })
  return record
}

/**
 * Saves a changed record.
 * @throws DomainError 409, listing what changed, if someone else saved it since `version` (behaviour B-119)
 */
export async function updateRecord(
  call: Call & WriteContext,
  { id, version }: { id: number; version: number | null },
  input: RecordValues,
): Promise<AnyRecord> {
  const { tx, resource, scope, hidden = [] } = call
  const before = await readRecord({ tx, scope }, resource, { id, lock: 'toChange' })
  refuseSharedRecordChange(resource, scope, before)
  if (version !== null && version !== before.version) {
    const fields = listChangedFields(resource, { ...before, ...input }, before)
    throw staleRecord({ version: before.version, record: before, fields })
  }
  const after = { ...input, ...pickHiddenValues(before, [...hidden, ...(resource.readOnly ?? [])]) }
  refuseOtherLocations(resource, scope, after)
  return writeRecord(call, { action: 'updated', before, after })
}

/**
 * The values that the server sets in a new record's read-only fields, such as the user who posts a message (behaviour B-256). Other
 * read-only fields start empty.
 */
export function buildServerValues({ readOnly = [] }: AnyResource, actor: Actor): RecordValues {
  return Object.fromEntries(readOnly.map((name) => [name, name === 'postedById' ? actor.userId : null]))
}

/**
 * Refuses values that place a record at locations outside the caller's.
 * @throws DomainError 400; 403 for a resource whose records apply to all locations
 */
function refuseOtherLocations(resource: AnyResource, { locationIds }: RowScope, values: RecordValues): void {
  if (!locationIds) return
  if (!hasLocationField(resource)) throw allLocationsRequired()
  if (resource.fields.locationId && !isOneOf(locationIds, values.locationId))
    throw invalid([{ field: 'locationId', message: 'Choose one of your own locations.' }])
  if (!resource.fields.locations) return
  // These are the values as sent. A value that is not a list is refused when the declaration is checked.
  const problem = findLocationProblem(locationIds, Array.isArray(values.locations) ? values.locations : [])
  if (problem) throw invalid([{ field: 'locations', message: problem }])
}

/** Refuses a change to a record that applies, before or after the change, to locations outside the caller's. */
export function refuseChangeAtOtherLocations(
  { resource, scope }: Pick<WriteContext, 'resource' | 'scope'>,
  before: AnyRecord,
  after: RecordValues,
): void {
  refuseSharedRecordChange(resource, scope, before)
  refuseOtherLocations(resource, scope, after)
}

/** The current values of the fields that this caller may not change. */
function pickHiddenValues(before: AnyRecord, hidden: readonly string[]): RecordValues {
  return Object.fromEntries(hidden.map((name) => [name, before[name]]))
}

/**
 * Writes one locked record.
 * @returns the record as stored now; unchanged if no value differs
 */
export async function writeRecord(
  call: Call & WriteContext,
  { action, before, after }: { action: 'updated' | 'restored'; before: AnyRecord; after: RecordValues },
): Promise<AnyRecord> {
  const { tx, resource } = call
  const { table, columns } = getResourceTable(resource)
  const { organisationId: _owner, ...values } = await validateRecord(tx, resource, {
    input: { ...after, organisationId: before.organisationId },
    owner: before.organisationId,
    id: before.id,
  })
  if (!listChangedFields(resource, before, { ...values, organisationId: before.organisationId }).length) return before
  await refuseFixed(tx, resource, [{ before, values }])
  const [row] = await tx
    .update(table)
    .set({ ...values, version: before.version + 1 })
    .where(eq(columns.id, before.id))
    .returning()
  const record = toRecord(assertDefined(row))
  await logRecordChange(call, resource, { action, before, after: record })
  return record
}

/** @throws DomainError 409 if a value that the record's uses depend on would change */
async function refuseFixed(
  tx: OrganisationTx,
  resource: AnyResource,
  changes: readonly { before: AnyRecord; values: RecordValues }[],
): Promise<void> {
  const byWhat = new Map<string, AnyRecord[]>()
  for (const { before, values } of changes) {
    const what = getHooks(resource).describeFixedChange?.(before, values)
    if (what) byWhat.set(what, [...(byWhat.get(what) ?? []), before])
  }
  for (const [what, records] of byWhat) await refuseIfUsed(tx, resource, { records, action: `${what} cannot be changed` })
}

/** Restores an earlier version, as a new change. */
export async function restoreRecord(call: Call & WriteContext, id: number, earlier: RecordValues): Promise<AnyRecord> {
  const { tx, resource, scope } = call
  const before = await readRecord({ tx, scope }, resource, { id, lock: 'toChange' })
  refuseChangeAtOtherLocations(call, before, earlier)
  return writeRecord(call, { action: 'restored', before, after: earlier })
}

/** Records are locked in order of id, so that two callers who change the same records cannot deadlock. */
const sortIds = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** Deletes records and their parts, reading, deleting and logging many at a time. @returns the records as they were before */
export async function deleteRecords(call: Call & WriteContext, ids: readonly number[]): Promise<AnyRecord[]> {
  const { tx, resource, scope, actor } = call
  const { table, columns } = getResourceTable(resource)
  const records = await lockRecords({ tx, scope }, resource, { ids: sortIds(ids), lock: 'toDelete' })
  for (const record of records) refuseSharedRecordChange(resource, scope, record)
  await refuseIfUsed(tx, resource, { records, action: 'cannot be deleted' })
  for (const part of resource.parts ?? []) await removeParts({ ...call, resource: getResource(part.of) }, part.by, ids)
  if (ids.length) await tx.delete(table).where(sql`${columns.id} = any(${buildIdArray(ids)})`)
  await logRecordChanges(
    { tx, actor },
    resource,
    records.map((record) => ({ action: 'deleted', before: record, after: null })),
  )
  return records
}

/** Deletes the parts of a deleted record, such as the rates of a table. Each gets its own line in the log. */
async function removeParts({ tx, actor, resource: part }: Call & WriteContext, by: string, ids: readonly number[]): Promise<void> {
  const { table, columns } = getResourceTable(part)
  const rows = await tx
    .delete(table)
    .where(sql`${assertDefined(columns[by])} = any(${buildIdArray(ids)})`)
    .returning()
  await logRecordChanges(
    { tx, actor },
    part,
    rows.map((row) => ({ action: 'deleted', before: toRecord(row), after: null })),
  )
}

/** The result of a bulk edit: every selected record as it is now, and those that changed. */
export interface BulkEditResult {
  records: AnyRecord[]
  changed: AnyRecord[]
}

/** Changes the same fields of many records, all or none, reading, checking, writing and logging many at a time. */
export async function editRecords(call: Call & WriteContext, ids: readonly number[], patch: RecordValues): Promise<BulkEditResult> {
  const { tx, resource, scope } = call
  // Records with date ranges are changed one at a time, because each change may move the next record's range.
  if (resource.nonOverlapping) return editInTurn(call, ids, patch)
  const before = await lockRecords({ tx, scope }, resource, { ids })
  const drafts = before.map((record) => ({ record, wanted: { ...record, ...patch } }))
  const changed = await writeRecords(call, { drafts, action: 'updated' })
  const after = new Map(changed.map((record) => [record.id, record]))
  return { records: before.map((record) => after.get(record.id) ?? record), changed }
}

/** A record and its new values. */
export interface RecordUpdate {
  record: AnyRecord
  wanted: RecordValues
}

/** The reason why one of many records cannot be written. */
export interface RecordRefusal {
  record: AnyRecord
  refusal: DomainError
}

/** A record with the values to store, which have been checked. */
interface CheckedRecord {
  record: AnyRecord
  values: RecordValues
}

/**
 * Checks, writes and logs new values of many locked records.
 * @param refuse makes the error for a record that fails
 * @returns the records that changed
 */
export async function writeRecords(
  call: Call & WriteContext,
  {
    drafts,
    action,
    refuse = ({ refusal }) => refusal,
  }: { drafts: readonly RecordUpdate[]; action: 'updated' | 'restored'; refuse?: RefusalBuilder },
): Promise<AnyRecord[]> {
  const { tx, resource, scope } = call
  for (const { record, wanted } of drafts) refuseChangeAtOtherLocations({ resource, scope }, record, wanted)
  const checked = await checkMany(tx, resource, { drafts, isNew: false, refuse })
  const changed = checked.flatMap(({ record, values: { organisationId: _owner, ...values } }) =>
    listChangedFields(resource, record, { ...values, organisationId: record.organisationId }).length ? [{ before: record, values }] : [],
  )
  await refuseFixed(tx, resource, changed)
  const after = new Map((await updateRecords(tx, resource, changed)).map((record) => [record.id, record]))
  const changes = changed.map(({ before }) => ({ action, before, after: assertDefined(after.get(before.id)) }))
  await logRecordChanges(call, resource, changes)
  return changes.map((change) => change.after)
}

export type RefusalBuilder = (misfit: RecordRefusal) => DomainError | Promise<DomainError>

/**
 * Recreates deleted records under their old ids, so that references in logs and exports are valid again. Each gets the version after its
 * deletion.
 * @param refuse makes the error for a record that cannot be recreated
 * @throws DomainError 404 for a record that the caller may not see; 403 for a national record that the caller may not change
 */
export async function recreateRecords(
  call: Call & WriteContext,
  deleted: readonly AnyRecord[],
  refuse: RefusalBuilder,
): Promise<AnyRecord[]> {
  const { tx, resource, scope } = call
  const drafts = deleted.map((record) => ({ record, wanted: record }))
  const checked = await checkMany(tx, resource, { drafts, isNew: true, refuse })
  await insertRecords(
    tx,
    resource,
    checked.map(({ record: { id, version, created, organisationId }, values }) => ({
      ...values,
      id,
      version: version + 2,
      created,
      organisationId,
    })),
  )
  // This also checks that the caller may see every record.
  const records = await lockRecords(call, resource, { ids: deleted.map((record) => record.id) })
  for (const record of records) refuseSharedRecordChange(resource, scope, record)
  await logRecordChanges(
    call,
    resource,
    records.map((record) => ({ action: 'restored', before: null, after: record })),
  )
  await getHooks(resource).restoreDependents?.(
    tx,
    records.map((record) => record.id),
  )
  return records
}

/**
 * Checks records against the rules, the rest of their list, and the records that they refer to.
 * @returns the records with the values to store
 * @throws what `refuse` makes for the first record that fails
 */
async function checkMany(
  tx: OrganisationTx,
  resource: AnyResource,
  { drafts, isNew, refuse }: { drafts: readonly RecordUpdate[]; isNew: boolean; refuse: RefusalBuilder },
): Promise<CheckedRecord[]> {
  const checked: CheckedRecord[] = []
  for (const { record, wanted } of drafts) {
    const { values, problems } = checkRecord(resource, cleanRichText(resource, wanted))
    if (problems.length) throw await refuse({ record, refusal: invalid(problems) })
    checked.push({ record, values })
  }
  for (const owner of new Set(drafts.map(({ record }) => record.organisationId))) {
    const recordsOfOwner = checked.filter(({ record }) => record.organisationId === owner)
    const values = recordsOfOwner.map((one) => one.values)
    const missing = await findReferenceProblems(tx, resource, { records: values, owner })
    const first = missing.findIndex((problems) => problems.length)
    if (first >= 0)
      throw await refuse({ record: assertDefined(recordsOfOwner[first]).record, refusal: invalid(assertDefined(missing[first])) })
    await lockListChanges(tx, resource, owner)
    const same = await findDuplicate(tx, resource, { checked: recordsOfOwner, owner, isNew })
    if (same) throw await refuse(same)
    if (resource.siblingCheck || (resource.nonOverlapping && isNew))
      await refuseSiblingConflicts(tx, resource, { drafts: recordsOfOwner, owner, refuse })
  }
  return checked
}

/**
 * Compares each record with the others of its group as they will be after the change.
 * @throws what `refuse` makes for the first conflict
 */
async function refuseSiblingConflicts(
  tx: OrganisationTx,
  resource: AnyResource,
  { drafts, owner, refuse }: { drafts: readonly CheckedRecord[]; owner: number | null; refuse: RefusalBuilder },
): Promise<void> {
  const others = await readSiblings(tx, resource, {
    records: drafts.map(({ values }) => values),
    owner,
    but: drafts.map(({ record }) => record.id),
  })
  for (const { record, values } of drafts) {
    const problems = findSiblingProblems(resource, values, others)
    if (problems.length) throw await refuse({ record, refusal: invalid(problems) })
    others.push(values)
  }
}

async function editInTurn(call: Call & WriteContext, ids: readonly number[], patch: RecordValues): Promise<BulkEditResult> {
  const { tx, resource, scope } = call
  const done: BulkEditResult = { records: [], changed: [] }
  for (const id of sortIds(ids)) {
    const before = await readRecord({ tx, scope }, resource, { id, lock: 'toChange' })
    refuseChangeAtOtherLocations(call, before, { ...before, ...patch })
    const after = await writeRecord(call, { action: 'updated', before, after: { ...before, ...patch } })
    done.records.push(after)
    if (after.version !== before.version) done.changed.push(after)
  }
  return done
}

/**
 * Finds values that must be unique but would occur twice once the records have their new values, among the records or elsewhere in the
 * list.
 */
async function findDuplicate(
  tx: OrganisationTx,
  resource: AnyResource,
  { checked, owner, isNew }: { checked: readonly CheckedRecord[]; owner: number | null; isNew: boolean },
): Promise<RecordRefusal | null> {
  const { table, columns } = getResourceTable(resource)
  const changing = new Set(checked.map(({ record }) => record.id))
  const problems: FieldProblem[] = []
  let one: AnyRecord | null = null
  for (const set of resource.unique) {
    const isSame = ({ record, values }: CheckedRecord): boolean =>
      set.every((name) => canonicalJson(record[name] ?? null) === canonicalJson(values[name] ?? null))
    if (!isNew && checked.every(isSame)) continue
    const rows = await tx
      .select({ id: columns.id, ...Object.fromEntries(set.map((name) => [name, assertDefined(columns[name])])) })
      .from(table)
      .where(buildOwnerCondition(columns.organisationId, owner))
    const key = (values: RecordValues): string | null =>
      set.every((name) => values[name] === null)
        ? null
        : canonicalJson(set.map((name) => (typeof values[name] === 'string' ? values[name].toLowerCase() : values[name])))
    const taken = new Set(rows.filter((row) => !changing.has(row.id)).map((row) => key(row)))
    for (const { record, values } of checked) {
      const uniqueKey = key(values)
      if (uniqueKey !== null && taken.has(uniqueKey)) {
        problems.push({
          field: assertDefined(set[0]),
          message: `${assertDefined(resource.fields[assertDefined(set[0])]).label} is already used.`,
        })
        one ??= record
        break
      }
      taken.add(uniqueKey)
    }
  }
  if (!one) return null
  const message = problems.map((problem) => problem.message).join('\n')
  return { record: one, refusal: new DomainError('conflict', 'duplicate', message, { fields: problems }) }
}

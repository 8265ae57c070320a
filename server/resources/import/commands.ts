import { createRefusedImportError, createWholeFileError } from '../../../domain/files/refusals.ts'
import type { CellProblem } from '../../../domain/files/texts.ts'
import { listColumns, matchColumns, parseImportRow } from '../../../domain/resources/columns.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import {
  buildNewRecord,
  checkRecord,
  findSiblingProblems,
  getGroupingField,
  listChangedFields,
  type RecordValues,
} from '../../../domain/resources/schema.ts'
import { appliesOutsideLocations, hasLocationField } from '../../../domain/resources/sharing.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { displayNumber } from '../../../domain/values/format.ts'
import { isOneOf } from '../../../domain/values/keysOf.ts'
import { numberOrNull, requireList, requireNumbers } from '../../../domain/values/unknownValues.ts'
import { allLocationsRequired, type FieldProblem } from '../../../domain/words/errors.ts'
import { maximumImportRows } from '../../../domain/words/notices.ts'
import type { Call } from '../../core/calls/call.ts'
import { castRows, getResourceTable } from '../../core/database/tables.ts'
import { lockListChanges } from '../../core/database/uniqueRules.ts'
import { buildServerValues } from '../commands.ts'
import { listAllRecords } from '../queries.ts'
import { logRecordChanges, type RecordChange } from '../referenceLog.ts'
import { findReferenceProblems } from '../references.ts'
import { cleanRichText } from '../richText.ts'
import { fillInCallerLocations, findLocationProblem } from '../rowRules.ts'
import { clearUniqueValues, updateRecords } from '../writeAll.ts'
import type { WriteContext } from '../writing.ts'
import { createImportNames, type ImportNames } from './names.ts'

/** Receives the progress of an import. */
export type ImportProgressReporter = (phase: 'checking' | 'saving', done: number, total: number) => Promise<void>
export const ignoreProgress: ImportProgressReporter = async () => undefined

export interface ImportOutcome {
  imported: number
  created: number
  updated: number
  records: AnyRecord[]
}

/**
 * Checks every row of a file and saves all or none. A row whose unique fields match an existing record updates it
 * (behaviours B-135 to B-141).
 * @throws DomainError with one error for each invalid cell
 */
export async function importRows(
  call: Call & WriteContext,
  rows: readonly Record<string, string>[],
  progress: ImportProgressReporter = ignoreProgress,
): Promise<ImportOutcome> {
  const { tx, resource, scope, actor, hidden = [] } = call
  if (!rows.length) throw createWholeFileError('The file has no rows.')
  if (rows.length > maximumImportRows) throw createWholeFileError(`The file has more than ${displayNumber(maximumImportRows)} rows.`)
  const columns = listColumns(resource, (field) => hidden.some((name) => resource.fields[name] === field))
  const labels = Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, field.label]))
  const { matched, missing } = matchColumns(columns, [...new Set(rows.flatMap(Object.keys))], labels)
  if (missing.length) throw createWholeFileError(`These columns are missing: ${missing.join(', ')}.`)
  if (scope.locationIds && !hasLocationField(resource)) throw allLocationsRequired()
  if (scope.ownOnly && scope.organisationId === null) throw createWholeFileError('Choose an organisation first.')
  await progress('checking', 0, rows.length)
  const names = await createImportNames(tx, resource, scope)
  const owner =
    resource.scope === 'global' || (resource.scope === 'globalOrOrganisation' && scope.isAdministrator && !scope.ownOnly)
      ? null
      : scope.organisationId
  await lockListChanges(tx, resource, owner)
  const existing = await existingByKey({ tx, scope }, resource, owner)
  const errors: CellProblem[] = []
  const drafts = new Map<string, { row: number; values: RecordValues; before: AnyRecord | null }>()
  const rowField = columns.find((column) => column.part)?.field
  rows.forEach((row, index) => {
    const read = parseImportRow(resource, { matched, row, find: names.find })
    for (const problem of read.problems) errors.push({ row: index + 1, ...problem })
    const values = owner !== null && resource.fields.organisationId ? { organisationId: owner, ...read.values } : read.values
    const key = buildRecordKey(resource, values, owner)
    const before = (key && existing.get(key)) || null
    if (before) keepNamesakes(resource, { values, before, names })
    // A caller limited to some locations may refer to shared records but not change them.
    const isTheirs = before && appliesOutsideLocations(resource, scope.locationIds, before)
    if (isTheirs && listChangedFields(resource, before, { ...before, ...values }).length) {
      const field = assertDefined(resource.fields[assertDefined(assertDefined(resource.unique[0])[0])])
      errors.push({
        row: index + 1,
        column: field.column ?? field.label,
        value: String(values[assertDefined(assertDefined(resource.unique[0])[0])] ?? ''),
        message: `${field.label} is already used at another location.`,
      })
      return
    }
    const earlier = key ? drafts.get(key) : undefined
    if (earlier && rowField) {
      const parts = earlier.values[rowField]
      if (Array.isArray(parts)) parts.push(...requireList(values[rowField]))
      return
    }
    // A resource without unique fields identifies a row by all its values, so a repeated row is imported once.
    if (earlier && !resource.unique.length) return
    if (earlier) {
      const field = assertDefined(resource.fields[assertDefined(assertDefined(resource.unique[0])[0])])
      errors.push({
        row: index + 1,
        column: field.column ?? field.label,
        value: String(values[assertDefined(assertDefined(resource.unique[0])[0])] ?? ''),
        message: `${field.label} is already used in row ${earlier.row}.`,
      })
      return
    }
    drafts.set(key || `row ${index}`, {
      row: index + 1,
      values: { ...(before ?? { ...buildNewRecord(resource), ...buildServerValues(resource, actor) }), ...values },
      before,
    })
  })
  const list = [...drafts.values()]
  const bad = new Set(errors.map((error) => error.row))
  // Report each unreadable cell once, together with the other problems of its row, so that the user can fix all of them at once.
  const unread = new Set(errors.map(({ row, column }) => `${row} ${column}`))
  const add = (draft: { row: number; values: RecordValues }, problem: FieldProblem): void => {
    const field = resource.fields[problem.field]
    const column = columns.find((one) => one.field === problem.field)?.heading ?? field?.label ?? null
    if (unread.has(`${draft.row} ${column}`)) return
    const cell = [...matched].find(([, one]) => one.field === problem.field)?.[0]
    errors.push({
      row: draft.row,
      column,
      value: cell === undefined ? null : (assertDefined(rows[draft.row - 1])[cell] ?? ''),
      message: problem.message,
    })
  }
  const placeProblems = ({ before, values }: { before: AnyRecord | null; values: RecordValues }): FieldProblem[] => {
    // A record that also applies at locations the caller cannot see is not changed by the import, so its locations need
    // no check.
    if (!scope.locationIds || (before && appliesOutsideLocations(resource, scope.locationIds, before))) return []
    if (resource.fields.locationId && !isOneOf(scope.locationIds, values.locationId))
      return [{ field: 'locationId', message: 'Choose one of your own locations.' }]
    const message = resource.fields.locations && findLocationProblem(scope.locationIds, requireNumbers(values.locations))
    return message ? [{ field: 'locations', message }] : []
  }
  for (const draft of list) {
    const checked = checkRecord(resource, cleanRichText(resource, draft.values))
    for (const problem of checked.problems) add(draft, problem)
    if (!draft.before) draft.values = resource.fields.locations ? fillInCallerLocations(scope.locationIds, draft.values) : draft.values
    for (const problem of placeProblems(draft)) add(draft, problem)
    if (!checked.problems.length) draft.values = { ...checked.values }
  }
  const missingReferences = await findReferenceProblems(tx, resource, { records: list.map((draft) => draft.values), owner })
  list.forEach((draft, index) => {
    for (const problem of assertDefined(missingReferences[index])) add(draft, problem)
  })
  const shared = getGroupingField(resource)
  if (shared) {
    const touched = new Set(list.map((draft) => draft.before?.id))
    const standing = [...existing.values()].filter((record) => !touched.has(record.id))
    const lists = new Map<unknown, RecordValues[]>()
    const sharing = (values: RecordValues): RecordValues[] => {
      const known = lists.get(values[shared]) ?? []
      lists.set(values[shared], known)
      return known
    }
    for (const record of standing) sharing(record).push(record)
    for (const draft of list) {
      const others = sharing(draft.values)
      if (!bad.has(draft.row)) for (const problem of findSiblingProblems(resource, draft.values, others)) add(draft, problem)
      others.push(draft.values)
    }
  }
  for (const problem of findLaterDuplicates(resource, { drafts: list, existing, owner }))
    if (!bad.has(problem.draft.row)) add(problem.draft, problem)
  if (errors.length)
    throw createRefusedImportError(
      errors.sort((a, b) => a.row - b.row),
      rows.length,
    )
  return save(call, list, { owner, progress })
}

/** If several records share the name in a cell and the record already refers to one of them, keeps that reference. */
function keepNamesakes(
  resource: AnyResource,
  { values, before, names }: { values: RecordValues; before: AnyRecord; names: ImportNames },
): void {
  for (const [name, field] of Object.entries(resource.fields)) {
    const [was, is] = [before[name], values[name]]
    if (field.kind === 'reference' && typeof was === 'number' && typeof is === 'number' && names.haveSameName(field.to, was, is))
      values[name] = was
  }
}

/**
 * The key that identifies a record. Names are unique within an organisation, so the key includes the organisation if
 * the file gives one for each row. Records without unique fields are identified by all their values in the file.
 */
function buildRecordKey(resource: AnyResource, values: RecordValues, owner: number | null): string {
  const [first] = resource.unique
  if (!first) {
    const { values: whole } = checkRecord(resource, cleanRichText(resource, { ...buildNewRecord(resource), ...values }))
    return canonicalJson(listColumns(resource).map(({ field }) => whole[field] ?? null))
  }
  const set = owner === null && resource.scope === 'organisation' && resource.fields.organisationId ? ['organisationId', ...first] : first
  if (set.every((name) => values[name] === null || values[name] === undefined)) return ''
  return JSON.stringify(set.map((name) => (typeof values[name] === 'string' ? values[name].trim().toLowerCase() : (values[name] ?? null))))
}

async function existingByKey({ tx, scope }: Call<'scope'>, resource: AnyResource, owner: number | null): Promise<Map<string, AnyRecord>> {
  const records = await listAllRecords({ tx, scope: { ...scope, locationIds: null } }, resource, {})
  return new Map(
    records
      .filter((record) => resource.scope === 'global' || owner === null || record.organisationId === owner)
      .filter((record) => resource.scope !== 'globalOrOrganisation' || record.organisationId === owner)
      .map((record) => [buildRecordKey(resource, record, owner), record]),
  )
}

/**
 * Finds rows that repeat a unique value of another row or of an existing record. The first unique fields are left out, because they match
 * rows to records.
 */
function findLaterDuplicates(
  resource: AnyResource,
  {
    drafts,
    existing,
    owner,
  }: {
    drafts: readonly { row: number; values: RecordValues; before: AnyRecord | null }[]
    existing: ReadonlyMap<string, AnyRecord>
    owner: number | null
  },
) {
  const problems: (FieldProblem & { draft: { row: number; values: RecordValues } })[] = []
  for (const set of resource.unique.slice(1)) {
    const key = (values: RecordValues): string =>
      // In an administrator's file that gives an organisation for each row, values are unique within that organisation.
      set.every((name) => values[name] === null || values[name] === undefined)
        ? ''
        : JSON.stringify([values.organisationId ?? owner, ...set.map((name) => String(values[name] ?? '').toLowerCase())])
    const touched = new Set(drafts.flatMap((draft) => (draft.before ? [draft.before.id] : [])))
    const taken = new Set([...existing.values()].filter((record) => !touched.has(record.id)).map(key))
    for (const draft of drafts) {
      const draftKey = key(draft.values)
      if (draftKey && taken.has(draftKey))
        problems.push({
          draft,
          field: assertDefined(set[0]),
          message: `${assertDefined(resource.fields[assertDefined(set[0])]).label} is already used.`,
        })
      taken.add(draftKey)
    }
  }
  return problems
}

async function save(
  call: Call & WriteContext,
  drafts: readonly { values: RecordValues; before: AnyRecord | null }[],
  { owner, progress }: { owner: number | null; progress: ImportProgressReporter },
): Promise<ImportOutcome> {
  const { tx, resource } = call
  const { table, columns } = getResourceTable(resource)
  const changes: (RecordChange & { after: AnyRecord })[] = []
  const values = (draft: RecordValues): RecordValues =>
    Object.fromEntries(
      Object.keys(resource.fields)
        .filter((name) => columns[name])
        .map((name) => [name, draft[name]]),
    )
  const owned = (draft: RecordValues): RecordValues =>
    columns.organisationId ? { ...values(draft), organisationId: owner ?? numberOrNull(draft.organisationId) } : values(draft)
  // Rows were matched by the first unique set, so its values do not change.
  await clearUniqueValues(tx, resource, { sets: resource.unique.slice(1), drafts })
  const fresh = drafts.filter((draft) => !draft.before)
  for (let start = 0; start < fresh.length; start += 500) {
    await progress('saving', start, drafts.length)
    const inserted = await tx
      .insert(table)
      .values(fresh.slice(start, start + 500).map((draft) => owned(draft.values)))
      .returning()
    for (const row of castRows(resource, inserted))
      changes.push({ action: 'imported', before: null, after: { ...row, organisationId: row.organisationId ?? null } })
  }
  await progress('saving', fresh.length, drafts.length)
  const known = drafts.flatMap(({ values: after, before }) =>
    before && listChangedFields(resource, before, after).length ? [{ before, values: values(after) }] : [],
  )
  const written = new Map((await updateRecords(tx, resource, known)).map((record) => [record.id, record]))
  for (const { before } of known) changes.push({ action: 'imported', before, after: assertDefined(written.get(before.id)) })
  await logRecordChanges(call, resource, changes)
  return {
    imported: drafts.length,
    created: fresh.length,
    updated: changes.length - fresh.length,
    records: changes.map((change) => change.after),
  }
}

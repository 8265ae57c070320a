import { getRestorableUntil } from '../../../domain/changes/bin.ts'
import type { Paged } from '../../../domain/lists/lists.ts'
import { hasAnyPermission, type Permission } from '../../../domain/people/permissions.ts'
import { allResources, getResource } from '../../../domain/resources/all.ts'
import { type AnyRecord, type AnyResource, allOperations, type ResourceOperation } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { Call } from '../../core/calls/call.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { nameActor, readUserNames } from '../../core/database/userNames.ts'
import { readRecordNames } from '../../resources/names.ts'
import { type BinViewer, type DeletedRecord, readBinPage } from '../../resources/undoing/deleted.ts'

/** A deleted record, as the bin shows it. */
export interface BinRow {
  /** The name of the resource. */
  kind: string
  id: number
  name: string
  /** How many deleted dependent rows are restored with it. */
  parts: number
  deletedBy: string
  /** ISO 8601. */
  deletedAt: string
  /** When it leaves the bin, ISO 8601. */
  until: string
}

/** A page of the bin, and the kinds that the caller can filter by. */
export interface BinPage extends Paged<BinRow> {
  kinds: string[]
}

const canCreateAndDelete = (operations: readonly ResourceOperation[]): boolean =>
  operations.includes('create') && operations.includes('delete')

/**
 * The resources whose deleted records the bin shows: those whose records are created and deleted one by one, except
 * organisations.
 */
const binLists = allResources.filter(({ reach, operations = allOperations }) => reach !== 'organisation' && canCreateAndDelete(operations))

/** The permissions that allow creating records of a resource; any one suffices. If there are none, only administrators may. */
function listCreatePermissions({ access: { write }, own }: AnyResource): readonly Permission[] {
  const owners = own && own.write !== 'administrator' && canCreateAndDelete(own.operations) ? own.write : []
  return [...(write === 'administrator' ? [] : write), ...owners]
}

/** The resources whose deleted records the caller may restore: those in which they may create records. */
export function listRestorableResources(holder: CallerRights): AnyResource[] {
  return binLists.filter((resource) => {
    const makers = listCreatePermissions(resource)
    return holder.isAdministrator || (makers.length > 0 && hasAnyPermission(holder, makers))
  })
}

/** What the caller may see and restore in the bin. */
export const toBinViewer = ({ holder, rows, now }: { holder: CallerRights; rows: RowScope; now: Date }): BinViewer => ({
  resources: listRestorableResources(holder),
  rows,
  now,
})

/** A page of the bin before `addDeleterNames` adds who deleted each record, because users are stored outside the tenants. */
interface BinPageWithoutNames extends Paged<DeletedRecord & { name: string }> {
  kinds: string[]
}

/** One page of what the caller may restore, latest deletion first. */
export async function listBin(
  call: Call & BinViewer,
  { kinds, ...search }: { kinds?: readonly string[] | null; search?: string | null; pageNumber: number; pageSize: number },
): Promise<BinPageWithoutNames> {
  const { tx } = call
  const resources = kinds?.length ? call.resources.filter(({ name }) => kinds.includes(name)) : call.resources
  const { rows, total } = await readBinPage({ ...call, resources }, search)
  const names = await readDeletedNames(tx, rows)
  return {
    rows: rows.map((row) => ({ ...row, name: assertDefined(names.get(`${row.resource} ${row.id}`)) })),
    total,
    kinds: call.resources.map(({ name }) => name),
  }
}

/** A page of the bin with the names of the people who deleted each record. */
export async function addDeleterNames(store: Store, { rows, ...rest }: BinPageWithoutNames): Promise<BinPage> {
  const people = await readUserNames(
    store,
    rows.map((row) => row.deletedBy),
  )
  return {
    ...rest,
    rows: rows.map(({ resource: kind, id, name, parts, deletedBy, deletedAt }) => ({
      kind,
      id,
      name,
      parts,
      deletedBy: nameActor(people, deletedBy),
      deletedAt,
      until: getRestorableUntil(deletedAt),
    })),
  }
}

/**
 * The names of deleted records, by kind and id. Where a name refers to another record that no longer exists, it shows that
 * record's number.
 */
export async function readDeletedNames(
  tx: OrganisationTx,
  deleted: readonly Pick<DeletedRecord, 'resource' | 'id' | 'record'>[],
): Promise<Map<string, string>> {
  const byKind = new Map<string, AnyRecord[]>()
  for (const { resource, record } of deleted) byKind.set(resource, [...(byKind.get(resource) ?? []), record])
  const names = new Map<string, string>()
  for (const [kind, records] of byKind)
    for (const [id, name] of await readRecordNames(tx, getResource(kind), records)) names.set(`${kind} ${id}`, name || `Number ${id}`)
  return names
}

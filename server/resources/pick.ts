import { hasAnyPermission, type Permission } from '../../domain/people/permissions.ts'
import { getResource } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import type { NamedReference } from '../../domain/resources/shape.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { maximumListRows } from '../../domain/words/notices.ts'
import type { CallerRights } from '../core/calls/context.ts'
import type { RowScope } from '../core/calls/scope.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { getResourceTable } from '../core/database/tables.ts'
import * as queries from './queries.ts'

/** The permissions of which any one lets a caller see the names of a resource's records. If there are none, every signed-in user may. */
export function listPickerPermissions({ access: { read, alsoReadBy = [], pickedBy = [] } }: AnyResource): Permission[] {
  return [...read, ...alsoReadBy, ...pickedBy]
}

/** The names, by resource, of the records that a page of records refers to and that the caller may see. */
export async function readReferencedNames(
  tx: OrganisationTx,
  resource: AnyResource,
  { records, rows, holder }: { records: readonly AnyRecord[]; rows: RowScope; holder: CallerRights },
): Promise<Record<string, NamedReference[]>> {
  const wanted = new Map<string, Set<number>>()
  for (const name of resource.grid) {
    const field = resource.fields[name]
    if (field?.kind !== 'reference' && field?.kind !== 'references') continue
    const ids = wanted.get(field.to) ?? new Set()
    wanted.set(field.to, ids)
    for (const record of records) for (const id of [record[name]].flat()) if (typeof id === 'number') ids.add(id)
  }
  const names: Record<string, NamedReference[]> = {}
  for (const [to, ids] of wanted) {
    const target = getResource(to)
    if (ids.size && hasAnyPermission(holder, listPickerPermissions(target)))
      names[to] = (await readPickerRecords(tx, target, { rows, input: { ids: [...ids] } })).rows
  }
  return names
}

export async function readPickerRecords(
  tx: OrganisationTx,
  resource: AnyResource,
  {
    rows,
    input,
  }: {
    rows: RowScope
    input: {
      search?: string | null
      ids?: number[] | null
      where?: Record<string, number | boolean> | null
      locationId?: LocationId | null
    }
  },
): Promise<{ rows: NamedReference[]; total: number }> {
  const { columns } = getResourceTable(resource)
  const filters = Object.entries(input.where ?? {}).map(([filter, value]) =>
    typeof value === 'boolean'
      ? { filter, filterType: 'boolean' as const, value: value ? 'Yes' : 'No' }
      : { filter, filterType: 'set' as const, values: [value] },
  )
  if (input.ids) filters.push({ filter: 'id', filterType: 'set', values: input.ids })
  else filters.push(...queries.buildUnarchivedFilter(resource))
  const narrowed = input.locationId && columns.locations && !input.ids ? { ...rows, locationIds: [input.locationId] } : rows
  const page = await queries.listRecords({ tx, scope: narrowed }, resource, {
    pageNumber: 1,
    pageSize: input.ids ? maximumListRows : 50,
    search: input.search,
    filters,
  })
  const [first, second] = resource.naming
  return {
    total: page.total,
    rows: page.rows.map((row) => ({
      id: row.id,
      name: String(row[first]),
      description: second ? String(row[second] ?? '') : null,
      archived: resource.archivedBy ? Boolean(row[resource.archivedBy]) : false,
    })),
  }
}

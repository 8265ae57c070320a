import { fullListSize } from '../../domain/notices.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import type { RowScope } from '../core/calls/scope.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { tableFor } from '../core/database/tables.ts'
import * as queries from './queries.ts'

export interface Picked {
  id: number
  name: string
  description: string | null
  archived: boolean
}

export async function picked(
  tx: OrganisationTx,
  resource: AnyResource,
  rows: RowScope,
  input: { search?: string | null; ids?: number[] | null; where?: Record<string, number | boolean> | null; locationId?: number | null },
): Promise<{ rows: Picked[]; total: number }> {
  const { columns } = tableFor(resource)
  const filters = Object.entries(input.where ?? {}).map(([filter, value]) =>
    typeof value === 'boolean'
      ? { filter, filterType: 'boolean' as const, value: value ? 'Yes' : 'No' }
      : { filter, filterType: 'set' as const, values: [value] },
  )
  if (input.ids) filters.push({ filter: 'id', filterType: 'set', values: input.ids })
  else if (resource.archivedBy) filters.push({ filter: resource.archivedBy, filterType: 'boolean', value: 'No' })
  else if (columns.active) filters.push({ filter: 'active', filterType: 'boolean', value: 'Yes' })
  const narrowed = input.locationId && columns.locations && !input.ids ? { ...rows, locationIds: [input.locationId] } : rows
  const page = await queries.list(tx, resource, narrowed, {
    pageNumber: 1,
    pageSize: input.ids ? fullListSize : 50,
    search: input.search,
    filters,
  })
  const [first, second] = resource.naming
  return {
    total: page.total,
    rows: page.rows.map((row) => ({
      id: row.id,
      name: String(row[first!]),
      description: second ? String(row[second] ?? '') : null,
      archived: resource.archivedBy ? Boolean(row[resource.archivedBy]) : false,
    })),
  }
}

import { getResource } from '../../../domain/resources/all.ts'
import type { ReferenceFinder } from '../../../domain/resources/cells.ts'
import { listReferringFields } from '../../../domain/resources/fields.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { listAllRecords } from '../queries.ts'

export interface ImportNames {
  /** Finds a record by code or name among those the caller may see. */
  find: ReferenceFinder
  /** Whether two records have the same name, so that a cell cannot tell them apart. */
  haveSameName(to: string, a: number, b: number): boolean
}

/** The names with which the cells of a file may refer to records. */
export async function createImportNames(tx: OrganisationTx, resource: AnyResource, scope: RowScope): Promise<ImportNames> {
  const byTarget = new Map<string, Map<string, number>>()
  const codes = new Map<string, string>()
  const key = (to: string, where: object | undefined): string => `${to}${JSON.stringify(where ?? {})}`
  for (const { field } of listReferringFields(resource.fields)) {
    // A pay point's name is ambiguous without its pay scale, which is in another cell.
    if (field.kind === 'point') continue
    const target = getResource(field.to)
    const where = field.kind === 'reference' ? field.where : undefined
    const filters = Object.entries(where ?? {}).map(([filter, value]) => ({ filter, filterType: 'set' as const, values: [Number(value)] }))
    const names = new Map<string, number>()
    // The organisation's records come last, so that its code wins over a national one with the same name.
    const records = (await listAllRecords({ tx, scope: { ...scope, locationIds: null } }, target, { filters })).sort(
      (a, b) => Number(a.organisationId !== null) - Number(b.organisationId !== null),
    )
    for (const record of records) {
      for (const name of target.naming.slice(1)) names.set(String(record[name]).toLowerCase(), record.id)
      if (record.number !== undefined) names.set(String(record.number), record.id)
    }
    for (const record of records) {
      const code = String(record[target.naming[0]]).toLowerCase()
      names.set(code, record.id)
      codes.set(`${field.to} ${record.id}`, code)
    }
    byTarget.set(key(field.to, where), names)
  }
  return {
    find: (field, text) => byTarget.get(key(field.to, field.kind === 'reference' ? field.where : undefined))?.get(text.toLowerCase()),
    haveSameName: (to, a, b) => codes.get(`${to} ${a}`) === codes.get(`${to} ${b}`),
  }
}

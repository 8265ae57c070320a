import { inArray } from 'drizzle-orm'
import { lookups } from '../../domain/lookups/lookups.ts'
import { getResource } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { castRows, getResourceTable } from '../core/database/tables.ts'

/** The name of the record with an id; empty if there is no such record. */
const getName = (names: ReadonlyMap<number, string>, id: unknown): string => (typeof id === 'number' && names.get(id)) || ''

/**
 * The names of records, from their naming fields. A reference is shown by the name of its record, a choice by its
 * label.
 */
export async function readRecordNames(
  tx: OrganisationTx,
  resource: AnyResource,
  records: readonly AnyRecord[],
): Promise<Map<number, string>> {
  const [name] = resource.naming
  const field = resource.fields[name]
  if (field?.kind === 'choice') {
    const words = new Map(lookups[field.lookup].map((item) => [item.id, item.name]))
    return new Map(records.map((record) => [record.id, getName(words, record[name])]))
  }
  if (field?.kind !== 'reference')
    return new Map(
      records.map((record) => [
        record.id,
        resource.naming
          .map((part) => record[part])
          .filter((part) => part !== null && part !== '')
          .join(' '),
      ]),
    )
  const target = getResource(field.to)
  const { table, columns } = getResourceTable(target)
  const ids = [...new Set(records.flatMap((record) => (typeof record[name] === 'number' ? [record[name]] : [])))]
  const rows = ids.length ? castRows(target, await tx.select().from(table).where(inArray(columns.id, ids))) : []
  const names = await readRecordNames(tx, target, rows)
  return new Map(records.map((record) => [record.id, getName(names, record[name])]))
}

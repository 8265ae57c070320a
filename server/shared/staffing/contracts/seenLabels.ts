import { resources } from '../../../../domain/resources/all.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'

/**
 * The labels in stored inputs, without the names of records that only other locations may use.
 * @param locationIds the locations that the caller is limited to; null for all
 */
export async function filterVisibleLabels(
  tx: OrganisationTx,
  labels: Record<string, string>,
  locationIds: readonly LocationId[] | null,
): Promise<Record<string, string>> {
  if (!locationIds) return labels
  const elsewhere = new Set<string>()
  for (const [kind, resource] of [
    ['allowance', resources.allowance],
    ['type', resources.contractType],
  ] as const)
    for (const { id, locations } of await readResourceRecords(tx, resource))
      if (locations.length && !locations.some((one) => locationIds.includes(one))) elsewhere.add(`${kind}:${id}`)
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !elsewhere.has(key)))
}

import type { StoredScalePoint } from '../../../../domain/budget/budget.ts'
import { buildByReferencedResource, type ReferencedResource } from '../../../../domain/budget/contractForms.ts'
import type { ContractFacts } from '../../../../domain/budget/decide.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { RecordOf } from '../../../../domain/resources/resource.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import { entriesOf } from '../../../../domain/values/keysOf.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { DataVersion } from '../../../core/database/dataVersion.ts'
import { readThroughCache } from '../../../core/database/readOnce.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { toStoredScalePoints } from '../../../streams/budget/scalePoints.ts'

/** The locations at which each record may be used; empty for all. */
type AllowedLocations = ReadonlyMap<number, readonly LocationId[]>

/** The records that contracts of an organisation may refer to. */
export interface ContractReferences {
  types: ReadonlyMap<number, RecordOf<typeof resources.contractType>>
  points: ReadonlyMap<number, StoredScalePoint>
  pointNames: ReadonlyMap<number, string>
  named: Record<ReferencedResource, AllowedLocations>
}

/** The records that contracts of an organisation may refer to, cached until one of them changes. */
export function readContractReferences(tx: OrganisationTx, version: DataVersion): Promise<ContractReferences> {
  return readThroughCache(version, 'what contracts name', async () => {
    const [types, points, tables, named] = await Promise.all([
      readResourceRecords(tx, resources.contractType),
      readResourceRecords(tx, resources.payScalePoint),
      readResourceRecords(tx, resources.adminTable),
      readReferenceLocations(tx),
    ])
    return {
      types: new Map(types.map((type) => [type.id, type])),
      points: toStoredScalePoints(points, tables),
      pointNames: new Map(points.map((point) => [point.id, `${point.scale} ${point.point}`])),
      named,
    }
  })
}

/** The locations at which the records that contracts refer to may be used. */
export async function readReferenceLocations(tx: OrganisationTx): Promise<Record<ReferencedResource, AllowedLocations>> {
  const reading = buildByReferencedResource(async (name): Promise<AllowedLocations> => {
    const records = await readResourceRecords(tx, resources[name])
    return new Map(records.map(({ id, locations }) => [id, locations]))
  })
  const read = new Map(await Promise.all(entriesOf(reading).map(async ([name, reference]) => [name, await reference] as const)))
  return buildByReferencedResource((name) => assertDefined(read.get(name)))
}

/** The records that may be used at a location. */
export function filterUsableAt(
  locationsByReference: Record<ReferencedResource, AllowedLocations>,
  locationId: LocationId,
): ContractFacts['allowedIds'] {
  const isUsable = (locations: readonly LocationId[]): boolean => !locations.length || locations.includes(locationId)
  return buildByReferencedResource(
    (name) => new Set([...locationsByReference[name]].flatMap(([id, locations]) => (isUsable(locations) ? [id] : []))),
  )
}

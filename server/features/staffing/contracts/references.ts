import type { KeptScalePoint } from '../../../../domain/budget/budget.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { RecordOf } from '../../../../domain/resources/resource.ts'
import { scalePointsAmong } from '../../../core/budget/scalePoints.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { DataVersion } from '../../../core/database/dataVersion.ts'
import { readOnce } from '../../../core/database/readOnce.ts'
import { rowsOf } from '../../../core/database/tables.ts'

/** Of each record the locations that it may be used at; none: at all of them. */
type Places = ReadonlyMap<number, readonly number[]>

/** What contracts of an organisation may name. */
export interface ContractReferences {
  types: ReadonlyMap<number, RecordOf<typeof resources.contractType>>
  points: ReadonlyMap<number, KeptScalePoint>
  pointNames: ReadonlyMap<number, string>
  serviceTerms: Places
  allowances: Places
  analysisTags: Places
  fundCodes: Places
}

/** What contracts of an organisation may name, read once for all saves until somebody changes it. */
export function contractReferences(tx: OrganisationTx, version: DataVersion): Promise<ContractReferences> {
  return readOnce(version, 'what contracts name', async () => {
    const [types, points, tables, serviceTerms, allowances, analysisTags, fundCodes] = await Promise.all([
      rowsOf(tx, resources.contractType),
      rowsOf(tx, resources.payScalePoint),
      rowsOf(tx, resources.adminTable),
      rowsOf(tx, resources.serviceTerm),
      rowsOf(tx, resources.allowance),
      rowsOf(tx, resources.analysisTag),
      rowsOf(tx, resources.fundCode),
    ])
    return {
      types: new Map(types.map((type) => [type.id, type])),
      points: scalePointsAmong(points, tables),
      pointNames: new Map(points.map((point) => [point.id, `${point.scale} ${point.point}`])),
      serviceTerms: placesOf(serviceTerms),
      allowances: placesOf(allowances),
      analysisTags: placesOf(analysisTags),
      fundCodes: placesOf(fundCodes),
    }
  })
}

const placesOf = (records: readonly { id: number; locations: readonly number[] }[]): Places =>
  new Map(records.map(({ id, locations }) => [id, locations]))

/** Those of some records that may be used at a location. */
export function usableAt(places: Places, locationId: number): Set<number> {
  return new Set([...places].flatMap(([id, locations]) => (!locations.length || locations.includes(locationId) ? [id] : [])))
}

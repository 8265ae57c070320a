import { inArray, sql } from 'drizzle-orm'
import type { BudgetHead, StoredContract, StoredScalePoint } from '../../../domain/budget/budget.ts'
import { indexScalePointsByPath } from '../../../domain/budget/contractForms.ts'
import type { PayScaleKind } from '../../../domain/calculation/inputs.ts'
import { adminTableType } from '../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../domain/resources/all.ts'
import { budgetTableKindNames } from '../../../domain/resources/entities/budget/budget.ts'
import type { AnyResource, RecordOf } from '../../../domain/resources/resource.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { castRows, getResourceTable } from '../../core/database/tables.ts'

type ScalePointRecord = RecordOf<typeof resources.payScalePoint>

/** Loads the records of a resource with the given ids; unknown ids are left out. */
export async function loadRecordsByIds<R extends AnyResource>(
  tx: OrganisationTx,
  resource: R,
  ids: readonly number[],
): Promise<RecordOf<R>[]> {
  if (!ids.length) return []
  const { table, columns } = getResourceTable<AnyResource>(resource)
  const rows = await tx
    .select()
    .from(table)
    .where(sql`${columns.id} = any(${sql.param(`{${[...new Set(ids)].join(',')}}`)}::integer[])`)
  return castRows(resource, rows)
}

/**
 * Returns the kind of a point, which depends on the type of its admin table and on whether the point is national or
 * belongs to the organisation.
 */
function kindOfPoint(point: ScalePointRecord, tableType: number | undefined): PayScaleKind {
  if (tableType === adminTableType.supportPayScales) return point.organisationId === null ? 'support' : 'customSupport'
  return point.organisationId === null ? 'teacher' : 'customTeacher'
}

async function loadTableTypes(tx: OrganisationTx, points: readonly ScalePointRecord[]): Promise<Map<number, number>> {
  return new Map(
    (
      await loadRecordsByIds(
        tx,
        resources.adminTable,
        points.map((point) => point.adminTableId),
      )
    ).map((table) => [table.id, table.type]),
  )
}

/** Loads scale points in the form that contracts store. */
export async function loadScalePoints(tx: OrganisationTx, ids: readonly number[]): Promise<Map<number, StoredScalePoint>> {
  const points = await loadRecordsByIds(tx, resources.payScalePoint, ids)
  return buildStoredPoints(points, await loadTableTypes(tx, points))
}

/** Converts points that are already loaded, with their tables, to the form that contracts store. */
export function toStoredScalePoints(
  points: readonly ScalePointRecord[],
  tables: readonly RecordOf<typeof resources.adminTable>[],
): Map<number, StoredScalePoint> {
  return buildStoredPoints(points, new Map(tables.map((table) => [table.id, table.type])))
}

function buildStoredPoints(points: readonly ScalePointRecord[], types: ReadonlyMap<number, number>): Map<number, StoredScalePoint> {
  return new Map(
    points.map((point) => [
      point.id,
      { id: point.id, kind: kindOfPoint(point, types.get(point.adminTableId)), scale: point.scale, increment: point.increment },
    ]),
  )
}

/** A scale point as forms offer it. */
export interface OfferedPoint extends StoredScalePoint {
  name: string
  order: number
  /** Whether the point is in the newest table of its kind; points of older tables are recognised but not offered. */
  newest: boolean
}

/** Loads all points of the pay tables that a budget uses. */
export async function loadOfferedPoints(tx: OrganisationTx, head: BudgetHead): Promise<OfferedPoint[]> {
  const kinds = budgetTableKindNames.filter((name) => name.endsWith('PayScales'))
  const ids = kinds.flatMap((name) => head.elements[name].map((row) => row.adminTableId))
  const newest = new Set(
    kinds.flatMap((name) =>
      [...head.elements[name]]
        .sort((a, b) => b.effectiveDate.localeCompare(a.effectiveDate))
        .slice(0, 1)
        .map((row) => row.adminTableId),
    ),
  )
  if (!ids.length) return []
  const { table, columns } = getResourceTable(resources.payScalePoint)
  const points = castRows(
    resources.payScalePoint,
    await tx.select().from(table).where(inArray(columns.adminTableId, ids)).orderBy(columns.order),
  )
  const types = await loadTableTypes(tx, points)
  return points.map((point) => ({
    id: point.id,
    kind: kindOfPoint(point, types.get(point.adminTableId)),
    scale: point.scale,
    increment: point.increment,
    name: `${point.scale} ${point.point}`,
    order: point.order ?? 0,
    newest: newest.has(point.adminTableId),
  }))
}

/**
 * Loads the names of the points that contracts are on. A point whose record was deleted is named by its scale and
 * increment.
 */
export async function loadPointNames(tx: OrganisationTx, contracts: readonly StoredContract[]): Promise<Map<number, string>> {
  const points = contracts.flatMap((contract) => [...indexScalePointsByPath(contract).values()])
  const records = await loadRecordsByIds(
    tx,
    resources.payScalePoint,
    points.map((point) => point.id),
  )
  const names = new Map(records.map((point) => [point.id, `${point.scale} ${point.point}`]))
  return new Map(points.map(({ id, scale, increment }) => [id, names.get(id) ?? `${scale} ${increment}`]))
}

import { type PayScaleKind, payScaleFlags } from '../../../domain/calculation/inputs.ts'
import { payTableElements, rateColumn } from '../../../domain/calculation/staffing/payTables.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import type { CostingInputs } from './costingInputs.ts'

export type ScalePoints = CostingInputs['points']

/** The scale points available to a contract, grouped by scale. The chosen point stays in the list even if it is no longer offered. */
export function createScalePointOptions(points: ScalePoints, type: number, chosen: number | null) {
  const offered = points.filter((point) => point.id === chosen || (point.newest && payScaleFlags[point.kind] === type))
  const scales = [...new Set(offered.map((point) => point.scale))]
  const names = new Set<string>()
  const unique = offered
    .filter(
      (point) =>
        point.id === chosen || !points.some((other) => other.id === chosen && other.name === point.name && other.kind === point.kind),
    )
    .filter((point) => !names.has(point.name) && names.add(point.name))
  return scales.map((scale) => ({
    group: scale,
    items: unique.filter((point) => point.scale === scale).map((point) => ({ value: String(point.id), label: point.name })),
  }))
}

/** A point's annual salary in pounds, and the date from which it applies. */
interface PointSalary {
  rate: string
  from: string
}

/** The salary of each point, by point id, in the newest table of its kind and the location's pay area. */
export function findPointSalaries({ frozen, shared, points }: CostingInputs): Map<number, PointSalary> {
  const column = rateColumn[frozen.budget.payArea]
  const key = (kind: PayScaleKind, scale: string, increment: number): string => `${kind} ${scale} ${increment}`
  const rates = new Map<string, PointSalary>()
  for (const kind of keysOf(payTableElements)) {
    const newest = frozen.budgetElements[payTableElements[kind]].toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate)).at(-1)
    for (const point of (newest && shared.tables.payScales[newest.table]?.points) ?? [])
      if (point[column] !== null)
        rates.set(key(kind, point.scale, point.increment), { rate: point[column], from: assertDefined(newest).effectiveDate })
  }
  return new Map(
    points.flatMap((point) => {
      const salary = point.newest ? rates.get(key(point.kind, point.scale, point.increment)) : undefined
      return salary ? [[point.id, salary] as const] : []
    }),
  )
}

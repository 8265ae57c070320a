import { payScaleFlags } from '../../../domain/calculation/inputs.ts'
import type { LiveInputs } from './draft.ts'

export type Points = LiveInputs['points']

/** The points a contract of some pay scale may be on, by scale; one that is chosen but no longer offered stays. */
export function pointOptions(points: Points, type: number, chosen: number | null) {
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

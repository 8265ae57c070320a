import type { FileRow } from './importLayout.ts'
import type { TemplateChoice } from './template.ts'

/** A pay scale, with the number of rows in a contract file that are on it and have no maximum scale point. */
export interface ScaleWithoutMaximum {
  scale: string
  rows: number
  /** The points of the scale, from the lowest. */
  points: string[]
}

/** The name of a point without its scale: `M4` of `Main M4`. */
const ownName = (point: string): string => point.slice(point.lastIndexOf(' ') + 1)
const scaleOf = (point: string): string => point.slice(0, Math.max(0, point.lastIndexOf(' ')))

/** The point that a cell names, with or without the scale; undefined if the cell names no point or several. */
function findPoint(text: string, points: readonly TemplateChoice[]): string | undefined {
  const wanted = text.trim().toLowerCase()
  const named = points.filter(({ value }) => value.toLowerCase() === wanted || ownName(value).toLowerCase() === wanted)
  return named.length === 1 ? named[0]?.value : undefined
}

/**
 * The scale of a row whose contract has no maximum point and would therefore get no increments. Null if the contract has a maximum point,
 * or is already on the highest point.
 */
function findEndlessScale({ cells }: FileRow, points: readonly TemplateChoice[]): string | null {
  const point = cells.MaximumScalePoint?.trim() ? undefined : findPoint(cells.ScalePoint ?? '', points)
  if (point === undefined) return null
  const top = points.findLast(({ value }) => scaleOf(value) === scaleOf(point))
  return top?.value === point ? null : scaleOf(point)
}

/** Lists the pay scales of rows in a contract file that have no maximum scale point. Their contracts would get no increments. */
export function listScalesWithoutMaximum(rows: readonly FileRow[], points: readonly TemplateChoice[]): ScaleWithoutMaximum[] {
  const scales = new Map<string, number>()
  for (const row of rows) {
    const scale = findEndlessScale(row, points)
    if (scale !== null) scales.set(scale, (scales.get(scale) ?? 0) + 1)
  }
  return [...scales].map(([scale, count]) => ({
    scale,
    rows: count,
    points: points.flatMap(({ value }) => (scaleOf(value) === scale ? [value] : [])),
  }))
}

/** Fills in the maximum point that the user chose for each scale, in the rows without a maximum point. */
export function fillMaximumPoints(
  rows: readonly FileRow[],
  points: readonly TemplateChoice[],
  chosen: Readonly<Record<string, string>>,
): FileRow[] {
  return rows.map((row) => {
    const maximum = chosen[findEndlessScale(row, points) ?? '']
    return maximum ? { ...row, cells: { ...row.cells, MaximumScalePoint: maximum } } : row
  })
}

import { pageSizes } from '../../../domain/words/notices.ts'

/** Lowest and highest number of rows on a page that fits the window. The highest is the largest page size offered. */
const leastRows = 5
const mostRows = Math.max(...pageSizes)

/**
 * How often a page may grow until the window changes. New rows may be taller, and without a limit the page could grow and shrink without
 * end.
 */
const mostGrowths = 3

/** How many rows fit into a window, with the measurements in pixels. */
export interface PageFitMeasurement {
  /** Height of the window. */
  height: number
  /** Height of a row whose texts fit on one line. */
  row: number
  rows: number
  /** A text of everything that the number of rows depends on. While the text is unchanged, the page is not measured again. */
  seen: string
}

/** Used until a list has been measured. */
const defaultFit: PageFitMeasurement = { height: 900, row: 36, rows: 14, seen: '' }

const limitRows = (rows: number): number => Math.min(Math.max(rows, leastRows), mostRows)

/**
 * Returns the number of the page that contains a row, from 1.
 * @param firstRow number of rows before this row
 */
export function findPageNumber(firstRow: number, rows: number): number {
  return Math.floor(firstRow / rows) + 1
}

/**
 * Estimates how many rows will fit before any row can be measured: as many as last time, adjusted for the heights of the window and of a
 * row.
 */
export function estimateRows({ rows, row, height }: PageFitMeasurement, now: Pick<PageFitMeasurement, 'height' | 'row'>): number {
  return limitRows(Math.floor((rows * row + now.height - height) / now.row))
}

/** Counts how many rows fit into a height: the measured rows and, in the remaining height, rows of average height. */
export function countRowsThatFit(heights: readonly number[], room: number): number {
  let left = room
  for (const [at, height] of heights.entries()) {
    if (height > left) return limitRows(at)
    left -= height
  }
  return limitRows(heights.length + Math.floor((left * heights.length) / (room - left)))
}

/**
 * Decides how many rows a page has from now on. If the rows are too tall for the window, the number shrinks. It grows only if the window or
 * the area around the table has changed, or if there is space for two or more further rows, because rows differ in height. Later pages keep
 * the number of rows of the first page even if they are slightly too tall, because rows would otherwise move under the pointer.
 * @returns null if the number of rows stays the same
 */
export function decidePageLength(
  { heights, room }: { heights: readonly number[]; room: number },
  { rows, isNew, isFirst, growths }: { rows: number; isNew: boolean; isFirst: boolean; growths: number },
): number | null {
  if (!isNew && !isFirst) return null
  const fit = countRowsThatFit(heights, room)
  if (fit < heights.length) return fit
  // If the last page is incomplete, it does not show how many rows would fit.
  if (heights.length < rows) return null
  const mayGrow = isNew ? growths < mostGrowths : growths === 0 && fit >= rows + 2
  if (mayGrow) return fit
  return isNew ? rows : null
}

const key = 'fittingRows'

function isFit(one: unknown): one is PageFitMeasurement {
  if (typeof one !== 'object' || one === null || !('seen' in one) || typeof one.seen !== 'string') return false
  return ['height', 'row', 'rows'].every((name) => Number(Reflect.get(one, name)) > 0)
}

/** Reads the measurements of each list from local storage, the latest last. */
function readPageFits(): [list: string, fit: PageFitMeasurement][] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? '{}')
    return Object.entries(stored ?? {}).filter((entry): entry is [string, PageFitMeasurement] => isFit(entry[1]))
  } catch {
    return []
  }
}

/** Reads the last measurement of a list; undefined if there is none. */
export function readPageFit(list: string): PageFitMeasurement | undefined {
  return readPageFits().find(([name]) => name === list)?.[1]
}

export function storePageFit(list: string, fit: PageFitMeasurement): void {
  const others = readPageFits().filter(([name]) => name !== list)
  try {
    window.localStorage.setItem(key, JSON.stringify(Object.fromEntries([...others, [list, fit]])))
  } catch {
    // If the measurement cannot be stored, the list is measured again next time.
  }
}

/**
 * Estimates how many rows to request when a list with the page size “As many as fit” opens, from the last measurement of this list or, if
 * there is none, of the list that was opened last.
 */
export function estimateInitialRows(list: string, row: number): number {
  const before = readPageFit(list) ?? readPageFits().at(-1)?.[1] ?? defaultFit
  return estimateRows(before, { height: document.documentElement.clientHeight, row })
}

import { pageSizes } from '../../../domain/words/notices.ts'

/** Rows of a page that is as long as the window holds: at least, however small that is, and at most, as of any list. */
const fewest = 5
const most = Math.max(...pageSizes)

/** How often a page may be made longer before the window changes: rows that come may be taller, and the page would swing to and fro. */
const mostGrowths = 3

/** What was found to fit into a window. Pixels. */
export interface Fit {
  /** Of the window. */
  height: number
  /** Of a row whose texts stand on one line. */
  row: number
  rows: number
  /** All that it was found by. As long as that stays, a page is not tried again. */
  seen: string
}

/** The usual page in the usual window, until a list has been measured. */
const usual: Fit = { height: 900, row: 36, rows: 14, seen: '' }

const bounded = (rows: number): number => Math.min(Math.max(rows, fewest), most)

/** The page that a row stands on, the first of which is 1. @param firstRow how many rows stand before it */
export function pageOf(firstRow: number, rows: number): number {
  return Math.floor(firstRow / rows) + 1
}

/** How many rows are likely to fit, before any stand there that could be measured: as many as before, and more or fewer in another window. */
export function likelyRows({ rows, row, height }: Fit, now: Pick<Fit, 'height' | 'row'>): number {
  return bounded(Math.floor((rows * row + now.height - height) / now.row))
}

/** How many rows fit into a room: those that stand there as tall as they are, and more like them in what is left. */
export function rowsThatFit(heights: readonly number[], room: number): number {
  let left = room
  for (const [at, height] of heights.entries()) {
    if (height > left) return bounded(at)
    left -= height
  }
  return bounded(heights.length + Math.floor((left * heights.length) / (room - left)))
}

/**
 * How many rows a page has from now on: fewer as soon as it is too long, more where something else has changed, or where two or more had room
 * that are not there. In between it stays, for rows are not all of one height. A page that is turned is as long as the one before, though it
 * be a little too long then: another length would begin it at another row, under the pointer.
 * @returns null: nothing is known that was not before
 */
export function nextRows(
  { heights, room }: { heights: readonly number[]; room: number },
  { rows, isNew, isFirst, growths }: { rows: number; isNew: boolean; isFirst: boolean; growths: number },
): number | null {
  if (!isNew && !isFirst) return null
  const fit = rowsThatFit(heights, room)
  if (fit < heights.length) return fit
  // The last page says nothing of how many a whole one could have.
  if (heights.length < rows) return null
  const mayGrow = isNew ? growths < mostGrowths : growths === 0 && fit >= rows + 2
  if (mayGrow) return fit
  return isNew ? rows : null
}

const key = 'fittingRows'

function isFit(one: unknown): one is Fit {
  if (typeof one !== 'object' || one === null || !('seen' in one) || typeof one.seen !== 'string') return false
  return ['height', 'row', 'rows'].every((name) => Number(Reflect.get(one, name)) > 0)
}

/** What fitted into each list when it was open last, the latest at the end; in local storage. */
function keptFits(): [list: string, fit: Fit][] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '{}')
    return Object.entries(kept ?? {}).filter((entry): entry is [string, Fit] => isFit(entry[1]))
  } catch {
    return []
  }
}

/** What fitted into a list when it was open last. */
export function keptFit(list: string): Fit | undefined {
  return keptFits().find(([name]) => name === list)?.[1]
}

export function keepFit(list: string, fit: Fit): void {
  const others = keptFits().filter(([name]) => name !== list)
  try {
    window.localStorage.setItem(key, JSON.stringify(Object.fromEntries([...others, [list, fit]])))
  } catch {
    // What cannot be kept is measured again.
  }
}

/** How many rows a list that is opened asks for where it is to show as many as fit: what it had before, or else the list that was open last. */
export function rowsToAskFor(list: string, row: number): number {
  const before = keptFit(list) ?? keptFits().at(-1)?.[1] ?? usual
  return likelyRows(before, { height: document.documentElement.clientHeight, row })
}

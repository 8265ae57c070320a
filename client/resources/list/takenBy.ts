import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { Taken } from './columns.ts'

/** Pixels beside the words of a heading: its margins, and the arrow of its order. */
const besideHeading = 24 + 18

/**
 * What each column of a table takes by what stands in it, in pixels, by the column's id. A copy of the table is laid out for it, which nobody
 * sees: the table itself keeps its place, its focus and how far it is scrolled.
 */
export function takenBy(frame: HTMLElement): Map<string, Taken> {
  const headings = [...frame.querySelectorAll<HTMLElement>('thead th[data-column]')].filter(({ dataset }) => dataset.column)
  const first = headings[0]
  if (!first) return new Map()
  const brush = assertDefined(document.createElement('canvas').getContext('2d'))
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(first)
  brush.font = `${fontWeight} ${fontSize} ${fontFamily}`
  const widthOf = (words: readonly string[]): number => brush.measureText(words.join(' ')).width
  // A copy is of the kind of what is copied.
  const copy = frame.cloneNode(true) as HTMLElement
  frame.after(copy)
  const cells = cellWidths(copy, 'lines')
  const words = cellWidths(copy, 'words')
  copy.remove()
  return new Map(
    headings.map(({ dataset, textContent }) => {
      const id = assertDefined(dataset.column)
      const heading = Math.ceil(onTwoLines((textContent ?? '').trim().split(/\s+/), widthOf)) + besideHeading
      return [id, { heading, cells: cells.get(id) ?? 0, words: words.get(id) ?? 0 }]
    }),
  )
}

/** How wide each column is where every text stands on one line, or where every word has a line of its own. */
function cellWidths(copy: HTMLElement, measured: 'lines' | 'words'): Map<string, number> {
  copy.dataset.measured = measured
  const row = [...copy.querySelectorAll<HTMLElement>('tbody tr:first-child > [data-column]')]
  return new Map(row.map((cell) => [assertDefined(cell.dataset.column), cell.getBoundingClientRect().width]))
}

/** The width of words that may stand on two lines. */
function onTwoLines(words: readonly string[], widthOf: (words: readonly string[]) => number): number {
  return Math.min(...words.map((_word, at) => Math.max(widthOf(words.slice(0, at)), widthOf(words.slice(at)))))
}

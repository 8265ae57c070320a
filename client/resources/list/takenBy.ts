import { must } from '../../../domain/must.ts'
import type { Taken } from '../columns.ts'

/** Pixels beside the words of a heading: its margins, and the arrow of its order. */
const besideHeading = 24 + 18

/**
 * What each column of a table takes by what stands in it, in pixels, by the column's id. The table is laid out once more without any width for
 * it, which nobody sees.
 */
export function takenBy(frame: HTMLElement): Map<string, Taken> {
  const headings = [...frame.querySelectorAll<HTMLElement>('thead th[data-column]')].filter(({ dataset }) => dataset.column)
  const first = headings[0]
  if (!first) return new Map()
  const brush = must(document.createElement('canvas').getContext('2d'))
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(first)
  brush.font = `${fontWeight} ${fontSize} ${fontFamily}`
  const widthOf = (words: readonly string[]): number => brush.measureText(words.join(' ')).width
  const cells = cellWidths(frame, 'lines')
  const words = cellWidths(frame, 'words')
  return new Map(
    headings.map(({ dataset, textContent }) => {
      const id = must(dataset.column)
      const heading = Math.ceil(onTwoLines((textContent ?? '').trim().split(/\s+/), widthOf)) + besideHeading
      return [id, { heading, cells: cells.get(id) ?? 0, words: words.get(id) ?? 0 }]
    }),
  )
}

/** How wide each column is where every text stands on one line, or where every word has a line of its own. */
function cellWidths(frame: HTMLElement, measured: 'lines' | 'words'): Map<string, number> {
  frame.dataset.measured = measured
  const row = [...frame.querySelectorAll<HTMLElement>('tbody tr:first-child > [data-column]')]
  const widths = new Map(row.map((cell) => [must(cell.dataset.column), cell.getBoundingClientRect().width]))
  delete frame.dataset.measured
  return widths
}

/** The width of words that may stand on two lines. */
function onTwoLines(words: readonly string[], widthOf: (words: readonly string[]) => number): number {
  return Math.min(...words.map((_word, at) => Math.max(widthOf(words.slice(0, at)), widthOf(words.slice(at)))))
}

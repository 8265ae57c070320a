import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { ContentWidths } from './columns.ts'

/** Pixels beside the words of a heading: its padding and the sort arrow. */
const besideHeading = 24 + 18

/**
 * The width that the content of each column needs, by column id. Measures an invisible copy of the table, so that the table keeps its
 * focus and scroll position.
 */
export function measureColumnContents(frame: HTMLElement): Map<string, ContentWidths> {
  const headings = [...frame.querySelectorAll<HTMLElement>('thead th[data-column]')].filter(
    ({ dataset }) => !dataset.column?.startsWith(' '),
  )
  const first = headings[0]
  if (!first) return new Map()
  const context = assertDefined(document.createElement('canvas').getContext('2d'))
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(first)
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`
  const widthOf = (words: readonly string[]): number => context.measureText(words.join(' ')).width
  // `cloneNode` is typed as Node although it returns the same kind of element.
  const copy = frame.cloneNode(true) as HTMLElement
  frame.after(copy)
  const cells = measureCells(copy, 'lines')
  const words = measureCells(copy, 'words')
  copy.remove()
  return new Map(
    headings.map(({ dataset, textContent }) => {
      const id = assertDefined(dataset.column)
      const heading = Math.ceil(measureOnTwoLines((textContent ?? '').trim().split(/\s+/), widthOf)) + besideHeading
      return [id, { heading, cells: cells.get(id) ?? 0, words: words.get(id) ?? 0 }]
    }),
  )
}

/** The width of each column with every text on one line, or with every word on a line of its own. */
function measureCells(copy: HTMLElement, measured: 'lines' | 'words'): Map<string, number> {
  copy.dataset.measured = measured
  const row = [...copy.querySelectorAll<HTMLElement>('tbody tr:first-child > [data-column]')]
  return new Map(row.map((cell) => [assertDefined(cell.dataset.column), cell.getBoundingClientRect().width]))
}

/** The width of words that may wrap once. */
function measureOnTwoLines(words: readonly string[], widthOf: (words: readonly string[]) => number): number {
  return Math.min(...words.map((_word, at) => Math.max(widthOf(words.slice(0, at)), widthOf(words.slice(at)))))
}

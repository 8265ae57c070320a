import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayDecimal, displayFigure, displayOneDecimal, displayWholePounds } from '../../../domain/values/format.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import type { ColumnKind } from '../workbook.ts'
import type { createYielder } from '../yielding.ts'
import type { DocumentTable } from './document.ts'

/** The printed width of a text, in points. */
export type TextMeasurer = (text: string, isBold: boolean) => number

/** Columns that fit side by side on a page: the first column of the table, then some of the others. */
export interface ColumnBand {
  columns: { index: number; width: number }[]
}

/** The space between columns, in points. */
const gap = 8
const most = { first: 250, text: 150 }
/** In points. On a page no wider than this, a table always fills the whole width. */
const widestFilled = 600
const narrowFirst = 110
const least = { first: 90, figures: 48, text: 40 }

/** The text of a cell as it is printed. */
export function formatCell(value: string | number | null, kind: ColumnKind, hasPence: boolean): string {
  if (value === null) return ''
  if (typeof value === 'string') return kind === 'date' ? value.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1') : value
  if (kind === 'money') return formatPounds(Math.round(value * 100), hasPence)
  if (kind === 'ratio') return value.toFixed(2).replace('-', '−')
  return kind === 'percent' ? displayOneDecimal(value) : displayDecimal(value)
}

/** Pennies as pounds, without the unit, which is in the heading. */
function formatPounds(pennies: Pennies, hasPence: boolean): string {
  return hasPence ? displayFigure(pennies) : displayWholePounds(pennies).replace('£', '')
}

/** Whether a row has nothing but its label, which may then run across all columns. */
export const isLabelOnly = ({ cells }: DocumentTable['rows'][number]): boolean =>
  cells.slice(1).every((cell) => cell === null || cell === '')

/** The indentation of a label, in the steps that a workbook uses. */
export function measureIndent(label: string): number {
  return Math.floor((label.length - label.trimStart().length) / 3)
}

/**
 * Splits columns into bands that fit the page. Further bands go on pages of their own, each with the first column
 * again.
 * @param breathe yields between cells, because every cell is measured
 */
export async function splitIntoBands(
  { columns, rows, hasPence }: DocumentTable,
  { width, measure, breathe }: { width: number; measure: TextMeasurer; breathe: ReturnType<typeof createYielder> },
): Promise<ColumnBand[]> {
  const natural: number[] = []
  for (const [index, { title, kind }] of columns.entries()) {
    const texts: string[] = []
    for (const row of rows) {
      const { cells, kind: ofRow } = row
      if (!index && isLabelOnly(row)) continue
      const text = formatCell(cells[index] ?? null, (index && ofRow) || kind, hasPence)
      if (text) texts.push(text)
      await breathe()
    }
    const words = title.split(' ').map((word) => measure(word, true))
    const widest = Math.max(0, ...words, ...listLongest(texts).map((text) => measure(text, true)))
    const [narrowest, broadest] = index ? [kind === 'text' ? least.text : least.figures, most.text] : [least.first, most.first]
    natural.push(Math.min(broadest, Math.max(narrowest, widest + gap)))
  }
  const others = natural.slice(1).reduce((sum, one) => sum + one, 0)
  // If everything fits with a narrower first column, its labels wrap onto two lines instead.
  const first = others + narrowFirst <= width ? Math.min(natural[0] ?? 0, width - others) : (natural[0] ?? 0)
  const bands: ColumnBand[] = []
  let taken = 0
  let band: ColumnBand['columns'] = []
  for (const [index, own] of natural.entries()) {
    if (!index) continue
    if (band.length && first + taken + own > width) {
      bands.push({ columns: [{ index: 0, width: first }, ...band] })
      taken = 0
      band = []
    }
    band.push({ index, width: own })
    taken += own
  }
  bands.push({ columns: [{ index: 0, width: first }, ...band] })
  return bands.map((one) => spreadWidth(one, width))
}

/** The candidates for the widest text: the longest text, and those up to two characters shorter. */
function listLongest(texts: readonly string[]): string[] {
  const length = texts.reduce((found, text) => Math.max(found, text.length), 0)
  return [...new Set(texts.filter((text) => text.length >= length - 2))].slice(0, 50)
}

/** Spreads the remaining width over the columns, most of it to the first. */
function spreadWidth({ columns }: ColumnBand, width: number): ColumnBand {
  const spare = width - columns.reduce((sum, one) => sum + one.width, 0)
  if (spare <= 0 || columns.length < 2) return { columns }
  const toFirst = Math.min(spare / 2, most.first * 1.4 - assertDefined(columns[0]).width)
  const each = Math.min((spare - Math.max(0, toFirst)) / (columns.length - 1), 40)
  // On a portrait page a table fills the whole width; its figures stay close to their labels.
  const first = width < widestFilled ? spare - each * (columns.length - 1) : Math.max(0, toFirst)
  return { columns: columns.map(({ index, width: own }) => ({ index, width: own + (index ? each : first) })) }
}

/** A text wrapped to the width of a column, with its own line breaks; longer words are cut. */
export function wrapText(text: string, { width, isBold, measure }: { width: number; isBold: boolean; measure: TextMeasurer }): string[] {
  if (text.includes('\n')) return text.split('\n').flatMap((line) => wrapText(line, { width, isBold, measure }))
  if (!text || measure(text, isBold) <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const wider = line ? `${line} ${word}` : word
    if (measure(wider, isBold) <= width) line = wider
    else {
      if (line) lines.push(line)
      line = word
      while (measure(line, isBold) > width && line.length > 1) {
        let fits = line.length - 1
        while (fits > 1 && measure(line.slice(0, fits), isBold) > width) fits--
        lines.push(line.slice(0, fits))
        line = line.slice(fits)
      }
    }
  }
  return line ? [...lines, line] : lines
}

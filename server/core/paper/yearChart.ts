import type { YearChart } from '../../../domain/reports/yearChart.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { listAxisTicks } from '../../../domain/values/axisTicks.ts'
import { displayAxisPounds, displayWholePounds, toPounds } from '../../../domain/values/format.ts'
import type { TextMeasurer } from './columns.ts'

/** Colours that can be told apart in black and white: deficits are also below zero, and the policy is dashed. */
const colours = { good: '#2c7a57', bad: '#b03a35', line: '#12616f', policy: '#9a6200', grid: '#d5dcdd', axis: '#55656a', text: '#16262b' }
const points = 7.5
const barShare = 0.46
const mostBar = 56

/** What a chart is drawn with, and the part of the page that it fills, in points. */
interface ChartFrame {
  doc: PDFKit.PDFDocument
  /** Writes one line of text at a place. */
  write: (text: string, place: { x: number; y: number }, face: { points: number; color: string; isBold?: boolean }) => void
  measure: (points: number) => TextMeasurer
  x: number
  y: number
  width: number
  height: number
}

/** Draws a chart by year as vectors: bars about zero, or lines, with an axis in pounds and the amount of each year. */
export function drawYearChart({ type, years, values, policy }: YearChart, frame: ChartFrame): void {
  const { doc, write, x, y, width, height } = frame
  const measure = frame.measure(points)
  const known = [...values, ...(policy ?? [])].flatMap((value) => (value === null ? [] : [toPounds(value)]))
  const ticks = listAxisTicks(known)
  const [least, most] = [Math.min(...ticks), Math.max(...ticks)]
  const labels = ticks.map(displayAxisPounds)
  const left = x + Math.max(...labels.map((label) => measure(label, false))) + 8
  // Room above and below for the amounts beyond the bars, and for the years.
  const [top, bottom] = [y + 16, y + height - 26]
  const yOf = (pounds: number): number => (most === least ? bottom : bottom - ((pounds - least) / (most - least)) * (bottom - top))
  const slot = (x + width - left) / years.length
  const middle = (index: number): number => left + slot * (index + 0.5)
  /** Writes on a white background, so that no line crosses the text. */
  const centred = (text: string, { x: centre, y: at }: { x: number; y: number }, isBold = false): void => {
    const wide = measure(text, isBold)
    doc.rect(centre - wide / 2 - 1.5, at, wide + 3, points * 1.25).fill('#ffffff')
    write(text, { x: centre - wide / 2, y: at }, { points, isBold, color: colours.text })
  }

  for (const [index, tick] of ticks.entries()) {
    const at = yOf(tick)
    doc
      .moveTo(left, at)
      .lineTo(x + width, at)
      .lineWidth(tick === 0 ? 0.9 : 0.4)
    doc.strokeColor(tick === 0 ? colours.axis : colours.grid).stroke()
    const label = assertDefined(labels[index])
    write(label, { x: left - 6 - measure(label, false), y: at - points * 0.65 }, { points, color: colours.axis })
  }
  for (const [index, year] of years.entries()) centred(year, { x: middle(index), y: y + height - points * 1.4 })

  if (type === 'balance') {
    const bar = Math.min(mostBar, slot * barShare)
    for (const [index, value] of values.entries())
      if (value !== null) {
        const [from, to] = [yOf(0), yOf(toPounds(value))]
        doc.rect(middle(index) - bar / 2, Math.min(from, to), bar, Math.abs(to - from)).fill(value < 0 ? colours.bad : colours.good)
      }
  } else {
    if (policy) drawLine(doc, policy, { middle, yOf, color: colours.policy, isDashed: true })
    drawLine(doc, values, { middle, yOf, color: colours.line, isDashed: false })
  }
  for (const [index, value] of values.entries()) {
    if (value === null) centred('not calculated', { x: middle(index), y: yOf(0) - points * 1.5 })
    else {
      const isBelow = type === 'balance' && value < 0
      centred(displayWholePounds(value), { x: middle(index), y: yOf(toPounds(value)) + (isBelow ? 2.5 : -points * 1.3 - 4) }, true)
    }
  }
  if (policy) {
    const name = 'Policy'
    const from = x + width - measure(name, false)
    doc
      .moveTo(from - 24, y + 2)
      .lineTo(from - 5, y + 2)
      .lineWidth(1.2)
      .dash(4, { space: 3 })
      .strokeColor(colours.policy)
      .stroke()
      .undash()
    write(name, { x: from, y: y - points * 0.4 }, { points, color: colours.text })
  }
}

/** Joins the values of consecutive years with a line, interrupted where a year has no value, with a dot on each value. */
function drawLine(
  doc: PDFKit.PDFDocument,
  values: readonly (number | null)[],
  {
    middle,
    yOf,
    color,
    isDashed,
  }: { middle: (index: number) => number; yOf: (pounds: number) => number; color: string; isDashed: boolean },
): void {
  let isOpen = false
  for (const [index, value] of values.entries()) {
    if (value !== null) doc[isOpen ? 'lineTo' : 'moveTo'](middle(index), yOf(toPounds(value)))
    isOpen = value !== null
  }
  if (isDashed) doc.dash(4, { space: 3 })
  doc
    .lineWidth(isDashed ? 1.2 : 1.8)
    .strokeColor(color)
    .stroke()
  if (isDashed) doc.undash()
  else for (const [index, value] of values.entries()) if (value !== null) doc.circle(middle(index), yOf(toPounds(value)), 2.4).fill(color)
}

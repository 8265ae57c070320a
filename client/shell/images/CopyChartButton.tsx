import { ActionIcon } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { notifyFailure, notifySuccess } from '../notify.tsx'

/** Pixels per CSS pixel, so that the image prints sharply. */
const scale = 2
const [margin, headHeight, legendHeight] = [16, 32, 28] as const
/** Properties that a drawing gets from style sheets. In a copy they must be set on each element. */
const styles = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'opacity']

/** Copies a drawing so that it looks the same outside the page. */
function toStandaloneDrawing(drawing: SVGSVGElement): string {
  // A clone has the type of its original.
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const [from, to] = [[...drawing.querySelectorAll('*')], [...copy.querySelectorAll<SVGElement>('*')]]
  for (const [index, element] of to.entries()) {
    const shown = getComputedStyle(assertDefined(from[index]))
    for (const name of styles) element.style.setProperty(name, shown.getPropertyValue(name))
  }
  const { width, height } = drawing.getBoundingClientRect()
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  return new XMLSerializer().serializeToString(copy)
}

/** In pixels: the width of a legend key including its margin, followed by the gap between entries. */
const [keyWidth, entryGap] = [30, 20] as const

/** A line or bar of the chart; bars have no dashes. */
interface LegendEntry {
  name: string
  colour: string
  dashes: number[] | null
}

/** Calculates the positions of legend entries, with as many entries in a row as fit. */
function layOutLegend(entries: readonly LegendEntry[], width: number, widthOf: (name: string) => number) {
  let [at, line] = [0, 0]
  return entries.map((entry) => {
    const entryWidth = keyWidth + widthOf(entry.name)
    if (at > 0 && at + entryWidth > width) [at, line] = [0, line + 1]
    const placed = { ...entry, at, line }
    at += entryWidth + entryGap
    return placed
  })
}

/**
 * Draws the chart that an element contains, with its title and legend, as a PNG.
 * @throws Error if there is no chart
 */
async function drawPicture(part: HTMLElement, title: string): Promise<Blob> {
  const drawing = part.querySelector<SVGSVGElement>('svg.recharts-surface[role="application"], .recharts-wrapper > svg')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!drawing || !context) throw new Error('There is no chart to copy.')
  // Copy the dashes of a line as well as its colour, so that the line can be recognised in black and white.
  const legend = [...part.querySelectorAll<SVGPathElement>('path.recharts-line-curve[name]')].map((line) => {
    const { stroke, strokeDasharray } = getComputedStyle(line)
    return { name: assertDefined(line.getAttribute('name')), colour: stroke, dashes: strokeDasharray === 'none' ? [] : [4, 3] }
  })
  const bars = [
    ...part.querySelectorAll<HTMLElement>(
      '.recharts-legend-wrapper [class*="-legendItem "], .recharts-legend-wrapper [class$="-legendItem"]',
    ),
  ]
    .map((item) => {
      const swatch = item.querySelector('[class*="ColorSwatch-colorOverlay"]')
      return { name: item.textContent ?? '', colour: swatch ? getComputedStyle(swatch).backgroundColor : 'transparent' }
    })
    .filter(({ name }) => !legend.some((line) => line.name === name))
  const { width, height } = drawing.getBoundingClientRect()
  const legendFont = `13px ${getComputedStyle(document.body).fontFamily}`
  context.font = legendFont
  const entries = layOutLegend(
    [...bars.map((bar) => ({ ...bar, dashes: null })), ...legend],
    width,
    (name) => context.measureText(name).width,
  )
  const lines = Math.max(0, ...entries.map((one) => one.line + 1))
  canvas.width = (width + 2 * margin) * scale
  canvas.height = (headHeight + height + lines * legendHeight + 2 * margin) * scale
  context.scale(scale, scale)
  const card = getComputedStyle(part)
  const bodyStyle = getComputedStyle(document.body)
  context.fillStyle = card.backgroundColor === 'rgba(0, 0, 0, 0)' ? bodyStyle.backgroundColor : card.backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = bodyStyle.color
  context.font = `600 15px ${bodyStyle.fontFamily}`
  context.fillText(title, margin, margin + 14)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(toStandaloneDrawing(drawing))}`
  await image.decode()
  context.drawImage(image, margin, margin + headHeight, width, height)
  context.font = legendFont
  for (const { name, colour, dashes, at, line } of entries) {
    const [left, base] = [margin + at, margin + headHeight + height + 20 + line * legendHeight]
    if (dashes) {
      context.strokeStyle = colour
      context.lineWidth = 2
      context.setLineDash(dashes)
      context.beginPath()
      context.moveTo(left, base - 4)
      context.lineTo(left + 24, base - 4)
      context.stroke()
    } else {
      context.fillStyle = colour
      context.fillRect(left + 6, base - 10, 12, 12)
    }
    context.fillStyle = bodyStyle.color
    context.fillText(name, left + keyWidth, base)
  }
  return new Promise((done, refused) =>
    canvas.toBlob((blob) => (blob ? done(blob) : refused(new Error('The chart could not be drawn.'))), 'image/png'),
  )
}

/** A button that copies a chart as an image. */
export function CopyChartButton({ part, title }: { part: RefObject<HTMLElement | null>; title: string }) {
  const [isBusy, setBusy] = useState(false)
  const copy = async (): Promise<void> => {
    if (!part.current) return
    setBusy(true)
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': drawPicture(part.current, title) })])
      notifySuccess('Copied the chart as an image')
    } catch (error) {
      notifyFailure(error)
    }
    setBusy(false)
  }
  return (
    <ActionIcon variant="subtle" color="gray" aria-label="Copy the chart as an image" loading={isBusy} onClick={() => void copy()}>
      <IconPhoto size={18} stroke={1.6} />
    </ActionIcon>
  )
}

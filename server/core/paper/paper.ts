import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PDFDocument from 'pdfkit'
import type { YearChart } from '../../../domain/reports/yearChart.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { DomainError } from '../../../domain/words/errors.ts'
import type { FileReply } from '../calls/reply.ts'
import { log } from '../log.ts'
import { root } from '../root.ts'
import type { WorkbookRow } from '../workbook.ts'
import { createYielder } from '../yielding.ts'
import { type ColumnBand, formatCell, isLabelOnly, measureIndent, splitIntoBands, type TextMeasurer, wrapText } from './columns.ts'
import type { DocumentBlock, DocumentTable, PageLayout, PrintableDocument } from './document.ts'
import { toPrintableText } from './printable.ts'
import { drawYearChart } from './yearChart.ts'

/** The layouts of an A4 page, in points. */
const layouts = {
  landscape: { left: 36, right: 806, top: 58, bottom: 540, head: 26, foot: 558 },
  portrait: { left: 36, right: 559, top: 58, bottom: 786, head: 26, foot: 804 },
} as const satisfies Record<PageLayout, unknown>
const widthOf = (layout: PageLayout): number => layouts[layout].right - layouts[layout].left
const size = { title: 20, owner: 12.5, subtitle: 10.5, heading: 12.5, lead: 11.5, value: 14, text: 9, cell: 8, small: 7.5 }
const lineHeight = (points: number): number => points * 1.3
const inset = { row: 2.6, step: 9, gap: 4 }
const signatureHeight = 34
const tile = { gap: 7, padding: 7 }
const logo = { width: 150, height: 46 }
const chartHeight = 172
/** A table ends with no fewer rows than this on its last page. */
const leastLastRows = 5
/** In points. A row longer than a page starts on the current page only if at least this much of it fits there. */
const leastRowPoints = 200
/** Ink and shades: light enough to print, dark enough to distinguish in black and white. */
const ink = { text: '#16262b', quiet: '#55656a', rule: '#9aa7aa', heading: '#e3e8e9', total: '#f1f4f4', accent: '#12616f', bad: '#b03a35' }

/** IBM Plex Sans, which every document embeds. A container image has the folder at the same path. */
const fontFile = (name: string): Buffer => readFileSync(join(root, 'server/core/paper/fonts', name))
let fonts: { regular: Buffer; bold: Buffer } | undefined

/** Receives the progress after each page, from 0 to 1. Throwing ends the work. */
export type ProgressReporter = (share: number) => Promise<void>

/**
 * The height in points that must fit below a heading on its page: the start of the block after it, or the whole block if it is signature
 * lines.
 */
function measureLeastBelow(block: DocumentBlock | undefined): number {
  if (block?.kind === 'table') return 60
  return block?.kind === 'signatures' ? signatureHeight * block.roles.length + 20 : 3 * lineHeight(size.text)
}

/** A position on a page, in points from its top left. */
interface Place {
  x: number
  y: number
}

/** The style of a text: size in points, weight, ink. */
interface Face {
  points: number
  isBold?: boolean
  color?: string
}

/** Whether a row only explains the line above it. */
const isNote = (row: WorkbookRow): boolean => !row.weight && isLabelOnly(row)

type Structure = ReturnType<PDFKit.PDFDocument['struct']>

/** An option missing from PDFKit's types; it tells screen readers which cells a heading describes. */
const asAccessible: object = { subset: 'PDF/UA' }
const asHeading: { title?: string; scope: string } = { scope: 'Column' }
const asRowHeading: typeof asHeading = { scope: 'Row' }
/** Further options that PDFKit's types lack: where a figure is, from the top left of its page, and what it shows. */
const asFigure = (alt: string, bbox: [left: number, top: number, right: number, bottom: number]): { alt: string } =>
  Object.assign({ alt }, { bbox, placement: 'Block' })

/** A table with more cells belongs in a workbook, not on paper. */
const mostCells = 150_000

/**
 * Prints a document as PDF: A4, tagged, with language, title and embedded fonts (field.md, on paper).
 * @param onProgress receives the progress; if it throws, printing stops
 * @throws DomainError 409 for a document too long for paper
 */
export async function renderPdf(
  fileName: string,
  paper: PrintableDocument,
  onProgress: ProgressReporter = async () => undefined,
): Promise<FileReply<Buffer>> {
  const tables = paper.blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []))
  if (tables.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0) > mostCells)
    throw new DomainError(
      'conflict',
      'tooLong',
      'This report is too long for a PDF. Choose fewer locations or years, or download it as Excel.',
    )
  fonts ??= { regular: fontFile('IBMPlexSans-Regular.ttf'), bold: fontFile('IBMPlexSans-SemiBold.ttf') }
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    autoFirstPage: false,
    // No default font: ours are registered below.
    font: '',
    pdfVersion: '1.7',
    ...asAccessible,
    tagged: true,
    lang: 'en-GB',
    displayTitle: true,
    info: {
      Title: [paper.title, ...(paper.owner ? [paper.owner.name] : []), paper.subtitle].join(' · '),
      Author: paper.author,
      Creator: 'Bursar',
      Producer: 'Bursar',
    },
  })
  const chunks: Buffer[] = []
  const whole = new Promise<Buffer>((done, failed) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => done(Buffer.concat(chunks)))
    doc.on('error', failed)
  })
  doc.registerFont('regular', fonts.regular)
  doc.registerFont('bold', fonts.bold)
  const printer = new Printer(doc, onProgress)
  await printer.print(paper)
  doc.end()
  return { fileName, contentType: 'application/pdf', body: await whole }
}

class Printer {
  private layout: PageLayout = 'landscape'
  /** The layout of each page so far. */
  private readonly pages: PageLayout[] = []
  private y: number = layouts.landscape.top
  private readonly root: Structure
  private readonly breathe = createYielder()
  private readonly known = new Map<string, number>()
  private rowsDone = 0
  /** The number of rows in all bands; it starts at 1 so that the progress never divides by 0. */
  private rowsAll = 1
  private readonly bands = new Map<DocumentTable, ColumnBand[]>()

  constructor(
    private readonly doc: PDFKit.PDFDocument,
    private readonly onProgress: ProgressReporter,
  ) {
    this.root = doc.struct('Document')
    doc.addStructure(this.root)
  }

  private get page(): (typeof layouts)[PageLayout] {
    return layouts[this.layout]
  }

  private get width(): number {
    return widthOf(this.layout)
  }

  async print({ title, subtitle, layout = 'landscape', owner, head, foot, blocks }: PrintableDocument): Promise<void> {
    let ofBlock = layout
    for (const block of blocks) {
      if (block.kind === 'newPage') ofBlock = block.layout ?? ofBlock
      if (block.kind === 'table') await this.layOut(block.table, widthOf(ofBlock))
    }
    this.layout = layout
    this.newPage()
    if (owner) this.owner(owner)
    this.tagged('H1', title, { points: size.title, isBold: true })
    this.tagged('P', subtitle, { points: size.subtitle, color: ink.quiet })
    this.y += 8
    for (const [index, block] of blocks.entries()) await this.block(block, blocks.slice(index + 1))
    this.root.end()
    await this.everyPage(title, head, foot)
  }

  private async block(block: DocumentBlock, after: readonly DocumentBlock[]): Promise<void> {
    switch (block.kind) {
      case 'newPage':
        return this.turn(block.layout ?? this.layout)
      case 'heading':
        // A heading never stands alone at the foot of a page.
        this.needs(lineHeight(size.heading) + 16 + this.measureBelow(after, block.keeps ?? 0))
        this.y += 8
        this.tagged('H2', block.text, { points: size.heading, isBold: true })
        this.y += 3
        return
      case 'text':
        this.tagged('P', block.text, { points: size.text })
        this.y += 4
        return
      case 'lead':
        this.tagged('P', block.text, { points: size.lead })
        this.y += 6
        return
      case 'tiles':
        return this.tiles(block.tiles)
      case 'chart':
        return this.chart(block.chart)
      case 'facts':
        return this.facts(block.facts)
      case 'signatures':
        return this.signatures(block.roles)
      case 'table':
        return this.table(block.table)
    }
  }

  /** The points that a heading needs below it: the blocks that it keeps if a page can hold them, otherwise the start of the next block. */
  private measureBelow([next, ...others]: readonly DocumentBlock[], keeps: number): number {
    const kept = [...(next ? [next] : []), ...others].slice(0, keeps).reduce((sum, block) => sum + this.measureWhole(block), 0)
    return Math.max(measureLeastBelow(next), kept < this.page.bottom - this.page.top - 40 ? kept : 0)
  }

  /** The height of a block that a heading keeps with it. */
  private measureWhole(block: DocumentBlock): number {
    if (block.kind === 'text')
      return (
        wrapText(block.text, { width: this.width, isBold: false, measure: this.measureAt(size.text) }).length * lineHeight(size.text) + 4
      )
    return block.kind === 'heading' ? lineHeight(size.heading) + 11 : measureLeastBelow(block)
  }

  /** Whose document it is: its logo at the right, and its name above the title. */
  private owner({ name, logo: image }: NonNullable<PrintableDocument['owner']>): void {
    const { left, right } = this.page
    const top = this.y
    this.artifact(() => {
      this.doc.rect(left, top - 8, right - left, 2).fill(ink.accent)
      if (image) this.picture(image, { x: right - logo.width, y: top + 4 })
    })
    this.y += 6
    this.tagged('P', name, { points: size.owner, isBold: true, color: ink.accent })
  }

  /** Prints a picture, or nothing if it cannot be read: a document without its logo is better than no document. */
  private picture(image: Buffer, { x, y }: Place): void {
    try {
      this.doc.image(image, x, y, { fit: [logo.width, logo.height], align: 'right' })
    } catch (error) {
      log.warn({ err: error }, 'the logo of a document could not be printed')
    }
  }

  /** Figures side by side, each in a frame. */
  private tiles(tiles: Extract<DocumentBlock, { kind: 'tiles' }>['tiles']): void {
    const own = (this.width - tile.gap * (tiles.length - 1)) / tiles.length
    const inner = own - 2 * tile.padding
    const small = this.measureAt(size.small)
    const wrapped = tiles.map(({ label, note }) => ({
      label: wrapText(label, { width: inner, isBold: false, measure: small }),
      note: wrapText(note, { width: inner, isBold: false, measure: small }),
    }))
    const most = (part: 'label' | 'note'): number => Math.max(...wrapped.map((one) => one[part].length)) * lineHeight(size.small)
    const height = most('label') + lineHeight(size.value) + most('note') + 2 * tile.padding
    this.needs(height + 8)
    const top = this.y
    for (const [index, { value, isBad }] of tiles.entries()) {
      const x = this.page.left + index * (own + tile.gap)
      const { label, note } = assertDefined(wrapped[index])
      const points = Math.min(size.value, (size.value * inner) / this.measureAt(size.value)(value, true))
      const color = isBad ? ink.bad : ink.text
      this.artifact(() => this.doc.roundedRect(x, top, own, height, 3).lineWidth(0.7).strokeColor(ink.rule).stroke())
      this.element(this.root, { tag: 'P' }, () => {
        let y = top + tile.padding
        for (const line of label) {
          this.write(line, { x: x + tile.padding, y }, { points: size.small, color: ink.quiet })
          y += lineHeight(size.small)
        }
        y = top + tile.padding + most('label')
        this.write(value, { x: x + tile.padding, y }, { points, isBold: true, color })
        y += lineHeight(size.value)
        for (const line of note) {
          this.write(line, { x: x + tile.padding, y }, { points: size.small, color: ink.quiet })
          y += lineHeight(size.small)
        }
      })
    }
    this.y = top + height + 10
  }

  private chart(chart: YearChart): void {
    this.needs(lineHeight(size.text) + chartHeight + 14)
    this.y += 4
    this.tagged('H3', chart.title, { points: size.text, isBold: true })
    this.y += 4
    const { left, right } = this.page
    const figure = this.doc.struct('Figure', asFigure(chart.description, [left, this.y, right, this.y + chartHeight]))
    this.root.add(figure)
    this.content(figure, 'Figure', () =>
      drawYearChart(chart, {
        doc: this.doc,
        write: (text, place, face) => this.write(text, place, face),
        measure: (points) => this.measureAt(points),
        x: left,
        y: this.y,
        width: this.width,
        height: chartHeight,
      }),
    )
    figure.end()
    this.y += chartHeight + 10
  }

  /** Continues on a page with this layout: on the current page if it has that layout and is still empty, otherwise on a new page. */
  private turn(layout: PageLayout): void {
    const isFresh = this.layout === layout && this.y <= this.page.top
    this.layout = layout
    if (!isFresh) this.newPage()
  }

  private newPage(): void {
    this.doc.addPage({ size: 'A4', layout: this.layout, margin: 0 })
    this.pages.push(this.layout)
    this.y = this.page.top
  }

  /** Starts a new page if fewer points than this are left. */
  private needs(points: number): void {
    if (this.y + points > this.page.bottom) this.newPage()
  }

  private readonly measure: TextMeasurer = (text, isBold) => {
    const key = `${isBold ? 'b' : 'r'}${text}`
    const before = this.known.get(key)
    if (before !== undefined) return before
    this.doc.font(isBold ? 'bold' : 'regular').fontSize(size.cell)
    const found = this.doc.widthOfString(toPrintableText(this.doc, text))
    if (this.known.size < 100_000) this.known.set(key, found)
    return found
  }

  private measureAt(points: number): TextMeasurer {
    return (text, isBold) => (this.measure(text, isBold) * points) / size.cell
  }

  private write(text: string, { x, y }: Place, { points, isBold = false, color = ink.text }: Face): void {
    if (!text) return
    this.doc.font(isBold ? 'bold' : 'regular').fontSize(points)
    this.doc.fillColor(color).text(toPrintableText(this.doc, text), x, y, { lineBreak: false })
  }

  /** Writes something as a tagged element for screen readers. */
  private element(parent: Structure, { tag, ...options }: { tag: string; title?: string }, write: () => void): void {
    const element = this.doc.struct(tag, options)
    parent.add(element)
    this.content(element, tag, write)
    element.end()
  }

  /** Writes the part of an element that is on this page. */
  private content(element: Structure, tag: string, write: () => void): void {
    const content = this.doc.markStructureContent(tag)
    write()
    this.doc.endMarkedContent()
    element.add(content)
  }

  /** How many lines fit on the page from here, at least one. */
  private linesLeft(points: number, around = 0): number {
    return Math.max(1, Math.floor((this.page.bottom - this.y - around) / lineHeight(points)))
  }

  /** Draws something that screen readers skip. */
  private artifact(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' })
    draw()
    this.doc.endMarkedContent()
  }

  private tagged(tag: string, text: string, face: Face): void {
    const { points, isBold = false } = face
    for (const part of text.split('\n')) {
      const lines = wrapText(part, { width: this.width, isBold, measure: this.measureAt(points) })
      const element = this.doc.struct(tag)
      this.root.add(element)
      for (let from = 0; from < lines.length; ) {
        this.needs(lineHeight(points) * Math.min(lines.length - from, 3))
        const piece = lines.slice(from, from + this.linesLeft(points))
        this.content(element, tag, () => {
          for (const line of piece) {
            this.write(line, { x: this.page.left, y: this.y }, face)
            this.y += lineHeight(points)
          }
        })
        from += piece.length
      }
      element.end()
    }
  }

  private facts(facts: readonly (readonly [string, string])[]): void {
    const list = this.doc.struct('Table')
    this.root.add(list)
    const measure = this.measureAt(size.text)
    const names = Math.min(200, Math.max(...facts.map(([name]) => measure(name, true))) + 16)
    for (const [name, value] of facts) {
      const lines = wrapText(value, { width: this.width - names, isBold: false, measure })
      this.needs(lineHeight(size.text) * lines.length)
      const row = this.doc.struct('TR')
      list.add(row)
      const bold = { points: size.text, isBold: true, color: ink.quiet }
      this.element(row, { tag: 'TH', ...asRowHeading }, () => this.write(name, { x: this.page.left, y: this.y }, bold))
      this.element(row, { tag: 'TD' }, () => {
        for (const [index, line] of lines.entries())
          this.write(line, { x: this.page.left + names, y: this.y + index * lineHeight(size.text) }, { points: size.text })
      })
      row.end()
      this.y += lineHeight(size.text) * lines.length + 1
    }
    list.end()
    this.y += 8
  }

  private signatures(roles: readonly { role: string; name: string | null }[]): void {
    this.needs(signatureHeight * roles.length + 10)
    this.y += 10
    const { left, right } = this.page
    const [signed, dated] = [left + this.width * 0.43, left + this.width * 0.77]
    for (const { role, name } of roles) {
      const y = this.y + 16
      this.element(this.root, { tag: 'P' }, () => {
        this.write(`${role}${name ? `: ${name}` : ''}`, { x: left, y }, { points: size.text, isBold: true })
        this.write('Signed', { x: signed, y }, { points: size.text, color: ink.quiet })
        this.write('Date', { x: dated, y }, { points: size.text, color: ink.quiet })
      })
      this.artifact(() => {
        for (const [from, to] of [
          [signed + 36, dated - 16],
          [dated + 28, right],
        ] as const)
          this.doc
            .moveTo(from, y + 11)
            .lineTo(to, y + 11)
            .lineWidth(0.6)
            .strokeColor(ink.text)
            .stroke()
      })
      this.y += signatureHeight
    }
  }

  private async layOut(table: DocumentTable, width: number): Promise<void> {
    const bands = await splitIntoBands(table, { width, measure: this.measure, breathe: this.breathe })
    this.bands.set(table, bands)
    this.rowsAll += bands.length * table.rows.length
    await this.onProgress(0)
  }

  private async table(table: DocumentTable): Promise<void> {
    const bands = assertDefined(this.bands.get(table))
    for (const [at, { columns }] of bands.entries()) {
      if (bands.length > 1) {
        const shown = columns.slice(1).map(({ index }) => index)
        this.needs(80)
        if (at) this.y += 12
        this.tagged('P', `Columns ${shown[0]} to ${shown.at(-1)} of ${displayCount(table.columns.length - 1, 'column')}`, {
          points: size.small,
          color: ink.quiet,
        })
      }
      await this.band(table, columns)
    }
    this.y += 6
  }

  private async band(table: DocumentTable, columns: { index: number; width: number }[]): Promise<void> {
    const structure = this.doc.struct('Table')
    this.root.add(structure)
    const heading = columns.map(({ index, width: own }) =>
      wrapText(assertDefined(table.columns[index]).title, { width: own - inset.gap, isBold: true, measure: this.measure }),
    )
    const headingHeight = Math.max(...heading.map((lines) => lines.length)) * lineHeight(size.cell) + 2 * inset.row
    this.needs(headingHeight + 30)
    this.headingRow(table, { columns, heading, height: headingHeight }, structure)
    const room = this.page.bottom - this.page.top - headingHeight
    const heights: number[] = []
    for (const row of table.rows) {
      heights.push(this.heightOf(table, row, columns))
      await this.breathe()
    }
    const nextPage = (): void => {
      this.newPage()
      this.headingRow(table, { columns, heading, height: headingHeight }, null)
    }
    const early = this.findEarlyTurn(table.rows, heights, room)
    for (const [at, row] of table.rows.entries()) {
      // A heading row within the table stays with the rows it introduces, a total with the row above it, and a line with its reason.
      let together = assertDefined(heights[at])
      const isKept = (next: number): boolean => {
        const below = table.rows[next + 1]
        return below !== undefined && (table.rows[next]?.weight === 'heading' || below.weight === 'total' || isNote(below))
      }
      for (let next = at; isKept(next); next++) together += assertDefined(heights[next + 1])
      if (at === early || this.y + (together > room ? leastRowPoints : together) > this.page.bottom) {
        nextPage()
        await this.onProgress(Math.min(1, this.rowsDone / this.rowsAll))
      }
      this.row(table, row, { columns, structure, nextPage })
      this.rowsDone++
      await this.breathe()
    }
    structure.end()
  }

  /**
   * The row before which to turn the page early, so that the last page of a table does not have only a few rows; undefined if it has enough.
   * @param room the points for rows on a page of their own
   */
  private findEarlyTurn(rows: DocumentTable['rows'], heights: readonly number[], room: number): number | undefined {
    let left = this.page.bottom - this.y
    let first = 0
    for (const [at, height] of heights.entries()) {
      if (height > left && at) {
        first = at
        left = room
      }
      left -= height
    }
    const early = rows.length - leastLastRows
    if (!first || first <= early || early < 2) return undefined
    // A row stays with the heading, or with the line that it explains, above it.
    const isTied = (at: number): boolean => rows[at - 1]?.weight === 'heading' || isNote(assertDefined(rows[at]))
    let turn = early
    while (turn > 1 && isTied(turn)) turn--
    return turn
  }

  /** Prints the heading of a table. It is tagged once but printed on each page. */
  private headingRow(
    table: DocumentTable,
    { columns, heading, height }: { columns: { index: number; width: number }[]; heading: string[][]; height: number },
    structure: Structure | null,
  ): void {
    const top = this.y
    const reach = columns.reduce((sum, one) => sum + one.width, 0)
    this.artifact(() => {
      this.doc.rect(this.page.left, top, reach, height).fill(ink.heading)
      this.rule(top + height, reach, 0.9)
    })
    const row = structure && this.doc.struct('TR')
    if (row) structure.add(row)
    let x = this.page.left
    for (const [at, { index, width: own }] of columns.entries()) {
      const from = x
      const write = (): void =>
        this.lines(
          assertDefined(heading[at]),
          { x: from, y: top + height - inset.row - assertDefined(heading[at]).length * lineHeight(size.cell), width: own },
          { isRight: assertDefined(table.columns[index]).kind !== 'text', isBold: true },
        )
      if (row) this.element(row, { tag: 'TH', ...asHeading }, write)
      else this.artifact(write)
      x += own
    }
    row?.end()
    this.y = top + height
  }

  private cellLines(table: DocumentTable, row: WorkbookRow, { index, width: ofColumn }: { index: number; width: number }): string[] {
    const own = !index && isLabelOnly(row) ? this.width : ofColumn
    const text = formatCell(row.cells[index] ?? null, (index && row.kind) || assertDefined(table.columns[index]).kind, table.hasPence)
    const step = index ? 0 : measureIndent(text) * inset.step
    return wrapText(text.trimStart(), { width: own - inset.gap - step, isBold: Boolean(row.weight), measure: this.measure })
  }

  private heightOf(table: DocumentTable, row: WorkbookRow, columns: { index: number; width: number }[]): number {
    const lines = Math.max(1, ...columns.map((column) => this.cellLines(table, row, column).length))
    return lines * lineHeight(size.cell) + 2 * inset.row
  }

  /** Prints a row, unbroken if it fits on a page; a longer row continues under the heading on the next page. */
  private row(
    table: DocumentTable,
    row: WorkbookRow,
    { columns, structure, nextPage }: { columns: { index: number; width: number }[]; structure: Structure; nextPage: () => void },
  ): void {
    const element = this.doc.struct('TR')
    structure.add(element)
    const isBold = Boolean(row.weight)
    let right = this.page.left
    const cells = columns.map((column) => {
      const { index, width: own } = column
      const left = right
      right += own
      const from = left + (index ? 0 : measureIndent(String(row.cells[0] ?? '')) * inset.step)
      const cell = this.doc.struct(index ? 'TD' : 'TH', index ? {} : asRowHeading)
      element.add(cell)
      const isRight = assertDefined(table.columns[index]).kind !== 'text'
      return { index, cell, lines: this.cellLines(table, row, column), from, own: right - from, isRight }
    })
    const all = Math.max(1, ...cells.map(({ lines }) => lines.length))
    for (let done = 0; done < all; ) {
      if (done) nextPage()
      const top = this.y
      const count = Math.min(all - done, this.linesLeft(size.cell, 2 * inset.row))
      const height = count * lineHeight(size.cell) + 2 * inset.row
      this.shade(row, { top, reach: right - this.page.left, height })
      for (const { index, cell, lines, from, own, isRight } of cells) {
        const piece = lines.slice(done, done + count)
        if (!done || piece.length)
          this.content(cell, index ? 'TD' : 'TH', () => this.lines(piece, { x: from, y: top + inset.row, width: own }, { isRight, isBold }))
      }
      // The label of a continued row is printed again, like the heading, but tagged once.
      const first = assertDefined(cells[0])
      if (done && first.lines.length <= done)
        this.artifact(() =>
          this.lines(first.lines.slice(0, count), { x: first.from, y: top + inset.row, width: first.own }, { ...first, isBold }),
        )
      this.y = top + height
      done += count
    }
    for (const { cell } of cells) cell.end()
    element.end()
  }

  private shade(row: WorkbookRow, { top, reach, height }: { top: number; reach: number; height: number }): void {
    this.artifact(() => {
      if (row.weight) this.doc.rect(this.page.left, top, reach, height).fill(row.weight === 'total' ? ink.total : ink.heading)
      if (row.weight === 'total') this.rule(top, reach, 0.8)
      this.rule(top + height, reach, row.weight === 'total' ? 0.8 : 0.25)
    })
  }

  private lines(
    lines: readonly string[],
    { x, y, width: own }: Place & { width: number },
    { isRight, isBold }: { isRight: boolean; isBold: boolean },
  ): void {
    for (const [at, line] of lines.entries()) {
      const from = isRight ? x + own - inset.gap - this.measure(line, isBold) : x + inset.gap / 2
      this.write(line, { x: from, y: y + at * lineHeight(size.cell) }, { points: size.cell, isBold })
    }
  }

  private rule(y: number, reach: number, weight: number): void {
    this.doc
      .moveTo(this.page.left, y)
      .lineTo(this.page.left + reach, y)
      .lineWidth(weight)
      .strokeColor(ink.rule)
      .stroke()
  }

  /** Prints the header and footer of every page, with page numbers. */
  private async everyPage(title: string, head: string, foot: string): Promise<void> {
    const { count } = this.doc.bufferedPageRange()
    const measure = this.measureAt(size.small)
    for (let at = 0; at < count; at++) {
      this.doc.switchToPage(at)
      this.layout = assertDefined(this.pages[at])
      const { page, width } = this
      const number = `Page ${at + 1} of ${count}`
      const small = { points: size.small, color: ink.quiet }
      const right = (text: string, y: number): void => this.write(text, { x: page.right - measure(text, false), y }, small)
      this.doc.markContent('Artifact', { type: 'Pagination' })
      this.write(assertDefined(wrapText(head, { width: width * 0.7, isBold: false, measure })[0]), { x: page.left, y: page.head }, small)
      right(assertDefined(wrapText(title, { width: width * 0.28, isBold: false, measure })[0]), page.head)
      this.doc
        .moveTo(page.left, page.head + 14)
        .lineTo(page.right, page.head + 14)
        .lineWidth(0.5)
        .strokeColor(ink.rule)
        .stroke()
      this.write(assertDefined(wrapText(foot, { width: width * 0.86, isBold: false, measure })[0]), { x: page.left, y: page.foot }, small)
      right(number, page.foot)
      this.doc.endMarkedContent()
      await this.breathe()
    }
  }
}

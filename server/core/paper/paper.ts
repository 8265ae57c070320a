import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PDFDocument from 'pdfkit'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { DomainError } from '../../../domain/words/errors.ts'
import type { FileReply } from '../calls/reply.ts'
import { root } from '../root.ts'
import type { WorkbookRow } from '../workbook.ts'
import { createYielder } from '../yielding.ts'
import { type ColumnBand, formatCell, type Measure, measureIndent, splitIntoBands, wrapText } from './columns.ts'
import type { Paper, PaperBlock, PaperTable } from './document.ts'
import { toPrintable } from './printable.ts'

/** The layout of a landscape A4 page, in points. */
const page = { left: 36, right: 806, top: 58, bottom: 540, head: 26, foot: 558 }
const width = page.right - page.left
const size = { title: 20, subtitle: 10.5, heading: 12.5, text: 9, cell: 8, small: 7.5 }
const lineHeight = (points: number): number => points * 1.3
const inset = { row: 2.6, step: 9, gap: 4 }
const signatureHeight = 34
/** In points. A row longer than a page starts on the current page only if at least this much of it fits there. */
const leastRowPoints = 200
/** Ink and shades: light enough to print, dark enough to distinguish in black and white. */
const ink = { text: '#16262b', quiet: '#55656a', rule: '#9aa7aa', heading: '#e3e8e9', total: '#f1f4f4' }

/** IBM Plex Sans, which every document embeds. A container image has the folder at the same path. */
const fontFile = (name: string): Buffer => readFileSync(join(root, 'server/core/paper/fonts', name))
let fonts: { regular: Buffer; bold: Buffer } | undefined

/** Receives the progress after each page, from 0 to 1. Throwing ends the work. */
export type ReportProgress = (share: number) => Promise<void>

/** The height in points that must fit below a heading on its page: the start of the block after it, or all of it for signature lines. */
function measureLeastBelow(block: PaperBlock | undefined): number {
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

type Structure = ReturnType<PDFKit.PDFDocument['struct']>

/** An option missing from PDFKit's types; it tells screen readers which cells a heading describes. */
const asAccessible: object = { subset: 'PDF/UA' }
const asHeading: { title?: string; scope: string } = { scope: 'Column' }
const asRowHeading: typeof asHeading = { scope: 'Row' }

/** A table with more cells belongs in a workbook, not on paper. */
const mostCells = 150_000

/**
 * Prints a document as PDF: landscape A4, tagged, with language, title and embedded fonts (field.md, on paper).
 * @param told receives the progress; if it throws, the work ends
 * @throws DomainError 409 for a document too long for paper
 */
export async function renderPdf(fileName: string, paper: Paper, told: ReportProgress = async () => undefined): Promise<FileReply<Buffer>> {
  const tables = paper.blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []))
  if (tables.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0) > mostCells)
    throw new DomainError(
      'conflict',
      'tooLong',
      'This report is too long for paper. Choose fewer locations or years, or download it as Excel.',
    )
  fonts ??= { regular: fontFile('IBMPlexSans-Regular.ttf'), bold: fontFile('IBMPlexSans-SemiBold.ttf') }
  const doc = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
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
    info: { Title: `${paper.title} · ${paper.subtitle}`, Author: paper.author, Creator: 'Bursar', Producer: 'Bursar' },
  })
  const chunks: Buffer[] = []
  const whole = new Promise<Buffer>((done, failed) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => done(Buffer.concat(chunks)))
    doc.on('error', failed)
  })
  doc.registerFont('regular', fonts.regular)
  doc.registerFont('bold', fonts.bold)
  const printer = new Printer(doc, told)
  await printer.print(paper)
  doc.end()
  return { fileName, contentType: 'application/pdf', body: await whole }
}

class Printer {
  private y = page.bottom + 1
  private readonly root: Structure
  private readonly breathe = createYielder()
  private readonly known = new Map<string, number>()
  private rowsDone = 0
  /** The number of rows in all bands; it starts at 1 so that the progress never divides by 0. */
  private rowsAll = 1
  private readonly bands = new Map<PaperTable, ColumnBand[]>()

  constructor(
    private readonly doc: PDFKit.PDFDocument,
    private readonly told: ReportProgress,
  ) {
    this.root = doc.struct('Document')
    doc.addStructure(this.root)
  }

  async print({ title, subtitle, head, foot, blocks }: Paper): Promise<void> {
    for (const block of blocks) if (block.kind === 'table') await this.layOut(block.table)
    this.newPage()
    this.tagged('H1', title, { points: size.title, isBold: true })
    this.tagged('P', subtitle, { points: size.subtitle, color: ink.quiet })
    this.y += 8
    for (const [index, block] of blocks.entries()) await this.block(block, blocks[index + 1])
    this.root.end()
    await this.everyPage(title, head, foot)
  }

  private async block(block: PaperBlock, next: PaperBlock | undefined): Promise<void> {
    switch (block.kind) {
      case 'newPage':
        if (this.y > page.top) this.newPage()
        return
      case 'heading':
        // A heading never stands alone at the foot of a page.
        this.needs(lineHeight(size.heading) + 16 + measureLeastBelow(next))
        this.y += 8
        this.tagged('H2', block.text, { points: size.heading, isBold: true })
        this.y += 3
        return
      case 'text':
        this.tagged('P', block.text, { points: size.text })
        this.y += 4
        return
      case 'facts':
        return this.facts(block.facts)
      case 'signatures':
        return this.signatures(block.roles)
      case 'table':
        return this.table(block.table)
    }
  }

  private newPage(): void {
    this.doc.addPage()
    this.y = page.top
  }

  /** Starts a new page if fewer points are left. */
  private needs(points: number): void {
    if (this.y + points > page.bottom) this.newPage()
  }

  private readonly measure: Measure = (text, isBold) => {
    const key = `${isBold ? 'b' : 'r'}${text}`
    const before = this.known.get(key)
    if (before !== undefined) return before
    this.doc.font(isBold ? 'bold' : 'regular').fontSize(size.cell)
    const found = this.doc.widthOfString(toPrintable(this.doc, text))
    if (this.known.size < 100_000) this.known.set(key, found)
    return found
  }

  private measureAt(points: number): Measure {
    return (text, isBold) => (this.measure(text, isBold) * points) / size.cell
  }

  private write(text: string, { x, y }: Place, { points, isBold = false, color = ink.text }: Face): void {
    if (!text) return
    this.doc.font(isBold ? 'bold' : 'regular').fontSize(points)
    this.doc.fillColor(color).text(toPrintable(this.doc, text), x, y, { lineBreak: false })
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
    return Math.max(1, Math.floor((page.bottom - this.y - around) / lineHeight(points)))
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
      const lines = wrapText(part, { width, isBold, measure: this.measureAt(points) })
      const element = this.doc.struct(tag)
      this.root.add(element)
      for (let from = 0; from < lines.length; ) {
        this.needs(lineHeight(points) * Math.min(lines.length - from, 3))
        const piece = lines.slice(from, from + this.linesLeft(points))
        this.content(element, tag, () => {
          for (const line of piece) {
            this.write(line, { x: page.left, y: this.y }, face)
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
      const lines = wrapText(value, { width: width - names, isBold: false, measure })
      this.needs(lineHeight(size.text) * lines.length)
      const row = this.doc.struct('TR')
      list.add(row)
      const bold = { points: size.text, isBold: true, color: ink.quiet }
      this.element(row, { tag: 'TH', ...asRowHeading }, () => this.write(name, { x: page.left, y: this.y }, bold))
      this.element(row, { tag: 'TD' }, () => {
        for (const [index, line] of lines.entries())
          this.write(line, { x: page.left + names, y: this.y + index * lineHeight(size.text) }, { points: size.text })
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
    for (const { role, name } of roles) {
      const y = this.y + 16
      this.element(this.root, { tag: 'P' }, () => {
        this.write(`${role}${name ? `: ${name}` : ''}`, { x: page.left, y }, { points: size.text, isBold: true })
        this.write('Signed', { x: page.left + 330, y }, { points: size.text, color: ink.quiet })
        this.write('Date', { x: page.left + 590, y }, { points: size.text, color: ink.quiet })
      })
      this.artifact(() => {
        for (const [from, to] of [
          [page.left + 366, page.left + 570],
          [page.left + 618, page.right],
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

  private async layOut(table: PaperTable): Promise<void> {
    const bands = await splitIntoBands(table, { width, measure: this.measure, breathe: this.breathe })
    this.bands.set(table, bands)
    this.rowsAll += bands.length * table.rows.length
    await this.told(0)
  }

  private async table(table: PaperTable): Promise<void> {
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

  private async band(table: PaperTable, columns: { index: number; width: number }[]): Promise<void> {
    const structure = this.doc.struct('Table')
    this.root.add(structure)
    const heading = columns.map(({ index, width: own }) =>
      wrapText(assertDefined(table.columns[index]).title, { width: own - inset.gap, isBold: true, measure: this.measure }),
    )
    const headingHeight = Math.max(...heading.map((lines) => lines.length)) * lineHeight(size.cell) + 2 * inset.row
    this.needs(headingHeight + 30)
    this.headingRow(table, { columns, heading, height: headingHeight }, structure)
    const room = page.bottom - page.top - headingHeight
    const heights: number[] = []
    for (const row of table.rows) {
      heights.push(this.heightOf(table, row, columns))
      await this.breathe()
    }
    const nextPage = (): void => {
      this.newPage()
      this.headingRow(table, { columns, heading, height: headingHeight }, null)
    }
    for (const [at, row] of table.rows.entries()) {
      // A heading row within the table stays with the rows it introduces.
      let together = assertDefined(heights[at])
      for (let next = at; table.rows[next]?.weight === 'heading' && next + 1 < table.rows.length; next++)
        together += assertDefined(heights[next + 1])
      if (this.y + (together > room ? leastRowPoints : together) > page.bottom) {
        nextPage()
        await this.told(Math.min(1, this.rowsDone / this.rowsAll))
      }
      this.row(table, row, { columns, structure, nextPage })
      this.rowsDone++
      await this.breathe()
    }
    structure.end()
  }

  /** The heading of a table, tagged once but printed on each page. */
  private headingRow(
    table: PaperTable,
    { columns, heading, height }: { columns: { index: number; width: number }[]; heading: string[][]; height: number },
    structure: Structure | null,
  ): void {
    const top = this.y
    const reach = columns.reduce((sum, one) => sum + one.width, 0)
    this.artifact(() => {
      this.doc.rect(page.left, top, reach, height).fill(ink.heading)
      this.rule(top + height, reach, 0.9)
    })
    const row = structure && this.doc.struct('TR')
    if (row) structure.add(row)
    let x = page.left
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

  private cellLines(table: PaperTable, row: WorkbookRow, { index, width: own }: { index: number; width: number }): string[] {
    const text = formatCell(row.cells[index] ?? null, (index && row.kind) || assertDefined(table.columns[index]).kind, table.hasPence)
    const step = index ? 0 : measureIndent(text) * inset.step
    return wrapText(text.trimStart(), { width: own - inset.gap - step, isBold: Boolean(row.weight), measure: this.measure })
  }

  private heightOf(table: PaperTable, row: WorkbookRow, columns: { index: number; width: number }[]): number {
    const lines = Math.max(1, ...columns.map((column) => this.cellLines(table, row, column).length))
    return lines * lineHeight(size.cell) + 2 * inset.row
  }

  /** A row, unbroken if it fits; the rest of a longer one continues under the heading on the next page. */
  private row(
    table: PaperTable,
    row: WorkbookRow,
    { columns, structure, nextPage }: { columns: { index: number; width: number }[]; structure: Structure; nextPage: () => void },
  ): void {
    const element = this.doc.struct('TR')
    structure.add(element)
    const isBold = Boolean(row.weight)
    let right = page.left
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
      this.shade(row, { top, reach: right - page.left, height })
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
      if (row.weight) this.doc.rect(page.left, top, reach, height).fill(row.weight === 'total' ? ink.total : ink.heading)
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
      .moveTo(page.left, y)
      .lineTo(page.left + reach, y)
      .lineWidth(weight)
      .strokeColor(ink.rule)
      .stroke()
  }

  /** The header and footer of every page, with page numbers. */
  private async everyPage(title: string, head: string, foot: string): Promise<void> {
    const { count } = this.doc.bufferedPageRange()
    const measure = this.measureAt(size.small)
    for (let at = 0; at < count; at++) {
      this.doc.switchToPage(at)
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

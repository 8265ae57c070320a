/** A page of the documentation. */
export interface Page {
  /** From the root folder of the project. */
  path: string
  text: string
}

/** The line on which an element begins, counted from 1. */
interface Placed {
  line: number
}

/** A code block. */
export interface Block extends Placed {
  /** Empty if the block names no language. */
  language: string
  /** The words after the language: `run`, `file`. */
  words: string[]
  code: string
  /** The line of the page on which the code begins. */
  codeLine: number
}

export interface Link extends Placed {
  target: string
}

export interface Text extends Placed {
  text: string
}

export interface Heading extends Text {
  level: number
  /** The fragment of a link to this heading, without the #. */
  anchor: string
}

/** The parsed elements of a page. Code blocks contain no other elements, and code spans no links. */
export interface ReadPage extends Page {
  lines: string[]
  headings: Heading[]
  /** Targets of links and images. */
  links: Link[]
  /** URLs in running text, which GitHub turns into links. */
  addresses: Link[]
  spans: Text[]
  blocks: Block[]
  /** The cells of tables. */
  cells: Text[]
}

const fence = /^( *)(`{3,}|~{3,}) *([^`]*)$/
const listItem = /^ {0,3}([-*+]|\d+[.)]) /

/** The lines of a page with its code blocks blanked, and the blocks. */
function separateBlocks(lines: readonly string[]): { prose: string[]; blocks: Block[] } {
  const prose = lines.map(() => '')
  const blocks: Block[] = []
  let open: { mark: string; indent: number; block: Block } | null = null
  let indented: Block | null = null
  let isInList = false
  for (const [at, line] of lines.entries()) {
    const [, indent = '', mark = '', info = ''] = fence.exec(line) ?? []
    if (open) {
      if (mark.startsWith(open.mark) && !info.trim()) open = null
      else open.block.code += `${line.slice(Math.min(open.indent, line.search(/\S|$/)))}\n`
      continue
    }
    if (mark) {
      const [language = '', ...words] = info.trim().split(/\s+/)
      const block = { line: at + 1, language, words, code: '', codeLine: at + 2 }
      blocks.push(block)
      open = { mark, indent: indent.length, block }
      indented = null
      continue
    }
    // Within a list, four spaces continue the item instead of starting a code block.
    if (/^ {4,}\S/.test(line) && !isInList && (indented || !lines[at - 1]?.trim())) {
      if (!indented) {
        indented = { line: at + 1, language: '', words: [], code: '', codeLine: at + 1 }
        blocks.push(indented)
      }
      indented.code += `${line.slice(4)}\n`
      continue
    }
    if (!line.trim()) continue
    indented = null
    if (listItem.test(line)) isInList = true
    else if (/^\S/.test(line)) isInList = isInList && Boolean(lines[at - 1]?.trim())
    prose[at] = line
  }
  return { prose, blocks }
}

/** The anchor that GitHub derives from a heading, before it numbers duplicates. */
export function slugOf(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/(^|[^\p{L}\p{N}])([*_]{1,3})(?=\S)(.+?)(?<=\S)\2(?=[^\p{L}\p{N}]|$)/gu, '$1$3')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}

function headingsOf(prose: readonly string[]): Heading[] {
  const given = new Map<string, number>()
  return prose.flatMap((line, at) => {
    const [, marks, text] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) ?? []
    if (!marks || text === undefined) return []
    const slug = slugOf(text)
    const times = given.get(slug) ?? 0
    given.set(slug, times + 1)
    return [{ line: at + 1, level: marks.length, text, anchor: times ? `${slug}-${times}` : slug }]
  })
}

/** The cells of a table row; an escaped bar does not separate cells. */
function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

const isRule = (line: string): boolean => /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes('|')

function tableCells(prose: readonly string[]): Text[] {
  const found: Text[] = []
  for (const [at, line] of prose.entries()) {
    if (!isRule(line) || !prose[at - 1]?.includes('|')) continue
    let last = at
    while (prose[last + 1]?.includes('|')) last++
    for (let row = at - 1; row <= last; row++)
      if (row !== at) found.push(...cellsOf(prose[row] ?? '').map((text) => ({ line: row + 1, text })))
  }
  return found
}

/** Code spans, and the text with them masked. A span may continue on the next line. */
function separateSpans(prose: readonly string[]): { text: string; spans: Text[] } {
  const spans: Text[] = []
  const whole = prose.join('\n')
  const text = whole.replace(/(?<!`)(`+)(?!`)((?:(?!\n\n)[\s\S])*?[^`])\1(?!`)/g, (all, _marks, inner: string, at: number) => {
    spans.push({ line: whole.slice(0, at).split('\n').length, text: inner.replaceAll('\n', ' ').trim() })
    return all.replace(/[^\n]/g, 'x')
  })
  return { text, spans }
}

/** Replaces every match by spaces, leaving the line breaks. */
function blanked(text: string, ...patterns: RegExp[]): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, (all) => all.replace(/[^\n]/g, ' ')), text)
}

/** The target of each match in a text, with its line. */
function targetsOf(text: string, pattern: RegExp): Link[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    target: match[1] ?? '',
  }))
}

export function readPage(page: Page): ReadPage {
  const lines = page.text.replace(/\n$/, '').split(/\r?\n/)
  const { prose, blocks } = separateBlocks(lines)
  const { text, spans } = separateSpans(prose)
  const inline = /\]\(\s*<?([^\s)>]*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g
  const defined = /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/gm
  const html = /<(?:a|img)\b[^>]*?\b(?:href|src)="([^"]*)"/g
  return {
    ...page,
    lines,
    blocks,
    spans,
    headings: headingsOf(prose),
    cells: tableCells(prose),
    links: [inline, defined, html].flatMap((pattern) => targetsOf(text, pattern)),
    addresses: targetsOf(blanked(text, inline, defined, html), /\b(https?:\/\/[^\s<>)\]]+)/g),
  }
}

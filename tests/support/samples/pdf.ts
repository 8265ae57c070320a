import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The content of a PDF: each page as lines of words, and the file’s metadata. */
export interface ReadPdf {
  pages: string[][][]
  /** The distance of each line in `pages` from the top of its page, in points. */
  heights: number[][]
  /** The width and height of each page, in points. */
  sizes: [number, number][]
  /** The alternative texts of the pictures on the first page. */
  descriptions: string[]
  title: string
  language: string
  isTagged: boolean
  /** The kinds of tagged elements on the first page, without repeats. */
  elements: Set<string>
}

interface Node {
  role?: string
  alt?: string
  children?: Node[]
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const doc = await loading.promise
  const { info } = (await doc.getMetadata()) as { info: { Title?: string; Language?: string } }
  const mark = (await doc.getMarkInfo()) as { Marked?: boolean } | null
  const pages: string[][][] = []
  const heights: number[][] = []
  const sizes: [number, number][] = []
  const descriptions: string[] = []
  for (let at = 1; at <= doc.numPages; at++) {
    const page = await doc.getPage(at)
    sizes.push([page.view[2]!, page.view[3]!])
    const { items } = await page.getTextContent()
    const lines = new Map<number, { x: number; text: string }[]>()
    for (const item of items) {
      if (!('str' in item) || !item.str.trim()) continue
      const [, , , , x, y] = item.transform as number[]
      const key = Math.round(y! * 2)
      lines.set(key, [...(lines.get(key) ?? []), { x: x!, text: item.str.trim() }])
    }
    const sorted = [...lines].sort(([a], [b]) => b - a)
    pages.push(sorted.map(([, words]) => words.sort((a, b) => a.x - b.x).map(({ text }) => text)))
    heights.push(sorted.map(([key]) => page.view[3]! - key / 2))
  }
  const elements = new Set<string>()
  const walk = (node: Node): void => {
    if (node.role) elements.add(node.role)
    if (node.alt) descriptions.push(node.alt)
    for (const child of node.children ?? []) walk(child)
  }
  const tree = (await (await doc.getPage(1)).getStructTree()) as Node | null
  if (tree) walk(tree)
  await loading.destroy()
  return {
    pages,
    heights,
    sizes,
    descriptions,
    title: info.Title ?? '',
    language: info.Language ?? '',
    isTagged: Boolean(mark?.Marked),
    elements,
  }
}

import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A PDF as somebody reads it: each page in lines of words, with what the file says of itself. */
export interface ReadPdf {
  pages: string[][][]
  title: string
  language: string
  isTagged: boolean
  /** Kinds of elements of the first page, each once. */
  elements: Set<string>
}

interface Node {
  role?: string
  children?: Node[]
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const doc = await loading.promise
  const { info } = (await doc.getMetadata()) as { info: { Title?: string; Language?: string } }
  const mark = (await doc.getMarkInfo()) as { Marked?: boolean } | null
  const pages: string[][][] = []
  for (let at = 1; at <= doc.numPages; at++) {
    const { items } = await (await doc.getPage(at)).getTextContent()
    const lines = new Map<number, { x: number; text: string }[]>()
    for (const item of items) {
      if (!('str' in item) || !item.str.trim()) continue
      const [, , , , x, y] = item.transform as number[]
      const key = Math.round(y! * 2)
      lines.set(key, [...(lines.get(key) ?? []), { x: x!, text: item.str.trim() }])
    }
    pages.push([...lines].sort(([a], [b]) => b - a).map(([, words]) => words.sort((a, b) => a.x - b.x).map(({ text }) => text)))
  }
  const elements = new Set<string>()
  const walk = (node: Node): void => {
    if (node.role) elements.add(node.role)
    for (const child of node.children ?? []) walk(child)
  }
  const tree = (await (await doc.getPage(1)).getStructTree()) as Node | null
  if (tree) walk(tree)
  await loading.destroy()
  return { pages, title: info.Title ?? '', language: info.Language ?? '', isTagged: Boolean(mark?.Marked), elements }
}

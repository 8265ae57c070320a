import { strFromU8, unzipSync } from 'fflate'

interface WorkbookCell {
  row: number
  column: number
  /** Formulas begin with `=`. */
  value: string | number
  /** The stored result of a formula. */
  stored: number | null
}

/** The cells of each tab of a workbook as stored in the file, before any program interprets them. */
export function readCells(bytes: Uint8Array): { cells: WorkbookCell[]; rows: (string | number | null)[][] }[] {
  const parts = unzipSync(bytes)
  const plain = (text: string): string =>
    text.replace(
      /&(lt|gt|quot|apos|amp|#39);/g,
      (_all, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' })[name] ?? "'",
    )
  const words = [...strFromU8(parts['xl/sharedStrings.xml']!).matchAll(/<si>(.*?)<\/si>/gs)].map(([, one]) =>
    plain([...one!.matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map(([, text]) => text).join('')),
  )
  return Object.keys(parts)
    .flatMap((path) => /^xl\/worksheets\/sheet(\d+)\.xml$/.exec(path)?.[1] ?? [])
    .sort((a, b) => Number(a) - Number(b))
    .map((number) => {
      const xml = strFromU8(parts[`xl/worksheets/sheet${number}.xml`]!)
      const cells = [...xml.matchAll(/<c r="([A-Z]+)(\d+)"([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].flatMap(
        ([, letters, row, kind, inside]): WorkbookCell[] => {
          const [formula, value] = [/<f>(.*?)<\/f>/s.exec(inside ?? '')?.[1], /<v>(.*?)<\/v>/s.exec(inside ?? '')?.[1]]
          if (formula === undefined && value === undefined) return []
          const column = [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
          const read = formula !== undefined ? `=${plain(formula)}` : kind!.includes('t="s"') ? words[Number(value)]! : Number(value)
          return [
            {
              row: Number(row) - 1,
              column,
              // Text that begins with = is not a formula.
              value: typeof read === 'string' && formula === undefined ? read.replace(/^=/, "'=") : read,
              stored: formula === undefined || value === undefined ? null : Number(value),
            },
          ]
        },
      )
      const rows = Array.from({ length: 1 + Math.max(...cells.map((one) => one.row)) }, (): (string | number | null)[] => [])
      for (const { row, column, value } of cells) rows[row]![column] = value
      return { cells, rows: rows.map((row) => Array.from(row, (one) => one ?? null)) }
    })
}

import Papa from 'papaparse'
import { unescapeFormula } from '../../domain/resources/cells.ts'

export interface ReadFile {
  name: string
  headings: string[]
  rows: Record<string, string>[]
}

/** UTF-8 where it is, else the Windows encoding that spreadsheets write. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * Reads a CSV file: commas, semicolons or tabs, quotes, byte order mark, any line ends.
 * @throws Error with one sentence for a file that is no table
 */
export async function readCsv(file: File): Promise<ReadFile> {
  if (file.size > 10 * 1024 * 1024) throw new Error('The file is larger than 10 MB.')
  if (/\.(xlsx?|ods|numbers|pdf|docx?)$/i.test(file.name)) throw new Error('This kind of file is not accepted. Save it as CSV first.')
  const text = decode(await file.arrayBuffer()).replace(/^\uFEFF/, '')
  if (text.includes('\u0000')) throw new Error('This kind of file is not accepted. Save it as CSV first.')
  const { data, meta } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (heading) => unescapeFormula(heading.trim()),
    delimitersToGuess: [',', ';', '\t', '|'],
  })
  const headings = (meta.fields ?? []).filter(Boolean)
  if (!headings.length || !data.length) throw new Error('The file has no rows.')
  return {
    name: file.name,
    headings,
    rows: data.map((row) => Object.fromEntries(headings.map((heading) => [heading, row[heading] ?? '']))),
  }
}

/**
 * How well a name answers a search, both as people type them.
 * @returns 0 it is called so, 1 it begins so, 2 one of its words does, 3 it holds it elsewhere, or not at all
 */
export function searchRank(name: string, search: string): number {
  const lower = name.toLowerCase()
  const wanted = search.trim().toLowerCase()
  if (lower === wanted) return 0
  if (lower.startsWith(wanted)) return 1
  const at = lower.indexOf(wanted)
  return at > 0 && !/[\p{L}\p{N}]/u.test(lower.charAt(at - 1)) ? 2 : 3
}

/** The different words of a search, in small letters. */
export function searchWords(search: string): string[] {
  return [...new Set(search.trim().toLowerCase().split(/\s+/))].filter(Boolean)
}

/** Whether a text holds every one of some words in small letters. */
export function containsAllWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

/** Letters of an excerpt that stand before what was found, and all of them. */
const excerptBefore = 40
const excerptLength = 140

/** What of a text stands around the first of some words in small letters, in one line, cut between words where it is long. */
export function excerptAround(text: string, words: readonly string[]): string {
  const line = text.trim().replace(/\s+/g, ' ')
  if (line.length <= excerptLength) return line
  const lower = line.toLowerCase()
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), line.length)
  const from = Math.max(0, Math.min(first - excerptBefore, line.length - excerptLength))
  const start = from === 0 ? 0 : line.indexOf(' ', from) + 1
  // A word longer than what may stand before it is cut where it is.
  const begin = start > first || (from > 0 && start === 0) ? from : start
  const until = begin + excerptLength
  const space = until < line.length ? line.lastIndexOf(' ', until) : line.length
  const end = space > first + excerptBefore || space === line.length ? space : until
  return `${begin > 0 ? '…' : ''}${line.slice(begin, end)}${end < line.length ? '…' : ''}`
}

/**
 * Ranks how well a name matches a search.
 * @returns 0 if the name equals the search, 1 if it starts with it, 2 if one of its words does; otherwise 3, even if it does not match
 */
export function rankMatch(name: string, search: string): number {
  const lower = name.toLowerCase()
  const wanted = search.trim().toLowerCase()
  if (lower === wanted) return 0
  if (lower.startsWith(wanted)) return 1
  const at = lower.indexOf(wanted)
  return at > 0 && !/[\p{L}\p{N}]/u.test(lower.charAt(at - 1)) ? 2 : 3
}

/** Splits a search into distinct words in lower case. */
export function splitSearch(search: string): string[] {
  return [...new Set(search.trim().toLowerCase().split(/\s+/))].filter(Boolean)
}

/** Whether a text contains all words, which are in lower case. */
export function containsAllWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

/** The most characters of an excerpt before the match, and in total. */
const excerptBefore = 40
const excerptLength = 140

/** A one-line excerpt of a text around the first of the words, which are in lower case. A long text is cut between words. */
export function excerptText(text: string, words: readonly string[]): string {
  const line = text.trim().replace(/\s+/g, ' ')
  if (line.length <= excerptLength) return line
  const lower = line.toLowerCase()
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), line.length)
  const from = Math.max(0, Math.min(first - excerptBefore, line.length - excerptLength))
  const start = from === 0 ? 0 : line.indexOf(' ', from) + 1
  // The excerpt starts at a whole word, unless the match is in the word that would be skipped.
  const begin = start > first || (from > 0 && start === 0) ? from : start
  const until = begin + excerptLength
  const space = until < line.length ? line.lastIndexOf(' ', until) : line.length
  const end = space > first + excerptBefore || space === line.length ? space : until
  return `${begin > 0 ? '…' : ''}${line.slice(begin, end)}${end < line.length ? '…' : ''}`
}

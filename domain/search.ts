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
export function holdsWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

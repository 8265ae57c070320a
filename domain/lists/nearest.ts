/** The pairs of adjacent letters in a text, by which spellings are compared. */
function listLetterPairs(text: string): string[] {
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()} `
  return Array.from({ length: plain.length - 1 }, (_unused, at) => plain.slice(at, at + 2))
}

/** The similarity of two texts from 0 to 1 (Dice coefficient of letter pairs). */
function calculateSimilarity(one: string, other: string): number {
  const [pairs, theirs] = [listLetterPairs(one), listLetterPairs(other)]
  let shared = 0
  for (const pair of pairs) {
    const at = theirs.indexOf(pair)
    if (at < 0) continue
    theirs.splice(at, 1)
    shared++
  }
  return (2 * shared) / (pairs.length + shared + theirs.length)
}

/** The least similarity of a suggestion. Most unrelated words are less similar. */
const minimumSimilarity = 0.45

/**
 * The value in a list that the user most likely meant by a misspelt text.
 * @param of the values with their meanings; the text is compared with both
 * @returns null if no value is similar, or if several are equally similar
 */
export function findClosestMatch(text: string, of: readonly { value: string; meaning: string | null }[]): string | null {
  if (!text.trim()) return null
  const found = of
    .map(({ value, meaning }) => ({
      value,
      score: Math.max(calculateSimilarity(text, value), meaning ? calculateSimilarity(text, meaning) : 0),
    }))
    .sort((a, b) => b.score - a.score)
  const [best, next] = found
  return best && best.score >= minimumSimilarity && best.score > (next?.score ?? 0) ? best.value : null
}

const unknown = { field: 'field', filter: 'column to filter by called', sort: 'column to sort by called' } as const

/**
 * A sentence that says that a field or column does not exist, with a suggestion.
 * @param name with its path, such as `filters.valu`
 * @param known the names that exist there
 */
export function describeUnknownName(kind: keyof typeof unknown, name: string, known: readonly string[]): string {
  const alone = name.slice(name.lastIndexOf('.') + 1)
  const meant = findClosestMatch(
    alone,
    known.map((value) => ({ value, meaning: null })),
  )
  return `There is no ${unknown[kind]} ${name}. ${meant ? `Use ${meant}, or leave it out` : 'Leave it out'}.`
}

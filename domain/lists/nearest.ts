/** Pairs of letters that follow each other, as far as they tell words apart. */
function pairs(text: string): string[] {
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()} `
  return Array.from({ length: plain.length - 1 }, (_unused, at) => plain.slice(at, at + 2))
}

/** How alike two texts read, from 0 to 1: twice the pairs of letters that they share, of all that they have. */
function likeness(one: string, other: string): number {
  const [own, theirs] = [pairs(one), pairs(other)]
  let shared = 0
  for (const pair of own) {
    const at = theirs.indexOf(pair)
    if (at < 0) continue
    theirs.splice(at, 1)
    shared++
  }
  return (2 * shared) / (own.length + shared + theirs.length)
}

/** Below this two texts have no more in common than any two words. */
const alike = 0.45

/**
 * The text of a list that somebody most likely meant by one that is not in it.
 * @param of the texts, with what each means, which is as good to name it by
 * @returns null where none reads like it, or several do so equally
 */
export function closestMatch(text: string, of: readonly { value: string; meaning: string | null }[]): string | null {
  if (!text.trim()) return null
  const found = of
    .map(({ value, meaning }) => ({ value, score: Math.max(likeness(text, value), meaning ? likeness(text, meaning) : 0) }))
    .sort((a, b) => b.score - a.score)
  const [best, next] = found
  return best && best.score >= alike && best.score > (next?.score ?? 0) ? best.value : null
}

const unknown = { field: 'field', filter: 'column to filter by called', sort: 'column to sort by called' } as const

/**
 * Says that there is no field or column of a name, and which one was most likely meant.
 * @param name with its place, `filters.valu`
 * @param known the names that there are at that place
 */
export function describeUnknownName(kind: keyof typeof unknown, name: string, known: readonly string[]): string {
  const alone = name.slice(name.lastIndexOf('.') + 1)
  const meant = closestMatch(
    alone,
    known.map((value) => ({ value, meaning: null })),
  )
  return `There is no ${unknown[kind]} ${name}. ${meant ? `Use ${meant}, or leave it out` : 'Leave it out'}.`
}

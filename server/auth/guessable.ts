/** From 0 to 4 by the guesses that a password takes; 3: a hundred million at least. */
const leastScore = 3

/** What is looked at of a password: nobody guesses more of one, and a longer text would hold up everybody else. */
const lookedAt = 64

/** Letters and digits that a password has beside words that somebody guesses: fewer are soon tried. */
const fewestBeside = 8

/**
 * Whether a password is among those that are guessed first: one of the commonest, a keyboard's row, a date, what is said twice, the person's
 * own words or their organisation's, or one of these with a few signs more.
 * @param own words of the person, like their email address, and of where they work
 */
export async function isGuessable(password: string, own: readonly string[]): Promise<boolean> {
  const { estimator } = await import('./estimator.ts')
  const shown = password.slice(0, lookedAt)
  const words = own.flatMap((said) => [said, ...said.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2)
  if (estimator.check(shown, words).score < leastScore) return true
  const text = shown.toLowerCase()
  const isLittleBeside = (known: readonly string[]): boolean => {
    const left = known.reduce((rest, word) => rest.replaceAll(word, ''), text)
    return left.length < text.length && left.replace(/[^\p{L}\p{N}]/gu, '').length < fewestBeside
  }
  // Of one's own words all are known to whoever guesses; of common passwords one is, with what was put to it.
  const longestFirst = words.map((word) => word.toLowerCase()).sort((a, b) => b.length - a.length)
  return isLittleBeside(longestFirst) || estimator.commonIn(text).some((one) => isLittleBeside([one]))
}

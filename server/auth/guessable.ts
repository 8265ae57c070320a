/** From 0 to 4 by the guesses that a password takes; 3: a hundred million at least. */
const leastScore = 3

/** What is looked at of a password: nobody guesses more of one, and a longer text would hold up everybody else. */
const lookedAt = 64

/**
 * Whether a password is among those that are guessed first: one of the commonest, a keyboard's row, a date, what is said twice, or the
 * person's own words.
 * @param own words of the person, like their email address
 */
export async function isGuessable(password: string, own: readonly string[]): Promise<boolean> {
  const { estimator } = await import('./estimator.ts')
  const { score } = estimator.check(
    password.slice(0, lookedAt),
    own.flatMap((words) => [words, ...words.split(/[^a-z0-9]+/i)]).filter((word) => word.length > 2),
  )
  return score < leastScore
}

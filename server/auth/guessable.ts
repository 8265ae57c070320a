/** From 0 to 4 by the guesses that a password takes; 3: a hundred million at least. */
const leastScore = 3

/** What is looked at of a password: nobody guesses more of one, and a longer text would hold up everybody else. */
const lookedAt = 64

let estimator: Promise<{ check(password: string, own: string[]): { score: number } }> | null = null

/** The lists of what people choose are read when the first of them is asked for: most processes never do. */
async function load() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}

/**
 * Whether a password is among those that are guessed first: one of the commonest, a keyboard's row, a date, what is said twice, or the
 * person's own words.
 * @param own words of the person, like their email address
 */
export async function isGuessable(password: string, own: readonly string[]): Promise<boolean> {
  estimator ??= load()
  const { score } = (await estimator).check(
    password.slice(0, lookedAt),
    own.flatMap((words) => [words, ...words.split(/[^a-z0-9]+/i)]).filter((word) => word.length > 2),
  )
  return score < leastScore
}

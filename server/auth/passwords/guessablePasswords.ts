/** The zxcvbn score from 0 to 4; 3 means at least a hundred million guesses. */
const minScore = 3

/** How many characters are examined. Estimating a longer text would block other requests, and this many suffice. */
const examinedLength = 64

/** A password with fewer letters and digits than this, apart from known words, is quickly guessed. */
const minOtherCharacters = 8

/**
 * Whether a password is among the first that an attacker tries: a common password, keyboard row, date, repetition, or a word about the
 * person or organisation, even with a few characters added.
 * @param personalWords words about the person, such as their email address and workplace
 */
export async function isGuessable(password: string, personalWords: readonly string[]): Promise<boolean> {
  const { passwordEstimator } = await import('./passwordEstimator.ts')
  const examined = password.slice(0, examinedLength)
  const words = personalWords
    .flatMap((personalWord) => [personalWord, ...personalWord.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2)
  if (passwordEstimator.check(examined, words).score < minScore) return true
  const text = examined.toLowerCase()
  const isMostlyKnown = (known: readonly string[]): boolean => {
    const left = known.reduce((rest, word) => rest.replaceAll(word, ''), text)
    return left.length < text.length && left.replace(/[^\p{L}\p{N}]/gu, '').length < minOtherCharacters
  }
  // An attacker knows all personal words, so remove them all; of the common passwords, remove one at a time.
  const longestFirst = words.map((word) => word.toLowerCase()).sort((a, b) => b.length - a.length)
  return isMostlyKnown(longestFirst) || passwordEstimator.commonIn(text).some((one) => isMostlyKnown([one]))
}

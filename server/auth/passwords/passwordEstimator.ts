import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/**
 * Estimates how many guesses a password takes. Its word lists are large, so import this module only on first use. Packages are imported by
 * name because the bundler resolves CommonJS exports only that way.
 */
const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** Shorter common passwords are substrings of many good passwords. */
const shortestCommon = 6
const commonPasswords = dictionary['passwords-common'].map(String).filter((one) => one.length >= shortestCommon)

export const passwordEstimator = {
  check: (password: string, personalWords: string[]): { score: number } => factory.check(password, personalWords),
  /** Lists the common passwords that a lower-case text contains. */
  commonIn: (text: string): string[] => commonPasswords.filter((one) => text.includes(one)),
}

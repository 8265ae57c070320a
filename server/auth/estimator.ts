import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/**
 * Says how many guesses a password takes. Its lists of what people choose are large: this module is loaded by who asks for the first time, and
 * names its packages here, for a bundle finds what an older package exports only where it is imported by name.
 */
const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** Shorter ones are parts of many good passwords. */
const shortestCommon = 6
const commonPasswords = dictionary['passwords-common'].map(String).filter((one) => one.length >= shortestCommon)

export const estimator = {
  check: (password: string, own: string[]): { score: number } => factory.check(password, own),
  /** The passwords of many people that stand within a text of small letters. */
  commonIn: (text: string): string[] => commonPasswords.filter((one) => text.includes(one)),
}

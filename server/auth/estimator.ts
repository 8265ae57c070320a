import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/**
 * Says how many guesses a password takes. Its lists of what people choose are large: this module is loaded by who asks for the first time, and
 * names its packages here, for a bundle finds what an older package exports only where it is imported by name.
 */
export const estimator: { check(password: string, own: string[]): { score: number } } = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
})

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'
import type { programs } from '../../../server/launch/bundle.ts'

/**
 * The file with which `node` runs a program of the product, bundled from these sources.
 * @param build the folder of another build of the product, as an image holds it
 */
export function findProgram(name: keyof typeof programs, build?: string): string {
  return join(build ? join(build, 'run') : inject('programs'), `${name}.mjs`)
}

/** The entry file of the thread for long calls. */
export function findThreadProgram(): URL {
  return pathToFileURL(findProgram('longCallThread'))
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { programs } from '../../server/launch/image.ts'

const root = join(import.meta.dirname, '../..')

/**
 * The words with which `node` runs a program of the product: as an image holds it where this run has built one (`BUILT`), which begins in a
 * third of the time; else from its sources.
 * @param build the folder of another build of the product
 */
export function programOf(name: keyof typeof programs, build = process.env.BUILT): [...options: string[], file: string] {
  const built = builtProgram(name, build)
  return built ? [built] : ['--import', 'tsx', join(root, programs[name])]
}

/** Where the thread of long calls begins as an image holds it: from its sources it takes seconds of a processor, for each server of a test. */
export function builtThread(): URL | undefined {
  const built = builtProgram('heavyThread', process.env.BUILT)
  return built ? pathToFileURL(built) : undefined
}

function builtProgram(name: keyof typeof programs, build: string | undefined): string | undefined {
  const built = build && join(build, 'run', `${name}.mjs`)
  return built && existsSync(built) ? built : undefined
}

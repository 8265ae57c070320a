import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from '../../server/launch/image.ts'

const root = join(import.meta.dirname, '../..')

/**
 * The words with which `node` runs a program of the product: as an image holds it where this run has built one (`BUILT`), which begins in a
 * third of the time; else from its sources.
 */
export function programOf(name: keyof typeof programs): [...options: string[], file: string] {
  const built = process.env.BUILT && join(process.env.BUILT, 'run', `${name}.mjs`)
  return built && existsSync(built) ? [built] : ['--import', 'tsx', join(root, programs[name])]
}

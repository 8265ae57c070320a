import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The root folder of the product, with `package.json`, migrations, reference data and the built client; the same in the source tree and in
 * an image.
 */
export const root = findRootAbove(import.meta.dirname)

function findRootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRootAbove(dirname(folder))
}

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the product, in which `package.json`, migrations, reference data and the built client stand, in sources and in an image alike. */
export const root = above(import.meta.dirname)

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder))
}

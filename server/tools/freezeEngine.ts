import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { engineVersion } from '../../domain/calculation/engine.ts'
import { root } from '../core/root.ts'

/**
 * `npm run freeze`, run when a version is released: copies the engine, its imports and its golden cases to
 * `domain/calculation/engines/VERSION/`, where they never change. `engines.ts` must then list it
 * (docs/developers/decisions/0004-engine-versions.md).
 */
const domain = join(root, 'domain')
const engines = join(domain, 'calculation/engines')

function findImports(file: string, files = new Set<string>()): Set<string> {
  if (files.has(file)) return files
  files.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g)) findImports(join(dirname(file), path), files)
  return files
}

function hashFolder(folder: string): string {
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(`${relative(folder, path)}\n`).update(readFileSync(path))
  return hash.digest('hex')
}

const folder = join(engines, engineVersion)
if (existsSync(folder)) throw new Error(`Engine ${engineVersion} is frozen. Raise engineVersion in domain/calculation/engine.ts first.`)
for (const file of findImports(join(domain, 'calculation/engine.ts'))) {
  const to = join(folder, relative(domain, file))
  mkdirSync(dirname(to), { recursive: true })
  cpSync(file, to)
}
cpSync(join(root, 'tests/domain/golden'), join(folder, 'golden'), { recursive: true })
const list = join(engines, 'frozen.json')
const frozen: Record<string, string> = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {}
writeFileSync(list, `${JSON.stringify({ ...frozen, [engineVersion]: hashFolder(folder) }, null, 2)}\n`)
console.log(`Engine ${engineVersion} is frozen. Name it in domain/calculation/engines/engines.ts.`)

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

function listFiles(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'dist' || entry.name === 'dist.new' ? [] : listFiles(path)
    return [path]
  })
}

/** Returns a digest of source folders or files and of package-lock.json. If it changes, what was built from them must be rebuilt. */
export function hashSources(root: string, folders: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of [...folders.flatMap((folder) => listFiles(join(root, folder))), join(root, 'package-lock.json')].sort())
    hash.update(`${file.slice(root.length)} ${statSync(file).size} `).update(readFileSync(file))
  return hash.digest('hex')
}

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

/** A digest of source folders, of files, and of the lock file. If it changes, whatever was built from them is rebuilt. */
export function hashSources(root: string, folders: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of [...folders.flatMap((folder) => listFiles(join(root, folder))), join(root, 'package-lock.json')].sort())
    hash.update(`${file.slice(root.length)} ${statSync(file).size} `).update(readFileSync(file))
  return hash.digest('hex')
}

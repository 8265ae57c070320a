import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'dist' || entry.name === 'dist.new' ? [] : files(path)
    return [path]
  })
}

/** What the client is made of, as one digest: when it changes, the client is built again. */
function digestOf(root: string): string {
  const hash = createHash('sha256')
  for (const file of [...files(join(root, 'client')), ...files(join(root, 'domain')), join(root, 'package-lock.json')].sort())
    hash.update(`${file.slice(root.length)} ${statSync(file).size} `).update(readFileSync(file))
  return hash.digest('hex')
}

const folderOf = (root: string): string => join(root, 'client/dist')
const markOf = (root: string): string => join(folderOf(root), '.built')

function isBuiltOf(root: string, digest: string): boolean {
  return existsSync(markOf(root)) && readFileSync(markOf(root), 'utf8') === digest
}

/** Whether the client stands as its sources are. */
export function isClientBuilt(root: string): boolean {
  return isBuiltOf(root, digestOf(root))
}

/** Builds the client when its sources changed. The old one is put aside only when the new one is whole. */
export async function buildClient(root: string): Promise<void> {
  const folder = folderOf(root)
  const digest = digestOf(root)
  if (isBuiltOf(root, digest)) return
  const { build } = await import('vite')
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  await build({
    root: join(root, 'client'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: fresh, emptyOutDir: true },
  })
  writeFileSync(join(fresh, '.built'), digest)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}

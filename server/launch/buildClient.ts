import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { digestOf } from './digest.ts'

/**
 * How static files are compressed in advance: `quickly` at a start that someone waits for, `smallest` for an image, which is an eighth
 * smaller for forty times the work.
 */
export type Compression = 'quickly' | 'smallest'
const brotliQuality: Record<Compression, number> = { quickly: 6, smallest: constants.BROTLI_MAX_QUALITY }

/** A digest of the client's sources; if it changes, the client is rebuilt. */
const clientDigest = (root: string): string => digestOf(root, ['client', 'domain'])

const folderOf = (root: string): string => join(root, 'client/dist')
const markOf = (root: string): string => join(folderOf(root), '.built')

function compress(folder: string, how: Compression): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !['.js', '.css', '.svg'].includes(extname(entry.name))) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_QUALITY]: brotliQuality[how] }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
  }
}

/** Whether a build of these sources exists, compressed at least this well. */
function isBuiltOf(root: string, digest: string, how: Compression): boolean {
  const mark = existsSync(markOf(root)) ? readFileSync(markOf(root), 'utf8') : ''
  return mark === `${digest} smallest` || mark === `${digest} ${how}`
}

/** Whether the client's build is up to date. */
export function isClientBuilt(root: string): boolean {
  return isBuiltOf(root, clientDigest(root), 'quickly')
}

/** Builds the client if its sources changed. The new build replaces the old one only when it is complete. */
export async function buildClient(root: string, how: Compression): Promise<void> {
  const folder = folderOf(root)
  const digest = clientDigest(root)
  if (isBuiltOf(root, digest, how)) return
  const { build } = await import('vite')
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  await build({
    root: join(root, 'client'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: fresh, emptyOutDir: true },
  })
  compress(fresh, how)
  writeFileSync(join(fresh, '.built'), `${digest} ${how}`)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}

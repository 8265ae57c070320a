import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { hashSources } from './sourceDigest.ts'

/**
 * How static files are compressed in advance: `quickly` at a start that someone waits for, `smallest` for an image, which is an eighth
 * smaller for forty times the work.
 */
export type Compression = 'quickly' | 'smallest'
const brotliQuality: Record<Compression, number> = { quickly: 6, smallest: constants.BROTLI_MAX_QUALITY }

const clientDigest = (root: string): string => hashSources(root, ['client', 'domain'])

const buildFolder = (root: string): string => join(root, 'client/dist')
const buildMark = (root: string): string => join(buildFolder(root), '.built')

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
function isBuilt(root: string, digest: string, how: Compression): boolean {
  const mark = existsSync(buildMark(root)) ? readFileSync(buildMark(root), 'utf8') : ''
  return mark === `${digest} smallest` || mark === `${digest} ${how}`
}

export function isClientBuilt(root: string): boolean {
  return isBuilt(root, clientDigest(root), 'quickly')
}

export async function buildClient(root: string, how: Compression): Promise<void> {
  const folder = buildFolder(root)
  const digest = clientDigest(root)
  if (isBuilt(root, digest, how)) return
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

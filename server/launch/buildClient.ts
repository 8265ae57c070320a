import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as zlibGzip } from 'node:zlib'
import { hashSources } from './sourceDigest.ts'

const [brotli, gzip] = [promisify(brotliCompress), promisify(zlibGzip)]

const clientDigest = (root: string): string => hashSources(root, ['client', 'domain', 'vite.config.ts'])

const buildFolder = (root: string): string => join(root, 'client/dist')
const buildMark = (root: string): string => join(buildFolder(root), '.built')

/** Compresses every script and style as far as possible, several at a time: a file is built once and downloaded often. */
async function compress(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ['.js', '.css', '.svg'].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file)
      writeFileSync(`${file}.br`, await brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }))
      writeFileSync(`${file}.gz`, await gzip(bytes, { level: constants.Z_BEST_COMPRESSION }))
    }),
  )
}

/** Whether the client has been built from these sources. */
export function isClientBuilt(root: string, digest = clientDigest(root)): boolean {
  return existsSync(buildMark(root)) && readFileSync(buildMark(root), 'utf8') === digest
}

export async function buildClient(root: string): Promise<void> {
  const folder = buildFolder(root)
  const digest = clientDigest(root)
  if (isClientBuilt(root, digest)) return
  const { build } = await import('vite')
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  await build({
    root: join(root, 'client'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: fresh, emptyOutDir: true },
  })
  await compress(fresh)
  writeFileSync(join(fresh, '.built'), digest)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { transform } from 'esbuild'
import { bundle, programs } from '../../server/launch/bundle.ts'

const root = join(import.meta.dirname, '../..')

/** The programs for testing an upgrade: one fills a version’s tables, the others keep running while those of the next are migrated. */
const { server, worker, longCallThread, poolThread, restore } = programs

/** Loaded only for tracing or when a user chooses a password; together a quarter of the size. */
const leftOut = /^run\/(openTelemetry|estimator)-\w+\.mjs$/

/** Files that the programs read when they start. The client for browsers is not included. */
const read = [/^drizzle\/migrations\/(\w+\.sql|meta\/_journal\.json)$/, /^drizzle\/(help|reference)\//]

/**
 * Stores the server, worker and migrations of these sources in one compressed file: bundled as in an image, minified, each text by its
 * path. It includes no native code and none of the few files that packages read; today’s packages replace them.
 */
export async function storeBuild(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-build-'))
  try {
    const kept: Record<string, string> = {}
    await bundle(root, { server, worker, longCallThread, poolThread, restore }, join(folder, 'run'))
    for (const path of filesOf(folder).filter((one) => !leftOut.test(one))) {
      const text = readFileSync(join(folder, path), 'utf8')
      kept[path] = (await transform(text, { minifyWhitespace: true, legalComments: 'none', format: 'esm', target: 'node20' })).code
    }
    const others = filesOf(root, 'drizzle').filter((path) => read.some((pattern) => pattern.test(path)))
    for (const path of [...others, 'package.json']) kept[path] = readFileSync(join(root, path), 'utf8')
    writeFileSync(file, brotliCompressSync(JSON.stringify(kept)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const filesOf = (folder: string, below = ''): string[] =>
  readdirSync(join(folder, below), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

/** Unpacks a stored build into a folder, where `node run/NAME.mjs` runs it. */
export function unpackBuild(file: string, folder: string): void {
  const kept = JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as Record<string, string>
  for (const [path, text] of Object.entries(kept)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
}

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildClient } from '../launch/buildClient.ts'
import { bundle, nativePackage, programs } from '../launch/bundle.ts'

/** Files of packages that are not bundled but read at run time. */
const packageFiles = [
  '@scalar/fastify-api-reference/package.json',
  '@scalar/fastify-api-reference/dist/index.js',
  '@scalar/fastify-api-reference/dist/js/standalone.js',
]

/**
 * Assembles the files of an image or a release: bundled server, worker and tools, the built client, migrations and national reference data.
 * @param root the folder of the sources, with packages installed
 * @param to the folder of the result, which is emptied first
 * @param more `entries`: the programs, if not those of an image; `about`: more fields of package.json
 */
export async function buildImage(
  root: string,
  to: string,
  { entries = programs, about = {} }: { entries?: Record<string, string>; about?: object } = {},
): Promise<void> {
  await buildClient(root)
  rmSync(to, { recursive: true, force: true })
  await bundle(root, entries, join(to, 'run'))
  const { name, version, license, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(to, 'package.json'), `${JSON.stringify({ name, version, private: true, license, type, ...about }, null, 2)}\n`)
  for (const part of ['LICENSE', 'drizzle', 'client/dist', 'server/core/paper/fonts']) copyPart(root, to, part)
  const [scope = '', module = ''] = nativePackage.split('/')
  const bindings = readdirSync(join(root, 'node_modules', scope)).filter((one) => one === module || one.startsWith(`${module}-`))
  for (const part of [...packageFiles, ...bindings.map((one) => `${scope}/${one}`)]) copyPart(root, to, `node_modules/${part}`)
}

/** Copies a file or folder without TypeScript sources, and without the schema snapshots, which are needed only to create migrations. */
export function copyPart(root: string, to: string, part: string): void {
  mkdirSync(dirname(join(to, part)), { recursive: true })
  cpSync(join(root, part), join(to, part), {
    recursive: true,
    // Links between files of a package must not lead to this machine's folder.
    verbatimSymlinks: true,
    filter: (from) => !/[/\\]drizzle[/\\](\w+\.ts|migrations[/\\]meta[/\\]\w+_snapshot\.json)$/.test(from),
  })
}

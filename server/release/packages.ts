import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A package that a release contains, whole or as part of the bundled programs or pages. */
export interface ShippedPackage {
  name: string
  version: string
  /** An SPDX identifier or expression; empty if the package names none. */
  licence: string
  /** The folder of the installed package, relative to the root. */
  folder: string
}

/** What we read of a bill of materials (CycloneDX); the rest is passed on. */
const billOfMaterials = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({}) }),
  components: z.array(
    z.looseObject({
      name: z.string(),
      version: z.string(),
      licenses: z
        .array(
          z.object({
            license: z.object({ id: z.string().optional(), name: z.string().optional() }).optional(),
            expression: z.string().optional(),
          }),
        )
        .optional(),
    }),
  ),
})
export type BillOfMaterials = z.infer<typeof billOfMaterials>

const lockFile = z.object({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional(), name: z.string().optional() })),
})

/**
 * Licences of packages that may be shipped. They allow use and redistribution, modified and commercial too, and require only that their
 * text is included. OFL-1.1 is the licence of the typeface.
 */
const allowedLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
])

/** Licences, taken from the licence file, of packages whose package.json names no licence. */
const licencesByText: Record<string, string> = { 'png-js': 'MIT' }

/**
 * Asks npm for the bill of materials (CycloneDX) of the shipped packages. It works without a network.
 * @param at the time to write into the bill; the same packages and time give the same bytes
 */
export function readBillOfMaterials(root: string, at: Date): BillOfMaterials {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const bill = billOfMaterials.parse(JSON.parse(text))
  // npm writes the current time, a random number and the name of the folder.
  Object.assign(bill.metadata, { timestamp: at.toISOString() })
  Object.assign(bill.metadata.component, { type: 'application', name: 'bursar' })
  const digest = createHash('sha256')
    .update(JSON.stringify({ ...bill, serialNumber: null }))
    .digest('hex')
  return {
    ...bill,
    serialNumber: `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`,
  }
}

/** Lists the shipped packages with their licences and folders, by name. */
export function listShippedPackages(root: string, { components }: BillOfMaterials): ShippedPackage[] {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const folders = Object.entries(packages).filter(([folder]) => folder && existsSync(join(root, folder)))
  return components
    .map(({ name, version, licenses = [] }) => {
      const [folder] =
        folders.find(([path, one]) => (one.name ?? path.replace(/^.*node_modules\//, '')) === name && one.version === version) ?? []
      if (!folder) throw new Error(`${name} ${version} is not installed. Run npm ci.`)
      const named = licenses.flatMap(({ license, expression }) => expression ?? license?.id ?? license?.name ?? []).join(' AND ')
      return { name, version, licence: named || (licencesByText[name] ?? ''), folder }
    })
    .sort((one, other) => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1))
}

/** The packages that name no licence, or one that is not allowed. If a package offers a choice of licences, each must be allowed. */
export function findRefusedLicences(packages: readonly ShippedPackage[]): ShippedPackage[] {
  return packages.filter(({ licence }) => {
    const ids = licence.split(/\s+(?:AND|OR)\s+|[()]/).filter(Boolean)
    return !ids.length || ids.some((id) => !allowedLicences.has(id))
  })
}

/** Joins the licences of all shipped packages, with their texts, in one text. */
export function joinLicences(root: string, packages: readonly ShippedPackage[]): string {
  const sections = packages.map(({ name, version, licence, folder }) => {
    const texts = readdirSync(join(root, folder))
      .filter((file) => /^(licence|license|copying|notice|copyright)\b/i.test(file))
      .sort()
      .map((file) =>
        readFileSync(join(root, folder, file), 'utf8')
          .replaceAll('\r\n', '\n')
          .trim(),
      )
    return [`${name} ${version}: ${licence}`, ...texts].join('\n\n')
  })
  return `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

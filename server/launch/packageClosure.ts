import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface PackageFile {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/**
 * Lists an installed package and all installed packages that it needs.
 * @param modules the folder `node_modules`
 */
export function listPackageClosure(modules: string, name: string, found = new Set<string>()): ReadonlySet<string> {
  const file = join(modules, name, 'package.json')
  if (found.has(name) || !existsSync(file)) return found
  found.add(name)
  const { dependencies, optionalDependencies }: PackageFile = JSON.parse(readFileSync(file, 'utf8'))
  for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) listPackageClosure(modules, one, found)
  return found
}

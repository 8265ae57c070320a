import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A password or key nobody can guess, in signs that need no escaping. */
export function randomSecret(): string {
  return randomBytes(24).toString('base64url')
}

type SecretName = 'databaseOwner' | 'databaseServer' | 'dataKey'

function secretsIn(dataFolder: string): Partial<Record<SecretName, string>> {
  const file = join(dataFolder, 'secrets.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** A secret that a data folder keeps already; null where it keeps none. */
export function keptSecret(dataFolder: string, name: SecretName): string | null {
  return secretsIn(dataFolder)[name] ?? null
}

/**
 * A secret of the installation that keeps its data in this folder: made once, kept beside the data, readable by its owner only. It travels
 * with a copy of the folder, which could not be opened without it.
 */
export function secretOf(dataFolder: string, name: SecretName): string {
  const kept = secretsIn(dataFolder)
  if (kept[name]) return kept[name]
  const made = randomSecret()
  keepSecret(dataFolder, name, made)
  return made
}

/** Keeps a secret beside the data, in place of the one before. */
export function keepSecret(dataFolder: string, name: SecretName, secret: string): void {
  const file = join(dataFolder, 'secrets.json')
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify({ ...secretsIn(dataFolder), [name]: secret }, null, 2), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

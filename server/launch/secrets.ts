import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A random password or key that needs no escaping. */
export function randomSecret(): string {
  return randomBytes(24).toString('base64url')
}

type SecretName = 'databaseOwner' | 'databaseServer' | 'dataKey'

function secretsIn(dataFolder: string): Partial<Record<SecretName, string>> {
  const file = join(dataFolder, 'secrets.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** A secret stored in a data folder; null if there is none. */
export function keptSecret(dataFolder: string, name: SecretName): string | null {
  return secretsIn(dataFolder)[name] ?? null
}

/**
 * Returns a secret of the installation, creating it on first use. It is stored beside the data, readable by its owner only, so that a copy
 * of the folder includes it.
 */
export function secretOf(dataFolder: string, name: SecretName): string {
  const kept = secretsIn(dataFolder)
  if (kept[name]) return kept[name]
  const made = randomSecret()
  keepSecret(dataFolder, name, made)
  return made
}

/** Stores a secret beside the data, replacing the previous one. */
export function keepSecret(dataFolder: string, name: SecretName, secret: string): void {
  const file = join(dataFolder, 'secrets.json')
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify({ ...secretsIn(dataFolder), [name]: secret }, null, 2), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Generates a random password or key without characters that need escaping. */
export function generateSecret(): string {
  return randomBytes(24).toString('base64url')
}

type SecretName = 'databaseOwner' | 'databaseServer' | 'dataKey'

function readSecrets(dataFolder: string): Partial<Record<SecretName, string>> {
  const file = join(dataFolder, 'secrets.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

export function findSecret(dataFolder: string, name: SecretName): string | null {
  return readSecrets(dataFolder)[name] ?? null
}

/**
 * Returns a secret of the installation, creating it on first use. It is stored in the data folder, so that a copy of the folder includes
 * it, in a file that only its owner may read.
 */
export function ensureSecret(dataFolder: string, name: SecretName): string {
  const stored = readSecrets(dataFolder)
  if (stored[name]) return stored[name]
  const secret = generateSecret()
  storeSecret(dataFolder, name, secret)
  return secret
}

export function storeSecret(dataFolder: string, name: SecretName, secret: string): void {
  const file = join(dataFolder, 'secrets.json')
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify({ ...readSecrets(dataFolder), [name]: secret }, null, 2), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

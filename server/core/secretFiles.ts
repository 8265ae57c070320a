import { readFileSync } from 'node:fs'
import type { SecretSetting } from './settings.ts'

/** A secret that was read from a file, which may change while the process runs. */
interface SecretFile {
  file: string
  /** The secret as it was read at the start, which is part of the settings. */
  first: string
  /** The last secret that was accepted. */
  last: string
}

export type SecretFiles = Partial<Record<SecretSetting, SecretFile>>

const files: SecretFiles = {}

/** Remembers that a secret was read from a file. */
export function rememberSecretFile(name: SecretSetting, file: string, secret: string): void {
  files[name] = { file, first: secret, last: secret }
}

/** The secrets that were read from files, to pass to a thread of this process. */
export function listSecretFiles(): SecretFiles {
  return files
}

/** Adopts the secrets that another thread of this process read from files. */
export function adoptSecretFiles(others: SecretFiles): void {
  Object.assign(files, others)
}

/** Whether a secret was read from a file. */
export function isFromSecretFile(name: SecretSetting, known: string): boolean {
  return files[name]?.first === known
}

/**
 * The secret as it is now. If it came from a file, the file is read again, so that a changed secret needs no restart.
 * @param known the secret as it was read at the start
 * @param isAcceptable whether the new content of the file may replace the last accepted secret
 * @returns the last accepted secret if the file is missing, empty (as while it is being written) or not acceptable
 */
export function readCurrentSecret(
  name: SecretSetting,
  known: string,
  isAcceptable: (next: string, last: string) => boolean = () => true,
): string {
  const secret = files[name]
  if (secret?.first !== known) return known
  try {
    const next = readFileSync(secret.file, 'utf8').trim()
    if (next && isAcceptable(next, secret.last)) secret.last = next
  } catch {
    // The file cannot be read, so keep the last accepted secret.
  }
  return secret.last
}

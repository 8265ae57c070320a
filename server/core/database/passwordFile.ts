import { readFileSync } from 'node:fs'

let loaded: { file: string; password: string } | null = null

/** Remembers that `DATABASE_PASSWORD` was read from a file. */
export function rememberPasswordFile(file: string, password: string): void {
  loaded = { file, password }
}

/** Whether a password was read from a file, which may change. */
export function isFromPasswordFile(known: string): boolean {
  return loaded?.password === known
}

/**
 * The password for a new connection. If the known one came from a file, the file is read again, so that a changed password needs no restart.
 * @param known the password of the role as it was read at the start
 */
export function readCurrentPassword(known: string): string {
  if (!loaded || !isFromPasswordFile(known)) return known
  try {
    return readFileSync(loaded.file, 'utf8').trim() || known
  } catch {
    return known
  }
}

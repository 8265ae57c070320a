import { existsSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Removes data folders with their databases, which may be in other folders (server/launch/postgres.ts). */
export function removeDataFolders(...folders: readonly string[]): void {
  for (const folder of folders) {
    const database = join(folder, 'postgres')
    if (existsSync(database)) rmSync(realpathSync(database), { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

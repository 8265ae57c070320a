import { and, eq, lt, sql } from 'drizzle-orm'
import { noUserId, type UserId } from '../../../domain/values/ids.ts'
import { importProgress } from '../../../drizzle/accessTables.ts'
import type { Store } from '../../core/database/database.ts'
import { log } from '../../core/log.ts'
import type { ImportProgressReporter } from './commands.ts'

/**
 * Stores the progress of an import outside its transaction, so that the screen that started it can read it. The import does not wait for
 * the write: it already holds a connection, and many imports that each waited for a second one would deadlock.
 */
export function createProgressRecorder(
  store: Store,
  key: string | null | undefined,
  userId: UserId | null,
): ImportProgressReporter | undefined {
  if (!key || userId === null) return undefined
  let writing = false
  return async (phase, done, total) => {
    if (writing) return
    writing = true
    const written = store.asPlatform(async (tx) => {
      await tx.delete(importProgress).where(lt(importProgress.updated, sql`now() - interval '1 hour'`))
      const row = { userId, phase, done, total, updated: new Date().toISOString() }
      // Progress under a key can be changed only by the user who first used the key.
      await tx
        .insert(importProgress)
        .values({ key, ...row })
        .onConflictDoUpdate({ target: importProgress.key, set: row, setWhere: eq(importProgress.userId, userId) })
    })
    void written
      .catch((error) => log.warn({ err: error }, 'progress was not stored'))
      .finally(() => {
        writing = false
      })
  }
}

/** The progress of one of the caller's imports; null before it first reports. */
export async function readImportProgress(
  store: Store,
  key: string,
  userId: UserId | null,
): Promise<{ phase: 'checking' | 'saving'; done: number; total: number } | null> {
  const [row] = await store.asPlatform((tx) =>
    tx
      .select({ phase: importProgress.phase, done: importProgress.done, total: importProgress.total })
      .from(importProgress)
      .where(and(eq(importProgress.key, key), eq(importProgress.userId, userId ?? noUserId))),
  )
  return row ?? null
}

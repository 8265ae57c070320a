import { and, eq, lt, sql } from 'drizzle-orm'
import { importProgress } from '../../drizzle/accessTables.ts'
import type { Store } from './database.ts'
import type { Progress } from './importStore.ts'

/** Keeps how far an import is, outside its transaction, so that the screen that began it can ask. */
export function progressOf(store: Store, key: string | null | undefined, userId: number | null): Progress | undefined {
  if (!key || userId === null) return undefined
  return (phase, done, total) =>
    store.asPlatform(async (tx) => {
      await tx.delete(importProgress).where(lt(importProgress.updated, sql`now() - interval '1 hour'`))
      const row = { userId, phase, done, total, updated: new Date().toISOString() }
      // Nobody but who began it may go on with a key.
      await tx
        .insert(importProgress)
        .values({ key, ...row })
        .onConflictDoUpdate({ target: importProgress.key, set: row, setWhere: eq(importProgress.userId, userId) })
    })
}

/** How far an import of the caller is; null before its first word. */
export async function readProgress(
  store: Store,
  key: string,
  userId: number | null,
): Promise<{ phase: 'checking' | 'saving'; done: number; total: number } | null> {
  const [row] = await store.asPlatform((tx) =>
    tx
      .select({ phase: importProgress.phase, done: importProgress.done, total: importProgress.total })
      .from(importProgress)
      .where(and(eq(importProgress.key, key), eq(importProgress.userId, userId ?? -1))),
  )
  return row ?? null
}

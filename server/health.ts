import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Express } from 'express'
import type { Services } from './trpc/context.ts'

const journal = JSON.parse(readFileSync(join(import.meta.dirname, '../drizzle/migrations/meta/_journal.json'), 'utf8')) as {
  entries: unknown[]
}

async function holds(check: () => Promise<unknown>): Promise<boolean> {
  const late = new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error('late')), 3000).unref())
  return Promise.race([check(), late]).then(
    (value) => value !== false,
    () => false,
  )
}

/** `/healthz`: the process answers. `/readyz`: so do the database, the queue and all migrations. Neither asks for a sign-in. */
export function health(app: Express, { store, queues }: Services): void {
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', async (_req, res) => {
    const [database, queue, migrations] = await Promise.all([
      holds(() => store.db.execute(sql`select 1`)),
      holds(() => queues.ping()),
      holds(async () => {
        const [row] = await store.db.execute<{ count: number }>(sql`select count(*)::int as count from drizzle.__drizzle_migrations`)
        return row!.count === journal.entries.length
      }),
    ])
    const ready = database && queue && migrations
    res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'not ready', database, queue, migrations })
  })
}

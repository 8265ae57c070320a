import type { Express } from 'express'
import type { Services } from '../core/calls/context.ts'
import { readinessOf } from '../core/watch/readiness.ts'
import { isMigrated } from '../launch/databaseChecks.ts'

/** `/healthz`: the process answers. `/readyz`: so do the database, the queue and all migrations, or it says in words why not. Neither asks for a sign-in. */
export function health(app: Express, { store, queues }: Services): void {
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', async (_req, res) => {
    const readiness = await readinessOf(store, queues, isMigrated)
    res.status(readiness.status === 'ok' ? 200 : 503).json(readiness)
  })
}

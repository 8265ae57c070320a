import type { Express } from 'express'
import type { Services } from '../core/calls/context.ts'
import { checkReadiness } from '../core/watch/readiness.ts'
import { isMigrated } from '../launch/databaseChecks.ts'

/**
 * Mounts `/healthz` (the process is up) and `/readyz` (so are the database, the queue and all migrations; if not, it says why). Neither
 * needs a sign-in.
 */
export function mountHealthChecks(app: Express, { store, queues }: Services): void {
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', async (_req, res) => {
    const readiness = await checkReadiness(store, queues, isMigrated)
    res.status(readiness.status === 'ok' ? 200 : 503).json(readiness)
  })
}

import type { Express } from 'express'
import { checkReadiness, type ReadinessDependencies } from '../core/watch/readiness.ts'
import { hasAllMigrations } from '../launch/databaseChecks.ts'

/**
 * Mounts `/healthz` (the process is up) and `/readyz` (calls can be answered and changes saved; it also says what else is wrong). Neither
 * needs a sign-in.
 */
export function mountHealthChecks(app: Express, dependencies: ReadinessDependencies): void {
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', async (_req, res) => {
    const readiness = await checkReadiness(dependencies, hasAllMigrations)
    res.status(readiness.status === 'not ready' ? 503 : 200).json(readiness)
  })
}

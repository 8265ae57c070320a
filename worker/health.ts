import { createServer, type ServerResponse } from 'node:http'
import { log } from '../server/core/log.ts'
import { checkReadiness, type ReadinessDependencies } from '../server/core/watch/readiness.ts'
import { hasAllMigrations } from '../server/launch/databaseChecks.ts'

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

/**
 * Serves `/healthz` (the worker is up) and `/readyz` (it can save its work) on localhost, as the server does on its own port.
 * @param port null for no health server
 * @throws Error if the port is taken
 */
export async function openHealthServer(port: number | null, dependencies: ReadinessDependencies): Promise<{ close(): void } | null> {
  if (!port) return null
  const server = createServer((req, res) => {
    if (req.url === '/healthz') return sendJson(res, 200, { status: 'ok' })
    if (req.url !== '/readyz') return void res.writeHead(404).end()
    checkReadiness(dependencies, hasAllMigrations).then(
      (readiness) => sendJson(res, readiness.status === 'not ready' ? 503 : 200, readiness),
      (error) => {
        log.warn({ err: error }, 'the readiness check failed')
        res.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((done, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      failed(error.code === 'EADDRINUSE' ? new Error(`WORKER_PORT ${port} is taken. Set it to another.`) : error),
    )
    server.listen(port, '127.0.0.1', done)
  })
  return {
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

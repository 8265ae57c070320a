import { createServer, type ServerResponse } from 'node:http'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import type { Queues } from '../server/core/queue/queues.ts'
import { readinessOf } from '../server/core/watch/readiness.ts'
import { isMigrated } from '../server/launch/databaseChecks.ts'

function say(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

/**
 * Says on this machine alone, at the same paths as a server, that this worker lives and whether what it stands on answers.
 * @param port null: it says so nowhere
 * @throws Error when the port is taken
 */
export async function openHealth(port: number | null, store: Store, queues: Queues): Promise<{ close(): void } | null> {
  if (!port) return null
  const server = createServer((req, res) => {
    if (req.url === '/healthz') return say(res, 200, { status: 'ok' })
    if (req.url !== '/readyz') return void res.writeHead(404).end()
    readinessOf(store, queues, isMigrated).then(
      (readiness) => say(res, readiness.status === 'ok' ? 200 : 503, readiness),
      (error) => {
        log.warn({ err: error }, 'readiness')
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

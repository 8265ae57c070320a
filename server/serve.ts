import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import express from 'express'
import { createApp } from './app.ts'
import { deleteExpiredSignInState } from './auth/adapter.ts'
import { type CallerCache, openCallerCache } from './auth/caller.ts'
import { loadSigningKeys } from './auth/keys.ts'
import { createTokenVerifier } from './auth/tokens.ts'
import { openRateLimits } from './core/calls/limits.ts'
import type { Config } from './core/config.ts'
import { openStore } from './core/database/database.ts'
import { log } from './core/log.ts'
import { type FanOut, openFanOut, openQueues } from './core/queue/queues.ts'
import { root } from './core/root.ts'
import { openHeartbeat } from './core/watch/heartbeat.ts'
import { openMetrics } from './core/watch/metrics.ts'
import { openLongCallThreads } from './http/longCallThreads.ts'
import { openHub } from './hub/hub.ts'
import { checkDatabase } from './launch/databaseChecks.ts'

/** How long a stopping server waits for running calls. */
const drainMs = 20_000

/**
 * How long an idle connection stays open. It must be longer than a proxy keeps the connection (Caddy: two minutes): if the server closed it
 * just as the proxy sent a call, that call would be lost.
 */
const keepAliveMs = 130_000

const tidyEveryMs = 5 * 60_000

/** A running web server. It holds no state, so any number can run at the same time. */
export interface RunningServer {
  warmUp(): void
  close(): Promise<void>
}

/**
 * Opens the database, the queue and the hub, and listens on the port.
 * @param thread entry file of the long-call thread, if it is bundled elsewhere
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function serve(config: Config, thread?: URL): Promise<RunningServer> {
  const store = openStore(config, 10, 'calls')
  await checkDatabase(store, config).catch(async (error) => {
    await store.close()
    throw error
  })
  const [queues, relay, keys] = await Promise.all([openQueues(config), openFanOut(config, 'server'), loadSigningKeys(store)])
  const limits = openRateLimits(config, store)
  const verify = createTokenVerifier(config, keys)
  const callers = openCallerCache({ store, limits }, verify)
  const fanOut = withRightsInvalidation(relay, callers)
  const heartbeat = openHeartbeat(store, 'server')
  const services = { config, store, queues, fanOut, limits }
  const app = express()
  let stopping = false
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (req, res) => {
    // Close each connection after its last answer, so that the next call reaches another server.
    if (stopping) res.setHeader('Connection', 'close')
    answer(req, res)
  })
  const hub = openHub(app, server, { services, verify })
  const longCalls = openLongCallThreads(config, thread)
  const answer = createApp(app, { services, heartbeat, longCalls, keys, callers, clientFolder: join(root, 'client/dist') })
  server.on('clientError', handleParserError)
  server.on('connect', (_req, socket) => answerStatusOnly(socket, '405 Method Not Allowed'))
  let metrics: Awaited<ReturnType<typeof openMetrics>> = null
  const tidy = setInterval(() => {
    deleteExpiredSignInState(store).catch((error) => log.warn({ err: error }, 'expired sign-ins could not be removed'))
  }, tidyEveryMs)
  const close = async (): Promise<void> => {
    stopping = true
    clearInterval(tidy)
    const answered = new Promise<void>((done) => server.close(() => done()))
    hub.close()
    const idle = setInterval(() => server.closeIdleConnections(), 100)
    server.closeIdleConnections()
    const late = setTimeout(() => {
      log.warn('closing connections whose calls did not finish in time')
      server.closeAllConnections()
    }, drainMs)
    await answered
    await metrics?.close()
    await longCalls.close()
    clearInterval(idle)
    clearTimeout(late)
    limits.close()
    await Promise.allSettled([queues.close(), fanOut.close(), heartbeat.close()])
    await store.close()
  }
  try {
    await new Promise<void>((done, failed) => {
      server.once('error', failed)
      server.listen(config.port, done)
    })
    metrics = await openMetrics({ config, store, queues, heartbeat, liveConnections: hub.size })
  } catch (error) {
    await close()
    throw error
  }
  return { warmUp: longCalls.warmUp, close }
}

/** How long a caller has to read the reply before the connection is destroyed. */
const readStatusMs = 1000

/** Node's parser errors that the caller can fix, with the status that explains each. */
const parserErrorStatuses = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_INVALID_METHOD', '501 Not Implemented'],
])

/** Handles input that is not valid HTTP: answers the errors in `parserErrorStatuses`, otherwise destroys the connection. */
function handleParserError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const status = parserErrorStatuses.get(error.code ?? '')
  if (status) answerStatusOnly(socket, status)
  else socket.destroy()
}

function answerStatusOnly(socket: Duplex, status: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  // Drain the rest of the request: closing with unread data resets the connection and discards the answer.
  socket.resume()
  setTimeout(() => socket.destroy(), readStatusMs).unref()
}

/** Wraps the fan-out so that a change of permissions clears the cache of callers at once, whichever server publishes it. */
function withRightsInvalidation({ publish, subscribe, close }: FanOut, callers: CallerCache): FanOut {
  const invalidateOn = (target: string): void => {
    if (target === '#rightsChanged') callers.invalidate()
  }
  return {
    publish: (organisationId, message) => {
      invalidateOn(message.target)
      return publish(organisationId, message)
    },
    subscribe: (listener) =>
      subscribe((organisationId, message) => {
        invalidateOn(message.target)
        listener(organisationId, message)
      }),
    close,
  }
}

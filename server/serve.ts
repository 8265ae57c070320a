import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import express from 'express'
import { createApp } from './app.ts'
import { forgetExpired } from './auth/adapter.ts'
import { type Callers, openCallers } from './auth/caller.ts'
import { signingKeysOf } from './auth/keys.ts'
import { tokenVerifier } from './auth/tokens.ts'
import { openLimits } from './core/calls/limits.ts'
import type { Config } from './core/config.ts'
import { openStore } from './core/database/database.ts'
import { log } from './core/log.ts'
import { type FanOut, openFanOut, openQueues } from './core/queue/queues.ts'
import { root } from './core/root.ts'
import { openMetrics } from './core/watch/metrics.ts'
import { openHeavyCalls } from './http/heavyCalls.ts'
import { openHub } from './hub/hub.ts'
import { checkDatabase } from './launch/databaseChecks.ts'

/** Calls that are running when a server is asked to stop are answered first, as far as they take no longer. */
const drainMs = 20_000

/**
 * A connection that is not used is kept longer than any proxy in front keeps it (Caddy: two minutes): one that ended it just as a proxy sent
 * a call over it would lose that call.
 */
const keepAliveMs = 130_000

/** How often what the sign-in no longer needs is removed. */
const tidyEveryMs = 5 * 60_000

/** A web server that answers; any number of them may run beside each other, they hold no state. */
export interface RunningServer {
  /** Makes ready for long calls: for a server that stays, as the first of them would else wait for it. */
  warmUp(): void
  close(): Promise<void>
}

/**
 * Opens the database, the queue and the hub, and listens.
 * @param thread where the thread of long calls begins, if elsewhere than beside the server
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function serve(config: Config, thread?: URL): Promise<RunningServer> {
  const store = openStore(config, 10, 'calls')
  await checkDatabase(store, config).catch(async (error) => {
    await store.close()
    throw error
  })
  const [queues, relay, keys] = await Promise.all([openQueues(config), openFanOut(config, 'server'), signingKeysOf(store)])
  const limits = openLimits(config, store)
  const verify = tokenVerifier(config, keys)
  const callers = openCallers({ store, limits }, verify)
  const fanOut = forgettingRights(relay, callers)
  const services = { config, store, queues, fanOut, limits }
  const app = express()
  let stopping = false
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (req, res) => {
    // An answer given while stopping is the last one on its connection, so that the next call goes to another server.
    if (stopping) res.setHeader('Connection', 'close')
    answer(req, res)
  })
  const hub = openHub(app, server, { services, verify })
  const heavy = openHeavyCalls(config, thread)
  const answer = createApp(app, { services, heavy, keys, callers, clientFolder: join(root, 'client/dist') })
  server.on('clientError', endConnection)
  server.on('connect', (_req, socket) => answerPlainly(socket, '405 Method Not Allowed'))
  let metrics: Awaited<ReturnType<typeof openMetrics>> = null
  const tidy = setInterval(() => {
    forgetExpired(store).catch((error) => log.warn({ err: error }, 'expired sign-ins could not be removed'))
  }, tidyEveryMs)
  const close = async (): Promise<void> => {
    stopping = true
    clearInterval(tidy)
    const answered = new Promise<void>((done) => server.close(() => done()))
    hub.close()
    const idle = setInterval(() => server.closeIdleConnections(), 100)
    server.closeIdleConnections()
    const late = setTimeout(() => {
      log.warn('calls took too long to be waited for')
      server.closeAllConnections()
    }, drainMs)
    await answered
    await metrics?.close()
    await heavy.close()
    clearInterval(idle)
    clearTimeout(late)
    limits.close()
    await Promise.allSettled([queues.close(), fanOut.close()])
    await store.close()
  }
  try {
    await new Promise<void>((done, failed) => {
      server.once('error', failed)
      server.listen(config.port, done)
    })
    metrics = await openMetrics({ config, store, queues, liveConnections: hub.size })
  } catch (error) {
    await close()
    throw error
  }
  return { warmUp: heavy.warmUp, close }
}

/** Milliseconds in which a caller whose call cannot be read may still hear why. */
const lastWordMs = 1000

/** What the parser cannot read and whoever sent it can do something about, by the codes of the parser. */
const unreadable = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_INVALID_METHOD', '501 Not Implemented'],
])

/** What comes in that is no HTTP ends its own connection and nothing else; a head that is too long, or an unknown method, is told so. */
function endConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  const status = unreadable.get(error.code ?? '')
  if (status) answerPlainly(socket, status)
  else socket.destroy()
}

/** Answers with a status and nothing else, and ends the connection. */
function answerPlainly(socket: Duplex, status: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  // What is still on its way is read and thrown away: closing on it would take back the answer.
  socket.resume()
  setTimeout(() => socket.destroy(), lastWordMs).unref()
}

/** A change of rights counts here as soon as it is told by this server, and elsewhere as soon as it is heard of. */
function forgettingRights({ publish, subscribe, close }: FanOut, callers: Callers): FanOut {
  const hear = (target: string): void => {
    if (target === '#rightsChanged') callers.forget()
  }
  return {
    publish: (organisationId, message) => {
      hear(message.target)
      return publish(organisationId, message)
    },
    subscribe: (listener) =>
      subscribe((organisationId, message) => {
        hear(message.target)
        listener(organisationId, message)
      }),
    close,
  }
}

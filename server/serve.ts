import { createServer } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { createApp } from './app.ts'
import { signingKeysOf } from './auth/keys.ts'
import { tokenVerifier } from './auth/tokens.ts'
import type { Config } from './config.ts'
import { openHub } from './hub/hub.ts'
import { openFanOut, openQueues } from './queue/queues.ts'
import { openStore } from './store/database.ts'

/** A web server that answers; any number of them may run beside each other, they hold no state. */
export interface RunningServer {
  close(): Promise<void>
}

/** Opens the database, the queue and the hub, and listens. @throws Error with code EADDRINUSE when the port is taken */
export async function serve(config: Config): Promise<RunningServer> {
  const store = openStore(config.databaseUrl)
  const [queues, fanOut, keys] = await Promise.all([openQueues(config), openFanOut(config, 'server'), signingKeysOf(store)])
  const services = { config, store, queues, fanOut }
  const verify = tokenVerifier(config, keys)
  const app = express()
  const server = createServer(app)
  const hub = openHub(app, server, services, verify)
  createApp(app, services, keys, verify, join(import.meta.dirname, '../client/dist'))
  const close = async (): Promise<void> => {
    hub.close()
    server.close()
    server.closeAllConnections()
    await Promise.allSettled([queues.close(), fanOut.close()])
    await store.close()
  }
  try {
    await new Promise<void>((done, failed) => {
      server.once('error', failed)
      server.listen(config.port, done)
    })
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

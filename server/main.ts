import { createServer } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { createApp } from './app.ts'
import { tokenVerifier } from './auth/tokens.ts'
import { signingKeysOf } from './auth/keys.ts'
import { readConfig } from './config.ts'
import { openHub } from './hub/hub.ts'
import { log } from './log.ts'
import { openFanOut, openQueues } from './queue/queues.ts'
import { openStore } from './store/database.ts'

/** The web server: any number of them may run beside each other, they hold no state. */
const config = readConfig()
const store = openStore(config.databaseUrl)
const [queues, fanOut, keys] = await Promise.all([openQueues(config), openFanOut(config, 'server'), signingKeysOf(store)])
const services = { config, store, queues, fanOut }
const verify = tokenVerifier(config, keys)
const app = express()
const server = createServer(app)
const hub = openHub(app, server, services, verify)
createApp(app, services, keys, verify, join(import.meta.dirname, '../client/dist'))

server.on('error', (error: NodeJS.ErrnoException) => {
  log.fatal(error.code === 'EADDRINUSE' ? `Port ${config.port} is taken. Stop what uses it, or set PORT to another.` : error.message)
  process.exit(1)
})
server.listen(config.port, () => {
  log.info({ port: config.port }, 'server is ready')
  process.send?.('ready')
})

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  hub.close()
  server.close()
  server.closeAllConnections()
  await Promise.allSettled([queues.close(), fanOut.close()])
  await store.close()
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.on('disconnect', stop)

import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../../domain/errors.ts'
import { openLimits } from '../core/calls/limits.ts'
import type { Config } from '../core/config.ts'
import { openStore } from '../core/database/database.ts'
import { log } from '../core/log.ts'
import { openFanOut, openQueues } from '../core/queue/queues.ts'
import { handOn } from '../core/watch/counted.ts'
import { startTracing } from '../core/watch/tracing.ts'
import { answerCall } from './answerCall.ts'
import { parseJson } from './body.ts'
import type { Call, Reply } from './call.ts'

if (!parentPort) throw new Error('This file is run as a thread.')
const port = parentPort
handOn((counted) => port.postMessage({ counted }))

/** The thread in which the long calls of a server are worked on. It answers what it is handed and decides nothing else. */
const config: Config = workerData
await startTracing('server')
const store = openStore(config, 4)
const [queues, fanOut] = await Promise.all([openQueues(config), openFanOut(config, 'server')])
const services = { config, store, queues, fanOut, limits: openLimits(config, store) }

async function answer(call: Call): Promise<Reply> {
  const body = call.body instanceof Uint8Array ? parseJson(call.body) : call.body
  return answerCall(services, { ...call, body })
}

port.on('message', ({ id, call }: { id: number; call: Call }) => {
  answer(call).then(
    (reply) => port.postMessage({ id, reply }),
    (error) => {
      // Only data crosses over, no classes.
      if (error instanceof DomainError) return port.postMessage({ id, refusal: { ...error, message: error.message } })
      log.error({ err: error, requestId: call.requestId }, 'long call failed')
      port.postMessage({ id })
    },
  )
})
// An error that nobody waited for belongs to one call; the others go on.
process.on('uncaughtException', (error) => log.error({ err: error }, 'an error that nobody waited for'))

import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../../domain/words/errors.ts'
import { openLimits } from '../core/calls/limits.ts'
import type { Config } from '../core/config.ts'
import { openStore } from '../core/database/database.ts'
import { log } from '../core/log.ts'
import { openFanOut, openQueues } from '../core/queue/queues.ts'
import { handOn } from '../core/watch/counted.ts'
import { startTracing } from '../core/watch/tracing.ts'
import { answerCall } from './answerCall.ts'
import { parseJson } from './body.ts'
import type { Call, Outcome } from './call.ts'

if (!parentPort) throw new Error('This file is run as a thread.')
const port = parentPort
handOn((counted) => port.postMessage({ counted }))

/**
 * The priority of a long call where short ones run at 0, from -20 (highest) to 19: about a third of a processor that both want. Lower still,
 * a machine that has other work to do would hardly ever get to the long ones.
 */
const priority = 5

/**
 * Lets short calls go first where processors are few. Only Linux gives a thread a priority of its own: elsewhere, and where it is refused,
 * long calls compete with short ones.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, priority)
  } catch (error) {
    log.warn({ err: error }, 'the priority of a thread of long calls was not lowered')
  }
}

lowerPriority()

/** A thread in which long calls of a server are worked on, one at a time. It answers what it is handed and decides nothing else. */
const config: Config = workerData
await startTracing('server')
// One for the call, and one for what it says of how far it is.
const store = openStore(config, 2, 'longCalls')
const [queues, fanOut] = await Promise.all([openQueues(config), openFanOut(config, 'server')])
const services = { config, store, queues, fanOut, limits: openLimits(config, store) }

/** Answers a call; a refusal is told, not thrown. */
export default async function answer(call: Call): Promise<Outcome> {
  try {
    const body = call.body instanceof Uint8Array ? parseJson(call.body) : call.body
    return { reply: await answerCall(services, { ...call, body }) }
  } catch (error) {
    // Only data crosses over, no classes.
    if (error instanceof DomainError) return { refusal: { ...error, message: error.message } }
    log.error({ err: error, requestId: call.requestId }, 'long call failed')
    return {}
  }
}
// An error that nobody waited for belongs to one call; the others go on.
process.on('uncaughtException', (error) => log.error({ err: error }, 'an error that nobody waited for'))

import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../../domain/words/errors.ts'
import { openRateLimits } from '../core/calls/limits.ts'
import { openStore } from '../core/database/database.ts'
import { log } from '../core/log.ts'
import { openFanOut, openQueues } from '../core/queue/queues.ts'
import { adoptSecretFiles } from '../core/secretFiles.ts'
import { forwardCounts } from '../core/watch/counters.ts'
import { startTracing } from '../core/watch/tracing.ts'
import { answerCall } from './answerCall.ts'
import { parseJsonBody } from './body.ts'
import type { HttpCall, ThreadOutcome, ThreadStart } from './call.ts'

if (!parentPort) throw new Error('This file is run as a thread.')
const port = parentPort
forwardCounts((counted) => port.postMessage({ counted }))

/**
 * The priority of a long-call thread, from -20 (highest) to 19; the main thread has 0. With 5 it gets about a quarter of a contended
 * processor. With a much lower priority it would starve on a busy machine.
 */
const priority = 5

/**
 * Lowers the priority of this thread, so that short calls go first when processors are busy. Only Linux has a priority for each thread;
 * elsewhere, or if lowering it fails, long calls compete with short ones.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, priority)
  } catch (error) {
    log.warn({ err: error }, 'the priority of a long-call thread could not be lowered')
  }
}

lowerPriority()

const { config, secretFiles }: ThreadStart = workerData
adoptSecretFiles(secretFiles)
await startTracing('server')
// Two connections: one for the call, one for its progress messages.
const store = openStore(config, 2, 'longCalls')
const [queues, fanOut] = await Promise.all([openQueues(config), openFanOut(config, 'server')])
const services = { config, store, queues, fanOut, limits: openRateLimits(config, store) }

/** Answers a call. Refusals are returned, not thrown. */
export default async function answer(call: HttpCall): Promise<ThreadOutcome> {
  try {
    const body = call.body instanceof Uint8Array ? parseJsonBody(call.body) : call.body
    return { reply: await answerCall(services, { ...call, body }) }
  } catch (error) {
    // Class instances cannot be posted between threads.
    if (error instanceof DomainError) return { refusal: { ...error, message: error.message } }
    log.error({ err: error, requestId: call.requestId }, 'a long call failed')
    return {}
  }
}
// A stray error concerns one call; the thread must survive for the other calls.
process.on('uncaughtException', (error) => log.error({ err: error }, 'an uncaught error in a long-call thread'))

// Replaces the thread of long calls: each call waits until the test releases it, so that the test can look at the calls queued behind it.
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

export default async function answer({ requestId }) {
  appendFileSync(join(workerData.config.exchangeDir, 'begun'), `${requestId}\n`)
  while (!existsSync(join(workerData.config.exchangeDir, requestId))) await wait(10)
  return { reply: { status: 200, headers: { 'Content-Type': 'text/plain' }, body: requestId } }
}

import { existsSync, readFileSync } from 'node:fs'

/*
 * Loaded into a server process before anything else: says, when the test asks, how long the event loop was held at most since it last did, by
 * what the process itself did. Time for which its main thread stood ready and was given no processor is taken off where the system tells
 * (Linux): on a busy machine everybody waits, whatever they do.
 */
const everyMs = 10
const ready = `/proc/self/task/${process.pid}/schedstat`
const isTold = existsSync(ready)

/** Milliseconds for which the main thread waited for a processor so far. */
function waitedMs() {
  return isTold ? Number(readFileSync(ready, 'latin1').split(' ')[1]) / 1e6 : 0
}

let longest = 0
let before = { at: performance.now(), waited: waitedMs() }
setInterval(() => {
  const now = { at: performance.now(), waited: waitedMs() }
  longest = Math.max(longest, now.at - before.at - everyMs - (now.waited - before.waited))
  before = now
}, everyMs).unref()

process.on('message', (message) => {
  if (message !== 'longestHoldMs') return
  process.send?.({ longestHoldMs: longest })
  longest = 0
})

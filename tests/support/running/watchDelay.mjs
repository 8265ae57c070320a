import { existsSync, readFileSync } from 'node:fs'

/*
 * Loaded into a server process before anything else. On request it reports the longest time since the last request for which the process
 * blocked its own event loop. On Linux, time in which the main thread was ready but got no processor is deducted, because it only shows
 * that the machine was busy.
 */
const everyMs = 10
const schedulerFile = `/proc/self/task/${process.pid}/schedstat`
const isMeasured = existsSync(schedulerFile)

/** Milliseconds for which the main thread waited for a processor so far. */
function waitedMs() {
  return isMeasured ? Number(readFileSync(schedulerFile, 'latin1').split(' ')[1]) / 1e6 : 0
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

/**
 * Runs a task one run at a time, and merges requests: all requests that arrive during a run share one further run, because the current run
 * may already have read the data that they are about.
 * @returns a function that requests a run; its promise settles once a run has ended that began after the request
 */
export function coalesceRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    running = work().finally(() => {
      running = null
    })
    return running
  }
  const request = (): Promise<void> => {
    if (!running) return begin()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        // Another request may have started a run in the meantime.
        return request()
      })
    return next
  }
  return request
}

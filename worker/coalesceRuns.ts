/**
 * Runs a task one at a time and merges requests: all requests that arrive during a run share one further run, because the current run may
 * already have passed what they ask about.
 * @returns requests a run; the promise settles when a run that started after the request has ended
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

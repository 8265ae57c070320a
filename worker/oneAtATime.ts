/**
 * Does something that may be asked for at any time, once at a time: asked for while it is being done, it is done once more afterwards, for
 * it may have gone past what it is asked for now.
 * @returns asks for it, and is fulfilled once it was done since
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    running = work().finally(() => {
      running = null
    })
    return running
  }
  const ask = (): Promise<void> => {
    if (!running) return begin()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        // Somebody may have begun it in between.
        return ask()
      })
    return next
  }
  return ask
}

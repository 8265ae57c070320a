/** Milliseconds that long work may run before it yields. */
const turnMs = 20

/**
 * Lets other work run during long work in the same process. Await the returned function between steps: it yields when the work has used up
 * its turn. Steps should be far shorter than a turn.
 */
export function createYielder(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < turnMs) return undefined
    return new Promise((done) =>
      setImmediate(() => {
        began = performance.now()
        done()
      }),
    )
  }
}

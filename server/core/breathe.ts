/** Milliseconds after which a long piece of work lets others in. */
const turnMs = 20

/**
 * For long work in a process that answers others meanwhile: a function to await between two steps, which lets whatever waits go first when
 * this work has had its turn. Steps should be far shorter than a turn.
 */
export function breather(): () => Promise<void> | undefined {
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

import { serverBusy } from '../../domain/words/errors.ts'

/** A limited resource, such as connections or threads, shared fairly among those who request it. */
export interface FairLimiter {
  /**
   * Runs work when its turn comes. Turns rotate among the waiting holders, so a holder with much work only delays itself.
   * @param holder whose share it uses, such as an organisation
   * @param signal ends the wait, not the work
   * @throws DomainError 503 if too much already waits for the same holder, or it waited too long; the reason of the signal if that ends the
   * wait
   */
  turn<T>(holder: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Whether a holder's next piece of work would wait. */
  isTaken(holder: string): boolean
  load(): { running: number; waiting: number }
}

interface ShareLimits {
  /** The most pieces of work at a time. */
  most: number
  /** The most at a time for one holder. */
  each: number
  /** The most that may wait for one holder; more are refused. */
  mostWaiting: number
  longestWaitMs: number
  /** The sentence for refused work. */
  sentence: string
}

/** Seconds that holders should wait before a retry. */
const retrySeconds = 5

interface SlotHolder {
  running: number
  waiting: Set<() => void>
}

/** Creates a limiter for the work of this process. */
export function createFairLimiter({ most, each, mostWaiting, longestWaitMs, sentence }: ShareLimits): FairLimiter {
  // In the order in which the holders are served.
  const holders = new Map<string, SlotHolder>()
  let running = 0

  /** Starts as much waiting work as the limits allow, one piece for each holder in turn. */
  function serve(): void {
    for (const [name, holder] of [...holders]) {
      if (running >= most) return
      const [next] = holder.waiting
      if (!next || holder.running >= each) continue
      holders.delete(name)
      holders.set(name, holder)
      next()
    }
  }

  function waitFor(holder: SlotHolder, signal: AbortSignal | undefined): Promise<void> {
    if (holder.waiting.size >= mostWaiting) throw serverBusy(sentence, retrySeconds)
    return new Promise((done, fail) => {
      const leave = (how: () => void) => () => {
        holder.waiting.delete(begin)
        clearTimeout(timer)
        signal?.removeEventListener('abort', gone)
        how()
      }
      const begin = leave(() => {
        running++
        holder.running++
        done()
      })
      const gone = leave(() => fail(signal?.reason))
      const timer = setTimeout(
        leave(() => fail(serverBusy(sentence, retrySeconds))),
        longestWaitMs,
      )
      holder.waiting.add(begin)
      signal?.addEventListener('abort', gone)
    })
  }

  return {
    async turn(name, work, signal) {
      signal?.throwIfAborted()
      const holder = holders.get(name) ?? { running: 0, waiting: new Set() }
      holders.set(name, holder)
      if (running < most && holder.running < each && !holder.waiting.size) {
        running++
        holder.running++
      } else await waitFor(holder, signal)
      try {
        return await work()
      } finally {
        running--
        holder.running--
        if (!holder.running && !holder.waiting.size) holders.delete(name)
        serve()
      }
    },
    isTaken: (name) => (holders.get(name)?.running ?? 0) >= each,
    load: () => ({ running, waiting: [...holders.values()].reduce((sum, { waiting }) => sum + waiting.size, 0) }),
  }
}

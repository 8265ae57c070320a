import { busy } from '../../domain/words/errors.ts'

/** Something of which there is only so much, such as connections or threads, shared out between those who ask for it. */
export interface Shares {
  /**
   * Does work when its turn comes. Whoever asks for much waits behind their own work: turns go round between those who wait.
   * @param holder whose share it takes, such as an organisation
   * @param signal ends the wait, not the work
   * @throws DomainError 503 when too many wait already for the same holder, or it waited too long; the reason of the signal
   */
  turn<T>(holder: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Whether a holder's next piece of work would wait. */
  isTaken(holder: string): boolean
  load(): { running: number; waiting: number }
}

interface Limits {
  /** Pieces of work at a time. */
  most: number
  /** Pieces of work of one holder at a time. */
  each: number
  /** Pieces of work of one holder that may wait; one more is refused. */
  mostWaiting: number
  longestWaitMs: number
  /** Says why work is refused that cannot wait. */
  sentence: string
}

/** What holders are told to wait before they ask again. */
const retrySeconds = 5

interface Holder {
  running: number
  waiting: Set<() => void>
}

/** Shares with nobody in them yet. One process knows of its own work only. */
export function openShares({ most, each, mostWaiting, longestWaitMs, sentence }: Limits): Shares {
  // In the order in which they are served next.
  const holders = new Map<string, Holder>()
  let running = 0

  /** Begins what may begin, one of each holder in turn. */
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

  function waitFor(holder: Holder, signal: AbortSignal | undefined): Promise<void> {
    if (holder.waiting.size >= mostWaiting) throw busy(sentence, retrySeconds)
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
        leave(() => fail(busy(sentence, retrySeconds))),
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

import { randomUUID } from 'node:crypto'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { productVersion } from '../config.ts'
import type { Store } from '../database/database.ts'
import { log } from '../log.ts'

/** How often a process writes its row. */
const everyMs = 5000
/** A process whose row is older than this, in seconds, has ended without deleting it, or cannot write. */
export const maxSilenceSeconds = 20
/** How many seconds a clock may differ from the database's. Tokens, rate limits and schedules rely on correct clocks. */
export const maxClockSeconds = 5

/** Writes a row for this process every few seconds, which shows that it runs and that the database can write. */
export interface Heartbeat {
  /**
   * Writes the row, unless the last attempt was a few seconds ago and succeeded.
   * @throws the database's error
   */
  beat(): Promise<void>
  /** How many seconds this machine's clock is ahead of the database's; negative if it is behind, 0 if unknown. */
  clockSeconds(): number
  close(): Promise<void>
}

/**
 * @returns the seconds by which the local clock is ahead, negative if it is behind, given when a query was sent and answered; 0 if network
 * delay could explain the difference
 */
export function calculateClockLead(databaseMs: number, { sentMs, answeredMs }: { sentMs: number; answeredMs: number }): number {
  if (databaseMs < sentMs) return (sentMs - databaseMs) / 1000
  return databaseMs > answeredMs ? (answeredMs - databaseMs) / 1000 : 0
}

/** Starts the heartbeat of a process. */
export function openHeartbeat(store: Pick<Store, 'client' | 'closeConnectionsIfReadOnly'>, kind: 'server' | 'worker'): Heartbeat {
  const { client } = store
  const id = randomUUID()
  let ahead = 0
  let writtenAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> | undefined
  let isFailing = false

  async function write(): Promise<void> {
    try {
      const sentMs = Date.now()
      const { at } = requireSingleRow(
        await client<{ at: number }[]>`
          with gone as (delete from processes where seen_at < now() - interval '1 hour' and id <> ${id})
          insert into processes (id, kind, version, seen_at, clock_seconds) values (${id}, ${kind}, ${productVersion}, now(), ${ahead})
          on conflict (id) do update set seen_at = now(), clock_seconds = excluded.clock_seconds
          returning extract(epoch from clock_timestamp())::float8 * 1000 as at`,
      )
      ahead = calculateClockLead(at, { sentMs, answeredMs: Date.now() })
      writtenAt = performance.now()
      isFailing = false
    } catch (error) {
      store.closeConnectionsIfReadOnly(error)
      if (!isFailing) log.warn({ err: error }, 'the heartbeat of this process could not be stored')
      isFailing = true
      throw error
    }
  }

  const beat: Heartbeat['beat'] = async () => {
    // The timer writes; this only repeats a write that failed or is late.
    if (!isFailing && performance.now() - writtenAt < 2 * everyMs) return
    return writeOnce()
  }
  const writeOnce = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }
  // Errors are logged above, and readiness reports them.
  const writeQuietly = (): void => void writeOnce().catch(() => undefined)
  const timer = setInterval(writeQuietly, everyMs)
  writeQuietly()
  return {
    beat,
    clockSeconds: () => ahead,
    async close() {
      clearInterval(timer)
      await writing?.catch(() => undefined)
      await client`delete from processes where id = ${id}`.catch(() => undefined)
    },
  }
}

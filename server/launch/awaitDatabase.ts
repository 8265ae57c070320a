import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { isAway } from '../core/database/trouble.ts'
import { thrown } from '../core/thrown.ts'
import { certificateInWords } from './databaseChecks.ts'

/**
 * Waits for a database that is only just starting: on a new machine it is made beside whatever needs it.
 * @param forMs how long, before whoever waits is told
 * @throws Error with one sentence when it was not reached in that time; at once for anything else that is wrong
 */
export async function awaitDatabase(url: string, forMs = 60_000): Promise<void> {
  const end = Date.now() + forMs
  for (;;) {
    try {
      return await touch(url)
    } catch (error) {
      if (!isAway(error)) throw error
      if (Date.now() >= end)
        throw new Error(
          `The database at ${new URL(url).host} could not be reached within ${Math.round(forMs / 1000)} seconds (${thrown(error).code}). Start it, or correct DATABASE_URL.`,
        )
    }
    await pause(250)
  }
}

async function touch(url: string): Promise<void> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    await client`select 1`.catch(certificateInWords)
  } finally {
    await client.end({ timeout: 5 })
  }
}

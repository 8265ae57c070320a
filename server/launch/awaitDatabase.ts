import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { isDatabaseUnreachable } from '../core/database/problems.ts'
import { getThrownDetails } from '../core/thrownDetails.ts'
import { rethrowCertificateError } from './databaseChecks.ts'

/**
 * Waits until the database has started.
 * @param forMs the longest wait in milliseconds
 * @throws Error with one sentence if the database cannot be reached in time; any other error of the connection at once
 */
export async function awaitDatabase(url: string, forMs = 60_000): Promise<void> {
  const end = Date.now() + forMs
  for (;;) {
    try {
      return await connectOnce(url)
    } catch (error) {
      if (!isDatabaseUnreachable(error)) throw error
      if (Date.now() >= end)
        throw new Error(
          `The database at ${new URL(url).host} could not be reached within ${Math.round(forMs / 1000)} seconds (${getThrownDetails(error).code}). Start it, or correct DATABASE_URL.`,
        )
    }
    await pause(250)
  }
}

async function connectOnce(url: string): Promise<void> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    await client`select 1`.catch(rethrowCertificateError)
  } finally {
    await client.end({ timeout: 5 })
  }
}

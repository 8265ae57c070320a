/** What a process uses the database for, which decides how long it may hold and wait for locks. */
export type StoreUse = 'calls' | 'reads' | 'longCalls' | 'jobs' | 'tools'

/**
 * Seconds that the database lets a statement run, wait for a lock, and stay idle in a transaction. It ends what takes longer, even if the
 * caller is gone. Users get a sentence (problems.ts), and jobs are retried (queue/attempts.ts).
 */
const seconds: Record<StoreUse, { statement: number; lock: number; idle: number }> = {
  // Longer than a migration waits for a table (launch/migrate.ts), so that calls queued behind it are answered, not
  // refused.
  calls: { statement: 30, lock: 6, idle: 60 },
  // Read-only calls never wait for rows, only for a migration that has locked a table.
  reads: { statement: 30, lock: 20, idle: 60 },
  longCalls: { statement: 180, lock: 10, idle: 60 },
  jobs: { statement: 600, lock: 30, idle: 60 },
  tools: { statement: 3600, lock: 60, idle: 60 },
}

/** The limits as connection settings. */
export function getTimeLimits(use: StoreUse): {
  statement_timeout: number
  lock_timeout: number
  idle_in_transaction_session_timeout: number
} {
  const { statement, lock, idle } = seconds[use]
  return { statement_timeout: statement * 1000, lock_timeout: lock * 1000, idle_in_transaction_session_timeout: idle * 1000 }
}

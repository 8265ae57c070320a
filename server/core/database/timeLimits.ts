/** What a process opens the database for: how long it may hold others up, and be held up, depends on it. */
export type Use = 'calls' | 'reads' | 'longCalls' | 'jobs' | 'tools'

/**
 * Seconds that the database lets a statement run, wait for a lock, and leave its transaction without another statement. It ends what takes
 * longer, whatever became of whoever asked; people are told so in a sentence (trouble.ts), and jobs are tried again (queue/attempts.ts).
 */
const seconds: Record<Use, { statement: number; lock: number; idle: number }> = {
  // Longer than a migration waits for a table (launch/migrate.ts): calls that queue behind it there are answered, not refused.
  calls: { statement: 30, lock: 6, idle: 60 },
  // Calls that only read. They wait for no row, so what they wait for is a migration that has locked a table.
  reads: { statement: 30, lock: 20, idle: 60 },
  longCalls: { statement: 180, lock: 10, idle: 60 },
  jobs: { statement: 600, lock: 30, idle: 60 },
  tools: { statement: 3600, lock: 60, idle: 60 },
}

/** The same as settings of a connection. */
export function timeLimitsOf(use: Use): { statement_timeout: number; lock_timeout: number; idle_in_transaction_session_timeout: number } {
  const { statement, lock, idle } = seconds[use]
  return { statement_timeout: statement * 1000, lock_timeout: lock * 1000, idle_in_transaction_session_timeout: idle * 1000 }
}

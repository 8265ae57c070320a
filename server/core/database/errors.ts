import { getThrownDetails } from '../thrownDetails.ts'

/** What PostgreSQL reports about a refused statement, however deeply libraries have wrapped it. */
export interface DatabaseRefusal {
  /** SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
  code: string
  constraint: string | undefined
  /** Whether a delete was refused. For a foreign key, PostgreSQL names the same table in both directions. */
  isDelete: boolean
}

/** @returns undefined if it is not a database error */
export function toDatabaseRefusal(error: unknown): DatabaseRefusal | undefined {
  let at = error
  let isDelete = false
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 6; depth++) {
    const { code, constraint, query, cause } = getThrownDetails(at)
    if (query !== undefined) isDelete = /^\s*delete/i.test(query)
    if (code !== undefined && /^[0-9A-Z]{5}$/.test(code)) return { code, constraint, isDelete }
    at = cause
  }
  return undefined
}

/** Whether PostgreSQL rolled back a transaction only because of a conflict: a deadlock or a failed serialisation. */
export function isTransactionConflict(error: unknown): boolean {
  const code = toDatabaseRefusal(error)?.code
  return code === '40P01' || code === '40001'
}

/** Whether a statement failed because another transaction did not release a lock in time. */
export function isLockTimeout(error: unknown): boolean {
  return toDatabaseRefusal(error)?.code === '55P03'
}

/**
 * Another transaction does the same work and waits for a lock that this transaction holds. This transaction is rolled back, as PostgreSQL
 * does in a deadlock, and retried once the other has ended.
 */
export class LockConflict extends Error {
  readonly code = '40001'
  /** The keys of the advisory lock that the other transaction holds until it ends; wait for it before retrying. */
  readonly lock: readonly [number, number]
  constructor(lock: readonly [number, number]) {
    super('Another transaction holds the lock')
    this.lock = lock
  }
}

/** The lock to wait for before a retry; null if the retry may start at once. */
export function findLockToWaitFor(error: unknown): readonly [number, number] | null {
  let at = error
  for (let depth = 0; at instanceof Error && depth < 6; depth++) {
    if (at instanceof LockConflict) return at.lock
    at = at.cause
  }
  return null
}

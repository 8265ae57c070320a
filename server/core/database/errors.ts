import { thrown } from '../thrown.ts'

/** What PostgreSQL says of a refused statement, however deep libraries have wrapped it. */
export interface DatabaseRefusal {
  /** SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
  code: string
  constraint: string | undefined
  /** Whether it was a delete that was refused: what PostgreSQL says of a foreign key names the same table on both its sides. */
  isDelete: boolean
}

/** @returns undefined for what is no error of the database */
export function databaseRefusal(error: unknown): DatabaseRefusal | undefined {
  let at = error
  let isDelete = false
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 6; depth++) {
    const { code, constraint, query, cause } = thrown(at)
    if (query !== undefined) isDelete = /^\s*delete/i.test(query)
    if (code !== undefined && /^[0-9A-Z]{5}$/.test(code)) return { code, constraint, isDelete }
    at = cause
  }
  return undefined
}

/** Whether PostgreSQL took a transaction back only because another stood in its way: a deadlock, or a failed serialisation. */
export function mayTryAgain(error: unknown): boolean {
  const code = databaseRefusal(error)?.code
  return code === '40P01' || code === '40001'
}

/** Whether a statement was refused because another transaction holds a lock that it needs, and did not let it go in time. */
export function isHeld(error: unknown): boolean {
  return databaseRefusal(error)?.code === '55P03'
}

/**
 * Another transaction does the same, and waits for what this one holds. This one is taken back, as PostgreSQL does of itself where two wait for
 * each other, and is begun anew once the other has ended.
 */
export class InTheWay extends Error {
  readonly code = '40001'
  /** The two numbers of the lock that the other holds until it ends. */
  readonly lock: readonly [number, number]
  constructor(lock: readonly [number, number]) {
    super('Another transaction is at it')
    this.lock = lock
  }
}

/** The lock to be waited for before a transaction is begun anew; null where it may begin at once. */
export function lockInTheWay(error: unknown): readonly [number, number] | null {
  let at = error
  for (let depth = 0; at instanceof Error && depth < 6; depth++) {
    if (at instanceof InTheWay) return at.lock
    at = at.cause
  }
  return null
}

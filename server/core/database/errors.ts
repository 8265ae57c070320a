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
  let at = error as { code?: unknown; constraint_name?: string; query?: unknown; cause?: unknown } | undefined
  let isDelete = false
  for (let depth = 0; at && typeof at === 'object' && depth < 6; depth++) {
    if (typeof at.query === 'string') isDelete = /^\s*delete/i.test(at.query)
    if (typeof at.code === 'string' && /^[0-9A-Z]{5}$/.test(at.code)) return { code: at.code, constraint: at.constraint_name, isDelete }
    at = at.cause as typeof at
  }
  return undefined
}

/** Whether PostgreSQL took a transaction back only because another stood in its way: a deadlock, or a failed serialisation. */
export function mayTryAgain(error: unknown): boolean {
  const code = databaseRefusal(error)?.code
  return code === '40P01' || code === '40001'
}

import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { DomainError, serverBusy } from '../../../domain/words/errors.ts'
import { getThrownDetails } from '../thrownDetails.ts'
import { toDatabaseRefusal } from './errors.ts'

/** What is wrong with the database, for users. */
export interface DatabaseProblem {
  code: 'diskFull' | 'connectionsUsedUp' | 'databaseAway' | 'databaseReadOnly' | 'databasePassword'
  message: string
}

/** What the operator can do about it. */
export const databaseRemedies: Record<DatabaseProblem['code'], string> = {
  diskFull: 'The database’s disk is full. Free some space on it.',
  connectionsUsedUp:
    'The database is not accepting any more connections. Allow more (max_connections, or the limit of the role or the database), or run fewer servers and workers.',
  databaseAway: 'The database cannot be reached.',
  databaseReadOnly:
    'The database is read-only, so nothing can be saved. Point DATABASE_URL at the primary database, or end its read-only mode (default_transaction_read_only).',
  databasePassword: 'The database rejected the password. Correct DATABASE_PASSWORD, or the file that DATABASE_PASSWORD_FILE names.',
}

const full: DatabaseProblem = {
  code: 'diskFull',
  message: 'The database’s disk is full, so nothing can be saved. Ask the people who run Bursar to free some space, then try again.',
}
const usedUp: DatabaseProblem = {
  code: 'connectionsUsedUp',
  message: 'The database is not accepting any more connections at the moment. Try again in a moment.',
}
const away: DatabaseProblem = {
  code: 'databaseAway',
  message: 'The database was unavailable for a moment. Check whether your change was saved, then try again.',
}

const readOnly: DatabaseProblem = {
  code: 'databaseReadOnly',
  message:
    'The database is not accepting changes at the moment, so nothing was saved. Try again in a minute. If this continues, tell the people who run Bursar.',
}

const passwordRefused: DatabaseProblem = {
  code: 'databasePassword',
  message: 'The database rejected this server’s password, so nothing was saved. Tell the people who run Bursar.',
}

/** Seconds that callers should wait before a retry. */
const retrySeconds = 5

/** By SQLSTATE, and by the error codes of the driver and the operating system. */
const problemsByCode = new Map<string, DatabaseProblem>(
  Object.entries({
    '25006': readOnly,
    '28000': passwordRefused,
    '28P01': passwordRefused,
    '53100': full,
    ENOSPC: full,
    '53300': usedUp,
    '53400': usedUp,
    '57P01': away,
    '57P02': away,
    '57P03': away,
    '08000': away,
    '08001': away,
    '08003': away,
    '08006': away,
    CONNECTION_CLOSED: away,
    CONNECTION_ENDED: away,
    CONNECTION_DESTROYED: away,
    CONNECT_TIMEOUT: away,
    ECONNREFUSED: away,
    ECONNRESET: away,
    EPIPE: away,
  }),
)

/** The database's problem, if that is why something failed; null for any other cause. */
export function findDatabaseProblem(error: unknown): DatabaseProblem | null {
  return problemsByCode.get(listErrorCodes(error).find((code) => problemsByCode.has(code)) ?? '') ?? null
}

/**
 * SQLSTATEs for an input value that passed our checks but the database refuses: not a number or date, out of range, or
 * an invalid character. (Class 22, without the codes that only a bug of ours causes.)
 */
const invalidValueCodes = new Set(['22001', '22003', '22007', '22008', '22021', '22P02', '22P05'])

/**
 * The time limit that was exceeded (timeLimits.ts), by SQLSTATE: waiting for a lock, running, or idling in a transaction. The database has
 * rolled the transaction back.
 */
const exceededLimits = new Map([
  ['55P03', 'Another change is using the same data. Nothing was changed. Try again in a moment.'],
  ['57014', 'This took too long and was stopped. Nothing was changed. Request less at once, or try again later.'],
  ['25P03', 'This took too long and was stopped. Nothing was changed. Request less at once, or try again later.'],
])

/**
 * A sentence on why a statement failed, if the cause was the state of the database, a time limit or an input value; null for any other
 * cause.
 */
export function toDatabaseError(error: unknown): DomainError | null {
  const trouble = findDatabaseProblem(error)
  if (trouble) return new DomainError('unavailable', trouble.code, trouble.message)
  const late = listErrorCodes(error).find((code) => exceededLimits.has(code))
  if (late) return serverBusy(assertDefined(exceededLimits.get(late)), retrySeconds)
  return invalidValueCodes.has(toDatabaseRefusal(error)?.code ?? '')
    ? new DomainError('invalid', 'value', 'A value in the request cannot be stored or compared.')
    : null
}

/** The codes of an error and its causes, including those of the driver and the system. */
function listErrorCodes(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 4) return []
  const { code, cause } = getThrownDetails(error)
  return [...(code === undefined ? [] : [code]), ...listErrorCodes(cause, depth + 1)]
}

/** Whether no connection was available, so that nothing can have been changed. */
export function isDatabaseUnreachable(error: unknown): boolean {
  const trouble = findDatabaseProblem(error)
  return trouble === usedUp || trouble === away
}

/** Whether the database refused to write because it is read-only, such as a primary that has been replaced. */
export function isDatabaseReadOnly(error: unknown): boolean {
  return findDatabaseProblem(error) === readOnly
}

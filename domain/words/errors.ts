/** What went wrong, for the status of a reply. */
export type ErrorKind =
  | 'invalid'
  | 'conflict'
  | 'signIn'
  | 'forbidden'
  | 'notFound'
  | 'tooLarge'
  | 'wrongType'
  | 'otherBody'
  | 'tooMany'
  | 'notImplemented'
  | 'unavailable'

export const statusByErrorKind: Record<ErrorKind, number> = {
  invalid: 400,
  signIn: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  wrongType: 415,
  otherBody: 422,
  tooMany: 429,
  notImplemented: 501,
  unavailable: 503,
}

/** One broken rule at one field. */
export interface FieldProblem {
  field: string
  message: string
}

/**
 * The only error whose words reach a person: one plain sentence that says what happened and what to do, and the fields it belongs to.
 * Everything else is masked and logged.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly fields: FieldProblem[]
  readonly details: unknown

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    { fields = [], details }: { fields?: FieldProblem[]; details?: unknown } = {},
  ) {
    super(message)
    this.kind = kind
    this.code = code
    this.fields = fields
    this.details = details
  }
}

export function invalid(problems: FieldProblem[]): DomainError {
  return new DomainError('invalid', 'invalid', problems.map((problem) => problem.message).join('\n'), { fields: problems })
}

export function notFound(thing: string): DomainError {
  return new DomainError('notFound', 'notFound', `${thing} was not found.`)
}

export function forbidden(): DomainError {
  return new DomainError('forbidden', 'forbidden', 'You do not have permission to do this.')
}

/** Too much in too short a time. @param seconds until it may be tried again */
export function tooManyRequests(seconds: number): DomainError {
  return new DomainError('tooMany', 'tooMany', `Too many requests. Try again in ${seconds} seconds.`, { details: { seconds } })
}

/** The server cannot do this now. @param seconds until it may be tried again */
export function busy(message: string, seconds: number): DomainError {
  return new DomainError('unavailable', 'busy', message, { details: { seconds } })
}

/** Seconds until a refused call may be tried again; null where trying again changes nothing. */
export function retryAfterSeconds({ kind, details }: Pick<DomainError, 'details'> & { kind: string }): number | null {
  if (typeof details === 'object' && details !== null && 'seconds' in details && typeof details.seconds === 'number') return details.seconds
  if (kind === 'tooMany') return 60
  return kind === 'unavailable' ? 5 : null
}

/** Somebody with only some locations changes what counts for all of them. */
export function needsAllLocations(): DomainError {
  return new DomainError('forbidden', 'beyond', 'This counts for the whole organisation. Ask somebody who has all locations.')
}

/** Somebody with only some locations changes what counts for others too. */
export function affectsUnseenLocations(): DomainError {
  return new DomainError('forbidden', 'beyond', 'This counts for locations that you do not see. Ask somebody who has all of them.')
}

export function conflict(code: string, message: string, details?: unknown): DomainError {
  return new DomainError('conflict', code, message, { details })
}

/** Somebody else saved the record since it was read; `details` says which fields and values (behaviour B-119). */
export function staleRecord(details: unknown): DomainError {
  return conflict('stale', 'Somebody else has changed this. Load it again.', details)
}

/** What was thrown, in words. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

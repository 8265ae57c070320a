/** The category of an error, which determines the HTTP status. */
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

/** A rule that the input breaks, and the field that it concerns. */
export interface FieldProblem {
  field: string
  message: string
}

/**
 * The only error whose message users see. The message says in plain words what happened and what to do, and names the fields concerned. All
 * other errors are logged, and users see a general message.
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

/** The caller has sent too many requests. @param seconds until the request may be retried */
export function tooManyRequests(seconds: number): DomainError {
  return new DomainError('tooMany', 'tooMany', `Too many requests. Try again in ${seconds} seconds.`, { details: { seconds } })
}

/** The server cannot do this now. @param seconds until the request may be retried */
export function serverBusy(message: string, seconds: number): DomainError {
  return new DomainError('unavailable', 'busy', message, { details: { seconds } })
}

/** Seconds until a refused request may be retried; null if a retry would fail again. */
export function findRetrySeconds({ kind, details }: Pick<DomainError, 'details'> & { kind: string }): number | null {
  if (typeof details === 'object' && details !== null && 'seconds' in details && typeof details.seconds === 'number') return details.seconds
  if (kind === 'tooMany') return 60
  return kind === 'unavailable' ? 5 : null
}

/** A caller who is limited to some locations tried to change something that applies to all locations. */
export function allLocationsRequired(): DomainError {
  return new DomainError('forbidden', 'beyond', 'This applies to the whole organisation. Ask someone with access to all locations.')
}

/** A caller who is limited to some locations tried to change something that also applies to other locations. */
export function otherLocationsAffected(): DomainError {
  return new DomainError('forbidden', 'beyond', 'This applies to locations that you cannot see. Ask someone with access to all of them.')
}

export function conflict(code: string, message: string, details?: unknown): DomainError {
  return new DomainError('conflict', code, message, { details })
}

/** Someone else saved the record after the caller read it. `details` contains the fields and values (behaviour B-119). */
export function staleRecord(details: unknown): DomainError {
  return conflict('stale', 'Someone else has changed this. Load it again.', details)
}

/** The message of a thrown value, which may not be an Error. */
export function getErrorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

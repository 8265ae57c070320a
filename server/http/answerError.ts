import type { ServerResponse } from 'node:http'
import { DomainError, findRetrySeconds, statusByErrorKind } from '../../domain/words/errors.ts'
import { toDatabaseError } from '../core/database/problems.ts'
import { log } from '../core/log.ts'

/** Sends any error as one sentence of plain text. Internal errors are logged under the request id and masked. */
export function answerError(res: ServerResponse, error: unknown, requestId: string): void {
  if (res.headersSent) return void res.destroy()
  const [status, text] = describeError(error, requestId)
  res.setHeader('X-Request-Id', requestId)
  const seconds = error instanceof DomainError ? findRetrySeconds(error) : status === 503 ? 5 : null
  if (seconds !== null) res.setHeader('Retry-After', String(seconds))
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(text) }).end(text)
}

function describeError(error: unknown, requestId: string): [status: number, text: string] {
  if (error instanceof DomainError) return [statusByErrorKind[error.kind], error.message]
  if (error instanceof URIError) return [400, 'The address is not valid.']
  // Express and its middleware set the intended status on the error.
  const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : undefined
  if (status === 404) return [404, 'There is nothing at this address.']
  if (status && status >= 400 && status < 500) return [status, 'The request cannot be read.']
  log.error({ err: error, requestId }, 'a call failed unexpectedly')
  const databaseError = toDatabaseError(error)
  return databaseError
    ? [statusByErrorKind[databaseError.kind], databaseError.message]
    : [500, `Something went wrong. Reference ${requestId}.`]
}

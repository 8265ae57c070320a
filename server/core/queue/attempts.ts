import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { getThrownDetails, type ThrownDetails } from '../thrownDetails.ts'

/**
 * A job started this often without finishing is given up. A job that kills its process leaves no error to compare, so only the number of
 * starts can end its retries.
 */
export const maximumJobAttempts = 10

/**
 * Codes of transient errors: a lost connection, a deadlock or serialisation failure, a lock timeout, insufficient
 * resources, a restart.
 */
const transientCodes = /^(08|40|53|55P03|57)|^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|CONNECTION_|CONNECT_TIMEOUT)/

function findRootCause(error: unknown): ThrownDetails {
  let at = getThrownDetails(error)
  while (typeof at.cause === 'object' && at.cause !== null) at = getThrownDetails(at.cause)
  return at
}

/** Whether a retry may succeed without any repair; the job then waits instead of failing. */
export function isTemporaryFailure(error: unknown): boolean {
  return transientCodes.test(findRootCause(error).code ?? '')
}

/** A fingerprint of an error, to compare two failures; without values, which may be personal. */
export function fingerprintFailure(error: unknown): string {
  const { code, name, constraint, message } = findRootCause(error)
  if (code && /^[0-9A-Z]{5}$/.test(code)) return `${code} ${constraint ?? ''}`.trim()
  return `${name ?? 'Error'}: ${assertDefined((message ?? '').split('\n')[0]).slice(0, 200)}`
}

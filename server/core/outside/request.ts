import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import {
  createGuardedLookup,
  describePrivateNetwork,
  isAddressAllowed,
  isOpenedAddress,
  type OpenedNetwork,
  OutsideError,
  parseHost,
} from './addresses.ts'

/** Milliseconds in which another system must send its whole answer. */
const answerTimeoutMs = 10_000
/** The default limit for the bytes read of an answer. */
const defaultMostBytes = 1_000_000

export interface OutsideRequest {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Milliseconds; ten seconds if omitted. */
  timeoutMs?: number
  /** The maximum number of bytes read of the answer; a megabyte if omitted. */
  mostBytes?: number
}

export interface OutsideAnswer {
  status: number
  body: string
  /** The body as received, in any encoding. */
  bytes: Uint8Array
  /** The Retry-After header. */
  retryAfter: string | undefined
}

/**
 * Sends a request to another system over HTTPS (over HTTP only in a network that the installation opened). Redirects
 * are not followed, private addresses are not reached, and slow or endless answers are cut off.
 * @throws OutsideError with one sentence for users; it names the host, never what was sent
 */
export function sendRequest(
  { method, url, headers = {}, body, timeoutMs = answerTimeoutMs, mostBytes = defaultMostBytes }: OutsideRequest,
  networks: readonly OpenedNetwork[],
): Promise<OutsideAnswer> {
  const { protocol, hostname } = new URL(url)
  const { host, isAddress } = parseHost(hostname)
  const isSecure = protocol === 'https:'
  if (!isSecure && (protocol !== 'http:' || !networks.length)) return Promise.reject(new OutsideError(`${host}: enter an https address.`))
  // Plain HTTP is allowed only in opened networks: over the internet anyone could read its secrets.
  const may = (address: string): boolean => (isSecure ? isAddressAllowed(address, networks) : isOpenedAddress(address, networks))
  if (isAddress && !may(host)) return Promise.reject(new OutsideError(describePrivateNetwork(host)))
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(error instanceof OutsideError ? error : new OutsideError(describeFailure(error, host)))
      asking.destroy()
    }
    const asking = (isSecure ? requestSecure : requestPlain)(
      url,
      {
        method,
        agent: false,
        lookup: createGuardedLookup(may),
        headers: {
          'User-Agent': 'Bursar',
          Accept: 'application/json',
          ...headers,
          ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
        },
      },
      (answer) => {
        const parts: Buffer[] = []
        let size = 0
        answer.on('data', (part: Buffer) => {
          size += part.length
          if (size > mostBytes)
            fail(
              new OutsideError(
                `${host} responded with more than ${mostBytes === defaultMostBytes ? 'a megabyte' : `${mostBytes / 1_000_000} megabytes`}.`,
                answer.statusCode,
              ),
            )
          else parts.push(part)
        })
        answer.on('error', fail)
        answer.on('end', () => {
          clearTimeout(tooLate)
          const status = answer.statusCode ?? 0
          if (status >= 300 && status < 400) return fail(new OutsideError(`${host} redirects to another address; enter that one.`, status))
          const bytes = Buffer.concat(parts)
          resolve({ status, bytes, body: bytes.toString('utf8'), retryAfter: answer.headers['retry-after'] })
        })
      },
    )
    const tooLate = setTimeout(
      () => fail(new OutsideError(`${host} did not respond within ${Math.round(timeoutMs / 1000)} seconds.`)),
      timeoutMs,
    )
    asking.on('error', fail)
    // Without this listener, an answer that switches protocols would raise neither `error` nor `end`.
    asking.on('upgrade', (_answer, socket) => {
      socket.destroy()
      fail(new OutsideError(`${host} responded in a protocol that is not HTTP.`))
    })
    asking.on('close', () => {
      clearTimeout(tooLate)
      // Rejecting has no effect if there has been an answer.
      reject(new OutsideError(`${host} closed the connection.`))
    })
    asking.end(body)
  })
}

/** The sentence for a failed connection, by error code: the library's messages contain addresses and ports. */
function describeFailure(error: Error & { code?: string }, host: string): string {
  const messages: Record<string, string> = {
    ECONNREFUSED: `${host} refused the connection.`,
    ECONNRESET: `${host} closed the connection.`,
    EHOSTUNREACH: `${host} cannot be reached.`,
    ENETUNREACH: `${host} cannot be reached.`,
    ETIMEDOUT: `${host} did not respond.`,
    ENOTFOUND: `${host} has no address.`,
    EAI_AGAIN: `${host} has no address at the moment.`,
    CERT_HAS_EXPIRED: `The certificate of ${host} has expired.`,
    DEPTH_ZERO_SELF_SIGNED_CERT: `The certificate of ${host} is self-signed and not trusted.`,
    SELF_SIGNED_CERT_IN_CHAIN: `The certificate of ${host} is not trusted.`,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: `The certificate of ${host} is not trusted.`,
    ERR_TLS_CERT_ALTNAME_INVALID: `The certificate of ${host} is for another name.`,
  }
  return messages[error.code ?? ''] ?? `The request to ${host} failed.`
}

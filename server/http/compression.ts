import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import accepts from 'accepts'
import type { HttpReply } from './call.ts'

/** Bytes. A shorter answer fits into one packet anyway. */
const leastBytes = 1024
const text = /^(application\/json|text\/)/

const compressInThread = promisify(gzip)

/** Replies are a twelfth larger than at the default level, but take a third of the processor time. */
const settings = { level: 3 }
/** Bytes. Up to this size, handing the work to a thread takes longer than doing it (a tenth of a millisecond). */
const mostAtOnce = 32 * 1024

const compress = async (body: string | Uint8Array): Promise<Uint8Array> =>
  body.length <= mostAtOnce ? gzipSync(body, settings) : compressInThread(body, settings)

/**
 * Compresses a long text reply if the caller accepts that. It compresses only replies to calls that carry their token in a header: with a
 * cookie, another site could make a browser repeat the call, and guess a secret from the length of the compressed reply (BREACH).
 */
export async function compressReply(req: IncomingMessage, reply: HttpReply): Promise<HttpReply> {
  if (Buffer.byteLength(reply.body) < leastBytes) return reply
  const headers = new Headers(reply.headers)
  if (!text.test(headers.get('Content-Type') ?? '')) return reply
  headers.append('Vary', 'Accept-Encoding')
  const isCompressed = accepts(req).encodings(['gzip', 'identity']) === 'gzip'
  if (isCompressed) headers.set('Content-Encoding', 'gzip')
  return { ...reply, headers: Object.fromEntries(headers), body: isCompressed ? await compress(reply.body) : reply.body }
}

import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { JSONParser } from '@streamparser/json'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { DomainError } from '../../domain/words/errors.ts'
import { createYielder } from '../core/yielding.ts'
import { createJsonScanner } from './jsonScan.ts'

/** Bytes. A smaller body is parsed at once, which is too quick to delay other requests; a larger one is parsed in pieces. */
const parseAtOnceBytes = 128 * 1024
const pieceBytes = 8 * 1024

const decoders = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

function notJson(): DomainError {
  return new DomainError('invalid', 'json', 'The request body is not valid JSON.')
}

function tooLarge(most: number): DomainError {
  return new DomainError('tooLarge', 'tooLarge', `The request is too large: it can have at most ${most / 1_000_000} MB.`)
}

/** The body, decompressed. @throws DomainError 415 for an unknown content encoding */
function decompress(req: IncomingMessage): Readable {
  const encoding = req.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return req
  const decoder = decoders.get(encoding)
  if (!decoder) throw new DomainError('wrongType', 'encoding', `The encoding ${encoding.slice(0, 50)} is not supported.`)
  return req.pipe(decoder())
}

/** @throws DomainError 413 for more than `most` bytes after decompression, 400 if decompression fails */
async function* readChunks(req: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge(most)
  let bytes = 0
  try {
    // Keep the request open if the loop ends early, so that the caller still receives the refusal.
    const chunks: AsyncIterable<Buffer> = decompress(req).iterator({ destroyOnReturn: false })
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > most) throw tooLarge(most)
      yield chunk
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw notJson()
  } finally {
    req.unpipe()
    req.resume()
  }
}

/**
 * Reads and parses the JSON body of a call. Call it only after identifying the caller. Large bodies are scanned and parsed in pieces, and
 * other requests run between the pieces.
 * @param most bytes, after decompression
 * @returns undefined if there is no body
 * @throws DomainError 400 for invalid JSON, nesting that is too deep, or U+0000; 413 for too many bytes; 415 for another content type
 */
export async function readJsonBody(req: IncomingMessage, most: number): Promise<unknown> {
  if (!isJson(req)) {
    refuseNonJsonBody(req)
    return undefined
  }
  const length = Number(req.headers['content-length'])
  if (length <= Math.min(parseAtOnceBytes, most) && !req.headers['content-encoding']) return parseJsonBody(await readShortBody(req))
  const scan = createJsonScanner()
  const breathe = createYielder()
  const parser = createJsonParser()
  const buffered: Buffer[] = []
  let bytes = 0
  for await (const chunk of readChunks(req, most)) {
    bytes += chunk.length
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes)
      scan(piece)
      if (bytes <= parseAtOnceBytes) buffered.push(piece)
      else {
        for (const earlier of buffered.splice(0)) parser.write(earlier)
        parser.write(piece)
      }
      await breathe()
    }
  }
  return bytes > parseAtOnceBytes ? parser.end() : parseBuffer(Buffer.concat(buffered))
}

function isJson({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']
  return type === 'application/json' || hasMediaType(type, 'application/json')
}

/** @throws DomainError 415 for a body that is not JSON: ignoring it would run the call without its input */
function refuseNonJsonBody({ headers }: IncomingMessage): void {
  const isThere = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (isThere) throw new DomainError('wrongType', 'contentType', 'The request body must be JSON, with the Content-Type application/json.')
}

/** Compares media types and ignores parameters such as charset. */
export function hasMediaType(header: string | undefined, type: string): boolean {
  return header?.split(';', 1)[0]?.trim().toLowerCase() === type
}

/**
 * Reads a short body whose Content-Length is known; node never delivers more bytes than that.
 * @throws DomainError 400 if fewer bytes arrive
 */
function readShortBody(req: IncomingMessage): Promise<Uint8Array> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    const broken = (): void => failed(notJson())
    // A destroyed request emits no further events, not even `close`.
    if (req.destroyed) return broken()
    req.on('error', broken)
    req.on('close', broken)
    req.on('end', () => {
      req.off('close', broken)
      done(chunks.length === 1 ? assertDefined(chunks[0]) : Buffer.concat(chunks))
    })
  })
}

/** Returns the raw bytes of a JSON body, for a thread to parse. @returns undefined if there is no body */
export async function readJsonBytes(req: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  if (!isJson(req)) {
    refuseNonJsonBody(req)
    return undefined
  }
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(req, most)) chunks.push(chunk)
  // Copy the bytes into a separate buffer, because it is transferred to the thread.
  return new Uint8Array(Buffer.concat(chunks))
}

/** Parses a whole body at once. Use it only in a thread where no other request waits. @throws DomainError 400 as `readJsonBody` */
export function parseJsonBody(bytes: Uint8Array): unknown {
  createJsonScanner()(bytes)
  return parseBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

function parseBuffer(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  if (!text.trim()) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson()
  }
  // Every procedure takes an object or a list.
  if (typeof value !== 'object' || value === null) throw notJson()
  return value
}

/** An incremental JSON parser. Both functions throw DomainError 400 for invalid JSON. */
function createJsonParser(): { write(piece: Uint8Array): void; end(): unknown } {
  const parser = new JSONParser({ paths: ['$'] })
  let [value, isWhole, isBroken]: [unknown, boolean, boolean] = [undefined, false, false]
  parser.onValue = (result) => {
    value = result.value
    isWhole = true
  }
  parser.onError = () => {
    isBroken = true
  }
  return {
    write(piece) {
      parser.write(piece)
      if (isBroken) throw notJson()
    },
    end() {
      if (!parser.isEnded) parser.end()
      if (isBroken || !isWhole) throw notJson()
      return value
    },
  }
}

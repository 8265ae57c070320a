import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { JSONParser } from '@streamparser/json'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { DomainError } from '../../domain/words/errors.ts'
import { breather } from '../core/breathe.ts'
import { jsonScan } from './jsonScan.ts'

/** Below this, parsing is over before anybody notices; above it, it goes piece by piece. */
const atOnce = 128 * 1024
const pieceBytes = 8 * 1024

const decoders = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

function notJson(): DomainError {
  return new DomainError('invalid', 'json', 'The body of the call is not valid JSON.')
}

function tooLarge(most: number): DomainError {
  return new DomainError('tooLarge', 'tooLarge', `The call is larger than it may be: at most ${most / 1_000_000} MB.`)
}

/** The bytes of a body as they were before they were packed. @throws DomainError 415 for a packing that is not known */
function unpacked(req: IncomingMessage): Readable {
  const encoding = req.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return req
  const decoder = decoders.get(encoding)
  if (!decoder) throw new DomainError('wrongType', 'encoding', `The encoding ${encoding.slice(0, 50)} cannot be read.`)
  return req.pipe(decoder())
}

/** The bytes of a body in the pieces they come in. @throws DomainError 413 for more bytes than that, 400 for what cannot be unpacked */
async function* bytesOf(req: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge(most)
  let bytes = 0
  try {
    // Left early, the request stays open, so that its caller hears why.
    const chunks: AsyncIterable<Buffer> = unpacked(req).iterator({ destroyOnReturn: false })
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > most) throw tooLarge(most)
      yield chunk
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw notJson()
  } finally {
    // What is left of the body is read by nobody.
    req.unpipe()
    req.resume()
  }
}

/**
 * The JSON body of a call, read only once it is known who calls. However large it may be, it is looked through and parsed in pieces between
 * which others have their turn.
 * @param most bytes, as they are when unpacked
 * @returns undefined without a body
 * @throws DomainError 400 for what is no JSON or nested too deep or holds U+0000, 413 for more bytes than that, 415 for one of another kind
 */
export async function readJson(req: IncomingMessage, most: number): Promise<unknown> {
  if (!isJson(req)) {
    refuseOther(req)
    return undefined
  }
  const length = Number(req.headers['content-length'])
  if (length <= Math.min(atOnce, most) && !req.headers['content-encoding']) return parseJson(await shortBody(req))
  const scan = jsonScan()
  const breathe = breather()
  const parser = jsonParser()
  const kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of bytesOf(req, most)) {
    bytes += chunk.length
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes)
      scan(piece)
      if (bytes <= atOnce) kept.push(piece)
      else {
        for (const earlier of kept.splice(0)) parser.write(earlier)
        parser.write(piece)
      }
      await breathe()
    }
  }
  return bytes > atOnce ? parser.end() : parsed(Buffer.concat(kept))
}

function isJson({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']
  return type === 'application/json' || isOfType(type, 'application/json')
}

/** @throws DomainError 415 for a body that is none: it would else be passed over, and the call done without it */
function refuseOther({ headers }: IncomingMessage): void {
  const isThere = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (isThere)
    throw new DomainError('wrongType', 'contentType', 'The body of the call must be JSON, with the Content-Type application/json.')
}

/** Whether a content type is one, whatever stands behind it. */
export function isOfType(header: string | undefined, type: string): boolean {
  return header?.split(';', 1)[0]?.trim().toLowerCase() === type
}

/** A body that says how long it is, and is short: node lets no more of it come. @throws DomainError 400 when less came */
function shortBody(req: IncomingMessage): Promise<Uint8Array> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    const broken = (): void => failed(notJson())
    // Whoever called is gone: nothing more comes, not even that it has ended.
    if (req.destroyed) return broken()
    req.on('error', broken)
    req.on('close', broken)
    req.on('end', () => {
      req.off('close', broken)
      done(chunks.length === 1 ? assertDefined(chunks[0]) : Buffer.concat(chunks))
    })
  })
}

/** The body of a call as it is, for a thread to parse. @returns undefined without a JSON body */
export async function readBytes(req: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  if (!isJson(req)) {
    refuseOther(req)
    return undefined
  }
  const chunks: Buffer[] = []
  for await (const chunk of bytesOf(req, most)) chunks.push(chunk)
  // Memory of its own, which can be handed over.
  return new Uint8Array(Buffer.concat(chunks))
}

/** The value of a body in one go, where nobody else waits. @throws DomainError 400 as `readJson` */
export function parseJson(bytes: Uint8Array): unknown {
  jsonScan()(bytes)
  return parsed(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

function parsed(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  if (!text.trim()) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson()
  }
  // A call says what it wants by names, or in rows.
  if (typeof value !== 'object' || value === null) throw notJson()
  return value
}

/** Parses JSON as it comes in. Both functions throw DomainError 400 for what is none. */
function jsonParser(): { write(piece: Uint8Array): void; end(): unknown } {
  const parser = new JSONParser({ paths: ['$'] })
  let [value, isWhole, isBroken]: [unknown, boolean, boolean] = [undefined, false, false]
  parser.onValue = (found) => {
    value = found.value
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

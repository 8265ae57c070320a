import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { thrown } from '../core/thrown.ts'

/** What a backup says of itself before the rows begin. */
export interface BackupHead {
  bursar: 'backup'
  product: string
  /** The moment that the rows show, of the database. */
  at: string
  /** The newest migration of the database. */
  migration: number
  /** Tells the DATA_KEY that opens the keys in the rows, and nothing else about it; null where the tool was given none. */
  keyMark: string | null
  /** What opens and signs; only in a file that is sealed itself. */
  secrets: { dataKey: string | null; signingKey: string | null } | null
  /** The anchors that lay beside the database, and the public key that tells who signed them. */
  anchors: { name: string; text: string }[]
}

/** What stands after the rows, so that a file that was cut is noticed. */
export interface BackupEnd {
  rows: Record<string, number>
  sequences: Record<string, string | null>
}

/** With what a file is sealed: the age format, so that the `age` tool opens it as well. */
export interface Seal {
  passphrase?: string | undefined
  /** To write: a public key `age1…`. */
  recipient?: string | undefined
  /** To read: the secret key that belongs to it. */
  identity?: string | undefined
}

const ageMark = 'age-encryption.org/v1'
const shortestPassphrase = 12

/** @throws Error with one sentence for a passphrase that could be guessed */
export function encrypterOf({ passphrase, recipient }: Seal): Encrypter | null {
  if (!passphrase && !recipient) return null
  const encrypter = new Encrypter()
  if (passphrase && passphrase.length < shortestPassphrase)
    throw new Error(`BACKUP_PASSPHRASE is too short. It needs at least ${shortestPassphrase} characters.`)
  if (passphrase) encrypter.setPassphrase(passphrase)
  else encrypter.addRecipient(assertDefined(recipient))
  return encrypter
}

/** Writes a backup, readable by its owner only; a file that was not written whole does not take the name. */
export async function writeBackup(file: string, body: AsyncIterable<Buffer>, encrypter: Encrypter | null): Promise<void> {
  const part = `${file}.part`
  try {
    const zip = createGzip({ level: 4 })
    const zipped = pipeline(Readable.from(body, { objectMode: false }), zip)
    const out = encrypter ? Readable.from(piecesOf(await encrypter.encrypt(streamOf(zip)))) : zip
    await Promise.all([zipped, pipeline(out, createWriteStream(part, { mode: 0o600 }))])
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw thrown(error).code === 'ENOSPC'
      ? new Error(
          `There is no room for ${file}: its disk is full. Nothing of it was kept. Free some space there, or name a file elsewhere.`,
        )
      : error
  }
}

/** A stream of the Web, which the library of the age format reads and writes. */
function streamOf(pieces: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (to) => {
      const { value, done } = await iterator.next()
      if (done) to.close()
      else to.enqueue(value)
    },
  })
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = stream.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    yield Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
}

/** Ends the rows of a table, as COPY and pg_dump have it: no row can be this one line. */
export const endOfRows = Buffer.from('\\.\n')
export const headLine = (head: BackupHead): Buffer => Buffer.from(`${JSON.stringify(head)}\n`)
export const tableLine = (table: string, columns: readonly string[]): Buffer => Buffer.from(`${JSON.stringify({ table, columns })}\n`)
export const endLine = (end: BackupEnd): Buffer => Buffer.from(`${JSON.stringify(end)}\n`)

const cut = 'The file ends too early: it is not whole.'

/** Reads a backup from its beginning to its end, in pieces. */
export class BackupReader {
  readonly #pieces: AsyncIterator<Buffer>
  #pending: Buffer = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Adds what comes next. @throws Error when nothing does */
  async #more(): Promise<void> {
    const { value, done } = await this.#pieces.next()
    if (done) throw new Error(cut)
    this.#pending = Buffer.concat([this.#pending, value])
  }

  /** The next line, as JSON. @throws Error when the file ends before it does */
  async line(): Promise<unknown> {
    let end = this.#pending.indexOf(10)
    while (end < 0) {
      await this.#more()
      end = this.#pending.indexOf(10)
    }
    const text = this.#pending.toString('utf8', 0, end)
    this.#pending = this.#pending.subarray(end + 1)
    return JSON.parse(text)
  }

  /** The rows of a table, in pieces as COPY takes them. */
  async *rows(): AsyncGenerator<Buffer> {
    while (this.#pending.length < endOfRows.length) await this.#more()
    // Its end stands at the very beginning, or after a row.
    let from = this.#pending.subarray(0, endOfRows.length).equals(endOfRows) ? 0 : -1
    while (from < 0) {
      const found = this.#pending.indexOf('\n\\.\n')
      if (found >= 0) {
        from = found + 1
        break
      }
      const sure = this.#pending.length - endOfRows.length
      if (sure > 0) {
        yield this.#pending.subarray(0, sure)
        this.#pending = this.#pending.subarray(sure)
      }
      await this.#more()
    }
    if (from) yield this.#pending.subarray(0, from)
    this.#pending = this.#pending.subarray(from + endOfRows.length)
  }

  /** Leaves what follows unread. */
  async close(): Promise<void> {
    await this.#pieces.return?.()
  }

  /** @throws Error when more follows, or the file is not whole */
  async end(): Promise<void> {
    const { done } = await this.#pieces.next()
    if (!done || this.#pending.length) throw new Error('The file does not end where it should: it is not whole.')
  }
}

/**
 * Opens a backup.
 * @throws Error with one sentence for a file that is none, or that the passphrase or key does not open
 */
export async function openBackup(file: string, { passphrase, identity }: Seal): Promise<{ head: BackupHead; reader: BackupReader }> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`There is no file ${file}.`) : error
  })
  const first = Buffer.alloc(ageMark.length)
  await handle.read(first, 0, first.length, 0)
  await handle.close()
  const isSealed = first.toString() === ageMark
  if (!isSealed && first.readUInt16BE(0) !== 0x1f8b) throw new Error(`${file} is no backup of Bursar.`)
  const stored = createReadStream(file, { highWaterMark: 1 << 18 })
  const zip = createGunzip({ chunkSize: 1 << 18 })
  const opened = isSealed ? await unsealed(stored, { passphrase, identity }) : stored
  // What goes wrong while it is read is said where the pieces are asked for.
  pipeline(opened, zip).catch(() => undefined)
  const reader = new BackupReader(inWords(zip))
  // Whether it is one is asked at once.
  const head = (await reader.line()) as BackupHead
  if (head.bursar !== 'backup') throw new Error(`${file} is no backup of Bursar.`)
  return { head, reader }
}

async function unsealed(stored: Readable, { passphrase, identity }: Seal): Promise<Readable> {
  const decrypter = new Decrypter()
  if (!passphrase && !identity)
    throw new Error('The backup is sealed. Set BACKUP_PASSPHRASE, or set BACKUP_IDENTITY to the secret key of its recipient.')
  if (passphrase) decrypter.addPassphrase(passphrase)
  if (identity) decrypter.addIdentity(identity)
  try {
    return Readable.from(piecesOf(await decrypter.decrypt(streamOf(stored))))
  } catch {
    throw new Error(`${passphrase ? 'BACKUP_PASSPHRASE' : 'BACKUP_IDENTITY'} does not open this backup.`)
  }
}

/** Bytes that do not fit together say that the file was cut or changed. */
async function* inWords(zip: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* zip
  } catch (error) {
    throw new Error('The file is damaged: what was written does not come back whole.', { cause: error })
  }
}

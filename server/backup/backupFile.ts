import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { getThrownDetails } from '../core/thrownDetails.ts'

/** The first line of a backup. */
export interface BackupHead {
  bursar: 'backup'
  product: string
  /** The database time of the snapshot in the file. */
  at: string
  migration: number
  /** Identifies the DATA_KEY that decrypts the keys in the rows, without revealing it; null if the tool had no DATA_KEY. */
  keyMark: string | null
  /** Null unless the file is sealed. */
  secrets: { dataKey: string | null; signingKey: string | null } | null
  anchors: { name: string; text: string }[]
}

/** The last line of a backup. Without it, the file was cut off. */
export interface BackupEnd {
  rows: Record<string, number>
  sequences: Record<string, string | null>
}

/** The passphrase or key with which a file is sealed (encrypted). The format is age, so the `age` tool can open it too. */
export interface BackupSeal {
  passphrase?: string | undefined
  recipient?: string | undefined
  identity?: string | undefined
}

const ageMark = 'age-encryption.org/v1'
const minPassphraseLength = 12

/**
 * Returns an encrypter for a passphrase or key; null without either.
 * @throws Error with one sentence if the passphrase is too short
 */
export function createEncrypter({ passphrase, recipient }: BackupSeal): Encrypter | null {
  if (!passphrase && !recipient) return null
  const encrypter = new Encrypter()
  if (passphrase && passphrase.length < minPassphraseLength)
    throw new Error(`BACKUP_PASSPHRASE is too short. It needs at least ${minPassphraseLength} characters.`)
  if (passphrase) encrypter.setPassphrase(passphrase)
  else encrypter.addRecipient(assertDefined(recipient))
  return encrypter
}

/**
 * Writes a backup that only its owner can read. It writes to a `.part` file and renames it at the end, so that an incomplete file never has
 * the final name.
 */
export async function writeBackup(file: string, body: AsyncIterable<Buffer>, encrypter: Encrypter | null): Promise<void> {
  const part = `${file}.part`
  try {
    const zip = createGzip({ level: 4 })
    const zipped = pipeline(Readable.from(body, { objectMode: false }), zip)
    const out = encrypter ? Readable.from(readStream(await encrypter.encrypt(toWebStream(zip)))) : zip
    await Promise.all([zipped, pipeline(out, createWriteStream(part, { mode: 0o600 }))])
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw getThrownDetails(error).code === 'ENOSPC'
      ? new Error(`There is no room for ${file}: its disk is full. No backup was written. Free some space there, or choose another disk.`)
      : error
  }
}

/** Converts to a Web stream, which the age library uses. */
function toWebStream(pieces: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (to) => {
      const { value, done } = await iterator.next()
      if (done) to.close()
      else to.enqueue(value)
    },
  })
}

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = stream.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    yield Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
}

/** The line that ends a table's rows, as in COPY and pg_dump. No row can look like it. */
export const endOfRowsLine = Buffer.from('\\.\n')
export const formatHeadLine = (head: BackupHead): Buffer => Buffer.from(`${JSON.stringify(head)}\n`)
export const formatTableLine = (table: string, columns: readonly string[]): Buffer => Buffer.from(`${JSON.stringify({ table, columns })}\n`)
export const formatEndLine = (end: BackupEnd): Buffer => Buffer.from(`${JSON.stringify(end)}\n`)

const cutOffMessage = 'The file ends too early: it is incomplete.'

export class BackupReader {
  readonly #pieces: AsyncIterator<Buffer>
  #pending: Buffer = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Reads one more chunk. @throws Error at the end of the file */
  async #more(): Promise<void> {
    const { value, done } = await this.#pieces.next()
    if (done) throw new Error(cutOffMessage)
    this.#pending = Buffer.concat([this.#pending, value])
  }

  /** Reads the next line as JSON. @throws Error if the file ends first */
  async readLine(): Promise<unknown> {
    let end = this.#pending.indexOf(10)
    while (end < 0) {
      await this.#more()
      end = this.#pending.indexOf(10)
    }
    const text = this.#pending.toString('utf8', 0, end)
    this.#pending = this.#pending.subarray(end + 1)
    return JSON.parse(text)
  }

  async *rows(): AsyncGenerator<Buffer> {
    while (this.#pending.length < endOfRowsLine.length) await this.#more()
    // The end mark is either the first line or the line after a row.
    let from = this.#pending.subarray(0, endOfRowsLine.length).equals(endOfRowsLine) ? 0 : -1
    while (from < 0) {
      const index = this.#pending.indexOf('\n\\.\n')
      if (index >= 0) {
        from = index + 1
        break
      }
      const sure = this.#pending.length - endOfRowsLine.length
      if (sure > 0) {
        yield this.#pending.subarray(0, sure)
        this.#pending = this.#pending.subarray(sure)
      }
      await this.#more()
    }
    if (from) yield this.#pending.subarray(0, from)
    this.#pending = this.#pending.subarray(from + endOfRowsLine.length)
  }

  async close(): Promise<void> {
    await this.#pieces.return?.()
  }

  /** @throws Error if more data follows, or the file is incomplete */
  async readEnd(): Promise<void> {
    const { done } = await this.#pieces.next()
    if (!done || this.#pending.length) throw new Error('The file does not end where it should: it is damaged.')
  }
}

/**
 * Opens a backup and reads its head.
 * @throws Error with one sentence if the file is not a backup, or the passphrase or key does not open it
 */
export async function openBackup(file: string, { passphrase, identity }: BackupSeal): Promise<{ head: BackupHead; reader: BackupReader }> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`There is no file ${file}.`) : error
  })
  const first = Buffer.alloc(ageMark.length)
  await handle.read(first, 0, first.length, 0)
  await handle.close()
  const isSealed = first.toString() === ageMark
  if (!isSealed && first.readUInt16BE(0) !== 0x1f8b) throw new Error(`${file} is not a Bursar backup.`)
  const stored = createReadStream(file, { highWaterMark: 1 << 18 })
  const zip = createGunzip({ chunkSize: 1 << 18 })
  const opened = isSealed ? await decrypt(stored, { passphrase, identity }) : stored
  // Errors of the pipeline also reach the reader of `zip`, which reports them.
  pipeline(opened, zip).catch(() => undefined)
  const reader = new BackupReader(withDamageMessage(zip))
  // The check after this line confirms the type.
  const head = (await reader.readLine()) as BackupHead
  if (head.bursar !== 'backup') throw new Error(`${file} is not a Bursar backup.`)
  return { head, reader }
}

async function decrypt(stored: Readable, { passphrase, identity }: BackupSeal): Promise<Readable> {
  const decrypter = new Decrypter()
  if (!passphrase && !identity)
    throw new Error('The backup is sealed. Set BACKUP_PASSPHRASE, or set BACKUP_IDENTITY to the secret key of its recipient.')
  if (passphrase) decrypter.addPassphrase(passphrase)
  if (identity) decrypter.addIdentity(identity)
  try {
    return Readable.from(readStream(await decrypter.decrypt(toWebStream(stored))))
  } catch {
    throw new Error(`${passphrase ? 'BACKUP_PASSPHRASE' : 'BACKUP_IDENTITY'} does not open this backup.`)
  }
}

/** Turns decompression errors into one sentence: the file was cut off or altered. */
async function* withDamageMessage(zip: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* zip
  } catch (error) {
    throw new Error('The file is damaged: it cannot be decompressed.', { cause: error })
  }
}

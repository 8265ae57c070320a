import { Writable } from 'node:stream'
import type SftpClient from 'ssh2-sftp-client'
import {
  type Format,
  largestFileBytes,
  mostFilesAtOnce,
  refusedFolder,
  takenFolder,
} from '../../../../../domain/integrations/connections/connection.ts'
import type { ParameterValues } from '../../../../../domain/integrations/credentials.ts'
import { must } from '../../../../../domain/must.ts'
import { type Network, OutsideError } from '../../../../core/outside/addresses.ts'
import { ask } from '../../../../core/outside/request.ts'
import { withSftp } from '../../../../core/outside/sftp.ts'
import { sftpPlace, signedIn } from '../../trying/connection.ts'

/** How long another system has for one file, in milliseconds. */
const longestAnswerMs = 60_000
/** How long a server has for all the files of a run, in milliseconds. */
const longestSessionMs = 180_000

const contentTypeOf: Record<Format, string> = { csv: 'text/csv; charset=utf-8', json: 'application/json' }

/** Where a path of a web service is; an empty one is its address. */
function urlOf({ address }: ParameterValues, path: string): string {
  return path ? new URL(`/${path.replace(/^\/+/, '')}`, must(address)).href : must(address)
}

/** @throws OutsideError for an answer that is no yes */
function accepted(host: string, status: number): void {
  if (status === 401 || status === 403) throw new OutsideError(`${host} does not accept the sign-in: it answered ${status}.`, status)
  if (status < 200 || status > 299) throw new OutsideError(`${host} answered ${status}.`, status)
}

/** What is sent to a web service. */
interface Sent {
  path: string
  format: Format
  body: string
  /** The same for the same file, so that the other side takes it once. */
  key: string
}

/** Posts a file to a web service. @throws OutsideError with one sentence */
export async function post(values: ParameterValues, { path, format, body, key }: Sent, networks: readonly Network[]): Promise<void> {
  const url = urlOf(values, path)
  const headers = { ...(await signedIn(values, networks)), 'Content-Type': contentTypeOf[format], 'Idempotency-Key': key }
  const { status } = await ask({ method: 'POST', url, headers, body, timeoutMs: longestAnswerMs }, networks)
  accepted(new URL(url).hostname, status)
}

/** Fetches a file from a web service. @returns its text, empty where there is none. @throws OutsideError with one sentence */
export async function fetchFile(
  values: ParameterValues,
  { path, format }: Pick<Sent, 'path' | 'format'>,
  networks: readonly Network[],
): Promise<string> {
  const url = urlOf(values, path)
  const headers = { ...(await signedIn(values, networks)), Accept: format === 'csv' ? 'text/csv' : 'application/json' }
  const { status, body } = await ask({ method: 'GET', url, headers, timeoutMs: longestAnswerMs, mostBytes: largestFileBytes }, networks)
  accepted(new URL(url).hostname, status)
  return body
}

const joined = (...parts: string[]): string =>
  parts
    .filter(Boolean)
    .join('/')
    .replace(/\/{2,}/g, '/')

/** Writes a file into a folder of a server: under another name until it is whole. @throws OutsideError with one sentence */
export async function put(
  values: ParameterValues,
  { path, name, body }: { path: string; name: string; body: string },
  networks: readonly Network[],
): Promise<void> {
  const folder = joined(must(values.folder), path)
  await withSftp(
    sftpPlace(values),
    networks,
    async (sftp) => {
      const [whole, part] = [joined(folder, name), joined(folder, `${name}.part`)]
      await sftp.put(Buffer.from(body), part)
      // It stands there when the answer to it was lost.
      if (await sftp.exists(whole)) await sftp.delete(whole)
      await sftp.rename(part, whole)
    },
    longestSessionMs,
  )
}

/** A file that waits in a folder. */
export interface Waiting {
  name: string
  /** Null: it is larger than what is taken. */
  text: string | null
}

/** What is to become of a file that was looked at. */
export interface Verdict {
  moveTo: 'taken' | 'refused' | null
  /** What is wrong with a file that was refused, for a file beside it. */
  problems: string
}

async function read(sftp: SftpClient, path: string, size: number): Promise<string | null> {
  if (size > largestFileBytes) return null
  const parts: Buffer[] = []
  let bytes = 0
  const into = new Writable({
    write(part: Buffer, _encoding, done) {
      bytes += part.length
      parts.push(part)
      // What a server says of the size of a file need not be true.
      done(bytes > largestFileBytes ? new Error('larger than its size') : null)
    },
  })
  try {
    await sftp.get(path, into)
  } catch (error) {
    if (bytes > largestFileBytes) return null
    throw error
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Moves a file below its folder, beside one of the same name that is there already. */
async function moveAside(sftp: SftpClient, { folder, name, to }: { folder: string; name: string; to: string }): Promise<string> {
  const target = joined(folder, to)
  if (!(await sftp.exists(target))) await sftp.mkdir(target)
  const [stem, end] = [name.replace(/\.[^.]*$/, ''), name.replace(/^.*(\.[^.]*)$/, '$1')]
  for (let count = 1; count <= 1000; count++) {
    const free = joined(target, count === 1 ? name : `${stem} (${count})${end}`)
    if (await sftp.exists(free)) continue
    await sftp.rename(joined(folder, name), free)
    return free
  }
  throw new OutsideError(`The folder ${to} holds too many files called ${name}.`)
}

/**
 * Looks at each CSV file of a folder in the order of their names, and moves it where it belongs then.
 * @param look decides about a file; nothing of it is moved before that has ended
 * @throws OutsideError with one sentence; what was looked at until then stays as it was decided
 */
export async function pickUp(
  values: ParameterValues,
  path: string,
  networks: readonly Network[],
  look: (file: Waiting) => Promise<Verdict>,
): Promise<void> {
  const folder = joined(must(values.folder), path)
  await withSftp(
    sftpPlace(values),
    networks,
    async (sftp) => {
      const found = await sftp.list(folder, ({ name, type }) => type === '-' && /^[^/\\]{1,200}\.csv$/i.test(name))
      found.sort((a, b) => (a.name < b.name ? -1 : 1))
      for (const { name, size } of found.slice(0, mostFilesAtOnce)) {
        const { moveTo, problems } = await look({ name, text: await read(sftp, joined(folder, name), size) })
        if (moveTo === 'taken') await moveAside(sftp, { folder, name, to: takenFolder })
        if (moveTo !== 'refused') continue
        const there = await moveAside(sftp, { folder, name, to: refusedFolder })
        await sftp.put(Buffer.from(problems), `${there}.problems.txt`)
      }
    },
    longestSessionMs,
  )
}

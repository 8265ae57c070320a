import {
  type ExchangeFormat,
  importedFolder,
  maximumFileBytes,
  maximumFilesPerRun,
  refusedFolder,
} from '../../../../../domain/integrations/connections/connection.ts'
import type { ParameterValues } from '../../../../../domain/integrations/credentials.ts'
import { assertDefined } from '../../../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../../../domain/values/ids.ts'
import { type OpenedNetwork, OutsideError } from '../../../../core/outside/addresses.ts'
import type { ExchangeFolder, OutsideAccess } from '../../../../core/outside/exchangeFolder.ts'
import { sendRequest } from '../../../../core/outside/request.ts'
import { buildAuthenticationHeaders, withLinkFolder } from '../../trying/connection.ts'

/** How long, in milliseconds, another system may take for one file. */
const longestAnswerMs = 60_000
/** How long, in milliseconds, a server may take for all the files of a run. */
const longestSessionMs = 180_000

const contentTypeOf: Record<ExchangeFormat, string> = { csv: 'text/csv; charset=utf-8', json: 'application/json' }

/** The URL of a path at a web service; an empty path is the base address. */
function buildUrl({ address }: ParameterValues, path: string): string {
  return path ? new URL(`/${path.replace(/^\/+/, '')}`, assertDefined(address)).href : assertDefined(address)
}

/** @throws OutsideError for an unsuccessful status */
function refuseUnsuccessful(host: string, status: number): void {
  if (status === 401 || status === 403) throw new OutsideError(`${host} rejected the sign-in: it responded with ${status}.`, status)
  if (status < 200 || status > 299) throw new OutsideError(`${host} responded with ${status}.`, status)
}

/** What is sent to a web service. */
interface OutgoingFile {
  path: string
  format: ExchangeFormat
  body: string
  /** Idempotency key: the same file has the same key, so that the receiver processes it once. */
  key: string
}

/** Posts a file to a web service. @throws OutsideError with a message for users */
export async function postFile(
  values: ParameterValues,
  { path, format, body, key }: OutgoingFile,
  networks: readonly OpenedNetwork[],
): Promise<void> {
  const url = buildUrl(values, path)
  const headers = { ...(await buildAuthenticationHeaders(values, networks)), 'Content-Type': contentTypeOf[format], 'Idempotency-Key': key }
  const { status } = await sendRequest({ method: 'POST', url, headers, body, timeoutMs: longestAnswerMs }, networks)
  refuseUnsuccessful(new URL(url).hostname, status)
}

/**
 * Fetches a file from a web service.
 * @returns its bytes, of length zero if there is no file
 * @throws OutsideError with a message for users
 */
export async function fetchFile(
  values: ParameterValues,
  { path, format }: Pick<OutgoingFile, 'path' | 'format'>,
  networks: readonly OpenedNetwork[],
): Promise<Uint8Array> {
  const url = buildUrl(values, path)
  const headers = { ...(await buildAuthenticationHeaders(values, networks)), Accept: format === 'csv' ? 'text/csv' : 'application/json' }
  const { status, bytes } = await sendRequest(
    { method: 'GET', url, headers, timeoutMs: longestAnswerMs, mostBytes: maximumFileBytes },
    networks,
  )
  refuseUnsuccessful(new URL(url).hostname, status)
  return bytes
}

/** The folder that a connection's files are in. */
interface Folder {
  organisationId: OrganisationId
  values: ParameterValues
  path: string
}

/** Writes a file into a folder, under a temporary name until it is complete. @throws OutsideError with a message for users */
export async function putFile(folder: Folder, { name, body }: { name: string; body: string }, reach: OutsideAccess): Promise<void> {
  await withLinkFolder({ ...folder, mostMs: longestSessionMs }, reach, async (exchange) => {
    const part = `${name}.part`
    await exchange.write(part, Buffer.from(body))
    // The file may exist from an attempt whose answer was lost.
    if (await exchange.has(name)) await exchange.remove(name)
    await exchange.move(part, name)
  })
}

/** A file waiting in a folder. */
export interface WaitingFile {
  name: string
  /** Null if it exceeds the size limit. */
  bytes: Uint8Array | null
}

/** What to do with a file after reading it. */
export interface FileHandling {
  moveTo: 'taken' | 'refused' | null
  /** The contents of the problem file for a refused file. */
  problems: string
}

/** Moves a file into a subfolder, under a new name if the name is taken. */
async function moveAside(exchange: ExchangeFolder, name: string, to: string): Promise<string> {
  if (!(await exchange.has(to))) await exchange.makeFolder(to)
  const [stem, end] = [name.replace(/\.[^.]*$/, ''), name.replace(/^.*(\.[^.]*)$/, '$1')]
  for (let count = 1; count <= 1000; count++) {
    const free = `${to}/${count === 1 ? name : `${stem} (${count})${end}`}`
    if (await exchange.has(free)) continue
    await exchange.move(name, free)
    return free
  }
  throw new OutsideError(`The folder ${to} contains too many files called ${name}.`)
}

/**
 * Passes each CSV file of a folder, in order of name, to `look`, and then moves the file as `look` decided.
 * @param look reads a file and decides; the file is moved only after it returns
 * @throws OutsideError with a message for users; files already processed stay where they were moved
 */
export async function processFolder(
  folder: Folder,
  reach: OutsideAccess,
  look: (file: WaitingFile) => Promise<FileHandling>,
): Promise<void> {
  await withLinkFolder({ ...folder, mostMs: longestSessionMs }, reach, async (exchange) => {
    const found = (await exchange.files()).filter(({ name }) => /^[^/\\]{1,200}\.csv$/i.test(name))
    found.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const { name, size } of found.slice(0, maximumFilesPerRun)) {
      const bytes = size > maximumFileBytes ? null : await exchange.read(name, maximumFileBytes)
      const { moveTo, problems } = await look({ name, bytes })
      if (moveTo === 'taken') await moveAside(exchange, name, importedFolder)
      if (moveTo !== 'refused') continue
      const there = await moveAside(exchange, name, refusedFolder)
      await exchange.write(`${there}.problems.txt`, Buffer.from(problems))
    }
  })
}

import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { Writable } from 'node:stream'
import type SftpClient from 'ssh2-sftp-client'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { getThrownDetails } from '../thrownDetails.ts'
import { type OpenedNetwork, OutsideError } from './addresses.ts'

/** The networks and the folder that work with other systems may use. */
export interface OutsideAccess {
  networks: readonly OpenedNetwork[]
  /** The installation's folder for exchanging files. */
  exchangeDir: string | null
}

/** A folder in which files are exchanged. Paths are relative to it. */
export interface ExchangeFolder {
  /** The files directly in the folder. */
  files(): Promise<{ name: string; size: number }[]>
  /**
   * Reads a file.
   * @returns null if the file is larger than `mostBytes`
   */
  read(path: string, mostBytes: number): Promise<Buffer | null>
  has(path: string): Promise<boolean>
  makeFolder(path: string): Promise<void>
  move(from: string, to: string): Promise<void>
  write(path: string, body: Buffer): Promise<void>
  remove(path: string): Promise<void>
}

const joined = (...parts: string[]): string =>
  parts
    .filter(Boolean)
    .join('/')
    .replace(/\/{2,}/g, '/')

/** A folder of an SFTP server. */
export function createSftpFolder(sftp: SftpClient, folder: string): ExchangeFolder {
  const at = (path: string): string => joined(folder, path)
  return {
    files: async () => {
      const found = await sftp.list(folder, ({ type }) => type === '-')
      return found.map(({ name, size }) => ({ name, size }))
    },
    async read(path, mostBytes) {
      const parts: Buffer[] = []
      let bytes = 0
      const into = new Writable({
        write(part: Buffer, _encoding, done) {
          bytes += part.length
          parts.push(part)
          // The server may report a wrong size, so the bytes are counted while they arrive.
          done(bytes > mostBytes ? new Error('larger than its size') : null)
        },
      })
      try {
        await sftp.get(at(path), into)
      } catch (error) {
        if (bytes > mostBytes) return null
        throw error
      }
      return Buffer.concat(parts)
    },
    has: async (path) => Boolean(await sftp.exists(at(path))),
    makeFolder: async (path) => void (await sftp.mkdir(at(path))),
    move: async (from, to) => void (await sftp.rename(at(from), at(to))),
    write: async (path, body) => void (await sftp.put(body, at(path))),
    remove: async (path) => void (await sftp.delete(at(path))),
  }
}

/** The installation's folder, with a subfolder for each organisation. */
export interface ServerFolder {
  /** Null if this installation has none. */
  exchangeDir: string | null
  organisationId: OrganisationId
  folder: string
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants

/** The sentences for errors of the file system. */
const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'The folder was not found on the server.',
  ENOTDIR: 'The folder was not found on the server.',
  EACCES: 'The server does not have access to the folder.',
  EPERM: 'The server does not have access to the folder.',
  EROFS: 'The server cannot write to the folder.',
  ENOSPC: 'The server has no space left for files.',
  ELOOP: 'The folder contains a link where a file is expected.',
}

/**
 * Works in a folder of the server: the organisation's own or one inside it.
 * @throws OutsideError with one sentence if there is none, or if a path or link leads outside
 */
export async function withServerFolder<T>(
  { exchangeDir, organisationId, folder }: ServerFolder,
  work: (room: ExchangeFolder) => Promise<T>,
): Promise<T> {
  if (!exchangeDir) throw new OutsideError('This installation has no folder for files (EXCHANGE_DIR).')
  try {
    const root = join(await realpath(exchangeDir), String(organisationId))
    await mkdir(root, { recursive: true, mode: 0o770 })
    const isWithin = (path: string): boolean => path === root || path.startsWith(root + sep)
    const leadsOut = () => new OutsideError('The folder is outside the organisation’s folder.')
    const inside = async (path: string): Promise<string> => {
      // The path is checked before the file system is read, so that callers cannot find out which files exist elsewhere.
      if (!isWithin(path)) throw leadsOut()
      const real = await realpath(path)
      if (!isWithin(real)) throw leadsOut()
      return real
    }
    const folderPath = await inside(join(root, folder))
    // The folder of a path is resolved; its last part is never followed as a link.
    const at = async (path: string): Promise<string> => join(await inside(dirname(join(folderPath, path))), basename(path))
    return await work(measureFreeSpace(folderPath, at))
  } catch (error) {
    const { code, syscall } = getThrownDetails(error)
    const sentence = syscall && code ? sentences[code] : undefined
    throw sentence ? new OutsideError(sentence) : error
  }
}

function measureFreeSpace(folderPath: string, at: (path: string) => Promise<string>): ExchangeFolder {
  return {
    async files() {
      const found = (await readdir(folderPath, { withFileTypes: true })).filter((one) => one.isFile())
      return Promise.all(found.map(async ({ name }) => ({ name, size: (await lstat(join(folderPath, name))).size })))
    },
    async read(path, mostBytes) {
      const file = await open(await at(path), O_RDONLY | O_NOFOLLOW)
      try {
        const { size } = await file.stat()
        if (size > mostBytes) return null
        // Reads only the size found above: bytes appended since then are ignored.
        const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    has: async (path) =>
      lstat(await at(path)).then(
        () => true,
        () => false,
      ),
    makeFolder: async (path) => void (await mkdir(await at(path), { mode: 0o770 })),
    move: async (from, to) => rename(await at(from), await at(to)),
    async write(path, body) {
      const target = await at(path)
      await rm(target, { force: true })
      const file = await open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o660)
      try {
        await file.writeFile(body)
        await file.sync()
      } finally {
        await file.close()
      }
    },
    remove: async (path) => rm(await at(path)),
  }
}

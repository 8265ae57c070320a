import { createHash, timingSafeEqual } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import SftpClient from 'ssh2-sftp-client'
import { getThrownDetails, type ThrownDetails } from '../thrownDetails.ts'
import { createGuardedLookup, describePrivateNetwork, isAddressAllowed, type OpenedNetwork, OutsideError, parseHost } from './addresses.ts'

const longestMs = 10_000

export interface SftpServer {
  host: string
  port: number
  /** The SHA-256 fingerprint of the server's key, as `ssh-keygen -lf` prints it. */
  fingerprint: string
  user: string
  password: string
  /** Used instead of the password if given. */
  privateKey: string
}

/** @throws OutsideError if the server cannot be reached, or is in a network that is not opened */
function openSocket({ host: given, port }: SftpServer, networks: readonly OpenedNetwork[]): Promise<Socket> {
  const { host, isAddress } = parseHost(given)
  if (isAddress && !isAddressAllowed(host, networks)) return Promise.reject(new OutsideError(describePrivateNetwork(host)))
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: createGuardedLookup((address) => isAddressAllowed(address, networks)) })
    socket.setTimeout(longestMs, () => socket.destroy(new OutsideError(`${host} did not respond within ${longestMs / 1000} seconds.`)))
    socket.once('error', (error) => reject(error instanceof OutsideError ? error : new OutsideError(`${host} could not be reached.`)))
    socket.once('connect', () => resolve(socket))
  })
}

/**
 * Connects to an SFTP server with the expected key, does the work, and disconnects.
 * @param mostMs milliseconds for everything
 * @throws OutsideError with one sentence for users; it names the host, never what was sent
 */
export async function withSftpConnection<T>(
  server: SftpServer,
  {
    networks,
    work,
    mostMs = 2 * longestMs,
  }: { networks: readonly OpenedNetwork[]; work: (sftp: SftpClient) => Promise<T>; mostMs?: number },
): Promise<T> {
  const socket = await openSocket(server, networks)
  const expected = Buffer.from(server.fingerprint.replace(/^SHA256:/, ''), 'base64')
  const sftp = new SftpClient()
  // Errors on a connection that is no longer used must not end the process.
  sftp.on('error', () => undefined)
  let isOther = false
  let tooLate: NodeJS.Timeout | undefined
  try {
    const late = new Promise<never>((_, reject) => {
      tooLate = setTimeout(() => reject(new OutsideError(`${server.host} did not respond within ${mostMs / 1000} seconds.`)), mostMs)
    })
    const done = async (): Promise<T> => {
      await sftp.connect({
        sock: socket,
        username: server.user,
        ...(server.privateKey ? { privateKey: server.privateKey } : { password: server.password }),
        readyTimeout: longestMs,
        hostVerifier: (key: Buffer) => {
          const seen = createHash('sha256').update(key).digest()
          isOther = seen.length !== expected.length || !timingSafeEqual(seen, expected)
          return !isOther
        },
      })
      return await work(sftp)
    }
    return await Promise.race([done(), late])
  } catch (error) {
    if (error instanceof OutsideError) throw error
    if (isOther)
      throw new OutsideError(
        `${server.host} has a key that does not match the fingerprint. Ask the people who run it before you change the fingerprint.`,
      )
    throw new OutsideError(describeFailure(getThrownDetails(error), server))
  } finally {
    clearTimeout(tooLate)
    // Not awaited: it does not matter whether the server confirms.
    void sftp.end().catch(() => undefined)
    socket.destroy()
  }
}

function describeFailure({ message = '', code }: ThrownDetails, { host }: SftpServer): string {
  if (/authentication/i.test(message)) return `${host} did not accept the user with this password or key.`
  if (/private ?key|passphrase/i.test(message))
    return 'The private key cannot be read. Enter the key in OpenSSH format, without a passphrase.'
  if (code === 'ENOENT' || /no such file|not exist/i.test(message)) return `The folder was not found on ${host}.`
  if (/permission/i.test(message)) return `${host} does not give the user access to the folder.`
  return `The connection to ${host} failed.`
}

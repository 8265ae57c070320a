import { createHash, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'
import { atEnd } from './endings.ts'

/** A web service on this machine that answers as a test says. @returns its address, and what it was asked */
export async function webService(answer: RequestListener): Promise<{ address: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atEnd(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** An SFTP server on this machine for one user, with one folder. */
export async function sftpServer({ user, password, folder }: { user: string; password: string; folder: string }) {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const parsed = ssh2.utils.parseKey(privateKey)
  if (parsed instanceof Error) throw parsed
  const key = Array.isArray(parsed) ? parsed[0]! : parsed
  const fingerprint = `SHA256:${createHash('sha256').update(key.getPublicSSH()).digest('base64').replace(/=+$/, '')}`
  const { STATUS_CODE } = ssh2.utils.sftp
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (context) =>
      context.method === 'password' && context.username === user && context.password === password
        ? context.accept()
        : context.reject(['password']),
    )
    client.on('session', (accept) => {
      accept().on('sftp', (open) => {
        const sftp = open()
        const attributes = (isFolder: boolean) => ({ mode: isFolder ? 0o40755 : 0o100644, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 })
        const stat = (id: number, path: string): void =>
          path === folder ? sftp.attrs(id, attributes(true)) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
        sftp.on('STAT', stat)
        sftp.on('LSTAT', stat)
        sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: path, longname: path, attrs: attributes(true) }]))
      })
    })
  })
  const port = await new Promise<number>((done) => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)))
  atEnd(() => new Promise<void>((done) => server.close(() => done())))
  return { port, fingerprint }
}

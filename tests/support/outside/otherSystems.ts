import { createHash, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'
import { atEnd } from '../product/endings.ts'

/** Starts a web service on this machine that replies as the test says. @returns its URL, and the requests it received */
export async function startWebService(answer: RequestListener): Promise<{ address: string; asked: IncomingMessage[] }> {
  const messages: IncomingMessage[] = []
  const server = createServer((request, response) => {
    messages.push(request)
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atEnd(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: messages }
}

/** Starts an SFTP server on this machine for one user. The files below its one folder are kept in memory. */
export async function startSftpServer({ user, password, folder }: { user: string; password: string; folder: string }) {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const parsed = ssh2.utils.parseKey(privateKey)
  if (parsed instanceof Error) throw parsed
  const key = Array.isArray(parsed) ? parsed[0]! : parsed
  const fingerprint = `SHA256:${createHash('sha256').update(key.getPublicSSH()).digest('base64').replace(/=+$/, '')}`
  const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp
  const files = new Map<string, Buffer>()
  const folders = new Set([folder])
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
        const handles = new Map<string, { path: string; isListed?: boolean }>()
        const attributes = (isFolder: boolean, size = 0) => ({
          mode: isFolder ? 0o40755 : 0o100644,
          uid: 0,
          gid: 0,
          size,
          atime: 0,
          mtime: 0,
        })
        const handleOf = (path: string): Buffer => {
          const name = String(handles.size)
          handles.set(name, { path })
          return Buffer.from(name)
        }
        const missing = (id: number): void => sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
        const done = (id: number): void => sftp.status(id, STATUS_CODE.OK)
        const stat = (id: number, path: string): void => {
          const file = files.get(path)
          if (file) sftp.attrs(id, attributes(false, file.length))
          else if (folders.has(path)) sftp.attrs(id, attributes(true))
          else missing(id)
        }
        sftp.on('STAT', stat)
        sftp.on('LSTAT', stat)
        sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: path, longname: path, attrs: attributes(true) }]))
        sftp.on('OPEN', (id, path, flags) => {
          if (flags & OPEN_MODE.WRITE) files.set(path, Buffer.alloc(0))
          if (files.has(path)) sftp.handle(id, handleOf(path))
          else missing(id)
        })
        sftp.on('FSTAT', (id, handle) => stat(id, handles.get(String(handle))!.path))
        sftp.on('FSETSTAT', done)
        sftp.on('SETSTAT', done)
        sftp.on('READ', (id, handle, offset, length) => {
          const part = files.get(handles.get(String(handle))!.path)!.subarray(offset, offset + length)
          if (part.length) sftp.data(id, part)
          else sftp.status(id, STATUS_CODE.EOF)
        })
        sftp.on('WRITE', (id, handle, offset, data) => {
          const { path } = handles.get(String(handle))!
          files.set(path, Buffer.concat([files.get(path)!.subarray(0, offset), data]))
          done(id)
        })
        sftp.on('CLOSE', done)
        sftp.on('OPENDIR', (id, path) => (folders.has(path) ? sftp.handle(id, handleOf(path)) : missing(id)))
        sftp.on('READDIR', (id, handle) => {
          const one = handles.get(String(handle))!
          const inside = [...files].filter(([path]) => path.slice(0, path.lastIndexOf('/')) === one.path)
          if (one.isListed || !inside.length) return sftp.status(id, STATUS_CODE.EOF)
          one.isListed = true
          sftp.name(
            id,
            inside.map(([path, { length }]) => {
              const filename = path.slice(path.lastIndexOf('/') + 1)
              return { filename, longname: `-rw-r--r-- 1 0 0 ${length} Jan 1 00:00 ${filename}`, attrs: attributes(false, length) }
            }),
          )
        })
        sftp.on('MKDIR', (id, path) => {
          folders.add(path)
          done(id)
        })
        sftp.on('REMOVE', (id, path) => (files.delete(path) ? done(id) : missing(id)))
        sftp.on('RENAME', (id, from, to) => {
          const file = files.get(from)
          if (!file) return missing(id)
          files.delete(from)
          files.set(to, file)
          done(id)
        })
      })
    })
  })
  const port = await new Promise<number>((done) => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)))
  atEnd(() => new Promise<void>((done) => server.close(() => done())))
  return { port, fingerprint, files }
}

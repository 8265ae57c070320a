import { createServer } from 'node:net'
import { atEnd } from '../product/endings.ts'

/** Starts a mail server that accepts and keeps every mail. */
export async function startMailbox(): Promise<{ url: string; mails: string[] }> {
  const mails: string[] = []
  const server = createServer((socket) => {
    let mail: string[] | null = null
    let rest = ''
    socket.on('error', () => socket.destroy())
    socket.write('220 mailbox\r\n')
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('utf8')).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) {
        if (mail && line !== '.') mail.push(line)
        else if (mail) {
          mails.push(mail.join('\n'))
          mail = null
          socket.write('250 kept\r\n')
        } else if (/^data$/i.test(line)) {
          mail = []
          socket.write('354 go on\r\n')
        } else socket.write(/^quit$/i.test(line) ? '221 bye\r\n' : '250 fine\r\n')
      }
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atEnd(() => void server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}?ignoreTLS=true`, mails }
}

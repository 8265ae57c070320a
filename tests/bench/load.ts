import { connect } from 'node:net'

/** A request that is sent repeatedly. */
export interface RepeatedRequest {
  port: number
  path: string
  headers: Record<string, string>
  body: string
}

/**
 * Sends a request over several connections for a fixed time; each connection sends the next when the last is answered. @returns calls
 * answered per second
 */
export async function measureRate({ port, path, headers, body }: RepeatedRequest, connections: number, ms: number): Promise<number> {
  const lines = Object.entries({
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  })
  const request = `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
  const began = performance.now()
  const each = await Promise.all(Array.from({ length: connections }, () => sendUntil(port, request, began + ms)))
  return each.reduce((sum, one) => sum + one, 0) / ((performance.now() - began) / 1000)
}

/** Sends over one connection until the end time. @throws Error on a reply other than 200 */
function sendUntil(port: number, request: string, end: number): Promise<number> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1')
    let [answered, left] = [0, -1]
    let head = ''
    socket.on('connect', () => socket.write(request))
    socket.on('error', failed)
    socket.on('data', (bytes) => {
      let body = bytes.length
      if (left < 0) {
        head += bytes.toString('latin1')
        const at = head.indexOf('\r\n\r\n')
        if (at < 0) return
        if (!head.startsWith('HTTP/1.1 200')) return failed(new Error(head.slice(0, 500)))
        body = head.length - at - 4
        left = Number(/content-length: (\d+)/i.exec(head)?.[1])
        if (Number.isNaN(left)) return failed(new Error(`An answer of no length: ${head.slice(0, at)}`))
        head = ''
      }
      left -= body
      if (left > 0) return
      answered++
      left = -1
      if (performance.now() < end) return void socket.write(request)
      socket.destroy()
      done(answered)
    })
  })
}

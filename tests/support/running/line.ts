import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy between two parts of the product, whose network can be cut. */
interface TcpProxy {
  port: number
  /**
   * From now on no data pass in either direction, and neither side gets an error, as when a cable is pulled. New connections are accepted,
   * but get no reply.
   */
  lose(): void
  /** New connections work again; those that were open stay cut. */
  restore(): void
  close(): Promise<void>
}

/**
 * Opens a proxy to a port of this machine. @param createListener called for each connection; its result receives every piece of data that the client
 * sends
 */
export async function openTcpProxy(host: string, port: number, createListener?: () => (piece: Buffer) => void): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let isLost = false
  const server = createServer((from) => {
    const to = connect(port, host)
    if (createListener) from.on('data', createListener())
    for (const [one, other] of [[from, to] as const, [to, from] as const]) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        if (!isLost) other.destroy()
      })
      if (!isLost) one.pipe(other)
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as { port: number }).port,
    lose() {
      isLost = true
      for (const socket of open) socket.unpipe().pause()
    },
    restore() {
      isLost = false
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

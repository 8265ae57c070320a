import { connect, createServer, type Socket } from 'node:net'

/** A line between two parts of the product, which hands on what it hears and can be lost. */
interface Line {
  port: number
  /** From now on nothing comes through, either way, and nobody is told: as when a cable is pulled. Who calls is taken and hears nothing. */
  lose(): void
  /** What is begun from now on comes through; what was open stays lost. */
  restore(): void
  close(): Promise<void>
}

/** Opens a line to a port of this machine. @param hear is given what is sent to it, piece by piece, for each connection of its own */
export async function openLine(host: string, port: number, hear?: () => (piece: Buffer) => void): Promise<Line> {
  const open = new Set<Socket>()
  let isLost = false
  const server = createServer((from) => {
    const to = connect(port, host)
    if (hear) from.on('data', hear())
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

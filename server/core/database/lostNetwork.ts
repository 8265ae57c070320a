import { connect, type Socket } from 'node:net'

/** Somebody waits for an answer, and nothing came for so long: it is asked whether the network still stands. */
const waitingMs = 5000
/** The same where it cannot be told whether anybody waits. */
const silentMs = 20_000
/** How long the other end may take to say that it is there. */
const answerMs = 3000
/** A clock that rings so much too late rang in a process that stood still: what came meanwhile has not been heard yet. */
const lateMs = 500
const tickMs = 1000

/** What a PostgreSQL is asked by whoever wants to speak in cipher; it answers with one letter before it knows who asks. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Where the driver wants to go: hosts are tried in turn. */
interface Where {
  host: readonly string[]
  port: readonly number[]
  path?: string | false | undefined
}

/** The ways to one database, watched as long as one is open. */
export interface Network {
  /** Opens a way to the database. */
  open(where: Where): Socket
  /** Watches a way that somebody else opens. */
  watched(socket: Socket): Socket
  /** Whether the database did not answer when it was last asked after: whoever waits is told at once then. */
  isLost(): boolean
}

interface Heard {
  at: number
  /** What had been sent when it was last heard of: whatever is sent later waits for an answer. */
  sent: number
  /** What had been heard by then. */
  read: number
}

const networks = new Map<string, Network>()

/** The network to a database: one for all who use it in this process. */
export function networkTo(databaseUrl: string): Network {
  const { host } = new URL(databaseUrl)
  const known = networks.get(host)
  if (known) return known
  const network = watchNetwork()
  networks.set(host, network)
  return network
}

/**
 * A network that is lost tells nobody: a cable is pulled, a machine is gone, a firewall forgets, and what was sent is sent again by the system
 * for a quarter of an hour. So a connection that hears nothing while somebody waits is asked after on a new one, and ended when nothing comes
 * there either; statements that only take long are left alone. Whoever waited is told what a database that ended would have told them.
 */
function watchNetwork(): Network {
  const open = new Map<Socket, Heard>()
  let timer: NodeJS.Timeout | undefined
  let isLost = false
  let isAsking = false
  let turn = 0

  function watched(socket: Socket): Socket {
    open.set(socket, { at: performance.now(), sent: 0, read: 0 })
    socket.on('data', () => hear(socket))
    timer ??= setInterval(() => void look(), tickMs).unref()
    return socket
  }

  function hear(socket: Socket): void {
    open.set(socket, { at: performance.now(), sent: socket.bytesWritten, read: socket.bytesRead })
    isLost = false
  }

  /** Forgets what is closed, and hears what is enciphered: below TLS a way has no listener of ours any more. */
  function catchUp(): void {
    for (const [socket, { read }] of open) {
      if (socket.destroyed) open.delete(socket)
      else if (socket.bytesRead > read) hear(socket)
    }
    if (open.size) return
    clearInterval(timer)
    timer = undefined
  }

  async function look(): Promise<void> {
    catchUp()
    if (isAsking) return
    isAsking = true
    const asked = performance.now()
    const quiet = new Map<string, { host: string; port: number }>()
    for (const [socket, { at, sent }] of open) {
      const { remoteAddress: host, remotePort: port } = socket
      if (host && port && asked - at > (socket.bytesWritten > sent ? waitingMs : silentMs)) quiet.set(`${host} ${port}`, { host, port })
    }
    for (const [place, { host, port }] of quiet) settle(place, asked, await answersAt(host, port))
    isAsking = false
  }

  /**
   * What comes of asking: where nobody is, every way there that said nothing meanwhile is ended, also those on which nobody waits, for they would
   * stay deaf. Elsewhere a way is asked after again when it has been silent as long again.
   */
  function settle(place: string, asked: number, isThere: boolean): void {
    for (const [socket, heard] of open) {
      if (`${socket.remoteAddress} ${socket.remotePort}` !== place || heard.at > asked) continue
      if (isThere) open.set(socket, { ...heard, at: asked })
      else socket.destroy()
    }
    if (!isThere) isLost = true
  }

  return {
    watched,
    isLost: () => isLost,
    open({ host, port, path }) {
      if (path) return connect(path)
      const at = turn++ % host.length
      const socket = connect(port[at] ?? 5432, host[at])
      // By this name the driver checks the certificate.
      return watched(Object.assign(socket, { host: host[at], port: port[at] }))
    },
  }
}

/**
 * Whether anybody is there: who refuses is. A process that itself stood still meanwhile (a long calculation, a laptop that slept) has proved
 * nothing by hearing nothing, and asks again before it ends anything.
 */
export function answersAt(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const asked = performance.now()
    const socket = connect(port, host)
    const answer = (isThere: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      done(isThere)
    }
    const timer = setTimeout(() => answer(performance.now() - asked > answerMs + lateMs), answerMs)
    socket.once('connect', () => socket.write(sslRequest))
    socket.once('data', () => answer(true))
    socket.once('close', () => answer(true))
    socket.once('error', (error) => answer(!('code' in error && /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(String(error.code)))))
  })
}

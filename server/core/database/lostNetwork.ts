import { connect, type Socket } from 'node:net'

/** The network is probed after a caller has waited this long without receiving anything. */
const waitingMs = 5000
/** The network is probed after this much silence if it is unknown whether a caller is waiting. */
const silentMs = 20_000
/** How long the other end may take to answer the probe. */
const answerMs = 3000
/** If a timer fires this late, the process was suspended, and data that arrived meanwhile has not been read yet. */
const lateMs = 500
const tickMs = 1000
/**
 * The shortest time between two occasions on which all connections are closed. It doubles each time, so that long
 * reads can finish while a database stays read-only.
 */
const leaveAgainMs = { first: 5000, most: 60_000 }

/** PostgreSQL's SSLRequest. The server answers it with one byte before authentication. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** The driver's target; hosts are tried in turn. */
interface DriverTarget {
  host: readonly string[]
  port: readonly number[]
  path?: string | false | undefined
}

/** The connections to one database, watched while any is open. */
export interface DatabaseNetwork {
  /** Opens a connection to the database. */
  open(where: DriverTarget): Socket
  /** Adds a connection that was opened elsewhere to those watched. */
  watch(socket: Socket): Socket
  /** Whether the last probe failed. Waiting callers then get an error at once. */
  isLost(): boolean
  /**
   * Closes every connection, so that the next statement opens a new one. Used when the database is read-only, because its address may now
   * lead to another server. Repeated calls have no effect for a while, at first for five seconds.
   */
  closeAll(): void
}

interface LastReceived {
  at: number
  /** Bytes sent when data last arrived. If more have been sent since, an answer is due. */
  sent: number
  /** Bytes received by that time. */
  read: number
}

const networks = new Map<string, DatabaseNetwork>()

/** The network to a database, shared by the whole process. */
export function getDatabaseNetwork(databaseUrl: string): DatabaseNetwork {
  const { host } = new URL(databaseUrl)
  const known = networks.get(host)
  if (known) return known
  const network = watchNetwork()
  networks.set(host, network)
  return network
}

/**
 * Watches for a lost network, which raises no error: if a cable is pulled, a machine disappears or a firewall drops its state, the
 * operating system resends for a quarter of an hour. So when a connection is silent while a caller waits, a new connection to the same host
 * is tried; if that is silent too, the first is closed, and callers get the same error as from a database that has stopped. Statements that
 * merely take long are left alone.
 */
function watchNetwork(): DatabaseNetwork {
  const open = new Map<Socket, LastReceived>()
  let timer: NodeJS.Timeout | undefined
  let isLost = false
  let isAsking = false
  let turn = 0
  let leftAt = Number.NEGATIVE_INFINITY
  let leaveWaitMs = leaveAgainMs.first

  function watchSocket(socket: Socket): Socket {
    open.set(socket, { at: performance.now(), sent: 0, read: 0 })
    socket.on('data', () => recordReceivedBytes(socket))
    timer ??= setInterval(() => void probeSilentHosts(), tickMs).unref()
    return socket
  }

  function recordReceivedBytes(socket: Socket): void {
    open.set(socket, { at: performance.now(), sent: socket.bytesWritten, read: socket.bytesRead })
    isLost = false
  }

  /** Removes closed connections, and records when others received data: once a connection uses TLS, our own listeners no longer fire. */
  function catchUp(): void {
    for (const [socket, { read }] of open) {
      if (socket.destroyed) open.delete(socket)
      else if (socket.bytesRead > read) recordReceivedBytes(socket)
    }
    if (open.size) return
    clearInterval(timer)
    timer = undefined
  }

  async function probeSilentHosts(): Promise<void> {
    catchUp()
    if (isAsking) return
    isAsking = true
    const probedAt = performance.now()
    const quiet = new Map<string, { host: string; port: number }>()
    for (const [socket, { at, sent }] of open) {
      const { remoteAddress: host, remotePort: port } = socket
      if (host && port && probedAt - at > (socket.bytesWritten > sent ? waitingMs : silentMs)) quiet.set(`${host} ${port}`, { host, port })
    }
    for (const [hostAndPort, { host, port }] of quiet) applyProbe(hostAndPort, probedAt, await isHostAnswering(host, port))
    isAsking = false
  }

  /**
   * Applies the result of a probe. If nobody answered, every connection to that host that stayed silent is closed, even if no caller waits
   * for it. Otherwise the silence of these connections is measured from the time of the probe.
   */
  function applyProbe(hostAndPort: string, probedAt: number, isThere: boolean): void {
    for (const [socket, received] of open) {
      if (`${socket.remoteAddress} ${socket.remotePort}` !== hostAndPort || received.at > probedAt) continue
      if (isThere) open.set(socket, { ...received, at: probedAt })
      else socket.destroy()
    }
    if (!isThere) isLost = true
  }

  return {
    watch: watchSocket,
    isLost: () => isLost,
    closeAll() {
      const since = performance.now() - leftAt
      if (since < leaveWaitMs) return
      leaveWaitMs = since > 2 * leaveAgainMs.most ? leaveAgainMs.first : Math.min(2 * leaveWaitMs, leaveAgainMs.most)
      leftAt = performance.now()
      for (const socket of open.keys()) socket.destroy()
    },
    open({ host, port, path }) {
      if (path) return connect(path)
      const at = turn++ % host.length
      const socket = connect(port[at] ?? 5432, host[at])
      // The driver verifies the certificate against this name.
      return watchSocket(Object.assign(socket, { host: host[at], port: port[at] }))
    },
  }
}

/**
 * Whether anything answers; a refused connection counts as an answer. If this process was itself suspended (a long calculation, a sleeping
 * laptop), silence proves nothing, so the host is probed again.
 */
export function isHostAnswering(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const probedAt = performance.now()
    const socket = connect(port, host)
    const answer = (isThere: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      done(isThere)
    }
    const timer = setTimeout(() => answer(performance.now() - probedAt > answerMs + lateMs), answerMs)
    socket.once('connect', () => socket.write(sslRequest))
    socket.once('data', () => answer(true))
    socket.once('close', () => answer(true))
    socket.once('error', (error) => answer(!('code' in error && /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(String(error.code)))))
  })
}

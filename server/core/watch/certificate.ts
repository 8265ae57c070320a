import { connect, type PeerCertificate } from 'node:tls'

/** Milliseconds for a site to answer. */
const answerMs = 3000

/**
 * Reads the certificate of a site.
 * @returns `error`: why the certificate is not trusted; null if it is
 * @throws Error if the site cannot be reached in time
 */
export function readCertificate(origin: string): Promise<{ certificate: PeerCertificate; error: string | null }> {
  const { hostname, port } = new URL(origin)
  return new Promise((done, failed) => {
    // Untrusted certificates are read too, to say what is wrong with them.
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: false })
    socket.setTimeout(answerMs, () => socket.destroy(new Error('it does not respond')))
    socket.once('error', failed)
    socket.once('secureConnect', () => {
      done({ certificate: socket.getPeerCertificate(), error: socket.authorized ? null : String(socket.authorizationError) })
      socket.destroy()
    })
  })
}

import { request } from 'node:https'
import { text } from 'node:stream/consumers'

/**
 * A `fetch` that trusts one more certificate authority, that of a proxy in a test: Node reads `NODE_EXTRA_CA_CERTS` only when it starts. It
 * sends text and form fields, and follows no redirect.
 * @param authority the certificate of the authority (PEM)
 */
export function createTrustingFetch(authority: string): typeof fetch {
  return async (to, init = {}) => {
    const incoming = new Request(to, init)
    const body = await incoming.text()
    const headers = { ...Object.fromEntries(incoming.headers), 'content-length': String(Buffer.byteLength(body)) }
    return new Promise<Response>((done, failed) => {
      request(incoming.url, { method: incoming.method, headers, ca: authority, agent: false }, async (reply) => {
        const pairs = Array.from({ length: reply.rawHeaders.length / 2 }, (_one, at): [string, string] => [
          reply.rawHeaders[2 * at] ?? '',
          reply.rawHeaders[2 * at + 1] ?? '',
        ])
        const body = await text(reply)
        done(new Response(body || null, { status: reply.statusCode, headers: new Headers(pairs) }))
      })
        .once('error', failed)
        .end(body)
    })
  }
}

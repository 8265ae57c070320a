import { createHmac } from 'node:crypto'

/** The signed parts: the message id, the time of this attempt (seconds since 1970) and the body, byte for byte. */
interface SignedParts {
  id: string
  seconds: number
  body: string
}

/** The signature of a message by the symmetric scheme of Standard Webhooks 1.0.0. @param secret `whsec_` and the key in base64 */
function computeSignature(secret: string, { id, seconds, body }: SignedParts): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
}

/** The headers of a message, with one signature for each valid secret, newest first. */
export function buildSignedHeaders(secrets: readonly string[], message: SignedParts): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(message.seconds),
    'webhook-signature': secrets.map((secret) => computeSignature(secret, message)).join(' '),
  }
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Seconds for which one code stands; with SHA-1 and six digits what every authenticator app takes without being told (RFC 6238). */
const stepSeconds = 30
const digits = 6
/** Steps before and after the one of now whose codes are taken: clocks differ, and typing takes its time. */
const around = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes as base32 (RFC 4648), without padding: how keys are typed into an app. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** A key of 160 bits, as long as the digest it goes into. */
export function newKey(): Buffer {
  return randomBytes(20)
}

/** The step of a moment: how many half minutes have passed since 1970. */
export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / stepSeconds)
}

/** The code of a step (RFC 4226 section 5.3). */
export function codeAt(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * The step that a typed code belongs to, so that no code of it or of one before is taken again.
 * @param after the step of the code that was taken last; null: none was
 * @returns null for a code that is wrong, too old, or was used
 */
export function stepOf(key: Uint8Array, { code, now, after }: { code: string; now: Date; after: number | null }): number | null {
  if (!/^\d{6}$/.test(code)) return null
  for (let step = stepAt(now) - around; step <= stepAt(now) + around; step++)
    if ((after === null || step > after) && timingSafeEqual(Buffer.from(codeAt(key, step)), Buffer.from(code))) return step
  return null
}

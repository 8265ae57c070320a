import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Seconds per code. With SHA-1 and six digits, these are the defaults of every authenticator app (RFC 6238). */
const stepSeconds = 30
const digits = 6
/** Accept the codes of this many steps before and after the current one, for clock differences and slow typing. */
const toleratedSteps = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes as base32 without padding (RFC 4648), the form in which keys are typed into apps. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** Generates a key of 160 bits, the length of a SHA-1 digest. */
export function generateTotpKey(): Buffer {
  return randomBytes(20)
}

/** The number of 30-second steps since 1970. */
export function calculateTotpStep(now: Date): number {
  return Math.floor(now.getTime() / 1000 / stepSeconds)
}

/** The code of a step (RFC 4226 section 5.3). */
export function calculateTotpCode(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * Finds the step that a code belongs to, so that codes of that step or earlier can be refused afterwards.
 * @param after the step of the last accepted code, or null
 * @returns null if the code is wrong, expired or already used
 */
export function findTotpStep(key: Uint8Array, { code, now, after }: { code: string; now: Date; after: number | null }): number | null {
  if (!/^\d{6}$/.test(code)) return null
  for (let step = calculateTotpStep(now) - toleratedSteps; step <= calculateTotpStep(now) + toleratedSteps; step++)
    if ((after === null || step > after) && timingSafeEqual(Buffer.from(calculateTotpCode(key, step)), Buffer.from(code))) return step
  return null
}

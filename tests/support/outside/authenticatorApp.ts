import { calculateTotpCode, calculateTotpStep } from '../../../server/auth/totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Decodes a key as it is typed into an app (RFC 4648, section 6). */
export function decodeKey(key: string): Buffer {
  const bits = [...key.replace(/\s/g, '')].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The code that an authenticator app shows for a key. @param half number of half minutes from now; negative for earlier codes */
export const readAppCode = (key: string, half = 0): string => calculateTotpCode(decodeKey(key), calculateTotpStep(new Date()) + half)

import { totpCodeAt, totpStepAt } from '../../../server/auth/totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The bytes of a key as it is typed into an app (RFC 4648, section 6). */
export function bytesOf(key: string): Buffer {
  const bits = [...key.replace(/\s/g, '')].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** An app that holds a key: it shows the code of now, or of half minutes before or after. */
export const shownBy = (key: string, half = 0): string => totpCodeAt(bytesOf(key), totpStepAt(new Date()) + half)

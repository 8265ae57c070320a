import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { SettingError } from '../config.ts'

/** Keys that stand in the database are sealed with a secret that does not: who reads the database, or a copy of it, can open nothing. */
export interface KeySeal {
  /** Whether there is a secret to open keys with. */
  hasSecret: boolean
  /** @param subject whose key it is: a sealed key opens for nobody else */
  seal(subject: string, key: Uint8Array): Buffer
  /** @throws SettingError when it was sealed with another secret */
  open(subject: string, sealed: Uint8Array): Buffer
}

const nonceBytes = 12
const tagBytes = 16
const added = nonceBytes + tagBytes

/** Whether a key of so many bytes still stands there as it is: before the first start of a version that seals keys. */
export function isBare(stored: Uint8Array, keyBytes: number): boolean {
  return stored.length === keyBytes
}

/** What whoever runs the product reads when keys were sealed with another secret. */
export const otherDataKey =
  'The keys in this database were sealed with another DATA_KEY. Set it to that one: npm start keeps it in secrets.json beside the data, a deployment among its settings.'

/**
 * @param dataKey the secret; null: of a tool that was given none, and says so when it has to open something
 */
export function keySealOf(dataKey: string | null): KeySeal {
  const key = dataKey === null ? null : Buffer.from(hkdfSync('sha256', dataKey, '', 'keys in the database', 32))
  const given = (): Buffer => {
    if (!key) throw new SettingError('DATA_KEY is not set, and what is asked for cannot be opened without it.')
    return key
  }
  return {
    hasSecret: key !== null,
    seal(subject, bare) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', given(), nonce)
      cipher.setAAD(Buffer.from(subject))
      const body = Buffer.concat([cipher.update(bare), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(subject, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', given(), sealed.subarray(0, nonceBytes))
      try {
        decipher.setAAD(Buffer.from(subject))
        decipher.setAuthTag(sealed.subarray(nonceBytes, added))
        return Buffer.concat([decipher.update(sealed.subarray(added)), decipher.final()])
      } catch {
        throw new SettingError(otherDataKey)
      }
    },
  }
}

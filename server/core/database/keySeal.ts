import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { SettingError } from '../config.ts'

/**
 * Encrypts keys in the database with a secret that is stored elsewhere, so that nobody who
 * reads the database, or a copy of it, can decrypt anything.
 */
export interface KeySeal {
  /** Whether there is a secret to decrypt keys with. */
  hasSecret: boolean
  /** @param subject whose key it is; it can be decrypted only for the same subject */
  seal(subject: string, key: Uint8Array): Buffer
  /** @throws SettingError if it was encrypted with another secret */
  open(subject: string, sealed: Uint8Array): Buffer
}

const nonceBytes = 12
const tagBytes = 16
const added = nonceBytes + tagBytes

/**
 * Whether a stored key of this length is still unencrypted, as before the first start of a version that encrypts keys.
 */
export function isUnencrypted(stored: Uint8Array, keyBytes: number): boolean {
  return stored.length === keyBytes
}

/** The message for operators if keys were encrypted with another secret. */
export const wrongDataKeyMessage =
  'The keys in this database were sealed with another DATA_KEY. Set it to that key: npm start keeps it in secrets.json beside the data; a deployment keeps it in its settings.'

/** @param dataKey the secret; null for a tool without one, which fails when it has to decrypt */
export function createKeySeal(dataKey: string | null): KeySeal {
  const key = dataKey === null ? null : Buffer.from(hkdfSync('sha256', dataKey, '', 'keys in the database', 32))
  const given = (): Buffer => {
    if (!key) throw new SettingError('DATA_KEY is not set, and this data cannot be opened without it.')
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
        throw new SettingError(wrongDataKeyMessage)
      }
    },
  }
}

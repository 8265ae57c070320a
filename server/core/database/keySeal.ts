import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { areDataKeysLongEnough, SettingError, splitDataKeys } from '../config.ts'
import { isFromSecretFile, readCurrentSecret } from '../secretFiles.ts'
import { derivePlatformScope } from './platformScope.ts'

/**
 * Encrypts keys in the database with a secret that is stored elsewhere, so that nobody who
 * reads the database, or a copy of it, can decrypt anything.
 */
export interface KeySeal {
  /** Whether there is a secret to decrypt keys with. */
  hasSecret: boolean
  /** The value that a transaction sets to see the rows of all organisations. */
  platformScope(): string
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
export function isKeyUnencrypted(stored: Uint8Array, keyBytes: number): boolean {
  return stored.length === keyBytes
}

/** The message for operators if keys were encrypted with another secret. */
export const wrongDataKeyMessage =
  'The keys in this database were sealed with another DATA_KEY. Set it to that key: npm start keeps it in secrets.json beside the data; a deployment keeps it in its settings.'

/** Milliseconds after which a changed file of `DATA_KEY` is noticed, unless a key cannot be opened before that. */
const rereadMs = 1000

/** The secrets as they are now, read from `DATA_KEY`. */
interface Keyring {
  text: string
  /** The first encrypts; all of them decrypt. */
  keys: readonly [Buffer, ...Buffer[]]
  platformScope: string
}

function deriveKeyring(text: string): Keyring {
  const [first = text, ...others] = splitDataKeys(text)
  const derive = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'keys in the database', 32))
  return { text, keys: [derive(first), ...others.map(derive)], platformScope: derivePlatformScope(text) }
}

/**
 * Whether the file of `DATA_KEY` may replace the secrets in use: none is too short, and one of them is in use already. So a file that is half
 * written or holds another installation's secret is not used.
 */
function isAcceptable(next: string, now: string): boolean {
  const known = splitDataKeys(now)
  return areDataKeysLongEnough(next) && splitDataKeys(next).some((key) => known.includes(key))
}

/**
 * @param dataKey the secrets, one in a line; null for a tool without one, which fails when it has to decrypt. If they came from a file, it is
 * read again, so that they can be changed without a restart.
 */
export function createKeySeal(dataKey: string | null): KeySeal {
  let ring = dataKey === null ? null : deriveKeyring(readCurrentSecret('DATA_KEY', dataKey, isAcceptable))

  function requireRing(): Keyring {
    if (!ring) throw new SettingError('DATA_KEY is not set, and this data cannot be opened without it.')
    return ring
  }

  function readAgain(): void {
    if (dataKey === null) return
    const text = readCurrentSecret('DATA_KEY', dataKey, isAcceptable)
    if (text !== ring?.text) ring = deriveKeyring(text)
  }

  // An idle process also reads the file: if it missed a change, the next one could remove the last key that it knows, and it would refuse
  // the file.
  if (dataKey !== null && isFromSecretFile('DATA_KEY', dataKey)) setInterval(readAgain, rereadMs).unref()

  return {
    hasSecret: dataKey !== null,
    platformScope: () => (dataKey === null ? derivePlatformScope(null) : requireRing().platformScope),
    seal(subject, bare) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', requireRing().keys[0], nonce)
      cipher.setAAD(Buffer.from(subject))
      const body = Buffer.concat([cipher.update(bare), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(subject, sealed) {
      const opened = openWith(requireRing().keys, subject, sealed)
      if (opened) return opened
      // Another process may already have encrypted with a key that was just added to the file.
      readAgain()
      const openedNow = openWith(requireRing().keys, subject, sealed)
      if (!openedNow) throw new SettingError(wrongDataKeyMessage)
      return openedNow
    },
  }
}

/** @returns null if none of the keys sealed it for this subject */
function openWith(keys: readonly Buffer[], subject: string, sealed: Uint8Array): Buffer | null {
  for (const key of keys)
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
      decipher.setAAD(Buffer.from(subject))
      decipher.setAuthTag(sealed.subarray(nonceBytes, added))
      return Buffer.concat([decipher.update(sealed.subarray(added)), decipher.final()])
    } catch {
      // Sealed with another key.
    }
  return null
}

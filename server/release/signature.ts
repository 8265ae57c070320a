import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'

/**
 * Signatures in the format of `cosign sign-blob`: ECDSA on the curve P-256 over SHA-256, DER, in base64. `cosign verify-blob` and `openssl`
 * verify them too.
 */
const curve = 'prime256v1'

/** Creates the key of releases, in PEM. Anyone who has the private key can sign releases. */
export function createReleaseKey(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ec', {
    namedCurve: curve,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

/** @throws Error with one sentence if this is not a release key */
function requireCurve(read: () => KeyObject): KeyObject {
  try {
    const key = read()
    if (key.asymmetricKeyDetails?.namedCurve === curve) return key
  } catch {
    // Reported below.
  }
  throw new Error('The key is not an ECDSA key on the curve P-256 in PEM. Create one with: npm run release -- key FILE')
}

/** Signs a text with the private key of releases. @throws Error with one sentence if the key cannot be used */
export function signText(text: string, privateKey: string): string {
  return sign(
    'sha256',
    Buffer.from(text),
    requireCurve(() => createPrivateKey(privateKey)),
  ).toString('base64')
}

/** Whether a signature was made over this text with the private key to this public key. @throws Error as `signText` */
export function isSignedBy(text: string, signature: string, publicKey: string): boolean {
  return verify(
    'sha256',
    Buffer.from(text),
    requireCurve(() => createPublicKey(publicKey)),
    Buffer.from(signature, 'base64'),
  )
}

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { assertDefined } from '../../../domain/values/assertDefined.ts'

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>

/** The head of a CBOR item: its major type, and its value or length (RFC 8949 section 3). */
function head(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(kind << 5) | value])
  if (value < 0x100) return Buffer.from([(kind << 5) | 24, value])
  return Buffer.from([(kind << 5) | 25, value >> 8, value & 0xff])
}

/** Encodes numbers, text, bytes and maps in CBOR, as authenticators do. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

const sha256 = (buildAuthenticatorData: Uint8Array | string): Buffer => createHash('sha256').update(buildAuthenticatorData).digest()
const bytesOf = (text: string | undefined): Buffer => Buffer.from(assertDefined(text), 'base64url')

/** How authenticators generate and encode keys of each kind (RFC 9053, RFC 8230). */
const kinds = {
  ES256: () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = pair.publicKey.export({ format: 'jwk' })
    return {
      ...pair,
      digest: 'sha256',
      cose: new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytesOf(x)],
        [-3, bytesOf(y)],
      ]),
    }
  },
  EdDSA: () => {
    const pair = generateKeyPairSync('ed25519')
    const { x } = pair.publicKey.export({ format: 'jwk' })
    return {
      ...pair,
      digest: null,
      cose: new Map<number, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytesOf(x)],
      ]),
    }
  },
  RS256: () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n, e } = pair.publicKey.export({ format: 'jwk' })
    return {
      ...pair,
      digest: 'sha256',
      cose: new Map<number, Cbor>([
        [1, 3],
        [3, -257],
        [-1, bytesOf(n)],
        [-2, bytesOf(e)],
      ]),
    }
  },
  ES384: () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const { x, y } = pair.publicKey.export({ format: 'jwk' })
    return {
      ...pair,
      digest: 'sha384',
      cose: new Map<number, Cbor>([
        [1, 2],
        [3, -35],
        [-1, 2],
        [-2, bytesOf(x)],
        [-3, bytesOf(y)],
      ]),
    }
  },
} as const satisfies Record<string, () => { privateKey: KeyObject; digest: string | null; cose: Map<number, Cbor> }>

/** Faults of a device’s reply. */
export interface ReplyFault {
  origin?: string
  rpId?: string
  /** Whether the device claims to have verified the user. */
  isVerified?: boolean
  /** The signature counter that it sends in place of the next one. */
  count?: number
  userHandle?: string
  /** The credential id that it sends in place of its own. */
  credentialId?: string
  /** The format of its attestation statement. */
  statement?: string
}

/** A device with one passkey. @param origin the page’s origin in its browser */
export function createDevice(origin: string, kind: keyof typeof kinds = 'ES256') {
  const { privateKey, digest, cose } = kinds[kind]()
  const credentialId = randomBytes(16).toString('base64url')
  let userHandle = ''
  let count = 0

  const clientDataJson = (type: string, challenge: string, fault: ReplyFault): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: fault.origin ?? origin, crossOrigin: false }))

  /**
   * Authenticator data: the RP ID hash, the flags and the signature counter (Web Authentication Level 3, section 6.1).
   */
  function data(rpId: string, fault: ReplyFault, key: Buffer | null): Buffer {
    const counted = Buffer.alloc(4)
    count = fault.count ?? count + 1
    counted.writeUInt32BE(count)
    const flags = 0x01 | (fault.isVerified === false ? 0 : 0x04) | (key ? 0x40 : 0)
    return Buffer.concat([sha256(fault.rpId ?? rpId), Buffer.from([flags]), counted, ...(key ? [key] : [])])
  }

  return {
    credentialId,
    /** Creates its passkey for the server’s options. */
    make(question: { rp: { id: string }; user: { id: string }; challenge: string }, fault: ReplyFault = {}) {
      userHandle = question.user.id
      const id = Buffer.from(credentialId, 'base64url')
      const key = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(cose)])
      const attestation = new Map<string, Cbor>([
        ['fmt', fault.statement ?? 'none'],
        ['attStmt', new Map()],
        ['authData', data(question.rp.id, fault, key)],
      ])
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: {
          clientDataJSON: clientDataJson('webauthn.create', question.challenge, fault).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** Signs in with its passkey for the server’s options. */
    use(question: { rpId: string; challenge: string }, fault: ReplyFault = {}) {
      const authenticatorData = data(question.rpId, fault, null)
      const clientDataJSON = clientDataJson('webauthn.get', question.challenge, fault)
      const signature = sign(digest, Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      const id = fault.credentialId ?? credentialId
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: fault.userHandle ?? userHandle,
        },
      }
    },
  }
}

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { genesisHash, sha256 } from './hash.ts'

export type AnchorReason = 'start' | 'day' | 'stop' | 'command'

/** The last hashes of all chains and streams at one moment. */
export interface ChainEnds {
  /** The end of each organisation's chain over both of its logs; organisation 0 is the platform. */
  chains: { organisationId: OrganisationId; sequence: number; hash: string }[]
  budgets: { organisationId: OrganisationId; id: BudgetId; version: number; hash: string }[]
  counts: { budgets: number; events: number; referenceChanges: number }
}

/** One line of an anchor file: the last hashes, the hash of the previous line, and a signature over the whole. */
export interface OutsideAnchor extends ChainEnds {
  at: string
  reason: AnchorReason
  /** SHA-256 of the previous line, which may be in an earlier file. */
  previous: string
  signature: string
}

const privateFile = (folder: string): string => join(folder, 'signing-key.pem')
const publicFile = (folder: string): string => join(folder, 'public-key.pem')

/**
 * Returns the private key of a folder, creating the key pair the first time. Anyone who can read the private key can sign. An auditor who
 * keeps a copy of the public key elsewhere notices if the pair is replaced.
 */
function ensureSigningKey(folder: string): string {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(privateFile(folder))) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    writeFileSync(privateFile(folder), privateKey, { mode: 0o600, flag: 'wx' })
    writeFileSync(publicFile(folder), publicKey)
  }
  return readFileSync(privateFile(folder), 'utf8')
}

/**
 * The public key of a folder, as PEM. Auditors keep it to recognise the lines that this installation signed.
 * @throws Error if there is none: a key created now could not have signed anything
 */
export function readPublicKey(folder: string): string {
  if (!existsSync(privateFile(folder)))
    throw new Error(
      `There is no signing key in ${folder}. Set DATA_DIR to the data folder of the worker that writes the anchors; its first anchor makes the key.`,
    )
  return createPublicKey(createPrivateKey(readFileSync(privateFile(folder), 'utf8')))
    .export({ type: 'spki', format: 'pem' })
    .toString()
}

/** The anchor files of a folder in order, one for each day. */
function listAnchorFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}

const readAnchorLines = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean)

/** Whether there already is an anchor for a day. */
export function hasAnchorForDay(folder: string, day: string): boolean {
  return existsSync(join(folder, `${day}.jsonl`))
}

/**
 * Appends an anchor to the file of its day.
 * @returns its line; null if nothing changed since the last anchor, unless the reason is the day or a command
 */
export function addAnchor(folder: string, { heads, reason, now }: { heads: ChainEnds; reason: AnchorReason; now: Date }): string | null {
  const key = ensureSigningKey(folder)
  const last = listAnchorFiles(folder)
    .flatMap((file) => readAnchorLines(file).slice(-1))
    .at(-1)
  if (last && reason !== 'command' && reason !== 'day' && canonicalJson(parseChainEnds(last)) === canonicalJson(heads)) return null
  const body = { at: now.toISOString(), reason, ...heads, previous: last ? sha256(last) : genesisHash }
  const signature = sign(null, Buffer.from(canonicalJson(body)), key).toString('base64')
  const line = canonicalJson({ ...body, signature })
  appendFileSync(join(folder, `${dayInLondon(body.at)}.jsonl`), `${line}\n`)
  return line
}

function parseChainEnds(line: string): ChainEnds {
  const { chains, budgets, counts }: OutsideAnchor = JSON.parse(line)
  return { chains, budgets, counts }
}

/** The anchors of a folder or of one file, and the problems found in them. */
export interface AnchorReadResult {
  anchors: OutsideAnchor[]
  problems: string[]
}

/**
 * Reads anchors from a folder, or from a file that was kept elsewhere, such as a saved email.
 * @param publicKey as PEM; null to use the one in the folder
 */
export function readAnchors(path: string, publicKey: string | null): AnchorReadResult {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  const files = isFolder ? listAnchorFiles(path) : [path]
  const key = publicKey ?? (isFolder && existsSync(publicFile(path)) ? readFileSync(publicFile(path), 'utf8') : null)
  const read: AnchorReadResult = { anchors: [], problems: [] }
  let previous: string | null = isFolder ? genesisHash : null
  for (const file of files)
    for (const line of readAnchorLines(file)) {
      // An email contains text around the anchor line.
      if (!isFolder && !line.startsWith('{')) continue
      const anchor = parseAnchor(line)
      if (!anchor) {
        read.problems.push(`A line of ${file} is not an anchor: it was changed or cut.`)
        continue
      }
      const { signature, ...body } = anchor
      if (key && !verify(null, Buffer.from(canonicalJson(body)), key, Buffer.from(signature, 'base64')))
        read.problems.push(
          `The anchor of ${anchor.at} in ${file} is not signed by the key of this installation: it was changed or inserted.`,
        )
      if (previous !== null && anchor.previous !== previous)
        read.problems.push(`The anchor of ${anchor.at} in ${file} does not follow the one before: an anchor was removed or added.`)
      if (previous !== null) previous = sha256(line)
      read.anchors.push(anchor)
    }
  if (read.anchors.length && !key)
    read.problems.push(`The anchors in ${path} cannot be checked without their public key: give it with --key FILE.`)
  return read
}

function parseAnchor(line: string): OutsideAnchor | null {
  try {
    const anchor: OutsideAnchor = JSON.parse(line)
    return Array.isArray(anchor.budgets) && Array.isArray(anchor.chains) && typeof anchor.signature === 'string' ? anchor : null
  } catch {
    return null
  }
}

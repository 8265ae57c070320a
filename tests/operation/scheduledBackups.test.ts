import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { buildBackupName, chooseExpiredBackups, isBackupDue } from '../../server/backup/schedule.ts'
import { connectAsOwner, createDatabase, ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { findProgram } from '../support/running/programs.ts'
import { until } from '../support/running/worker.ts'

// A rehearsal fills a whole database.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const dayMs = 24 * 3600 * 1000

describe('the schedule of backups', () => {
  it('keeps every backup for some days, one a week for some weeks, and nothing else of its own', () => {
    const now = new Date('2026-11-30T02:00:00Z')
    const nights = Array.from({ length: 200 }, (_one, day) => buildBackupName(new Date(now.getTime() - day * dayMs)))
    const expired = new Set(chooseExpiredBackups(nights, now, { days: 14, weeks: 8 }))
    const kept = nights.filter((name) => !expired.has(name))
    expect(kept.slice(0, 14)).toEqual(nights.slice(0, 14))
    const later = kept.slice(14).map((name) => nights.indexOf(name))
    expect([8, 9]).toContain(later.length)
    expect(later.at(-1)).toBeLessThan(14 + 8 * 7)
    // Of the week in which the days end, the rest is still there.
    for (const [index, day] of later.slice(2).entries()) expect(day - later[index + 1]!).toBe(7)
  })
  it('keeps the newest backup however old it is, and every file that it did not make', () => {
    const [old, older] = [buildBackupName(new Date('2025-01-02T02:00:00Z')), buildBackupName(new Date('2025-01-01T02:00:00Z'))]
    const files = [old, older, 'before-the-upgrade.backup', 'bursar.backup', 'notes.txt', `${older}.part`]
    expect(chooseExpiredBackups(files, new Date('2026-11-30T02:00:00Z'), { days: 14, weeks: 0 })).toEqual([older])
  })
  it('makes a backup at its time of day, and makes up for one that was missed', () => {
    const at = (day: number, hours: number, minutes = 0) => new Date(Date.UTC(2026, 10, day, hours, minutes))
    const isDue = (last: Date | undefined, now: Date) => isBackupDue(last, now, '02:30')
    expect(isDue(undefined, at(30, 12))).toBe(true)
    expect(isDue(at(29, 2, 31), at(30, 2, 29))).toBe(false)
    expect(isDue(at(29, 2, 31), at(30, 2, 30))).toBe(true)
    expect(isDue(at(30, 2, 31), at(30, 23))).toBe(false)
    expect(isDue(at(27, 2, 31), at(30, 9))).toBe(true)
    // In summer, half past two in London is half past one by the clock of the file's name.
    const [before, after] = [new Date('2026-07-02T01:29:00Z'), new Date('2026-07-02T01:30:00Z')]
    expect([before, after].map((now) => isDue(new Date('2026-07-01T01:31:00Z'), now))).toEqual([false, true])
  })
})

let databaseUrl: string
const folder = mkdtempSync(join(tmpdir(), 'bursar-scheduled-'))
const backups = join(folder, 'backups')
const files = () => readdirSync(backups).sort()
const seal = { BACKUP_PASSPHRASE: 'kept in the safe of the trust' }

/** Starts `npm run backup` on the installation. */
function start(word: string, env: Record<string, string> = seal) {
  const child = spawn(process.execPath, [findProgram('backup'), word], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: ownerUrl(databaseUrl),
      DATABASE_APP_PASSWORD: decodeURIComponent(new URL(inject('serverUrl')).password),
      DATA_KEY: testDataKey,
      DATA_DIR: folder,
      BACKUP_DIR: backups,
      ...env,
    },
  })
  let said = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (said += text))
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  return { child, ended, said: () => said }
}
async function run(word: string, env?: Record<string, string>): Promise<{ said: string; code: number | null }> {
  const { ended, said } = start(word, env)
  return { code: await ended, said: said() }
}
const rehearsals = () => connectAsOwner(databaseUrl)<{ problem: string | null }[]>`select problem from restore_rehearsals order by made_at`
const scratchDatabases = async () => (await connectAsOwner(databaseUrl)`select 1 from pg_database where datname like '%rehearsal'`).length

beforeAll(async () => {
  databaseUrl = await createDatabase()
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
})

describe('a nightly backup', () => {
  it('is restored into a temporary database, which proves it and is dropped', async () => {
    const { said, code } = await run('--nightly')
    expect([code, said]).toEqual([0, expect.stringContaining('was restored into a temporary database, and is whole to the penny.')])
    expect(files()).toHaveLength(1)
    expect((await rehearsals()).map(({ problem }) => problem)).toEqual([null])
    expect(await scratchDatabases()).toBe(0)
  })
  it('is rehearsed once a week only, deletes expired backups and interrupted ones, and nothing else', async () => {
    const [first] = files()
    const expired = buildBackupName(new Date('2025-01-01T02:00:00Z'))
    for (const name of [expired, `${expired}.part`, 'other.backup']) writeFileSync(join(backups, name), '')
    const { said, code } = await run('--nightly')
    expect(code, said).toBe(0)
    expect(said).not.toContain('temporary database')
    expect(await rehearsals()).toHaveLength(1)
    expect(files()).toEqual([first, expect.stringMatching(/^bursar-.*Z\.backup$/), 'other.backup'])
    expect(files()[1]).not.toBe(first)
  })
  it('that cannot be restored is recorded with the reason, makes the command fail, and is rehearsed again the next night', async () => {
    await connectAsOwner(databaseUrl)`update restore_rehearsals set made_at = now() - interval '7 days'`
    const newest = join(backups, files().findLast((name) => name.startsWith('bursar-'))!)
    writeFileSync(newest, readFileSync(newest).subarray(0, 5000))
    const failed = await run('--rehearse')
    expect([failed.code, failed.said]).toEqual([1, expect.stringContaining('cannot be restored: ')])
    expect((await rehearsals()).at(-1)?.problem).toMatch(/damaged|too early/)
    expect(await scratchDatabases()).toBe(0)
    const next = await run('--nightly')
    expect([next.code, next.said]).toEqual([0, expect.stringContaining('whole to the penny')])
    expect((await rehearsals()).at(-1)?.problem).toBeNull()
  })
  it('sealed for a key that this machine does not have says that it must be rehearsed elsewhere, which can be recorded', async () => {
    await connectAsOwner(databaseUrl)`delete from restore_rehearsals`
    const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
    const { said, code } = await run('--nightly', { BACKUP_RECIPIENT: recipient })
    expect([code, said]).toEqual([0, expect.stringContaining('restore it on another one, then run --rehearsed')])
    expect(await rehearsals()).toHaveLength(0)
    expect((await run('--rehearsed')).code).toBe(0)
    expect(await rehearsals()).toHaveLength(1)
  })
  it('is not made with a setting that is missing or wrong, which is named', async () => {
    for (const [name, value] of Object.entries({ BACKUP_DIR: '', BACKUP_TIME: '25:00', BACKUP_DAYS: '0', BACKUP_WEEKS: 'many' })) {
      const { said, code } = await run('--nightly', { [name]: value })
      expect([code, said]).toEqual([1, expect.stringMatching(new RegExp(`^${name} is `))])
    }
  })
})

describe('the schedule', () => {
  it('makes the first backup at once, and ends with the process that started it', async () => {
    const empty = join(folder, 'empty')
    const { child, ended, said } = start('--schedule', { ...seal, BACKUP_DIR: empty })
    await until('a backup is made', () => said().includes('contains the database'), 60_000)
    expect(readdirSync(empty)).toEqual([expect.stringMatching(/^bursar-.*Z\.backup$/)])
    child.disconnect()
    expect(await ended).toBe(0)
  })
  // Root may write to any folder.
  it.skipIf(process.getuid?.() === 0)('says why no backup was made, and stays to try again', async () => {
    const locked = mkdtempSync(join(folder, 'locked-'))
    chmodSync(locked, 0o500)
    const { child, ended, said } = start('--schedule', { ...seal, BACKUP_DIR: join(locked, 'backups') })
    await until('it is said', () => said().includes('No backup was made: '), 60_000)
    expect(child.exitCode).toBeNull()
    child.disconnect()
    expect(await ended).toBe(0)
  })
})

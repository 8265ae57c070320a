import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findFreePort } from '../../../server/launch/postgres.ts'
import { atEnd } from '../product/endings.ts'

/** A PostgreSQL standby that follows a primary by streaming replication. */
export interface Standby {
  /** The URL of the same database on the standby. @param url on the primary */
  at(url: string): string
  /** Kills it at once, as the loss of its machine would. */
  kill(): void
}

/**
 * Makes a base backup of a running PostgreSQL and starts a standby from it, which ends with the test file.
 * @param owner the primary’s URL for its owner, who may replicate
 * @param folder the primary’s data folder
 */
export async function startStandby(
  ask: (statement: string) => Promise<readonly Record<string, string>[]>,
  owner: string,
  folder: string,
): Promise<Standby> {
  const data = realpathSync(join(folder, 'postgres'))
  const copy = mkdtempSync(join(tmpdir(), 'bursar-standby-'))
  await ask(`select pg_backup_start('standby', true)`)
  cpSync(data, copy, { recursive: true, filter: (file) => !/postmaster\.(pid|opts)$/.test(file) })
  const [stopped] = await ask('select labelfile from pg_backup_stop(false)')
  writeFileSync(join(copy, 'backup_label'), stopped!.labelfile!)
  writeFileSync(join(copy, 'standby.signal'), '')
  const { port, username, password } = new URL(owner)
  const followed = `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)}`
  const standbyPort = await findFreePort()
  writeFileSync(
    join(copy, 'postgresql.auto.conf'),
    [
      `primary_conninfo = '${followed}'`,
      `port = ${standbyPort}`,
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = ''`,
      `max_connections = 200`,
      `hot_standby_feedback = on`,
    ].join('\n'),
  )
  chmodSync(copy, 0o700)
  // PostgreSQL refuses to run as root, so the standby runs as the primary’s user.
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['-R', 'postgres:postgres', copy])
  const userOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const runAs = isRoot ? { uid: userOf('-u'), gid: userOf('-g') } : {}
  const bin = dirname(readFileSync(join(data, 'postmaster.opts'), 'utf8').split(' ')[0]!)
  const control = (...how: string[]) =>
    execFileSync(join(bin, 'pg_ctl'), ['-D', copy, '-w', ...how], { ...runAs, cwd: copy, stdio: ['ignore', 'ignore', 'pipe'] })
  control('-l', join(copy, 'log'), 'start')
  let isUp = true
  const kill = (): void => {
    if (isUp) control('-m', 'immediate', 'stop')
    isUp = false
  }
  atEnd(() => {
    kill()
    rmSync(copy, { recursive: true, force: true })
  })
  return { at: (url) => Object.assign(new URL(url), { port: String(standbyPort) }).href, kill }
}

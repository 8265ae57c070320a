import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { root } from '../../server/core/root.ts'
import { settings } from '../../server/core/settings.ts'
import { programs } from '../../server/launch/bundle.ts'

const from = join(root, 'server/launch/systemd')
const units = readdirSync(from).filter((name) => name.startsWith('bursar-'))
const read = (name: string): string => readFileSync(join(from, name), 'utf8')
const valuesOf = (name: string, field: string): string[] =>
  [...read(name).matchAll(new RegExp(`^${field}=(.+)$`, 'gm'))].map(([, value]) => value!)
const folder = mkdtempSync(join(tmpdir(), 'bursar-units-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Copies units, with the path of Node on this machine, and asks systemd to check one. */
function verify(name: string, change = (text: string): string => text): { status: number | null; stderr: string } {
  for (const one of units) writeFileSync(join(folder, one), read(one).replaceAll('/usr/bin/node', process.execPath))
  writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')))
  return spawnSync('systemd-analyze', ['verify', '--recursive-errors=yes', join(folder, name)], { encoding: 'utf8' })
}

it('systemd accepts every unit, and would refuse a wrong one', ({ skip }) => {
  if (spawnSync('systemd-analyze', ['--version']).error) skip('systemd is not installed.')
  const wrong = verify('bursar-server.service', (text) => text.replace('ExecStart=/', 'ExecStart=/nowhere/'))
  expect(wrong.status).not.toBe(0)
  for (const name of units) {
    const { status, stderr } = verify(name)
    expect([name, status, stderr]).toEqual([name, 0, ''])
  }
})

it('the units run programs of the release, with settings that exist, as a user who owns nothing', () => {
  const services = units.filter((name) => name.endsWith('.service'))
  expect(services.sort()).toEqual(['bursar-backup.service', 'bursar-migrate.service', 'bursar-server.service', 'bursar-worker@.service'])
  for (const name of services) {
    const [command] = valuesOf(name, 'ExecStart')
    expect(Object.keys(programs), name).toContain(/ run\/(\w+)\.mjs/.exec(command!)![1])
    for (const setting of valuesOf(name, 'Environment')) {
      const [, declared] = /^(\w+?)(?:_FILE)?=/.exec(setting)!
      expect(Object.keys(settings), name).toContain(declared)
    }
    // Each secret that a unit passes on is loaded, and each that it loads is passed on.
    const loaded = valuesOf(name, 'LoadCredential').map((value) => value.split(':')[0])
    const passedOn = valuesOf(name, 'Environment').flatMap((value) => /=%d\/(\w+)$/.exec(value)?.[1] ?? [])
    expect(passedOn.sort(), name).toEqual(loaded.sort())
    expect([valuesOf(name, 'User'), valuesOf(name, 'ProtectSystem'), valuesOf(name, 'NoNewPrivileges')]).toEqual([
      ['bursar'],
      ['strict'],
      ['yes'],
    ])
  }
})

it('only the units that prepare and back up the database read the settings of its owner', () => {
  const owners = units.filter((name) => valuesOf(name, 'EnvironmentFile').some((file) => file.endsWith('owner.env')))
  expect(owners.sort()).toEqual(['bursar-backup.service', 'bursar-migrate.service'])
})

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entriesOf, keysOf } from '../../domain/values/keysOf.ts'
import { env, settings } from '../../server/core/settings.ts'
import { renderConfigurationPage } from '../../server/tools/configurationPage.ts'
import { readCompose } from '../support/running/compose.ts'

const root = resolve(import.meta.dirname, '../..')
const text = (file: string): string => readFileSync(join(root, file), 'utf8')
const namesIn = (source: string, pattern: RegExp): string[] => [...source.matchAll(pattern)].flatMap(([, name]) => name ?? [])

const programs = execFileSync('git', ['ls-files', 'server', 'worker', 'client', 'vite.config.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && file !== 'server/core/settings.ts')
  .map(text)

/** Names read from the environment: `env.NAME`, `const { NAME: value } = env`, `({ NAME }: Env)`. */
const read = new Set(
  programs.flatMap((source) => [
    ...namesIn(source, /\b(?:env|environment)\.([A-Z][A-Z0-9_]*)\b/g),
    ...namesIn(source, /\{([^{}]*)\} ?[=:] (?:process\.)?(?:env|environment|Env)\b/g).flatMap((names) =>
      namesIn(names, /\b([A-Z][A-Z0-9_]+)\b/g),
    ),
  ]),
)
const takenByCompose = new Set(
  namesIn(text('docker-compose.yml') + text('server/launch/pointInTime.yml') + text('server/launch/backups.yml'), /\$\{([A-Z_]+)/g),
)
const { server, worker, migrate } = readCompose({}).services
const givenByCompose = [server, worker, migrate].flatMap((service) => Object.keys(service?.environment ?? {}))

/** Internal: `npm start` passes the first to its child processes, and tests switch on the checking of replies with the second. */
const internal = ['BURSAR_PROCESS', 'CHECK_REPLIES']
const isDeclared = (name: string): boolean =>
  name in settings || internal.includes(name) || entriesOf(settings).some(([secret, one]) => 'secret' in one && name === `${secret}_FILE`)

describe('docs/operators/configuration.md', () => {
  it('is what npm run docs writes', () => {
    expect(text('docs/operators/configuration.md')).toBe(renderConfigurationPage())
  })
  it('has no table cell over 100 characters', () => {
    const rows = renderConfigurationPage()
      .split('\n')
      .filter((line) => line.startsWith('|'))
    expect(rows.length).toBeGreaterThan(60)
    expect(rows.flatMap((row) => row.split(' | ')).filter((cell) => cell.length > 100)).toEqual([])
  })
})

describe('a setting', () => {
  it('that a program, docker-compose.yml or .env.example names is declared in server/core/settings.ts', () => {
    expect([...read, ...takenByCompose, ...givenByCompose].filter((name) => !isDeclared(name))).toEqual([])
  })
  it('that is not declared does not compile', () => {
    // @ts-expect-error a misspelt name
    expect(env.DATABASE_URI).toBeUndefined()
    // @ts-expect-error not a secret
    expect(env.PORT_FILE).toBeUndefined()
  })
  it('that is declared is used', () => {
    const isReadElsewhere = (name: keyof typeof settings): boolean =>
      settings[name].readBy.some((reader) => reader === 'Node.js' || reader === 'OpenTelemetry')
    expect(keysOf(settings).filter((name) => !read.has(name) && !takenByCompose.has(name) && !isReadElsewhere(name))).toEqual([])
  })
  it('that docker-compose.yml reads from .env says so, and .env.example lists it', () => {
    const marked = entriesOf(settings).flatMap(([name, { readBy }]) => (readBy.some((reader) => reader === 'compose') ? [name] : []))
    expect(marked.toSorted()).toEqual([...takenByCompose].toSorted())
    const listed = namesIn(text('.env.example'), /^#? ?([A-Z_]+)=/gm)
    expect(listed.toSorted()).toEqual(marked.toSorted())
  })
})

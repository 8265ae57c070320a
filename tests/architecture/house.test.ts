import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
const code = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file))
const text = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const imports: Import[] = code.flatMap((file) =>
  [...text(file).matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g)].map((match) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), match[2] ?? match[3]!)),
    typeOnly: Boolean(match[1]),
  })),
)
const area = (file: string): string => file.split('/')[0]!

/** Downwards only (README, the map of the code). */
const allowed: Record<string, string[]> = {
  domain: ['domain'],
  drizzle: ['drizzle', 'domain'],
  server: ['server', 'domain', 'drizzle'],
  worker: ['worker', 'server', 'domain', 'drizzle'],
  client: ['client', 'domain'],
}

describe('the house', () => {
  it('imports point downwards only: client to domain, worker to server and domain, domain to nothing', () => {
    const wrong = imports.filter(
      ({ from, to, typeOnly }) =>
        allowed[area(from)] && !allowed[area(from)]!.includes(area(to)) && !(area(from) === 'client' && area(to) === 'server' && typeOnly),
    )
    expect(wrong.map(({ from, to }) => `${from} imports ${to}: move what they share into domain/`)).toEqual([])
  })
  it('the domain is pure: it imports no package but zod, no clock and no chance', () => {
    const wrong = code
      .filter((file) => area(file) === 'domain')
      .flatMap((file) => {
        const packages = [...text(file).matchAll(/from '([^.'][^']*)'/g)].map((match) => match[1]).filter((name) => name !== 'zod')
        const impure = /Date\.now\(|new Date\(\)|Math\.random\(|process\.|fetch\(/.exec(text(file))
        return [
          ...packages.map((name) => `${file} imports ${name}`),
          ...(impure ? [`${file} uses ${impure[0]}: take it as an argument`] : []),
        ]
      })
    expect(wrong).toEqual([])
  })
  it('the worker uses the server’s store, queue and settings, not its routers or pages', () => {
    const wrong = imports.filter(
      ({ from, to }) => area(from) === 'worker' && area(to) === 'server' && !/^server\/(store|queue|config|log|process)/.test(to),
    )
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })
  it('no file takes part in a circle of imports', () => {
    const next = new Map<string, string[]>()
    for (const { from, to, typeOnly } of imports) if (!typeOnly) next.set(from, [...(next.get(from) ?? []), to])
    const circles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) return void circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file)) return
      for (const to of next.get(file) ?? []) visit(to, [...path, file])
      done.add(file)
    }
    for (const file of code) visit(file, [])
    expect(circles).toEqual([])
  })
  it('no file is longer than 300 lines: one that is holds two things, so make two of it', () => {
    // The lists of values are one table of data, not code.
    const long = code
      .filter((file) => file !== 'domain/lookups.ts')
      .map((file) => ({ file, lines: text(file).split('\n').length }))
      .filter(({ lines }) => lines > 300)
    expect(long).toEqual([])
  })
  it('nobody writes any, a disabled test or a note to do it later', () => {
    const words = [
      /\bas any\b/,
      /: any\b(?!.*biome-ignore)/,
      /\b(it|describe|test)\.(only|skip|todo)\(/,
      /\bTODO\b|\bFIXME\b|coming soon/i,
      /@ts-ignore/,
    ]
    const wrong = code
      .filter((file) => file !== 'tests/architecture/house.test.ts')
      .flatMap((file) => words.filter((word) => word.test(text(file))).map((word) => `${file}: ${word}`))
    expect(wrong.filter((line) => !line.startsWith('tests/support/http.ts'))).toEqual([])
  })
  it('there are no barrels: everything is imported from where it stands', () => {
    expect(code.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([])
    expect(code.filter((file) => /^export \* from/m.test(text(file)))).toEqual([])
  })
  it('no registry and no machine stands in a committed file', () => {
    expect(text('package-lock.json')).not.toMatch(/"resolved"/)
    const machine = new RegExp(['/work/', '/root/', 'registry\\.npmjs'].join('|'))
    expect(
      files.filter((file) => !/\.(png|svg|woff2)$/.test(file) && file !== 'tests/architecture/house.test.ts' && machine.test(text(file))),
    ).toEqual([])
  })
  it('every screen and page may only read the server’s types', () => {
    const wrong = imports.filter(({ from, to, typeOnly }) => area(from) === 'client' && area(to) === 'server' && !typeOnly)
    expect(wrong).toEqual([])
  })
})

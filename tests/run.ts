import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../server/core/root.ts'
import { findFreePort } from '../server/launch/postgres.ts'
import { installChromium, installCompanions } from './support/running/installed.ts'

/**
 * Runs the named levels of tests in turn, and prints how long they took and how many passed and failed. `commit` is `npm test`, `rest`
 * everything else, and `redis` repeats with Redis what depends on the queue, and a part with PgBouncer (docs/developers/testing.md).
 */
const levels: Record<string, () => Promise<void>> = {
  async commit() {
    // Missing programs are downloaded while the processors check the code.
    const browser = installChromium()
    await Promise.all([
      check('Types', 'tsc', ['-b', '--checkers', '1'], { GOGC: '400' }),
      check('Style', 'biome', ['ci', '--error-on-warnings', '.']),
      check('Imports', 'depcruise', ['--output-type', 'err-long', 'domain', 'drizzle', 'server', 'worker', 'client']),
      check('Unused code', 'knip', ['--no-progress']),
      check('Spelling', 'cspell', ['lint', '--no-progress', '--no-summary']),
      browser.catch((error) => fail(error.message)),
    ])
    await vitest(['domain', 'server'])
    await playwright('journeys')
  },
  async rest() {
    await Promise.all([installChromium(), installCompanions()]).catch((error) => fail(error.message))
    await vitest(['whole'])
    await playwright('others')
  },
  async redis() {
    await installCompanions()
    const port = await findFreePort()
    const redis = tracked(spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' }))
    // @throws Error if redis-server is not installed
    await once(redis, 'spawn')
    // These tests mostly wait: five at a time keep two processors busy.
    await vitest(['redis'], { REDIS_URL: `redis://127.0.0.1:${port}`, MAX_WORKERS: '5' }).finally(() => redis.kill())
    await vitest(['pooler'], { POOLER: '1' })
  },
}

let passed = 0
/** A line for each failure, repeated at the end because people read a log from there. */
const failures: string[] = []
const folder = mkdtempSync(join(tmpdir(), 'bursar-results-'))

function fail(line: string): void {
  failures.push(line)
}

const children = new Set<ChildProcess>()

/** Remembers a child process while it runs, so that all end with this one. */
function tracked(child: ChildProcess): ChildProcess {
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of children) child.kill(signal)
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })

/** Starts a package’s program in the project’s folder. */
function run(name: string, words: readonly string[], options: { env?: Record<string, string>; stdio: 'inherit' | 'pipe' }): ChildProcess {
  const isWindows = process.platform === 'win32'
  const program = join(root, 'node_modules/.bin', isWindows ? `${name}.cmd` : name)
  return tracked(spawn(program, words, { cwd: root, shell: isWindows, stdio: options.stdio, env: { ...process.env, ...options.env } }))
}

/** Runs a checker at the same time as others. Its output is printed in one piece when it has ended. */
async function check(title: string, name: string, words: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const began = performance.now()
  const child = run(name, words, { env, stdio: 'pipe' })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  const [status] = await once(child, 'close')
  console.log(`${said}${title}: ${status === 0 ? 'passed' : 'FAILED'} after ${secondsSince(began)} s`)
  if (status === 0) passed++
  else fail(`${title}: \`${name}\` found problems, printed above.`)
}

async function vitest(projects: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const file = join(folder, `${projects.join('-')}.json`)
  const words = [
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const [status] = await once(run('vitest', words, { env: { EXACT_TEMPLATE: '1', ...env }, stdio: 'inherit' }), 'close')
  const { testResults } = report<VitestReport>(file)
  const before = failures.length
  for (const { name, status: outcome, message, assertionResults } of testResults) {
    const failed = assertionResults.filter((one) => one.status === 'failed')
    passed += assertionResults.filter((one) => one.status === 'passed').length
    for (const one of failed) fail(`${relative(root, name)} > ${one.fullName}: ${firstLine(one.failureMessages[0])}`)
    if (outcome === 'failed' && !failed.length) fail(`${relative(root, name)}: ${firstLine(message)}`)
  }
  // An error outside any test is in no report.
  if (status !== 0 && failures.length === before) fail(`vitest ${projects.join(', ')}: an error outside its tests, printed above.`)
}

async function playwright(project: string): Promise<void> {
  const file = join(folder, `${project}.json`)
  const env = { EXACT_TEMPLATE: '1', PLAYWRIGHT_JSON: file }
  const [status] = await once(run('playwright', ['test', '--project', project], { env, stdio: 'inherit' }), 'close')
  const { suites, errors } = report<PlaywrightReport>(file)
  const before = failures.length
  const count = (suite: PlaywrightSuite): void => {
    for (const { file: name, title, ok, tests } of suite.specs ?? []) {
      const results = tests.flatMap((test) => test.results)
      if (ok) passed += results.some(({ status }) => status === 'passed') ? 1 : 0
      else fail(`${name} > ${title}: ${firstLine(results.findLast(({ error }) => error)?.error?.message)}`)
    }
    for (const inner of suite.suites ?? []) count(inner)
  }
  for (const suite of suites) count(suite)
  for (const error of errors) fail(`The journeys: ${firstLine(error.message)}`)
  if (status !== 0 && failures.length === before) fail(`playwright ${project}: an error outside its tests, printed above.`)
}

interface VitestReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

interface PlaywrightSuite {
  specs?: { file: string; title: string; ok: boolean; tests: { results: { status: string; error?: { message: string } }[] }[] }[]
  suites?: PlaywrightSuite[]
}

interface PlaywrightReport {
  suites: PlaywrightSuite[]
  errors: { message: string }[]
}

/** @throws Error when a runner ended without a report */
function report<Report>(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function firstLine(message = 'no message'): string {
  const lines = stripVTControlCharacters(message).split('\n')
  return (lines.find((line) => line.trim()) ?? 'no message').trim().slice(0, 300)
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0)
}

const began = performance.now()
for (const name of process.argv.slice(2)) {
  const level = levels[name]
  if (!level) throw new Error(`There is no level ${name}: ${Object.keys(levels).join(', ')}.`)
  await level().catch((error) => fail(`${name}: ${error.message}`))
}
rmSync(folder, { recursive: true, force: true })
const seconds = Math.round((performance.now() - began) / 1000)
for (const failure of failures) console.log(`FAILED ${failure}`)
console.log(`Took ${Math.floor(seconds / 60)} min ${seconds % 60} s.`)
console.log(`${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length ? 1 : 0

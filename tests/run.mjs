// `npm test`: installs what is missing, then every check there is. Plain Node, because nothing may be installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { install } from '../server/launch/start.mjs'
import { failedTests } from './failed.mjs'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'bursar-test-'))
const windows = process.platform === 'win32'

function run(command, words, env = {}) {
  return spawnSync(command, words, { cwd: root, stdio: 'inherit', shell: windows, env: { ...process.env, ...env } }).status === 0
}

/** The same beside others: what it says is printed in one piece when it has ended. */
function runBeside(command, words, env = {}) {
  return new Promise((done) => {
    const child = spawn(command, words, { cwd: root, shell: windows, env: { ...process.env, ...env } })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
    child.on('error', (error) => (said += `${error.message}\n`))
    child.on('close', (status) => {
      process.stdout.write(said)
      done(status === 0)
    })
  })
}

function bin(name) {
  return join(root, 'node_modules/.bin', windows ? `${name}.cmd` : name)
}

function quiet(command, words) {
  return spawnSync(command, words, { encoding: 'utf8', shell: windows })
}

/** The first of these programs that the system has. */
function onSystem(names) {
  for (const name of names) {
    const found = quiet(windows ? 'where' : 'which', [name])
    if (found.status === 0) return found.stdout.trim().split('\n')[0]
  }
  return undefined
}

const apt = '/usr/bin/apt-get'

function asRoot(...words) {
  const [command, ...rest] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...words]
  return new Promise((done) => {
    const child = spawn(command, rest, { stdio: 'ignore' })
    child.on('error', () => done(false))
    child.on('close', (status) => done(status === 0))
  })
}

/** Installs packages of the distribution, each by itself: one that is nowhere keeps out no other. */
async function installed(...names) {
  const install = (name) => asRoot(apt, 'install', '-y', '-qq', '--no-install-recommends', name)
  const missing = []
  for (const name of names) if (!(await install(name))) missing.push(name)
  if (missing.length && (await asRoot(apt, 'update', '-qq')))
    for (const name of missing.splice(0)) if (!(await install(name))) missing.push(name)
  return !missing.length
}

/**
 * Where changes are checked, what tests try the product with is installed: a spreadsheet that opens the workbooks, the services of a
 * deployment. Elsewhere they are tried where they are.
 */
async function companions() {
  if (!process.env.CI || !existsSync(apt)) return
  const wanted = { soffice: 'libreoffice-calc-nogui', 'redis-server': 'redis-server', caddy: 'caddy' }
  await installed(...Object.entries(wanted).flatMap(([program, name]) => (onSystem([program]) ? [] : [name])))
}

/** Chromium without windows: draws the same pages for a quarter less of the machine. */
const headless = ['chromium-headless-shell', 'chrome-headless-shell']

/**
 * A Chromium: the one named, the system's, the one the test runner brings, else the distribution's package. The one without windows comes
 * first, and where packages can be installed it is.
 */
async function chromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const light = onSystem(headless)
  if (light) return light
  const { chromium: bundled } = await import('@playwright/test')
  if (existsSync(bundled.executablePath())) return ''
  console.log('Looking for a browser ...')
  if (existsSync(apt) && (await installed('chromium-headless-shell'))) return onSystem(headless)
  const found = onSystem(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
  if (found) return found
  if (quiet(bin('playwright'), ['install', 'chromium']).status === 0 && existsSync(bundled.executablePath())) return ''
  throw new Error('No Chromium was found and none could be installed. Install one and set CHROMIUM_PATH to it.')
}

function freePort() {
  return new Promise((done) => {
    const server = createServer()
    server.listen(0, () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

function counts(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { passed: 0, failed: 1 }
  }
}

const results = []
/** What failed, a line each: said again at the end, where a log is read first. */
const failures = []
function check(name, passed) {
  results.push({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 })
  if (!passed) failures.push(`FAILED ${name} found problems.`)
}

install()
// The distribution's packages come down while the processors look at the code.
const atHand = companions()
const browser = atHand.then(chromium)
// Why there is none is said where it is needed.
browser.catch(() => undefined)
// The client is built once, for all copies of the product that the journeys go through.
const looks = [
  // Several checkers would each work the same types out; its memory is given back when it ends.
  ['The type check', bin('tsc'), ['--noEmit', '-p', '.', '--checkers', '1'], { GOGC: '400' }],
  ['The linter', bin('biome'), ['ci', '--diagnostic-level=error', '.']],
  ['The look at which way imports point', 'npm', ['run', '--silent', 'imports']],
  ['The search for what nobody uses', bin('knip'), ['--no-progress']],
  ['The build of the client', process.execPath, ['--import', 'tsx', 'server/tools/build.ts']],
]
const looked = await Promise.all(
  looks.map(async ([name, command, words, env]) => {
    const isPassed = await runBeside(command, words, env)
    check(name, isPassed)
    return isPassed
  }),
)
// What a test starts as a process of its own begins faster as it was built than from its sources.
const built = looked.at(-1) ? { BUILT: join(root, 'dist') } : {}

await browser.catch(() => undefined)
const unit = join(folder, 'vitest.json')
run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${unit}`], built)
results.push(
  counts(unit, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests + (report.success || report.numFailedTests ? 0 : 1),
  })),
)
failures.push(...failedTests(unit))

try {
  const path = await browser
  const journeys = join(folder, 'journeys.json')
  run(bin('playwright'), ['test'], {
    CHROMIUM_PATH: path,
    PLAYWRIGHT_JSON: journeys,
    // A journey waits a third of its time: three copies of the product keep two cores at work.
    BROWSER_TEST_PORT: (await Promise.all(Array.from({ length: availableParallelism() > 1 ? 3 : 1 }, freePort))).join(','),
    BROWSER_TEST_DATA: join(folder, 'data'),
  })
  results.push(
    counts(journeys, ({ stats, errors }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected + (errors.length ? 1 : 0) })),
  )
  failures.push(...failedTests(journeys))
} catch (error) {
  failures.push(`FAILED the browser tests: ${error.message}`)
  results.push({ passed: 0, failed: 1 })
}
for (const data of readdirSync(folder)) {
  const database = join(folder, data, 'postgres')
  // It lies elsewhere where PostgreSQL may not enter the folder itself.
  if (existsSync(database)) rmSync(realpathSync(database), { recursive: true, force: true })
}
rmSync(folder, { recursive: true, force: true })

const passed = results.reduce((sum, one) => sum + one.passed, 0)
const failed = results.reduce((sum, one) => sum + one.failed, 0)
for (const failure of failures) console.log(failure)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

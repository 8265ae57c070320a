import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { root } from '../../../server/core/root.ts'

/** The programs that tests need besides packages: a browser and, in continuous integration, the programs of a deployment. */

const isWindows = process.platform === 'win32'
const apt = '/usr/bin/apt-get'

/** The path of the first of these programs that is installed. */
function onSystem(names: readonly string[]): string | undefined {
  for (const name of names) {
    const { status, stdout } = spawnSync(isWindows ? 'where' : 'which', [name], { encoding: 'utf8', shell: isWindows })
    if (status === 0) return stdout.trim().split('\n')[0]
  }
  return undefined
}

function asRoot(...words: string[]): Promise<boolean> {
  const [command = '', ...rest] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...words]
  return new Promise((done) => {
    const child = spawn(command, rest, { stdio: 'ignore' })
    child.on('error', () => done(false))
    child.on('close', (status) => done(status === 0))
  })
}

/** Installs Debian packages one by one, so that an unavailable one does not prevent the others. @returns whether all are installed */
async function installPackages(names: readonly string[]): Promise<boolean> {
  if (!existsSync(apt)) return false
  const install = (name: string): Promise<boolean> => asRoot(apt, 'install', '-y', '-qq', '--no-install-recommends', name)
  let missing: string[] = []
  for (const name of names) if (!(await install(name))) missing.push(name)
  if (!missing.length) return true
  await asRoot(apt, 'update', '-qq')
  const again = missing
  missing = []
  for (const name of again) if (!(await install(name))) missing.push(name)
  return missing.length === 0
}

/** The headless build of Chromium is preferred: it renders the same pages with a quarter less processor time. */
const headless = ['chromium-headless-shell', 'chrome-headless-shell']
const browsers = [...headless, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The path of Chromium for the browser tests: `CHROMIUM_PATH`, or one that is installed.
 * @returns undefined for the one that Playwright downloads
 */
export function chromiumPath(): string | undefined {
  return process.env.CHROMIUM_PATH || (existsSync(chromium.executablePath()) ? onSystem(headless) : onSystem(browsers))
}

/** Installs Chromium if it is missing. @throws Error with one sentence if it is not available */
export async function installChromium(): Promise<void> {
  if (chromiumPath() || existsSync(chromium.executablePath())) return
  console.log('Installing Chromium ...')
  if (await installPackages(['chromium-headless-shell'])) return
  if (await installPackages(['chromium'])) return
  const options: SpawnSyncOptions = { stdio: 'ignore', shell: isWindows }
  spawnSync(join(root, 'node_modules/.bin', isWindows ? 'playwright.cmd' : 'playwright'), ['install', 'chromium'], options)
  if (!existsSync(chromium.executablePath()))
    throw new Error('No Chromium was found and none could be installed. Install one and set CHROMIUM_PATH to it.')
}

/** Programs for the tests of workbooks and of a deployment, with the Debian package of each. */
const companions = {
  soffice: 'libreoffice-calc-nogui',
  'redis-server': 'redis-server',
  caddy: 'caddy',
  promtool: 'prometheus',
  pgbouncer: 'pgbouncer',
}

/**
 * Installs the programs for the tests of a deployment. Outside continuous integration, tests that need a missing one say so and are
 * skipped.
 */
export async function installCompanions(): Promise<void> {
  if (!process.env.CI) return
  await installPackages(Object.entries(companions).flatMap(([program, name]) => (onSystem([program]) ? [] : [name])))
}

/**
 * Whether a companion program is installed. If not, tests that need it are skipped.
 * @throws Error in continuous integration, where a skipped check would never be run
 */
export function isInstalled(program: keyof typeof companions): boolean {
  if (onSystem([program])) return true
  if (process.env.CI) throw new Error(`${program} is missing. Install ${companions[program]}, which these tests need.`)
  console.warn(`NOT TRIED: ${program} is not installed.`)
  return false
}

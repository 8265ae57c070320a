import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { root } from '../../../server/core/root.ts'

/** What tests need of the machine beside packages: a browser, and in continuous integration the programs that a deployment is tried with. */

const isWindows = process.platform === 'win32'
const apt = '/usr/bin/apt-get'

/** The path of the first of these programs that the machine has. */
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

/** Installs packages of a Debian one by one, so that one that cannot be had keeps out no other. @returns whether all are there */
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

/** Chromium without windows comes first: it draws the same pages with a quarter less of the processor. */
const headless = ['chromium-headless-shell', 'chrome-headless-shell']
const browsers = [...headless, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The Chromium that the journeys run in: `CHROMIUM_PATH`, else one of the machine.
 * @returns undefined for the one that Playwright brings, where it was downloaded
 */
export function chromiumPath(): string | undefined {
  return process.env.CHROMIUM_PATH || (existsSync(chromium.executablePath()) ? onSystem(headless) : onSystem(browsers))
}

/** Installs a Chromium where there is none. @throws Error in one sentence when none can be had */
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

/** A spreadsheet that opens the workbooks, and the services of a deployment, by the Debian package that has each. */
const companions = { soffice: 'libreoffice-calc-nogui', 'redis-server': 'redis-server', caddy: 'caddy' }

/** Installs what a deployment is tried with. Elsewhere than in continuous integration, tests that need what is missing say so and are left out. */
export async function installCompanions(): Promise<void> {
  if (!process.env.CI) return
  await installPackages(Object.entries(companions).flatMap(([program, name]) => (onSystem([program]) ? [] : [name])))
}

/**
 * Whether a companion is on this machine. Where it is not, tests that need it are left out.
 * @throws Error in continuous integration: a check that is left out there is left out everywhere
 */
export function isInstalled(program: keyof typeof companions): boolean {
  if (onSystem([program])) return true
  if (process.env.CI) throw new Error(`${program} is missing. Install ${companions[program]}, which these tests need.`)
  console.warn(`NOT TRIED: ${program} is not installed.`)
  return false
}

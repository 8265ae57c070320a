import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import type { Config } from '../../server/core/config.ts'
import { root } from '../../server/core/root.ts'

/** Starts the product in a process of its own and Chromium, and stops both when the work ends. */
export async function withBrowser<T>(config: Config, work: (browser: Browser) => Promise<T>): Promise<T> {
  const server: ChildProcess = fork(join(root, 'tests/bench/productServer.ts'), [JSON.stringify(config)], { execArgv: ['--import', 'tsx'] })
  await new Promise((done) => server.once('message', done))
  const executablePath = process.env.CHROMIUM_PATH || ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  })
  try {
    return await work(browser)
  } finally {
    await browser.close()
    server.kill()
    await new Promise((done) => server.once('exit', done))
  }
}

/** A new browser context: one person, with an empty cache. */
export function openContext(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', timezoneId: 'Europe/London' })
}

import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { root } from '../../server/core/root.ts'
import { demoPassword } from '../../server/demo/access.ts'
import { buildClient } from '../../server/launch/buildClient.ts'
import { openContext, withBrowser } from './browser.ts'
import { withDemo } from './withDemo.ts'

/** A measured figure and its limit; null if it is only printed. */
interface Measure {
  name: string
  value: number
  most: number | null
}

const kB = 1000
const rounds = 3
/** A page counts as idle after this time without a change, in milliseconds. */
const quietMs = 600

/** Measures the bytes that a page loads and the time that its main thread works between two readings. */
class Meter {
  private readonly bytes = new Map<string, number>()
  private readonly kinds = new Map<string, { kind: string; url: string }>()
  private workedMs = 0

  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Meter> {
    const session = await page.context().newCDPSession(page)
    const meter = new Meter(session)
    session.on('Network.responseReceived', ({ requestId, type, response }) => meter.kinds.set(requestId, { kind: type, url: response.url }))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => meter.bytes.set(requestId, encodedDataLength))
    await session.send('Network.enable')
    await session.send('Performance.enable')
    return meter
  }

  private async taskMs(): Promise<number> {
    const { metrics } = await this.session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }

  async begin(): Promise<void> {
    this.bytes.clear()
    this.kinds.clear()
    this.workedMs = await this.taskMs()
  }

  async look() {
    const sent = [...this.bytes].flatMap(([id, bytes]) => ({ bytes, ...this.kinds.get(id) }))
    const files = sent.filter(({ kind, bytes }) => bytes > 0 && (kind === 'Script' || kind === 'Stylesheet'))
    return {
      files: files.map(({ url = '', bytes }) => ({ url, bytes })),
      codeBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      scripts: files.filter(({ kind }) => kind === 'Script').length,
      requests: sent.filter(({ kind }) => kind !== undefined).length,
      calls: sent.filter(({ url }) => url?.includes('/trpc/')).length,
      taskMs: (await this.taskMs()) - this.workedMs,
    }
  }
}

interface Rendered {
  components: number
}
declare global {
  interface Window {
    rendered: Rendered
  }
}

/** Runs in the page before React: counts the components rendered by each commit, as the React developer tools do. */
function countRenders(): void {
  interface Fiber {
    tag: number
    flags: number
    child: Fiber | null
    sibling: Fiber | null
    alternate: Fiber | null
  }
  const rendered: Rendered = { components: 0 }
  window.rendered = rendered
  // Tags of function, class, forwardRef and memo components.
  const counted = new Set([0, 1, 11, 14, 15])
  const count = (now: Fiber, before: Fiber | null): void => {
    if (counted.has(now.tag) && (before === null || now.flags & 1)) rendered.components++
    if (before && now.child === before.child) return
    for (let child = now.child; child; child = child.sibling) if (child.alternate !== child) count(child, before && child.alternate)
  }
  Object.assign(window, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => undefined,
      onCommitFiberRoot: (_id: number, { current }: { current: Fiber }) => count(current, current.alternate),
    },
  })
}

async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await wait(quietMs)
}

/** A first visit with an empty cache: the sign-in page, Home, then a list and a record, each twice. */
async function visit(browser: Browser, origin: string): Promise<Record<string, number>> {
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.addInitScript('globalThis.__name = (one) => one')
  await page.addInitScript(countRenders)
  const meter = await Meter.on(page)
  await meter.begin()
  await page.goto(origin)
  await page.getByLabel('Email').fill('northgate@harbour.example')
  await rest(page)
  const signIn = await meter.look()
  await page.getByLabel('Password').fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('main').filter({ hasText: 'Closing balance' }).first().waitFor()
  const home = await meter.look()
  await rest(page)
  const atRest = await meter.look()
  const out: Record<string, number> = {
    'sign-in page: scripts and styles, kB': signIn.codeBytes / kB,
    'first screen: scripts and styles, kB': home.codeBytes / kB,
    'first screen at rest: scripts and styles, kB': atRest.codeBytes / kB,
    'first screen: script files': home.scripts,
    'first screen at rest: requests': atRest.requests,
    'first screen at rest: rounds of calls': atRest.calls,
    'sign-in page and Home: main thread, ms': atRest.taskMs,
  }
  const menu = page.getByRole('navigation').first()
  const step = async (name: string, go: () => Promise<void>, sight: () => Promise<void>): Promise<void> => {
    await page.evaluate(() => (window.rendered.components = 0))
    await meter.begin()
    await go()
    await sight()
    await rest(page)
    const { scripts, codeBytes, taskMs } = await meter.look()
    out[`${name}: main thread, ms`] = taskMs
    out[`${name}: script files`] = scripts
    out[`${name}: scripts and styles, kB`] = codeBytes / kB
    out[`${name}: components rendered`] = await page.evaluate(() => window.rendered.components)
  }
  const entry = (name: string) => (): Promise<void> => menu.getByRole('link', { name, exact: true }).first().click()
  const row = (index: number) => (): Promise<void> => page.locator('tbody tr').nth(index).locator('td').nth(2).click()
  const list = (): Promise<void> => page.locator('table[aria-label="Staff contracts"] tbody tr').first().waitFor()
  const record = (): Promise<void> => page.locator('main').filter({ hasText: 'Salary' }).first().waitFor()
  await step('a list, first', entry('Staffing'), list)
  await step('a record, first', row(2), record)
  await step('a list, again', entry('Staff contracts'), list)
  await step('a record, second', row(4), record)
  const field = page.getByLabel('Contract name')
  await field.focus()
  await page.keyboard.type('ab')
  await rest(page)
  const keys = 'Teacher of'
  await page.evaluate(() => (window.rendered.components = 0))
  await meter.begin()
  for (const key of keys) {
    await page.keyboard.type(key)
    await wait(300)
  }
  await rest(page)
  const { taskMs } = await meter.look()
  out['a key in the contract editor: components'] = (await page.evaluate(() => window.rendered.components)) / keys.length
  out['a key in the contract editor: main thread, ms'] = taskMs / keys.length
  out['closed options mounted in a contract'] = await page.locator('[role=option]').count()
  await context.close()
  return out
}

/** The limits. A figure without one is only printed. */
const most: Record<string, number> = {
  'sign-in page: scripts and styles, kB': 25,
  'first screen: scripts and styles, kB': 200,
  'first screen: script files': 12,
  'a key in the contract editor: components': 100,
  'a key in the contract editor: main thread, ms': 10,
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function measureScreens(browser: Browser, origin: string): Promise<Measure[]> {
  const all: Record<string, number>[] = []
  // The first visit warms up the server and is not counted.
  await visit(browser, origin)
  for (let round = 0; round < rounds; round++) all.push(await visit(browser, origin))
  return Object.keys(all[0] ?? {}).map((name) => ({ name, value: median(all.map((one) => one[name] ?? 0)), most: most[name] ?? null }))
}

function print(measures: readonly Measure[]): boolean {
  for (const { name, value, most: limit } of measures)
    console.log(
      `${name.padEnd(50)} ${value.toFixed(1).padStart(8)}${limit === null ? '' : `   of at most ${limit}${value > limit ? ': too much' : ''}`}`,
    )
  return measures.every(({ value, most: limit }) => limit === null || value <= limit)
}

/**
 * `npm run bench -- screens`: what a first visit loads, and how many components lists, records and key presses render.
 * @returns whether every figure is within its limit
 */
export async function screens(): Promise<boolean> {
  await buildClient(root)
  return withDemo('screens', ({ config }) => withBrowser(config, async (browser) => print(await measureScreens(browser, config.origin))))
}

import { setTimeout as wait } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { root } from '../../server/core/root.ts'
import { demoPassword } from '../../server/demo/access.ts'
import { buildClient } from '../../server/launch/buildClient.ts'
import { openContext, withBrowser } from './browser.ts'
import { withDemo } from './withDemo.ts'

/** What a screen must show to count as complete: its heading, and an element that matches a selector and contains a text. */
interface ExpectedScreen {
  heading?: string
  selector: string
  text?: string
}

interface Step {
  name: string
  /** Whether the round has already shown the same data. */
  isSeen?: boolean
  /** The target over which the pointer hovers before the input, as a user’s does. */
  at?: (page: Page) => Locator
  input: (page: Page, at: Locator | undefined) => Promise<void>
  right: ExpectedScreen
}

/** How long the pointer hovers over a target before the press, in milliseconds. */
const restMs = 150
/** A page counts as idle after this time without a change, in milliseconds. */
const quietMs = 250
const rounds = 5
/** The longest that a screen with data already shown may take, in milliseconds. */
const mostMsSeen = 100

const menu = (page: Page): Locator => page.getByRole('navigation').first()
const entry = (name: string) => (page: Page) => menu(page).getByRole('link', { name, exact: true }).first()
const press = async (_page: Page, at: Locator | undefined): Promise<void> => at?.click()
const contracts: ExpectedScreen = { heading: 'Staff contracts', selector: 'table[aria-label="Staff contracts"] tbody tr' }
const summary: ExpectedScreen = { heading: 'Working', selector: 'main table', text: 'Income' }
const monitored = (heading: string): ExpectedScreen => ({ heading, selector: 'main tbody tr', text: 'General annual grant' })
const row = (index: number) => (page: Page) => page.locator('tbody tr').nth(index).locator('td').nth(2)
const goBack = (page: Page): Promise<void> => page.evaluate(() => window.history.back())

/** The day of a school business manager, starting with the sign-in. */
const steps: Step[] = [
  {
    name: 'sign in',
    at: (page) => page.getByRole('button', { name: 'Sign in' }),
    input: press,
    right: { selector: 'main', text: 'Closing balance' },
  },
  { name: 'the summary', at: entry('Overview'), input: press, right: summary },
  { name: 'the contracts', at: entry('Staffing'), input: press, right: contracts },
  { name: 'open a contract', at: row(2), input: press, right: { selector: 'main', text: 'Salary' } },
  { name: 'back to the contracts', isSeen: true, input: goBack, right: contracts },
  { name: 'open another', at: row(4), input: press, right: { selector: 'main', text: 'Salary' } },
  {
    name: 'rename it and save',
    input: async (page) => {
      await page.getByLabel('Contract name').fill('Changed by the bench')
      await page.keyboard.press('Control+s')
    },
    right: { selector: 'body', text: 'saved' },
  },
  { name: 'back again', isSeen: true, at: entry('Staff contracts'), input: press, right: contracts },
  {
    name: 'search them',
    input: async (page) => page.getByPlaceholder('Search name, number, position').fill('headteacher'),
    right: { heading: 'Staff contracts', selector: 'main', text: ' match' },
  },
  {
    name: 'what staff cost',
    at: entry('Staffing costs'),
    input: press,
    right: { heading: 'Staffing costs', selector: 'main table tbody tr' },
  },
  { name: 'the entries', at: entry('Non-staffing'), input: press, right: { selector: '.ag-row' } },
  {
    name: 'pupil numbers',
    at: entry('Pupil numbers'),
    input: press,
    right: { heading: 'Pupil numbers', selector: 'main table, main .ag-row' },
  },
  {
    name: 'budget versus actuals',
    at: entry('Monitoring'),
    input: press,
    right: monitored('Budgets versus actuals'),
  },
  {
    name: 'versus forecast',
    at: entry('Budgets versus forecast'),
    input: press,
    right: monitored('Budgets versus forecast'),
  },
  {
    name: 'versus actuals again',
    isSeen: true,
    at: entry('Budgets versus actuals'),
    input: press,
    right: monitored('Budgets versus actuals'),
  },
  { name: 'the reports', at: entry('Reports'), input: press, right: { selector: 'main', text: 'Budget analysis' } },
  {
    name: 'open a report',
    at: (page) =>
      page
        .locator('main')
        .getByRole('link', { name: /^Budget analysis/ })
        .first(),
    input: press,
    right: { selector: 'main table', text: 'Income' },
  },
  { name: 'the summary again', isSeen: true, at: entry('Overview'), input: press, right: summary },
  { name: 'the contracts again', isSeen: true, at: entry('Staffing'), input: press, right: contracts },
  { name: 'home', isSeen: true, at: entry('Home'), input: press, right: { selector: 'main', text: 'Closing balance' } },
]

/** What the page records of a step: the time of the input, when the screen was first complete, and when it last changed. */
interface StepRecord {
  began: number | null
  right: number | null
  changed: number
  asking: number
  sight: ExpectedScreen
  /** Resets the record and waits for the next input. */
  watch(sight: ExpectedScreen): void
}
declare global {
  interface Window {
    kept: StepRecord
  }
}

/** Runs in the page before any other script. It uses only the browser’s clock, so the two clocks need not agree. */
function installRecorder(): void {
  const kept: StepRecord = {
    began: null,
    right: null,
    changed: 0,
    asking: 0,
    sight: { selector: 'html' },
    watch(sight) {
      Object.assign(kept, { began: null, right: null, changed: 0, sight })
    },
  }
  window.kept = kept
  const isInSight = (): boolean =>
    (!kept.sight.heading || (document.querySelector('h1')?.textContent ?? '').includes(kept.sight.heading)) &&
    [...document.querySelectorAll(kept.sight.selector)].some(
      (one) => one.checkVisibility() && (!kept.sight.text || (one.textContent ?? '').includes(kept.sight.text)),
    )
  const look = (): void => {
    if (kept.began === null) return
    requestAnimationFrame(() => {
      kept.changed = performance.now()
      if (kept.right === null && isInSight()) kept.right = kept.changed
    })
  }
  const begin = ({ timeStamp }: Event): void => {
    kept.began ??= timeStamp
    look()
  }
  for (const input of ['pointerdown', 'keydown', 'input', 'popstate']) window.addEventListener(input, begin, { capture: true })
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  const { fetch: ask } = window
  window.fetch = async (...asked) => {
    kept.asking++
    try {
      return await ask(...asked)
    } finally {
      kept.asking--
      look()
    }
  }
}

/** @returns milliseconds from the input until the screen is complete, and until it is idle */
async function timeStep(page: Page, { name, at, input, right }: Step): Promise<{ right: number; rest: number }> {
  const target = at?.(page)
  await target?.hover()
  await wait(restMs)
  await page.evaluate((sight) => window.kept.watch(sight), right)
  await input(page, target)
  const isAtRest = ({ quietMs: quiet }: { quietMs: number }): boolean =>
    window.kept.right !== null && window.kept.asking === 0 && performance.now() - window.kept.changed > quiet
  await page.waitForFunction(isAtRest, { quietMs }, { timeout: 20_000 }).catch(async () => {
    throw new Error(`“${name}” did not come to rest: ${JSON.stringify(await page.evaluate(() => window.kept))}`)
  })
  const { began, right: seen, changed } = await page.evaluate(() => ({ ...window.kept, watch: null }))
  return { right: (seen ?? changed) - (began ?? 0), rest: changed - (began ?? 0) }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * `npm run bench -- steps`: twenty usual steps of a business manager in a browser, each timed from the input until the screen is complete
 * and until it is idle.
 * @returns whether every screen with data already shown is complete within a tenth of a second
 */
export async function usualSteps(): Promise<boolean> {
  await buildClient(root)
  return withDemo('steps', async ({ config }) => {
    const taken = new Map<Step, { right: number; rest: number }[]>()
    await withBrowser(config, async (browser) => {
      // The first round warms up the server and is not counted.
      for (let round = 0; round <= rounds; round++) {
        const context = await openContext(browser)
        const page = await context.newPage()
        // The compiler calls this helper to name functions, and it does not exist in the page.
        await page.addInitScript('globalThis.__name = (one) => one')
        await page.addInitScript(installRecorder)
        await page.goto(config.origin)
        await page.getByLabel('Email').fill('northgate@harbour.example')
        await page.getByLabel('Password').fill(demoPassword)
        for (const step of steps) {
          const one = step === steps[0] ? await timeSignIn(page, step) : await timeStep(page, step)
          if (round) taken.set(step, [...(taken.get(step) ?? []), one])
        }
        await context.close()
      }
    })
    console.log(
      `Twenty steps of a business manager, median of ${rounds} rounds in Chromium: milliseconds from the input to the screen being right, and at rest`,
    )
    let holds = true
    for (const [{ name, isSeen }, all] of taken) {
      const [right, rest] = [median(all.map((one) => one.right)), median(all.map((one) => one.rest))]
      const isSlow = isSeen && right > mostMsSeen
      if (isSlow) holds = false
      const verdict = isSlow ? `: more than ${mostMsSeen} ms` : ''
      console.log(
        `${name.padEnd(26)} ${right.toFixed(0).padStart(6)} ${rest.toFixed(0).padStart(6)}${isSeen ? `   seen before${verdict}` : ''}`,
      )
    }
    return holds
  })
}

/** Times the sign-in. It loads several pages, none of which knows when the first began, so the runner’s clock is used. */
async function timeSignIn(page: Page, { at, right }: Step): Promise<{ right: number; rest: number }> {
  const began = performance.now()
  await at?.(page).click()
  await page
    .locator(right.selector)
    .filter({ hasText: right.text ?? '' })
    .first()
    .waitFor()
  const seen = performance.now() - began
  await page.waitForFunction(() => window.kept.asking === 0)
  return { right: seen, rest: performance.now() - began }
}

import { execFileSync } from 'node:child_process'
import { expect, type Page, test } from '@playwright/test'
import { runningOn } from '../../server/launch/lock.ts'
import { patience } from '../support/patience.ts'
import { product } from './products.ts'
import { choose, signIn } from './support.ts'

const list = '/console/coding/cost-centres'

/** The server of the product that these journeys run against: a child of its start. */
function serverPid(): number {
  const start = runningOn(product.data)!.pid
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const server = processes
    .map((line) => line.trim().split(/\s+/))
    .find(([, parent, ...args]) => Number(parent) === start && /server\.mjs/.test(args.join(' ')))
  return Number(server![0])
}

test.describe.configure({ timeout: patience * 120_000 })

/** Keeps a page from coming back to the live connection. @returns how often it has tried since */
async function cutOff(page: Page): Promise<() => number> {
  let tries = 0
  await page.route('**/OrganisationHub/negotiate*', (route) => {
    tries++
    return route.abort()
  })
  return () => tries
}

/** Lets the time of a page pass until something holds that waits for it: it waits longer before each of its tries. */
async function letTimePass(page: Page, holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect
    .poll(
      async () => {
        if (await holds()) return true
        await page.clock.fastForward(15_000)
        return false
      },
      { timeout: patience * 60_000, intervals: [300] },
    )
    .toBe(true)
}

test('a page whose first live connection fails gets one all the same', async ({ page }) => {
  await page.clock.install()
  const tries = await cutOff(page)
  await signIn(page, 'northgate@harbour.example', list)
  await expect.poll(tries).toBeGreaterThan(0)
  await page.unroute('**/OrganisationHub/negotiate*')
  let isBack = false
  page.on('response', (reply) => {
    if (reply.url().includes('/OrganisationHub/negotiate')) isBack = reply.ok()
  })
  await letTimePass(page, () => isBack)
})

test('after an outage an open page comes back by itself and shows what was changed meanwhile', async ({ browser, page, request }) => {
  await page.clock.install()
  await signIn(page, 'northgate@harbour.example', list)
  const first = page.getByRole('gridcell').nth(1)
  await expect(first).toBeVisible()
  const code = await first.textContent()
  await page.evaluate(() => document.documentElement.setAttribute('data-since', 'before the outage'))
  // It hears nothing until the change is made: what was said meanwhile nobody repeats.
  const tries = await cutOff(page)
  process.kill(serverPid(), 'SIGKILL')
  await expect.poll(async () => (await request.get('/readyz', { timeout: 2000 }).catch(() => null))?.status() ?? 0).not.toBe(200)
  await expect
    .poll(async () => (await request.get('/readyz', { timeout: 2000 }).catch(() => null))?.status() ?? 0, { timeout: patience * 60_000 })
    .toBe(200)
  const description = `Meanwhile ${Date.now() % 1e6}`
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'finance@harbour.example')
  await choose(other, 'Location', 'Northgate Primary School')
  await other.goto(list)
  await other.getByRole('gridcell', { name: code!, exact: true }).click()
  await other.getByRole('textbox', { name: 'Description', exact: true }).fill(description)
  await other.keyboard.press('Control+s')
  await expect(other.getByText('Updated Cost centre')).toBeVisible()
  await other.context().close()
  await expect(page.getByText(description)).toHaveCount(0)

  // After four tries the client of the live connection itself gives up.
  await letTimePass(page, () => tries() > 5)
  await expect(page.getByText(description)).toHaveCount(0)

  await page.unroute('**/OrganisationHub/negotiate*')
  await letTimePass(page, () => page.getByRole('gridcell', { name: description }).isVisible())
  await expect(page.locator('html')).toHaveAttribute('data-since', 'before the outage')
})

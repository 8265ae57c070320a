import { execFileSync } from 'node:child_process'
import { expect, test } from '@playwright/test'
import { runningOn } from '../../server/launch/lock.ts'
import { product } from './products.ts'
import { choose, signIn } from './support.ts'

const list = '/console/coding/cost-centres'

/** The server of the product that these journeys run against: a child of its start. */
function serverPid(): number {
  const start = runningOn(product.data)!.pid
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const server = processes
    .map((line) => line.trim().split(/\s+/))
    .find(([, parent, ...args]) => Number(parent) === start && /server[/\\]main/.test(args.join(' ')))
  return Number(server![0])
}

// The page waits longer before each of its tries.
test.describe.configure({ timeout: 120_000 })

test('after an outage an open page comes back by itself and shows what was changed meanwhile', async ({ browser, page, request }) => {
  await signIn(page, 'northgate@harbour.example', list)
  const first = page.getByRole('gridcell').nth(1)
  await expect(first).toBeVisible()
  const code = await first.textContent()
  await page.evaluate(() => document.documentElement.setAttribute('data-since', 'before the outage'))
  // It hears nothing until the change is made: what was said meanwhile nobody repeats.
  await page.route('**/OrganisationHub/negotiate*', (route) => route.abort())
  process.kill(serverPid(), 'SIGKILL')
  await expect.poll(async () => (await request.get('/readyz', { timeout: 2000 }).catch(() => null))?.status() ?? 0).not.toBe(200)
  await expect
    .poll(async () => (await request.get('/readyz', { timeout: 2000 }).catch(() => null))?.status() ?? 0, { timeout: 60_000 })
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

  await page.unroute('**/OrganisationHub/negotiate*')
  await expect(page.getByRole('gridcell', { name: description })).toBeVisible({ timeout: 45_000 })
  await expect(page.locator('html')).toHaveAttribute('data-since', 'before the outage')
})

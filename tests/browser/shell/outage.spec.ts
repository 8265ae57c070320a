import { execFileSync } from 'node:child_process'
import { expect, type Page, test } from '@playwright/test'
import postgres from 'postgres'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { findLockHolder } from '../../../server/launch/lock.ts'
import { patience } from '../../support/product/patience.ts'
import { product } from '../products.ts'
import { breaches, choose, signIn } from '../support.ts'

const list = '/console/coding/cost-centres'

/** The process id of the server under test: a child of `npm start`. */
function serverPid(): number {
  const start = findLockHolder(product.data)!.pid
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const server = processes
    .map((line) => line.trim().split(/\s+/))
    .find(([, parent, ...args]) => Number(parent) === start && /server\.mjs/.test(args.join(' ')))
  return Number(server![0])
}

test.describe.configure({ timeout: patience * 120_000 })

/** Blocks a page’s live connection. @returns the number of attempts to reconnect since */
async function cutOff(page: Page): Promise<() => number> {
  let tries = 0
  await page.route('**/OrganisationHub/negotiate*', (route) => {
    tries++
    return route.abort()
  })
  return () => tries
}

/** Advances the page’s clock until a condition holds: each attempt to reconnect waits longer than the last. */
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

test('a page whose first live connection fails still gets one', async ({ page }) => {
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

test('after an outage an open page reconnects by itself and shows the changes made meanwhile', async ({ browser, page, request }) => {
  await page.clock.install()
  await signIn(page, 'northgate@harbour.example', list)
  const first = page.getByRole('gridcell').nth(1)
  await expect(first).toBeVisible()
  const code = await first.textContent()
  await page.evaluate(() => document.documentElement.setAttribute('data-since', 'before the outage'))
  // The page is cut off during the change, and messages sent meanwhile are not repeated.
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

  // After four attempts the SignalR client itself gives up.
  await letTimePass(page, () => tries() > 5)
  await expect(page.getByText(description)).toHaveCount(0)

  await page.unroute('**/OrganisationHub/negotiate*')
  await letTimePass(page, () => page.getByRole('gridcell', { name: description }).isVisible())
  await expect(page.locator('html')).toHaveAttribute('data-since', 'before the outage')
})

test('a log that was changed outside the product is reported to administrators on every page until it is intact, and to nobody else', async ({
  browser,
  page,
}) => {
  const owner = postgres(assertDefined(assertDefined(findLockHolder(product.data)).databaseUrl), { max: 1, onnotice: () => undefined })
  const finding = 'Link 7 of the chain is not what was written.'
  // Stores a result as the worker’s daily check does.
  const keep = (found: string | null) => owner`
    insert into log_checks (organisation_id, sequence, hash, checked_at, finding, found_at)
    select id, 0, repeat('0', 64), now(), ${found}::text, case when ${found}::text is null then null else now() end
    from organisations where name = 'Harbour Learning Trust'
    on conflict (organisation_id) do update set checked_at = excluded.checked_at, finding = excluded.finding, found_at = excluded.found_at`
  const notice = (of: Page) => of.getByRole('status').filter({ hasText: 'The log of Harbour Learning Trust is broken' })
  try {
    await keep(finding)
    await signIn(page, 'admin@bursar.example', '/administrator/users')
    await expect(notice(page)).toContainText(`${finding} Someone changed it outside Bursar. npm run audit -- verify lists everything`)
    expect(await breaches(page)).toEqual([])
    await page.goto('/welcome')
    await expect(notice(page)).toBeVisible()
    const other = await browser.newPage()
    await signIn(other, 'finance@harbour.example')
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(notice(other)).toHaveCount(0)
    await other.close()
  } finally {
    await keep(null)
    await owner.end()
  }
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(notice(page)).toHaveCount(0)
})

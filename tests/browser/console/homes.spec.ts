import { expect, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

const mark = String(Date.now() % 1e6)

test('a trust lead sees the schools worst first, without choosing one', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  const schools = page.getByRole('region', { name: 'Locations' })
  await expect(schools.getByRole('row', { name: /Northgate Primary School/ })).toContainText(/Act now|Watch|On course/)
  const order = ['Act now', 'Watch', 'On course']
  const said = await schools.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent ?? ''))
  const standings = said.map((text) => order.findIndex((word) => text.includes(word)))
  expect(standings.length).toBeGreaterThan(3)
  expect(standings).toEqual([...standings].sort((a, b) => a - b))
  expect(await breaches(page)).toEqual([])
  await schools.getByRole('link', { name: 'Riverside School' }).press('Enter')
  await expect(page).toHaveURL(/overview\/summary(\?|$)/)
  await expect(page.getByRole('banner').getByRole('button', { name: /^Location/ })).toContainText('Riverside School')
})

test('the home page of a trust asks for its figures one call after another, so that a server that is just starting refuses none', async ({
  page,
}) => {
  const calls = ['home.month', 'reports.glance', 'home.lowestCash']
  const events: string[] = []
  const note = (what: string, url: string): void =>
    void events.push(...calls.filter((name) => url.includes(name)).map((name) => `${name} ${what}`))
  page.on('request', (request) => note('asked', request.url()))
  page.on('requestfinished', (request) => note('answered', request.url()))
  await signIn(page, 'finance@harbour.example')
  await expect(page.getByRole('region', { name: 'Locations' }).getByRole('row', { name: /Northgate Primary School/ })).toBeVisible()
  expect(events.slice(0, 6)).toEqual(calls.flatMap((name) => [`${name} asked`, `${name} answered`]))
})

test('a trust lead reads the schools as cards on a phone, each figure with its heading, without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'finance@harbour.example')
  const schools = page.getByRole('region', { name: 'Locations' })
  await expect(schools.getByText('Northgate Primary School')).toBeVisible()
  const card = (await schools.locator('tbody tr').first().boundingBox())!
  expect(card.x + card.width).toBeLessThanOrEqual(390)
  expect(
    await schools.locator('tbody [data-label]').evaluateAll((cells) => cells.every((cell) => cell.scrollWidth <= cell.clientWidth)),
  ).toBe(true)
  expect(await breaches(page)).toEqual([])
})

test('a business manager sees outturn, variance and lowest cash, and only work that they may do', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/')
  const school = page.getByRole('region', { name: 'The budget at a glance' })
  for (const label of ['In-year outturn', 'Variance', 'Lowest cash']) await expect(school.getByText(label, { exact: true })).toBeVisible()
  const tasks = page.getByRole('region', { name: 'To do' })
  await expect(tasks.getByRole('listitem').first().or(tasks.getByText('Nothing to do.'))).toBeVisible()
  await expect(tasks.getByText(/^Close/)).toHaveCount(0)
  expect(await breaches(page)).toEqual([])
})

test('a governor who was mentioned answers on the home page, and the author finds the answer', async ({ page, browser }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/overview/approval')
  const field = page.getByLabel('Comment', { exact: true })
  await field.pressSequentially(`Are you content, @grace`)
  // Figures and checks that come in above the field push it out of view, and its suggestions are shown only beside it.
  await expect(page.getByRole('region', { name: 'What is approved' }).getByRole('row', { name: /^Closing balance/ })).toBeVisible()
  const grace = page.getByRole('option', { name: 'Grace Hall' })
  await expect(async () => {
    await field.scrollIntoViewIfNeeded()
    await grace.click({ timeout: 2000 })
  }).toPass({ timeout: patience * 30_000 })
  await field.pressSequentially(`with ${mark}?`)
  await page.getByRole('button', { name: 'Add comment' }).click()
  await expect(page.getByText(`with ${mark}?`).first()).toBeVisible()
  // On this page she would see the answer come in, and it would count as read.
  await visit(page, '/')
  await expect(page.getByRole('region', { name: 'To do' })).toBeVisible()

  const governor = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await signIn(governor, 'governor@harbour.example', '/')
  const unread = governor.getByRole('region', { name: 'Unread comments' })
  const comment = unread.getByRole('listitem').filter({ hasText: mark })
  await comment.getByRole('textbox', { name: 'Answer Ruth Mensah' }).fill(`Yes, I am content with ${mark}`)
  await comment.getByRole('button', { name: 'Answer' }).click()
  await expect(governor.getByText('Answered Ruth Mensah')).toBeVisible()
  await expect(comment).toHaveCount(0)
  await governor.close()

  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Unread comments' })).toContainText(`Yes, I am content with ${mark}`)
})

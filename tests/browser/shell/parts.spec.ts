import { expect, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { choose, signIn } from '../support.ts'

test('the sign-in page does not load the product', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(scripts).toEqual([expect.stringMatching(/^\/assets\/index-/), '/passkey.js'])
})

test('the first screen loads no page but its own', async ({ page }) => {
  const read: string[] = []
  page.on('request', (request) => read.push(new URL(request.url()).pathname))
  await signIn(page, 'finance@harbour.example')
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  const pages = read.filter((path) => /^\/assets\/(?!WelcomePage|HomePage)\w+Page-/.test(path))
  expect(pages).toEqual([])
})

test('a page of a replaced version is requested once more, and then one sentence asks for a reload', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  let asked = 0
  await page.route(/\/assets\/CostsPage-.*\.js/, (route) => {
    asked++
    return route.fulfill({ status: 404, body: 'Not found' })
  })
  await page.goto('/staffing/costs')
  // The client first reloads the page by itself, and shows this message only if that does not help.
  const said = page.getByText('A newer version of Bursar has been installed. Reload this page')
  await expect(said).toBeVisible({ timeout: patience * 30_000 })
  expect(asked).toBeGreaterThan(1)
  await page.unroute(/\/assets\/CostsPage-.*\.js/)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Staffing costs' })).toBeVisible()
})

test('a part that is opened during an outage appears once the server is back, without a reload', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/non-staffing/pupil-numbers')
  await expect(page.getByRole('heading', { level: 1, name: 'Pupil numbers' })).toBeVisible()
  await page.evaluate(() => document.documentElement.setAttribute('data-since', 'before the outage'))
  await page.route(/\/assets\/HelpPanel-.*\.js/, (route) => route.abort())
  let checks = 0
  await page.route('**/config.json', (route) => {
    checks++
    return route.abort()
  })
  await page.getByRole('button', { name: 'Help' }).click()
  // If the server answered this check, the page would reload, because the part would be gone.
  await expect.poll(() => checks).toBeGreaterThan(0)
  await page.unroute(/\/assets\/HelpPanel-.*\.js/)
  await page.unroute('**/config.json')
  await expect(page.getByRole('complementary', { name: 'Help' })).toBeVisible({ timeout: patience * 30_000 })
  await expect(page.locator('html')).toHaveAttribute('data-since', 'before the outage')
})

test('the sign-in page uses the product’s typeface', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  // The form may be rendered before the stylesheet with the typeface is loaded.
  await expect
    .poll(() => page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`)))
    .toEqual([expect.stringMatching(/Inter Variable"? loaded/)])
})

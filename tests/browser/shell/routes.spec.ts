import { expect, test } from '@playwright/test'
import { choose, signIn } from '../support.ts'

test('B-022 B-024 B-096 screens that need no organisation open without one, including the administrator area', async ({ page }) => {
  await signIn(page, 'admin@bursar.example')
  for (const [path, heading] of [
    ['/version', /Version/],
    ['/profile', /./],
    ['/welcome', /^Good/],
    ['/assist/importing', 'Importing from a spreadsheet'],
    ['/administrator', 'Administrator'],
    ['/administrator/local-authorities', 'Local authorities'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading }), path).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(path)
  }
  await expect(page.getByRole('checkbox', { name: 'Select row' }).first()).toBeVisible()
})

test('B-031 B-032 B-034 B-035 URLs are plain paths, with or without a slash at the end, and redirects leave no history entry', async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/console/coding/fund-codes/')
  await expect(page.getByRole('heading', { name: 'Fund codes' })).toBeVisible()
  for (const [from, to] of [
    ['/console/general', '/console/general/organisations'],
    ['/console/coding', '/console/coding/budget-codes'],
    ['/console/staffing', '/console/staffing/staff-members'],
    ['/console/income-and-expenditure', '/console/income-and-expenditure/gag-pooling'],
    ['/console/messaging', '/console/messaging/flash-messages'],
    ['/console/admin-tables', '/console/admin-tables/teacher-pay-scales'],
  ] as const) {
    await page.goto('/profile')
    await page.goto(from)
    await expect(page).toHaveURL(new RegExp(`${to}(\\?|$)`))
    await page.goBack()
    await expect(page).toHaveURL(/\/profile(\?|$)/)
  }
})

test('B-027 B-028 add, bulk and id pages exist where the list offers them, and nowhere else', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/console/general/clusters/add')
  await expect(page.getByRole('heading', { name: 'Add cluster' })).toBeVisible()
  for (const path of [
    '/console/general/clusters/bulk',
    '/console/general/users/add',
    '/console/coding/fund-codes/999999',
    '/console/coding/fund-codes/abc',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Page not found' }), path).toBeVisible()
  }
})

test('B-095 B-267 B-268 a user who may only read sees lists without any way to change them, and no form', async ({ page }) => {
  await signIn(page, 'auditor@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  for (const path of [
    '/console/coding/budget-codes',
    '/console/staffing/allowances',
    '/console/income-and-expenditure/top-slices',
    '/console/general/users',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Export', exact: true }), path).toBeVisible()
    for (const name of [/^Add/, 'Import', 'Delete', /^Save/]) await expect(page.getByRole('button', { name }), path).toHaveCount(0)
    await expect(page.getByRole('checkbox', { name: 'Select row' }), path).toHaveCount(0)
  }
  for (const path of ['/console/coding/budget-codes/add', '/console/coding/budget-codes/1', '/console/coding/cost-centres/bulk']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Not allowed' }), path).toBeVisible()
  }
})

test('B-264 a screen without permissions opens for every signed-in user', async ({ page }) => {
  await signIn(page, 'governor@harbour.example', '/console/general/terminology')
  await expect(page.getByRole('heading', { name: 'Terminology' })).toBeVisible()
  await page.goto('/console')
  await expect(page.getByRole('main').getByRole('link', { name: 'Terminology' })).toBeVisible()
})

test('B-090 clearing removes the search and filters, but not what the screen itself fixes', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/console/admin-tables/teacher-pay-scales')
  await expect(page.getByText('67 pay scale points')).toBeVisible()
  await page.getByLabel('Search Teacher pay scales').fill('M6')
  await expect(page.getByText('1 pay scale point match')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByText('67 pay scale points')).toBeVisible()
})

test('B-129 archived employees are hidden until somebody asks for them', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/console/staffing/staff-members/add')
  const number = `A${Date.now() % 1e6}`
  await page.getByLabel('Employee number').fill(number)
  await page.getByLabel('Forename').fill('Gone')
  await page.getByLabel('Surname').fill('Leaver')
  await page.getByLabel('Archive').check()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Staff member')).toBeVisible()
  await page.goto('/console/staffing/staff-members')
  await page.getByLabel('Search staff').fill(number)
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove the filter on Archive' }).click()
  await expect(page.getByText('Leaver', { exact: true })).toBeVisible()
})

test('B-255 B-110 an article is previewed as readers will see it, while it is typed', async ({ page }) => {
  await signIn(page, 'admin@bursar.example', '/administrator/communications/news/add')
  await page.getByLabel('Title').fill('Pay award agreed')
  await page.getByRole('textbox', { name: 'Message' }).fill('From September')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('heading', { name: 'Pay award agreed' })).toBeVisible()
  await expect(preview.getByText('From September')).toBeVisible()
})

import { expect, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

test('the trust at a glance is sorted, filtered to what is due, and a school opens from its line', { tag: '@journey' }, async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/at-a-glance')
  const table = page.getByRole('region', { name: 'At a glance' })
  await expect(table.getByRole('row', { name: /^All locations/ })).toBeVisible()
  expect(await breaches(page)).toEqual([])
  // Exceptions first: no school has more warnings than the one above it.
  await expect(table.getByRole('columnheader', { name: /^Warnings ↓/ })).toHaveAttribute('aria-sort', 'descending')
  const counts = await table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.querySelectorAll('li').length))
  expect(counts[0]).toBeGreaterThan(0)
  expect(counts.slice(0, -1)).toEqual([...counts.slice(0, -1)].sort((a, b) => b - a))
  // Each year has its reserve and its in-year balance, and a deficit is red like everywhere else.
  await expect(table.getByRole('columnheader', { name: '2027/28' })).toBeVisible()
  const deficit = table.getByRole('link', { name: /^−£/ }).first()
  const bad = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--bad)'
    return getComputedStyle(probe).color
  })
  await expect(deficit).toHaveCSS('color', bad)
  await page.getByText('Every year', { exact: true }).click()
  await table.getByRole('button', { name: 'Reserve', exact: true }).click()
  await expect(table.getByRole('columnheader', { name: /^Reserve ↑/ })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('textbox', { name: 'Search locations' }).fill('riverside')
  await expect(table.getByRole('row')).toHaveCount(3)
  // The URL holds the choice: reloading shows the same page.
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(3)
  await table.getByRole('link', { name: 'Riverside School' }).click()
  await expect(page).toHaveURL(/\/overview\/summary(\?|$)/)
  await expect(page.getByRole('banner').getByRole('button', { name: /^Location/ })).toContainText('Riverside School')
})

test('a sheet for the board is created from At a glance', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await visit(page, '/console/at-a-glance')
  const saved = page.waitForEvent('download', { timeout: patience * 45_000 })
  await page.getByRole('button', { name: 'PDF for the board' }).click()
  expect((await saved).suggestedFilename()).toMatch(/at a glance.*\.pdf$/i)
})

test('a return opens from the list of reports, and names the codes that map to none of its lines', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/reports?of=all')
  await page.getByRole('link', { name: /^Budget Forecast Return/ }).click()
  const table = page.getByRole('region', { name: 'Budget Forecast Return' })
  await expect(table.getByRole('row', { name: /^430 Balance carried forward/ })).toBeVisible()
  await expect(table.getByRole('row', { name: /^Check: / }).first()).toBeVisible()
  expect(await breaches(page)).toEqual([])
})

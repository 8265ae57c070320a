import { expect, test } from '@playwright/test'
import { breaches, choose, signIn } from './support.ts'

test('a month is closed over all schools, is read only then, and is reopened with a reason while somebody else watches', async ({
  page,
  browser,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/console/monitoring/month-end?month=2026-09')
  const table = page.getByRole('region', { name: 'Checklist' })
  const rows = table.locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  const northgate = table.getByRole('row', { name: /Northgate Primary School/ })
  await expect(northgate.getByText('open', { exact: true })).toBeVisible()
  await expect(table.getByText('Closed')).not.toHaveCount(0)
  expect(await breaches(page)).toEqual([])

  const other = await browser.newContext()
  const watcher = await other.newPage()
  await signIn(watcher, 'northgate@harbour.example', '/monitoring/month-end?month=2026-09')
  const theirs = watcher.getByRole('row', { name: /Northgate Primary School/ })
  await expect(theirs).toBeVisible()
  await expect(watcher.locator('tbody tr')).toHaveCount(1)
  await expect(watcher.getByRole('button', { name: /^Close (the month|\d)/ })).toHaveCount(0)

  // The school says what it has done, and the trust sees it.
  await theirs.getByLabel('Adjustments made').focus()
  await watcher.keyboard.press('Space')
  await expect(northgate.getByLabel('Adjustments made')).toBeChecked()

  // Another school is opened again with a reason, and closed again.
  const closed = table.locator('tbody tr[data-closed=true]')
  const count = await closed.count()
  expect(count).toBeGreaterThan(0)
  const school = await closed.first().getByRole('rowheader').textContent()
  await closed.first().getByRole('rowheader').getByRole('checkbox').press('Space')
  await page.getByRole('button', { name: 'Reopen 1 location' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Reopen' })).toBeDisabled()
  await dialog.getByLabel('Reason').fill('A journal came late')
  await dialog.getByRole('button', { name: 'Reopen' }).click()
  await expect(table.getByText(/A journal came late/)).toBeVisible()
  await expect(closed).toHaveCount(count - 1)
  await table
    .getByRole('row', { name: new RegExp(school!) })
    .getByRole('rowheader')
    .getByRole('checkbox')
    .press('Space')
  await page.getByRole('button', { name: 'Close 1 location' }).click()
  await expect(closed).toHaveCount(count)

  // A closed month is read only on its own page.
  await choose(page, 'Location', school!.trim())
  await page.goto('/monitoring/budget-actuals?month=2026-09')
  await expect(page.getByText('September 2026 is closed')).toBeVisible()
  await page.getByRole('region', { name: 'Monitoring' }).locator('button[data-row]').first().press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Note')).not.toBeEditable()
  expect(await breaches(page)).toEqual([])
  await other.close()
})

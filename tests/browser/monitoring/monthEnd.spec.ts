import { writeFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

test('a month is closed for all schools, is then read-only, and is reopened with a reason while another user watches', {
  tag: '@journey',
}, async ({ page, browser }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/monitoring/month-end?month=2026-09')
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

  // The school ticks a step, and the trust sees it.
  await theirs.getByLabel('Adjustments made').focus()
  await watcher.keyboard.press('Space')
  await expect(northgate.getByLabel('Adjustments made')).toBeChecked()

  // A tick shows at once; when the server refuses it, it is removed and the reason is shown.
  await watcher.route(/trpc\/[^?]*monthEnd\.tick/, (route) => route.fulfill({ status: 500, body: '' }))
  await theirs.getByLabel('Pack made').press('Space')
  await expect(watcher.getByText('The server cannot be reached.')).toBeVisible()
  await expect(theirs.getByLabel('Pack made')).not.toBeChecked()
  await watcher.unroute(/trpc\/[^?]*monthEnd\.tick/)

  // Another school is reopened with a reason, and closed again.
  const closed = table.locator('tbody tr[data-closed=true]')
  const count = await closed.count()
  expect(count).toBeGreaterThan(0)
  // No other journey changes this school’s budget, so all its variances of the month stay explained.
  const school = 'Harbour Central Team'
  const chosen = table.getByRole('row', { name: school }).getByRole('rowheader').getByRole('checkbox')
  await chosen.press('Space')
  await page.getByRole('button', { name: 'Reopen 1 location' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Reopen' })).toBeDisabled()
  await dialog.getByLabel('Reason').fill('A journal came late')
  await dialog.getByRole('button', { name: 'Reopen' }).click()
  await expect(table.getByText(/A journal came late/)).toBeVisible()
  await expect(closed).toHaveCount(count - 1)
  await chosen.press('Space')
  await page.getByRole('button', { name: 'Close 1 location' }).click()
  await expect(closed).toHaveCount(count)

  // The school’s own page shows a closed month read-only.
  await choose(page, 'Location', school)
  await visit(page, '/monitoring/budget-actuals?month=2026-09')
  await expect(page.getByText('September 2026 is closed')).toBeVisible()
  await page.getByRole('region', { name: 'Monitoring' }).locator('button[data-stop]').first().press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Reason')).not.toBeEditable()
  expect(await breaches(page)).toEqual([])
  await other.close()
})

test('two users explain different lines at once, an import by one appears for the other, and the cash forecast starts from a typed balance', async ({
  page,
  browser,
}, info) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/monitoring/budget-actuals?month=2026-10')
  const other = await browser.newContext()
  const colleague = await other.newPage()
  await signIn(colleague, 'northgate@harbour.example', '/monitoring/budget-actuals?month=2026-10')
  const row = (on: typeof page, name: RegExp) => on.getByRole('region', { name: 'Monitoring' }).getByRole('row', { name })
  const supply = /^4000 Supply teachers/
  const energy = /^4240 Energy/
  for (const [on, name] of [
    [page, supply],
    [colleague, energy],
  ] as const) {
    await row(on, name).getByRole('button').click()
    await on
      .getByRole('dialog')
      .getByLabel('Reason')
      .fill(`Explained by ${name === supply ? 'finance' : 'the school'}, try ${info.retry}`)
    await on.getByRole('dialog').getByLabel('Action', { exact: true }).fill('Looked at again in November')
  }
  await Promise.all([page.keyboard.press('Control+s'), colleague.keyboard.press('Control+s')])
  for (const on of [page, colleague]) {
    await expect(on.getByText('Saved note')).toBeVisible()
    await on.keyboard.press('Escape')
    for (const name of [supply, energy]) await expect(row(on, name).getByLabel('Has a reason')).toBeVisible()
  }

  // An import here appears on the other page without a reload. Each retry uses a month that has no import yet.
  const month = `2027-0${5 + info.retry}`
  await colleague.goto(`/monitoring/budget-actuals?month=${month}`)
  const toDate = row(colleague, energy).locator('td[data-column="actualToDate"]')
  await expect(toDate).not.toBeEmpty()
  const before = Number((await toDate.textContent())!.replaceAll(',', ''))
  const path = info.outputPath('month.csv')
  writeFileSync(path, 'Type,BudgetCodeFilter,Value,BudgetCode,CostCentre,Description\nActual,S1,1234.00,4240,SITE,Gas\n')
  await visit(page, `/console/monitoring/actuals-commitments?month=${month}`)
  await page.getByRole('button', { name: 'Import', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles(path)
  await dialog.getByRole('button', { name: 'See what changes' }).click()
  await dialog.getByRole('button', { name: 'Import 1 line' }).click()
  await expect(page.getByText('Imported Actuals and commitments')).toBeVisible({ timeout: patience * 30_000 })
  await expect(toDate).toHaveText((before + 1234).toLocaleString('en-GB'))
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Clear the month' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear 1 location' }).click()
  await expect(toDate).toHaveText(before.toLocaleString('en-GB'))

  await colleague.goto('/monitoring/cash?month=2026-10')
  await openingCash(colleague, '')
  await expect(colleague.getByText(/Cash cannot be calculated until/)).toBeVisible()
  await openingCash(colleague, '180000')
  const months = colleague.getByRole('region', { name: 'Cash by month' })
  await expect(months.getByRole('row', { name: /^September 2026/ })).toContainText('180,000.00')
  await expect(months.getByText('lowest')).toHaveCount(1)
  expect(await breaches(colleague)).toEqual([])
  await other.close()
})

test('the forecast at the close of a month is shown beside the actuals since, by school and by code', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/monitoring/track-record?month=2026-09')
  await expect(page.getByRole('heading', { name: 'No forecasts to compare yet' })).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await visit(page, '/console/monitoring/track-record?month=2026-10')
  const schools = page.getByRole('region', { name: 'By location' })
  const total = schools.getByRole('row', { name: 'All expenditure' })
  await expect(total).toBeVisible()
  const cells = async (): Promise<number[]> => (await total.locator('td').allTextContents()).slice(0, 3).map(amount)
  const [forecast, outturn, over] = (await cells()) as [number, number, number]
  expect(Math.abs(outturn - forecast - over)).toBeLessThan(0.01)
  await expect(schools.getByText(/Forecast when September 2026 was closed, for the 1 month after it/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'By budget code' }).getByRole('row', { name: /^4000 Supply teachers/ })).toBeVisible()
  expect(await breaches(page)).toEqual([])

  // The figures of one school are part of those of all.
  await page.getByRole('combobox', { name: 'Locations' }).click()
  await page.getByRole('option', { name: 'Riverside School' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await cells())[1]).toBeLessThan(outturn)
})

const amount = (text: string): number => Number(text.replaceAll(',', '').replace('−', '-').replace('+', ''))

/** Types the bank balance at the start of the year; empty means unknown. */
async function openingCash(page: Page, pounds: string): Promise<void> {
  await page.getByRole('button', { name: 'Opening cash' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/Northgate/).fill(pounds)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
}

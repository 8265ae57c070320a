import { expect, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { choose, runAudit, signIn } from '../support.ts'

/** The purpose of the product in one journey: from signing in to figures that an auditor can prove. */
test('B-099 B-183 B-201 a school business manager adds a teacher, sees the cost, recalculates the group, is notified, and the log replays to the same pennies', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Budget: 2026/27 Working' })).toBeVisible()

  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Staffing', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Staff contracts' })).toBeVisible()
  await page.getByRole('button', { name: /Add contract/ }).click()

  await page.getByLabel('Contract name').fill('Year 6 teacher')
  await page.getByLabel('Position').fill('Year 6 teacher')
  await page.getByRole('combobox', { name: 'Contract type' }).click()
  await page.getByRole('option', { name: 'Teacher', exact: true }).click()
  await page.getByRole('combobox', { name: 'Payroll codes' }).click()
  await page.getByRole('option', { name: /^TCH/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Scale point, row 1' }).click()
  await page.getByRole('option', { name: /^Main M6 / }).click()

  // The cost is shown before anything is saved, and updates with every key.
  const years = page.getByRole('table', { name: 'Cost by year in pounds' })
  const total = years.locator('[data-total="0"]')
  await expect(total).toHaveText(/\d/)
  const full = (await total.textContent())!
  await page.getByLabel('FTE, row 1').fill('0.5')
  await expect(total).not.toHaveText(full)
  await page.getByLabel('FTE, row 1').fill('1')
  await expect(total).toHaveText(full)
  await page.screenshot({ path: 'test-results/purpose-editor.png' })
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Staff contract')).toBeVisible()
  await expect(page).toHaveURL(/staff-contracts\/[0-9a-f]{24}(\?|$)/)
  const id = new URL(page.url()).pathname.slice(-24)

  // Every figure opens its derivation.
  await page.getByRole('link', { name: 'Cost view' }).click()
  await expect(page.locator('tr[class*="_total_"] td').last()).toBeVisible()
  await page.getByRole('button', { name: 'Employer NI, January of 2026/27: why' }).click()
  await expect(page.getByRole('region', { name: /^How Employer NI in January of 2026\/27 is calculated: / })).toContainText(
    'To the penny, halves down',
  )

  // A shared setting changes: the product asks to recalculate the whole group, and does it in the background.
  await page.goto('/console/staffing/contract-types')
  await page.getByRole('gridcell', { name: 'Teacher', exact: true }).first().click()
  await page.getByLabel('Increment month').fill('1')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Contract type')).toBeVisible()
  const recalculate = page.getByRole('button', { name: /^Recalculate \d budgets$/ })
  await expect(recalculate).toBeVisible()
  await recalculate.click()
  await expect(page.getByText('Budget Group recalculated')).toBeVisible({ timeout: patience * 30_000 })
  await expect(page.getByText('Costs up to date')).toBeVisible()
  await page.screenshot({ path: 'test-results/purpose-recalculated.png' })

  const cookies = await page.context().cookies()
  const budget = cookies.find((cookie) => cookie.name === 'BudgetId')!.value
  const replay = JSON.parse(runAudit('replay', '--budget', budget, '--json'))
  expect(replay.findings).toEqual([])
  expect(replay.compared).toBe(true)
  // The screen’s total over all contracts equals the replay’s. The levy is not part of a contract’s cost.
  await page.goto('/staffing/costs')
  const rows = page.locator('table[class*="_table_"] tbody tr:not([class*="_total_"])')
  await expect(rows.first()).toBeVisible()
  const shown = await rows.evaluateAll((all) =>
    all
      .filter((row) => !row.querySelector('th')!.textContent.includes('levy'))
      .map((row) => Number(row.querySelector('td button')!.textContent.replace(/[£,.]/g, ''))),
  )
  expect(shown.reduce((sum, pennies) => sum + pennies, 0)).toBe(replay.last.years[0])
  expect(id).toMatch(/^[0-9a-f]{24}$/)
})

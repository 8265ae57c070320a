import { expect, type Page, test } from '@playwright/test'
import { findTrustIds, signInAs } from '../../support/product/http.ts'
import { patience } from '../../support/product/patience.ts'
import { product } from '../products.ts'
import { choose, signInByForm } from '../support.ts'

/**
 * The five most common tasks as a user of a screen reader does them: elements found by role and name alone, keyboard input, and live
 * regions. The help page `drizzle/help/accessibility.html` describes the same steps.
 */

/** Waits until a live region has these words, which a screen reader would read out. */
async function hears(page: Page, words: string | RegExp): Promise<void> {
  await expect(
    page.locator('[role="status"], [role="alert"], [aria-live="polite"], [aria-live="assertive"]').filter({ hasText: words }).first(),
  ).toBeVisible()
}

const mark = String(Date.now() % 1e6)

test('the five most common tasks are done by roles and names alone, and events are announced', async ({ page }) => {
  test.setTimeout(patience * 180_000)
  // A new budget in a new group, recalculated: other journeys change the inputs of costs, and a budget with outdated costs cannot be
  // submitted.
  const name = `Spoken ${mark}`
  const finance = await signInAs(product, 'finance@harbour.example')
  const places = await findTrustIds(finance)
  const own = { OrganisationId: places.organisationId }
  const made = await finance.call('POST', `/api/Budget/duplicate/${places.at('Beacon').BudgetId}`, { name }, own)
  const group = await finance.call('POST', '/api/BudgetGroup/create', { name, items: [{ budgetId: made.body.mongoId }] }, own)
  const begun = await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${group.body.id}`, undefined, own)
  expect([made.status, group.status, begun.status]).toEqual([201, 201, 202])

  await test.step('sign in and find the budget', async () => {
    await signInByForm(page, 'finance@harbour.example')
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    await expect(page.getByRole('main')).toBeVisible()
    await choose(page, 'Location', 'The Beacon School')
    await choose(page, 'Budget', name)
    await expect(page.getByRole('banner').getByRole('button', { name: `Budget: ${name}` })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  await test.step('change a contract', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('Staff contracts')
    await expect(
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^Staff contracts/ })
        .first(),
    ).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Staff contracts' })).toBeVisible()
    const grid = page.getByRole('grid', { name: 'Staff contracts' })
    await grid.getByRole('columnheader').first().focus()
    await page.keyboard.press('ArrowDown')
    await expect(grid.getByRole('row').nth(1).getByRole('gridcell').first()).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Department' }).fill(`Department ${mark}`)
    await page.keyboard.press('Control+s')
    await hears(page, 'Updated Staff contract')
  })

  await test.step('add an entry', async () => {
    await page.goto('/non-staffing/budget-entries/add')
    await page.getByRole('textbox', { name: 'Description' }).fill(`Spoken entry ${mark}`)
    await page.keyboard.press('Control+s')
    // A missing value is announced at its field, and the first invalid field gets the focus.
    await expect(page.getByRole('combobox', { name: 'Budget code' })).toBeFocused()
    await expect(page.getByRole('combobox', { name: 'Budget code' })).toHaveAccessibleDescription(/required/)
    await page.getByRole('combobox', { name: 'Budget code' }).fill('4300')
    await page.getByRole('option', { name: /^4300/ }).click()
    await page.keyboard.press('Control+s')
    await expect(page.getByRole('textbox', { name: 'Amount', exact: true })).toBeFocused()
    await expect(page.getByRole('textbox', { name: 'Amount', exact: true })).toHaveAccessibleDescription('Amount is required.')
    await page.keyboard.type('1250')
    await page.keyboard.press('Control+s')
    await hears(page, 'Created new Budget entry')
  })

  await test.step('read budget versus actuals', async () => {
    await page.goto('/monitoring/budget-actuals')
    const table = page.getByRole('region', { name: 'Monitoring' }).getByRole('table')
    await expect(table.getByRole('columnheader', { name: /^Budget to date/ })).toBeVisible()
    const first = table.getByRole('rowheader').getByRole('button').first()
    await first.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await expect(first).toBeFocused()
    const name = (await first.textContent()) ?? ''
    await page.keyboard.press('Enter')
    const lines = page.getByRole('dialog')
    await expect(lines).toBeVisible()
    await expect(lines).toHaveAccessibleName(/./)
    await expect(lines.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(table.getByRole('button', { name }).first()).toBeFocused()
  })

  await test.step('approve', async () => {
    await page.goto('/overview/approval')
    const submit = page.getByRole('button', { name: 'Submit for approval' })
    // Pressing a disabled button does nothing, so wait for the recalculation.
    await expect(submit).toBeEnabled({ timeout: patience * 60_000 })
    await submit.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Submit for approval' })
    // Wait until the focus is in the dialog, as a user does who listens to its title.
    await expect(dialog).toBeVisible()
    await expect(dialog.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(submit).toBeFocused()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Submit for approval' }).press('Enter')
    await hears(page, 'Saved')
    // The button that opened the dialog no longer exists: the focus goes to the heading of the page, not to the top of the document.
    await expect(page.getByRole('heading', { level: 1, name: 'Approval' })).toBeFocused()
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('Submitted by Ruth Mensah')
    await page.getByRole('button', { name: 'Return', exact: true }).press('Enter')
    const back = page.getByRole('dialog', { name: 'Return' })
    await back.getByRole('textbox', { name: 'What needs to change' }).fill('Heard, and sent back')
    await back.getByRole('button', { name: 'Return' }).press('Enter')
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('Returned by Ruth Mensah')
  })
})

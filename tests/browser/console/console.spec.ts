import { expect, type Page, test } from '@playwright/test'
import { createWorkbook } from '../../../server/core/workbook.ts'
import { findTrustIds, signInAs } from '../../support/product/http.ts'
import { product } from '../products.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

test('B-193 B-102 a top slice is added, changed and removed in the list, and one save stores everything', { tag: '@journey' }, async ({
  page,
}) => {
  const finance = await signInAs(product, 'finance@harbour.example')
  const own = { OrganisationId: (await findTrustIds(finance)).organisationId }
  const slices = async () => (await finance.call('POST', '/api/TopSlices/list', { pageNumber: 1, pageSize: 100 }, own)).body.rows
  const before = await slices()
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/income-and-expenditure/top-slices')
  const rows = page.getByRole('region', { name: 'Top slices' }).locator('tbody tr')
  await expect(rows).toHaveCount(5)
  await rows.nth(0).getByLabel('Value').fill('6.5')
  await rows
    .nth(1)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(page.getByText('1 row will be removed when you save')).toBeVisible()
  await page.getByRole('button', { name: 'Save 2 rows' }).click()
  await expect(page.getByText('Updated Top slices').first()).toBeVisible()
  await expect(rows).toHaveCount(4)
  await page.getByRole('button', { name: 'Add row' }).click()
  await page.getByRole('button', { name: 'Save 1 row' }).click()
  await expect(page.getByText('Location is required.')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(rows).toHaveCount(4)
  await page.reload()
  await expect(rows.nth(0).getByLabel('Value')).toHaveValue('6.5%')
  // Restore the top slices: they are in the ledgers, which other journeys compare with the budgets.
  const versions = new Map((await slices()).map((row: { id: number; version: number }) => [row.id, row.version]))
  for (const row of before) {
    const version = versions.get(row.id)
    const { status, body } = await finance.call(version ? 'PUT' : 'POST', '/api/TopSlices', { ...row, version }, own)
    expect(status, JSON.stringify(body)).toBeLessThan(300)
  }
})

test('B-192 the levy can be typed only while it is not calculated automatically', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/income-and-expenditure/apprenticeship-levy')
  await expect(page.getByText('The levy is calculated automatically')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add row' })).toHaveCount(0)
  await page.getByRole('link', { name: /Change this in the organisation/ }).click()
  await page.getByRole('tab', { name: 'Codes and levy' }).click()
  await page.getByLabel('Calculate apprenticeship levy automatically').uncheck()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Organisation')).toBeVisible()
  await visit(page, '/console/income-and-expenditure/apprenticeship-levy')
  await expect(page.getByLabel('Allowance').first()).toBeEditable()
})

test('B-179 the bars of a profile template follow what is typed', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/income-and-expenditure/profile-templates')
  await page.getByText('Term time').click()
  const shares = page.getByRole('region', { name: 'Shares of the year' })
  await expect(shares.getByText('total weight 17')).toBeVisible()
  await page.getByLabel('Period 12').fill('3')
  await expect(shares.getByText('total weight 20')).toBeVisible()
  await expect(shares.getByText('15.0%')).toBeVisible()
})

test('the uses of a code are listed, and moved to another code in one step', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/coding/budget-codes')
  await page.getByLabel('Search budget codes').fill('4360')
  await page.getByText('Catering supplies').click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(/Budget code is in use by 1 inflation rate/)).toBeVisible()
  await expect(page.getByText(/^In use by 1 inflation rate/)).toBeVisible()
  await page.getByRole('combobox', { name: 'Replace with' }).fill('4340')
  await page.getByRole('option', { name: /Insurance/ }).click()
  await page.getByRole('button', { name: 'Replace everywhere' }).click()
  await expect(page.getByText(/^Moved \d+ uses$/)).toBeVisible()
  // Actuals of past months keep the code that the ledger gave them.
  await expect(page.getByText(/^In use by \d+ actuals and commitments$/)).toBeVisible()
})

test('a user is invited, and chooses a password at the link that the administrator sees', { tag: '@journey' }, async ({
  page,
  browser,
}) => {
  await signIn(page, 'admin@bursar.example', '/administrator/users/add')
  const email = `person${Date.now() % 1e6}@harbour.example`
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Forename').fill('Ada')
  await page.getByLabel('Surname').fill('Byron')
  await page.getByRole('button', { name: 'Add organisation' }).click()
  await page.getByRole('combobox', { name: 'Organisation to add' }).click()
  await page.getByRole('option', { name: 'Harbour Learning Trust' }).click()
  await page.getByRole('combobox', { name: 'User groups' }).click()
  await page.getByRole('option', { name: 'Governor' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new User')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ada Byron' })).toBeVisible()
  await page.getByRole('button', { name: 'Invite' }).click()
  const link = await page.getByLabel('One-time link').inputValue()
  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await other.getByLabel('Password, at least 12 characters').fill('A long enough password')
  await other.getByLabel('Repeat the password').fill('A long enough password')
  await other.getByRole('button', { name: 'Save password' }).click()
  await other.getByLabel('Email').fill(email)
  await other.getByLabel('Password').fill('A long enough password')
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByRole('heading', { name: /Ada$/ })).toBeVisible()
  await other.context().close()
  // The list of users with their last sign-in fits on the screen without horizontal scrolling.
  await visit(page, '/administrator/users')
  const list = page.getByRole('grid', { name: 'Users' })
  await expect(list.getByRole('columnheader', { name: 'Last sign in' })).toBeVisible()
  await expect.poll(() => list.evaluate((table) => table.scrollWidth - table.parentElement!.clientWidth)).toBeLessThanOrEqual(0)
})

test('a finance lead adds a user in the console, and the invitation is the next step', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/general/users')
  await page.getByRole('button', { name: 'Add user' }).click()
  const form = page.getByRole('dialog', { name: 'Add user' })
  await expect(form.getByRole('textbox', { name: 'Email' })).toBeFocused()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('User group is required.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Email' }).fill(`clerk${Date.now() % 1e6}@harbour.example`)
  await form.getByRole('textbox', { name: 'Forename' }).fill('Grace')
  await form.getByRole('textbox', { name: 'Surname' }).fill('Murray')
  await form.getByRole('combobox', { name: 'User groups' }).click()
  await page.getByRole('option', { name: 'Governor' }).click()
  expect(await breaches(page)).toEqual([])
  await form.getByRole('textbox', { name: 'Surname' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Grace Murray' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Invite' })).toBeVisible()
})

test('B-254 B-253 the banner of a flash message follows what is typed, and shows on every screen', async ({ page, browser }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/messaging/flash-messages')
  await page.locator('tr[data-index]').getByText('Budgets to governors').click()
  await page.getByLabel('Title').fill('Governors meet in March')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText('Information: Governors meet in March')).toBeVisible()
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Warning' }).click()
  await expect(preview.getByText('Warning: Governors meet in March')).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).fill('Bring the budget')
  await expect(preview.getByText('Bring the budget')).toBeVisible()
  await page.getByRole('button', { name: 'Expires' }).click()
  await expect(page.getByRole('button', { name: 'Next month' })).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Flash message')).toBeVisible()
  // Only the banner has a close button; the preview has none.
  const bannerOn = (tab: Page) =>
    tab.getByRole('status').filter({ has: tab.getByRole('button', { name: 'Close the message Governors meet in March' }) })
  await expect(bannerOn(page)).toContainText('Bring the budget')

  // The message is large once. After more than a glance it takes one line on the next page, even after a full page load.
  await page.waitForTimeout(1100)
  await page.goto('/console/coding/fund-codes')
  await expect(bannerOn(page)).toBeVisible()
  await expect(bannerOn(page)).not.toContainText('Bring the budget')
  await page.getByRole('button', { name: 'Warning: Governors meet in March' }).click()
  await expect(bannerOn(page)).toContainText('Bring the budget')
  expect(await breaches(page)).toEqual([])

  // The same holds for a second tab, while the page that is still open keeps the message large.
  const other = await browser.newContext()
  const open = await other.newPage()
  await signIn(open, 'finance@harbour.example', '/console/coding/fund-codes')
  await expect(bannerOn(open)).toContainText('Bring the budget')
  await open.waitForTimeout(4500)
  const next = await other.newPage()
  await next.goto('/console/coding/fund-codes')
  await expect(bannerOn(next)).toBeVisible()
  await expect(bannerOn(next)).not.toContainText('Bring the budget')
  await expect(bannerOn(open)).toContainText('Bring the budget')
  await other.close()
})

test('B-037 a reminder of one’s own is added on the home page, in its month', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example')
  const card = page.getByRole('region', { name: 'Reminders' })
  await card.getByRole('button', { name: 'Next month' }).click()
  await card.getByRole('button', { name: 'Add reminder' }).click()
  await page.getByRole('dialog').getByLabel('Description').fill('Order the minibus')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Created new Reminder')).toBeVisible()
  await expect(card.getByText('Order the minibus')).toBeVisible()
  await card.getByRole('button', { name: 'Previous month' }).click()
  await expect(card.getByText('Order the minibus')).toHaveCount(0)
})

test('B-038 a help article opens at its address, and a missing one is reported as missing', async ({ page }) => {
  await signIn(page, 'governor@harbour.example', '/assist/first-budget')
  await expect(page.getByRole('heading', { name: 'Your first budget' })).toBeVisible()
  await visit(page, '/assist/nothing-here')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('the permissions of a user group are shown as a table', async ({ page }) => {
  await signIn(page, 'admin@bursar.example', '/administrator/user-groups')
  await page.getByText('Auditor', { exact: true }).click()
  const table = page.getByRole('table', { name: 'Budgeting permissions' })
  await expect(table.getByLabel('Staffing: read', { exact: true })).toBeChecked()
  await expect(table.getByLabel('Staffing: read and update', { exact: true })).not.toBeChecked()
  await table.getByLabel('Staffing: read and update', { exact: true }).check()
  await expect(table.getByLabel('Staffing: read', { exact: true })).toBeDisabled()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(table.getByLabel('Staffing: read and update', { exact: true })).not.toBeChecked()
})

test('B-111 B-112 bulk edit changes the ticked fields of the selected rows', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/staffing/service-terms/bulk')
  await expect(page).toHaveURL(/service-terms(\?|$)/)
  await page.getByRole('checkbox', { name: 'Select row' }).first().check()
  await page.getByRole('checkbox', { name: 'Select row' }).nth(1).check()
  await page.getByRole('button', { name: 'Bulk edit' }).click()
  await page.getByLabel('Change Description').check()
  await page.getByLabel('Description', { exact: true }).fill('Changed together')
  await page.getByRole('button', { name: 'Change 1 field' }).click()
  await expect(page.getByText('Updated Payroll codes')).toBeVisible()
  await expect(page.getByText('Changed together')).toHaveCount(2)
})

test('B-189 B-190 national tables are read-only in the console, and show where their figures come from', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/admin-tables/teacher-pay-scales')
  await expect(page.getByText('67 pay scale points')).toBeVisible()
  await expect(page.getByText(/^In force\. Source: DfE Calculate teacher pay/)).toBeVisible()
  for (const name of ['Import', 'Add pay scale point', 'Delete']) await expect(page.getByRole('button', { name })).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: 'Select row' })).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Table' }).click()
  await page.getByRole('option', { name: 'Teachers Sept 2027' }).click()
  await expect(page.getByText(/^Announced \(3\.0 %\), not yet in law/)).toBeVisible()
  await visit(page, '/console/staffing/custom-pay-scales')
  await expect(page.getByRole('button', { name: /^Add/ }).first()).toBeVisible()
})

test('B-145 B-134 B-139 custom codes are imported with the template; a workbook of another system is corrected in the import', async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/coding/fund-codes')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Template as CSV' })).toBeVisible()
  expect(await breaches(page, '[role=dialog]')).toEqual([])
  const plain = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Template as CSV' }).click()
  expect((await plain).suggestedFilename()).toBe('Fund codes template.csv')
  const made = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Template for Excel' }).click()
  expect((await made).suggestedFilename()).toBe('Fund codes template.xlsx')
  await dialog.locator('input[type=file]').setInputFiles(await (await made).path())
  await expect(dialog.getByText('The file has no rows.')).toBeVisible()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'funds.csv', mimeType: 'text/csv', buffer: Buffer.from('Code,Meaning,Meaning\nZ1,a,b\n') })
  await expect(dialog.getByText('Missing: Description.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Choose another file' }).click()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'funds.csv', mimeType: 'text/csv', buffer: Buffer.from('Code,Description\nZ1,\n') })
  await dialog.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(dialog.getByText('1 of 1 row has a problem. Nothing was imported.')).toBeVisible()
  await expect(dialog.getByRole('row', { name: /Description is required\./ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Choose another file' }).click()

  // A workbook of another system: title rows above, other headings, a total row below, invalid cells.
  const text = (title: string) => ({ title, kind: 'text' as const })
  const rows = [
    ['Z1', 'One', 'Nowhere'],
    ['Z2', '', 'Nowhere'],
    ['Z3', 'Three', 'Nowhere'],
    ['Total', null, null],
  ].map((cells) => ({ cells }))
  const about = ['Funds of the ledger', 'November 2026']
  // The product remembers which column a heading stands for, so each run uses a new heading.
  const heading = `Fund ${Date.now()}`
  const { body } = await createWorkbook('funds', [
    { name: 'Funds', about, columns: [text('Nominal code'), text(heading), text('School')], rows },
  ])
  await dialog.locator('input[type=file]').setInputFiles({ name: 'funds.xlsx', mimeType: 'application/octet-stream', buffer: body })
  await expect(dialog.getByText('3 rows, 2 of 3 columns used. Row 7 is a total and is left out.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Import 3 rows' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: `What ${heading} contains` }).click()
  await page.getByRole('option', { name: 'Description', exact: true }).click()
  expect(await breaches(page, '[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(dialog.getByText('3 of 3 rows have problems. Nothing was imported.')).toBeVisible()
  const cell = (name: string) => dialog.getByRole('combobox', { name, exact: true })
  await cell('Description of row 5').fill('Two')
  await cell('Locations of rows 4, 5, 6').fill('Northgate Primary School')
  await dialog.getByRole('button', { name: 'One by one' }).click()
  await expect(cell('Locations of row 6')).toHaveValue('Northgate Primary School')
  expect(await breaches(page, '[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: 'Import again' }).click()
  await expect(dialog.getByText('3 rows imported: 3 new, 0 changed, 0 unchanged.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()

  // A row with a problem can be left out, and included again, by keyboard.
  await page.getByRole('button', { name: 'Import' }).click()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'left.csv', mimeType: 'text/csv', buffer: Buffer.from('Code,Description\nZ4,Four\nZ5,\nZ6,\n') })
  await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
  await dialog
    .getByRole('row')
    .filter({ has: page.getByRole('combobox', { name: 'Description of row 3' }) })
    .getByRole('button', { name: 'Leave out this row' })
    .press('Enter')
  await expect(dialog.getByText('You left 1 row out on purpose')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Description of row 3' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Include row 3' }).press('Enter')
  await dialog
    .getByRole('row')
    .filter({ has: page.getByRole('combobox', { name: 'Description of row 4' }) })
    .getByRole('button', { name: 'Leave out this row' })
    .press('Enter')
  await cell('Description of row 3').fill('Five')
  expect(await breaches(page, '[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: 'Import again' }).click()
  await expect(dialog.getByText('2 rows imported: 2 new, 0 changed, 0 unchanged. 1 row left out on purpose (4).')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()

  // The next file of that system is read in the same way.
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByText(/: 1 row of left\.csv \(4\)$/)).toBeVisible()
  await dialog.locator('input[type=file]').setInputFiles({ name: 'again.xlsx', mimeType: 'application/octet-stream', buffer: body })
  await expect(dialog.getByText('3 rows, 3 of 3 columns used. Row 7 is a total and is left out.')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: `What ${heading} contains` })).toHaveValue('Description')
  await page.keyboard.press('Escape')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as' }).click()
  await page.getByRole('menuitem', { name: 'Excel workbook' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^Fund codes.*\.xlsx$/)
})

test('B-103 a picker finds by code and description, shows both, and opens a quick view', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/coding/student-groups/add')
  const picker = page.getByRole('combobox', { name: 'Budget code' })
  await picker.fill('pupil prem')
  await page.getByRole('option', { name: /1020 Pupil premium/ }).click()
  await expect(picker).toHaveValue('1020 · Pupil premium')
  await picker.press('Alt+Enter')
  const view = page.getByRole('dialog', { name: 'Budget code' })
  await expect(view.getByText('GAG code')).toHaveCount(0)
  await expect(view.getByText('Income')).toBeVisible()
  await expect(view.getByRole('link', { name: 'Open' })).toBeVisible()
})

test('B-057 typing in a list inside a record is not lost by leaving its tab or the screen', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/staffing/assumptions')
  await page.getByText('Central case').click()
  await page.getByRole('tab', { name: 'Employer pension rates' }).click()
  const field = page.getByRole('textbox', { name: 'Rate' }).first()
  // Differs from the present value, even after an earlier run.
  const rate = String((Math.floor(Number.parseFloat(await field.inputValue())) % 60) + 1)
  await field.fill(rate)
  await page.getByRole('tab', { name: 'Details' }).click()
  const question = page.getByRole('dialog', { name: 'Review Changes' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(field).toHaveValue(`${rate}%`)
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Coding', exact: true }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/assumptions\/\d+(\?|$)/)
  await page.getByRole('button', { name: 'Save 1 row' }).click()
  await expect(page.getByText('Updated Employer pension rate')).toBeVisible()
  await page.getByRole('tab', { name: 'Details' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible()
})

test('budget groups that cannot be loaded say so, and appear once they can', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.route(/\/trpc\/[^?]*groups\.list/, (route) => route.abort())
  await visit(page, '/console/budget-management/groups')
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
  await page.unroute(/\/trpc\/[^?]*groups\.list/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Recalculate' }).first()).toBeVisible()
})

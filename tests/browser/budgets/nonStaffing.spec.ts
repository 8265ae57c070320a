import { expect, type Page, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, createGate, signIn, visit } from '../support.ts'

/** Pastes text into the focused cell, as Ctrl V from a spreadsheet does. */
async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((data) => {
    const transfer = new DataTransfer()
    transfer.setData('text/plain', data)
    document.activeElement!.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }))
  }, text)
}

const cell = (page: Page, row: number, column: string) =>
  page.locator(`[class*="_sheet_"] .ag-row[row-index="${row}"] [col-id="${column}"]`)
const total = (page: Page, index: number, column: string) =>
  page.locator(`[class*="_sheet_"] .ag-row[class*="_sum_"] [col-id="${column}"]`).nth(index)
const pounds = (pennies: number): string => {
  const digits = String(Math.abs(pennies)).padStart(3, '0')
  return `${pennies < 0 ? '−' : ''}${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}
const wholePounds = (pennies: number): string => `£${String(Math.round(pennies / 100)).replace(/\B(?=(\d{3})+$)/g, ',')}`

test('a new school’s budget is built from scratch, and the overview balances to figures calculated independently', {
  tag: '@journey',
}, async ({ page }) => {
  test.setTimeout(patience * 180_000)
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'St Anne’s Primary School')
  // An empty budget, made through the screens.
  await visit(page, '/console/budget-management/create')
  const name = `New school ${Date.now() % 1e6}`
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Name').fill(name)
  for (let step = 2; step < 5; step++) await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Create 1 budget' }).click()
  await expect(page.getByText('Created new Budget')).toBeVisible()
  await choose(page, 'Budget', name)

  // Pupils: the previous October and the intakes are pasted, and the other year groups roll up.
  await visit(page, '/non-staffing/pupil-numbers')
  await page.getByRole('button', { name: 'Infant: Reception to Year 2' }).click()
  await page.getByLabel('Reception, October 2025').focus()
  await pasteText(page, '60\t58\t61\t59\t60\t60\n59\n61')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const rolled = [180, 177, 179, 178, 180]
  await expect(page.getByRole('row', { name: /^All pupils/ })).toContainText(rolled.join(''))

  // Funding: basic entitlement and lump sum of NFF 2025/26, raised by 2 % a year, are added to the grant.
  await visit(page, '/non-staffing/funding-predictor')
  await page.getByRole('button', { name: 'Add prediction' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Version of the rates').click()
  await page.getByRole('option', { name: /NFF 2025\/26/ }).click()
  await dialog.getByLabel('Income code for the result').click()
  await page.getByRole('option', { name: /^1000/ }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Created new Funding prediction')).toBeVisible()
  for (const year of ['2026/27', '2027/28', '2028/29', '2029/30', '2030/31'])
    await page.getByLabel(`Increase in the rates ${year}`).fill('2')
  // Each year shows its own rate. The description of a group looks like text until the pointer is over it.
  const entitlement = page.getByRole('row', { name: /^Basic entitlement: primary/ })
  await expect(entitlement.getByText(/^× /)).toHaveText(['× 3,923.94', '× 4,002.42', '× 4,082.47', '× 4,164.12', '× 4,247.40'])
  await expect(page.getByLabel('Description of row 1', { exact: true })).toHaveCSS('border-top-color', 'rgba(0, 0, 0, 0)')
  await page.getByRole('button', { name: 'Save and add to the budget' }).click()
  await expect(page.getByText('In the budget')).toBeVisible()
  const grant = rolled.map((pupils, year) => {
    const factor = 1.02 ** (year + 1)
    const basic = pupils * Math.round(384_700 * factor)
    const lump = Math.round(14_510_000 * factor)
    const minimum = pupils * Math.round(495_500 * factor)
    return Math.max(basic + lump, minimum)
  })

  // Entries by paste: the changes are shown before they are made, and rows with problems are named.
  await visit(page, '/non-staffing/budget-entries')
  await expect(page.locator('[class*="_sheet_"] .ag-row').first()).toBeVisible()
  // On systems whose scrollbars lie over the content, the grid must not add one of its own that covers rows.
  await expect(page.locator('.ag-body-horizontal-scroll.ag-scrollbar-invisible')).toBeHidden()
  await page.locator('[class*="_sheet_"] .ag-row[class*="_draft_"] [col-id="description"]').first().click()
  await pasteText(page, 'Lettings\t1110\t\t\t\t12,000\nHeating\t4240\tSITE\tGEN 100\tWinter\t30000\nBooks\t9999\t\t\t\t500')
  await expect(dialog.getByText('2 new entries are added.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Paste the 2 valid rows' })).toBeEnabled()
  // The rows with problems come first and are corrected there, with the other cells of the row visible.
  const wrong = dialog.getByRole('row').nth(1)
  await expect(wrong).toContainText('No budget code matches “9999”.')
  await expect(wrong).toContainText('Books')
  await expect(wrong.getByText('500.00')).toBeInViewport()
  await wrong.getByLabel('Budget code, pasted row 3').click()
  await page.getByRole('option', { name: /^4300/ }).click()
  await expect(dialog.getByText('3 new entries are added.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Paste', exact: true }).click()
  await expect(page.getByText('Updated Budget entries')).toBeVisible()
  await expect(cell(page, 2, 'description')).toHaveText('Heating')
  // Gas rises by 3, 2.5, 2.5, 2.5 %; books by 2.2, 2, 2, 2 %.
  const heating = [3_000_000, 3_090_000, 3_167_250, 3_246_431, 3_327_592]
  const books = [50_000, 51_100, 52_122, 53_164, 54_228]
  await expect(cell(page, 2, 'year4')).toHaveText(pounds(heating[4]!))
  // Totals are in whole pounds, and their title has the pence.
  await expect(total(page, 1, 'year4')).toHaveText(wholePounds(heating[4]! + books[4]!).replace('£', ''))
  await expect(total(page, 1, 'year4').getByTitle(`£${pounds(heating[4]! + books[4]!)}`)).toBeVisible()

  // A cell takes typed text as a spreadsheet does. Undo restores it, and an invalid value stays for correction.
  await cell(page, 3, 'year0').click()
  await page.keyboard.type('7o0')
  expect(await breaches(page, '[class*="_sheet_"]')).toEqual([])
  await page.keyboard.press('Enter')
  // A screen reader hears the message as well.
  await expect(page.getByRole('alert').filter({ hasText: 'Enter pounds, such as 1,250 or 1250.50.' })).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('700')
  await page.keyboard.press('Enter')
  await expect(cell(page, 3, 'year1')).toHaveText('715.40')
  await page.keyboard.press('Control+z')
  await expect(cell(page, 3, 'year1')).toHaveText(pounds(books[1]!))

  // A calculation from a template.
  await visit(page, '/non-staffing/ie-calculator')
  await page.getByRole('button', { name: 'From a template' }).click()
  await page.getByRole('menuitem', { name: /School trip/ }).click()
  await page.getByRole('combobox', { name: 'Budget code' }).click()
  await page.getByRole('option', { name: /^4330/ }).click()
  await page.getByLabel('Criteria, row 1').fill('40')
  await page.getByLabel('Amount, row 2').fill('25')
  await page.getByLabel('Criteria, row 3').fill('4')
  await page.getByLabel('Amount, row 4').fill('30.5')
  await page.getByLabel('Fixed input, row 7').fill('480')
  await page.getByRole('button', { name: 'Save and add to the budget' }).click()
  await expect(page.getByText('In the budget')).toBeVisible()
  const trip = [0, 1, 2, 3, 4].map(
    (year) => Math.round((100_000 * 1025 ** year) / 1000 ** year) + Math.round((12_200 * 1025 ** year) / 1000 ** year) + 48_000,
  )

  // The income of the school.
  await page.goto('/overview/opening-balances/add')
  await page.getByLabel('Description').fill('Revenue brought forward')
  await page.getByLabel('Value').fill('5000')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Opening balance')).toBeVisible()

  await visit(page, '/overview/summary')
  const income = grant.map((one) => one + 1_200_000)
  const costs = heating.map((one, year) => one + books[year]! + trip[year]!)
  const tiles = page.locator('[class*="_tile_"] strong')
  await expect(tiles.nth(0)).toHaveText(wholePounds(income[0]!))
  // The school is in no budget group, so its top slice is not calculated, and the totals that include it say so.
  await expect(tiles.nth(2)).toHaveText(`${wholePounds(costs[0]!)}*`)
  let balance = 500_000
  const shown = page.getByRole('row', { name: /^Closing balance/ }).getByRole('cell')
  for (const [year, one] of income.entries()) {
    balance += one - costs[year]!
    await expect(shown.nth(year).locator('span').first()).toHaveAttribute(
      'title',
      `${pounds(balance)}, ${12 * (year + 1)} monthly figures not calculated`,
    )
  }
  // Every figure opens its breakdown, down to the entry.
  await page.getByText('CFR', { exact: true }).click()
  await page.getByRole('button', { name: /E16 Energy/ }).click()
  await page.getByRole('button', { name: /4240 Energy/ }).click()
  await page.getByRole('link', { name: 'Heating' }).click()
  await expect(page.getByRole('heading', { name: 'Heating' })).toBeVisible()
  expect(await breaches(page)).toEqual([])
})

test('an entry opens from its own row, and cells of one row typed one after the other are all saved', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/non-staffing/budget-entries')
  const third = (await cell(page, 2, 'description').textContent())!
  await cell(page, 2, 'description').click()
  await page.keyboard.press('Alt+Enter')
  await expect(page.getByRole('heading', { name: third })).toBeVisible()
  await visit(page, '/non-staffing/budget-entries')
  await page.getByRole('button', { name: `Open ${third}` }).click()
  await expect(page.getByRole('heading', { name: third })).toBeVisible()
  await visit(page, '/non-staffing/budget-entries')
  // The first reply is held back until both cells are typed.
  const typed = createGate()
  await page.route(/entries\.change/, async (route) => {
    await typed.until
    await route.continue()
  })
  for (const [column, amount] of [
    ['year1', '4321'],
    ['year2', '8765'],
  ] as const) {
    await cell(page, 2, column).dblclick()
    await page.locator('[class*="_cellInput_"]').fill(amount)
    await page.keyboard.press('Tab')
  }
  typed.go()
  await expect(page.getByText('Saving…')).toHaveCount(0)
  await page.reload()
  await expect(cell(page, 2, 'year1')).toHaveText('4,321.00')
  await expect(cell(page, 2, 'year2')).toHaveText('8,765.00')
  // A refused change returns to the old value, and one click sends it again.
  await page.unroute(/entries\.change/)
  await page.route(/entries\.change/, (route) => route.fulfill({ status: 500, body: '' }))
  await cell(page, 2, 'year1').dblclick()
  await page.locator('[class*="_cellInput_"]').fill('1234')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect(page.getByText(`${third}: The server cannot be reached.`)).toBeVisible()
  await expect(cell(page, 2, 'year1')).toHaveText('4,321.00')
  await page.unroute(/entries\.change/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(cell(page, 2, 'year1')).toHaveText('1,234.00')
  await expect(page.getByText('Saving…')).toHaveCount(0)
  await page.reload()
  await expect(cell(page, 2, 'year1')).toHaveText('1,234.00')
})

test('the sheet is one stop of the Tab key, and during typing Tab moves from cell to cell and back', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/non-staffing/budget-entries')
  const at = () =>
    page.evaluate(() => {
      const focused = document.activeElement
      return {
        isInside: Boolean(focused?.closest('[role="treegrid"], [role="grid"]')),
        column: focused?.closest('[col-id]')?.getAttribute('col-id'),
      }
    })
  await cell(page, 2, 'year1').click()
  await page.keyboard.press('Tab')
  expect(await at()).toMatchObject({ isInside: false })
  await page.keyboard.press('Shift+Tab')
  expect(await at()).toMatchObject({ isInside: true })
  await cell(page, 2, 'year1').dblclick()
  for (const [key, column] of [
    ['Tab', 'year2'],
    ['Tab', 'year3'],
    ['Shift+Tab', 'year2'],
    ['Shift+Tab', 'year1'],
  ] as const) {
    await page.keyboard.press(key)
    expect(await at()).toEqual({ isInside: true, column })
    await expect(cell(page, 2, column).locator('input')).toBeFocused()
  }
  await page.keyboard.press('Escape')
})

test('the cell of the sheet that another user is in is marked, and the mark follows that user', async ({ browser, page }) => {
  await signIn(page, 'northgate@harbour.example', '/non-staffing/budget-entries')
  const code = cell(page, 1, 'budgetCodeId')
  await expect(code).toBeVisible()
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'finance@harbour.example')
  await choose(other, 'Location', 'Northgate Primary School')
  await visit(other, '/non-staffing/budget-entries')
  await cell(other, 1, 'budgetCodeId').click()
  await expect(code).toHaveAttribute('aria-description', 'Ruth Mensah is here')
  await expect(page.locator('[data-present]')).toHaveCount(1)
  expect(await breaches(page)).toEqual([])
  await other.keyboard.press('ArrowDown')
  await expect(cell(page, 2, 'budgetCodeId')).toHaveAttribute('data-present', 'RM')
  await expect(code).not.toHaveAttribute('data-present')
  await visit(other, '/overview/summary')
  await expect(page.locator('[data-present]')).toHaveCount(0)
  await other.context().close()
})

test('a calculation that cannot be posted to the budget is saved all the same, and its rows are moved by keyboard', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/non-staffing/ie-calculator')
  await page.getByRole('button', { name: 'From a template' }).click()
  await page.getByRole('menuitem', { name: /School trip/ }).click()
  const name = `Trip ${Date.now()}`
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('combobox', { name: 'Budget code' }).click()
  await page.getByRole('option', { name: /^4330/ }).click()
  await page.getByLabel('Amount, row 2').fill('25')
  await page.getByLabel('Criteria, row 3').fill('4')
  await page.getByLabel('Amount, row 4').fill('30.5')
  await page.getByLabel('Fixed input, row 7').fill('480')
  const moved = page.getByLabel('Criteria, row 1')
  await moved.fill('40')
  await moved.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByLabel('Criteria, row 3')).toHaveValue('40')
  await expect(page.getByLabel('Criteria, row 3')).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByLabel('Criteria, row 1')).toBeFocused()
  await page.route('**/calculations.process?*', (route) => route.abort())
  await page.getByRole('button', { name: 'Save and add to the budget' }).click()
  await expect(page).toHaveURL(/ie-calculator\/[0-9a-f]{24}(\?|$)/)
  await page.reload()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByText('In the budget')).toHaveCount(0)
})

test('B-268 B-158 a user who may only read sees the figures and no way to change them', { tag: '@journey' }, async ({ page }) => {
  await signIn(page, 'governor@harbour.example', '/non-staffing/budget-entries')
  await expect(page.locator('[class*="_sheet_"] .ag-row').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import' })).toHaveCount(0)
  await expect(page.locator('[class*="_sheet_"] input[type=checkbox]')).toHaveCount(0)
  await cell(page, 0, 'year0').dblclick()
  await expect(page.locator('[class*="_cellInput_"]')).toHaveCount(0)
  await visit(page, '/non-staffing/budget-entries/add')
  await expect(page.getByRole('heading', { name: 'Not allowed' })).toBeVisible()
})

test('B-163 B-164 B-165 a location gives codes alternative descriptions, and shows its details read-only', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/overview/coding')
  const own = page.getByLabel('Alternative description of 1000')
  await own.fill('Grant from the department')
  await own.press('Enter')
  await expect(page.getByText('Updated Budget code')).toBeVisible()
  await visit(page, '/overview/summary')
  await page.getByRole('button', { name: /^510100/ }).click()
  await expect(page.getByRole('button', { name: /1000 Grant from the department/ })).toBeVisible()
  await visit(page, '/overview/coding')
  await page.getByLabel('Alternative description of 1000').fill('')
  await page.getByLabel('Alternative description of 1000').press('Enter')
  await visit(page, '/overview/coding?of=cost-centres')
  await page.locator('tr[data-index]').first().locator('[data-column=code]').click()
  await page.getByLabel('Alternative description').fill('The kitchen')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Cost centre')).toBeVisible()
  await page.getByLabel('Alternative description').fill('')
  await page.keyboard.press('Control+s')
  await visit(page, '/overview/location')
  await expect(page.getByRole('heading', { name: 'Northgate Primary School' })).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
})

import { expect, type Page, test } from '@playwright/test'
import { breaches, choose, createGate, signIn, visit } from '../support.ts'

const list = '/console/coding/cost-centres'

/** Opens a list as a user who may change the records that all schools of the trust share. */
async function openForTrust(page: Page, path: string): Promise<void> {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, path)
}

test('B-113 B-117 B-118 a record is added, found and changed, and its history says who did what', { tag: '@journey' }, async ({ page }) => {
  const code = `A${Date.now() % 1e9}`
  await signIn(page, 'northgate@harbour.example', list)
  await expect(page.getByRole('heading', { name: 'Cost centres' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { name: 'Add cost centre' })).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Code is required.').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(code)
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Art and design')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Cost centre')).toBeVisible()
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Art, design and technology')
  await expect(page.getByText('Unsaved')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Cost centre')).toBeVisible()
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByRole('listitem').first()).toContainText('Sam Turner')
  await expect(page.getByRole('listitem').first()).toContainText('Art, design and technology')
})

test('rows ticked before a search has loaded apply to its results only', async ({ page }) => {
  await openForTrust(page, list)
  const rows = page.locator('tr[data-index]')
  await expect(rows.nth(1)).toBeVisible()
  const [found, lost] = await rows.locator('[data-column="code"]').allTextContents()
  const answer = createGate()
  await page.route(
    (url) => decodeURIComponent(url.href).includes(`"search":"${found}"`),
    async (route) => {
      await answer.until
      await route.continue()
    },
  )
  await page.getByRole('textbox', { name: 'Search cost centres' }).fill(found!)
  await rows.filter({ hasText: found! }).getByRole('checkbox').click()
  await rows.filter({ hasText: lost! }).getByRole('checkbox').click()
  await expect(page.getByText('2 selected')).toBeVisible()
  answer.go()
  await expect(rows.filter({ hasText: lost! })).toHaveCount(0)
  await expect(page.getByText('1 selected')).toBeVisible()
  await expect(rows.filter({ hasText: found! }).getByRole('checkbox')).toBeChecked()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Delete 1 Cost centre?')
})

test('B-102 a changed cell shows at once; if the server refuses it, the cell opens again as it was typed', async ({ page }) => {
  await openForTrust(page, list)
  const cell = page.locator('tr[data-index="1"] [data-column="description"]')
  const before = (await cell.textContent())!
  const now = `Changed ${Date.now() % 1e6}`
  const answer = createGate()
  await page.route(/costCentre\.edit/, async (route) => {
    await answer.until
    await route.fulfill({ status: 500, body: '' })
  })
  await cell.focus()
  await page.keyboard.press('F2')
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Description' })
  await field.fill(now)
  await field.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(cell).toHaveText(now)
  await expect(cell).toBeFocused()
  answer.go()
  await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
  await expect(field).toHaveValue(now)
  await expect(cell).toHaveText(before)
  await page.unroute(/costCentre\.edit/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Updated Cost centre')).toBeVisible()
  await page.reload()
  await expect(cell).toHaveText(now)
})

test('a record opens beside its list: arrow keys open the next, unsaved changes raise a question, and Esc returns to the row', async ({
  page,
}) => {
  await openForTrust(page, list)
  const rows = page.locator('tr[data-index]')
  const panel = page.getByRole('complementary', { name: 'Cost centre beside the list' })
  const code = panel.getByRole('textbox', { name: 'Code', exact: true })
  const codeOf = async (at: number) => (await rows.nth(at).locator('[data-column="code"]').textContent())!
  await rows.nth(0).getByRole('button', { name: 'Open beside the list' }).click()
  await expect(code).toHaveValue(await codeOf(0))
  await expect(rows.nth(0)).toHaveAttribute('aria-current', 'true')
  await expect(page).toHaveTitle('Cost centres - Console - Harbour Learning Trust')
  expect(await breaches(page, 'main')).toEqual([])

  await rows.nth(0).locator('[data-column="code"]').focus()
  await page.keyboard.press('ArrowDown')
  await expect(code).toHaveValue(await codeOf(1))
  await rows.nth(2).click()
  await expect(code).toHaveValue(await codeOf(2))
  // The URL includes the open record, so that it can be sent to somebody.
  await page.reload()
  await expect(code).toHaveValue(await codeOf(2))

  await rows.nth(2).locator('[data-column="code"]').focus()
  await page.keyboard.press('Enter')
  await expect(code).toBeFocused()
  const description = panel.getByRole('textbox', { name: 'Description', exact: true })
  const was = await description.inputValue()
  await description.fill('Beside')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Review Changes' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(description).toHaveValue('Beside')
  // The list shows the changes that are saved in the panel.
  for (const words of ['Beside', was]) {
    await description.fill(words)
    await page.keyboard.press('Control+s')
    await expect(rows.nth(2).locator('[data-column="description"]')).toHaveText(words)
  }
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`${list}(\\?|$)`))
  await page.keyboard.press('o')
  await expect(panel).toBeVisible()

  // On a screen too narrow for list and panel, the record is a page.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page).toHaveURL(new RegExp(`${list}/[0-9]+(\\?|$)`))
})

test('a view saved in one browser appears in another; renamed and removed there, it is gone in the first', async ({ page, browser }) => {
  await signIn(page, 'northgate@harbour.example', list)
  const rows = page.locator('tr[data-index]')
  await expect(rows.nth(2)).toBeVisible()
  const code = (await rows.nth(1).locator('[data-column="code"]').textContent())!
  const search = page.getByRole('textbox', { name: 'Search cost centres' })
  const views = page.getByRole('button', { name: 'Views' })
  await search.fill(code)
  await expect(rows).toHaveCount(1)
  await views.click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
  await page.getByRole('button', { name: 'Save this view' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeHidden()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(rows.nth(2)).toBeVisible()

  const elsewhere = await (await browser.newContext()).newPage()
  await signIn(elsewhere, 'northgate@harbour.example', list)
  await elsewhere.getByRole('button', { name: 'Views' }).press('Enter')
  const mine = elsewhere.getByRole('button', { name: 'Mine', exact: true })
  await expect(mine).toBeVisible()
  expect(await breaches(elsewhere)).toEqual([])
  await mine.press('Enter')
  await expect(elsewhere.locator('tr[data-index]')).toHaveCount(1)
  await expect(elsewhere.getByRole('textbox', { name: 'Search cost centres' })).toHaveValue(code)

  await elsewhere.getByRole('button', { name: 'Views' }).click()
  await elsewhere.getByRole('button', { name: 'Rename the view Mine' }).click()
  const renamed = elsewhere.getByRole('textbox', { name: 'New name of the view Mine' })
  await expect(renamed).toBeFocused()
  await renamed.press('Escape')
  await elsewhere.getByRole('button', { name: 'Views' }).click()
  await elsewhere.getByRole('button', { name: 'Rename the view Mine' }).click()
  await renamed.fill('One code')
  await renamed.press('Enter')
  await expect(elsewhere.getByRole('button', { name: 'One code', exact: true })).toBeVisible()

  // This menu has been opened before; it must still show the new name when it opens again.
  await views.click()
  await expect(page.getByRole('button', { name: 'One code', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mine', exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await elsewhere.getByRole('button', { name: 'Remove the view One code' }).click()
  await expect(elsewhere.getByRole('button', { name: 'One code', exact: true })).toHaveCount(0)
  await expect(elsewhere.getByText('Deleted view')).toBeVisible()
  await views.click()
  await expect(page.getByRole('button', { name: 'One code', exact: true })).toHaveCount(0)
})

test('views stored in a browser by an earlier version are copied once, and appear in another browser', async ({ page, browser }) => {
  await signIn(page, 'northgate@harbour.example', '/console/coding/fund-codes')
  await page.evaluate(() => {
    const shown = { lastSearch: { value: 'zzz' }, lastFilters: [], sort: null, sortDirection: 'asc', hiddenColumns: [] }
    // A view that no server would accept must not prevent the others from being copied.
    const odd = { ...shown, lastSearch: { value: 'z'.repeat(300) } }
    localStorage.setItem(
      'views /console/coding/fund-codes 1',
      JSON.stringify([
        { name: 'Odd', ...odd },
        { name: 'Old', ...shown },
      ]),
    )
  })
  await page.getByRole('button', { name: 'Views' }).click()
  await expect(page.getByRole('button', { name: 'Old', exact: true })).toBeVisible()
  // Once removed, the view is not copied from this browser again. Undo brings it back.
  await page.getByRole('button', { name: 'Remove the view Old' }).click()
  await expect(page.getByRole('button', { name: 'Old', exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Views' }).click()
  await expect(page.getByText('Search, filter and sort the list')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Views' }).click()
  await expect(page.getByRole('button', { name: 'Old', exact: true })).toBeVisible()

  const elsewhere = await (await browser.newContext()).newPage()
  await signIn(elsewhere, 'northgate@harbour.example', '/console/coding/fund-codes')
  await elsewhere.getByRole('button', { name: 'Views' }).click()
  await elsewhere.getByRole('button', { name: 'Old', exact: true }).click()
  await expect(elsewhere.getByRole('textbox', { name: 'Search fund codes' })).toHaveValue('zzz')
  await expect(elsewhere.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
})

test('deleted rows disappear at once, and return with the reason if the server refuses', async ({ page }) => {
  // The number of rows that fit changes while messages above the list close.
  await page.addInitScript(() => window.localStorage.setItem('pageSize', '25'))
  await openForTrust(page, '/console/coding/budget-codes')
  const rows = page.locator('tr[data-index]')
  await expect(rows.nth(2)).toBeVisible()
  const codes = () => rows.locator('[data-column="code"]').allTextContents()
  const before = await codes()
  // The code under which the demo budgets its pupil premium is in use.
  const used = rows.filter({ hasText: 'Pupil premium' }).first()
  const code = (await used.locator('[data-column="code"]').textContent())!
  const answer = createGate()
  await page.route('**/trpc/resources.budgetCode.bulkDelete**', async (route) => {
    await answer.until
    await route.continue()
  })
  await used.getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(codes).toEqual(before.filter((one) => one !== code))
  answer.go()
  await expect(page.getByText(/in use/).first()).toBeVisible()
  await expect.poll(codes).toEqual(before)
  await expect(used.getByRole('checkbox')).toBeChecked()
})

test('a page of a hundred codes comes with the names of the records they refer to, in one call', async ({ page }) => {
  const calls: string[] = []
  page.on('request', (request) => calls.push(...(request.url().split('/trpc/')[1]?.split('?')[0]?.split(',') ?? [])))
  await signIn(page, 'northgate@harbour.example', '/console/coding/budget-codes')
  await expect(page.getByRole('row').nth(5)).toContainText('Income')
  await page.waitForLoadState('networkidle')
  expect(calls.filter((call) => call.startsWith('resources.budgetCode'))).toEqual(['resources.budgetCode.list'])
  expect(calls.filter((call) => call.endsWith('.pick'))).toEqual([])
})

test('B-059 leaving with unsaved changes asks first, in the words of the product', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', `${list}/add`)
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill('X')
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Fund codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Review Changes' })
  await expect(dialog).toContainText("You've made changes. Do you want to discard changes?")
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('textbox', { name: 'Code', exact: true })).toHaveValue('X')
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Fund codes' }).click()
  await dialog.getByRole('button', { name: 'Discard Changes' }).click()
  await expect(page).toHaveURL(/fund-codes(\?|$)/)
})

test('B-119 two people edit one record: the second sees what the first changed and keeps both', async ({ browser, page }) => {
  // A cost centre of the school itself, which both users may change.
  await signIn(page, 'northgate@harbour.example', `${list}/add`)
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(`B${Date.now() % 1e9}`)
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Before')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Cost centre')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'History' })).toBeVisible()
  // An unsaved change keeps this record from being updated by the other user’s save, so that the two conflict.
  await page.getByRole('textbox', { name: 'Alternative description', exact: true }).fill('Mine')
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'finance@harbour.example')
  await choose(other, 'Location', 'Northgate Primary School')
  await other.goto(page.url())
  await other.getByRole('textbox', { name: 'Description', exact: true }).fill('Changed by the trust')
  await other.keyboard.press('Control+s')
  await expect(other.getByText('Updated Cost centre')).toBeVisible()
  await page.keyboard.press('Control+s')
  const alert = page.getByRole('alert').filter({ hasText: 'Someone else has changed this' }).first()
  await expect(alert).toContainText('Changed by the trust')
  await page.getByRole('button', { name: 'Keep my changes' }).click()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Cost centre')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Description', exact: true })).toHaveValue('Changed by the trust')
  await expect(page.getByRole('textbox', { name: 'Alternative description', exact: true })).toHaveValue('Mine')
  await other.context().close()
})

test('B-134 B-137 B-139 an import with problems shows each beside its row and saves nothing; the corrected file is imported', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', list)
  await page.getByRole('button', { name: 'Import' }).click()
  const drop = page.locator('input[type="file"]')
  await drop.setInputFiles({
    name: 'codes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('code;description\r\nIMP1;First\r\n;Without a code\r\n'),
  })
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Import/ })
    .click()
  await expect(page.getByText('1 of 2 rows has a problem. Nothing was imported.')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Code is required.' })).toBeVisible()
  await page.screenshot({ path: 'test-results/import-errors.png' })

  // An abandoned import is listed on the home page.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Home' }).click()
  const waiting = page.getByRole('region', { name: 'To do' })
  await expect(waiting.getByRole('listitem').filter({ hasText: 'Import cost centres' })).toContainText(
    'codes.csv: 1 of 2 rows has a problem. Nothing was imported.',
  )
  expect(await breaches(page, '#content')).toEqual([])
  await waiting.getByRole('link', { name: 'cost centres' }).click()
  await page.getByRole('button', { name: 'Import' }).click()
  await drop.setInputFiles({
    name: 'codes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('code;description\r\nIMP1;First\r\nIMP2;Second\r\n'),
  })
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Import/ })
    .click()
  await expect(page.getByText('Imported Cost centres')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Home' }).click()
  await expect(waiting).toBeVisible()
  await expect(waiting.getByText('Import cost centres')).toHaveCount(0)
})

test('a deleted record is restored by Ctrl Z or from the bin, and undo removes a record that was added by mistake', {
  tag: '@journey',
}, async ({ page }) => {
  const code = `U${Date.now() % 1e9}`
  await signIn(page, 'northgate@harbour.example', `${list}/add`)
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(code)
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Made to be deleted')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Cost centre')).toBeVisible()
  const remove = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Deleted Cost centre').last()).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Cost centres' })).toBeVisible()
  }
  await remove()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Saved').last()).toBeVisible()
  await page.getByPlaceholder(/^Search code/).fill(code)
  await page.getByRole('gridcell', { name: code }).click()
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByRole('listitem').first()).toContainText('restored it')
  await remove()
  await visit(page, '/console/general/bin')
  await page.getByRole('textbox', { name: 'Search the bin' }).fill(code)
  await page.getByRole('button', { name: `Restore ${code} Made to be deleted` }).click()
  await expect(page.getByText(`Restored ${code} Made to be deleted`)).toBeVisible()
  await expect(page.getByText('Nothing in the bin matches')).toBeVisible()
  await visit(page, `${list}/add`)
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(`${code}B`)
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Made by mistake')
  await page.keyboard.press('Control+s')
  await page.getByText('Created new Cost centre').locator('..').getByRole('button', { name: 'Undo' }).last().click()
  await page.getByPlaceholder(/^Search code/).fill(code)
  await expect(page.getByText('1 cost centre match')).toBeVisible()
})

test('a file that is a workbook by name only is refused with one sentence', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', list)
  await page.getByRole('button', { name: 'Import' }).click()
  await page.locator('input[type="file"]').setInputFiles({
    name: 'codes.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from('PK\u0003\u0004'),
  })
  await expect(page.getByText('This workbook is damaged.')).toBeVisible()
})

test('B-094 B-104 select all covers the rows of all pages, and bulk delete says how many', async ({ page }) => {
  await openForTrust(page, '/console/coding/analysis-tags')
  await page.getByRole('checkbox', { name: 'Select all rows on all pages' }).click()
  const total = await page
    .getByText(/of \d+$/)
    .last()
    .textContent()
  await expect(page.getByText(`${total!.match(/of (\d+)/)![1]} selected`)).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText(/Delete \d+ Analysis tags\? The bin keeps what is deleted for 30 days\./)
  await page.getByRole('button', { name: 'Cancel' }).click()
})

test('B-093 a list is filtered, and keeps its filter and page while a row is open', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/console/coding/budget-codes')
  await page.getByPlaceholder(/^Search code/).fill('teach')
  await expect(page.getByText(/match$/)).toBeVisible()
  await page.getByRole('gridcell').nth(1).click()
  await expect(page.getByRole('tab', { name: 'Details' })).toBeVisible()
  await page.goBack()
  await expect(page.getByPlaceholder(/^Search code/)).toHaveValue('teach')
})

test('the page behind a row or a menu entry starts loading while the pointer is over it', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/console/coding/budget-codes')
  const record = page.waitForRequest(/budgetCode\.get/)
  await page.getByRole('gridcell').nth(1).hover()
  await record
  const list = page.waitForRequest(/costCentre\.list/)
  await page.getByRole('navigation').getByRole('link', { name: 'Cost centres', exact: true }).hover()
  await list
  await expect(page).toHaveURL(/budget-codes/)

  await visit(page, '/overview/summary')
  for (const [name, call] of [
    ['Scenarios', /scenarios\.list/],
    ['Approval', /approval\.state/],
  ] as const) {
    const asked = page.waitForRequest(call)
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).hover()
    await asked
  }
  await expect(page).toHaveURL(/summary/)
})

test('a button shows that it is busy only after a moment, so that quick work does not flicker', async ({ page }) => {
  await openForTrust(page, '/console/coding/budget-codes')
  await page.getByRole('gridcell').nth(1).click()
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Never saved')
  const answer = createGate()
  await page.route(/budgetCode\.update/, (route) => answer.until.then(() => route.abort()), { times: 1 })
  await page.getByRole('button', { name: /^Save/ }).click()
  const loader = page.locator('button[data-loading] .mantine-Button-loader')
  await expect(loader).toBeVisible()
  expect(await loader.evaluate((one) => getComputedStyle(one).animationDelay)).toBe('0.15s')
  answer.go()
  await expect(page.getByText('The server cannot be reached.').first()).toBeVisible()
  await expect(loader).toHaveCount(0)
})

test('a list requested before a change is not shown if it arrives after the change', async ({ browser, page }) => {
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'finance@harbour.example')
  await choose(other, 'Location', 'Northgate Primary School')
  await signIn(page, 'northgate@harbour.example')
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const asked = new Promise<void>((resolve) => {
    void page.route(
      /trpc\/[^?]*resources\.costCentre\.list/,
      async (route) => {
        const old = await route.fetch()
        resolve()
        await held
        await route.fulfill({ response: old })
      },
      { times: 1 },
    )
  })
  await visit(page, list)
  await asked
  const description = `Renamed ${Date.now() % 1e6}`
  await other.goto(list)
  await other.getByRole('gridcell').nth(1).click()
  await other.getByRole('textbox', { name: 'Description', exact: true }).fill(description)
  await other.keyboard.press('Control+s')
  await expect(other.getByText('Updated Cost centre')).toBeVisible()
  await other.context().close()
  release()
  await expect(page.getByRole('gridcell', { name: description })).toBeVisible()
})

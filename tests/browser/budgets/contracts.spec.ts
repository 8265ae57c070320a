import { expect, type Request, test } from '@playwright/test'
import { breaches, choose, signIn } from '../support.ts'

test('a save is undone from its notice and by Ctrl Z', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts')
  const row = page.locator('tr[data-index="6"]')
  // On a small screen the whole cost of a contract stays visible.
  await page.setViewportSize({ width: 1024, height: 900 })
  await expect(row.locator('[data-column="cost"]')).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1440, height: 900 })
  const name = await row.locator('[data-column="name"]').textContent()
  await row.locator('[data-column="name"]').click()
  const position = page.getByLabel('Position')
  const before = await position.inputValue()
  // The heading shows the employee’s name as the list and the field do.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name!)
  // A salary row can be added from any field.
  await position.press('Insert')
  await expect(page.locator(':focus')).toHaveAttribute('aria-label', /^Effective date, row/)
  await page
    .getByRole('button', { name: /^Remove row/ })
    .last()
    .click()
  await position.fill('Changed by mistake')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Staff contract')).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(position).toHaveValue(before)
  await position.fill('Changed again')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Unsaved')).toHaveCount(0)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Control+z')
  await expect(position).toHaveValue(before)
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'undid version' }).first()).toBeVisible()
})

test('B-119 two users edit one contract: the second keeps both changes, and the cost reflects both', async ({ browser, page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts')
  await page.locator('tr[data-index="5"] [data-column="name"]').click()
  await expect(page.getByLabel('Department')).toBeVisible()
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'finance@harbour.example')
  await choose(other, 'Location', 'Northgate Primary School')
  await other.goto(page.url())
  await page.getByLabel('FTE, row 1').fill('0.35')
  const mark = `Mark ${Date.now() % 1e6}`
  await other.getByLabel('Department').fill(mark)
  await other.keyboard.press('Control+s')
  await expect(other.getByText('Updated Staff contract')).toBeVisible()
  await other.context().close()
  await expect(page.getByText('They changed: Department.')).toBeVisible()
  await page.getByRole('button', { name: 'Keep my changes' }).click()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Unsaved')).toHaveCount(0)
  await expect(page.getByLabel('Department')).toHaveValue(mark)
  await expect(page.getByLabel('FTE, row 1')).toHaveValue('0.35')
})

test('the field that another user is in is marked for everybody with the contract open, until that user moves on or leaves', async ({
  browser,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts')
  await page.locator('tr[data-index="6"] [data-column="name"]').click()
  await expect(page.getByLabel('Department')).toBeVisible()
  const mine = await page.getByLabel('Department').inputValue()
  await page.getByLabel('Department').fill('Mine')
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'finance@harbour.example')
  await choose(other, 'Location', 'Northgate Primary School')
  await other.goto(page.url())
  const marks = page.locator('[data-present]')
  const isAt = async (label: string, words: string): Promise<void> => {
    await expect(page.getByLabel(label)).toHaveAttribute('aria-description', words)
    await expect(marks).toHaveCount(1)
    await expect(marks.getByLabel(label)).toHaveCount(1)
  }
  await other.getByLabel('Position').focus()
  await isAt('Position', 'Ruth Mensah is here')
  await expect(marks).toHaveAttribute('data-present', 'RM')
  expect(await marks.evaluate((one) => getComputedStyle(one, '::after').animationName)).toBe('none')
  expect(await breaches(page)).toEqual([])
  await marks.hover()
  expect(await marks.evaluate((one) => getComputedStyle(one, '::after').content)).toContain('Ruth Mensah is here')

  await other.getByLabel('FTE, row 1').focus()
  await isAt('FTE, row 1', 'Ruth Mensah is here')
  // After the tab is rendered again the marker is back, and the unsaved input is still there.
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(marks).toHaveCount(0)
  await page.getByRole('tab').first().click()
  await isAt('FTE, row 1', 'Ruth Mensah is here')
  await expect(page.getByLabel('Department')).toHaveValue('Mine')

  await other.getByRole('heading', { level: 1 }).click()
  await expect(marks).toHaveCount(0)
  await expect(page.getByLabel('FTE, row 1')).not.toHaveAttribute('aria-description')
  await other.getByLabel('Position').focus()
  await isAt('Position', 'Ruth Mensah is here')
  await other.context().close()
  await expect(marks).toHaveCount(0)
  await page.getByLabel('Department').fill(mine)
})

test('a figure that cannot be calculated is shown as such, never as 0', { tag: '@journey' }, async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts/add')
  await page.getByRole('combobox', { name: 'Contract type' }).click()
  await page.getByRole('option', { name: 'Teacher', exact: true }).click()
  await page.getByLabel('Start date').fill('01/01/2027')
  await page.keyboard.press('Enter')
  await page.getByLabel('Effective date, row 1').fill('01/03/2027')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Scale point, row 1' }).click()
  await page.getByRole('option', { name: /^Main M1 / }).click()
  const years = page.getByRole('table', { name: 'Cost by year in pounds' })
  await expect(years.locator('[data-total="0"]')).toHaveText('not calculated')
  await expect(page.getByText('Not calculated', { exact: true })).toBeVisible()
  // A new row gets the focus, in its date.
  await page.getByLabel('FTE, row 1').press('Insert')
  await expect(page.getByLabel('Effective date, row 2')).toBeFocused()
})

test('the total cost of the ticked contracts is shown, whatever page they are on', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts')
  const rows = page.locator('tr[data-index]')
  const pennies = (text: string): number => Math.round(Number(text.replace(/[£,]/g, '')) * 100)
  let sum = 0
  for (let many = 1; many <= 2; many++) {
    const row = rows.filter({ hasText: /\d,\d{3}\.\d\d/ }).first()
    const number = (await row.locator('[data-column="employeeNumber"]').textContent())!
    sum += pennies((await row.locator('[data-column="cost"]').textContent())!)
    await row.getByRole('checkbox').click()
    await expect(page.getByText(`${many} selected`)).toBeVisible()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(rows.filter({ hasText: number })).toHaveCount(0)
  }
  const said = page.getByText('2 selected').locator('..').getByText(/^Cost/)
  expect(pennies((await said.locator('b').textContent())!)).toBe(sum)

  // After a change by someone else, the costs of rows on other pages are out of date and are no longer added up.
  const other = await page.context().newPage()
  await signIn(other, 'northgate@harbour.example', '/staffing/staff-contracts')
  await other.locator('tr[data-index="0"] [data-column="name"]').click()
  await other.getByLabel('Department').fill(`Mark ${Date.now() % 1e6}`)
  await other.keyboard.press('Control+s')
  await expect(other.getByText('Updated Staff contract')).toBeVisible()
  await other.close()
  await expect(said).toHaveCount(0)
  await expect(page.getByText('2 selected')).toBeVisible()
})

test('B-113 each invalid field says what to do, and nothing that was typed is lost', { tag: '@journey' }, async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts/add')
  await page.getByLabel('Contract name').fill('Half done')
  await page.getByLabel('End date').fill('01/01/2020')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Contract type is required.')).toBeVisible()
  await expect(page.getByText('Payroll code is required.')).toBeVisible()
  await expect(page.getByLabel('Contract name')).toHaveValue('Half done')
  expect(await breaches(page)).toEqual([])
})

test('the first invalid field gets the focus: in a table the cell, not its row', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts')
  await page.locator('tr[data-index="4"] [data-column="name"]').click()
  const spot = page.getByLabel('Spot salary or adjustment, row 1')
  await spot.fill('-99999999')
  await page.getByLabel('Position').press('Control+s')
  await expect(spot).toHaveAttribute('aria-invalid', 'true')
  await expect(spot).toBeFocused()
})

test('changes from an HR system are shown beside the budget, and applied or dismissed one by one', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/changes')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  const dialog = page.getByRole('dialog')
  const text = 'Staff of the school\nEmp No,Work email,Spine point\n003942,alice@northgate.example,\n003914,,NJC SCP99\n'
  await dialog.locator('input[type=file]').setInputFiles({ name: 'hr.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(dialog.getByText('Nothing in the budget has changed yet')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Is this the whole file?')).toBeVisible()
  expect(await breaches(page)).toEqual([])

  // A row that cannot be applied says why, and can be dismissed for good.
  await expect(page.getByText('“NJC SCP99”: Scale point was not found.')).toBeVisible()
  await page.getByLabel(/^Choose .* 003914 · Cover supervisor$/).check()
  await expect(page.getByRole('button', { name: 'Apply to budget' })).toBeDisabled()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('button', { name: '1 dismissed' })).toBeVisible()

  // From here on with the keyboard alone.
  const people = page.getByRole('region', { name: 'People' })
  await expect(people.getByText('alice@northgate.example')).toBeVisible()
  await people.getByLabel('Choose all people').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Apply 1 to budget' }).press('Enter')
  await expect(people).toHaveCount(0)
  await page.goto('/staffing/staff-contracts')
  await expect(page.getByRole('link', { name: /^HR file of / })).toBeVisible()
})

test('a second contract opens with under 10 kB, and how a figure is calculated is fetched when somebody asks', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts')
  const row = (index: number) => page.locator(`tr[data-index="${index}"] [data-column="name"]`)
  const readBytes = async (index: number): Promise<number> => {
    await row(index).waitFor()
    await page.waitForLoadState('networkidle')
    const sizes: Promise<number>[] = []
    const add = (request: Request): void => {
      if (request.url().includes('/trpc/')) sizes.push(request.sizes().then((size) => size.responseBodySize))
    }
    page.on('requestfinished', add)
    await row(index).click()
    await expect(page.getByText('last costing', { exact: true })).toBeVisible()
    await page.waitForLoadState('networkidle')
    page.off('requestfinished', add)
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }
  const first = await readBytes(3)
  await page.goBack()
  const second = await readBytes(4)
  test.info().annotations.push({ type: 'bytes', description: `${first} and ${second}` })
  expect(second).toBeGreaterThan(500)
  expect(second).toBeLessThan(Math.min(first, 10_000))
  const asked = page.waitForRequest((request) => request.url().includes('contracts.forecast'))
  await page.getByRole('button', { name: /^Basic pay 2026\/27: show its months$/ }).click()
  await page.getByRole('button', { name: /^Basic pay, October of 2026\/27/ }).click()
  await asked
  const steps = page.getByRole('region', { name: /^How Basic pay in October of 2026\/27 is calculated: / })
  await expect(steps.getByRole('listitem').first()).toBeVisible()
})

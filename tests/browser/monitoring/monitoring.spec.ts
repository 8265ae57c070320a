import { writeFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { breaches, choose, createGate, signIn, visit } from '../support.ts'

const december = '?month=2026-12'

/** A ledger’s file of December, with supply cover far over its budget. */
function file(path: string, supply: string): string {
  const lines = [
    'Type,BudgetCodeFilter,Value,BudgetCode,CostCentre,Description',
    `Actual,S1,${supply},4000,OFF,Agency invoices of December`,
    'Actual,S1,1250.75,4240,SITE,Gas',
    'Commitment,S1,310.00,4240,SITE,Electricity ordered',
    'Actual,S2,900.00,4240,SITE,Gas',
  ]
  writeFileSync(path, lines.join('\n'))
  return path
}

test(
  'B-227 B-228 B-229 B-230 B-233 a month is imported, compared with the budget, explained, adjusted and cleared again',
  { tag: '@journey' },
  async ({ page }, info) => {
    await signIn(page, 'finance@harbour.example')
    await choose(page, 'Location', 'Northgate Primary School')
    await visit(page, `/console/monitoring/actuals-commitments${december}`)
    const none = page.getByRole('heading', { name: 'Nothing has been imported for December 2026' })
    const clearing = page.getByRole('button', { name: 'Clear the month' })
    const clear = async (): Promise<void> => {
      await clearing.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Clear 2 locations' }).click()
      await expect(none).toBeVisible()
      // The live update may come before the reply, and only the reply brings the notice with Undo.
      await expect(page.getByRole('alert').filter({ hasText: 'Cleared December 2026' }).last()).toBeVisible()
    }
    // A failed attempt may have left the month imported and an adjustment, which clearing keeps. So clear the month and type another
    // amount.
    await expect(none.or(clearing)).toBeVisible()
    if (await clearing.isVisible()) await clear()
    const adjusted = 200 + (Date.now() % 90)
    await page.getByRole('button', { name: 'Import', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]').setInputFiles(file(info.outputPath('wrong.csv'), 'nine thousand'))
    await expect(dialog.getByText('This is not an amount. Enter pounds, such as 1234.50.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Choose another file' }).click()
    await dialog.locator('input[type=file]').setInputFiles(file(info.outputPath('december.csv'), '9000.00'))
    await dialog.getByRole('button', { name: 'See what changes' }).click()
    await dialog.getByRole('button', { name: 'Import 4 lines' }).click()
    await expect(page.getByText('Imported Actuals and commitments')).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(page.locator('tr[data-index]')).toHaveCount(4)
    expect(await breaches(page)).toEqual([])

    // The figure to date is that of November plus December.
    const row = page.getByRole('row', { name: /^4000 Supply teachers, agency/ })
    const toDate = row.locator('td[data-column="actualToDate"]')
    await visit(page, '/monitoring/budget-actuals?month=2026-11')
    const before = Number((await toDate.textContent())!.replaceAll(',', ''))
    await visit(page, `/monitoring/budget-actuals${december}`)
    await expect(toDate).toHaveText((before + 9000).toLocaleString('en-GB'))
    const section = page.getByRole('region', { name: 'Monitoring' })
    await expect(section.getByRole('row', { name: /^4240 Energy/ })).toContainText('310')
    await row.getByRole('button').press('Enter')
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByText('Agency invoices of December')).toBeVisible()
    await drawer.getByLabel('Reason').fill(`Two teachers are ill; cover of ${adjusted} a day ends in January.`)
    await drawer.getByLabel('Adjustment').fill(`${adjusted}.50`)
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Saved note')).toBeVisible()
    await expect(page.getByText('Saved adjustment')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(row).toContainText(`${adjusted + 1}`)
    await expect(row.getByLabel('Has a reason')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await breaches(page)).toEqual([])

    // On a wide screen the month has a column before the year to date, which can be hidden.
    const alone = section.getByRole('columnheader', { name: 'Dec actual' })
    await expect(alone).toBeVisible()
    for (const name of ['December 2026', 'Year to date', 'Full year'])
      await expect(section.getByRole('columnheader', { name, exact: true })).toBeVisible()
    await expect(row.locator('td').nth(1)).toHaveText('9,000')
    const carried = section.getByRole('row', { name: /^Carried forward/ })
    await expect(carried.locator('td').nth(1)).toBeEmpty()
    await page.getByRole('checkbox', { name: 'Month only' }).press('Space')
    await expect(alone).toHaveCount(0)
    await expect(carried.locator('td').nth(1)).not.toBeEmpty()

    await visit(page, `/monitoring/budget-forecast${december}`)
    // The previous screen has such a row too, so wait for the heading.
    await expect(page.getByRole('heading', { name: 'Budgets versus forecast' })).toBeVisible()
    await row.getByRole('button').click()
    await expect(drawer.getByText('actual', { exact: true }).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(row.getByRole('button')).toBeFocused()
    expect(await breaches(page)).toEqual([])

    await visit(page, `/console/monitoring/actuals-commitments${december}`)
    // All locations that were cleared together are restored together: from the notice, and with the keyboard.
    await clear()
    await page.getByRole('alert').filter({ hasText: 'Cleared December 2026' }).getByRole('button', { name: 'Undo' }).click()
    await expect(none).toHaveCount(0)
    await clear()
    await page.keyboard.press('Control+z')
    await expect(none).toHaveCount(0)
    await clear()
  },
)

test('typing a forecast shows at once how the year ends; the method of several codes is changed together, and undone', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/monitoring/budget-forecast?month=2026-10')
  const table = page.getByRole('region', { name: 'Monitoring' })
  const energy = table.getByRole('row', { name: /^4240 Energy/ })
  const before = await energy.textContent()
  await energy.getByRole('button').first().click()
  const working = page.getByRole('region', { name: 'Working forecast' })
  const outcome = working.getByRole('status', { name: 'Year-end position' })
  const ends = await outcome.textContent()
  // The chart of the code’s year as an image. A headless browser may have no clipboard, so the test reads what would be copied.
  await page.evaluate(() => {
    navigator.clipboard.write = async ([item]) => {
      const { width, height } = await createImageBitmap(await item!.getType('image/png'))
      document.body.dataset.copied = `${width > 600 && height > 400}`
    }
  })
  // A horizontal line has no height, so Playwright does not count it as visible.
  await expect(page.locator('path.recharts-line-curve').first()).toBeAttached()
  await page.getByRole('button', { name: 'Copy the chart as an image' }).press('Enter')
  await expect(page.locator('body[data-copied=true]')).toHaveCount(1)
  const cell = working.getByRole('textbox', { name: 'Electricity, December 2026' })
  await cell.fill('9000')
  await expect(outcome).toContainText(/^With these figures, the year ends at/)
  await cell.press('ArrowDown')
  await expect(working.getByRole('textbox', { name: 'Electricity, January 2027' })).toBeFocused()
  await working.getByRole('button', { name: 'Discard changes' }).click()
  await expect(outcome).toHaveText(ends!)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Forecast methods' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Find/ }).fill('42')
  await dialog.getByRole('checkbox', { name: /^All \d+ codes/ }).check()
  await dialog.getByRole('combobox', { name: 'Forecast open months' }).click()
  await page.getByRole('option', { name: 'At the current rate' }).click()
  expect(await breaches(page, '[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: /^Change \d+ codes/ }).click()
  await expect(energy).not.toHaveText(before!)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(energy).toHaveText(before!)
})

test('B-231 B-232 months are typed and entries changed with the outcome visible, and both undone; a line opens its import', async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/monitoring/budget-forecast?month=2026-10')
  const row = page.getByRole('region', { name: 'Monitoring' }).getByRole('row', { name: /^4240 Energy/ })
  const forecast = row.locator('td[data-column="forecast"]')
  await expect(forecast).not.toBeEmpty()
  const before = await forecast.textContent()
  await row.getByRole('button').press('Enter')
  const drawer = page.getByRole('dialog')
  const months = drawer.getByRole('region', { name: 'Forecast by month' })
  const outcome = months.getByRole('status', { name: 'Year-end position' })
  await expect(outcome).toContainText('The year ends at')

  // With the keyboard alone: choose a method, type an amount, move to the next month, save and undo.
  await months.getByRole('combobox', { name: 'Open months are forecast' }).focus()
  await page.keyboard.press('Space')
  const typed = page.getByRole('option', { name: 'Entered month by month' })
  await expect(typed).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(typed).toHaveAttribute('data-combobox-selected', 'true', { timeout: 200 })
  }).toPass()
  await page.keyboard.press('Enter')
  const november = months.getByLabel('Forecast for November 2026')
  const was = Number((await november.inputValue()).replaceAll(',', ''))
  await november.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(String(was + 1000))
  await page.keyboard.press('Enter')
  await expect(months.getByLabel('Forecast for December 2026')).toBeFocused()
  await expect(outcome).toContainText('With these figures, the year ends at')
  const said = (await outcome.textContent())!
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  // The outcome shown while typing equals the saved forecast.
  await expect(outcome).toHaveText(said.replace('With these figures, the', 'The'))
  await page.getByRole('button', { name: /^Undo/ }).click()
  const method = months.getByRole('combobox', { name: 'Open months are forecast' })
  await expect(method).toHaveValue('As budgeted')
  expect(await breaches(page)).toEqual([])

  // A new method shows at once; when the server refuses it, the old one returns.
  const refused = createGate()
  await page.route(/monitoring\.chooseForecast/, async (route) => {
    await refused.until
    await route.fulfill({ status: 500, body: '' })
  })
  await method.click()
  await page.getByRole('option', { name: 'At the current rate' }).click()
  await expect(method).toHaveValue('At the current rate')
  refused.go()
  await expect(page.getByText('The server cannot be reached.')).toBeVisible()
  await expect(method).toHaveValue('As budgeted')
  await page.unroute(/monitoring\.chooseForecast/)

  // The entries behind the open months can be changed in the drawer.
  const working = drawer.getByRole('region', { name: 'Working forecast' })
  const cell = working.getByLabel(/^Gas, January 2027$/)
  const gas = Number((await cell.inputValue()).replaceAll(',', ''))
  await cell.fill(String(gas + 500))
  await expect(working.getByRole('status', { name: 'Year-end position' })).toContainText('With these figures')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('ControlOrMeta+s')
  await expect(working.getByRole('status', { name: 'Year-end position' })).toContainText('The year ends at')
  await expect(cell).toHaveValue((gas + 500).toLocaleString('en-GB', { minimumFractionDigits: 2 }))
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(cell).toHaveValue(gas.toLocaleString('en-GB', { minimumFractionDigits: 2 }))
  // A line opens the import that it came from.
  await drawer.getByRole('region', { name: 'Lines' }).getByRole('button', { name: 'September 2026' }).first().press('Enter')
  await expect(drawer.getByText(/^Imported by System/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row.getByRole('button')).toBeFocused()
  await expect(forecast).toHaveText(before!)
})

test('B-235 the console shows all locations together, and the notes of a single school', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/monitoring/budget-actuals')
  const table = page.getByRole('region', { name: 'Monitoring' })
  const income = table.getByRole('row', { name: /^Total income/ })
  await expect(income).toBeVisible()
  const all = await income.textContent()
  await page.getByRole('combobox', { name: 'Locations' }).click()
  await page.getByRole('option', { name: 'Northgate Primary School' }).click()
  await expect(income).not.toHaveText(all!)
  expect(await breaches(page)).toEqual([])

  // A figure of one location opens that location’s lines; the code opens those of all locations.
  await visit(page, '/console/monitoring/budget-actuals?month=2026-10&columns=actualToDate')
  const columns = page.getByRole('region', { name: 'Actual to date by location' })
  const energy = columns.getByRole('row', { name: /^4240 Energy/ })
  await expect(energy).toBeVisible()
  const places = await columns.getByRole('columnheader').allTextContents()
  const lines = page.getByRole('dialog').getByRole('region', { name: 'Lines' })
  await energy
    .locator('td')
    .nth(places.indexOf('Riverside School') - 1)
    .dblclick()
  await expect(lines.getByRole('cell', { name: 'Riverside School' }).first()).toBeVisible()
  await expect(lines.getByRole('cell', { name: 'Northgate Primary School' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await energy.getByRole('button').press('Enter')
  await expect(lines.getByRole('cell', { name: 'Northgate Primary School' }).first()).toBeVisible()
  await expect(lines.getByRole('cell', { name: 'Riverside School' }).first()).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await page.keyboard.press('Escape')
  await visit(page, '/console/monitoring/budget-actuals?month=2026-10')
  await table
    .getByRole('row', { name: /^4240 Energy/ })
    .locator('td')
    .first()
    .dblclick()
  await expect(lines).toBeVisible()

  // On a phone the figures fill the page: row headings and figures are visible together.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  for (const name of [/^1020/, /^1040/, /^Carried forward/])
    await expect(table.getByRole('rowheader', { name })).toBeInViewport({ ratio: 0.9 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await breaches(page)).toEqual([])
})

test('every dialog of monitoring is opened, used and closed by keyboard alone, and keeps the focus inside', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  for (const [path, ...names] of [
    ['/monitoring/budget-forecast?month=2026-10', 'Chart', 'Forecast methods', 'History'],
    ['/console/monitoring/budget-actuals?month=2026-10', 'What needs explaining'],
    ['/console/monitoring/actuals-commitments?month=2026-10', 'Import', 'Clear the month'],
    ['/console/monitoring/cash?month=2026-10', 'Timing of receipts and payments', 'Opening cash'],
  ] as const) {
    await visit(page, path)
    for (const name of names) {
      const button = page.getByRole('main').getByRole('button', { name, exact: true })
      await expect(button).toBeEnabled()
      await button.press('Enter')
      const dialog = page.getByRole('dialog')
      await expect(dialog).toBeVisible()
      await expect(dialog.locator(':focus')).toHaveCount(1)
      for (let stop = 0; stop < 4; stop++) {
        await page.keyboard.press('Tab')
        await expect(dialog.locator(':focus')).toHaveCount(1)
      }
      // If the last stop has an open list, the first Escape closes only the list.
      await expect(async () => {
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0, { timeout: 1000 })
      }).toPass({ timeout: 6000 })
      await expect(button).toBeFocused()
    }
  }
  // A choice in the dialog shows at once; when the server refuses it, the old value returns.
  await page.getByRole('button', { name: 'Timing of receipts and payments' }).click()
  await page.getByRole('combobox', { name: 'Code' }).click()
  const code = page.getByRole('option').first()
  const name = (await code.textContent())!
  await code.click()
  const lag = page.getByRole('combobox', { name, exact: true })
  await expect(lag).toHaveValue('Default')
  const refused = createGate()
  await page.route(/cash\.chooseLag/, async (route) => {
    await refused.until
    await route.fulfill({ status: 500, body: '' })
  })
  await lag.click()
  await page.getByRole('option', { name: '2 months later' }).click()
  await expect(lag).toHaveValue('2 months later')
  refused.go()
  await expect(page.getByRole('dialog').getByText('The server cannot be reached.')).toBeVisible()
  await expect(lag).toHaveValue('Default')
})

test('a table of two thousand codes renders only its visible rows, works by keyboard, and prints whole', async ({ page }) => {
  await page.route(/monitoring\.budgetsVsActuals/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: withManyCodes(await response.json()) })
  })
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/monitoring/budget-actuals?month=2026-10')
  const rows = page.locator('tr[data-index]')
  await expect(rows.first()).toBeVisible()
  const all = Number(await page.locator('table[aria-rowcount]').getAttribute('aria-rowcount')) - 1
  expect(all).toBeGreaterThan(1500)
  expect(await rows.count()).toBeLessThan(150)
  await expect(page.getByRole('row', { name: /^Carried forward/ })).toBeVisible()
  const focused = () => page.evaluate(() => Number(document.activeElement?.closest('tr')?.dataset.index))
  await page.locator('button[data-stop]').first().focus()
  const first = await focused()
  for (let press = 0; press < 90; press++) await page.keyboard.press('ArrowDown')
  expect(await focused()).toBeGreaterThanOrEqual(first + 90)
  await expect(page.locator(':focus')).toBeInViewport()
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  expect(await rows.count()).toBe(all)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  expect(await rows.count()).toBeLessThan(150)
})

/** Repeats the codes of a reply forty times. */
function withManyCodes<T>(answer: T): T {
  let id = 1_000_000
  return JSON.parse(JSON.stringify(answer), (key, value) =>
    key === 'rows' && Array.isArray(value)
      ? value.flatMap((row) => (row.kind === 'Data' ? [row, ...Array.from({ length: 39 }, () => ({ ...row, budgetCodeId: id++ }))] : [row]))
      : value,
  )
}

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, pick, runAudit, signIn, visit } from '../support.ts'

/** Moves the focus with the Tab key alone to the field with this name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let step = 0; step < 80; step++) {
    const focused = page.locator(':focus')
    if (await focused.count()) {
      const label = await focused.evaluate((node) => {
        const labels = (node as HTMLInputElement).labels
        return node.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? node.textContent ?? ''
      })
      const plain = label.replace(/\s*\*$/, '').trim()
      if (typeof name === 'string' ? plain === name : name.test(plain)) return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${name}`)
}

test('a new contract is entered with the keyboard alone, and costed', { tag: '@journey' }, async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts')
  await expect(page.getByRole('heading', { name: 'Staff contracts' })).toBeVisible()
  await expect(page.locator('tr[data-index]').first()).toBeVisible()
  const began = Date.now()
  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { name: 'Add staff contract' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Employee' })).toBeFocused()
  await tabTo(page, 'Contract name')
  const name = `By keyboard ${began % 1e6}`
  await page.keyboard.type(name)
  await tabTo(page, 'Contract type')
  await pick(page, 'Teacher')
  await tabTo(page, 'Payroll codes')
  await pick(page, 'TCH')
  await page.keyboard.press('Escape')
  await tabTo(page, 'Scale point, row 1')
  await pick(page, 'Main M4')
  // The amount of an allowance is shown beside its name, both before and after it is chosen.
  await tabTo(page, 'Allowances, row 1')
  await page.keyboard.type('SEN 1')
  await expect(page.getByRole('option')).toHaveText(['SEN 12,787.00 a year from 01 Sep, 2025'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-field="salary"] tbody')).toContainText('SEN 1 2,787.00')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Staff contract')).toBeVisible()
  await expect(page).toHaveURL(/staff-contracts\/[0-9a-f]{24}(\?|$)/)
  await visit(page, '/staffing/staff-contracts')
  await expect(page.locator('tr[data-index]').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await expect(page.getByText('1 contract match')).toBeVisible()
  // A contract saved since the last recalculation is marked.
  await expect(page.getByRole('img', { name: 'changed since the last recalculation' })).toHaveCount(1)
})

test('B-186 maternity leave is shown week by week with the pay, and changes the cost of the contract', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/staffing/staff-members')
  await page.locator('tr[data-index="0"] [data-column="surname"]').click()
  // The NI number is masked until the user chooses to show it or puts the focus in the field.
  const insurance = page.getByRole('textbox', { name: 'NI number' })
  await expect(insurance).toHaveValue(/^•{6}\d{2}[A-D]$/)
  await page.getByRole('button', { name: 'Show NI number' }).click()
  await expect(insurance).toHaveValue(/^[A-Z]{2}\d{6}[A-D]$/)
  await page.getByRole('button', { name: 'Hide NI number' }).click()
  await expect(insurance).toHaveValue(/^•{6}/)
  await insurance.focus()
  await expect(insurance).toHaveValue(/^[A-Z]{2}\d{6}[A-D]$/)
  await expect(page.getByText('Unsaved')).toHaveCount(0)
  await page.getByRole('tab', { name: 'Contracts' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Contracts' }).getByRole('link').first()).toBeVisible()
  await page.getByRole('tab', { name: 'Extended leave' }).click()
  await page.getByRole('button', { name: 'Add extended leave' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Extended leave rule set').click()
  await page.getByRole('option', { name: 'Statutory maternity' }).click()
  await dialog.getByLabel('Start date').fill('04/01/2027')
  await dialog.getByLabel('End date').fill('02/01/2028')
  await dialog.getByRole('button', { name: /^(Save|Add)/ }).click()
  await expect(page.getByRole('heading', { name: /week by week/ })).toBeVisible()
  const rows = page.locator('[class*="_leave_"] tbody tr')
  await expect(rows.first()).toContainText('1 to 6')
  // The effect of the leave is the engine’s difference with and without it: this year and the next, each with its saving.
  await expect(page.getByText(/^2026\/27: saves £[\d,.]+ · 2027\/28: saves £[\d,.]+$/)).toBeVisible()
  const pay = Number((await rows.first().locator('td').nth(3).textContent())!.replace(/,/g, ''))
  expect(pay).toBeGreaterThan(10)
  expect(await breaches(page)).toEqual([])
  // Until the next recalculation, the contract shows the cost of the last one, and the cost with today’s tables for comparison.
  await page.getByRole('tab', { name: 'Contracts' }).click()
  await page.getByRole('tabpanel', { name: 'Contracts' }).getByRole('link').first().click()
  const cost = page.getByRole('region', { name: 'Cost' })
  const first = cost.locator('[data-total="0"]')
  await expect(cost.getByText('last costing', { exact: true })).toBeVisible()
  await expect(cost.getByRole('row', { name: /^With today’s tables/ })).toBeVisible()
  const held = await first.textContent()
  await expect(
    cost
      .getByRole('row', { name: /^With today’s tables/ })
      .locator('td')
      .first(),
  ).not.toHaveText(held!)
  await page.getByRole('link', { name: 'Cost view' }).click()
  await expect(page.locator('tr[class*="_total_"] td').nth(12)).toHaveText(held!)
  // A total opens its breakdown, down to the derivation of one month.
  await page.getByRole('button', { name: 'Total, 2026/27: breakdown' }).click()
  const madeOf = page.getByRole('region', { name: `What makes up the total in 2026/27: ${held}` })
  await madeOf.getByRole('button', { name: 'Basic pay' }).click()
  await page
    .getByRole('region', { name: /^What makes up Basic pay in 2026\/27/ })
    .getByRole('button', { name: 'October' })
    .click()
  await expect(page.getByRole('region', { name: /^How Basic pay in October of 2026\/27 is calculated: / })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: /is calculated: / })).toHaveCount(0)
  await page.goBack()
  await page.getByLabel('Department').fill('While on leave')
  await expect(cost.getByText('live', { exact: true })).toBeVisible()
  await expect(
    cost
      .getByRole('row', { name: /^Last costing/ })
      .locator('td')
      .first(),
  ).toHaveText(held!)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Unsaved')).toHaveCount(0)
  await expect(cost.getByText('last costing', { exact: true })).toBeVisible()
  await expect(cost.getByRole('row', { name: /^With today’s tables/ })).toHaveCount(0)
  await expect(first).not.toHaveText(held!)
  const penniesIn = (text: string | null): number => Number(text!.replace('−', '-').replace(/[^-\d]/g, ''))
  const byLeave = cost
    .getByRole('row', { name: /^Changed by leave/ })
    .locator('td')
    .first()
  await expect(byLeave).toContainText('▼')
  expect(penniesIn(await byLeave.textContent())).toBe(penniesIn(held) - penniesIn(await first.textContent()))
})

test('B-134 B-140 a file of 500 contracts with 7 invalid lines names each and saves nothing; once corrected it is imported whole', async ({
  page,
}) => {
  test.setTimeout(patience * 120_000)
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Harbour Central Team')
  await visit(page, '/staffing/staff-contracts')
  const pill = page.locator('[data-page-head] [class*="_pill_"]').first()
  await expect(pill).toHaveText(/contracts$/)
  const before = Number.parseInt((await pill.textContent())!, 10)
  const mark = Date.now() % 1e6
  const line = (n: number, bad: boolean): string =>
    [`Post ${mark} ${n}`, 'Teacher', 'TCH', bad ? '30/02/2027' : '2026-09-01', 'No', 'No', '2026-09-01', 'Yes', 'Main M2', '0.8'].join(',')
  const file = (isBad: (n: number) => boolean): string => {
    const path = join(mkdtempSync(join(tmpdir(), 'contracts-')), 'contracts.csv')
    const head = 'ContractName,ContractTypeName,ServiceTerm,StartDate,Apprentice,AttritionContract,EffectiveDate,ErPension,ScalePoint,Fte'
    writeFileSync(path, [head, ...Array.from({ length: 500 }, (_unused, n) => line(n, isBad(n)))].join('\r\n'))
    return path
  }
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles(file((n) => n % 77 === 3))
  await dialog.getByRole('button', { name: /^Import 500/ }).click()
  await expect(dialog.getByRole('alert')).toContainText('7 of 500 rows have problems. Nothing was imported.')
  // Equal cells are corrected together, and all their rows are named.
  await expect(dialog.getByText('Start date is not a valid date.')).toHaveCount(1)
  await expect(dialog.getByLabel('Start date of rows 5, 82, 159, 236, 313, 390, 467')).toHaveValue('30/02/2027')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeFocused()
  await expect(pill).toHaveText(`${before} contracts`)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.locator('input[type=file]').setInputFiles(file(() => false))
  await dialog.getByRole('button', { name: /^Import 500/ }).click()
  await expect(page.getByText('Imported Staff contracts')).toBeVisible({ timeout: patience * 30_000 })
  await page.keyboard.press('Escape')
  await expect(pill).toHaveText(`${before + 500} contracts`)
  // A bulk delete removes the team again, because other journeys use it.
  await page.getByLabel('Search staff contracts').fill(`Post ${mark}`)
  await expect(pill).toHaveText('500 contracts match')
  await page.getByRole('checkbox', { name: 'Select all rows on all pages' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted Staff contracts')).toBeVisible({ timeout: patience * 30_000 })
})

test('the export of an HR system adds employees and their contracts, and an invalid cell is corrected in place', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/staff-contracts')
  const mark = String(Date.now() % 1e6)
  const file = [
    'Northgate Primary School: staff in post,,,,,,,,,',
    'Emp No,First Name,Last Name,DOB,Job Title,Contract Type,Terms,Contract Start,Spine Point,FTE,Pension',
    `HR${mark}1,Amira,Okafor,12/05/1990,Teacher of maths,Teacher,TCH,01/09/2026,Main M3,1,Yes`,
    `HR${mark}2,Tom,,03/02/1988,Teacher of art,Teacher,TCH,01/09/2026,Main M2,0.5,Yes`,
    'Total,,,,,,,,,1.5,',
  ].join('\r\n')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await expect(dialog.getByText('2 rows, 11 of 11 columns used. Row 5 is a total and is left out.')).toBeVisible()
  // Values that the file lacks are proposed and can be changed.
  await expect(dialog.getByLabel('Apprentice')).toHaveValue('No')
  await expect(dialog.getByLabel('Effective date')).toHaveValue(/^As in “Contract Start”, but not before \d/)
  await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Nothing was imported.')
  await dialog.getByLabel('Surname of row 4').fill('Baker')
  await dialog.getByRole('button', { name: 'Import again' }).click()
  await expect(dialog.getByText('2 rows imported: 2 new, 0 changed, 0 unchanged. 2 people added to Staff.')).toBeVisible({
    timeout: patience * 30_000,
  })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await visit(page, '/staffing/staff-members')
  await page.getByLabel('Search staff', { exact: true }).fill(`HR${mark}`)
  await expect(page.getByRole('row', { name: /Okafor/ })).toContainText('Amira')
  await expect(page.getByRole('row', { name: /Baker/ })).toContainText('Tom')
})

test('a contract without unsaved changes shows what a colleague saves, and typing after a save survives undoing that save', async ({
  browser,
}) => {
  const [mine, theirs] = await Promise.all([browser.newPage(), browser.newPage()])
  await signIn(mine, 'northgate@harbour.example', '/staffing/staff-contracts')
  await mine.locator('tr[data-index="4"] [data-column="name"]').click()
  await expect(mine.getByLabel('Department')).toBeVisible()
  const address = new URL(mine.url()).pathname
  const before = await mine.getByLabel('Department').inputValue()
  await signIn(theirs, 'finance@harbour.example')
  await choose(theirs, 'Location', 'Northgate Primary School')
  await theirs.goto(address)
  await theirs.getByLabel('Department').fill('Humanities')
  await theirs.keyboard.press('Control+s')
  await expect(theirs.getByText(/^Updated /)).toBeVisible()
  await expect(mine.getByLabel('Department')).toHaveValue('Humanities')
  await theirs.getByLabel('Position').fill('Typed since')
  await theirs.getByRole('button', { name: 'Undo' }).first().click()
  await expect(theirs.getByLabel('Department')).toHaveValue(before)
  await expect(theirs.getByLabel('Position')).toHaveValue('Typed since')
  await mine.close()
  await theirs.close()
})

test('B-100 B-184 quick calculations are compared side by side, and one of them becomes a contract', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/quick-calculator')
  const mark = Date.now() % 1e6
  for (const [name, point] of [
    [`Early career ${mark}`, 'Main M1'],
    [`Experienced ${mark}`, 'Main M6'],
  ] as const) {
    await page.goto('/staffing/quick-calculator/add')
    await page.getByLabel('Name').fill(name)
    await page.getByRole('combobox', { name: 'Type', exact: true }).click()
    await page.getByRole('option', { name: 'Teacher', exact: true }).click()
    await page.getByRole('combobox', { name: 'Contract type' }).click()
    await page.getByRole('option', { name: 'Teacher', exact: true }).click()
    await page.getByRole('combobox', { name: 'Scale point' }).click()
    await page.getByRole('option', { name: point, exact: true }).click()
    await expect(page.getByRole('region', { name: 'What it costs' }).getByRole('row', { name: /^Basic a year/ })).toBeVisible()
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Created new Quick calculation')).toBeVisible()
    await expect(page).toHaveURL(/quick-calculator\/[0-9a-f]{24}(\?|$)/)
  }
  await visit(page, '/staffing/quick-calculator')
  await page.getByPlaceholder('Search by name').fill(String(mark))
  await expect(page.getByRole('button', { name: 'Clear' })).toBeVisible()
  await expect(page.locator('tr[data-index]')).toHaveCount(2)
  for (const heading of ['Monthly', 'Annual', 'Hourly rate', 'Daily rate', "ER's NI", "ER's Pension"])
    await expect(page.getByRole('columnheader', { name: heading }).first()).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all rows on all pages' }).click()
  await page.getByRole('button', { name: 'Compare' }).click()
  const comparison = page.getByRole('region', { name: 'Comparison' })
  await expect(comparison.getByRole('row', { name: /^Total a year/ })).toContainText('▲')
  expect(await breaches(page)).toEqual([])
  await page.getByText(`Experienced ${mark}`).last().click()
  await page.getByRole('link', { name: 'Turn into a contract' }).click()
  await expect(page.getByLabel('Contract name')).toHaveValue(`Experienced ${mark}`)
  await expect(page.getByRole('combobox', { name: 'Scale point, row 1' })).toHaveValue('Main M6')
  await page.getByRole('combobox', { name: 'Payroll codes' }).click()
  await page.getByRole('option', { name: /^TCH/ }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Staff contract')).toBeVisible()
})

test('an award is tried on the whole trust, added to the assumptions and recalculated, and every figure opens down to the audit tool’s derivation', {
  tag: '@journey',
}, async ({ page }) => {
  test.setTimeout(patience * 120_000)
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/staffing/what-if')
  const tile = page.locator('[class*="_tile_"]').nth(2)
  await expect(tile).toContainText('no change')
  // The award in force is raised: the page names it and shows the effect on each contract type.
  await page.getByRole('slider').focus()
  for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/^\d+\.\d\d% in place of \d/)).toBeVisible()
  await expect(tile).toContainText('▲')
  await expect(page.getByText(/% in place of the .*%/).first()).toBeVisible()
  expect(await breaches(page)).toEqual([])

  // The same award is added to the assumptions: the group needs recalculating, and is recalculated.
  await visit(page, '/console/staffing/assumptions')
  await page.locator('tr[data-index]').first().click()
  await page.getByRole('tab', { name: 'Pay awards' }).click()
  const rate = page.getByRole('textbox', { name: /^Rate/ }).first()
  const before = await rate.inputValue()
  await rate.fill(before.startsWith('3.45') ? '3.55' : '3.45')
  await page.getByRole('button', { name: 'Save' }).click()
  const recalculate = page.getByRole('button', { name: /^Recalculate \d budgets$/ })
  await recalculate.click()
  await expect(page.getByText('Budget Group recalculated')).toBeVisible({ timeout: patience * 60_000 })

  // From the total through lines and contract to the derivation, which agrees with the audit tool to the penny.
  await visit(page, '/staffing/costs')
  await page.getByRole('button', { name: /^3100 .*, 2027\/28: .* breakdown$/ }).click()
  const sources = page.getByRole('dialog')
  await sources.getByRole('link').first().click()
  await expect(page).toHaveURL(/staff-contracts\/[0-9a-f]{24}\/cost(\?|$)/)
  const contract = new URL(page.url()).pathname.split('/').at(-2)!
  const cell = page.getByRole('button', { name: 'Basic pay, October of 2027/28: why' })
  const basic = await cell.textContent()
  await cell.click()
  await expect(page.getByRole('region', { name: /^How Basic pay in October of 2027\/28 is calculated: / })).toContainText('Pay award')
  const budget = (await page.context().cookies()).find((cookie) => cookie.name === 'BudgetId')!.value
  const explained = JSON.parse(runAudit('explain', '--budget', budget, '--contract', contract, '--year', '2', '--period', '2', '--json'))
  expect(Math.round(Number(basic!.replace(/,/g, '')) * 100)).toBe(explained.pennies.basic)
})

test('B-188 the tables a budget uses are read only, and a timeline says which applies when', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing/pay-scales')
  const timeline = page.getByRole('region', { name: /^When each .* table applies$/ })
  await expect(timeline.getByRole('button', { name: /^Teachers Sept 2026/ })).toBeVisible()
  await page.getByLabel('Search this table').fill('M6')
  await expect(page.getByRole('row', { name: /^Main M6/ })).toBeVisible()
  for (const path of ['extended-leave-rates', 'staff-assumptions', 'national-insurance', 'allowances']) {
    await visit(page, `/staffing/${path}`)
    await expect(page.locator('[data-timeline]').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Add|Save|Delete)/ })).toHaveCount(0)
    expect(await breaches(page)).toEqual([])
  }
})

test('the checks name what looks wrong and lead to the place to correct it', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/staffing/checks')
  await expect(page.getByRole('heading', { name: 'Checks' })).toBeVisible()
  await expect(page.locator('[data-page-head] [class*="_pill_"]')).toBeVisible()
  const first = page.locator('[class*="_findings_"] a').first()
  if (await first.count()) {
    await first.click()
    await expect(page).toHaveURL(/staff-(members|contracts)\//)
  }
  expect(await breaches(page)).toEqual([])
})

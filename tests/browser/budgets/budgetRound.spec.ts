import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, runAudit, signIn } from '../support.ts'

const schools = ['Harbour Academy', 'Northgate Primary School', 'Riverside School', 'St Anne’s Primary School', 'The Beacon School']
/** A school whose month no other journey works on: its approved budget becomes the one of record. */
const approving = schools[4]!
const mark = Date.now() % 1e6
/** The name sorts after the demo’s own working budgets: other journeys start in a school’s first budget. */
const round = `Round ${mark}`

function contractsFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'round-')), 'contracts.csv')
  const head =
    'ContractName,ContractTypeName,ServiceTerm,StartDate,Apprentice,AttritionContract,EffectiveDate,ErPension,ScalePoint,SpotAdjustment,Fte'
  // Awards raise spot salaries; those on the scale follow the announced table of 2027.
  const pay = (n: number): string => (n % 2 ? `Main M${(n % 6) + 1},` : `,${38_000 + n * 250}`)
  const line = (n: number): string => `Teacher ${n},Teacher,TCH,2026-09-01,No,No,2026-09-01,Yes,${pay(n)},${n % 3 ? 1 : 0.6}`
  writeFileSync(path, [head, ...Array.from({ length: 12 }, (_unused, n) => line(n))].join('\r\n'))
  return path
}

/** Searches the list of budgets and selects every match. */
async function selectAll(page: Page, name: string, count: number): Promise<void> {
  await page.goto('/console/budget-management')
  await page.getByRole('textbox', { name: 'Search budgets', exact: true }).fill(name)
  await expect(page.locator('[data-page-head] [class*="_pill_"]').first()).toHaveText(`${count} ${count === 1 ? 'budget' : 'budgets'}`)
  await page.getByRole('checkbox', { name: 'Select all rows on all pages' }).click()
}

async function groupOf(page: Page, name: string, budget: string): Promise<void> {
  await page.goto('/console/budget-management/groups/add')
  await page.getByLabel('Name').fill(name)
  const budgets = page.getByRole('combobox', { name: 'Budgets' })
  await budgets.click()
  await budgets.fill(budget)
  for (const school of schools) await page.getByRole('option', { name: `${school}: ${budget}`, exact: true }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Budget group')).toBeVisible()
  await page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Recalculate' }).click()
  await expect(page.getByText('Budget Group recalculated')).toBeVisible({ timeout: patience * 60_000 })
}

const pennies = (text: string | null): number => Math.round(Number(text!.replace('−', '-').replace(/[£,+]/g, '')) * 100)

test('B-153 B-155 B-156 B-157 five schools go through a year: created, filled, recalculated, approved, copied, given an award, compared and rolled forward', async ({
  page,
}) => {
  test.setTimeout(patience * 300_000)
  await signIn(page, 'finance@harbour.example')

  // One run of the wizard makes a budget for each of five schools.
  await choose(page, 'Location', schools[1]!)
  await page.goto('/console/budget-management/create')
  await page.getByRole('button', { name: 'None', exact: true }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Choose at least one location.' })).toBeVisible()
  for (const school of schools) await page.getByRole('checkbox', { name: school }).check()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Name').fill(round)
  for (let step = 2; step < 5; step++) await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('status').filter({ hasText: /No problems found|to check/ })).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await page.getByRole('button', { name: 'Create 5 budgets' }).click()
  await expect(page.getByText('Created new Budgets')).toBeVisible()

  // Contracts are imported from a file in every school.
  for (const school of schools) {
    await choose(page, 'Location', school)
    await choose(page, 'Budget', round)
    await page.goto('/staffing/staff-contracts')
    await page.getByRole('button', { name: 'Import', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]').setInputFiles(contractsFile())
    await dialog.getByRole('button', { name: /^Import 12/ }).click()
    await expect(page.getByText('Imported Staff contracts')).toBeVisible({ timeout: patience * 30_000 })
    await page.keyboard.press('Escape')
  }
  await groupOf(page, `Group ${mark}`, round)

  // One budget is submitted and approved, which locks it under a name; the others are locked together.
  await choose(page, 'Location', approving)
  await choose(page, 'Budget', round)
  await page.goto('/overview/approval')
  await page.getByRole('button', { name: 'Submit for approval' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit for approval' }).click()
  await page.getByRole('button', { name: 'Approve and lock' }).click()
  await page.getByLabel('Version name').fill('Approved by governors')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve and lock' }).click()
  await expect(page.getByText('Locked', { exact: true }).first()).toBeVisible()
  await selectAll(page, round, 5)
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click()
  await expect(page.locator('tr[data-index]').getByText(/^Locked /)).toHaveCount(5)

  // All five are copied. An award is added to the assumptions, and the copies are recalculated with it.
  await selectAll(page, round, 5)
  await page.getByRole('button', { name: 'Duplicate', exact: true }).click()
  await page.getByLabel('Name').fill(`Copy ${mark}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate 5 budgets' }).click()
  await expect(page.getByText('Duplicated', { exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: 'Search budgets', exact: true }).fill(`Copy ${mark}`)
  await expect(page.locator('tr[data-index]').getByText('Open', { exact: true })).toHaveCount(5, { timeout: patience * 60_000 })
  await page.goto('/console/staffing/assumptions')
  await page.locator('tr[data-index]').first().click()
  await page.getByRole('tab', { name: 'Pay awards' }).click()
  const rates = page.getByRole('textbox', { name: /^Rate/ })
  await expect(rates.first()).toBeVisible()
  // Rates are sorted by date and then by type: the fourth is the teachers’ first award.
  await rates.nth(3).fill(String(Number.parseFloat(await rates.nth(3).inputValue()) + 0.25))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Updated /)).toBeVisible()
  await expect(page.getByText(/need to be recalculated/).first()).toBeVisible()
  await groupOf(page, `Copies ${mark}`, `Copy ${mark}`)

  // Only costs differ from the approved version, and the bridge attributes the difference to the award, to the penny.
  await choose(page, 'Location', approving)
  await choose(page, 'Budget', `Copy ${mark}`)
  await page.goto('/overview/compare')
  await expect(page.getByRole('region', { name: 'Differences' }).getByText('Costs differ').first()).toBeVisible()
  await page.goto('/overview/bridge')
  const from = page.getByRole('combobox', { name: 'From' })
  await from.click()
  await from.fill('Approved by governors')
  await page.getByRole('option', { name: new RegExp(`^${round}, Approved by governors`) }).click()
  const year = page.getByRole('combobox', { name: 'Year' })
  for (const index of [0, 1]) {
    await year.nth(index).click()
    await page.getByRole('option', { name: '2027/28' }).click()
  }
  await page.getByText('Staffing', { exact: true }).last().click()
  const steps = page.getByRole('region', { name: 'Steps' })
  await expect(steps.getByRole('button', { name: /Pay awards/ })).toBeVisible()
  const amounts = (await steps.locator('tbody td').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')))).map(pennies)
  expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBe(amounts.at(-1))
  expect(await breaches(page)).toEqual([])

  // The year is rolled forward: each new budget opens with the closing balance of its source.
  await selectAll(page, `Copy ${mark}`, 5)
  await page.getByRole('button', { name: 'Roll forward', exact: true }).click()
  await page.getByLabel('Name').fill(`Next ${mark}`)
  await expect(page.getByRole('dialog').getByRole('columnheader', { name: 'Opens with' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll forward 5 budgets' }).click()
  await expect(page.locator('.mantine-Notification-root', { hasText: 'Roll forward' })).toBeVisible({ timeout: patience * 30_000 })
  await page.getByRole('textbox', { name: 'Search budgets', exact: true }).fill(`Next ${mark}`)
  await expect(page.locator('tr[data-index]').getByText('Open', { exact: true })).toHaveCount(5, { timeout: patience * 60_000 })
  await expect(page.locator('tr[data-index]').getByText('2027/28', { exact: true })).toHaveCount(5)

  expect(runAudit('verify')).toContain('every chain is intact')
})

test('two users in one budget see each other and each other’s saved changes, and neither loses what they type', {
  tag: '@journey',
}, async ({ page, browser }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await choose(page, 'Budget', '2026/27 Working')
  await page.goto('/overview/opening-balances/add')
  await page.getByLabel('Description').fill('Not saved yet')
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London' })
  const other = await context.newPage()
  await signIn(other, 'northgate@harbour.example')
  await choose(other, 'Budget', '2026/27 Working')
  await expect(page.getByRole('region', { name: 'Also in this budget' })).toContainText('Sam')
  await other.goto('/overview/opening-balances')
  await expect(other.getByRole('region', { name: 'Also in this budget' })).toBeVisible()
  // One user saves. The other sees the change without any action and can go on typing.
  await page.getByLabel('Value').fill('12.34')
  await other.goto('/overview/opening-balances/add')
  await other.getByLabel('Description').fill(`Found ${mark}`)
  await other.getByLabel('Value').fill('56.78')
  await other.keyboard.press('Control+s')
  await expect(other.getByText('Created new Opening balance')).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('Not saved yet')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Opening balance')).toBeVisible()
  await page.goto('/overview/opening-balances')
  await expect(page.getByText(`Found ${mark}`)).toBeVisible()
  await other.goto('/overview/opening-balances')
  await expect(other.getByText('Not saved yet')).toBeVisible()
  await page.getByRole('gridcell', { name: `Found ${mark}` }).click()
  await page.getByLabel('Description').fill(`Found ${mark} again`)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Opening balance')).toBeVisible()
  await expect(other.getByText(`Found ${mark} again`)).toBeVisible({ timeout: 5000 })
  await context.close()
})

test('a budget that was deleted by mistake is restored by Ctrl Z or from the bin, with everything in it', async ({ page }) => {
  const name = `Mistake ${mark}`
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await choose(page, 'Budget', '2026/27 Working')
  await page.goto('/console/budget-management')
  const search = page.getByRole('textbox', { name: 'Search budgets', exact: true })
  // Wait for the reply to this search: the list reloads, which clears the selection.
  const found = page.waitForResponse((reply) => decodeURIComponent(reply.url()).includes('"search":"2026/27 Working"'))
  await search.fill('2026/27 Working')
  await found
  await expect(page.locator('tr[data-index]').filter({ hasNotText: '2026/27 Working' })).toHaveCount(0)
  await page.getByRole('row').filter({ hasText: 'Northgate Primary School' }).first().getByRole('checkbox').click()
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Duplicate', exact: true }).click()
  await page.getByLabel('Name').fill(name)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Duplicate/ })
    .click()
  await expect(page.getByText('Duplicated', { exact: true })).toBeVisible()
  const remove = async (): Promise<void> => {
    await selectAll(page, name, 1)
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog')).toContainText('The bin keeps the budget for 30 days')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Deleted Budgets').last()).toBeVisible()
    await expect(page.locator('tr[data-index]')).toHaveCount(0)
  }
  await remove()
  await page.keyboard.press('Control+z')
  await expect(page.getByText(`Restored ${name}`)).toBeVisible()
  await expect(page.locator('tr[data-index]')).toHaveCount(1)
  await remove()
  await page.goto('/console/general/bin')
  const deleted = page.getByRole('region', { name: 'Deleted budgets' })
  await expect(deleted.getByRole('row').filter({ hasText: name })).toContainText(/Northgate Primary School\s*2026\/27 to/)
  expect(await breaches(page)).toEqual([])
  await deleted.getByRole('button', { name: `Restore ${name} at Northgate Primary School` }).press('Enter')
  await expect(page.getByText(`Restored ${name}`)).toBeVisible()
  await expect(deleted.getByText(name)).toBeHidden()
  expect(runAudit('verify')).toContain('every chain is intact')
})

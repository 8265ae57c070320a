import { expect, type Locator, type Page, test } from '@playwright/test'
import { breaches, choose, signIn, visit } from '../support.ts'

/** Creates an empty budget of a school and selects it. */
async function startBudget(page: Page, called: string): Promise<void> {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'St Anne’s Primary School')
  await visit(page, '/console/budget-management/create')
  const name = `${called} ${Date.now() % 1e6}`
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Name').fill(name)
  for (let step = 2; step < 5; step++) await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Create 1 budget' }).click()
  await expect(page.getByText('Created new Budget')).toBeVisible()
  await choose(page, 'Budget', name)
}

/** Opens the import of the page with a file. */
async function give(page: Page, lines: readonly string[]): Promise<Locator> {
  await page.getByRole('button', { name: 'Import', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: /^Import/ })
  const buffer = Buffer.from(lines.join('\r\n'))
  await dialog.locator('input[type=file]').setInputFiles({ name: 'sheet.csv', mimeType: 'text/csv', buffer })
  return dialog
}

/** Checks the dialog as it looks on a wide light screen and on a dark telephone. */
async function look(page: Page, dialog: Locator, name: string): Promise<void> {
  for (const [scheme, width] of [
    ['dark', 390],
    ['light', 1440],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 900 })
    await expect(dialog).toBeVisible()
    await page.screenshot({ path: `test-results/sheets-${name}-${scheme}-${width}.png` })
    expect(await breaches(page, '[role="dialog"]')).toEqual([])
  }
}

test('pupil numbers with years down and Octobers across are imported with their titles and totals', async ({ page }) => {
  await startBudget(page, 'Octobers')
  await visit(page, '/non-staffing/pupil-numbers')
  const dialog = await give(page, [
    'St Anne’s Primary School',
    'Pupil numbers,,,',
    'Year,Autumn census 2025,Oct 2026,2027/28',
    'Reception,28,30,29',
    'Y1,27,28,31',
    'Y2,26,,',
    'Total,81,58,60',
  ])
  await expect(dialog.getByText('3 rows, 4 of 4 columns used. Row 7 is a total and is left out.')).toBeVisible()
  await expect(dialog.getByLabel('What Autumn census 2025 contains')).toHaveValue('October 2025')
  await look(page, dialog, 'pupils')
  await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(dialog.getByText(/^Imported /)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.reload()
  for (const [cell, count] of [
    ['Reception, October 2025', '28'],
    ['Reception, October 2026', '30'],
    ['Reception, October 2027', '29'],
    ['Year 1, October 2027', '31'],
    ['Year 2, October 2025', '26'],
  ] as const)
    await expect(page.getByLabel(cell)).toHaveValue(count)
})

test('entries with the months of the school’s year across, and code and cost centre in one cell, are imported to the penny', async ({
  page,
}) => {
  await startBudget(page, 'Months')
  await visit(page, '/non-staffing/budget-entries')
  const months = ['Sept', 'Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug']
  const amounts = (first: number): string => months.map((_month, at) => `${first + at}.25`).join(',')
  const dialog = await give(page, [
    'St Anne’s: budget by month',
    `Description,Code,${months.join(',')}`,
    `Energy by month,4240-OFF,${amounts(100)}`,
    `Paper by month,OFF/4330,${amounts(10)}`,
    `Water by month,4240-OFF,${amounts(1000)}`,
  ])
  await expect(dialog.getByText('3 rows, 14 of 14 columns used.')).toBeVisible()
  await expect(dialog.getByLabel('What Sept contains')).toHaveValue('Period 1')
  await expect(dialog.getByLabel('What Aug contains')).toHaveValue('Period 12')
  await expect(dialog.getByLabel('Budget year name')).toHaveValue('2026/27')
  await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(dialog.getByRole('alert')).toContainText('3 of 3 rows have problems. Nothing was imported.')
  const both = dialog.getByRole('note').filter({ hasText: 'Two codes in one cell' })
  await expect(both).toContainText(/4240-OFF: budget code 4240 \(.+\) and cost centre OFF/)
  await expect(both).toContainText(/OFF\/4330: budget code 4330 \(.+\) and cost centre OFF/)
  await look(page, dialog, 'codes')
  await both.getByRole('button', { name: 'Use both codes in 3 rows' }).click()
  await expect(both).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Import again' }).click()
  await expect(dialog.getByText('3 rows imported: 3 new, 0 changed, 0 unchanged.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  // 12 × 100.25 + 66, 12 × 10.25 + 66 and 12 × 1000.25 + 66.
  const sheet = page.getByRole('grid').first()
  for (const [name, sum] of [
    ['Energy by month', '1,269'],
    ['Paper by month', '189'],
    ['Water by month', '12,069'],
  ] as const)
    await expect(sheet.getByRole('row').filter({ hasText: name })).toContainText(sum)
})

test('a payroll’s words are mended for all rows at once, with names beside them, and Escape asks before the mends are lost', async ({
  page,
}) => {
  await startBudget(page, 'Words')
  await visit(page, '/staffing/staff-contracts')
  const mark = String(Date.now() % 1e6)
  const dialog = await give(page, [
    'Emp No,First Name,Last Name,Job Title,Contract Type,Terms,Contract Start,Spine Point,FTE,Pension scheme',
    `W${mark}1,Amira,Okafor,Teacher of maths,Teacher,TCH,01/09/2026,UPS1,1,TPS`,
    `W${mark}2,Tom,Baker,Teacher of art,Teacher,TCH,01/09/2026,MPS 4,0.5,TPS`,
    `W${mark}3,Kenji,Sato,Teacher of music,Teacher,TCH,01/09/2026,MPS 4,1,Opted out`,
  ])
  await expect(dialog.getByText('3 rows, 10 of 10 columns used.')).toBeVisible()
  await expect(dialog.getByLabel('Position', { exact: true })).toHaveValue('As in “Job Title”')
  await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(dialog.getByRole('alert')).toContainText('3 of 3 rows have problems. Nothing was imported.')
  const main = dialog.getByRole('row').filter({ has: page.getByLabel('Scale point of rows 3, 4') })
  await expect(main).toContainText('Tom Baker, Kenji Sato')
  await expect(main.getByRole('button', { name: 'Use “Main M4” in 2 rows' })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /^2, 3 / })).toContainText('Amira Okafor, Tom Baker')
  await look(page, dialog, 'words')
  await dialog.getByRole('button', { name: 'Use all suggestions' }).click()
  await expect(dialog.getByLabel('Scale point of rows 3, 4')).toHaveValue('Main M4')

  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Review Changes' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  await expect(dialog.getByLabel('Scale point of rows 3, 4')).toHaveValue('Main M4')

  const endless = dialog.getByRole('note').filter({ hasText: '3 rows have no maximum scale point' })
  await expect(endless).toContainText('A contract without one gets no increments.')
  const maximum = endless.getByRole('combobox', { name: 'Maximum point of Main, 2 rows' })
  await maximum.focus()
  await page.keyboard.type('Main M6')
  await page.keyboard.press('Tab')
  await expect(maximum).toHaveValue('Main M6')
  await look(page, dialog, 'maximum')
  await dialog.getByRole('button', { name: 'Import again' }).click()
  await expect(dialog.getByRole('status')).toContainText('3 rows imported: 3 new, 0 changed, 0 unchanged.')
  await expect(dialog.getByRole('status')).toContainText('1 contract has no maximum scale point')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page
    .getByRole('grid', { name: 'Staff contracts' })
    .getByRole('row')
    .filter({ hasText: 'Teacher of art' })
    .getByRole('gridcell')
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Position')).toHaveValue('Teacher of art')
  await expect(page.getByRole('combobox', { name: 'Maximum scale point' })).toHaveValue(/M6/)

  // Escape discards the work only if the user says so, and at once if there is none.
  await visit(page, '/staffing/staff-contracts')
  const other = await give(page, ['Emp No,Job Title', `W${mark}4,Teacher`])
  await expect(other.getByText('1 row, 2 of 2 columns used.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(other).toHaveCount(0)
  const changed = await give(page, ['Emp No,Job Title', `W${mark}4,Teacher`])
  await changed.getByLabel('Contract type', { exact: true }).fill('Teacher')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Review Changes' }).getByRole('button', { name: 'Discard Changes' }).click()
  await expect(changed).toHaveCount(0)
})

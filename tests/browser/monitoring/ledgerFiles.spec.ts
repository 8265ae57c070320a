import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { createWorkbook } from '../../../server/core/workbook.ts'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, pick, signIn, visit } from '../support.ts'

const sample = (name: string): string => join(import.meta.dirname, 'ledgers', name)

/** Opens the import and chooses a file. */
async function open(page: Page, file: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Import', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles(file)
  await expect(dialog.getByRole('button', { name: 'See what changes' })).toBeVisible()
  return dialog
}

/** The same for a ledger whose files have not been imported before. */
async function openNew(page: Page, file: string): Promise<Locator> {
  const dialog = await open(page, file)
  const forget = dialog.getByRole('button', { name: /^Forget what was learned/ })
  if (await forget.isVisible()) {
    await forget.click()
    await page
      .getByRole('dialog', { name: /^Forget / })
      .getByRole('button', { name: 'Forget', exact: true })
      .click()
  }
  await expect(forget).toHaveCount(0)
  return dialog
}

/** Replaces the choice in a list of the dialog, with the keyboard alone. */
async function choosing(page: Page, box: Locator, words: string): Promise<void> {
  await box.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await pick(page, words)
}

async function save(page: Page, dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'See what changes' }).click()
  await dialog.getByRole('button', { name: /^Import/ }).click()
  await expect(dialog.getByText(/imported for September 2027/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('B-227 the month end of five schools: from three ledgers’ files in three layouts, each proved to the penny, to the closed month', {
  tag: '@journey',
}, async ({ page }) => {
  test.slow()
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/monitoring/actuals-commitments?month=2027-09')
  await expect(page.getByText(/Actuals for September 2027 are in for/)).toBeVisible()
  // A retry finds the months that the first attempt imported, and clears them.
  const clear = page.getByRole('button', { name: 'Clear the month' })
  if (await clear.isVisible()) {
    await clear.click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Clear \d/ })
      .click()
  }
  await expect(page.getByRole('heading', { name: 'Nothing has been imported for September 2027' })).toBeVisible()

  // A workbook of one school, named above the table. The bank account has no budget code.
  const trial = await openNew(page, sample('trial-balance.xlsx'))
  const proof = trial.getByRole('status', { name: 'Reconciliation to the file total' })
  await expect(trial.getByText('trial balance, 6 rows below the headings in row 6; skipped 1 total.')).toBeVisible()
  await expect(trial.getByRole('combobox', { name: 'Month', exact: true })).toHaveValue('September 2027')
  await expect(trial.getByRole('combobox', { name: 'Location' })).toHaveValue('Northgate Primary School')
  await choosing(page, trial.getByLabel('Cost centre for rows without one'), 'OFF')
  await expect(proof).toContainText('+ not mapped £95,385.35')
  await expect(trial.getByRole('button', { name: 'See what changes' })).toBeDisabled()
  expect(await breaches(page)).toEqual([])
  await choosing(page, trial.getByLabel('What 9100 is mapped to'), 'Leave out')
  await expect(proof).toContainText('File total £0.00= imported −£95,385.35+ left out on purpose £95,385.35')
  await expect(proof).toContainText('All 5 rows are accounted for, to the penny. The file’s own total in row 13 agrees')
  await trial.getByRole('button', { name: 'See what changes' }).click()
  // A server’s first long call starts its thread, which takes longer.
  await expect(trial.getByText('September 2027: added 4 lines (£105,435.75); 0 lines unchanged.')).toBeVisible({
    timeout: patience * 40_000,
  })
  expect(await breaches(page)).toEqual([])
  await trial.getByRole('button', { name: 'Back' }).click()
  await save(page, trial)
  await expect(page.locator('tr[data-index]')).toHaveCount(4)

  // A report with a section for each school and account codes of its own: some match by name, one is chosen here.
  const report = await openNew(page, sample('budget-report.csv'))
  await choosing(page, report.getByLabel('Cost centre for rows without one'), 'OFF')
  await choosing(page, report.getByLabel('What X77 is mapped to'), '4240')
  await expect(report.getByRole('status', { name: 'Reconciliation to the file total' })).toContainText('All 5 rows are accounted for')
  await save(page, report)

  // Transactions of two schools, with credits as negative amounts.
  const list = await openNew(page, sample('transactions.csv'))
  await expect(list.getByLabel('Income is')).toHaveValue('Negative: credits have a minus sign')
  await expect(list.getByRole('status', { name: 'Reconciliation to the file total' })).toContainText('File total £3,359.35')
  await save(page, list)
  await expect(page.getByText(/Actuals for September 2027 are in for 5 of \d+/)).toBeVisible()
  await expect.poll(() => page.locator('tr[data-index]').count()).toBeGreaterThanOrEqual(10)

  // The next file of the same ledger is read with the remembered choices, and a file that was imported before is recognised.
  const again = await open(page, sample('budget-report.csv'))
  await expect(again.getByRole('status', { name: 'Reconciliation to the file total' })).toContainText('All 5 rows are accounted for')
  await again.getByRole('button', { name: 'See what changes' }).click()
  await expect(again.getByText('The same file again')).toBeVisible()
  await expect(again.getByText('Nothing changes in September 2027: 7 lines are unchanged.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // The checklist shows what is left to do. One line is explained on the school’s own page.
  await visit(page, '/console/monitoring/month-end?month=2027-09')
  const checklist = page.getByRole('region', { name: 'Checklist' })
  const rowOf = (school: string): Locator => checklist.getByRole('row', { name: new RegExp(school) })
  await expect(rowOf('Harbour Central Team').getByText('missing', { exact: true })).toBeVisible()
  await rowOf('Northgate')
    .getByRole('button', { name: /needs? a reason/ })
    .press('Enter')
  const table = page.getByRole('region', { name: 'Monitoring' })
  const toExplain = table.locator('button[data-stop]')
  await expect(toExplain.first()).toBeVisible()
  const howMany = await toExplain.count()
  const second = await toExplain.nth(1).textContent()
  await toExplain.first().press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Reason').fill('It comes in October.')
  await drawer.getByLabel('Action', { exact: true }).fill('None: it is on its way.')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('Saved note')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The explained line leaves the list, and one key opens the next.
  await expect(toExplain).toHaveCount(howMany - 1)
  await expect(table.locator('button[data-stop]:focus')).toHaveText(second!)
  await threshold(page, '9999999', '9999999')

  await visit(page, '/console/monitoring/month-end?month=2027-09')
  const schools = ['Northgate', 'St Anne’s', 'Harbour Academy', 'Riverside', 'The Beacon']
  for (const school of schools)
    for (const step of ['Payroll reconciled', 'Adjustments made', 'Pack made']) {
      const box = rowOf(school).getByRole('checkbox', { name: step })
      if (!(await box.isChecked())) await box.press('Space')
      await expect(box).toBeChecked()
    }
  await expect(page.getByText(/5 locations ready to close/)).toBeVisible()
  await page.getByRole('button', { name: 'Close 5 locations' }).press('Enter')
  await expect(checklist.locator('tbody tr[data-closed=true]')).toHaveCount(5)
  expect(await breaches(page)).toEqual([])
  await page.getByText('The year', { exact: true }).click()
  const year = page.getByRole('region', { name: 'The year' })
  await expect(year.getByLabel('Closed')).toHaveCount(5)
  expect(await breaches(page)).toEqual([])

  // A closed month accepts no more imports until it is reopened with a reason.
  await visit(page, '/console/monitoring/actuals-commitments?month=2027-09')
  const late = await open(page, sample('transactions.csv'))
  await late.getByRole('button', { name: 'See what changes' }).click()
  await expect(late.getByRole('alert').getByText(/September 2027 is closed at/)).toBeVisible()
  await page.keyboard.press('Escape')
  await visit(page, '/console/monitoring/month-end?month=2027-09')
  await checklist.getByRole('checkbox', { name: 'Choose all locations' }).press('Space')
  await page.getByRole('button', { name: 'Reopen 5 locations' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Reason').fill('The journey is over')
  await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).press('Enter')
  await expect(checklist.locator('tbody tr[data-closed=true]')).toHaveCount(0)
  await threshold(page, '250', '1000')
  await visit(page, '/console/monitoring/actuals-commitments?month=2027-09')
  await page.getByRole('button', { name: 'Clear the month' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Clear \d/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Nothing has been imported for September 2027' })).toBeVisible()
})

/** Sets the variance from which a line must be explained. */
async function threshold(page: Page, amount: string, upper: string): Promise<void> {
  await visit(page, '/console/monitoring/budget-actuals?month=2027-09')
  await page.getByRole('button', { name: 'What needs explaining' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount', { exact: true }).fill(amount)
  await dialog.getByLabel('Upper amount').fill(upper)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(dialog).toHaveCount(0)
}

/** Values that no ledger file may have: an invalid date, text for an amount, a date of another year, an unknown code. */
const wrong = [
  ['31/02/2027', 'S1', '4240', 'OFF', '12.00'],
  ['01/03/2027', 'S1', '4240', 'OFF', 'a lot'],
  ['01/03/2026', 'S1', '4240', 'OFF', '1.00'],
  ['01/03/2027', 'S1', 'ZZ99', 'OFF', '5.00'],
]
const headings = ['Date', 'School', 'Code', 'Cost centre', 'Amount']

test('a file with problems lists them cell by cell, as CSV and as a workbook, and nothing of it is saved', async ({ page }, info) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/monitoring/actuals-commitments?month=2027-03')
  const [csv, xlsx, far] = ['wrong.csv', 'wrong.xlsx', 'far.csv'].map((name) => info.outputPath(name)) as [string, string, string]
  const textOf = (rows: string[][]): string => [headings, ...rows].map((row) => row.join(',')).join('\n')
  writeFileSync(csv, textOf(wrong))
  const columns = headings.map((title) => ({ title, kind: 'text' as const }))
  const rows = wrong.map((cells) => ({ cells }))
  const book = await createWorkbook('wrong.xlsx', [{ name: 'Transactions', about: ['Transactions of March'], columns, rows }])
  writeFileSync(xlsx, book.body)
  for (const [path, above] of [
    [csv, 0],
    [xlsx, 1],
  ] as const) {
    const dialog = await open(page, path)
    // Each problem shows the row, column and value, and says what to do.
    for (const [row, column, value, words] of [
      [2, 'Date', '31/02/2027', 'This day does not exist. Correct the date'],
      [3, 'Amount', 'a lot', 'This is not an amount. Enter pounds'],
      [4, 'Date', '2026-03-01', 'is outside .*March 2027. Choose the month that the file is for'],
    ] as const)
      await expect(dialog.getByRole('row', { name: new RegExp(`^${row + above} ${column} ${value} .*${words}`) })).toBeVisible()
    await expect(dialog.getByText('1 item in the file is not mapped')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'See what changes' })).toBeDisabled()
    expect(await breaches(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }

  // A month that is in no budget.
  writeFileSync(far, textOf([['01/03/2050', 'S1', '4240', 'OFF', '12.00']]))
  const dialog = await open(page, far)
  await expect(dialog.getByRole('combobox', { name: 'Month', exact: true })).toHaveValue('March 2050')
  await dialog.getByRole('button', { name: 'See what changes' }).click()
  await expect(dialog.getByRole('cell', { name: /March 2050 is not covered by any budget for Northgate Primary School/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Nothing has been imported for March 2027' })).toBeVisible()
})

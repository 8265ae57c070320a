import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import type { LocationId } from '../../../domain/values/ids.ts'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, createGate, signIn } from '../support.ts'

interface Row {
  locationId: LocationId
  employeeNumber: string
  payrollCode: string
  calculated: number | null
}

/** The rows behind a reconciliation screen, from the reply of its call. */
async function rowsOf(page: Page, open: () => Promise<unknown>): Promise<Row[]> {
  const answer = page.waitForResponse((reply) => reply.url().includes('payroll.reconcile') && reply.ok())
  await open()
  const reply = await answer
  const calls = new URL(reply.url()).pathname.split('/').at(-1)!.split(',')
  const bodies: { result: { data: { json: { rows: Row[] } } } }[] = await reply.json()
  return bodies[calls.indexOf('payroll.reconcile')]!.result.data.json.rows
}

test(
  'B-208 B-211 B-212 B-216 B-220 a month is reconciled with the keyboard: file, exceptions, reasons, carrying forward, completing, reopening',
  { tag: '@journey' },
  async ({ page }, { retry }) => {
    test.setTimeout(patience * 120_000)
    // Each retry uses a new month, because a completed month stays.
    const month = ['2027-04', '2027-05', '2027-06'][retry] ?? '2027-07'
    const words = { '2027-04': 'April 2027', '2027-05': 'May 2027', '2027-06': 'June 2027', '2027-07': 'July 2027' }[month]
    await signIn(page, 'finance@harbour.example')
    await choose(page, 'Location', 'Northgate Primary School')
    const rows = await rowsOf(page, () => page.goto(`/payroll/reconciliation?month=${month}`))
    await expect(page.getByRole('heading', { name: 'Payroll reconciliation' })).toBeVisible()
    await expect(page.getByRole('heading', { name: `No payroll for ${words} yet` })).toBeVisible()
    expect(await breaches(page, 'main')).toEqual([])

    // Everybody is paid as calculated, except one who is not in the pension scheme, one who gets ten pounds more, and one unknown employee.
    const place = rows.filter((row) => row.calculated && row.payrollCode && row.locationId === rows[0]!.locationId)
    const alone = [...new Set(place.map((row) => row.employeeNumber))].filter((number) =>
      ['100', '800', '810'].every((code) => place.some((row) => row.employeeNumber === number && row.payrollCode === code)),
    )
    const [outside, more] = [alone[0]!, alone[1]!]
    const paid = place.flatMap((row) => {
      if (row.employeeNumber === outside && row.payrollCode === '810') return []
      const extra = row.employeeNumber === more && row.payrollCode === '100' ? 10 : 0
      return [`${row.employeeNumber},${row.payrollCode},${(row.calculated! + extra).toFixed(2)}`]
    })
    // An amount of this attempt only: a file identical to another month’s would raise a question.
    const stranger = `123.4${retry}`
    const file = ['EmployeeNumber,PayrollCode,Actual', ...paid, `999999,100,${stranger}`, ''].join('\n')
    await page.getByRole('button', { name: `Import the payroll for ${words}` }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]').setInputFiles({ name: 'payroll.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await dialog.getByRole('button', { name: /^Import/ }).press('Enter')
    const end = dialog.getByRole('button', { name: 'Done' })
    await expect(end).toBeVisible({ timeout: patience * 40_000 })
    await end.press('Enter')
    await expect(page.getByText('1 employee number not found here: 999999.')).toBeVisible()
    await expect(page.getByRole('status', { name: 'Reconciliation to the file total' })).toContainText('agrees to the penny')
    expect(await breaches(page, 'main')).toEqual([])

    // Exceptions.
    await page.getByRole('button', { name: 'Next: exceptions' }).press('Enter')
    const table = page.getByRole('region', { name: 'Employees' })
    await expect(table.getByRole('button', { name: '999999' })).toBeVisible()
    await expect(table.getByText(`£${stranger} was paid to an unknown employee number.`)).toBeVisible()
    expect(await breaches(page, 'main')).toEqual([])

    // Differences, largest first, with the keyboard alone.
    await page.getByRole('button', { name: 'Next', exact: true }).press('Enter')
    await expect(page.getByText('Looking for causes')).toHaveCount(0, { timeout: patience * 40_000 })
    const pension = table.getByRole('button', { name: new RegExp(outside) })
    // The table is one stop of the Tab key: the arrow keys move within it, and X selects.
    await pension.focus()
    const stops = table.locator('table').locator('button, input, a[href]')
    expect(await stops.evaluateAll((all) => all.filter((one) => one instanceof HTMLElement && one.tabIndex >= 0).length)).toBe(1)
    const chosen = table.getByRole('checkbox', { name: /^Choose (?!all)/, checked: true })
    await page.keyboard.press('x')
    await expect(chosen).toHaveCount(1)
    await page.keyboard.press('x')
    await expect(chosen).toHaveCount(0)
    await page.keyboard.press('Enter')
    const why = table.getByRole('list', { name: 'Causes' })
    await expect(why.getByText(/^Paid without employer pension, which the budget has: not in the pension scheme, −/)).toBeVisible()
    expect(await breaches(page, 'main')).toEqual([])
    await pension.focus()
    await page.keyboard.press('a')
    await expect(page.getByText('Saved note').first()).toBeVisible()
    await expect(why.getByRole('button', { name: 'Accept' })).toHaveCount(0)
    await page.getByRole('radio', { name: /^Unexplained/ }).focus()
    await page.keyboard.press('Space')
    const ten = table.getByRole('button', { name: new RegExp(more) })
    await ten.focus()
    await page.keyboard.press('e')
    await page.keyboard.type('A payment in lieu.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(ten).toHaveCount(0)
    await page.getByRole('radio', { name: /^Different/ }).focus()
    await page.keyboard.press('Space')
    await ten.focus()
    const carried = table
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: new RegExp(more) }) })
      .locator('td')
      .nth(-3)
    // A choice shows at once; when the server refuses it, the old value returns and the reason is shown.
    const refused = createGate()
    await page.route(/trpc\/[^?]*payroll\.carryMany/, async (route) => {
      await refused.until
      await route.fulfill({ status: 500, body: '' })
    })
    await page.keyboard.press('c')
    await expect(carried).toHaveText('10.00')
    refused.go()
    await expect(page.getByText('The server cannot be reached.')).toBeVisible()
    await expect(carried).toBeEmpty()
    await page.unroute(/trpc\/[^?]*payroll\.carryMany/)
    await ten.focus()
    await page.keyboard.press('c')
    await expect(page.getByText('Carried Forward').first()).toBeVisible()
    // An amount cleared with the keyboard can be restored with Ctrl Z.
    await expect(carried).not.toBeEmpty()
    await page.keyboard.press('c')
    await expect(carried).toBeEmpty()
    await expect(page.getByText('Cleared Carry Forward')).toBeVisible()
    await page.keyboard.press('Control+z')
    await expect(carried).not.toBeEmpty()

    // Completing the month first saves what is still being typed and makes the month read-only. Reopening it needs a reason, which is kept.
    await ten.focus()
    await page.keyboard.press('c')
    await expect(carried).toBeEmpty()
    const late = createGate()
    const reached: string[] = []
    await page.route(/trpc\/[^?]*payroll\.(carryMany|complete)/, async (route) => {
      const name = /carryMany|complete/.exec(route.request().url())?.[0] ?? ''
      if (name === 'carryMany') await late.until
      reached.push(name)
      await route.continue()
    })
    await page.keyboard.press('c')
    await expect(carried).not.toBeEmpty()
    await page.getByRole('button', { name: 'Next', exact: true }).press('Enter')
    const complete = page.getByRole('button', { name: 'Complete', exact: true })
    await complete.press('Enter')
    await expect(complete).toBeDisabled()
    late.go()
    await expect(page.getByText(`Completed ${words}`).first()).toBeVisible()
    await expect(page.getByText(`${words} is complete. To change anything, reopen the month`)).toBeVisible()
    expect(reached).toEqual(['carryMany', 'complete'])
    await page.unroute(/trpc\/[^?]*payroll\.(carryMany|complete)/)
    expect(await breaches(page, 'main')).toEqual([])
    await page.goto(`/payroll/reconciliation?month=${month}&step=differences`)
    await expect(ten).toBeVisible()
    await ten.press('Enter')
    await expect(page.getByRole('button', { name: /Carry forward|Write a note|Accept/ })).toHaveCount(0)
    await page.goto(`/payroll/reconciliation?month=${month}&step=complete`)
    await page.getByRole('button', { name: `Reopen ${words}` }).press('Enter')
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
    await page.keyboard.type('The pension was put right.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).press('Enter')
    await expect(page.getByText(`Reopened ${words}`).first()).toBeVisible()
    await expect(page.getByText(/The pension was put right\./)).toBeVisible()

    // A month cleared by mistake can be restored whole.
    await page.goto(`/payroll/reconciliation?month=${month}&step=file`)
    const clear = page.getByRole('button', { name: 'Clear the month' })
    await clear.press('Enter')
    const question = page.getByRole('dialog', { name: `Clear ${words}` })
    await expect(question.getByRole('radio', { name: 'Everything' })).toBeChecked()
    expect(await breaches(page)).toEqual([])
    await question.getByRole('button', { name: `Clear ${words}` }).press('Enter')
    await expect(page.getByText(`Cleared ${words}`).first()).toBeVisible()
    await expect(page.getByRole('heading', { name: `No payroll for ${words} yet` })).toBeVisible()
    await page.keyboard.press('Control+z')
    await expect(page.getByRole('status', { name: 'Reconciliation to the file total' })).toContainText('agrees to the penny')
    await page.goto(`/payroll/reconciliation?month=${month}&step=differences`)
    await ten.focus()
    await expect(carried).not.toBeEmpty()
  },
)

test('three months with the keyboard: a late award carried forward, ten differences with ten causes, and a wide file with an unknown code', async ({
  page,
}) => {
  test.setTimeout(patience * 240_000)
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  const table = page.getByRole('region', { name: 'Employees' })
  const names = table.locator('button[data-stop]')
  const rowOf = (index: number) => table.locator('tbody', { has: page.locator('button[data-stop]') }).nth(index)

  // September: the award that was paid late gets a note and is carried forward.
  await page.goto('/payroll/reconciliation?month=2026-09&step=differences')
  // The first reconciliation of a payroll starts its costing, which takes longer.
  await expect(page.getByText('September 2026 is complete. To change anything, reopen the month')).toBeVisible({
    timeout: patience * 40_000,
  })
  await expect(table.getByText('The 1 September award has not been paid yet.').first()).toBeVisible()

  // October: ten differences, each with its cause; what is still owed is carried forward.
  await page.goto('/payroll/reconciliation?month=2026-10&step=differences')
  await expect(table.getByText(/: award not paid yet,/)).toBeVisible({ timeout: patience * 60_000 })
  // The demo has ten, but other journeys may have changed contracts of this school.
  const different = page.getByRole('radio', { name: /^Different [1-9]\d / })
  await expect(different).toBeChecked()
  const shownCount = (await page.locator('label', { hasText: /^Different \d/ }).textContent()) ?? ''
  const count = Number(/\d+/.exec(shownCount)![0])
  // The correction of an increment is made in its contract, with the cost of the year beside it, and saved by the user.
  const paidLow = table.locator('tbody', { hasText: ': increment not given,' }).first()
  await paidLow.locator('button[data-stop]').press('Enter')
  await paidLow.getByRole('button', { name: 'Correct it' }).first().press('Enter')
  await expect(page.getByRole('alert', { name: /: increment not given,/ })).toBeVisible()
  await expect(page.getByText('The correction is made below but not saved yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Save/ }).first()).toBeEnabled()
  await page.goBack()
  await page.getByRole('button', { name: 'Discard Changes' }).press('Enter')
  await expect(different).toBeChecked()
  await names.first().focus()
  for (let index = 0; index < count; index++) {
    const name = names.nth(index)
    await expect(name).toBeFocused()
    if (await rowOf(index).getByText('Proposed:').isVisible()) await page.keyboard.press('a')
    else {
      await page.keyboard.press('e')
      await page.keyboard.type('A contract that another journey changed.')
      await page.keyboard.press('Control+s')
    }
    await expect(rowOf(index)).not.toContainText('Proposed:')
    const isLate = await rowOf(index).getByText('award not paid yet').first().isVisible()
    // An earlier attempt may have carried it forward already.
    if (isLate && (await rowOf(index).getByRole('cell').nth(8).textContent()) === '') {
      await page.keyboard.press('c')
      await expect(rowOf(index).getByRole('cell').nth(8)).not.toBeEmpty()
    }
    await page.keyboard.press('ArrowDown')
  }
  await expect(page.getByRole('radio', { name: /^Unexplained 0/ })).toBeDisabled()

  // Differences that are not carried forward do not keep the month from being completed.
  await page.getByRole('button', { name: 'Next', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Complete', exact: true }).press('Enter')
  // The notices of the ten notes appear first.
  await expect(page.getByRole('button', { name: 'Reopen October 2026' })).toBeVisible()
  await expect(page.getByText('October 2026 is complete. To change anything, reopen the month')).toBeVisible()

  // November, for all schools: the provider’s wide file, with an unknown pay element.
  await page.goto('/payroll/reconciliation?month=2026-11&location=all&step=month')
  await expect(page.getByRole('region', { name: 'Locations' }).getByText('not yet')).not.toHaveCount(0)
  await page.getByRole('button', { name: 'Next: the file' }).press('Enter')
  await page.getByRole('button', { name: 'Import the payroll for November 2026' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Import the payroll for November 2026' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(withHonorarium) })
  await expect(dialog.getByText('a column for each element')).toBeVisible()
  await expect(dialog.getByText('1 item in the file is not mapped: 240.00')).toBeVisible()
  await expect(dialog.getByRole('status', { name: 'Reconciliation to the file total' })).toContainText('not mapped yet')
  expect(await breaches(page, '[role=dialog]')).toEqual([])
  const setUp = dialog.getByRole('button', { name: 'Set up' })
  await setUp.press('Enter')
  const record = page.getByRole('dialog', { name: 'Add payroll provider code' })
  await expect(record.getByRole('textbox', { name: 'Code', exact: true })).toHaveValue('Honorarium')
  await expect(record.getByRole('combobox', { name: 'Element' })).toHaveValue('Other')
  await record.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('Created new Payroll provider code').first()).toBeVisible()
  await expect(dialog.getByText(/accounted for, to the penny/)).toBeVisible()
  await dialog.getByRole('button', { name: /^Import £/ }).press('Enter')
  const end = dialog.getByRole('button', { name: 'Done' })
  await expect(end).toBeFocused({ timeout: patience * 40_000 })
  await page.keyboard.press('Enter')
  await expect(page.getByText('employee numbers were matched without leading zeros or spaces')).toBeVisible()

  // The exceptions of all schools, then the differences: an unknown employee, one not in the pension scheme again, and the new element.
  await page.getByRole('button', { name: 'Next: exceptions' }).press('Enter')
  await expect(table.getByText(/was paid to an unknown employee number./)).toBeVisible({ timeout: patience * 60_000 })
  await page.getByRole('button', { name: 'Next', exact: true }).press('Enter')
  await expect(table.getByText(/: not in the pension scheme,/)).toBeVisible()
  await page.getByRole('radio', { name: /^Unexplained/ }).focus()
  await page.keyboard.press('Space')
  await names.first().focus()
  // An explained employee leaves the list, and the next one gets the focus.
  for (let left = await names.count(); left > 0; left--) {
    await expect(names.first()).toBeFocused()
    if (await rowOf(0).getByText('Proposed:').isVisible()) await page.keyboard.press('a')
    else {
      await page.keyboard.press('e')
      await page.keyboard.type('Asked the provider.')
      await page.keyboard.press('Control+s')
    }
    await expect(names).toHaveCount(left - 1)
  }
  await page.getByRole('button', { name: 'Next', exact: true }).press('Enter')
  await expect(page.getByRole('row', { name: 'Unexplained 0 employees' })).toBeVisible()
  await page.getByRole('button', { name: /^Complete and carry \d+ differences forward$/ }).press('Enter')
  await expect(page.getByText('Completed November 2026').first()).toBeVisible()
})

/** November’s wide file with one more pay element, of which one employee is paid 240.00. */
const withHonorarium = readFileSync('docs/users/files/payroll-2026-11-wide.csv', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line, index, all) => `${line},${['', 'Honorarium', '240.00'][index] ?? (index === all.length - 1 ? '240.00' : '')}`)
  .join('\n')

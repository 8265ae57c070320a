import { expect, type Page, test } from '@playwright/test'
import { breaches, choose, signIn } from './support.ts'

interface Row {
  locationId: number
  employeeNumber: string
  payrollCode: string
  calculated: number | null
}

/** The rows that the reconciliation of a screen is made of, as its call answered. */
async function rowsOf(page: Page, open: () => Promise<unknown>): Promise<Row[]> {
  const answer = page.waitForResponse((reply) => reply.url().includes('payroll.reconcile') && reply.ok())
  await open()
  const reply = await answer
  const calls = new URL(reply.url()).pathname.split('/').at(-1)!.split(',')
  const bodies: { result: { data: { json: { rows: Row[] } } } }[] = await reply.json()
  return bodies[calls.indexOf('payroll.reconcile')]!.result.data.json.rows
}

test('B-208 B-211 B-212 B-216 B-220 a month is reconciled with the keyboard: file, exceptions, reasons, carrying forward, completing, reopening', async ({
  page,
}, { retry }) => {
  test.setTimeout(120_000)
  // Each try has a month of its own: a completed one stays.
  const month = ['2027-04', '2027-05', '2027-06'][retry] ?? '2027-07'
  const words = { '2027-04': 'April 2027', '2027-05': 'May 2027', '2027-06': 'June 2027', '2027-07': 'July 2027' }[month]
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  const rows = await rowsOf(page, () => page.goto(`/payroll/reconciliation?month=${month}`))
  await expect(page.getByRole('heading', { name: 'Payroll reconciliation' })).toBeVisible()
  await expect(page.getByRole('heading', { name: `No payroll of ${words} yet` })).toBeVisible()
  expect(await breaches(page, 'main')).toEqual([])

  // Paid as calculated, but for one who is out of the pension, one who has ten pounds more, and one whom nobody knows.
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
  // The same file for another month would be asked about.
  const stranger = `123.4${retry}`
  const file = ['EmployeeNumber,PayrollCode,Actual', ...paid, `999999,100,${stranger}`, ''].join('\n')
  await page.getByRole('button', { name: `Import the payroll of ${words}` }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'payroll.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await dialog.getByRole('button', { name: /^Import/ }).press('Enter')
  const end = dialog.getByRole('button', { name: 'Done' })
  await expect(end).toBeVisible({ timeout: 40_000 })
  await end.press('Enter')
  await expect(page.getByText('1 employee number that nobody here has: 999999.')).toBeVisible()
  await expect(page.getByRole('status', { name: 'Proof of the total' })).toContainText('proved to the penny')
  expect(await breaches(page, 'main')).toEqual([])

  // Exceptions.
  await page.getByRole('button', { name: 'Next: exceptions' }).press('Enter')
  const table = page.getByRole('region', { name: 'Employees' })
  await expect(table.getByRole('button', { name: '999999' })).toBeVisible()
  await expect(table.getByText(`£${stranger} was paid to an employee number that nobody here has.`)).toBeVisible()
  expect(await breaches(page, 'main')).toEqual([])

  // Differences, from the largest to the smallest, by the keyboard alone.
  await page.getByRole('button', { name: 'Next', exact: true }).press('Enter')
  await expect(page.getByText('Looking for causes')).toHaveCount(0, { timeout: 40_000 })
  const pension = table.getByRole('button', { name: new RegExp(outside) })
  await pension.focus()
  await page.keyboard.press('Enter')
  const why = table.getByRole('list', { name: 'Why' })
  await expect(why.getByText(/^Paid without employer pension, which the budget has: out of the pension, −/)).toBeVisible()
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
  await page.keyboard.press('c')
  await expect(page.getByText('Carried Forward').first()).toBeVisible()

  // Completing makes the month read only; it is opened again with a reason that stays.
  await page.getByRole('button', { name: 'Next', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Complete', exact: true }).press('Enter')
  await expect(page.getByText(`Completed ${words}`).first()).toBeVisible()
  await expect(page.getByText(`${words} is complete. Reopen it with a reason`)).toBeVisible()
  expect(await breaches(page, 'main')).toEqual([])
  await page.goto(`/payroll/reconciliation?month=${month}&step=differences`)
  await expect(ten).toBeVisible()
  await ten.press('Enter')
  await expect(page.getByRole('button', { name: /Carry forward|Write a note|Accept/ })).toHaveCount(0)
  await page.goto(`/payroll/reconciliation?month=${month}&step=complete`)
  await page.getByRole('button', { name: `Reopen ${words}` }).press('Enter')
  await page.keyboard.type('The pension was put right.')
  await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).press('Enter')
  await expect(page.getByText(`Reopened ${words}`).first()).toBeVisible()
  await expect(page.getByText(/The pension was put right\./)).toBeVisible()
})

test('ten differences of ten causes are explained with the keyboard, after a month whose late award was carried forward', async ({
  page,
}) => {
  test.setTimeout(150_000)
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  const table = page.getByRole('region', { name: 'Employees' })
  const names = table.locator('button[data-row]')
  const rowOf = (index: number) => table.locator('tbody', { has: page.locator('button[data-row]') }).nth(index)

  // September: the award that was paid late is noted and carried forward.
  await page.goto('/payroll/reconciliation?month=2026-09&step=differences')
  // The first costing of a payroll begins what costs it.
  await expect(page.getByText('September 2026 is complete. Reopen it with a reason')).toBeVisible({ timeout: 40_000 })
  await expect(table.getByText('The award of 1 September is not paid yet.').first()).toBeVisible()

  // October: ten differences, each with its reason; what is still owed is carried forward.
  await page.goto('/payroll/reconciliation?month=2026-10&step=differences')
  await expect(table.getByText(/: award not paid yet,/)).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('radio', { name: /^Different 10 / })).toBeChecked()
  await names.first().focus()
  for (let index = 0; index < 10; index++) {
    const name = names.nth(index)
    await expect(name).toBeFocused()
    await page.keyboard.press('a')
    await expect(rowOf(index)).not.toContainText('Proposed:')
    const isLate = await rowOf(index).getByText('award not paid yet').isVisible()
    // An earlier try may have carried it.
    if (isLate && (await rowOf(index).getByRole('cell').nth(9).textContent()) === '') {
      await page.keyboard.press('c')
      await expect(rowOf(index).getByRole('cell').nth(9)).not.toBeEmpty()
    }
    await page.keyboard.press('ArrowDown')
  }
  await expect(page.getByRole('radio', { name: /^Unexplained 0/ })).toBeDisabled()
})

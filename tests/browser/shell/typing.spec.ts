import { expect, test } from '@playwright/test'
import { choose, signIn, visit } from '../support.ts'

test('amounts are typed with thousands commas and a leading minus, and neither counts as a change before it makes a number', async ({
  page,
}) => {
  await signIn(page, 'northgate@harbour.example', '/non-staffing/budget-entries/add')
  const amount = page.getByRole('textbox', { name: 'Amount', exact: true })
  const typing: [string, string][] = [
    ['12,000', '£12,000'],
    ['25,000.50', '£25,000.5'],
    ['1,234.5o', '£1,234.5'],
    ['-250', '-£250'],
    ['-', ''],
    ['0.05', '£0.05'],
    ['9'.repeat(30), `£${Number('9'.repeat(15)).toLocaleString('en-GB')}`],
  ]
  for (const [typed, shown] of typing) {
    await amount.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
    await expect(amount).toHaveValue(shown)
  }
  // The calculated fields follow, and each of the other fields accepts a minus as well.
  await amount.fill('-250')
  for (const name of [/^Increase for /, /^Amount for /]) {
    const field = page.getByRole('textbox', { name }).first()
    await field.focus()
    await page.keyboard.type('-1,250')
    await page.keyboard.press('Tab')
    await expect(field).toHaveValue(name.source.includes('Increase') ? '-1250' : '-£1,250')
    await field.fill('')
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('This page failed')).toHaveCount(0)
})

test('fields accept only what they can hold: pupils take no minus, and a percentage keeps its decimals', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/non-staffing/pupil-numbers')
  const count = page.getByRole('textbox', { name: /^Reception, October/ }).last()
  await count.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('-61.5')
  await expect(count).toHaveValue('61.5')
  await expect(page.getByText('This page failed')).toHaveCount(0)
})

test('a date that does not exist is refused with a sentence, and the former date returns', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/staffing/staff-contracts/add')
  const start = page.getByRole('textbox', { name: 'Start date' })
  await expect(start).toBeVisible()
  const before = await start.inputValue()
  for (const typed of ['31/02/2029', '12/31/2027', '29/02/2027', '1/9/202', 'soon']) {
    await start.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
    await expect(page.getByText(`${typed} is not a valid date. Enter day, month and year, such as 01/09/2026.`)).toBeVisible()
    await expect(start).toHaveValue(before)
  }
  await start.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('30/02/2027')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('30/02/2027 is not a valid date.')).toBeVisible()
  for (const [typed, shown] of [
    ['1/3/27', '01 Mar, 2027'],
    ['29.02.2028', '29 Feb, 2028'],
    ['2 Mar 2027', '02 Mar, 2027'],
  ] as const) {
    await start.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
    await expect(start).toHaveValue(shown)
    await expect(page.getByText('is not a valid date.')).toHaveCount(0)
  }
})

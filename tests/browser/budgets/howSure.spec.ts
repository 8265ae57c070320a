import { expect, test } from '@playwright/test'
import { breaches, choose, signIn, visit } from '../support.ts'

test('a person says what nobody knows, and reads how likely a deficit is; a refused value keeps what was typed', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/overview/how-sure')
  await expect(page.getByRole('heading', { name: 'How sure are we', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Add driver' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add driver' })
  // What is missing is said at its field.
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog.getByText('Likely is required.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'What is uncertain' }).click()
  await page.getByRole('option', { name: 'Pupils in a year group' }).click()
  await dialog.getByLabel('Name').fill('Reception intake')
  await dialog.getByRole('combobox', { name: 'Year group' }).click()
  await page.getByRole('option', { name: 'Reception' }).click()
  for (const [label, value] of [
    ['Low', '20'],
    ['Likely', '30'],
    ['High', '34'],
  ] as const)
    await dialog.getByRole('textbox', { name: label }).fill(value)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)

  const drivers = page.getByRole('table', { name: 'Drivers' })
  const likely = drivers.getByRole('textbox', { name: 'Likely of Reception intake' })
  await likely.fill('50')
  await page.getByRole('button', { name: 'Work it out' }).click()
  await expect(drivers.getByText('Likely must be between low and high.')).toBeVisible()
  await expect(likely).toHaveValue('50')
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toHaveCount(0)

  await likely.fill('30')
  await page.getByRole('button', { name: 'Work it out' }).click()
  const result = page.getByRole('region', { name: 'Result', exact: true })
  await expect(result).toContainText(/^In .* futures? .*the reserve .*below zero at the end of 20\d\d\/\d\d\./)
  await expect(result).toContainText('opening reserve')
  await expect(page.getByRole('table', { name: 'Closing reserve of each year' }).getByRole('row')).toHaveCount(6)
  await expect(
    page.getByRole('table', { name: 'What affects the result most' }).getByRole('row', { name: /Reception intake/ }),
  ).toContainText('%')
  await page.getByText('How it was worked out').click()
  await expect(page.getByText(/Seed \d+, engine/)).toBeVisible()
  expect(await breaches(page, 'main')).toEqual([])

  // The figures stay, with a note, when a value is changed.
  await likely.fill('31')
  await expect(page.getByText('The drivers have changed since these figures were worked out.')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(result).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

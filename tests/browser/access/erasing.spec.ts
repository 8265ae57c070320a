import { expect, type Page, test } from '@playwright/test'
import { addPerson, breaches, choose, signIn } from '../support.ts'

const people = '/console/staffing/staff-members'

async function add(page: Page, forename: string, number: string): Promise<void> {
  await page.goto(`${people}/add`)
  await page.getByRole('textbox', { name: 'Employee number' }).fill(number)
  await page.getByRole('textbox', { name: 'Forename' }).fill(forename)
  await page.getByRole('textbox', { name: 'Surname' }).fill('Quillfeather')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Staff member').first()).toBeVisible()
}

test('an employee is erased after a confirmation: no list shows them, the history says who did it, and their number is free', async ({
  page,
}) => {
  const number = `Q${Date.now() % 1e6}`
  const forename = `Perpetua${number}`
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await add(page, forename, number)
  // Before the erasure, the employee’s data are exported for them.
  await page.getByRole('button', { name: 'Subject-access pack' }).click()
  const handed = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'PDF to give to the person' }).click()
  expect((await handed).suggestedFilename()).toMatch(/^Subject-access pack.*\.pdf$/)
  await page.getByRole('button', { name: 'Erase personal data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase personal data' })
  await expect(dialog).toContainText('You cannot undo this.')
  await expect(dialog).toContainText('every figure to the penny')
  const again = dialog.getByRole('textbox', { name: /to confirm/ })
  await expect(again).toBeFocused()
  await again.fill(`${number}0`)
  await expect(dialog.getByRole('button', { name: 'Erase permanently' })).toBeDisabled()
  await again.fill(number)
  await dialog.getByRole('button', { name: 'Erase permanently' }).click()
  await expect(page.getByText('Erased personal data').first()).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${people}(\\?|$)`))

  const search = page.locator('#content').getByPlaceholder(/^Search/)
  for (const word of [forename, number]) {
    await search.fill(word)
    await expect(page.getByText(/^0 .* match$/)).toBeVisible()
  }
  // An employee who returns becomes a new record with the same number.
  await add(page, 'Comeback', number)
  await expect(page.getByRole('heading', { name: /Comeback/ })).toBeVisible()
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByText(forename)).toHaveCount(0)
})

test('a user is erased after a confirmation: they cannot sign in, and their changes are shown under a number', async ({ page }) => {
  const email = `perpetua.${Date.now() % 1e7}@harbour.example`
  await signIn(page, 'admin@bursar.example')
  await addPerson(page, { email, forename: 'Perpetua', surname: 'Quillfeather' })
  const search = page.locator('#content').getByPlaceholder(/^Search/)
  await page.goto('/administrator/users')
  await search.fill(email)
  // The search re-renders the list: a row replaced during the click would not open, so wait for the final list.
  await expect(page.locator('tr[data-index]')).toHaveCount(1)
  await page.getByRole('gridcell', { name: email }).click()
  await page.getByRole('button', { name: 'Erase personal data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase personal data' })
  await expect(dialog).toContainText('You cannot undo this.')
  const again = dialog.getByRole('textbox', { name: /to confirm/ })
  await expect(again).toBeFocused()
  expect(await breaches(page)).toEqual([])
  await again.fill('somebody.else@harbour.example')
  await expect(dialog.getByRole('button', { name: 'Erase permanently' })).toBeDisabled()
  await again.fill(email)
  await dialog.getByRole('button', { name: 'Erase permanently' }).click()
  await expect(page.getByText('Erased personal data').first()).toBeVisible()
  await expect(page).toHaveURL(/\/administrator\/users(\?|$)/)
  await search.fill(email)
  await expect(page.getByText(/^0 .* match$/)).toBeVisible()
  await search.fill('Erased')
  await page.getByRole('gridcell', { name: 'Erased' }).first().click()
  await expect(page.getByRole('heading', { name: /^Erased user \d+$/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Erase personal data' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByText('erased the personal data')).toBeVisible()
  await expect(page.getByText('Perpetua')).toHaveCount(0)
})

import { expect, test } from '@playwright/test'
import { choose, signIn, visit } from '../support.ts'

test('B-069 B-070 a changed term is used in the menu and the titles at once, and its default can be restored', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/general/terminology')
  const menu = page.getByRole('navigation', { name: 'Areas' })
  await menu.getByRole('button', { name: 'Expand Coding' }).click()
  await page.getByLabel('Plural of Student group').fill('Cohorts')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Updated term')).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Cohorts' })).toBeVisible()
  await menu.getByRole('link', { name: 'Cohorts' }).click()
  await expect(page).toHaveTitle('Cohorts - Console - Harbour Learning Trust')
  await page.goBack()
  await page
    .getByRole('row', { name: /Student group/ })
    .getByRole('button', { name: 'Restore default' })
    .click()
  await expect(page.getByText('Deleted term')).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Student groups' })).toBeVisible()
})

import { expect, type Page, test } from '@playwright/test'
import { breaches, choose, signIn, visit } from '../support.ts'

const groups = '/console/budget-management/groups'

async function pick(page: Page, label: string, words: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.keyboard.type(words)
  await page.getByRole('option', { name: new RegExp(words) }).click()
}

test('a budget group claims the Employment Allowance, with a budget code and cost centre to post it to, and turns it off', async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, `${groups}/add`)
  await page.getByLabel('Name').fill('Claims the allowance')
  await expect(page.getByRole('combobox', { name: 'Budget code for the allowance' })).toHaveCount(0)
  await page.getByLabel('Claim the Employment Allowance').check()
  await pick(page, 'Budget code for the allowance', '4400')
  await page.getByRole('combobox', { name: 'Cost centre for the allowance' }).click()
  await page.getByRole('option').first().click()
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const scheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: scheme })
      await page.evaluate((to) => document.documentElement.setAttribute('data-mantine-color-scheme', to), scheme)
      expect(await breaches(page, 'main')).toEqual([])
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(over, `${width} ${scheme}`).toBeLessThanOrEqual(0)
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/allowance-${width}-${scheme}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByLabel('Name').click()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Budget group').first()).toBeVisible()
  await page.getByRole('link', { name: 'Claims the allowance' }).click()
  await expect(page.getByLabel('Claim the Employment Allowance')).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'Budget code for the allowance' })).toHaveValue(/4400/)
  await page.getByLabel('Claim the Employment Allowance').uncheck()
  await expect(page.getByRole('combobox', { name: 'Budget code for the allowance' })).toHaveCount(0)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Updated Budget group').first()).toBeVisible()
  await page.getByRole('link', { name: 'Claims the allowance' }).click()
  await expect(page.getByLabel('Claim the Employment Allowance')).not.toBeChecked()
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(page.getByRole('link', { name: 'Claims the allowance' })).toHaveCount(0)
})

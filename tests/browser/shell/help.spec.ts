import { expect, test } from '@playwright/test'
import { breaches, signIn } from '../support.ts'

test('help opens beside the screen, links to the screens it names, and is found from everywhere', { tag: '@journey' }, async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/overview/summary')
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Help' })
  await expect(panel.getByRole('region', { name: 'On this screen' }).getByRole('button')).toHaveText(['Read the summary of a budget'])
  await panel.getByRole('button', { name: 'Read the summary of a budget' }).click()
  await expect(panel.getByRole('heading', { name: 'Read the summary of a budget' })).toBeVisible()
  expect(await breaches(page, 'aside')).toEqual([])
  await panel.getByRole('link', { name: 'pupil numbers' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Pupil numbers' })).toBeVisible()
  await panel.getByRole('button', { name: 'All help' }).click()
  await panel.getByRole('searchbox', { name: 'Search help' }).fill('maternity')
  await expect(panel.getByRole('region', { name: 'Found' }).getByRole('button').first()).toHaveText('Maternity and other extended leave')
  await panel.getByRole('button', { name: 'Close help' }).click()
  await expect(panel).toBeHidden()

  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await page.getByRole('textbox', { name: 'Search or jump to' }).fill('glossary')
  await page.getByRole('button', { name: 'Glossary' }).click()
  await expect(panel.getByRole('heading', { name: 'Lagged funding' })).toBeVisible()
})

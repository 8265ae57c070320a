import { expect, test } from '@playwright/test'
import { breaches, choose, signIn } from './support.ts'

test('the summary puts all money together by cost centre and by fund, and both come to the year at a glance', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/overview/summary')
  const tile = (heading: RegExp) =>
    page
      .locator('[class*="_tile_"]')
      .filter({ has: page.getByText(heading) })
      .locator('strong')
  const income = await tile(/^Income /).textContent()
  const staffing = await tile(/^Staffing$/).textContent()
  await page.getByRole('tab', { name: 'By centre and fund' }).click()
  for (const by of ['cost centre', 'fund code']) {
    const table = page.getByRole('region', { name: `By ${by}` })
    await expect(table.locator('tbody tr')).not.toHaveCount(1)
    const all = table.locator('tr[class*="_total_"] td')
    await expect(all.nth(0)).toContainText(income!)
    await expect(all.nth(1)).toContainText(staffing!)
    if (by === 'cost centre') await page.getByRole('radiogroup', { name: 'Put together by' }).getByText('Fund codes').click()
  }
  expect(await breaches(page)).toEqual([])
})

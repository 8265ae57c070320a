import { expect, test } from '@playwright/test'
import { breaches, choose, signIn } from '../support.ts'

test('the summary totals all money by cost centre and by fund, and both agree with the year at a glance', { tag: '@journey' }, async ({
  page,
}) => {
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
  // The chart as an image, with its title above, and as a table. A headless browser may have no clipboard.
  const chart = page.getByRole('region', { name: 'Surplus or deficit by year' })
  await expect(chart.locator('.recharts-bar-rectangle').first()).toBeVisible()
  const copied = await page.evaluateHandle(() => {
    const seen: { height: number; drawn: number } = { height: 0, drawn: 0 }
    navigator.clipboard.write = async ([item]) => {
      seen.drawn = document.querySelector('.recharts-wrapper > svg')!.getBoundingClientRect().height
      seen.height = (await createImageBitmap(await item!.getType('image/png'))).height
    }
    return seen
  })
  await chart.getByRole('button', { name: 'Copy the chart as an image' }).press('Enter')
  await expect.poll(() => copied.evaluate(({ height, drawn }) => Math.round(height / 2 - drawn))).toBe(64)
  await chart.getByRole('radiogroup').getByText('Table').click()
  await expect(chart.getByRole('row', { name: /^Income/ })).toContainText(income!)
  await expect(chart.getByRole('row', { name: /^Staffing/ })).toContainText(staffing!)
  await expect(chart.getByRole('button', { name: 'Copy the chart as an image' })).toHaveCount(0)

  await page.getByRole('tab', { name: 'By centre and fund' }).click()
  for (const by of ['cost centre', 'fund code']) {
    const table = page.getByRole('region', { name: `By ${by}` })
    await expect(table.locator('tbody tr')).not.toHaveCount(1)
    const all = table.locator('tr[class*="_total_"] td')
    await expect(all.nth(0)).toContainText(income!)
    await expect(all.nth(1)).toContainText(staffing!)
    if (by === 'cost centre') await page.getByRole('radiogroup', { name: 'Group by' }).getByText('Fund codes').click()
  }
  expect(await breaches(page)).toEqual([])
})

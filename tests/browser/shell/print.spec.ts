import { expect, type Page, test } from '@playwright/test'
import { readPdf } from '../../support/samples/pdf.ts'
import { choose, signIn, visit } from '../support.ts'

/** Prints the page as the browser does, and reads what is on the paper: each page as lines of words. */
async function print(page: Page): Promise<string[][][]> {
  const { pages } = await readPdf(await page.pdf({ preferCSSPageSize: true }))
  return pages
}

const textOf = (lines: string[][]): string => lines.flat().join(' ').replace(/\s+/g, ' ')

/** The names of the page's buttons that only a screen can use. */
const namesOfActions = async (page: Page): Promise<string[]> =>
  (await page.locator('main .mantine-Button-root:visible').allInnerTexts()).map((name) => name.split('\n')[0]!.trim()).filter(Boolean)

test.beforeEach(async ({ page }) => {
  // The window of the browser's own print dialog would wait for a person.
  await page.addInitScript(() => {
    window.print = () => undefined
  })
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
})

test('a list is printed with all of its rows, the school, the day and the number of each page, and without its buttons', async ({
  page,
}) => {
  await visit(page, '/console/coding/analysis-tags')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const mark = Date.now()
  const names = Array.from({ length: 300 }, (_unused, at) => `Printed ${String(at + 1).padStart(3, '0')} of ${mark}`)
  const rows = names.map((name, at) => `P${mark % 10_000}${at},${name}`)
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'tags.csv', mimeType: 'text/csv', buffer: Buffer.from(['Name,Description', ...rows].join('\n')) })
  await page.getByRole('dialog').getByRole('button', { name: 'Import 300 rows' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('textbox', { name: 'Search analysis tags' }).fill(String(mark))
  await expect(page.getByText('300 analysis tags match')).toBeVisible()
  expect(await page.getByRole('grid', { name: 'Analysis tags' }).getByText('Printed').count()).toBeLessThan(100)
  const actions = await namesOfActions(page)
  expect(actions).toContain('Import')

  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await expect(page.getByRole('grid', { name: 'Analysis tags' }).getByText('Printed')).toHaveCount(300)
  const pages = (await print(page)).map(textOf)
  const text = pages.join(' ')
  expect(names.filter((name) => !text.includes(name))).toEqual([])
  expect(pages[0]).toMatch(/Harbour Learning Trust · Northgate Primary School · .+ · printed \d+ \w+ \d{4}/)
  expect(pages.map((one, at) => one.includes(`Page ${at + 1} of ${pages.length}`))).toEqual(pages.map(() => true))
  expect(pages.every((one) => one.includes('Description'))).toBe(true)
  expect(actions.filter((name) => new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
  // Printed, the list is back at its page.
  await expect.poll(() => page.getByRole('grid', { name: 'Analysis tags' }).getByText('Printed').count()).toBeLessThan(100)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Nothing matches')).toBeVisible()
})

test('the sheet of budget entries is printed with all its rows, all years and its totals, without the grid', async ({ page }) => {
  await visit(page, '/non-staffing/budget-entries')
  await expect(page.getByRole('grid')).toBeVisible()
  const lines = Number(/^\d+/.exec((await page.getByText(/^\d+ lines/).textContent()) ?? '')![0])
  const pages = await print(page)
  const text = pages.map(textOf).join(' ')
  for (const year of ['2026/27', '2027/28', '2028/29', '2029/30', '2030/31']) expect(text).toContain(year)
  const isFigure = (word: string): boolean => /^[−-]?[\d,]+\.\d\d$/.test(word)
  // The lines and the three totals.
  expect(pages.flat().filter((words) => words.filter(isFigure).length === 5)).toHaveLength(lines + 3)
  expect(text).toContain('Balance without staff')
  expect(text).not.toContain('Paste')
})

import { expect, type Page, test } from '@playwright/test'
import { breaches, choose, signIn, visit } from '../support.ts'

/** Imports the pupil counts of an MIS. @returns the message about the import */
async function take(page: Page, counts: readonly string[]): Promise<string> {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const buffer = Buffer.from(['YearGroup,October,Pupils', ...counts].join('\r\n'))
  await dialog.locator('input[type=file]').setInputFiles({ name: 'census.csv', mimeType: 'text/csv', buffer })
  await dialog.getByRole('button', { name: `Import ${counts.length} rows` }).click()
  const said = dialog.getByText(/^Imported /)
  await expect(said).toBeVisible()
  const words = (await said.textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  return words
}

test('counts of an MIS that differ from typed or undone ones are offered beside them and used with one click', async ({
  page,
  browser,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'St Anne’s Primary School')
  await visit(page, '/console/budget-management/create')
  const name = `Counted ${Date.now() % 1e6}`
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Name').fill(name)
  for (let step = 2; step < 5; step++) await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Create 1 budget' }).click()
  await expect(page.getByText('Created new Budget')).toBeVisible()
  await choose(page, 'Budget', name)
  await visit(page, '/non-staffing/pupil-numbers')
  await page.getByRole('button', { name: 'Infant: Reception to Year 2' }).click()
  const [reception, yearOne] = [page.getByLabel('Reception, October 2026'), page.getByLabel('Year 1, October 2026')]
  await page.getByLabel('Reception, October 2025').fill('60')
  await reception.fill('58')
  const save = async (): Promise<void> => {
    const answer = page.waitForResponse((response) => response.url().includes('pupils.save'))
    await page.keyboard.press('Control+s')
    expect((await answer).status()).toBe(200)
  }
  await save()

  // Cells that nobody typed are filled. Typed cells stay, and the imported numbers are offered.
  const panel = page.getByRole('alert').filter({ hasText: 'Another system has different numbers' })
  await expect(panel).toHaveCount(0)
  const census = ['Reception,2026,57', 'Year 1,2026,62', 'Year 2,2026,59']
  expect(await take(page, census)).toContain(`${name}: Reception in October 2026 is 58, not 57`)
  await expect(yearOne).toHaveValue('62')
  await expect(panel.getByRole('listitem')).toHaveText(['Reception in October 2026: 58 here, 57 there'])
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 900 })
      await expect(panel).toBeVisible()
      expect(await breaches(page, '#content', scheme === 'light' ? 'all' : 'colours')).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      await page.screenshot({ path: `test-results/pupils-said-${scheme}-${width}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })

  // The imported number goes into the field; it is stored only when the user saves.
  await panel.getByRole('button', { name: 'Use its numbers' }).click()
  await expect(reception).toHaveValue('57')
  await expect(panel).toHaveCount(0)
  await save()
  await page.reload()
  await expect(reception).toHaveValue('57')
  await expect(panel).toHaveCount(0)

  // A count that was imported and then cleared is not imported again, but offered.
  await yearOne.fill('')
  await save()
  expect(await take(page, census)).toMatch(new RegExp(`undid the import, in .*${name}: Year 1 in October 2026 is 60, not 62`))
  await expect(yearOne).toHaveValue('')
  await expect(panel.getByRole('listitem')).toHaveText(['Year 1 in October 2026: 60 here, 62 there'])
  await panel.getByRole('button', { name: 'Use its numbers' }).focus()
  await page.keyboard.press('Enter')
  await expect(yearOne).toHaveValue('62')
  await save()

  // A user who may only read sees the other system’s numbers, without a button to use them.
  await reception.fill('50')
  await save()
  const reader = await (await browser.newContext()).newPage()
  await signIn(reader, 'auditor@harbour.example')
  await choose(reader, 'Location', 'St Anne’s Primary School')
  await choose(reader, 'Budget', name)
  await reader.goto('/non-staffing/pupil-numbers')
  const shown = reader.getByRole('alert').filter({ hasText: 'Another system has different numbers' })
  await expect(shown.getByRole('listitem')).toHaveText(['Reception in October 2026: 50 here, 57 there'])
  await expect(shown.getByRole('button')).toHaveCount(0)
  await reader.context().close()
})

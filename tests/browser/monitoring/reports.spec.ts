import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

test('a report is opened, its scope and columns changed, a figure followed to its lines, and the file downloaded', {
  tag: '@journey',
}, async ({ page }) => {
  // The first file needs the thread of long calls, which takes time to start.
  test.slow()
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/reports')
  await page.getByRole('link', { name: /^Budget analysis Income and/ }).click()
  const table = page.getByRole('region', { name: 'Budget analysis' })
  await expect(table.getByRole('row', { name: /^Total income/ })).toBeVisible()
  expect(await breaches(page)).toEqual([])
  // One school whose pupils are known: among all schools, a new one may have none yet.
  await page.getByText('Per pupil', { exact: true }).click()
  await expect(table.getByRole('columnheader', { name: '2026/27: per pupil' })).toBeVisible()
  await page.getByText('Per pupil', { exact: true }).click()
  await page.getByText('Pence', { exact: true }).click()
  const own = await table.getByRole('row', { name: /^Total income/ }).textContent()

  await page.getByRole('combobox', { name: 'Budgets' }).click()
  await page.getByRole('option', { name: 'All locations' }).click()
  await expect(table.getByRole('row', { name: /^Top slices/ })).toBeVisible()
  await expect(table.getByRole('row', { name: /^Total income/ })).not.toHaveText(own!)

  // With the keyboard alone: to the figure, into its lines, and back.
  const total = table.getByRole('button', { name: /^Total income, 2026\/27: [\d,.]+$/ })
  const figure = (await total.textContent())!
  await total.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Total income, 2026/27' })
  await expect(drawer.getByRole('row', { name: /^All lines/ })).toContainText(figure)
  expect(await breaches(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(total).toBeFocused()
  // The table is one stop of the Tab key: Tab leaves it, and Shift Tab returns to the same figure.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Close all' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(total).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(total).not.toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(total).toBeFocused()
  await table.getByRole('button', { name: 'Income', exact: true }).press('Enter')
  await expect(table.getByRole('button', { name: /^Staff expenditure/ })).toHaveAttribute('aria-expanded', 'true')
  await expect(table.getByRole('button', { name: 'Income', exact: true })).toHaveAttribute('aria-expanded', 'false')

  // The selection stays from report to report.
  await page.getByRole('link', { name: 'All reports' }).click()
  await page.getByRole('link', { name: /^Budget analysis, location by location/ }).click()
  await expect(page.getByRole('combobox', { name: 'Budgets' })).toHaveValue('All locations')
  await expect(page.getByRole('checkbox', { name: 'Pence' })).toBeChecked()
  await expect(page.getByRole('region', { name: 'Budget analysis, location by location' })).toHaveAttribute('aria-busy', 'false')
  await expect(page.getByRole('checkbox', { name: '% of income' })).toBeDisabled()
  await page.goBack()
  await page.goBack()

  // The same URL shows the same report.
  await page.reload()
  await expect(total).toHaveText(figure)

  // With the keyboard alone, a layout is saved under a name, shows whether it was changed, and is opened from the list and from a link.
  await page.getByRole('button', { name: 'Layouts', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Save as a new layout…' }).press('Enter')
  const naming = page.getByRole('dialog', { name: 'Save as a new layout' })
  await expect(naming.getByRole('textbox', { name: 'Name' })).toBeFocused()
  expect(await breaches(page, '[role="dialog"]')).toEqual([])
  const name = `Pence ${Date.now()}`
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  const layouts = page.getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(layouts).toHaveText(name)
  await page.getByText('Pence', { exact: true }).click()
  await expect(total).not.toHaveText(figure)
  await expect(layouts).toHaveText(`${name}, changed`)
  await layouts.press('Enter')
  await expect(page.getByRole('menuitem', { name, exact: true })).toHaveAttribute('aria-current', 'true')
  expect(await breaches(page, '[role="menu"]')).toEqual([])
  await page.getByRole('menuitem', { name: `Undo changes to ${name}` }).press('Enter')
  await expect(total).toHaveText(figure)
  await expect(layouts).toHaveText(name)
  const id = new URL(page.url()).searchParams.get('layout')
  await visit(page, `/console/reports?layout=${id}`)
  await expect(total).toHaveText(figure)
  await page.getByRole('link', { name: 'All reports' }).click()
  await page
    .getByRole('region', { name: 'Saved layouts' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()
  await expect(total).toHaveText(figure)
  await layouts.press('Enter')
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`Whole ${name}`)
  await page.getByRole('checkbox', { name: 'Shared with the organisation' }).check()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Whole ${name}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Layouts', exact: true })).toBeVisible()
  await expect(total).toHaveText(figure)

  await page.getByRole('button', { name: 'Download' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel, a tab for each location' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^Budget analysis .*\.xlsx$/)
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
})

test('a worker makes the PDF of a report: it is downloaded when it is ready, and waits in the notifications', async ({ page }) => {
  test.slow()
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/reports')
  await page.getByRole('link', { name: /^Budget analysis Income and/ }).click()
  await expect(page.getByRole('region', { name: 'Budget analysis' }).getByRole('row', { name: /^Total income/ })).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: patience * 60_000 }),
    page.getByRole('button', { name: 'PDF', exact: true }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^Budget analysis .*\.pdf$/)
  const bytes = readFileSync(await file.path())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const [again] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /^Save Budget analysis.* as PDF$/ })
      .first()
      .click(),
  ])
  expect(readFileSync(await again.path()).equals(bytes)).toBe(true)
})

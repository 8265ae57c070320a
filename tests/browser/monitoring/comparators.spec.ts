import { expect, test } from '@playwright/test'
import { breaches, choose, signIn, visit } from '../support.ts'

/** A file of the benchmarking service with five schools, and one whose return covers only five months. */
const file = [
  'URN,SchoolName,SchoolType,PeriodCoveredByReturn,TotalPupils,TotalExpenditure,TotalUtilitiesCosts',
  ...['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm'].map((name, at) => `${140001 + at},${name},Academy,12,100,1000000,${(at + 1) * 1000}`),
  '140009,Fir,Academy,5,100,1000000,1',
].join('\n')

test('a file from the benchmarking service is imported, and its schools are selected and compared with one’s own', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/comparators')
  await expect(page.getByRole('heading', { name: 'No comparators yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Import a file' }).first().click()
  const drop = page.locator('input[type=file]')
  await drop.setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from('Code,Name\n1,Books\n') })
  await expect(page.getByRole('alert')).toContainText('This file has no column of schools followed by figures.')
  await drop.setInputFiles({ name: 'comparison-140001-pupil.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('6 columns recognised')).toBeVisible()
  await dialog.getByText('1 column not compared').click()
  await expect(dialog.getByText('SchoolType')).toBeVisible()
  await dialog.getByText('1 row of the file not used').click()
  await expect(dialog.getByText('Row 7, Fir: Its return covers 5 months, not a year.')).toBeVisible()
  expect(await breaches(page)).toEqual([])
  await dialog.getByLabel('Name of the set').fill('Like us')
  await dialog.getByRole('button', { name: 'Import 5 schools' }).click()
  await expect(page.getByText('5 of 5 in the set.')).toBeVisible()
  await page.getByLabel('Elm').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('4 of 5 in the set.')).toBeVisible()
  expect(await breaches(page)).toEqual([])

  await visit(page, '/reports?report=measures')
  const utilities = page.getByRole('row', { name: /^Utilities/ })
  await expect(utilities).toContainText(/(quarter|middle), of 4/)
  await expect(page.getByText(/^Comparators: Like us \(4 schools, comparison-140001-pupil\.csv\)/)).toBeVisible()

  await visit(page, '/console/comparators')
  await page.getByRole('link', { name: 'Like us' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'No comparators yet' })).toBeVisible()
})

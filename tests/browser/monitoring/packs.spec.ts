import { expect, type Page, test } from '@playwright/test'
import { findTrustIds, signInAs } from '../../support/product/http.ts'
import { patience } from '../../support/product/patience.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { product } from '../products.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

async function start(page: Page, month: string, school: string): Promise<void> {
  await visit(page, `/console/packs?start=1&month=${month}`)
  const dialog = page.getByRole('dialog', { name: 'Start a pack' })
  await dialog.getByRole('combobox', { name: 'For' }).click()
  await page.getByRole('option', { name: school, exact: true }).click()
  await begin(page)
}

async function begin(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Start a pack' }).getByRole('button', { name: 'Start' }).click()
  // The list behind the dialog shows drafts too, and only the page of the pack shows its chapters.
  await expect(page).toHaveURL(/\/console\/packs\/[0-9A-Z]{8}(\?|$)/, { timeout: patience * 30_000 })
  await expect(page.getByRole('region', { name: 'Monitoring', exact: true })).toBeVisible({ timeout: patience * 30_000 })
  await expect(page.getByText('Draft', { exact: true })).toBeVisible()
}

/** Recalculates if necessary: other journeys change the inputs of costs, and a pack with outdated costs cannot be finished. */
async function recalculate(page: Page): Promise<void> {
  if (!(await page.getByText('Costs are out of date').isVisible())) return
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Recalculate/ })
    .click()
  await expect(page.getByText('Costs are out of date')).toHaveCount(0, { timeout: patience * 60_000 })
}

async function finish(page: Page): Promise<void> {
  await recalculate(page)
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Finish this pack' })
  await expect(question.getByText('a finished pack can no longer be changed or discarded')).toBeVisible()
  await question.getByRole('button', { name: 'Finish pack' }).click()
}

test('a pack is started, written with figures, finished, printed, and opened again by the code on its pages', { tag: '@journey' }, async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  // No other journey changes this school’s budget, so all its variances of the month stay explained.
  await start(page, '2026-09', 'Harbour Central Team')
  const decisions = page.getByRole('region', { name: 'Decisions', exact: true })
  const measures = page.getByRole('button', { name: 'Remove Measures' })
  // A retry continues with the draft that the first attempt left.
  const isAgain = await decisions.getByLabel('Decision 1', { exact: true }).isVisible()
  if (!isAgain) await decisions.getByRole('button', { name: 'Add a decision' }).click()
  await decisions.getByLabel('Decision 1', { exact: true }).fill('Note a balance of {inYear.forcast}')
  await page.keyboard.press('Control+s')
  await expect(decisions.getByText('There is no figure {inYear.forcast}. Choose one from the list.')).toBeVisible()
  await decisions.getByLabel('Decision 1', { exact: true }).fill('Note a balance of ')
  const figure = decisions.getByRole('combobox', { name: 'Insert a figure into: Decision 1' })
  await figure.click()
  await figure.fill('In-year balance, full-year')
  await page.getByRole('option', { name: /^In-year balance, full-year forecast/ }).click()
  await expect(decisions.getByText(/Note a balance of −?£[\d,]+/)).toBeVisible()
  if (!isAgain) await measures.click()
  await expect(measures).toHaveCount(0)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Unsaved')).toHaveCount(0)
  expect(await breaches(page)).toEqual([])

  await finish(page)
  await expect(page.getByText('Finished', { exact: true })).toBeVisible()
  await expect(page.getByText('Nothing has changed since this pack was finished')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Measures', exact: true })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Decisions', exact: true }).getByText(/^1\. Note a balance of −?£[\d,]+/)).toBeVisible()
  const saved = page.waitForEvent('download', { timeout: patience * 45_000 })
  await page.getByRole('button', { name: 'PDF' }).click()
  expect((await saved).suggestedFilename()).toMatch(/pack.*2026.*\.pdf$/)
  expect(await breaches(page)).toEqual([])

  const code = new URL(page.url()).pathname.split('/').at(-1)!
  await visit(page, '/console/packs')
  await page.getByLabel('Code of a printed page').fill(`${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Governors’ pack, September 2026' })).toBeVisible()
  await visit(page, '/console/monitoring/month-end?month=2026-09')
  const row = page.getByRole('region', { name: 'Checklist' }).getByRole('row', { name: /Harbour Central Team/ })
  await expect(row).toBeVisible()
  await expect(row.getByLabel(/Pack made/)).toHaveCount(0)
  await expect(row.getByRole('link', { name: 'Open the pack for Harbour Central Team' })).toBeVisible()
})

/** Recalculates the central team, whose lines need no reasons, and finishes a pack of it. @returns the code of the pack */
async function finishPack(month: { year: number; month: number }): Promise<string> {
  const finance = await signInAs(product, 'finance@harbour.example')
  const places = await findTrustIds(finance)
  const own = { OrganisationId: places.organisationId }
  const { packs } = proceduresOf(product, finance, own)
  const { code } = await packs.start.mutate({ ...month, locationId: places.locations.Central! })
  const { version, words, chapters } = await packs.get.query({ code })
  const texts = { ...words.texts, summary: 'Energy costs less than planned.', decisions: 'The trustees meet on Monday.' }
  const saved = await packs.save.mutate({ code, version, content: { ...words, chapters, texts, decisions: ['Note the position.'] } })
  // Other journeys change the inputs of costs and add budget groups, and a pack with outdated costs cannot be finished.
  const group = await finance.call('GET', `/api/BudgetGroup/budgetId/${places.budgets.Central}`, undefined, own)
  const recalculation = group.body
    ? `/api/BudgetGroup/recalculate/staff-contracts/${group.body.id}`
    : `/api/Budget/recalculate/staff-contracts/${places.budgets.Central}`
  const isLocked = async (): Promise<boolean> =>
    (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked
  await expect(async () => {
    expect(await finance.call('POST', recalculation, undefined, own)).toMatchObject({ status: 202 })
    await expect.poll(isLocked, { timeout: patience * 30_000 }).toBe(false)
    await packs.finish.mutate({ code, version: saved.version })
  }).toPass({ timeout: patience * 90_000 })
  return code
}

test('a finished pack shows its figures and charts, and its tables are cards on a phone', async ({ page }) => {
  test.slow()
  const code = await finishPack({ year: 2026, month: 9 })
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'finance@harbour.example')
  await visit(page, `/console/packs/${code}`)
  const cover = page.getByRole('region', { name: 'Cover', exact: true })
  await expect(cover.getByText('In-year balance, forecast')).toBeVisible()
  await expect(cover.getByText(/ is forecast to (spend|receive) £/)).toBeVisible()
  await expect(cover.getByRole('figure', { name: /^Budgeted in-year balance by year: \d{4}\/\d{2} −?£/ })).toBeVisible()
  await expect(cover.getByRole('figure', { name: /^Budgeted reserves by year/ })).toBeVisible()
  const line = page
    .getByRole('region', { name: 'Monitoring', exact: true })
    .getByRole('row', { name: /^\d{4} / })
    .first()
  await line.scrollIntoViewIfNeeded()
  // Nothing needs scrolling sideways.
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  const box = await line.boundingBox()
  expect(box!.width).toBeLessThanOrEqual(390)
  expect(await breaches(page)).toEqual([])
})

test('the words of an earlier month are marked in a draft until they are read', async ({ page }) => {
  test.slow()
  await finishPack({ year: 2026, month: 9 })
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await start(page, '2026-12', 'Harbour Central Team')
  const all = page.getByRole('status').filter({ hasText: 'Check or rewrite the text from September 2026' })
  await expect(all).toContainText('Summary')
  const summary = page.getByRole('region', { name: 'Summary', exact: true })
  await summary.getByRole('button', { name: 'Keep the text of Summary' }).click()
  await expect(summary.getByRole('note')).toHaveCount(0)
  const decisions = page.getByRole('region', { name: 'Decisions', exact: true })
  await decisions.getByLabel('Decision 1', { exact: true }).fill('Approve the position.')
  const text = decisions.getByRole('textbox', { name: 'Text of Decisions', exact: true })
  await text.fill('')
  await expect(all).toHaveCount(0)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Unsaved')).toHaveCount(0)
  await page.reload()
  await expect(summary).toBeVisible()
  await expect(all).toHaveCount(0)
})

test('a pack names the lines that prevent it from being finished, and leads to them', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  // From the month-end checklist.
  await visit(page, '/console/monitoring/month-end?month=2026-10')
  await page.getByRole('link', { name: 'Start the pack for Northgate Primary School' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Start a pack' })
  await expect(dialog.getByRole('combobox', { name: 'Month' })).toHaveValue('October 2026')
  await expect(dialog.getByRole('combobox', { name: 'For' })).toHaveValue('Northgate Primary School')
  await begin(page)
  const due = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Explain them' }) })
  await expect(due).toBeVisible()
  await finish(page)
  await expect(page.getByText(/The pack for October 2026 cannot be finished/).first()).toBeVisible()
  await due.getByRole('button', { name: 'Explain them' }).click()
  await expect(page).toHaveURL(/\/monitoring\/budget-actuals\?month=2026-10&explain=1/)
})

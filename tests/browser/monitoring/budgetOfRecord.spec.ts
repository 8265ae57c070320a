import { expect, test } from '@playwright/test'
import { findTrustIds, signInAs } from '../../support/product/http.ts'
import { patience } from '../../support/product/patience.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { product } from '../products.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

const mark = String(Date.now() % 1e6)
const approved = `Approved ${mark}`
const working = '2026/27 Working'
const school = 'The Beacon School'

/** Approves a copy of the school’s budget, in a group of its own. */
async function approveCopy(): Promise<void> {
  const finance = await signInAs(product, 'finance@harbour.example')
  const administrator = await signInAs(product, 'admin@bursar.example')
  const places = await findTrustIds(finance)
  const own = { OrganisationId: places.organisationId }
  const { rows } = await proceduresOf(product, finance, own).budgets.listByLocation.query({ ids: [places.locations.Beacon!] })
  const source = rows.find((row) => row.name === working)!
  const made = await finance.call('POST', `/api/Budget/duplicate/${source.mongoId}`, { name: approved }, own)
  const BudgetId = made.body.mongoId
  const items = [{ budgetId: BudgetId }]
  const group = await finance.call('POST', '/api/BudgetGroup/create', { name: approved, items }, own)
  await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${group.body.id}`, undefined, own)
  const at = { ...own, LocationId: places.locations.Beacon!, BudgetId }
  await expect(() => proceduresOf(product, administrator, at).approval.submit.mutate({})).toPass()
  await proceduresOf(product, finance, at).approval.approve.mutate({})
}

test('a working copy shows the month read only and leads to the budget of record, where the variance is explained once for every screen', async ({
  page,
}) => {
  test.setTimeout(patience * 120_000)
  await approveCopy()
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', school)
  const open = page.getByRole('banner').getByRole('button', { name: /^Budget/ })
  await choose(page, 'Budget', working)
  await visit(page, '/monitoring/budget-actuals?month=2026-10')
  const notice = page.getByRole('status').filter({ hasText: 'belong to' })
  await expect(notice).toContainText(`The figures for October 2026 belong to ${approved},`)
  const row = page.getByRole('region', { name: 'Monitoring' }).getByRole('row', { name: /^4240 Energy/ })
  const drawer = page.getByRole('dialog')
  await row.getByRole('button').first().click()
  await expect(drawer.getByLabel('Reason')).not.toBeEditable()
  await expect(drawer.getByRole('button', { name: 'Save' })).toHaveCount(0)
  expect(await breaches(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)

  // The selection changes because somebody pressed the button, and it is said.
  await expect(open).toContainText(working)
  await page.getByRole('button', { name: `Open ${approved}` }).click()
  await expect(page.getByText(`${approved} at ${school} is now open`)).toBeVisible()
  await expect(open).toContainText(approved)
  await expect(notice).toHaveCount(0)
  await row.getByRole('button').first().click()
  await drawer.getByLabel('Reason').fill(`A cold October ${mark}`)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved note')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row.getByLabel('Has a reason')).toBeVisible()

  // The working copy shows the reason that stands with the budget of record.
  await choose(page, 'Budget', working)
  await expect(notice).toBeVisible()
  await row.getByRole('button').first().click()
  await expect(drawer.getByLabel('Reason')).toHaveValue(`A cold October ${mark}`)
  await page.keyboard.press('Escape')

  // Payroll, cash, month end and At a glance use the same budget and say its name.
  for (const path of ['/payroll/reconciliation?month=2026-10', '/monitoring/cash?month=2026-10']) {
    await visit(page, path)
    await expect(notice).toContainText(approved)
  }
  await visit(page, '/console/monitoring/month-end?month=2026-10')
  await expect(page.getByRole('region', { name: 'Checklist' }).getByRole('row', { name: new RegExp(school) })).toContainText(approved)
  await visit(page, '/console/at-a-glance')
  const line = page.getByRole('region', { name: 'At a glance' }).getByRole('row', { name: new RegExp(school) })
  await expect(line).toContainText(approved)
  await line.getByRole('link', { name: school }).click()
  await expect(page.getByText(`${approved} at ${school} is now open`).last()).toBeVisible()
  await expect(open).toContainText(approved)
})

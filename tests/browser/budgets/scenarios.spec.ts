import { expect, test } from '@playwright/test'
import { choose, signIn, visit } from '../support.ts'

test('a deleted scenario disappears at once and undo restores it; if the deletion is refused, it returns with the reason', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  const asked = page.waitForRequest((request) => request.url().includes('/trpc/scenarios.list'))
  await visit(page, '/overview/scenarios')
  const { authorization, apiversion, organisationid, locationid } = (await asked).headers()
  const headers = { authorization: authorization!, apiversion: apiversion!, organisationid: organisationid!, locationid: locationid! }
  // A budget only for this journey, because it is locked for good.
  const name = `To be locked ${Date.now() % 1e6}`
  const template = await page.request.post('/api/BudgetElements/template', { headers, data: { locations: [Number(locationid)] } })
  const made = await page.request.post('/api/BudgetElements/create', { headers, data: { ...(await template.json()), name } })
  const [{ mongoId }] = await made.json()
  const group = await page.request.post('/api/BudgetGroup/create', { headers, data: { name, items: [{ budgetId: mongoId }] } })
  expect(group.ok(), await group.text()).toBe(true)
  await page.reload()
  await choose(page, 'Budget', name)
  await page.getByRole('button', { name: 'Add scenario' }).first().click()
  // One dialog asks for the name and for the first changes. It shows what is missing, and until then nothing is saved.
  const dialog = page.getByRole('dialog', { name: 'Add scenario' })
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(dialog.getByText('Name is required.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('One class fewer')
  await dialog.getByLabel('First change').click()
  await page.getByRole('option', { name: 'A new entry' }).click()
  await dialog.getByLabel('Description').fill('A colder winter')
  await dialog.getByLabel('Budget code').click()
  await page.getByRole('option', { name: /^4240/ }).click()
  await dialog.getByLabel('Amount in its first year').fill('5000')
  await dialog.getByRole('combobox', { name: /^First year/ }).click()
  await page.getByRole('option', { name: '2027/28' }).click()
  await dialog.getByLabel('Description').focus()
  await page.keyboard.press('Enter')
  const scenario = page.getByRole('region', { name: 'One class fewer' })
  await expect(scenario).toContainText('A colder winter')
  await expect(dialog).toHaveCount(0)

  const gone = scenario.getByRole('button', { name: 'Delete' })
  await gone.click()
  await expect(scenario).toHaveCount(0)
  await page.getByRole('alert').filter({ hasText: 'Scenario' }).getByRole('button', { name: 'Undo' }).click()
  await expect(scenario).toBeVisible()

  let goOn = (): void => undefined
  const locked = new Promise<void>((done) => {
    goOn = done
  })
  await page.route('**/trpc/scenarios.delete*', async (route) => {
    await locked
    await route.continue()
  })
  await gone.click()
  await expect(scenario).toHaveCount(0)
  const { id: groupId } = await group.json()
  const recalculation = `/api/BudgetGroup/recalculate/staff-contracts/${groupId}`
  expect((await page.request.post(recalculation, { headers })).status()).toBe(202)
  // Locking succeeds once the recalculation has finished.
  await expect.poll(async () => (await page.request.post(`/api/Budget/fix/${mongoId}`, { headers })).ok()).toBe(true)
  goOn()
  await expect(page.getByRole('alert').getByText('This budget is locked.')).toBeVisible()
  await expect(scenario).toBeVisible()
  await page.reload()
  await expect(scenario).toBeVisible()
  await expect(gone).toHaveCount(0)
})

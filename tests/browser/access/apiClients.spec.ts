import { type APIRequestContext, expect, test } from '@playwright/test'
import { choose, signIn } from '../support.ts'

/** The status that an external system receives for a token request, and for a call of the cost centres with that token. */
async function answersTo(request: APIRequestContext, clientId: string, secret: string): Promise<{ signIn: number; call: number | null }> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret, scope: 'api' }
  const token = await request.post('/oidc/token', { form })
  if (!token.ok()) return { signIn: token.status(), call: null }
  return { signIn: 200, call: await callWith(request, (await token.json()).access_token) }
}

async function callWith(request: APIRequestContext, bearer: string): Promise<number> {
  const headers = { ApiVersion: '2', OrganisationId: '1', Authorization: `Bearer ${bearer}` }
  return (await request.post('/api/CostCentres/list', { headers, data: {} })).status()
}

test('an API client is added, its secret is shown once, replaced and revoked; a revoked client can no longer call', {
  tag: '@journey',
}, async ({ page, request }) => {
  const name = `Payroll bureau ${Date.now() % 1e6}`
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/console/general/api-clients/add')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('combobox', { name: 'User groups' }).click()
  await page.getByRole('option', { name: /^Integration/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add and show secret' }).click()
  const shown = page.getByRole('dialog', { name: 'Client ID and secret' })
  const clientId = await shown.getByRole('textbox', { name: 'Client ID' }).inputValue()
  const first = await shown.getByRole('textbox', { name: 'Secret' }).inputValue()
  // The dialog closes only after the user confirms that the secret is saved.
  await page.keyboard.press('Escape')
  await shown.getByRole('button', { name: 'I have saved the secret' }).click()
  await expect(page).toHaveURL(/api-clients(\?|$)/)
  expect(await answersTo(request, clientId, first)).toEqual({ signIn: 200, call: 200 })

  await page.getByRole('gridcell', { name }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByText(first)).toHaveCount(0)
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  const second = await shown.getByRole('textbox', { name: 'Secret' }).inputValue()
  expect(second).not.toBe(first)
  await expect(shown).toContainText('The previous secret works until')
  await shown.getByRole('button', { name: 'I have saved the secret' }).click()
  await expect(page.getByText('Two secrets')).toBeVisible()
  for (const secret of [first, second]) expect(await answersTo(request, clientId, secret)).toEqual({ signIn: 200, call: 200 })

  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: second, scope: 'api' }
  const held = (await (await request.post('/oidc/token', { form })).json()).access_token as string
  await page.getByRole('button', { name: 'Revoke' }).click()
  const asked = page.getByRole('dialog', { name: 'Revoke API client' })
  await expect(asked).toContainText('This cannot be undone.')
  await asked.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('Revoked API client').first()).toBeVisible()
  await expect(page.getByRole('row', { name }).getByText('Revoked')).toBeVisible()
  // Neither the client’s secrets nor its current token work any more.
  expect((await answersTo(request, clientId, second)).signIn).toBe(401)
  expect(await callWith(request, held)).toBe(401)
  await page.getByRole('gridcell', { name }).click()
  await expect(page.getByText('made a new secret')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New secret' })).toHaveCount(0)
})

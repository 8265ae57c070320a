import { expect, test } from '@playwright/test'
import { demoClients } from '../../../server/demo/access.ts'

test('a developer signs in as an API client on the page of the API and tries a call there', async ({ page }) => {
  const { clientId, secret } = demoClients[0]!
  await page.goto('/api/docs')
  await page
    .getByRole('textbox')
    .filter({ has: page.getByText('12345') })
    .fill(clientId)
  await page.getByRole('textbox', { name: 'Client Secret' }).fill(secret)
  const signedIn = page.waitForResponse((response) => response.url().endsWith('/oidc/token'))
  await page.getByRole('button', { name: 'Authorize' }).click()
  expect((await signedIn).status()).toBe(200)

  await page
    .getByRole('button', { name: /^Budget codes/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /Test Request.*post \/api\/BudgetCodes\/list\)/ })
    .first()
    .click()
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/BudgetCodes/list'))
  await page.getByRole('button', { name: /^Send/ }).first().click()
  const reply = await answered
  expect(reply.status()).toBe(200)
  expect((await reply.json()).rows).toHaveLength(10)
})

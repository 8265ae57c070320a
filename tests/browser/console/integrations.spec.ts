import { expect, test } from '@playwright/test'
import { breaches, choose, signIn, typeOption, visit } from '../support.ts'

test('B-245 B-247 B-249 a credential for another system is added, tested and deleted; nobody sees its secret', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/integrations')
  const help = page.getByRole('region', { name: 'Help' })
  await expect(help.getByRole('link', { name: 'API clients' })).toBeVisible()
  await page.keyboard.press('n')
  const name = `Ledger ${Date.now()}`
  await page.getByLabel('Description').fill(name)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  await page.getByLabel('Address').fill('https://localhost:1/status')
  await typeOption(page.getByRole('combobox', { name: 'Sign-in' }), 'API key')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('API key is required.')).toBeVisible()
  const secret = page.getByRole('textbox', { name: 'API key', exact: true })
  await expect(secret).toBeFocused()
  await page.keyboard.type('a-secret')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved integration parameters')).toBeVisible()
  await expect(secret).toHaveValue('••••••••')
  // This installation allows no private network, so nothing is requested.
  await expect(page.getByText(/localhost is on a private network/)).toBeVisible()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('Integration request processed')).toBeVisible()
  expect(await breaches(page, '#content')).toEqual([])

  await page.reload()
  await expect(secret).toHaveValue('••••••••')
  await page.getByLabel('Address').fill('https://other.example/status')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('API key is only sent to the address it was entered for: enter it again.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/console\/integrations(\?|$)/)
  await expect(page.getByRole('link', { name })).toHaveCount(0)
})

test('B-248 B-250 an action that leads elsewhere is not carried out, and a missing status shows no message', async ({ page }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => void (request.url().includes('elsewhere.example') && elsewhere.push(request.url())))
  const warnings: string[] = []
  page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())))
  await page.route(/\/trpc\/.*integrations\.clientStatus/, (route) => route.abort())
  await page.route(/\/trpc\/.*integrations\.parameters/, async (route) => {
    const reply = await route.fetch()
    const text = await reply.text()
    await route.fulfill({
      response: reply,
      body: text.replace(/"actionUrl":"[^"]+"/g, '"actionUrl":"https://elsewhere.example/api/integrations/x"'),
    })
  })
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/console/integrations/add')
  await page.getByLabel('Description').fill(`Files ${Date.now()}`)
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('The action was not started because its address does not belong to Bursar.')).toBeVisible()
  expect(elsewhere).toEqual([])
  await expect.poll(() => warnings.some((text) => text.includes('The status of the integrations could not be loaded'))).toBe(true)
})

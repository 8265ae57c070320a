import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { breaches, choose, signIn, visit } from '../support.ts'

test('a webhook is set up, tested, paused, continued and deleted, and its secret is shown once', async ({ page }) => {
  let status = 200
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((done) => server.listen(0, '127.7.7.7', done))
  const address = `http://127.7.7.7:${(server.address() as AddressInfo).port}/bursar`
  try {
    await signIn(page, 'finance@harbour.example')
    await choose(page, 'Location', 'Northgate Primary School')
    await visit(page, '/console/integrations')
    const card = page.getByRole('region', { name: 'Webhooks' })
    await card.getByRole('button', { name: 'Add webhook' }).first().click()
    const name = `Ledger ${Date.now()}`
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Address').fill('https://localhost/bursar')
    await page.keyboard.press('Control+s')
    await expect(page.getByText(/localhost is on a private network/).first()).toBeVisible()
    await expect(page.getByLabel('Address')).toBeFocused()
    await page.getByLabel('Address').fill(address)
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Secret of the webhook' })
    await expect(dialog.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/)
    await dialog.getByRole('button', { name: 'I have saved the secret' }).click()
    await expect(page).toHaveURL(/\/console\/integrations\/webhooks\/\d+(\?|$)/)

    await page.getByRole('button', { name: 'Send test message' }).click()
    const messages = page.getByRole('table', { name: 'Messages' })
    await expect(messages.getByRole('row').filter({ hasText: 'webhook.test' }).getByText('Accepted')).toBeVisible()
    expect(received).toHaveLength(1)
    expect(await breaches(page, '#content')).toEqual([])

    status = 410
    await messages.getByRole('button', { name: /^Send webhook.test of .* again$/ }).click()
    await expect(messages.getByText('127.7.7.7 responded with 410.')).toBeVisible()
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText('Nothing is sent. Messages are held and sent once it is resumed.')).toBeVisible()
    status = 200
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByText('Resumed webhook')).toBeVisible()

    await page.getByRole('button', { name: 'Send again from…' }).click()
    const again = page.getByRole('dialog', { name: 'Send everything again' })
    await again.getByRole('button', { name: 'Send again' }).click()
    await expect(again.getByText('Choose a day and a time.')).toBeVisible()
    await again.getByLabel('From').fill('2020-01-01T00:00')
    await again.getByRole('button', { name: 'Send again' }).click()
    await expect(again.getByText(/Choose a time in the last 30 days/)).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page).toHaveURL(/\/console\/integrations(\?|$)/)
    await expect(page.getByRole('link', { name })).toHaveCount(0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

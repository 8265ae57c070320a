import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { breaches, choose, signIn, typeOption } from '../support.ts'

test('a budget is sent to the ledger on a schedule: the connection is set up, tested, sends, fails, is paused and deleted, with a file layout of its own', async ({
  page,
}) => {
  let status = 200
  const received: string[] = []
  const server = createServer((request, response) => {
    if (request.method === 'POST') received.push(`${request.url} ${request.headers['x-api-key']}`)
    request.resume().on('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((done) => server.listen(0, '127.7.7.7', done))
  const address = `http://127.7.7.7:${(server.address() as AddressInfo).port}/`
  const mark = Date.now()
  try {
    await signIn(page, 'finance@harbour.example')
    await choose(page, 'Location', 'Northgate Primary School')
    await page.goto('/console/integrations/add')
    await page.getByLabel('Description').fill(`Ledger ${mark}`)
    await page.keyboard.press('Control+s')
    await page.getByLabel('Address').fill(address)
    await typeOption(page.getByRole('combobox', { name: 'Sign-in' }), 'API key')
    await page.getByLabel('Header of the API key').fill('X-Api-Key')
    await page.getByRole('textbox', { name: 'API key', exact: true }).fill('a-secret')
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Saved integration parameters')).toBeVisible()

    // A payroll journal layout that the ledger accepts: one of the product’s own, plus an account for the levy.
    await page.goto('/console/integrations/files')
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible()
    await page.getByRole('link', { name: 'Copy this layout and change it' }).click()
    await page.getByLabel('Name').fill(`Layout ${mark}`)
    await page.getByLabel(/levy/i).fill('7100')
    await page.keyboard.press('Control+s')
    await expect(page).toHaveURL(/\/files\/layouts\/\d+(\?|$)/)

    await page.goto('/console/integrations')
    const card = page.getByRole('region', { name: 'Connections' })
    await card.getByRole('button', { name: 'Add connection' }).first().click()
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Name is required.').first()).toBeVisible()
    await expect(page.getByLabel('Name')).toBeFocused()
    await typeOption(page.getByRole('combobox', { name: 'What it does' }), 'Fetch: Actuals and commitments')
    const help = page.getByRole('region', { name: 'Help' })
    await expect(help.getByText(/moved to the folder “taken”/)).toBeVisible()
    const [file] = await Promise.all([page.waitForEvent('download'), help.getByRole('button', { name: 'Download an example' }).click()])
    expect(file.suggestedFilename()).toBe('actuals-2026-10.csv')
    await expect(page.getByLabel('Layout')).toHaveCount(0)
    await typeOption(page.getByRole('combobox', { name: 'What it does' }), 'Send out: Budget journal')
    const name = `Budget to the ledger ${mark}`
    await page.getByLabel('Name').fill(name)
    await typeOption(page.getByRole('combobox', { name: 'Credential' }), `Ledger ${mark} (Web service)`)
    await page.getByLabel('Path').fill('/journals')
    await typeOption(page.getByRole('combobox', { name: 'Layout' }), `Layout ${mark}`)
    await typeOption(page.getByRole('combobox', { name: 'Runs' }), 'Every week')
    await typeOption(page.getByRole('combobox', { name: 'On', exact: true }), 'Friday')
    await page.keyboard.press('Control+s')
    await expect(page).toHaveURL(/\/console\/integrations\/connections\/\d+(\?|$)/)
    await expect(page.getByText(/every Friday at 02:30 · next/)).toBeVisible()

    const runs = page.getByRole('table', { name: 'Runs' })
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(runs.getByText(/^It would send [\d,]+ rows/)).toBeVisible()
    expect(received).toEqual([])
    // The run ends before the delayed reply about the connection arrives.
    await page.route(/connections\.get/, async (route) => {
      await new Promise((done) => setTimeout(done, 3000))
      await route.continue()
    })
    await page.getByRole('button', { name: 'Run now' }).click()
    await expect(runs.getByText(/^Sent [\d,]+ rows/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Run now' })).toBeEnabled()
    await page.unroute(/connections\.get/)
    expect(received).toEqual(['/journals a-secret'])
    expect(await breaches(page, '#content')).toEqual([])

    status = 503
    await page.getByRole('button', { name: 'Run now' }).click()
    await expect(runs.getByText('127.7.7.7 responded with 503.')).toBeVisible()
    await expect(page.getByText('The last run failed')).toBeVisible()
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText(/no automatic runs while it is paused/)).toBeVisible()
    await page.goto('/')
    await expect(page.getByText(`The connection ${name} is not working`)).toHaveCount(0)
    await page.goto('/console/integrations')
    await card.getByRole('link', { name }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByText('Resumed connection')).toBeVisible()
    await page.getByRole('button', { name: 'Run now' }).click()
    await expect(page.getByText('The last run failed')).toBeVisible()
    await page.goto('/')
    const notice = page.getByRole('status').filter({ hasText: `The connection ${name} is not working` })
    await expect(notice).toBeVisible()
    expect(await breaches(page, '#content', 'colours')).toEqual([])
    await notice.getByRole('link', { name: 'View its runs' }).click()
    await expect(runs.getByText('Failed').first()).toBeVisible()

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page).toHaveURL(/\/console\/integrations(\?|$)/)
    await expect(page.getByRole('link', { name })).toHaveCount(0)
  } finally {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

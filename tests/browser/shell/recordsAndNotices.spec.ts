import { type APIResponse, expect, type Page, type Route, test } from '@playwright/test'
import { patience } from '../../support/product/patience.ts'
import { choose, signIn, visit } from '../support.ts'

/** Calls the API as the signed-in user, for the selected organisation and location. */
async function ask(page: Page, method: string, path: string, data?: object): Promise<APIResponse> {
  const token = await page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user'))!
    return (JSON.parse(sessionStorage.getItem(key)!) as { access_token: string }).access_token
  })
  const selected = (await page.context().cookies()).filter(({ name }) => ['OrganisationId', 'LocationId', 'BudgetId'].includes(name))
  const headers = { Authorization: `Bearer ${token}`, ...Object.fromEntries(selected.map(({ name, value }) => [name, value])) }
  return page.request.fetch(path, { method, headers, data, timeout: patience * 60_000 })
}

const notices = (page: Page) => page.locator('.mantine-Notification-root')

async function atNorthgate(page: Page, who: string): Promise<void> {
  await signIn(page, who)
  if (who.startsWith('admin')) await choose(page, 'Organisation', 'Harbour Learning Trust')
  await choose(page, 'Location', 'Northgate Primary School')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Budget: 2026/27 Working' })).toBeVisible()
}

test('B-025 B-033 a URL names the record that its screen loads, and every way to it starts at the top of the page', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 420 })
  await atNorthgate(page, 'finance@harbour.example')
  const { rows } = (await (await ask(page, 'POST', '/api/BudgetCodes/list', { pageSize: 5000 })).json()) as {
    rows: { id: number; code: string }[]
  }
  const wanted = rows[7]!
  const read: number[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    const at = url.pathname.split('/').at(-1)!.split(',').indexOf('resources.budgetCode.get')
    if (at >= 0) read.push((JSON.parse(url.searchParams.get('input')!) as Record<string, { json: { id: number } }>)[at]!.json.id)
  })
  await visit(page, `/console/coding/budget-codes/${wanted.id}`)
  await expect(page.getByRole('heading', { level: 1, name: wanted.code })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Code', exact: true })).toHaveValue(wanted.code)
  expect([...new Set(read)]).toEqual([wanted.id])

  // Scroll down, follow a link, scroll down again, then go back and forward.
  const down = async (): Promise<void> => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(50)
  }
  /** The scroll position, after the browser has had time to restore it. */
  const top = async (heading: string): Promise<void> => {
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  }
  await down()
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Cost centres' }).click()
  await top('Cost centres')
  await down()
  await page.goBack()
  await top(wanted.code)
  await down()
  await page.goForward()
  await top('Cost centres')
})

test('B-076 a picker that does not hold all rows says how many there are, and searches on the server', async ({ page }) => {
  await atNorthgate(page, 'finance@harbour.example')
  const searched: string[] = []
  await page.route('**/trpc/**resources.budgetCode.pick**', async (route) => {
    const names = new URL(route.request().url()).pathname.split('/').at(-1)!.split(',')
    const input = JSON.parse(new URL(route.request().url()).searchParams.get('input')!) as Record<string, { json: { search?: string } }>
    const reply = await route.fetch()
    const answers = (await reply.json()) as { result: { data: { json: { total: number } } } }[]
    names.forEach((name, index) => {
      if (name !== 'resources.budgetCode.pick' || input[index]!.json.search === undefined) return
      searched.push(input[index]!.json.search)
      // Simulates an organisation with more codes than a list loads at once.
      if (!input[index]!.json.search) answers[index]!.result.data.json.total = 6000
    })
    await route.fulfill({ response: reply, json: answers })
  })
  await visit(page, '/console/coding/student-groups/add')
  const field = page.getByRole('combobox', { name: 'Budget code' })
  await field.click()
  await expect(page.getByText(/^\d+ of 6000\. Type to find the others\.$/)).toBeVisible()
  await field.pressSequentially('42')
  await expect.poll(() => searched).toContain('42')
  await expect(page.getByText('Type to find the others.')).toHaveCount(0)
})

test('B-276 B-280 a failed call is reported once, with the server’s message, and nothing is reported as done', async ({ page }) => {
  await atNorthgate(page, 'finance@harbour.example')
  const { rows } = (await (await ask(page, 'POST', '/api/ServiceTerms/list', { pageSize: 1 })).json()) as {
    rows: { basicBudgetCodeId: number }[]
  }
  const used = rows[0]!.basicBudgetCodeId

  // 409: the message in the body of the response.
  const refused = await ask(page, 'DELETE', `/api/BudgetCodes/${used}`)
  expect(refused.status()).toBe(409)
  await visit(page, `/console/coding/budget-codes/${used}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(notices(page)).toHaveText(await refused.text())

  // 400: the message in the body of the response.
  await page.reload()
  await visit(page, '/console/coding/cost-centres')
  await page.getByRole('checkbox', { name: 'Select row' }).first().check()
  await page.getByRole('button', { name: 'Bulk edit' }).click()
  await page.getByRole('checkbox', { name: 'Change Description' }).check()
  await page.getByRole('button', { name: 'Change 1 field' }).click()
  await expect(notices(page)).toHaveText('Description is required.')
  await expect(page).toHaveURL(/bulk(\?|$)/)

  // Any other status: the message of the error. No response: a message that says so.
  await page.reload()
  await visit(page, '/console/coding/cost-centres/add')
  const words = 'Something went wrong. Reference 4711.'
  const problem = { code: 'unexpected', kind: 'unexpected', message: words, fields: [] }
  const broken = [{ error: { json: { message: words, code: -32603, data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, problem } } } }]
  for (const [answer, said] of [
    [(route: Route) => route.fulfill({ status: 500, json: broken }), words],
    [(route: Route) => route.abort(), 'The server cannot be reached.'],
  ] as const) {
    await page.route('**/trpc/resources.costCentre.create**', answer)
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('B276')
    await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Never kept')
    await page.keyboard.press('Control+s')
    await expect(notices(page)).toHaveText(said)
    await page.unroute('**/trpc/resources.costCentre.create**')
    await notices(page).getByRole('button', { name: 'Close' }).click()
    await expect(notices(page)).toHaveCount(0)
  }
  await expect(page.getByText('Created new Cost centre')).toHaveCount(0)
})

test('B-277 B-278 a notice disappears after five seconds, stays while the pointer or the focus is on it, and is closed by hand', async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.clock.install()
  await visit(page, '/console/coding/cost-centres')
  await page.getByRole('gridcell').nth(1).click()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await expect(field).not.toHaveValue('')
  const before = await field.inputValue()
  const notice = notices(page).filter({ hasText: 'Updated Cost centre' })
  const save = async (text: string): Promise<void> => {
    await field.fill(text)
    await page.keyboard.press('Control+s')
    await expect(notice).toBeVisible()
  }
  /** From here on the page’s clock advances only when the test advances it. */
  const stop = async (): Promise<void> => page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 1000))
  const away = (): Promise<void> => page.mouse.move(300, 300)

  await save(`${before} a`)
  await notice.hover()
  await stop()
  await page.clock.runFor(20_000)
  await expect(notice).toBeVisible()
  await away()
  await page.clock.runFor(4900)
  await expect(notice).toBeVisible()
  await page.clock.runFor(1000)
  await expect(notice).toHaveCount(0)

  await page.clock.resume()
  await save(`${before} b`)
  await notice.getByRole('button', { name: 'Close' }).focus()
  await stop()
  await page.clock.runFor(20_000)
  await expect(notice).toBeVisible()
  await field.focus()
  await page.clock.runFor(4900)
  await expect(notice).toBeVisible()
  await page.clock.runFor(1000)
  await expect(notice).toHaveCount(0)

  await page.clock.resume()
  await save(before)
  await notice.getByRole('button', { name: 'Close' }).click()
  await expect(notice).toHaveCount(0)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, type Request, test } from '@playwright/test'
import { choose, clickOption, signIn, visit } from '../support.ts'

const { routes } = JSON.parse(readFileSync(join(import.meta.dirname, '../../contract/tables/routes.json'), 'utf8')) as {
  routes: { path: string; area: string; redirectTo: string | null }[]
}

const picker = (page: Page, name: 'Organisation' | 'Location' | 'Budget') =>
  page.getByRole('banner').getByRole('button', { name: new RegExp(`^${name}: `) })

/** Expects this selection in the three pickers of the bar. */
async function shows(page: Page, [organisation, location, budget]: readonly [string, string, string]): Promise<void> {
  await expect(picker(page, 'Organisation')).toHaveAccessibleName(`Organisation: ${organisation}`)
  await expect(picker(page, 'Location')).toHaveAccessibleName(`Location: ${location}`)
  await expect(picker(page, 'Budget')).toHaveAccessibleName(`Budget: ${budget}`)
}

/** The names of the calls in a batched request. */
const callsIn = (request: Request): string[] => new URL(request.url()).pathname.split('/').at(-1)!.split(',')
const isCall = (request: Request): boolean => request.url().includes('/trpc/')

/** The input of each call in a batched request. */
function asked(request: Request): Record<string, unknown>[] {
  const input = new URL(request.url()).searchParams.get('input') ?? request.postData() ?? '{}'
  const bodies = JSON.parse(input) as Record<string, { json: Record<string, unknown> }>
  return callsIn(request).map((_name, index) => bodies[index]?.json ?? {})
}

/** Records the page’s calls from now on, each with its input and request. */
function listen(page: Page): { name: string; input: Record<string, unknown>; request: Request }[] {
  const calls: { name: string; input: Record<string, unknown>; request: Request }[] = []
  page.on('request', (request) => {
    if (isCall(request)) calls.push(...callsIn(request).map((name, index) => ({ name, input: asked(request)[index]!, request })))
  })
  return calls
}

const cookie = async (context: BrowserContext, name: string): Promise<string | undefined> =>
  (await context.cookies()).find((one) => one.name === name)?.value

/** The access token of the page, which is stored only in session storage. */
const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user'))!
    return (JSON.parse(sessionStorage.getItem(key)!) as { access_token: string }).access_token
  })

const remember = (page: Page, name: 'OrganisationId' | 'LocationId' | 'BudgetId', value: string): Promise<void> =>
  page.context().addCookies([{ name, value, url: page.url() }])

const northgate = ['Harbour Learning Trust', 'Northgate Primary School', '2026/27 Working'] as const

test('B-010 B-011 B-013 B-016 B-017 B-061 B-075 the core loads come first, then the selectable records, and nothing shows before all have loaded', async ({
  page,
}) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await shows(page, northgate)
  // No request of the previous page is pending any more.
  await page.waitForLoadState('networkidle')
  let letGo = (): void => undefined
  const held = new Promise<void>((done) => {
    letGo = done
  })
  const calls = listen(page)
  await page.route('**/trpc/startup.recalculationLocked**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/overview/opening-balances')
  await expect.poll(() => calls.map(({ name }) => name)).toContain('startup.recalculationLocked')
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByRole('heading')).toHaveCount(0)
  const order = calls.map(({ name }) => name)
  expect(order.slice(0, 3).sort()).toEqual(['startup.authorisation', 'startup.types', 'terms.dictionary'])
  expect(order.slice(3)).toEqual([
    'resources.organisation.list',
    'resources.location.list',
    'budgets.listByLocation',
    'startup.recalculationLocked',
  ])
  const full = { pageNumber: 1, pageSize: 5000, sort: 'name', sortDirection: 'asc' }
  expect(calls[3]!.input).toMatchObject(full)
  expect(calls[4]!.input).toMatchObject(full)
  expect(calls[5]!.input).toMatchObject({ payload: full })
  letGo()
  await expect(page.getByRole('heading', { name: 'Opening balances' })).toBeVisible()

  // Every call carries the API version, the access token and, once known, the selection.
  const token = await tokenOf(page)
  const selection = Object.fromEntries(
    await Promise.all(
      ['OrganisationId', 'LocationId', 'BudgetId'].map(async (name) => [name.toLowerCase(), await cookie(page.context(), name)]),
    ),
  )
  for (const { request } of calls) expect(request.headers()).toMatchObject({ apiversion: '2', authorization: `Bearer ${token}` })
  const ofScreen = calls.filter(({ name }) => name.startsWith('openingBalances.'))
  expect(ofScreen.length).toBeGreaterThan(0)
  for (const { request } of ofScreen) expect(request.headers()).toMatchObject(selection)

  // The token is in no cookie and not in local storage.
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(token.length).toBeGreaterThan(20)
  expect(kept).not.toContain(token)
  for (const one of await page.context().cookies()) expect(one.value).not.toContain(token)
})

for (const core of ['startup.types', 'terms.dictionary', 'startup.authorisation'])
  test(`B-011 the start fails when ${core} does`, async ({ page }) => {
    await signIn(page, 'northgate@harbour.example')
    await page.route(`**/trpc/*${core}*`, async (route) => {
      const reply = await route.fetch()
      const answers = (await reply.json()) as unknown[]
      const problem = { code: 'unexpected', kind: 'unexpected', message: 'It broke.', fields: [] }
      answers[callsIn(route.request()).indexOf(core)] = {
        error: { json: { message: 'It broke.', code: -32603, data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, problem } } },
      }
      await route.fulfill({ status: 207, json: answers })
    })
    await page.goto('/settings')
    await expect(page.getByRole('heading', { name: 'Bursar could not start' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveText('It broke.')
    await expect(page.getByRole('banner')).toHaveCount(0)
  })

test('B-014 B-015 a user who must sign in or choose an organisation is led there before anything else shows', async ({ page }) => {
  const seen: string[] = []
  await page.exposeFunction('sees', (text: string) => void seen.push(text))
  await page.addInitScript(() => {
    const { sees } = window as unknown as { sees: (text: string) => void }
    const look = (): void => {
      for (const one of document.querySelectorAll('h1, header')) sees(`${location.pathname} ${one.tagName} ${one.textContent}`)
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  const calls = listen(page)
  await page.goto('/staffing/staff-contracts')
  await expect(page.getByLabel('Password')).toBeVisible()
  expect(seen.filter((one) => one.startsWith('/staffing'))).toEqual([])
  expect(calls).toEqual([])
  await page.getByLabel('Email').fill('finance@harbour.example')
  await page.getByLabel('Password').fill('Harbour-demo-26')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/welcome(\?|$)/)
  await expect(page.getByRole('heading', { name: /^Good/ })).toBeVisible()
  expect(seen.filter((one) => one.includes('Staff contracts') && one.includes('H1'))).toEqual([])
  expect(calls.filter(({ name }) => name.startsWith('contracts.'))).toEqual([])
})

test('B-021 the four sign-in pages open without a sign-in', async ({ page }) => {
  const calls = listen(page)
  for (const [path, heading] of [
    ['/auth/expired-session', 'Session expired'],
    ['/auth/access-fail', 'No access'],
    // The callback page without a sign-in reply gives no access.
    ['/auth/callback', 'No access'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading }), path).toBeVisible()
  }
  await page.goto('/auth/silent-renew')
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/silent-renew$/)
  expect(calls).toEqual([])
})

test('B-005 B-008 B-039 each area opens from the menu and the welcome page, and the bar shows the selection and which parts of it apply', async ({
  page,
}) => {
  await signIn(page, 'admin@bursar.example')
  await choose(page, 'Organisation', 'Harbour Learning Trust')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/welcome')
  const hour = new Date().getHours()
  const greeting = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(`^Good ${greeting}, `) })).toBeVisible()
  const areas = ['Overview', 'Staffing', 'Non-staffing', 'Payroll', 'Monitoring', 'Reports', 'Console', 'Administrator']
  // The URL of an area without a page of its own leads to its first screen.
  const first = areas.map((name) => {
    const { path, redirectTo } = routes.find(({ area }) => area === name.toLowerCase())!
    return redirectTo ?? path
  })
  const menu = page.getByRole('navigation', { name: 'Areas' })
  const inMenu = await menu
    .locator('a')
    .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')?.split('?')[0]]))
  expect(areas.map((area) => inMenu.find(([name]) => name === area)?.[1])).toEqual(first)
  const tiles = await page
    .getByRole('main')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => [link.querySelector('strong')?.textContent, link.getAttribute('href')?.split('?')[0]]))
  expect(tiles).toEqual(areas.map((area, index) => [area, first[index]]))
  await expect(page.getByRole('main').getByRole('region', { name: 'Selection' })).toBeVisible()

  // The bar is always visible, and the parts of the selection that the screen depends on are drawn bolder.
  const bar = page.getByRole('banner').getByRole('region', { name: 'Selection' })
  const weights = (): Promise<string[]> => bar.getByRole('button').evaluateAll((all) => all.map((one) => getComputedStyle(one).fontWeight))
  for (const [path, counts, says] of [
    ['/overview/summary', ['400', '400', '600'], null],
    ['/console/coding/budget-codes', ['600', '400', '400'], 'The console applies to the organisation'],
    ['/administrator/local-authorities', ['400', '400', '400'], 'The administrator area applies to all organisations'],
  ] as const) {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await shows(page, northgate)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(bar).toBeInViewport({ ratio: 1 })
    await expect.poll(weights).toEqual(counts)
    if (says) await expect(bar).toHaveAttribute('title', says)
    else await expect(bar).not.toHaveAttribute('title')
  }
})

test('B-039 the welcome page has a tile for each area that the user may open, and for no other', async ({ page }) => {
  await signIn(page, 'governor@harbour.example', '/welcome')
  await expect(page.getByRole('heading', { name: /^Good/ })).toBeVisible()
  const tiles = await page.getByRole('main').getByRole('link').locator('strong').allTextContents()
  const inMenu = await page.getByRole('navigation', { name: 'Areas' }).getByRole('link').allTextContents()
  expect(['Home', ...tiles]).toEqual(inMenu)
  expect(tiles).toContain('Overview')
  expect(tiles).not.toContain('Administrator')
})

test('B-046 B-047 B-049 B-051 B-052 B-151 a selection clears those below it, is remembered, and is forgotten when it is no longer the user’s', async ({
  page,
}) => {
  await signIn(page, 'admin@bursar.example')
  const calls = listen(page)
  // Nothing is remembered, and the user has several organisations: none is selected.
  await shows(page, ['none', 'none', 'none'])
  await choose(page, 'Organisation', 'Harbour Learning Trust')
  await shows(page, ['Harbour Learning Trust', 'none', 'none'])
  expect(calls.find(({ name }) => name === 'resources.location.list')?.input).toMatchObject({ sort: 'name', sortDirection: 'asc' })
  await picker(page, 'Location').click()
  const names = await page.getByRole('option').allTextContents()
  expect(names.length).toBeGreaterThan(3)
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)))
  await page.keyboard.press('Escape')
  await choose(page, 'Location', 'Northgate Primary School')
  await shows(page, northgate)

  // If no budget is remembered, the location’s first budget by name is selected, here another one.
  const [organisation, location] = [await cookie(page.context(), 'OrganisationId'), await cookie(page.context(), 'LocationId')]
  const ask = async (method: string, path: string, data?: object) => {
    const headers = { Authorization: `Bearer ${await tokenOf(page)}`, OrganisationId: organisation!, LocationId: location! }
    return page.request.fetch(path, { method, headers, data })
  }
  const template = (await (await ask('POST', '/api/BudgetElements/template', { locations: [Number(location)] })).json()) as object
  const name = '2026/27 An earlier name'
  const made = (await (await ask('POST', '/api/BudgetElements/create', { ...template, name })).json()) as { mongoId: string }[]
  try {
    await page.reload()
    await shows(page, northgate)
    await picker(page, 'Budget').click()
    // Other journeys may have made budgets here too, whose names come later.
    await expect(page.getByRole('option').first()).toHaveText(name)
    await expect(page.getByRole('option', { name: '2026/27 Working' })).toBeVisible()
    await page.keyboard.press('Escape')
    await remember(page, 'BudgetId', 'f'.repeat(24))
    await page.goto('/')
    await shows(page, [northgate[0], northgate[1], name])

    // Choosing another location clears the budget and lists the budgets of that location.
    const before = calls.length
    await choose(page, 'Location', 'Riverside')
    await expect(picker(page, 'Budget')).toHaveAccessibleName('Budget: 2026/27 Working')
    expect(calls.slice(before).find(({ name: call }) => call === 'budgets.listByLocation')?.input).toMatchObject({
      ids: [Number(await cookie(page.context(), 'LocationId'))],
    })
    await picker(page, 'Budget').click()
    await expect(page.getByRole('option').first()).toHaveText('2026/27 Working')
    await expect(page.getByRole('option', { name })).toHaveCount(0)
    await page.keyboard.press('Escape')
  } finally {
    expect((await ask('DELETE', `/api/Budget/${made[0]!.mongoId}`)).status()).toBe(204)
  }
  await choose(page, 'Organisation', 'Meadow')
  await expect(picker(page, 'Organisation')).toHaveAccessibleName(/^Organisation: Meadow/)
  await expect(picker(page, 'Budget')).not.toHaveAccessibleName('Budget: 2026/27 An earlier name')
  expect(await cookie(page.context(), 'OrganisationId')).not.toBe(organisation)
  expect(await cookie(page.context(), 'LocationId')).not.toBe(location)

  // The remembered organisation is not one of the user’s: the location and budget are cleared too, although their cookies are valid.
  await remember(page, 'OrganisationId', '999999')
  await remember(page, 'LocationId', location!)
  await page.goto('/')
  await shows(page, ['none', 'none', 'none'])
  expect(await cookie(page.context(), 'LocationId')).toBeUndefined()
})

test('B-049 B-052 a sole organisation and a sole location are selected when the remembered ones are not valid', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example')
  await shows(page, northgate)
  await remember(page, 'OrganisationId', '999999')
  await remember(page, 'LocationId', '999999')
  await remember(page, 'BudgetId', 'f'.repeat(24))
  await page.goto('/')
  await shows(page, northgate)
})

test('B-052 with several locations none is selected when the remembered one is not valid', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await remember(page, 'LocationId', '999999')
  await page.goto('/')
  await shows(page, ['Harbour Learning Trust', 'none', 'none'])
})

test('B-054 B-055 B-056 B-060 another selection reloads the screen, and asks first if there are unsaved changes', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/overview/opening-balances')
  await expect(page.getByRole('heading', { name: 'Opening balances' })).toBeVisible()
  const question = page.getByRole('dialog', { name: 'Review Changes' })

  // Nothing has been typed, so no dialog asks and the list reloads for the other budget.
  const again = page.waitForRequest((request) => isCall(request) && callsIn(request).includes('openingBalances.list'))
  await choose(page, 'Location', 'Riverside')
  const { budgetid: ofRequest } = (await again).headers()
  expect(ofRequest).toBe(await cookie(page.context(), 'BudgetId'))
  await expect(question).toHaveCount(0)
  await visit(page, '/overview/opening-balances/add')
  const description = page.getByRole('textbox', { name: 'Description' })
  await description.fill('Typed')
  const now = await picker(page, 'Location').getAttribute('aria-label')

  for (const refuse of [
    () => question.getByRole('button', { name: 'Cancel' }).click(),
    () => page.keyboard.press('Escape'),
    () => question.getByRole('button', { name: 'Close' }).click(),
  ]) {
    await clickOption(page, 'Location', 'Northgate Primary School')
    await expect(question).toContainText("You've made changes. Do you want to discard changes?")
    const buttons = await question.getByRole('button').allTextContents()
    expect(buttons.filter(Boolean)).toEqual(['Cancel', 'Discard Changes'])
    await refuse()
    await expect(question).toHaveCount(0)
    await expect(description).toHaveValue('Typed')
    await expect(picker(page, 'Location')).toHaveAccessibleName(now!)
  }
  await clickOption(page, 'Location', 'Northgate Primary School')
  await question.getByRole('button', { name: 'Discard Changes' }).click()
  await shows(page, northgate)
  await expect(description).toHaveValue('')
  await expect(page.getByText('Unsaved')).toHaveCount(0)
})

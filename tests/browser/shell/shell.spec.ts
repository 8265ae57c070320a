import { expect, test } from '@playwright/test'
import { breaches, choose, signIn, signInByForm, visit } from '../support.ts'

test('B-019 a user who opens a page signs in and returns to that page', { tag: '@journey' }, async ({ page }) => {
  await signInByForm(page, 'northgate@harbour.example', '/overview/history')
  await expect(page).toHaveURL(/\/overview\/history(\?|$)/)
  await expect(page).toHaveTitle('History - Overview - Northgate Primary School')
  await page.getByLabel('Search the history').fill('nobody did this')
  await expect(page.getByText(/^0 changes found$/)).toBeVisible()
  await page.getByLabel('Search the history').fill('recalculated')
  await expect(page.getByText(/^[1-9]\d* changes? found$/)).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasNotText: /recalculated/i })).toHaveCount(0)
})

test('a wrong password gets one sentence, and the typed email stays', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('Email').fill('northgate@harbour.example')
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('The email or password is wrong. Check both and try again.')
  await expect(page.getByLabel('Email')).toHaveValue('northgate@harbour.example')
})

test('B-007 B-036 the menu shows the screens that the user may open and nothing else', async ({ page }) => {
  await signIn(page, 'governor@harbour.example')
  const menu = page.getByRole('navigation', { name: 'Areas' })
  await menu.getByRole('button', { name: 'Expand Non-staffing' }).click()
  await expect(menu.getByRole('link', { name: 'Budget entries' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Staffing', exact: true })).toHaveCount(0)
  await expect(menu.getByRole('link', { name: 'Staff contracts' })).toHaveCount(0)
  await expect(menu.getByRole('link', { name: 'Cost centres' })).toHaveCount(0)
  await page.goto('/console/coding/cost-centres')
  await expect(page.getByRole('heading', { name: 'Not allowed' })).toBeVisible()
  await page.goto('/administrator/organisations')
  await expect(page.getByRole('heading', { name: 'Not allowed' })).toBeVisible()
  await page.goto('/staffing/staff-contracts')
  await expect(page.getByRole('heading', { name: 'Not allowed' })).toBeVisible()
})

test('the menu expands the current area without moving any entry, and keeps areas expanded that were opened by hand', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/overview/summary')
  const menu = page.getByRole('navigation', { name: 'Areas' })
  await expect(menu.getByRole('link', { name: 'Scenarios' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Pupil numbers' })).toHaveCount(0)
  await menu.getByRole('button', { name: 'Expand Non-staffing' }).press('Enter')
  await expect(menu.getByRole('link', { name: 'Pupil numbers' })).toBeVisible()
  const staffing = menu.getByRole('link', { name: 'Staffing', exact: true })
  const before = await staffing.boundingBox()
  await staffing.click()
  await expect(page).toHaveTitle(/- Staffing - Northgate Primary School$/)
  await expect(menu.getByRole('link', { name: 'Staff contracts' })).toBeVisible()
  expect((await staffing.boundingBox())?.y).toBe(before?.y)
  // The star of the current entry takes no space from its name.
  const scenarios = menu.getByRole('link', { name: 'Scenarios' })
  const apart = await scenarios.boundingBox()
  await scenarios.click()
  await expect(menu.getByRole('button', { name: 'Scenarios in favourites' })).toBeVisible()
  expect(await scenarios.boundingBox()).toEqual(apart)
  await menu.getByRole('link', { name: 'Staffing', exact: true }).click()
  await menu.getByRole('button', { name: 'Collapse Overview' }).click()
  await expect(scenarios).toHaveCount(0)
  await page.reload()
  await expect(scenarios).toHaveCount(0)
  await expect(menu.getByRole('link', { name: 'Pupil numbers' })).toBeVisible()
})

test('favourites are at the top of the menu, and the console has its own menu', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/overview/scenarios')
  const menu = page.getByRole('navigation', { name: 'Areas' })
  await menu.getByRole('button', { name: 'Scenarios in favourites' }).click()
  await expect(menu.getByRole('link', { name: 'Scenarios' })).toHaveCount(2)
  await menu.getByRole('link', { name: 'Console', exact: true }).click()
  await expect(menu.getByRole('link', { name: 'Non-staffing' })).toHaveCount(0)
  await expect(menu.getByRole('link', { name: 'Coding', exact: true })).toBeVisible()
  await menu.getByRole('link', { name: 'Scenarios' }).click()
  await menu.getByRole('button', { name: 'Scenarios in favourites' }).first().click()
  await expect(menu.getByRole('link', { name: 'Scenarios' })).toHaveCount(1)
})

test('a message takes one line once it was seen for more than a glance, and can be expanded', async ({ page }) => {
  const said = /Check staff contracts|Bring the budget/
  await page.clock.install()
  await signIn(page, 'northgate@harbour.example', '/console/coding/budget-codes')
  // Another journey changes the text of this message.
  const banner = page.getByRole('status').filter({ hasText: /Budgets to governors|Governors meet in March/ })
  await expect(banner).toContainText(said)
  // A slow machine may take seconds between asking for the time and stopping the clock.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))
  // The page may have taken any time until here; the message counts as seen only from now on.
  await page.evaluate(() => {
    window.localStorage.removeItem('seenMessages')
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Fund codes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fund codes' })).toBeVisible()
  await expect(banner).toContainText(said)
  await page.clock.runFor(1000)
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Cost centres' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Cost centres' })).toBeVisible()
  await expect(banner).not.toContainText(said)
  await banner.getByRole('button', { name: /^(Information: Budgets to governors|Warning: Governors meet in March)$/ }).click()
  await expect(banner).toContainText(said)
})

test('home shows the budget of record in a few figures, what is to be done, and where the user was last', { tag: '@journey' }, async ({
  page,
}) => {
  await signIn(page, 'northgate@harbour.example', '/overview/summary')
  await expect(page.locator('strong').nth(4)).toContainText('£')
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Home' }).click()
  const school = page.getByRole('region', { name: 'The budget at a glance' })
  await expect(school.getByRole('link', { name: '2026/27 Working' })).toBeVisible()
  await expect(school.getByRole('link', { name: /£/ }).first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'To do' }).getByRole('list')).toBeAttached()
  await page.getByRole('navigation', { name: 'Recent pages' }).getByRole('link', { name: 'Summary' }).click()
  await expect(page).toHaveURL(/overview\/summary(\?|$)/)
  await visit(page, '/')
  expect(await breaches(page)).toEqual([])
})

test('B-036 a user who may only read sees staff contracts and no way to change them', async ({ page }) => {
  await signIn(page, 'auditor@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await page.goto('/staffing/staff-contracts')
  await expect(page.locator('tr[data-index]').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Add contract/ })).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: 'Select row' })).toHaveCount(0)
})

test('B-048 B-050 the selection is kept in cookies and restored; a deleted budget is replaced by the first', async ({ page }) => {
  await signIn(page, 'finance@harbour.example')
  await choose(page, 'Location', 'Northgate Primary School')
  await expect
    .poll(async () =>
      (await page.context().cookies())
        .map((cookie) => cookie.name)
        .sort()
        .join(),
    )
    .toContain('BudgetId')
  await page.context().addCookies([{ name: 'BudgetId', value: 'f'.repeat(24), url: page.url() }])
  // An address that names no budget, unlike the one of this page.
  await page.goto('/')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Location: Northgate Primary School' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Budget: 2026/27 Working' })).toBeVisible()
})

test('B-030 an unknown URL says so and leads home', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/no/such/page')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('heading', { name: /^Good (morning|afternoon|evening), Sam$/ })).toBeVisible()
})

test('Ctrl K finds a screen or a budget and goes there by keyboard alone', { tag: '@journey' }, async ({ browser, page }) => {
  await signIn(page, 'northgate@harbour.example')
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search or jump to' }).fill('fund codes')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/fund-codes(\?|$)/)
  const find = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill(text)
  }
  const row = page.getByRole('row').nth(1)
  await visit(page, '/staffing/staff-members')
  const number = await row
    .getByText(/^[A-Z]{0,4}-?\d{3,6}$/)
    .first()
    .textContent()
  await find(number ?? '')
  await page.getByRole('button', { name: new RegExp(`, \\S+ ${number}$`) }).waitFor()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/staff-members\/\d+(\?|$)/)
  await find('cleaning')
  const entry = page.getByRole('button', { name: /^Cleaning.*Northgate Primary School/ }).first()
  await entry.click()
  await expect(page).toHaveURL(/budget-entries\/[0-9a-f]{24}(\?|$)/)
  const thread = page.getByRole('region', { name: 'Comments', exact: true })
  await thread.getByLabel('Comment').fill('Is the pangolin paid for?')
  await thread.getByRole('button', { name: 'Add comment' }).click()
  await expect(thread.getByRole('listitem').filter({ hasText: 'Is the pangolin paid for?' }).first()).toBeVisible()
  await find('pangolin')
  await page
    .getByRole('button', { name: /^Is the pangolin paid for\? ?Cleaning.* · Northgate Primary School, / })
    .first()
    .click()
  await expect(page).toHaveURL(/budget-entries\/[0-9a-f]{24}(\?[^#]*)?#comments$/)
  await find('add staff contract')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/staff-contracts\/add(\?|$)/)
  // Recalculates the group for all schools, as a user with access to all of them.
  await find('recalculate')
  await expect(page.getByRole('button', { name: 'Recalculate 2026/27 Working' })).toHaveCount(0)
  // A dialog that is still opening does not hear the key.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('textbox', { name: 'Search or jump to' })).toBeHidden({ timeout: 1000 })
  }).toPass()
  const trust = await (await browser.newContext()).newPage()
  await signIn(trust, 'finance@harbour.example')
  await choose(trust, 'Location', 'Northgate Primary School')
  await trust.keyboard.press('Control+k')
  await trust.getByRole('textbox', { name: 'Search or jump to' }).fill('recalculate')
  await trust.getByRole('button', { name: 'Recalculate 2026/27 Working' }).click()
  await expect(trust.getByText(/The costs of 2026\/27 Working are up to date|2026\/27 Working is being recalculated/).first()).toBeVisible()
  await trust.context().close()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await expect(page.getByRole('textbox', { name: 'Search or jump to' })).toBeFocused()
  expect(await breaches(page, '[role=dialog]')).toEqual([])
})

test('B-035 an area opens its first screen', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/staffing')
  await expect(page).toHaveURL(/staffing\/staff-contracts(\?|$)/)
  await page.goto('/overview')
  await expect(page).toHaveURL(/overview\/summary(\?|$)/)
})

test('B-041 signing out ends at a page that says so', async ({ page }) => {
  await signInByForm(page, 'auditor@harbour.example')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Shift+?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys.getByText('Fill down')).toBeVisible()
  expect(await breaches(page, '[role=dialog]')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await page.getByRole('button', { name: /^Profile of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible()
  await page.goto('/')
  await expect(page.getByLabel('Password')).toBeVisible()
})

test('when the session ends, a dialog asks to sign in again and typed text stays', { tag: '@journey' }, async ({ page }) => {
  const code = `S${Date.now() % 1e9}`
  await signIn(page, 'northgate@harbour.example', '/console/coding/cost-centres/add')
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(code)
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Typed before the end')
  await page.context().clearCookies()
  await page.route('**/trpc/**', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/json',
      body: '[{"error":{"json":{"message":"Sign in to continue.","code":-32001,"data":{"code":"UNAUTHORIZED","httpStatus":401,"problem":{"code":"signIn","kind":"signIn","message":"Sign in to continue.","fields":[]}}}}}]',
    }),
  )
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
  await page.unroute('**/trpc/**')
  const popup = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in again' }).click()
  const window = await popup
  await window.getByLabel('Email').fill('northgate@harbour.example')
  await window.getByLabel('Password').fill('Harbour-demo-26')
  await window.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Code', exact: true })).toHaveValue(code)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Created new Cost centre')).toBeVisible()
})

test('B-042 an expired token is renewed without the user noticing', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/settings')
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage).filter((name) => name.startsWith('oidc.user'))) {
      const user = JSON.parse(sessionStorage.getItem(key)!)
      sessionStorage.setItem(key, JSON.stringify({ ...user, access_token: 'run-out', expires_at: Math.floor(Date.now() / 1000) - 60 }))
    }
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await expect(page).toHaveURL(/\/settings(\?|$)/)
})

test('B-009 B-040 the offline page shows while the server does not reply, and returns once it does', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example')
  await page.route('**/healthz', (route) => route.abort())
  await page.goto('/offline?to=%2Fsettings')
  await expect(page.getByRole('heading', { name: 'Offline' })).toBeVisible()
  await page.unroute('**/healthz')
  await expect(page).toHaveURL(/\/settings(\?|$)/)
})

test('B-012 a start that fails says so and offers to retry', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example')
  await page.route('**/trpc/**', (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Bursar could not start' })).toBeVisible()
  await page.unroute('**/trpc/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('banner')).toBeVisible()
})

test('B-026 an id that does not exist shows the not-found page with a way back to the list', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/console/coding/cost-centres/999999')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect(page.getByRole('heading', { name: 'Cost centres' })).toBeVisible()
})

test('B-045 B-074 the page size is chosen once and kept in the browser', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/settings')
  // After more than a glance, the message takes one line on every following page.
  await expect(page.getByRole('status').filter({ hasText: /Budgets to governors|Governors meet in March/ })).toBeVisible()
  await page.waitForTimeout(1100)
  await page.getByRole('combobox', { name: 'Rows per page in lists' }).click()
  await page.getByRole('option', { name: '25' }).click()
  expect(await page.evaluate(() => localStorage.getItem('pageSize'))).toBe('25')
  await page.goto('/staffing/staff-contracts')
  await expect(page.getByText(/^1–25 of/)).toBeVisible()

  // The list has as many rows as fit: the page does not scroll, and one more row would not fit.
  const rows = page.locator('tr[data-index]')
  const roomLeft = () =>
    page.evaluate(() => {
      const { scrollHeight, clientHeight } = document.documentElement
      const main = document.querySelector('main')!
      const below =
        main.querySelector('section:has(tbody)')!.getBoundingClientRect().bottom + Number.parseFloat(getComputedStyle(main).paddingBottom)
      return scrollHeight > clientHeight ? -1 : clientHeight - below
    })
  const expectFilled = () =>
    expect(async () => {
      const [left, { height }] = [await roomLeft(), (await rows.first().boundingBox())!]
      expect(left).toBeGreaterThanOrEqual(0)
      expect(left).toBeLessThan(height)
    }).toPass()
  await page.getByRole('combobox', { name: 'Rows per page' }).click()
  await page.getByRole('option', { name: 'As many as fit' }).click()
  await expectFilled()
  const many = await rows.count()
  expect(many).not.toBe(25)

  // A list of known row height is loaded only once.
  await page.setViewportSize({ width: 390, height: 844 })
  await expectFilled()
  const fewer = await rows.count()
  expect(fewer).toBeLessThan(many)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('contracts.list')) asked.push(request.url())
  })
  await page.reload()
  await expect(rows).toHaveCount(fewer)
  // A list is measured once its layout has been stable for a while.
  await page.waitForTimeout(1000)
  expect(asked).toHaveLength(1)
  await expect(rows).toHaveCount(fewer)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(rows).toHaveCount(many)

  // After a change of window size the first visible row stays visible, although it is on another page.
  const numberOf = async () => (await rows.first().locator('[data-column="employeeNumber"]').textContent())!
  const before = await numberOf()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows.filter({ hasText: before })).toHaveCount(0)
  const first = await numberOf()
  for (const [width, height] of [
    [1440, 1150],
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectFilled()
    await expect(rows.filter({ hasText: first }).first()).toBeVisible()
  }
  await expect(page.getByText(new RegExp(`^${many + 1}–`))).toBeVisible()

  // The same holds for a changed row height, and for content that disappears above the rows.
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click()
  await page.keyboard.press('Escape')
  await expectFilled()
  await expect(rows.filter({ hasText: first }).first()).toBeVisible()
  await page.getByRole('button', { name: /^Close the message (Budgets to governors|Governors meet in March)$/ }).click()
  await expectFilled()
  await page.setViewportSize({ width: 1440, height: 320 })
  await expect(rows).toHaveCount(5)
})

test('B-043 B-044 the version page shows the running version, and the profile page the signed-in user', async ({ page }) => {
  await signIn(page, 'northgate@harbour.example', '/version')
  await expect(page.getByRole('row', { name: /API version/ })).toContainText('2')
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Sam Turner' })).toBeVisible()
  await expect(page.getByText('School business manager')).toBeVisible()
})

test('B-020 B-023 without a location a screen redirects to the welcome page', async ({ page }) => {
  await signIn(page, 'finance@harbour.example', '/staffing/staff-contracts')
  await expect(page).toHaveURL(/\/welcome(\?|$)/)
  await choose(page, 'Location', 'Northgate Primary School')
  await expect(page).toHaveURL(/staff-contracts(\?|$)/)
})

test('a link to a report of the console opens it without a location, as At a glance does', async ({ page }) => {
  const link = '/console/reports?report=stakeHolder&of=all&pence=1'
  await signIn(page, 'finance@harbour.example', link)
  await expect(page.getByRole('checkbox', { name: 'Pence' })).toBeChecked()
  await expect(page).toHaveURL(new RegExp(`${link.replace('?', '\\?')}&o=\\d+$`))
  await visit(page, '/console/at-a-glance')
  await expect(page.getByRole('region', { name: 'At a glance' }).getByRole('row', { name: /Northgate/ })).toBeVisible()
  await visit(page, '/console')
  await expect(page.getByRole('heading', { level: 1, name: 'Console' })).toBeVisible()
})

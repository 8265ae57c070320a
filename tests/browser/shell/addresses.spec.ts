import { type Browser, expect, type Page, test } from '@playwright/test'
import { findTrustIds, signInAs } from '../../support/product/http.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { product } from '../products.ts'
import { choose, signIn, signInByForm, visit } from '../support.ts'

const northgate = 'Northgate Primary School'
const riverside = 'Riverside School'
const balances = '/overview/opening-balances'

const location = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Location: / })
const budget = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Budget: / })
const notFound = (page: Page) => page.getByRole('heading', { name: 'Page not found' })

/** What the address of a page names. */
function namedBy(page: Page): { o: string | null; l: string | null; b: string | null } {
  const { searchParams } = new URL(page.url())
  return { o: searchParams.get('o'), l: searchParams.get('l'), b: searchParams.get('b') }
}

/** Waits until the address names a budget. */
async function readNamed(page: Page): Promise<Record<'o' | 'l' | 'b', string>> {
  await expect(page).toHaveURL(/[?&]o=\d+&l=\d+&b=[0-9a-f]{24}$/)
  const { o, l, b } = namedBy(page)
  return { o: o!, l: l!, b: b! }
}

/** The page of another user of the trust, who has nothing open. */
async function openAs(browser: Browser, email: string, to = '/'): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, email, to)
  return page
}

/** Adds an opening balance of the selected budget, and stays on its page. */
async function addBalance(page: Page, name: string): Promise<void> {
  await visit(page, `${balances}/add`)
  await page.getByRole('textbox', { name: 'Description' }).fill(name)
  await page.getByRole('textbox', { name: 'Value' }).fill('100')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

test('two tabs show and save two schools, and a reload of either keeps its own', { tag: '@journey' }, async ({ page }) => {
  await signIn(page, 'finance@harbour.example', balances)
  await choose(page, 'Location', northgate)
  const other = await page.context().newPage()
  await signIn(other, 'finance@harbour.example', balances)
  await choose(other, 'Location', riverside)
  const mark = Date.now() % 1e6
  await addBalance(page, `First ${mark}`)
  await addBalance(other, `Second ${mark}`)
  for (const [tab, school, own, foreign] of [
    [page, northgate, 'First', 'Second'],
    [other, riverside, 'Second', 'First'],
  ] as const) {
    await tab.reload()
    await expect(location(tab)).toHaveAccessibleName(`Location: ${school}`)
    await expect(tab.getByRole('heading', { name: `${own} ${mark}` })).toBeVisible()
    await expect(tab).toHaveTitle(new RegExp(`Overview - ${school}$`))
    await visit(tab, balances)
    await expect(tab.getByRole('row', { name: new RegExp(`${own} ${mark}`) })).toBeVisible()
    await expect(tab.getByText(`${foreign} ${mark}`)).toHaveCount(0)
  }
})

test('a link to a record opens for a user who has another school open, and is not found by one who may not see it', async ({
  browser,
  page,
}) => {
  await signIn(page, 'finance@harbour.example', balances)
  await choose(page, 'Location', riverside)
  await addBalance(page, `Linked ${Date.now() % 1e6}`)
  const heading = await page.getByRole('heading', { level: 1 }).textContent()
  const link = page.url()
  const { b } = await readNamed(page)

  await visit(page, balances)
  await choose(page, 'Location', northgate)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: heading! })).toBeVisible()
  await expect(location(page)).toHaveAccessibleName(`Location: ${riverside}`)

  // Within the product too: the budget that opens is said.
  await choose(page, 'Location', northgate)
  await visit(page, new URL(link).pathname + new URL(link).search)
  await expect(page.getByRole('heading', { name: heading! })).toBeVisible()
  await expect(page.getByText(`at ${riverside} is now open`)).toBeVisible()

  // A user of the other school learns nothing, and keeps their own.
  const manager = await openAs(browser, 'northgate@harbour.example', link)
  await expect(notFound(manager)).toBeVisible()
  await expect(location(manager)).toHaveAccessibleName(`Location: ${northgate}`)
  await expect(manager.getByText(heading!)).toHaveCount(0)
  // Messages to everybody may be shown above.
  const wordsOf = async (): Promise<string> =>
    ((await manager.getByRole('main').textContent()) ?? '').replace(/^[\s\S]*?(?=Page not found)/, '')
  const words = await wordsOf()
  await manager.goto(link.replace(b, 'f'.repeat(24)))
  await expect(notFound(manager)).toBeVisible()
  expect(await wordsOf()).toBe(words)
  await manager.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(manager.getByRole('heading', { name: /^Good/ })).toBeVisible()
  expect((await readNamed(manager)).l).not.toBe((await readNamed(page)).l)
  await manager.context().close()
})

test('an address with wrong ids is not found, and leaves the open school as it is', async ({ page }) => {
  await signIn(page, 'finance@harbour.example', balances)
  await choose(page, 'Location', riverside)
  const other = await readNamed(page)
  await choose(page, 'Location', northgate)
  await expect(page).not.toHaveURL(new RegExp(`l=${other.l}&`))
  const { o, l, b } = await readNamed(page)
  for (const search of [
    `o=${o}&l=${l}&b=${other.b}`,
    `o=${o}&l=${l}&b=${'f'.repeat(24)}`,
    `o=${o}&l=${l}&b=`,
    `o=${o}&l=999999&b=${b}`,
    `o=999999&l=${l}&b=${b}`,
    `o=${o}&l=first`,
    `o=1e3&l=${l}`,
    `o=-1`,
    `o=${'9'.repeat(30)}`,
    `o=%27&l=%27`,
    'o=',
  ]) {
    await visit(page, balances)
    await expect(page.getByRole('heading', { name: 'Opening balances' })).toBeVisible()
    await visit(page, `${balances}?${search}`)
    await expect(notFound(page), search).toBeVisible()
    await expect(location(page), search).toHaveAccessibleName(`Location: ${northgate}`)
  }
  // The first page of a tab, too: then the remembered school is open.
  for (const search of [`o=${o}&l=${l}&b=${other.b}`, `o=999999&l=${other.l}`]) {
    await page.goto(`${balances}?${search}`)
    await expect(notFound(page), search).toBeVisible()
    await expect(location(page), search).toHaveAccessibleName(`Location: ${northgate}`)
  }
})

test('an address that names only part is completed', async ({ page }) => {
  await signIn(page, 'finance@harbour.example', balances)
  await choose(page, 'Location', northgate)
  const { o, l, b } = await readNamed(page)
  for (const search of [`?o=${o}`, `?o=${o}&l=${l}`, '', '?l=999999']) {
    await page.goto(`${balances}${search}`)
    await expect(page.getByRole('heading', { name: 'Opening balances' }), search).toBeVisible()
    expect(await readNamed(page), search).toEqual({ o, l, b })
  }
  // The console is about the organisation: a colleague’s address opens although it names a school that this user does not see.
  await page.goto(`/console/coding/fund-codes?o=${o}&l=999999`)
  await expect(page.getByRole('heading', { name: 'Fund codes' })).toBeVisible()
  expect(await readNamed(page)).toEqual({ o, l, b })
})

test('back and forward go through schools and budgets, and every link names what is open', async ({ page }) => {
  await signIn(page, 'finance@harbour.example', balances)
  await choose(page, 'Location', northgate)
  const first = await readNamed(page)
  await choose(page, 'Location', riverside)
  await expect(page).not.toHaveURL(new RegExp(`l=${first.l}&`))
  const second = await readNamed(page)
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Summary' }).click()
  await expect(page).toHaveTitle(`Summary - Overview - ${riverside}`)
  expect(await readNamed(page)).toEqual(second)
  await page.goBack()
  await expect(page).toHaveTitle(`Opening balances - Overview - ${riverside}`)
  await page.goBack()
  await expect(page).toHaveTitle(`Opening balances - Overview - ${northgate}`)
  await expect(location(page)).toHaveAccessibleName(`Location: ${northgate}`)
  expect(await readNamed(page)).toEqual(first)
  const links = page.getByRole('navigation', { name: 'Areas' }).locator('a')
  const targets = (): Promise<(string | null)[]> => links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  await expect.poll(async () => (await targets()).filter((to) => !to?.endsWith(`o=${first.o}&l=${first.l}&b=${first.b}`))).toEqual([])
  expect((await targets()).length).toBeGreaterThan(5)
  await page.goForward()
  await expect(location(page)).toHaveAccessibleName(`Location: ${riverside}`)
  await expect(page).toHaveTitle(`Opening balances - Overview - ${riverside}`)
  await visit(page, '/console/coding/fund-codes')
  await expect(page).toHaveTitle('Fund codes - Console - Harbour Learning Trust')
  await expect(budget(page)).toHaveAccessibleName(/^Budget: \S/)
})

test('a budget that is deleted while it is open gives way to the first, which is said and named in the address', async ({ page }) => {
  const finance = await signInAs(product, 'finance@harbour.example')
  const { organisationId, locations } = await findTrustIds(finance)
  const own = { OrganisationId: organisationId, LocationId: locations.Riverside! }
  const { rows } = await proceduresOf(product, finance, own).budgets.listByLocation.query({ ids: [locations.Riverside!] })
  const made = await finance.call('POST', `/api/Budget/duplicate/${rows[0]!.mongoId}`, { name: `Zz ${Date.now() % 1e6}` }, own)
  const b: string = made.body.mongoId
  await signIn(page, 'finance@harbour.example', `${balances}?o=${organisationId}&l=${locations.Riverside}&b=${b}`)
  await expect(budget(page)).toHaveAccessibleName(/^Budget: Zz/)
  // Only a page that hears of changes can follow them.
  await expect(page.getByRole('heading', { name: 'Opening balances' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect((await finance.call('DELETE', `/api/Budget/${b}`, undefined, own)).status).toBe(204)
  await expect(budget(page)).not.toHaveAccessibleName(/^Budget: Zz/)
  await expect(page.getByText(/ at Riverside .* is now open$/).first()).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(b))
  await readNamed(page)
  await expect(page.getByRole('heading', { name: 'Opening balances' })).toBeVisible()
})

test('going back to another school asks before it discards what is unsaved', async ({ page }) => {
  await signIn(page, 'finance@harbour.example', `${balances}/add`)
  await choose(page, 'Location', northgate)
  await expect(page.getByRole('textbox', { name: 'Description' })).toBeVisible()
  await choose(page, 'Location', riverside)
  const description = page.getByRole('textbox', { name: 'Description' })
  await description.fill('Typed')
  await page.goBack()
  await page.getByRole('dialog', { name: 'Review Changes' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(description).toHaveValue('Typed')
  await expect(location(page)).toHaveAccessibleName(`Location: ${riverside}`)
  await page.goBack()
  await page.getByRole('button', { name: 'Discard Changes' }).click()
  await expect(location(page)).toHaveAccessibleName(`Location: ${northgate}`)
  await expect(description).toHaveValue('')
})

test('an address with a school survives signing in', async ({ browser, page }) => {
  await signIn(page, 'finance@harbour.example', balances)
  await choose(page, 'Location', riverside)
  await readNamed(page)
  const stranger = await (await browser.newContext()).newPage()
  await signInByForm(stranger, 'finance@harbour.example', `${page.url()}#content`)
  await expect(stranger.getByRole('heading', { name: 'Opening balances' })).toBeVisible()
  expect(stranger.url()).toBe(`${page.url()}#content`)
  await stranger.context().close()
})

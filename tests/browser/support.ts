import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { root } from '../../server/core/root.ts'
import { demoPassword } from '../../server/demo/access.ts'
import { bundlePrograms } from '../../server/launch/bundle.ts'
import { product } from './products.ts'

/** Stored sessions of users, so that not every journey starts at the sign-in page. */
const folder = `test-results/.sessions/${product.port}`

const programs = await bundlePrograms(root)

const watched = new WeakSet<Page>()

/** Fails the journey when a screen sends a field that its call does not know: the server would refuse it, through no fault of the user. */
function watchFields(page: Page): void {
  if (watched.has(page)) return
  watched.add(page)
  page.on('response', async (reply) => {
    if (!reply.url().includes('/trpc/') || reply.status() === 200) return
    const unknown = /There is no field [^"]*/.exec(await reply.text().catch(() => ''))
    if (unknown) throw new Error(`${new URL(reply.url()).pathname}: ${unknown[0]}`)
  })
}

/** Signs in through the page, as a person does. */
export async function signInByForm(page: Page, email: string, to = '/'): Promise<void> {
  watchFields(page)
  await page.goto(to)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('banner')).toBeVisible()
}

/** Opens the product as a user, with the session of an earlier sign-in if there is one. */
export async function signIn(page: Page, email: string, to = '/'): Promise<void> {
  watchFields(page)
  const file = join(folder, `${email}.json`)
  if (existsSync(file)) {
    await page.context().addCookies(JSON.parse(readFileSync(file, 'utf8')))
    await page.goto(to)
    await expect(page.getByRole('banner')).toBeVisible()
    return
  }
  await signInByForm(page, email, to)
  const cookies = (await page.context().cookies()).filter((cookie) => cookie.name.startsWith('_'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify(cookies))
}

/** Runs the audit tool on the data behind the pages. @returns its output */
export function runAudit(...words: string[]): string {
  return execFileSync(process.execPath, [join(programs, 'audit.mjs'), ...words], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: product.data },
  })
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

type Picker = 'Organisation' | 'Location' | 'Budget'

/** Clicks an option of one of the three pickers in the bar. If something is unsaved, the page asks before it follows. */
export async function clickOption(page: Page, picker: Picker, name: string): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: new RegExp(`^${picker}`) })
    .click()
  await page.getByRole('option', { name }).click()
}

/** Chooses from one of the three pickers in the bar. */
export async function choose(page: Page, picker: Picker, name: string): Promise<void> {
  await clickOption(page, picker, name)
  await expect(page.getByRole('banner').getByRole('button', { name: new RegExp(`^${picker}: .*${escapeRegExp(name)}`, 'i') })).toBeVisible()
}

/** Opens another screen without reloading the product, as links do. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState({}, '', to)
    window.dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
}

/**
 * Finds the breaches of WCAG 2.2 AA that a machine can find.
 * @param part only this part of the page: in a walk through many screens, the shell need not be checked each time
 * @param what `colours` checks only what depends on the colour scheme, for a page already checked in the other scheme
 */
export async function breaches(page: Page, part?: string, what: 'all' | 'colours' = 'all'): Promise<string[]> {
  // axe is half a megabyte, so it is injected into a page only once. Passes are only counted, because describing them takes longer than the
  // checks. Without frames of other origins, legacy mode gives the same result and saves the page that axe would open to collect it.
  const axeSource = (await page.evaluate(() => 'axe' in window)) ? 'undefined' : undefined
  const axe = new AxeBuilder({ page, axeSource }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (what === 'colours') axe.withRules(['color-contrast', 'link-in-text-block'])
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
  const { violations } = await (part ? axe.include(part) : axe).analyze()
  return violations.map(
    (violation) =>
      `${violation.id}: ${violation.help} (${violation.nodes
        .map((node) => node.target.join(' '))
        .slice(0, 3)
        .join(' | ')})`,
  )
}

/** Types into the focused field and takes the first option. */
export async function pick(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text)
  await expect(page.getByRole('option', { name: new RegExp(escapeRegExp(text), 'i') }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

/** Types an option into a field to choose from and takes it with Enter. */
export async function typeOption(field: Locator, option: string): Promise<void> {
  await field.fill(option)
  await field.press('Enter')
  await expect(field).toHaveValue(option)
}

/** Adds a user to the demo’s trust, as the signed-in administrator of the product. */
export async function addPerson(page: Page, { email, forename, surname }: Record<'email' | 'forename' | 'surname', string>): Promise<void> {
  await page.goto('/administrator/users/add')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Forename' }).fill(forename)
  await page.getByRole('textbox', { name: 'Surname' }).fill(surname)
  await page.getByRole('button', { name: 'Add organisation' }).click()
  await page.getByRole('combobox', { name: 'Organisation to add' }).click()
  await page.getByRole('option', { name: 'Harbour Learning Trust' }).click()
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/^Created new/).first()).toBeVisible()
}

/** A promise that the test resolves with `go`, for holding back a reply while the test looks at the screen without it. */
export function createGate(): { until: Promise<void>; go: () => void } {
  let go = (): void => undefined
  const until = new Promise<void>((done) => {
    go = done
  })
  return { until, go: () => go() }
}

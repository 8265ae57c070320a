import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page, type Request, test } from '@playwright/test'
import { screens } from '../../../client/screens.ts'
import { signInAs } from '../../support/product/http.ts'
import { patience } from '../../support/product/patience.ts'
import { launchOptions, product } from '../products.ts'
import { breaches, choose, signIn, visit } from '../support.ts'

// These journeys are the longest, so they run in parallel: whichever copy of the product is free takes the next.
test.describe.configure({ mode: 'parallel' })

// Different launch options start a separate browser, because one that has rendered hundreds of pages reacts slowly to a new window size.
// These pages live long enough for optimising compilers to pay off.
test.use({ launchOptions: { ...launchOptions, args: launchOptions.args.filter((argument) => !argument.startsWith('--js-flags')) } })

/** A window of 1440 × 900 at 200 % zoom has 720 × 450 pixels left. */
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 900 },
  { width: 768, height: 900 },
  { width: 720, height: 450 },
  { width: 390, height: 900 },
]
/**
 * Whether the size stands for 200 % zoom. It is hardly narrower than the size before it, so it needs no screenshots and no second colour
 * scheme.
 */
const isEnlarged = ({ height }: (typeof sizes)[number]): boolean => height < 900

/** Every size in both colour schemes (enlarged sizes in one), ordered so that as little as possible changes from one to the next. */
const looks = sizes.flatMap((size, at) => {
  const schemes = at % 2 ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  return schemes.slice(0, isEnlarged(size) ? 1 : 2).map((colorScheme) => ({ size, colorScheme }))
})

/** Takes a screenshot of each screen, width and scheme while other checks run, for people to look through afterwards. */
async function camera(page: Page): Promise<(path: string, look: (typeof looks)[number]) => Promise<void>> {
  const devTools = await page.context().newCDPSession(page)
  return async (path, { size, colorScheme }) => {
    const folder = join(test.info().project.outputDir, 'pictures', `${size.width} ${colorScheme}`)
    const { data } = await devTools.send('Page.captureScreenshot', { format: 'jpeg', quality: 60, optimizeForSpeed: true })
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${path.slice(1).replaceAll('/', ' ') || 'home'}.jpg`), data, 'base64')
  }
}

/** Layout faults that a script can find: a page that scrolls sideways, a cut figure, overlapping elements. */
function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    const found = new Set<string>()
    const beyond = document.documentElement.scrollWidth - window.innerWidth
    const right = (one: Element): number => one.getBoundingClientRect().right
    const widest = [...document.querySelectorAll('body *')].reduce((most, one) => (right(one) >= right(most) ? one : most), document.body)
    if (beyond > 0) found.add(`the page scrolls sideways by ${beyond} for ${widest.tagName} ${(widest.textContent ?? '').slice(0, 40)}`)
    const figure = /^[-−+(]?£?[-−]?\d[\d,]*(\.\d+)?[km%)]?$/
    const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      if (text.length < 3 || !figure.test(text)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (!box.width) continue
      // Content that can be scrolled into view is not cut.
      for (let around = node.parentElement; around && around !== document.body; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around)
        if (overflowX === 'auto' || overflowX === 'scroll') break
        if (overflowX !== 'hidden' && overflowX !== 'clip') continue
        const edge = around.getBoundingClientRect()
        // Content only for screen readers is one pixel wide.
        if (edge.width > 1 && (box.right > edge.right + 1 || box.left < edge.left - 1)) found.add(`${text} is cut`)
        break
      }
    }
    const name = (one: Element): string => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)
    for (const part of ['header', '[data-page-head]']) {
      const things = [...document.querySelectorAll(`${part} h1, ${part} button, ${part} a`)].filter((one) => one.checkVisibility())
      for (const [at, one] of things.entries())
        for (const other of things.slice(at + 1)) {
          if (one.contains(other) || other.contains(one)) continue
          // Text that wraps has a rectangle on each line.
          const isOver = [...one.getClientRects()].some((a) =>
            [...other.getClientRects()].some((b) => {
              const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
              const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
              return wide > 2 && tall > 2
            }),
          )
          if (isOver) found.add(`${name(one)} and ${name(other)} lie over each other`)
        }
    }
    return [...found].slice(0, 5)
  })
}

/**
 * Faults of the tables on a page in keyboard use: each must be one stop of the Tab key, and the arrow and page keys, Home and End must move
 * between cells without leaving the table.
 */
function keyFaultsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const kinds = ['[role="grid"] [data-column]', '[data-stop]']
    for (const table of document.querySelectorAll('main table')) {
      const walked = kinds
        .map((kind) => [...document.querySelectorAll<HTMLElement>(kind)].filter((one) => table.contains(one)))
        .find((all) => all.length)
      if (!walked) continue
      const name = table.getAttribute('aria-label') ?? table.closest('[aria-label]')?.getAttribute('aria-label') ?? 'a table'
      const stops = [...table.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]')].filter(
        (one) => one.tabIndex >= 0 && one.checkVisibility() && !one.hasAttribute('disabled'),
      )
      const [stop] = stops
      if (stops.length !== 1 || !stop) {
        const names = stops.slice(0, 3).map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '')
        found.push(`${name} has ${stops.length} stops of the Tab key: ${names.join(', ')}`)
        continue
      }
      const press = (key: string): void => {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      }
      stop.focus()
      press('ArrowDown')
      const rows = new Set(walked.map((one) => one.closest('tr')))
      if (rows.size > 1 && document.activeElement === stop) found.push(`${name} is not walked through by the arrows`)
      for (const key of ['PageDown', 'End', 'Home', 'PageUp', 'ArrowUp']) {
        press(key)
        if (!table.contains(document.activeElement)) found.push(`${key} leaves ${name}`)
      }
    }
    return found
  })
}

test('the walk detects a page that scrolls sideways, a cut figure, overlapping elements and accessibility breaches, also on a second look', async ({
  page,
}) => {
  await page.setContent(`<header><button>One</button><button style="margin-left: -30px">Other</button></header>
    <main><div style="width: 40px; overflow: hidden; white-space: nowrap">£1,234,567.89</div><div style="width: 3000px">Wide</div></main>`)
  expect(await faultsOf(page)).toEqual([
    expect.stringMatching(/^the page scrolls sideways by \d+ for DIV Wide$/),
    '£1,234,567.89 is cut',
    'One and Other lie over each other',
  ])
  await page.setContent('<main><img src="data:,"><p style="color: #ddd; background: #fff">Hardly there</p></main>')
  for (const _look of ['first', 'second'] as const) {
    expect((await breaches(page, 'main')).map((breach) => breach.split(':')[0])).toEqual(['color-contrast', 'image-alt'])
    expect((await breaches(page, 'main', 'colours')).map((breach) => breach.split(':')[0])).toEqual(['color-contrast'])
  }
})

/** The screens of an area or, for its lists, the forms for a new record. */
function pathsOf(areas: readonly string[], part: 'screens' | 'forms'): string[] {
  return screens
    .filter(({ area }) => areas.includes(area))
    .flatMap(({ path, subPages: below }) => (part === 'screens' ? [path] : below?.some((one) => one.path === 'add') ? [`${path}/add`] : []))
}

const walks = {
  'every screen of the areas of a budget': [
    '/',
    ...pathsOf(['Overview', 'Staffing', 'Non-staffing', 'Payroll', 'Monitoring', 'Reports'], 'screens'),
    ...pathsOf(['Staffing', 'Non-staffing', 'Overview'], 'forms'),
  ],
  'every screen of the console': ['/console', ...pathsOf(['Console'], 'screens')],
  'every form of the console': [...pathsOf(['Console'], 'forms'), '/console/budget-management/create'],
  'every screen and form of administrators': [
    '/administrator',
    ...pathsOf(['Administrator'], 'screens'),
    ...pathsOf(['Administrator'], 'forms'),
    '/profile',
    '/settings',
  ],
}

test('the walk leaves out no screen', () => {
  const walked = new Set(Object.values(walks).flat())
  expect(screens.map(({ path }) => path).filter((path) => !walked.has(path))).toEqual([])
})

for (const [what, paths] of Object.entries(walks))
  test(`${what} fits at 1440, 1024, 768 and 390 pixels and at 200 % zoom, in light and dark, without an error or a breach of WCAG 2.2 AA, and its tables work by keyboard`, async ({
    page,
  }) => {
    test.setTimeout(patience * 300_000)
    const found: string[] = []
    page.on('pageerror', (error) => found.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => message.type() === 'error' && found.push(`${page.url()}: ${message.text()}`))
    await signIn(page, 'admin@bursar.example')
    await choose(page, 'Organisation', 'Harbour Learning Trust')
    await choose(page, 'Location', 'Northgate Primary School')
    const asked = new Set<Request>()
    page.on('request', (request) => request.url().includes('/trpc/') && asked.add(request))
    page.on('requestfinished', (request) => asked.delete(request))
    page.on('requestfailed', (request) => asked.delete(request))
    const takePicture = await camera(page)
    const order = [...looks]
    for (const path of paths) {
      const before = await page.title()
      const isElsewhere = new URL(page.url()).pathname !== path
      await visit(page, path)
      await expect(page, path).toHaveURL(new RegExp(`${path}(\\?|$)`))
      // The previous screen stays until the next one has loaded.
      if (isElsewhere) await expect(page, path).not.toHaveTitle(before)
      await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible()
      await expect.poll(() => asked.size, { message: path }).toBe(0)
      await expect(page.locator('.mantine-Skeleton-root, .mantine-Loader-root'), path).toHaveCount(0)
      await expect(page.getByText('could not be read'), path).toHaveCount(0)
      // Retried, because the previous screen may still be leaving.
      let keyFaults = ['its tables were not walked through']
      const goesByKeys = async (): Promise<boolean> => !(keyFaults = await keyFaultsOf(page)).length
      await expect
        .poll(goesByKeys, { timeout: 3000 })
        .toBe(true)
        .catch(() => undefined)
      for (const fault of keyFaults) found.push(`${path}: ${fault}`)
      for (const look of order) {
        const { size, colorScheme } = look
        await Promise.all([page.setViewportSize(size), page.emulateMedia({ colorScheme })])
        // Retried, because the layout may still be changing.
        let faults = ['it was not looked at']
        const isWell = async (): Promise<boolean> => {
          // After the next frame the new size and colours are rendered.
          await page.evaluate(() => new Promise(requestAnimationFrame))
          ;[faults] = await Promise.all([faultsOf(page), isEnlarged(size) ? undefined : takePicture(path, look)])
          return !faults.length
        }
        await expect
          .poll(isWell, { timeout: 3000 })
          .toBe(true)
          .catch(() => undefined)
        for (const fault of faults) found.push(`${path} at ${size.width}, ${colorScheme}: ${fault}`)
        // The other scheme differs only in colours; and the shell is the same everywhere, so it is checked once.
        const part = path === paths[0] ? undefined : '#content'
        if (size.width === 1440 && colorScheme === 'light')
          for (const breach of await breaches(page, part)) found.push(`${path}: ${breach}`)
        if (size.width === 390 && colorScheme === 'dark')
          for (const breach of await breaches(page, part, 'colours')) found.push(`${path} in the dark: ${breach}`)
      }
      // The next screen starts with the size and scheme of this one, which saves a change.
      order.reverse()
    }
    expect(found).toEqual([])
  })

test('in a trust with one school and no data, every screen says what belongs there, and what to do next', async ({ page }) => {
  test.setTimeout(patience * 240_000)
  const name = `Bare Trust ${Date.now() % 1e6}`
  const administrator = await signInAs(product, 'admin@bursar.example')
  const made = await administrator.call('POST', '/api/Organisations', { name, organisationType: 1 })
  const { body } = await administrator.call('POST', '/api/Locations/list', { pageSize: 1 })
  const { id: _id, version: _version, ...place } = body.rows[0]
  const location = await administrator.call('POST', '/api/Locations', { ...place, name: `${name} School`, organisationId: made.body.id })
  expect([made.status, location.status]).toEqual([201, 201])

  const found: string[] = []
  page.on('pageerror', (error) => found.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => message.type() === 'error' && found.push(`${page.url()}: ${message.text()}`))
  await signIn(page, 'admin@bursar.example')
  await choose(page, 'Organisation', name)
  await expect(page.getByRole('banner').getByRole('button', { name: /^Location/ })).toContainText(name)
  // Screens that need a budget all show the same message in a school without one, so two are enough.
  const ofBudget = screens.filter(({ needs }) => needs === 'budget').slice(0, 2)
  const others = screens.filter(({ needs, area }) => needs !== 'budget' && area === 'Console')
  for (const path of ['/', '/console', ...[...ofBudget, ...others].map((screen) => screen.path)]) {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible()
    await expect(page.locator('.mantine-Skeleton-root, .mantine-Loader-root'), path).toHaveCount(0)
    const main = page.locator('main')
    const textOf = async (): Promise<string> => ((await main.textContent()) ?? '').replaceAll(/\s+/g, ' ')
    const ways = main.locator('a[href], button:enabled, input:enabled')
    // Wait until rendering has finished; a page with only a title is not enough.
    const isSaid = async (): Promise<boolean> => (await textOf()).length >= 40 && (await ways.count()) > 0
    await expect
      .poll(isSaid)
      .toBe(true)
      .catch(async () => found.push(`${path} is blank or offers nothing to do: ${await textOf()}`))
    const text = await textOf()
    for (const wrong of ['NaN', 'undefined', 'Infinity', 'null', '[object', 'Something went wrong'])
      if (text.includes(wrong)) found.push(`${path} says ${wrong}`)
  }
  expect(found).toEqual([])
})

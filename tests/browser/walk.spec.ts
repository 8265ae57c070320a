import { expect, type Page, test } from '@playwright/test'
import { screens } from '../../client/screens.ts'
import { choose, signIn, visit } from './support.ts'

/** Nothing is laid out otherwise in the dark: each scheme is looked at in two of the widths. */
const widths = [1440, 1024, 768, 390]

/** What a machine can see to be wrong about a page as it is laid out now: a page that scrolls sideways, a figure that is cut, things over each other. */
function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
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
      // What can be scrolled to is not cut.
      for (let around = node.parentElement; around && around !== document.body; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around)
        if (overflowX === 'auto' || overflowX === 'scroll') break
        if (overflowX !== 'hidden' && overflowX !== 'clip') continue
        const edge = around.getBoundingClientRect()
        // What only a screen reader hears is a point wide.
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
          const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
          const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
          const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
          if (wide > 2 && tall > 2) found.add(`${name(one)} and ${name(other)} lie over each other`)
        }
    }
    return [...found].slice(0, 5)
  })
}

test('the walk sees a page that scrolls sideways, a figure that is cut, and things over each other', async ({ page }) => {
  await page.setContent(`<header><button>One</button><button style="margin-left: -30px">Other</button></header>
    <main><div style="width: 40px; overflow: hidden; white-space: nowrap">£1,234,567.89</div><div style="width: 3000px">Wide</div></main>`)
  expect(await faultsOf(page)).toEqual([
    expect.stringMatching(/^the page scrolls sideways by \d+ for DIV Wide$/),
    '£1,234,567.89 is cut',
    'One and Other lie over each other',
  ])
})

test('every screen fits at 1440, 1024, 768 and 390 pixels, in light and dark, without an error', async ({ page }) => {
  test.setTimeout(240_000)
  const found: string[] = []
  page.on('pageerror', (error) => found.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => message.type() === 'error' && found.push(`${page.url()}: ${message.text()}`))
  await signIn(page, 'admin@bursar.example')
  await choose(page, 'Organisation', 'Harbour Learning Trust')
  await choose(page, 'Location', 'Northgate Primary School')
  await visit(page, '/')
  const looks = widths.map((width) => ({ width, colorScheme: width > 1000 ? ('light' as const) : ('dark' as const) }))
  for (const path of ['/', '/console', '/administrator', ...screens.map((screen) => screen.path)]) {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible()
    await expect(page.locator('.mantine-Skeleton-root, .mantine-Loader-root'), path).toHaveCount(0)
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      // What is still being laid out is looked at again.
      let faults: string[] = []
      const isWell = async (): Promise<boolean> => !(faults = await faultsOf(page)).length
      await expect
        .poll(isWell, { timeout: 3000 })
        .toBe(true)
        .catch(() => undefined)
      for (const fault of faults) found.push(`${path} at ${width}: ${fault}`)
    }
    // The next screen begins at the width at which this one ended.
    looks.reverse()
  }
  expect(found).toEqual([])
})

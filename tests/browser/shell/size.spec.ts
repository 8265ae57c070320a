import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

/** Sizes are bytes over the network: each file compressed, and this much for its response headers. */
const ofHeaders = 1300
const firstScreen = 200_000
/** Loaded only after the first screen is shown: dialogs, notices and live updates. */
const afterwards = [
  '_overlays',
  'shell/live/LiveUpdates.tsx',
  'shell/live/createHubConnection.ts',
  'shell/frame/notices/Notices.tsx',
  'shell/frame/OfflinePill.tsx',
]
const after = 90_000
const anArea = 208_000
/** The largest size of a part that a page loads on its own: the sheet, charts, the rich text editor. */
const aPart = 210_000
/** The largest number of scripts for the first screen, and for a page after it. */
const [scriptsAtFirst, scriptsOfPage] = [12, 20]

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  isDynamicEntry?: boolean
}

const folder = join(import.meta.dirname, '../../../client/dist')

function filesOf(chunks: Record<string, Chunk>, start: string, seen = new Set<string>()): Set<string> {
  const { file, css = [], imports = [] } = chunks[start]!
  if (seen.has(file)) return seen
  seen.add(file)
  for (const style of css) seen.add(style)
  for (const next of imports) filesOf(chunks, next, seen)
  return seen
}

function weigh(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + statSync(join(folder, `${file}.br`)).size + ofHeaders, 0)
}

const scriptsOf = (files: Iterable<string>): number => [...files].filter((file) => file.endsWith('.js')).length

const chunks: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
const keyOf = (name: string): string =>
  Object.keys(chunks).find((key) => key === name || (key.startsWith(`${name}-`) && key.endsWith('.js')))!

test('from an empty cache the first screen loads at most 200 kB and 12 scripts, including the sign-in page', () => {
  const files = ['index.html', 'product.tsx'].flatMap((name) => [...filesOf(chunks, name)])
  const all = new Set([...files, 'signin.css', 'passkey.js'])
  expect(weigh(all)).toBeLessThanOrEqual(firstScreen)
  expect(scriptsOf(all)).toBeLessThanOrEqual(scriptsAtFirst)
})

test('what loads after the first screen is at most 90 kB, every other page at most 208 kB more, and a part of a page 210 kB', () => {
  const first = new Set(['index.html', 'product.tsx'].flatMap((name) => [...filesOf(chunks, name)]))
  const more = new Set(afterwards.flatMap((name) => [...filesOf(chunks, keyOf(name))]).filter((file) => !first.has(file)))
  expect(weigh(more)).toBeLessThanOrEqual(after)
  const isPage = (name: string): boolean => /(Page|Pages|Tables|Account)\.tsx$/.test(name)
  // The shared chunks are loaded before any part of a page.
  const shared = new Set(['_lists', '_tables'].flatMap((name) => [...filesOf(chunks, keyOf(name))]))
  const pages = Object.keys(chunks)
    .filter((name) => chunks[name]!.isDynamicEntry)
    .map((name) => ({
      name,
      files: [...filesOf(chunks, name)].filter((file) => !first.has(file) && !more.has(file) && (isPage(name) || !shared.has(file))),
    }))
    .map(({ name, files }) => ({ name, bytes: weigh(files), scripts: scriptsOf(files) }))
  expect(pages.length).toBeGreaterThan(80)
  const heavy = pages.filter(({ name, bytes, scripts }) => bytes > (isPage(name) ? anArea : aPart) || scripts > scriptsOfPage)
  expect(heavy).toEqual([])
})

test('scripts and styles are compressed and cached, and the page that names them is requested each time', async ({ request }) => {
  const page = await request.get('/')
  expect(page.headers()['cache-control']).toBe('no-cache')
  const [script] = /\/assets\/index-[\w-]+\.js/.exec(await page.text())!
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
  ] as const) {
    const reply = await request.get(script, { headers: { 'Accept-Encoding': accepted } })
    expect(reply.headers()).toMatchObject({
      'content-encoding': encoding,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
      vary: expect.stringContaining('Accept-Encoding'),
    })
  }
})

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from '@playwright/test'

/** Bytes as they travel, compressed. */
const firstScreen = 252_000
/** What Home reads by itself as it stands, which a page of figures waits for no less than for its frame. */
const ofHome = ['HomePage', 'BudgetCard', 'TasksCard', 'CommentsCard', 'RemindersCard', 'NewsCard'].map((name) => `home/${name}.tsx`)
/** What is read beside it, of which nothing is seen until somebody else saves or something is said. */
const beside = ['shell/live/createHubConnection.ts', 'shell/frame/notices/Notices.tsx']
const besideIt = 25_000
const anArea = 150_000
/** Parts of a page that come after it, by themselves: the sheet that people type into, charts, the editor of rich text. */
const aPart = 215_000

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

const sizes = new Map<string, number>()

/** As an installation sends it, whose client is compressed as well as can be; one that was built for a quick start is not. */
function sizeOf(file: string): number {
  const known = sizes.get(file)
  if (known !== undefined) return known
  const isSmallest = readFileSync(join(folder, '.built'), 'utf8').endsWith(' smallest')
  const size = isSmallest ? statSync(join(folder, `${file}.br`)).size : brotliCompressSync(readFileSync(join(folder, file))).length
  sizes.set(file, size)
  return size
}

function weigh(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + sizeOf(file), 0)
}

test('the first screen after signing in is at most 252 kB compressed, what is read beside it 25 kB, and every other page at most 150 kB more', () => {
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const first = new Set(['index.html', ...ofHome, 'shell/frame/notices/Banner.tsx'].flatMap((name) => [...filesOf(chunks, name)]))
  expect(weigh(first)).toBeLessThanOrEqual(firstScreen)
  const more = new Set(beside.flatMap((name) => [...filesOf(chunks, name)]).filter((file) => !first.has(file)))
  expect(weigh(more)).toBeLessThanOrEqual(besideIt)
  const heavy = Object.keys(chunks)
    .filter((name) => chunks[name]!.isDynamicEntry)
    .map((name) => ({ name, bytes: weigh([...filesOf(chunks, name)].filter((file) => !first.has(file))) }))
    .filter(({ name, bytes }) => bytes > (/(Page|Pages|Tables|Account)\.tsx$/.test(name) ? anArea : aPart))
  expect(heavy).toEqual([])
})

test('scripts and styles travel compressed and are kept, and the page that names them is asked for each time', async ({ request }) => {
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

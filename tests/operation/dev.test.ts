import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../server/core/root.ts'
import { demoPassword } from '../../server/demo/access.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { launchOptions } from '../browser/products.ts'
import { copyTemplate } from '../support/product/template.ts'
import { installChromium } from '../support/running/installed.ts'
import { until } from '../support/running/worker.ts'

/** `npm run dev` in a copy of the project: its files are edited while a browser has a page open. */
const copy = mkdtempSync(join(tmpdir(), 'bursar-dev-'))
const data = mkdtempSync(join(tmpdir(), 'bursar-dev-data-'))
let dev: ChildProcess
let said = ''
let origin: string
let browser: Browser
let page: Page

/** Replaces a text in a file, as saving it in an editor does. */
function edit(file: string, from: string, to: string): void {
  const path = join(copy, file)
  const before = readFileSync(path, 'utf8')
  if (!before.includes(from)) throw new Error(`${file} does not hold ${from}`)
  writeFileSync(path, before.replace(from, to))
}

const healthOf = async (): Promise<string> => (await fetch(`${origin}/healthz`)).text()

beforeAll(async () => {
  await installChromium()
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of files.split('\n').filter((name) => name && existsSync(join(root, name)))) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  copyTemplate(data)
  const port = await findFreePort()
  origin = `http://localhost:${port}`
  dev = spawn(process.execPath, ['--import', 'tsx', 'server/launch/dev.ts'], {
    cwd: copy,
    env: { ...process.env, PORT: String(port), DATA_DIR: data, DEMO: 'fresh' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [dev.stdout!, dev.stderr!]) stream.on('data', (text) => (said += text))
  await until('npm run dev is ready', () => {
    if (dev.exitCode !== null) throw new Error(`npm run dev ended.\n${said}`)
    return said.includes('Bursar is ready')
  })
  browser = await chromium.launch(launchOptions)
  page = await browser.newPage({ baseURL: origin })
  page.setDefaultTimeout(60_000)
  await page.goto('/')
  await page.getByLabel('Email').fill('northgate@harbour.example')
  await page.getByLabel('Password').fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('banner').waitFor()
}, 300_000)

afterAll(async () => {
  await browser?.close()
  if (dev && dev.exitCode === null) {
    const ended = once(dev, 'exit')
    dev.kill('SIGTERM')
    const late = setTimeout(() => dev.kill('SIGKILL'), 40_000)
    await ended
    clearTimeout(late)
  }
  removeDataFolders(data)
  rmSync(copy, { recursive: true, force: true })
}, 60_000)

test('a client module is served even if its path begins like the API’s', async () => {
  const reply = await fetch(`${origin}/apiClients/screens.ts`)
  expect(reply.headers.get('content-type')).toContain('javascript')
})

test('imported modules are served, and no other files of the folder, such as secrets and server code', async () => {
  const statusOf = async (file: string) => (await fetch(`${origin}/@fs${join(copy, file)}?raw`)).status
  writeFileSync(join(copy, 'secrets.json'), '{}')
  expect(await statusOf('domain/values/units.ts')).toBe(200)
  for (const file of ['secrets.json', 'package.json', 'server/main.ts']) expect([file, await statusOf(file)]).toEqual([file, 403])
})

test('a changed component and a changed page appear in the open page, which keeps what was typed', { timeout: 120_000 }, async () => {
  await page.goto('/staffing/staff-contracts')
  const search = page.getByRole('textbox', { name: /^Search staff contracts/i })
  await search.fill('supply')
  const isSamePage = () => page.evaluate(() => document.body.dataset.isSame === 'yes')
  await page.evaluate(() => {
    document.body.dataset.isSame = 'yes'
  })
  // A component shared by many pages, and a page that is loaded when it is first opened.
  edit('client/resources/list/ServerList.tsx', 'aria-label={`Search ', 'aria-label={`Find ')
  const found = page.getByRole('textbox', { name: /^Find staff contracts/i })
  await found.waitFor()
  expect(await found.inputValue()).toBe('supply')
  edit('client/staffing/ContractsPage.tsx', 'searchPlaceholder="Search name', 'searchPlaceholder="Find by name')
  await page.getByPlaceholder('Find by name').waitFor()
  expect(await found.inputValue()).toBe('supply')
  expect(await isSamePage()).toBe(true)
})

test('a changed server file takes effect, and no call fails meanwhile', { timeout: 120_000 }, async () => {
  expect(JSON.parse(await healthOf())).toEqual({ status: 'ok' })
  edit('server/http/health.ts', "{ status: 'ok' }", "{ status: 'changed' }")
  const answers = new Set<string>()
  await until('the change answers', async () => {
    const answer = await healthOf()
    answers.add(answer)
    return answer.includes('changed')
  })
  expect([...answers]).toEqual(['{"status":"ok"}', '{"status":"changed"}'])
})

test('a file that does not compile leaves the running server as it is, with the reason in the output', { timeout: 120_000 }, async () => {
  edit('server/http/health.ts', "{ status: 'changed' }", "{ status: 'broken' ")
  await until('it is said', () => said.includes('Not restarted'))
  expect(said).toContain('server/http/health.ts')
  expect(JSON.parse(await healthOf())).toEqual({ status: 'changed' })
  edit('server/http/health.ts', "{ status: 'broken' ", "{ status: 'mended' }")
  await until('the mended file answers', async () => (await healthOf()).includes('mended'))
})

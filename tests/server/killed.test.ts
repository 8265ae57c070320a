import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import superjson from 'superjson'
import { expect, it, vi } from 'vitest'
import { CallKeys, callLinks } from '../../client/shell/callKeys.ts'
import { openStore } from '../../server/core/database/database.ts'
import { loadDemo } from '../../server/demo/load.ts'
import type { AppRouter } from '../../server/features/appRouter.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { type RunningPostgres, startPostgres } from '../../server/launch/postgres.ts'
import { removeData } from '../support/dataFolder.ts'
import { testDataKey } from '../support/dataKey.ts'
import { atEnd } from '../support/endings.ts'
import { asUser, type Body, placesOf } from '../support/http.ts'
import { startServerProcess } from '../support/serverProcess.ts'

const kills = 4
const runningMs = 2000

/** A PostgreSQL of this test's own, because it is killed, with the demo trusts in it. */
async function ownPostgres(): Promise<{ postgres: RunningPostgres; kill: () => void; serverUrl: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-killed-'))
  const postgres = await startPostgres(folder)
  const data = realpathSync(join(folder, 'postgres'))
  atEnd(async () => {
    await postgres.stop()
    removeData(folder)
  })
  const serverUrl = await migrateDatabase(postgres.url)
  const store = openStore({ databaseUrl: postgres.url, dataKey: testDataKey }, 2)
  await loadDemo(store)
  await store.close()
  const kill = () => process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  return { postgres, kill, serverUrl }
}

it('servers and a database that are killed in turn lose nothing that was acknowledged, and what has a key is never doubled', async () => {
  const database = await ownPostgres()
  let server = await startServerProcess({ env: { DATABASE_URL: database.serverUrl } })
  const first = server
  const { origin } = first
  const finance = await asUser(first, 'finance@harbour.example')
  const northgate = (await placesOf(finance)).at('Northgate')
  const everything = { pageNumber: 1, pageSize: 5000 }
  const codes = await finance.call('POST', '/api/BudgetCodes/list', everything, northgate)
  const codeId = codes.body.rows.find((row: Body) => row.code === '4300').id
  const entry = (description: string): Body => ({ description, budgetCodeId: codeId, amount: 1, budgetYearName: '2026/27' })
  const headers = {
    ApiVersion: '2',
    Authorization: `Bearer ${finance.token}`,
    ...Object.fromEntries(Object.entries(northgate).map(([name, value]) => [name, String(value)])),
  }
  const acknowledged = new Set<string>()
  const sent = new Set<string>()
  let cut = 0
  let isOver = false
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
  /** Sends until there is an answer, as whoever has a key may. */
  const untilAnswered = async (names: readonly string[], send: () => Promise<boolean>): Promise<void> => {
    for (const name of names) sent.add(name)
    while (!(await send().catch(() => false))) {
      cut++
      await pause(100)
    }
    for (const name of names) acknowledged.add(name)
  }
  /** Sends once and never learns what became of it when the server dies. */
  const once = async (names: readonly string[], send: () => Promise<boolean>): Promise<void> => {
    for (const name of names) sent.add(name)
    if (await send().catch(() => false)) for (const name of names) acknowledged.add(name)
    else {
      cut++
      await pause(100)
    }
  }
  const save = async (description: string, key?: string): Promise<boolean> =>
    (await finance.call('PUT', '/api/BudgetEntry/save', entry(description), { ...northgate, ...(key ? { 'Idempotency-Key': key } : {}) }))
      .status === 200
  const browser = () =>
    createTRPCClient<AppRouter>({
      links: callLinks({ url: `${origin}/trpc`, keys: new CallKeys(), selection: () => headers, fetch }),
    })
  const [page, other] = [browser(), browser()]
  const batch = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${origin}/trpc`, transformer: superjson, headers })] })
  const saved = (client: typeof page, description: string) => client.entries.save.mutate(entry(description)).then(() => true)

  let n = 0
  const writers: ((name: string) => Promise<void>)[] = [
    (name) => {
      const key = randomUUID()
      return untilAnswered([`keyed ${name}`], () => save(`keyed ${name}`, key))
    },
    (name) => untilAnswered([`browser ${name}`], () => saved(page, `browser ${name}`)),
    // Saves of one moment travel together, each with a key of its own; those without an answer are sent again.
    (name) => {
      const names = ['A', 'B', 'C'].map((one) => `together ${name} ${one}`)
      let left = names
      return untilAnswered(names, async () => {
        const saves = await Promise.allSettled(left.map((one) => saved(other, one)))
        left = left.filter((_one, index) => saves[index]!.status === 'rejected')
        return left.length === 0
      })
    },
    (name) => once([`plain ${name}`], () => save(`plain ${name}`)),
    (name) =>
      once([`batch ${name} A`, `batch ${name} B`], async () => {
        await Promise.all(['A', 'B'].map((one) => saved(batch, `batch ${name} ${one}`)))
        return true
      }),
  ]
  const writing = writers.map(async (write) => {
    while (!isOver) await write(String(++n))
  })
  for (let kill = 0; kill < kills; kill++) {
    await pause(runningMs)
    if (kill % 2) {
      database.kill()
      await vi.waitFor(async () => expect(await database.postgres.isUp()).toBe(false), { timeout: 10_000 })
      await vi.waitFor(() => database.postgres.restart(), { timeout: 20_000, interval: 500 })
      await vi.waitFor(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200), { timeout: 20_000, interval: 200 })
      expect(await server.isAlive(), server.log()).toBe(true)
    } else {
      await server.stop('SIGKILL')
      const env = { PORT: String(first.config.port), DATABASE_URL: database.serverUrl }
      server = await startServerProcess({ beside: first, env })
    }
  }
  await pause(1000)
  isOver = true
  await Promise.all(writing)

  const { rows } = (await finance.call('POST', '/api/BudgetEntry/paginated', everything, northgate)).body
  const count = new Map<string, number>()
  for (const { description } of rows) count.set(description, (count.get(description) ?? 0) + 1)
  expect(acknowledged.size).toBeGreaterThan(20)
  expect(cut).toBeGreaterThan(0)
  expect([...acknowledged].filter((name) => count.get(name) !== 1)).toEqual([])
  expect([...sent].filter((name) => (count.get(name) ?? 0) > 1)).toEqual([])
}, 240_000)

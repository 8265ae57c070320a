import { randomUUID } from 'node:crypto'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import superjson from 'superjson'
import { expect, it } from 'vitest'
import { CallKeys, callLinks } from '../../client/shell/callKeys.ts'
import type { AppRouter } from '../../server/features/appRouter.ts'
import { asUser, type Body, placesOf } from '../support/http.ts'
import { startServerProcess } from '../support/serverProcess.ts'

const kills = 3
const runningMs = 2000

it('a server that is killed again and again loses nothing it acknowledged, and what has a key is never doubled', async () => {
  let server = await startServerProcess()
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
  const untilAnswered = async (name: string, send: () => Promise<boolean>): Promise<void> => {
    sent.add(name)
    while (!(await send().catch(() => false))) {
      cut++
      await pause(100)
    }
    acknowledged.add(name)
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
  const page = createTRPCClient<AppRouter>({
    links: callLinks({ url: `${origin}/trpc`, keys: new CallKeys(), selection: () => headers, fetch }),
  })
  const batch = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${origin}/trpc`, transformer: superjson, headers })] })
  const saved = (client: typeof page, description: string) => client.entries.save.mutate(entry(description)).then(() => true)

  let n = 0
  const writers: ((name: string) => Promise<void>)[] = [
    (name) => {
      const key = randomUUID()
      return untilAnswered(`keyed ${name}`, () => save(`keyed ${name}`, key))
    },
    (name) => untilAnswered(`browser ${name}`, () => saved(page, `browser ${name}`)),
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
    await server.stop('SIGKILL')
    server = await startServerProcess({ beside: first, env: { PORT: String(first.config.port) } })
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

import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { type BudgetId, toUserId } from '../../domain/values/ids.ts'
import type { Store } from '../../server/core/database/database.ts'
import { loadScaleTrust } from '../../server/demo/load.ts'
import { runImportEntries } from '../../server/features/nonStaffing/entryFiles/commands.ts'
import { serve } from '../../server/serve.ts'
import { type Caller, type Selection, signInAs } from '../support/product/http.ts'
import type { Product } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'
import { withDemo } from './withDemo.ts'

const sizes = [100, 10_000]
const turns = 9
/** The largest ratio allowed for a hundred times the rows, and the difference below which it counts as noise. */
const mostTimes = 1.5
const noiseMs = 20

/** The end date of the contracts that fail a check. */
const ended = '2020-08-31'

type Procedures = ReturnType<typeof proceduresOf>

/** Makes a school with this number of contracts and of entries. */
async function school(store: Store, rows: number): Promise<Required<Selection>> {
  const { organisationId, locations } = await loadScaleTrust(store, 1, rows)
  const [LocationId] = locations.values()
  const budgetId = await store.inOrganisation(organisationId, async (tx) => {
    const [budget] = await tx.execute<{ id: BudgetId }>(sql`select id from budgets where organisation_id = ${organisationId} limit 1`)
    for (let start = 0; start < rows; start += 5000) {
      const file = Array.from({ length: Math.min(5000, rows - start) }, (_unused, n) => ({
        Identifier: `B${start + n}`,
        Description: `Line ${start + n}`,
        BudgetCode: n % 2 ? '4340' : '4360',
        CostCentre: 'OFF',
        BudgetYearName: '2026/27',
        Amount: String(100 + n),
      }))
      const actor = { userId: toUserId(1), requestId: `growth-${rows}-${start}`, now: new Date() }
      await runImportEntries(
        { tx, scope: { organisationId, locationIds: null, isAdministrator: false }, budgetId: budget!.id, actor },
        file,
      )
    }
    // Both schools get the same number of contracts with a failed check, so that both fill the first page of checks.
    await tx.execute(sql`update staff_contracts set contract = jsonb_set(contract, '{endDate}', to_jsonb(${ended}::text)) where organisation_id = ${organisationId} and id in
      (select id from staff_contracts where organisation_id = ${organisationId} order by id limit 60)`)
    return budget!.id
  })
  return { OrganisationId: organisationId, LocationId: LocationId!, BudgetId: budgetId }
}

/** The usual actions in such a school. Each returns the milliseconds of its measured part. */
async function listActions(api: Procedures): Promise<Record<string, () => Promise<number>>> {
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const page = { pageNumber: 1, pageSize: 50 }
  // A current contract: those ended above end before they start, which no save accepts.
  const first = (await api.contracts.list.query({ pageNumber: 1, pageSize: 100 })).rows.find((row) => row.endDate !== ended)
  const contract = (await api.contracts.get.query({ id: first!.id })) as Parameters<Procedures['contracts']['save']['mutate']>[0]
  const [entry] = (await api.entries.list.query(page)).rows
  let turn = 0
  const saveContract = () => api.contracts.save.mutate({ ...contract, version: null, department: `Department ${++turn}` })
  const changeEntry = () => api.entries.change.mutate({ changes: [{ id: entry!.id, changes: { amount: 1000 + ++turn } }] })
  return {
    'contract list, page of 50': () => timed(() => api.contracts.list.query(page)),
    'contract list, searched and sorted': () =>
      timed(() => api.contracts.list.query({ ...page, search: 'teacher', sort: 'position', sortDirection: 'desc' })),
    'contract save': () => timed(saveContract),
    'open editor': () =>
      timed(async () => {
        await api.contracts.get.query({ id: first!.id })
        await api.contracts.inputs.query({ contractId: first!.id, employeeNumber: first!.employeeNumber })
      }),
    'entries list, page of 50': () => timed(() => api.entries.list.query(page)),
    'entries list, filtered and sorted': () =>
      timed(() =>
        api.entries.list.query({
          ...page,
          sort: 'amount',
          filters: [{ filter: 'amount', filterType: 'number', type: 'greaterThan', value: 150 }],
        }),
      ),
    'one cell of the sheet': () => timed(changeEntry),
    'people, page of 50': () => timed(() => api.staff.list.query(page)),
    'people, searched': () => timed(() => api.staff.list.query({ ...page, search: 'an', sort: 'forename' })),
    'people, after one was changed': async () => {
      const [person] = (await api.staff.list.query(page)).rows
      await api.staff.update.mutate({ ...person!, title: (turn++ % 2) + 1 } as Parameters<Procedures['staff']['update']['mutate']>[0])
      return timed(() => api.staff.list.query(page))
    },
    'checks, a block': () => timed(() => api.contracts.checks.query({})),
    history: () => timed(() => api.budgets.history.query({})),
    timeline: () => timed(() => api.moments.timeline.query()),
    undo: async () => {
      const { versions } = await changeEntry()
      return timed(() => api.budgets.undo.mutate({ versions }))
    },
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/**
 * Loads the sheet as the page does: the first block is one page, then as many blocks as the rest needs. @returns milliseconds of each block
 */
async function sheetBlocks(api: Procedures): Promise<number[]> {
  const each: number[] = []
  for (let after: { created: string; id: string } | null = null; ; ) {
    const began = performance.now()
    const block: Awaited<ReturnType<typeof api.entries.sheet.query>> = await api.entries.sheet.query({ after })
    each.push(performance.now() - began)
    after = block.next
    if (!after) return each
  }
}

/**
 * `npm run bench -- growth`: the same work in a school with 100 rows and in one with 10,000. @returns whether nothing becomes much slower
 */
export function growth(): Promise<boolean> {
  return withDemo('growth', async ({ store, ownerUrl, config }) => {
    const places: Awaited<ReturnType<typeof school>>[] = []
    for (const rows of sizes) places.push(await school(store, rows))
    // Autovacuum does this in a database that lives longer.
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined })
    await owner.unsafe('vacuum analyze')
    await owner.end()
    const product: Product = { config, origin: config.origin }
    const server = await serve(config)
    try {
      const finance: Caller = await signInAs(product, 'finance@harbour.example')
      return await compare(places.map((place) => proceduresOf(product, finance, place)))
    } finally {
      await server.close()
    }
  })
}

async function compare(apis: readonly Procedures[]): Promise<boolean> {
  const ways = await Promise.all(apis.map(listActions))
  const names = Object.keys(ways[0]!)
  const times = new Map(names.map((name) => [name, sizes.map((): number[] => [])]))
  for (let turn = 0; turn <= turns; turn++)
    for (const name of names)
      for (const [size, way] of ways.entries()) {
        const ms = await way[name]!()
        // The first turn warms up both schools and is not counted.
        if (turn) times.get(name)![size]!.push(ms)
      }
  const blocks = await Promise.all(apis.map(async (api) => [...(await sheetBlocks(api)), ...(await sheetBlocks(api))]))
  console.log(
    `\nThe same work over ${sizes.map((size) => size.toLocaleString('en-GB')).join(' and ')} rows, medians of ${turns} turns side by side`,
  )
  let holds = true
  for (const [name, [small, large]] of times) {
    const [a, b] = [median(small!), median(large!)]
    const isGrown = b > mostTimes * a && b - a > noiseMs
    if (isGrown) holds = false
    const verdict = isGrown ? `grows: more than ${mostTimes} times and ${noiseMs} ms` : ''
    console.log(
      `${name.padEnd(38)} ${a.toFixed(1).padStart(8)} ms ${b.toFixed(1).padStart(8)} ms ${(b / a).toFixed(2).padStart(6)} ×  ${verdict}`,
    )
  }
  console.log(
    `${'sheet, each block of up to 2,000 rows'.padEnd(38)} ${median(blocks[0]!).toFixed(1).padStart(8)} ms ${median(blocks[1]!).toFixed(1).padStart(8)} ms, ${blocks[1]!.length / 2} blocks`,
  )
  return holds
}

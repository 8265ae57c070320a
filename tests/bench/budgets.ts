import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { buildBridge } from '../../domain/budget/bridge/bridge.ts'
import { compareSnapshots } from '../../domain/budget/snapshots/compare.ts'
import { type OrganisationId, toUserId } from '../../domain/values/ids.ts'
import { budgets } from '../../drizzle/schema.ts'
import type { RowScope } from '../../server/core/calls/scope.ts'
import { type OrganisationTx, openStore } from '../../server/core/database/database.ts'
import { loadDemo } from '../../server/demo/load.ts'
import { runCopyBudgets } from '../../server/features/budgets/copies/commands.ts'
import { fillBudget } from '../../server/features/budgets/filling/commands.ts'
import { runImportEntries } from '../../server/features/nonStaffing/entryFiles/commands.ts'
import { evaluateScenario, prepareScenarioBase } from '../../server/features/scenarios/queries.ts'
import { migrateDatabase } from '../../server/launch/migrate.ts'
import { startPostgres } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { createEntryId, runChangeEntries } from '../../server/shared/nonStaffing/entries/commands.ts'
import { readSheetBlock } from '../../server/shared/nonStaffing/entries/sheet/queries.ts'
import { readCodesForTotals, readOverview } from '../../server/shared/overview/queries.ts'
import { loadSnapshot } from '../../server/shared/versions/queries.ts'
import { loadItems } from '../../server/streams/budget/items.ts'
import { loadBudget } from '../../server/streams/budget/queries.ts'
import { testDataKey } from '../support/product/dataKey.ts'

const rows = 2000
const turns = 5

/** Measures what users wait for in one budget with 2,000 entries and a school’s staff, compared with a plain count of its lines. */
export async function budgetWork(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'))
  const server = await startPostgres(folder)
  try {
    await migrateDatabase(server.url)
    const store = openStore({ databaseUrl: server.url, dataKey: testDataKey }, 4)
    await loadDemo(store)
    const [found] = await store.asPlatform((tx) =>
      tx
        .select({ id: budgets.id, organisationId: budgets.organisationId, locationId: budgets.locationId })
        .from(budgets)
        .where(
          and(eq(budgets.name, '2026/27 Working'), sql`${budgets.id} in (select budget_id from budget_items where kind = 'prediction')`),
        )
        .orderBy(budgets.locationId)
        .limit(1),
    )
    const { id, organisationId } = found!
    const scope: RowScope & { organisationId: OrganisationId } = { organisationId, locationIds: null, isAdministrator: false }
    const inside = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(organisationId, work)
    let requests = 0
    const actor = () => ({ userId: toUserId(1), requestId: `bench-${++requests}`, now: new Date() })
    const time = async (words: string, work: () => Promise<unknown>): Promise<void> => {
      const began = performance.now()
      await work()
      console.log(`${words.padEnd(48)} ${(performance.now() - began).toFixed(0).padStart(8)} ms`)
    }
    const file = Array.from({ length: rows }, (_unused, n) => ({
      Identifier: `B${n}`,
      Description: `Line ${n}`,
      BudgetCode: n % 2 ? '4340' : '4360',
      CostCentre: 'OFF',
      BudgetYearName: '2026/27',
      Amount: String(100 + n),
    }))
    for (const words of [`${rows} entries imported`, 'imported again, nothing changed'])
      await time(words, () => inside((tx) => runImportEntries({ tx, scope, budgetId: id, actor: actor() }, file)))
    await time('the budget duplicated', async () => {
      const [copy] = await inside((tx) => runCopyBudgets({ tx, organisationId, actor: actor() }, { how: 'duplicate', sourceIds: [id] }, {}))
      await inside((tx) => fillBudget({ tx, organisationId, budgetId: copy!, now: new Date() }))
    })
    await time('rolled forward', async () => {
      const [next] = await inside((tx) =>
        runCopyBudgets({ tx, organisationId, actor: actor() }, { how: 'rollForward', sourceIds: [id] }, {}),
      )
      await inside((tx) => fillBudget({ tx, organisationId, budgetId: next!, now: new Date() }))
    })
    const [entry] = await inside((tx) => loadItems({ tx, organisationId, budgetId: id }, 'entry'))
    let amount = 1
    const ways: Record<string, () => Promise<unknown>> = {
      'a plain count of its lines': () => inside((tx) => tx.execute(sql`select count(*) from budget_lines where budget_id = ${id}`)),
      'a block of its sheet': () => inside(async (tx) => readSheetBlock(tx, await loadBudget({ tx, organisationId }, id), { after: null })),
      'one cell changed, and the totals read': () =>
        inside(async (tx) => {
          await runChangeEntries({ tx, organisationId, budgetId: id, actor: actor() }, [{ id: entry!.id, changes: { amount: ++amount } }])
          await readOverview(tx, await loadBudget({ tx, organisationId }, id))
        }),
      'a snapshot of it, from its log alone': () => inside((tx) => loadSnapshot({ tx, organisationId, budgetId: id }, null)),
      'compared with its first version': () =>
        inside(async (tx) => {
          const [a, b] = [
            await loadSnapshot({ tx, organisationId, budgetId: id }, 60),
            await loadSnapshot({ tx, organisationId, budgetId: id }, null),
          ]
          compareSnapshots(a.snapshot, b.snapshot, (kind, key) => `${kind} ${key}`)
        }),
      'a bridge from year to year': () =>
        inside(async (tx) => {
          const { snapshot, inputsOf } = await loadSnapshot({ tx, organisationId, budgetId: id }, null)
          const codes = await readCodesForTotals(tx, snapshot.head.locationId)
          const end = (year: number) => ({ snapshot, year, inputsOf })
          buildBridge({ from: end(0), to: end(1), factsOf: (code) => codes.get(code)?.facts, withPupils: () => null })
        }),
      'a scenario worked out': () =>
        inside(async (tx) =>
          evaluateScenario(tx, await prepareScenarioBase(tx, await loadBudget({ tx, organisationId }, id), createEntryId), []),
        ),
    }
    const best = new Map<string, number>()
    for (let turn = 0; turn < turns; turn++)
      for (const [name, way] of Object.entries(ways)) {
        const began = performance.now()
        await way()
        best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, performance.now() - began))
      }
    const count = best.get('a plain count of its lines')!
    console.log(`\nOne budget with ${rows} entries, best of ${turns} turns side by side`)
    for (const [name, ms] of best)
      console.log(`${name.padEnd(48)} ${ms.toFixed(1).padStart(8)} ms  ${(ms / count).toFixed(1).padStart(7)} × a plain count`)
    await store.close()
  } finally {
    await server.stop()
    removeDataFolders(folder)
  }
}

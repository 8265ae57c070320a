import { z } from 'zod'
import { mongoId } from '../../domain/budget/budget.ts'
import type { StoredItem } from '../../domain/budget/items/item.ts'
import { openingBalanceInput } from '../../domain/budget/items/openingBalance.ts'
import { notFound } from '../../domain/errors.ts'
import { poundsOf } from '../../domain/format.ts'
import { bulkSelection, chosenOf, listRequest, pageOf } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import { itemOf, runDeleteBalances, runSaveBalance } from '../commands/items.ts'
import type { OrganisationTx } from '../store/database.ts'
import { loadItems } from '../store/itemStore.ts'
import { inBudget, router } from '../trpc/procedures.ts'
import type { BudgetCall } from './changingMoney.ts'

const reading = either('BudgetingOverview')
const writing = ['BudgetingOverviewReadUpdate'] as const
const byId = z.object({ id: mongoId })
const searched = ['description'] as const
const at = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string) =>
  ({ method, path: `/api/OpeningBalance${path}`, entity: 'OpeningBalance' }) as const

/** An opening balance as the API shows it (entities.json OpeningBalance), in pounds. */
function shown({ id, version, created, item }: StoredItem<'balance'>) {
  return { ...item, id, version, created: created.slice(0, 10), value: poundsOf(item.value) }
}

const all = async (tx: OrganisationTx, { organisationId, budgetId }: BudgetCall) =>
  (await loadItems(tx, organisationId, budgetId, 'balance')).map(shown)

/** What a budget begins with (calculation.md §15). */
export const openingBalanceRouter = router({
  list: inBudget(reading, at('POST', '/paginated'))
    .input(listRequest)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => pageOf(await all(tx, ctx), input, searched, 'description'))),
  get: inBudget(reading, at('GET', '/id/{id:mongoId}'))
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => shown(await itemOf(tx, ctx, 'balance', input.id)))),
  save: inBudget(writing, at('PUT', ''))
    .input(openingBalanceInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => shown(await itemOf(tx, ctx, 'balance', await runSaveBalance(tx, ctx, input)))),
    ),
  delete: inBudget(writing, { ...at('DELETE', '/id/{id:mongoId}'), status: 204 })
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      await ctx.inTransaction((tx) => runDeleteBalances(tx, ctx, [input.id]))
    }),
  bulkDelete: inBudget(writing, at('POST', '/bulkDelete'))
    .input(bulkSelection)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const rows = chosenOf(await all(tx, ctx), input, searched)
        if (!rows) throw notFound('Opening balance')
        const ids = rows.map((row) => row.id)
        return { deleted: await runDeleteBalances(tx, ctx, ids) }
      }),
    ),
})

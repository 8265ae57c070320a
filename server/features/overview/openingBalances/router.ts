import { z } from 'zod'
import { mongoId } from '../../../../domain/budget/budget.ts'
import { openingBalanceInput } from '../../../../domain/budget/items/openingBalance.ts'
import { bulkSelection, listRequest } from '../../../../domain/lists/lists.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import { deletedVersions, deletionResult } from '../../../resources/replies.ts'
import { loadItem } from '../../../streams/budget/items.ts'
import { runDeleteBalances, runSaveBalance } from './commands.ts'
import { readBalancePage, resolveSelectedBalances } from './queries.ts'
import * as replies from './replies.ts'
import { presentBalance } from './rows.ts'

const reading = listViewPermissions('BudgetingOverview')
const writing = ['BudgetingOverviewReadUpdate'] as const
const byId = z.object({ id: mongoId })
const at = defineRestPaths('/api/OpeningBalance', { entity: 'OpeningBalance' })

/** The opening balances of a budget (rules.md §15). */
export const openingBalanceRouter = router({
  list: inBudget(reading, 'short', at('POST', '/paginated', { summary: 'List opening balances' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readBalancePage({ ...ctx, tx }, input))),
  get: inBudget(reading, 'short', at('GET', '/id/{id:mongoId}', { summary: 'Read an opening balance' }))
    .input(byId)
    .output(replies.openingBalance)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => presentBalance(await loadItem({ ...ctx, tx }, 'balance', input.id)))),
  save: inBudget(writing, 'short', at('PUT', '', { summary: 'Add or change an opening balance' }))
    .input(openingBalanceInput)
    .output(replies.openingBalance)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        presentBalance(await loadItem({ ...ctx, tx }, 'balance', await runSaveBalance({ ...ctx, tx }, input))),
      ),
    ),
  delete: inBudget(writing, 'short', at('DELETE', '/id/{id:mongoId}', { status: 204, summary: 'Delete an opening balance' }))
    .input(byId)
    .output(deletedVersions)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runDeleteBalances({ ...ctx, tx }, [input.id]))),
  bulkDelete: inBudget(writing, 'short', at('POST', '/bulkDelete', { summary: 'Delete several opening balances' }))
    .input(bulkSelection)
    .output(deletionResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = await resolveSelectedBalances({ ...ctx, tx }, input)
        return { deleted: ids.length, versions: await runDeleteBalances({ ...ctx, tx }, ids) }
      }),
    ),
})

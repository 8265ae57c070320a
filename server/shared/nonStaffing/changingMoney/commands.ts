import type { BudgetCall } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { RecalculationRequired } from '../../../core/live/announce.ts'
import { announceRecalculationRequired } from '../../../core/live/announce.ts'
import { markTransfersOutdated } from '../../groupMoney/transfers/commands.ts'
import { readTransferIncome } from '../../groupMoney/transfers/queries.ts'

/** Runs a change to a budget's amounts, and marks its group as requiring recalculation if income that is pooled or top sliced changed. */
export async function runMoneyChange<T>(ctx: BudgetCall, work: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  const { result, required } = await ctx.inTransaction(async (tx): Promise<{ result: T; required: RecalculationRequired[] }> => {
    const before = await readTransferIncome(tx, ctx.budget)
    const result = await work(tx)
    const isSame = before === null || before === (await readTransferIncome(tx, ctx.budget))
    return { result, required: isSame ? [] : await markTransfersOutdated(tx, ctx.budget, ctx.now) }
  })
  await announceRecalculationRequired(ctx.services, required)
  return result
}

import { announceRequired } from '../announce.ts'
import type { BudgetRow } from '../store/budgetStore.ts'
import type { OrganisationTx } from '../store/database.ts'
import type { Actor } from '../store/eventLog.ts'
import type { Required } from '../store/groupStore.ts'
import { markShared, sharedIncome } from '../store/sharedMoney.ts'
import type { Services } from '../trpc/context.ts'

/** The context of a call within a budget. */
export interface BudgetCall {
  organisationId: number
  budgetId: string
  budget: BudgetRow
  actor: Actor
  now: Date
  services: Services
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
}

/** Runs a change of a budget's money, and marks the group when that changes income which is pooled or top sliced. */
export async function changingMoney<T>(ctx: BudgetCall, work: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  const { result, required } = await ctx.inTransaction(async (tx): Promise<{ result: T; required: Required[] }> => {
    const before = await sharedIncome(tx, ctx.budget)
    const result = await work(tx)
    const isSame = before === null || before === (await sharedIncome(tx, ctx.budget))
    return { result, required: isSame ? [] : await markShared(tx, ctx.budget, ctx.now) }
  })
  await announceRequired(ctx.services, required)
  return result
}

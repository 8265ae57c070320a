import { z } from 'zod'
import { monthEndTasks } from '../../../domain/monitoring/monthEnd.ts'
import { firstSteps } from '../../../domain/people/firstSteps.ts'
import { reply } from '../../core/calls/reply.ts'
import { commentSubject } from '../../shared/approval/replies.ts'
import type { LowestCash } from '../../shared/monitoring/cash/queries.ts'
import type { BudgetAwaitingAction, BudgetsAwaitingAction, BudgetToApprove, MonthToClose, OpenMonth } from './queries.ts'

const count = z.int().min(0)

const budgetShape = {
  budgetId: z.string().brand<'BudgetId'>(),
  budget: z.string(),
  locationId: z.int().brand<'LocationId'>(),
  location: z.string(),
}
const budget: z.ZodType<BudgetAwaitingAction> = z.strictObject(budgetShape)
const toApprove: z.ZodType<BudgetToApprove> = z.strictObject({
  ...budgetShape,
  figures: z.strictObject({ year: z.string(), inYear: z.number().nullable(), closing: z.number().nullable() }).nullable(),
})
const budgets = z.strictObject({ count, first: z.array(budget) })
const shownWaiting: z.ZodType<BudgetsAwaitingAction> = z.strictObject({
  toApprove: z.strictObject({ count, first: z.array(toApprove) }),
  returned: budgets,
  toRecalculate: budgets,
})
export const budgetsAwaitingAction = reply(shownWaiting)

const openMonth: z.ZodType<OpenMonth> = z.strictObject({
  locationId: z.int().brand<'LocationId'>(),
  location: z.string(),
  budgetId: z.string().brand<'BudgetId'>(),
  budget: z.string(),
  inTheWay: z.array(z.string()),
  own: z.array(z.strictObject({ task: z.enum(monthEndTasks), words: z.string() })),
})
const shownMonth: z.ZodType<MonthToClose | null> = z
  .strictObject({
    month: z.strictObject({ year: z.int(), month: z.int() }),
    mayClose: z.boolean(),
    closed: count,
    open: z.strictObject({ count, first: z.array(openMonth) }),
  })
  .nullable()
export const monthToClose = reply(shownMonth)

export const setupSteps = reply(z.array(z.strictObject({ step: z.enum(firstSteps), isDone: z.boolean() })))

export const unreadComments = reply(
  z.strictObject({
    count,
    first: z.array(
      z.strictObject({
        id: z.string(),
        about: commentSubject,
        name: z.string().nullable().describe('The name of the item it is about; empty for the budget.'),
        text: z.string(),
        by: z.string(),
        at: z.string(),
        isMention: z.boolean(),
        mayAnswer: z.boolean(),
        budgetId: z.string().brand<'BudgetId'>(),
        budget: z.string(),
        locationId: z.int().brand<'LocationId'>(),
        location: z.string(),
      }),
    ),
  }),
)

const lowest: z.ZodType<LowestCash> = z.strictObject({
  locationId: z.int().brand<'LocationId'>(),
  year: z.int(),
  month: z.int(),
  closing: z.number(),
  isBelowFloor: z.boolean(),
})
export const lowestCash = reply(z.array(lowest).nullable())

import { z } from 'zod'
import { firstSteps } from '../../../domain/people/firstSteps.ts'
import { reply } from '../../core/calls/reply.ts'
import { commentSubject } from '../../shared/approval/replies.ts'
import type { MonthToClose, OpenMonth, WaitingBudget, WaitingBudgets } from './queries.ts'

const count = z.int().min(0)

const budget: z.ZodType<WaitingBudget> = z.strictObject({
  budgetId: z.string().brand<'BudgetId'>(),
  budget: z.string(),
  locationId: z.int().brand<'LocationId'>(),
  location: z.string(),
})
const budgets = z.strictObject({ count, first: z.array(budget) })
const shownWaiting: z.ZodType<WaitingBudgets> = z.strictObject({ toApprove: budgets, returned: budgets, toRecalculate: budgets })
export const waiting = reply(shownWaiting)

const openMonth: z.ZodType<OpenMonth> = z.strictObject({
  locationId: z.int().brand<'LocationId'>(),
  location: z.string(),
  inTheWay: z.array(z.string()),
})
const shownMonth: z.ZodType<MonthToClose | null> = z
  .strictObject({
    month: z.strictObject({ year: z.int(), month: z.int() }),
    closed: count,
    open: z.strictObject({ count, first: z.array(openMonth) }),
  })
  .nullable()
export const month = reply(shownMonth)

export const steps = reply(z.array(z.strictObject({ step: z.enum(firstSteps), isDone: z.boolean() })))

export const comments = reply(
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
        budgetId: z.string().brand<'BudgetId'>(),
        budget: z.string(),
        locationId: z.int().brand<'LocationId'>(),
        location: z.string(),
      }),
    ),
  }),
)

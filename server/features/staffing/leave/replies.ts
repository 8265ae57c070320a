import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import type { AppliedLeave } from '../../../shared/costing/leave/queries.ts'
import { costProblem } from '../../../shared/costing/replies.ts'

export const appliedExtendedLeave: z.ZodType<AppliedLeave> = z
  .strictObject({
    id: z.int(),
    version: z.int(),
    created: z.string(),
    extendedLeaveRulesetId: z.int(),
    notes: z.string().nullable(),
    staffId: z.int().brand<'StaffId'>(),
    startDate: z.iso.date(),
    endDate: z.iso.date(),
  })
  .meta({ id: 'AppliedExtendedLeave' })

const leavePeriod = z.strictObject({
  name: z.string().nullable().describe('The name of the rule; null if no rule applies and the leave is unpaid.'),
  to: z.string(),
  firstWeek: z.number(),
  from: z.string(),
  problem: costProblem.nullable(),
  weeks: z.number(),
  paid: z.number().nullable(),
  recovered: z.number().nullable(),
  isBelowFloor: z.boolean(),
})

export const leave = reply(appliedExtendedLeave)

export const list = reply(z.array(appliedExtendedLeave))

const change = z.strictObject({
  year: z.string(),
  change: z
    .number()
    .nullable()
    .describe('The cost of the year with the leave less the cost without it; null if either cannot be calculated.'),
})

export const periods = reply(
  z.array(
    z.strictObject({
      leaveId: z.int(),
      ruleSetId: z.int().describe('The rule set that applies to the leave, by its start date.'),
      periods: z.array(leavePeriod),
      changes: z.array(change),
    }),
  ),
)

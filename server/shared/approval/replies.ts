import { z } from 'zod'
import { commentKinds } from '../../../domain/budget/items/comment.ts'
import { obstacleCodes, obstaclePages } from '../../../domain/budget/obstacles.ts'
import { commentableReports } from '../../../domain/reports/cells/cells.ts'
import { reply } from '../../core/calls/reply.ts'

const step = z.strictObject({
  by: z.string(),
  comment: z.string().nullable(),
  state: z.enum(['submitted', 'approved', 'returned']),
  at: z.string(),
  version: z.int(),
})

export const approvalState = reply(
  z.strictObject({
    locked: z.boolean(),
    approval: step.nullable().describe('The status of the budget: its latest approval step.'),
    obstacles: z
      .array(z.strictObject({ code: z.enum(obstacleCodes), sentence: z.string(), page: z.enum(obstaclePages), isRefused: z.boolean() }))
      .describe('What prevents it from being submitted and approved, with the page where it can be corrected; none for a locked budget.'),
    approvers: z
      .array(z.string())
      .nullable()
      .describe('The first few people, other than the caller, who may approve it; null for a caller who may not submit it.'),
    trail: z.array(step).describe('Its approval steps with their comments, newest first; the newest fifty.'),
  }),
)

/** The subject of a comment; for a report figure, its position and its value at the time. */
export const commentSubject = z.strictObject({
  kind: z.enum([...commentKinds, 'cell']),
  ref: z.string().nullable(),
  year: z.number().nullable(),
  cell: z
    .strictObject({
      report: z.enum(commentableReports),
      groupId: z.string().brand<'BudgetGroupId'>().nullable(),
      row: z.string(),
      column: z.string(),
      scheme: z.int(),
      was: z.string(),
    })
    .optional(),
})

export const comment = z.strictObject({
  id: z.string(),
  about: commentSubject,
  name: z.string().nullable().describe('The name of the item it is about; empty for the budget.'),
  text: z.string(),
  by: z.string(),
  isOwn: z.boolean(),
  at: z.string(),
  resolvedBy: z.string().nullable(),
  resolvedAt: z.string().nullable(),
})

export const comments = reply(z.array(comment))

export const commentReaders = reply(z.array(z.strictObject({ id: z.int(), name: z.string() })))

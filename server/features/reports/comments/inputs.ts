import { z } from 'zod'
import { budgetMongoId, groupMongoId, mongoId } from '../../../../domain/budget/budget.ts'
import { commentActions, commentTextInput } from '../../../../domain/budget/items/comment.ts'
import { commentableReports } from '../../../../domain/reports/cells/cells.ts'
import type { BudgetGroupId, BudgetId } from '../../../../domain/values/ids.ts'

/** What a report covers: a budget or a group. */
const ofReport = {
  report: z.enum(commentableReports, 'This report does not exist.'),
  budgetId: budgetMongoId.nullish(),
  budgetGroupId: groupMongoId.nullish().describe('Required if no budget is given.'),
}
const isOfOne = ({ budgetId, budgetGroupId }: { budgetId?: BudgetId | null; budgetGroupId?: BudgetGroupId | null }): boolean =>
  Boolean(budgetId || budgetGroupId)
const oneOfThem = { message: 'Choose a budget or a group.', path: ['budgetId'] }

export const commentedReportRequest = z.object(ofReport).refine(isOfOne, oneOfThem)
export type CommentedReportRequest = z.infer<typeof commentedReportRequest>

/** The position of a figure in a report. */
const cell = {
  ...ofReport,
  row: z.string().min(1).max(1000),
  column: z.string().min(1).max(200),
  scheme: z.int().min(0).max(4),
}
export const cellRequest = z.object(cell).refine(isOfOne, oneOfThem)
export type CellRequest = z.infer<typeof cellRequest>

export const cellCommentText = commentTextInput.extend(cell).refine(isOfOne, oneOfThem)

export const commentChange = z.object({ budgetId: budgetMongoId, id: mongoId, change: z.enum(commentActions) })
export const commentsSeen = z.object({ budgetId: budgetMongoId, ids: z.array(mongoId).max(500) })

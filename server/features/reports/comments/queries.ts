import { and, asc, eq, sql } from 'drizzle-orm'
import type { Comment, CommentedCell } from '../../../../domain/budget/items/comment.ts'
import { canSeeStaff } from '../../../../domain/people/permissions.ts'
import { buildReportOptionsForCell } from '../../../../domain/reports/cells/cellPath.ts'
import { findCell, findContractOfRow } from '../../../../domain/reports/cells/cells.ts'
import { type ReportDeclaration, reports } from '../../../../domain/reports/registry.ts'
import { getCellType, type Report } from '../../../../domain/reports/report.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetGroupId, BudgetId, OrganisationId, UserId } from '../../../../domain/values/ids.ts'
import { DomainError, invalid, notFound } from '../../../../domain/words/errors.ts'
import { budgetItems } from '../../../../drizzle/costTables.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import { type OrganisationTx, openStoreWithin, type Store } from '../../../core/database/database.ts'
import { createCommentReadTest, listCommentReaders, presentComments } from '../../../shared/approval/queries.ts'
import { readBudgetHeads } from '../../../shared/monitoring/requests/queries.ts'
import { buildReport } from '../../../shared/reports/queries.ts'
import { type ReportBudget, type ReportReader, readScope } from '../../../shared/reports/scopes/queries.ts'
import { asItemOfKind, loadItems } from '../../../streams/budget/items.ts'
import type { CellRequest, CommentedReportRequest } from './inputs.ts'

/** The current value of a report figure, and the budget whose log stores its comments. */
export interface CellWithBudget {
  cell: CommentedCell
  home: ReportBudget
}

/** The group that a report covers; null for a single budget. */
const findReportGroup = ({ budgetId, budgetGroupId }: CommentedReportRequest): BudgetGroupId | null =>
  budgetId ? null : (budgetGroupId ?? null)

const gone = () => invalid([{ field: 'row', message: 'This figure is no longer in the report. Open the report again.' }])

/**
 * Reads a figure as the caller sees it.
 * @throws DomainError 404 for a budget or group that they may not see; 403 for a group that they see only partly, because its figures
 * differ for them; 400 if there is no figure at that position
 */
export async function readReportCell(call: Call & ReportReader, query: CellRequest): Promise<CellWithBudget> {
  const { tx } = call
  const { report: name, column, row, scheme } = query
  const declared: ReportDeclaration = reports[name]
  const { year } = buildReportOptionsForCell(query)
  const request = {
    budgetId: query.budgetId,
    budgetGroupId: query.budgetGroupId,
    yearNames: year ? [year] : null,
    scheme,
    includeEmpty: true,
  }
  const isNamed = canSeeStaff(call.holder)
  const { report, scope } = await buildReport(call, name, { request, isNamed })
  const figure = figureAt(name, report, query)
  if (!figure) throw gone()
  // A comment may repeat the figure. Find out whether readers who may not see staff see a different figure (`isOfStaff`).
  const hasStaff = declared.kind === 'staff' || declared.kind === 'measures'
  const toAll = isNamed && hasStaff ? figureAt(name, (await buildReport(call, name, { request, isNamed: false })).report, query) : figure
  const cell: CommentedCell = {
    report: name,
    groupId: findReportGroup(query),
    row,
    column,
    scheme,
    ...figure,
    label: findContractOfRow(row) ? null : figure.label,
    isOfStaff: toAll?.value !== figure.value,
  }
  const mayRead = await createCommentReadTest(tx, call, [{ kind: 'cell', cell }])
  if (!mayRead({ kind: 'cell', cell }))
    throw new DomainError(
      'forbidden',
      'forbidden',
      'You can see only some of the budgets of this group. Only people who see all of them can comment on its figures.',
    )
  // A group's comment is stored in its first unlocked budget.
  const home = scope.budgets.find(({ head }) => !head.locked) ?? scope.budgets[0]
  if (!home) throw gone()
  return { cell, home }
}

function figureAt(
  name: CellRequest['report'],
  report: Report,
  request: CellRequest,
): Pick<CommentedCell, 'label' | 'title' | 'value' | 'type'> | null {
  const at = findCell(name, report, request)
  if (!at) return null
  const [row, column] = [assertDefined(report.rows[at.row]), assertDefined(report.columns[at.column])]
  if (row.kind === 'SectionHeader' || row.kind === 'Empty' || column.type === 'text' || column.type === 'date') return null
  return { label: row.label, title: column.title, value: row.values[at.column] ?? null, type: getCellType(row, column) }
}

/** The comments on a report's figures, oldest first, on figures that the caller may see. */
export async function readCellComments(call: Call<'store'> & ReportReader, userId: UserId | null, request: CommentedReportRequest) {
  const { tx, store } = call
  const { organisationId } = call
  const heads = new Map((await readScope(call, request)).budgets.map((one) => [one.id, one.head]))
  const groupId = findReportGroup(request)
  const items = groupId
    ? await listCommentsOnGroup(tx, organisationId, groupId)
    : await commentsOnBudget(
        { tx, organisationId, budgetId: assertDefined(request.budgetId) },
        heads.get(assertDefined(request.budgetId))?.locked ?? false,
      )
  const commentsOfReport = items.filter(({ item: { about } }) => about.cell?.report === request.report && about.cell.groupId === groupId)
  const mayRead = await createCommentReadTest(
    tx,
    call,
    commentsOfReport.map(({ item }) => item.about),
  )
  const seen = commentsOfReport.filter(({ item }) => mayRead(item.about))
  const shown = await presentComments({ tx, store: openStoreWithin(tx, store, organisationId), organisationId, userId }, seen)
  return shown.map((one, index) => {
    const { budgetId, isLocked } = assertDefined(seen[index])
    return { ...one, budgetId, isLocked }
  })
}

/** A comment, with the budget whose log stores it. */
interface CommentInBudget {
  id: string
  item: Comment
  budgetId: BudgetId
  isLocked: boolean
}

async function commentsOnBudget(call: Call<'organisationId' | 'budgetId'>, isLocked: boolean): Promise<CommentInBudget[]> {
  const { budgetId } = call
  return (await loadItems(call, 'comment')).map(({ id, item }) => ({ id, item, budgetId, isLocked }))
}

/** Comments on a group's figures, in whichever budget they are stored: a budget that left the group still stores those written before. */
async function listCommentsOnGroup(tx: OrganisationTx, organisationId: OrganisationId, groupId: BudgetGroupId): Promise<CommentInBudget[]> {
  const rows = await tx
    .select({ id: budgetItems.id, item: budgetItems.item, budgetId: budgetItems.budgetId, head: budgets.head })
    .from(budgetItems)
    .innerJoin(budgets, and(eq(budgets.organisationId, budgetItems.organisationId), eq(budgets.id, budgetItems.budgetId)))
    .where(
      and(
        eq(budgetItems.organisationId, organisationId),
        eq(budgetItems.kind, 'comment'),
        sql`${budgetItems.item} -> 'about' -> 'cell' ->> 'groupId' = ${groupId}`,
      ),
    )
    .orderBy(asc(budgetItems.created), asc(budgetItems.id))
  return rows.map(({ item, head, ...row }) => ({ ...row, item: asItemOfKind('comment', item), isLocked: head.locked }))
}

/**
 * A comment on a figure that the caller may see.
 * @throws DomainError 404
 */
export async function findVisibleComment(call: Call<'budgetId'> & ReportReader, id: string): Promise<Comment> {
  const { tx, budgetId } = call
  const [stored] = (await isSeen(call)) ? await loadItems({ ...call, budgetId }, 'comment', [id]) : []
  const about = stored?.item.about
  if (!about?.cell || !(await createCommentReadTest(tx, call, [about]))(about)) throw notFound('Comment')
  return assertDefined(stored).item
}

const isSeen = async (call: Call<'budgetId'> & ReportReader): Promise<boolean> =>
  (await readBudgetHeads(call, eq(budgets.id, call.budgetId))).length > 0

/** The people who may read comments on a figure. */
export function listCellReaders(
  organisationTx: OrganisationTx,
  { store, organisationId, commented: { cell, home } }: { store: Store; organisationId: OrganisationId; commented: CellWithBudget },
) {
  return openStoreWithin(organisationTx, store, organisationId).asPlatform((tx) =>
    listCommentReaders(tx, { kind: 'cell', cell }, { organisationId, locationId: home.locationId }),
  )
}

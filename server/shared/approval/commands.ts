import { randomBytes } from 'node:crypto'
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { ApprovedFigures } from '../../../domain/budget/budget.ts'
import { refuseLocked } from '../../../domain/budget/decide.ts'
import { approveBudget, nameVersion, returnBudget, submitBudget } from '../../../domain/budget/decideMoments.ts'
import type { ApprovalStep, StoredEvent } from '../../../domain/budget/events.ts'
import {
  type CommentAction,
  type CommentInput,
  type CommentKind,
  type CommentSubject,
  type CommentText,
  isSameSubject,
  replaceNamesWithUserIds,
} from '../../../domain/budget/items/comment.ts'
import { addComment, changeComment, findMentionedReaders } from '../../../domain/budget/items/decideComment.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { dayInLondon, displayDate } from '../../../domain/values/format.ts'
import { type ContractId, type OrganisationId, toContractId, type UserId } from '../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../domain/values/mongoId.ts'
import { DomainError, invalid, notFound } from '../../../domain/words/errors.ts'
import { commentNotices } from '../../../drizzle/costTables.ts'
import { budgetEvents, staffContracts } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { encryptText, ensureOrganisationKey } from '../../core/database/vault.ts'
import { loadItems } from '../../streams/budget/items.ts'
import { hashLineTexts, readLineTexts } from '../../streams/budget/lineTexts.ts'
import { loadBudget, refuseWhileBusy } from '../../streams/budget/queries.ts'
import { commitEvents, readBudgetEvents } from '../../streams/budget/stream.ts'
import { runUndoSaves } from '../budgets/commands.ts'
import { refuseWithObstacles } from '../budgets/obstacles/queries.ts'
import { readOverview } from '../overview/queries.ts'
import { createCommentReadTest, readSubjectNames } from './queries.ts'

async function sealText(tx: OrganisationTx, organisationId: OrganisationId, text: string | null | undefined): Promise<string | null> {
  return text ? encryptText(await ensureOrganisationKey(tx, organisationId), text) : null
}

/** Whether an event leaves the content of a submitted budget unchanged, such as a comment. */
function leavesBudgetUnchanged(event: StoredEvent): boolean {
  return ['BudgetSubmitted', 'BudgetMomentNamed', 'CommentSaved', 'CommentDeleted', 'ScenarioSaved', 'ScenarioDeleted'].includes(event.type)
}

/**
 * Names a version, or removes its name.
 * @throws DomainError 404 for a version that the budget does not have
 */
export async function runNameVersion(call: Call<'organisationId' | 'budgetId' | 'actor'>, version: number, name: string | null) {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  const [event] = await readBudgetEvents(call, version - 1, version)
  if (!event) throw notFound('Version')
  await commitEvents(call, row, { events: nameVersion(row.head, { version, at: event.occurredAt, name }) })
}

type Step = { kind: 'submit' } | { kind: 'return' } | { kind: 'approve'; name: string | null; others: readonly string[] }

/** The figures of a budget when it is approved. */
async function readApprovedFigures(call: Call<'organisationId' | 'budgetId'>, row: BudgetRow): Promise<ApprovedFigures> {
  const { years } = await readOverview(call.tx, row)
  return {
    years: years.map(({ income, staffing, nonStaffing, missing, balances }) => ({ income, staffing, nonStaffing, missing, balances })),
    lines: hashLineTexts(await readLineTexts(call)),
  }
}

/** Submits, returns or approves a budget. */
export async function runApprovalStep(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  step: Step,
  comment: string | null,
): Promise<void> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget(call, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  if (step.kind !== 'return') await refuseWithObstacles(tx, row)
  if (actor.userId === null) throw new DomainError('forbidden', 'forbidden', 'Only a person can do this.')
  const at = actor.now.toISOString()
  const { head, version } = row
  const submitted = head.approval?.state === 'submitted' ? head.approval.version : version
  const decided: ApprovalStep = {
    byId: actor.userId,
    at,
    version: step.kind === 'submit' ? version : submitted,
    sealedComment: await sealText(tx, organisationId, comment),
  }
  if (step.kind === 'submit') await commitEvents(call, row, { events: submitBudget(head, decided) })
  else if (step.kind === 'return') await commitEvents(call, row, { events: returnBudget(head, decided) })
  else {
    const since = (await readBudgetEvents(call, submitted)).filter((event) => !leavesBudgetUnchanged(event))
    const name = step.name || `Approved ${displayDate(dayInLondon(at))}`
    const figures = await readApprovedFigures(call, row)
    await commitEvents(call, row, {
      events: approveBudget(head, { decided, name, changed: since.length > 0, others: step.others, figures }),
    })
  }
}

/**
 * Adds a comment on a part of a budget, for the people it mentions and those who commented earlier.
 * @param readers who may read it
 * @returns the id of the comment
 * @throws DomainError 400 if its subject is not in this budget, or it mentions somebody who may not read it
 */
export async function runAddComment(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  { about: { kind, ref = null, year = null }, ...content }: CommentInput,
  readers: readonly CommentReader[],
): Promise<string> {
  const { tx } = call
  const { organisationId, budgetId } = call
  const isThere = kind === 'budget' || (await isSubjectInBudget({ tx, organisationId, budgetId }, kind, ref ?? ''))
  if (!isThere) throw invalid([{ field: 'about', message: 'This is no longer in the budget.' }])
  return addCommentToCheckedSubject(call, { kind, ref, year }, { comment: content, readers })
}

/** Somebody who may read a comment. */
export interface CommentReader {
  id: UserId
  name: string
}

/**
 * Adds a comment without checking that its subject exists.
 * @returns the id of the comment
 * @throws DomainError 400 if it mentions somebody who may not read it
 */
export async function addCommentToCheckedSubject(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  about: CommentSubject,
  { comment: { text, mentionIds = [] }, readers }: { comment: CommentText; readers: readonly CommentReader[] },
): Promise<string> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget(call, budgetId, true)
  refuseLocked(row.head)
  if (actor.userId === null) throw new DomainError('forbidden', 'forbidden', 'Only a person can do this.')
  const mentioned = findMentionedReaders(readers, mentionIds)
  const id = mongoIdFromBytes(randomBytes(12))
  const at = actor.now.toISOString()
  const events = addComment(row.head, {
    id,
    about,
    sealedText: assertDefined(await sealText(tx, organisationId, replaceNamesWithUserIds(text, mentioned))),
    byId: actor.userId,
    at,
    mentionIds: mentioned.map((person) => person.id),
  })
  const before = await loadItems(call, 'comment')
  await commitEvents(call, row, { events })
  const spoke = before.filter(({ item }) => isSameSubject(item.about, about)).map(({ item }) => item.byId)
  const recipients = readers.filter(
    (person) => person.id !== actor.userId && (mentioned.includes(person) || (about.kind !== 'budget' && spoke.includes(person.id))),
  )
  if (recipients.length)
    await tx.insert(commentNotices).values(
      recipients.map((person) => ({
        organisationId,
        budgetId,
        commentId: id,
        userId: person.id,
        isMention: mentioned.includes(person),
        at,
      })),
    )
  return id
}

/** Whether the subject of a comment is in the budget, or is a budget code of the organisation. */
async function isSubjectInBudget(call: Call<'organisationId' | 'budgetId'>, kind: CommentKind, ref: string): Promise<boolean> {
  const { tx, organisationId } = call
  if (kind === 'entry') return (await loadItems(call, 'entry', [ref])).length > 0
  if (kind === 'contract') return hasContract(call, toContractId(ref))
  const about: CommentSubject = { kind, ref, year: null }
  return (await readSubjectNames(tx, organisationId, [about]))(about) !== null
}

async function hasContract({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>, id: ContractId): Promise<boolean> {
  const where = and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.budgetId, budgetId), eq(staffContracts.id, id))
  return (await tx.select({ id: staffContracts.id }).from(staffContracts).where(where)).length > 0
}

/** Marks comments for a user as read. */
export async function markCommentsRead(
  { tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>,
  userId: UserId | null,
  ids: readonly string[],
): Promise<void> {
  if (userId === null || !ids.length) return
  await tx
    .update(commentNotices)
    .set({ seenAt: now.toISOString() })
    .where(
      and(
        eq(commentNotices.organisationId, organisationId),
        eq(commentNotices.userId, userId),
        eq(commentNotices.budgetId, budgetId),
        inArray(commentNotices.commentId, [...ids]),
        isNull(commentNotices.seenAt),
      ),
    )
}

/**
 * The version that deleted a comment.
 * @throws DomainError 404 if it is not deleted
 */
async function findDeletionVersion({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>, id: string): Promise<number> {
  const [last] = await tx
    .select({ version: budgetEvents.version, type: budgetEvents.type })
    .from(budgetEvents)
    .where(and(eq(budgetEvents.organisationId, organisationId), eq(budgetEvents.budgetId, budgetId), eq(budgetEvents.about, id)))
    .orderBy(desc(budgetEvents.version))
    .limit(1)
  if (last?.type !== 'CommentDeleted') throw notFound('Comment')
  return last.version
}

/** Resolves or reopens a comment; its author can also delete and restore it. */
export async function runChangeComment(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  id: string,
  change: CommentAction,
): Promise<void> {
  const { budgetId, actor } = call
  if (change === 'restore') return runUndoSaves(call, [await findDeletionVersion(call, id)])
  const row = await loadBudget(call, budgetId, true)
  const [stored] = await loadItems(call, 'comment', [id])
  await commitEvents(call, row, { events: changeComment(row.head, stored, { change, byId: actor.userId, at: actor.now.toISOString() }) })
}

/**
 * As `runChangeComment`, but only for a caller who may read the comment.
 * @throws DomainError 404 for any other caller
 */
export async function runChangeVisibleComment(
  call: Call<'organisationId' | 'budgetId' | 'actor'> & { holder: CallerRights },
  id: string,
  change: CommentAction,
): Promise<void> {
  const isBack = change === 'restore'
  if (!isBack) await refuseHiddenComment(call, id)
  await runChangeComment(call, id, change)
  if (isBack) await refuseHiddenComment(call, id)
}

async function refuseHiddenComment(call: Call<'organisationId' | 'budgetId'> & { holder: CallerRights }, id: string): Promise<void> {
  const [stored] = await loadItems(call, 'comment', [id])
  if (!stored) throw notFound('Comment')
  const { about } = stored.item
  if (!(await createCommentReadTest(call.tx, call, [about]))(about)) throw notFound('Comment')
}

import { sql } from 'drizzle-orm'
import type { Comment } from '../../../../../domain/budget/items/comment.ts'
import { buildCellPath } from '../../../../../domain/reports/cells/cellPath.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../../../domain/values/ids.ts'
import { addSelection, formatSelection } from '../../../../../domain/values/selectionAddress.ts'
import type { Config } from '../../../../core/config.ts'
import type { OrganisationTx, Store } from '../../../../core/database/database.ts'
import { sendMail } from '../../../../core/mail.ts'
import { listCommentReaders } from '../../../../shared/approval/queries.ts'
import { presenceTimeoutMs } from '../../../../shared/presence/queries.ts'

/** How long, in milliseconds, a notice waits before it is mailed, because users who have the budget open see the comment there. */
const mailDelayMs = 120_000
/** Days after which unread notices are deleted. */
const retentionDays = 90
/** The most mails in one sweep. */
const mostAtOnce = 50

interface Due extends Record<string, unknown> {
  organisation_id: OrganisationId
  user_id: number
  budget_id: BudgetId
  budget: string
  location_id: LocationId
  location: string
  comment_id: string
  is_mention: boolean
  comment: Comment
}

/**
 * Mails people who have been away for a while about replies and mentions. Each mail is recorded before it is sent, so that none is sent
 * twice. It does not contain the text of the comment.
 */
export async function mailCommentNotices(store: Store, config: Pick<Config, 'mail' | 'origin'>, now: Date): Promise<void> {
  if (!config.mail) return
  const mails = await store.asPlatform(async (tx) => buildMails(tx, await claimNotices(tx, now)))
  // The link opens a figure of a report directly; for other records, it opens the home page with their budget selected.
  const placeOf = ({ comment: { about }, comment_id, organisation_id, location_id, budget_id }: Due): string =>
    addSelection(
      about.cell ? buildCellPath(about.cell, budget_id, comment_id) : '/',
      formatSelection({ organisationId: organisation_id, locationId: location_id, budgetId: budget_id }),
    )
  const text = (one: Due, by: string): string =>
    [
      `${by} ${one.is_mention ? 'mentioned you in' : 'replied to'} a comment on ${one.comment.about.cell?.groupId ? 'a figure that covers several budgets' : `${one.budget}, ${one.location}`}.`,
      '',
      `Read it in Bursar: ${config.origin}${placeOf(one)}`,
    ].join('\n')
  for (const { to, by, due } of mails)
    await sendMail(config, {
      to,
      subject: due.is_mention ? `${by} mentioned you in Bursar` : `${by} replied in Bursar`,
      text: text(due, by),
    })
}

/**
 * Claims unread notices of people who have no budget open, and marks them as mailed. It also claims notices whose comment has been deleted:
 * otherwise they would stay first in the queue for ever.
 */
function claimNotices(tx: OrganisationTx, now: Date): Promise<Due[]> {
  const since = new Date(now.getTime() - mailDelayMs).toISOString()
  const present = new Date(now.getTime() - presenceTimeoutMs).toISOString()
  return tx.execute<Due>(sql`
    with due as (
      select n.organisation_id, n.user_id, n.comment_id from comment_notices n
      where n.mailed_at is null and n.seen_at is null and n.at < ${since}
        and not exists (select from presences p where p.organisation_id = n.organisation_id and p.user_id = n.user_id and p.seen_at > ${present})
      order by n.at limit ${mostAtOnce} for update skip locked),
    claimed as (
      update comment_notices n set mailed_at = ${now.toISOString()} from due
      where (n.organisation_id, n.user_id, n.comment_id) = (due.organisation_id, due.user_id, due.comment_id)
      returning n.organisation_id, n.user_id, n.is_mention, n.comment_id, n.budget_id)
    select c.organisation_id, c.user_id, c.is_mention, c.comment_id, c.budget_id, b.name as budget, b.location_id, l.name as location, i.item as comment
    from claimed c
    join budget_items i on (i.organisation_id, i.budget_id, i.id) = (c.organisation_id, c.budget_id, c.comment_id)
    join budgets b on (b.organisation_id, b.id) = (c.organisation_id, c.budget_id)
    join locations l on l.id = b.location_id`)
}

/** The mails for claimed notices, leaving out people who may no longer read the comment. */
async function buildMails(tx: OrganisationTx, due: readonly Due[]): Promise<{ to: string; by: string; due: Due }[]> {
  const mails: { to: string; by: string; due: Due }[] = []
  for (const one of due) {
    const readers = await listCommentReaders(tx, one.comment.about, { organisationId: one.organisation_id, locationId: one.location_id })
    const to = readers.find(({ id }) => id === one.user_id)
    if (to) mails.push({ to: to.email, by: readers.find(({ id }) => id === one.comment.byId)?.name ?? 'Someone', due: one })
  }
  return mails
}

/** Deletes notices that are too old. */
export async function deleteOldNotices(tx: OrganisationTx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * 86_400_000).toISOString()
  await tx.execute(sql`delete from comment_notices where at < ${before}`)
}

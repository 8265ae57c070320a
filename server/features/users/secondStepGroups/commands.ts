import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { notFound } from '../../../../domain/words/errors.ts'
import { secondStepGroups } from '../../../../drizzle/accessTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { secondStepGroupLog } from '../../../resources/hooks/userGroup.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { readSecondStepGroups } from './queries.ts'

export const secondStepGroupInput = z.object({ userGroupId: z.int().positive(), isAsked: z.boolean() })

/**
 * Requires the people of a user group to use a second step when they sign in to an organisation, or stops requiring it. Does nothing if the
 * requirement is already as wanted.
 * @throws DomainError 404 for a user group without members in the organisation
 */
export async function setSecondStepRequirement(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  { userGroupId, isAsked }: z.infer<typeof secondStepGroupInput>,
): Promise<void> {
  const groups = await readSecondStepGroups(tx, organisationId)
  if (!groups.some((group) => group.userGroupId === userGroupId)) throw notFound('User group')
  const isIt = and(eq(secondStepGroups.organisationId, organisationId), eq(secondStepGroups.userGroupId, userGroupId))
  const changed = isAsked
    ? await tx.insert(secondStepGroups).values({ organisationId, userGroupId }).onConflictDoNothing().returning()
    : await tx.delete(secondStepGroups).where(isIt).returning()
  if (!changed.length) return
  const record = { id: String(userGroupId), version: 1, organisationId, userGroupId }
  await logRecordChange({ tx, actor }, secondStepGroupLog, {
    action: isAsked ? 'created' : 'deleted',
    before: isAsked ? null : record,
    after: isAsked ? record : null,
  })
}

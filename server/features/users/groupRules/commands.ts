import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { conflict, DomainError, invalid, notFound } from '../../../../domain/errors.ts'
import type { OrganisationId } from '../../../../domain/ids.ts'
import { groupRules, userGroups } from '../../../../drizzle/accessTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { recordChange } from '../../../resources/referenceLog.ts'
import { keptRules } from './queries.ts'

/** Rules that one organisation can have, as many as the settings of an installation. */
const most = 1000

const logged = { name: 'groupRule' }

export const groupRuleInput = z.object({
  value: z.string().trim().min(1, 'Value is required.').max(300, 'Value can have at most 300 characters.'),
  userGroupId: z.int('Choose a user group.').positive(),
})
type GroupRuleInput = z.infer<typeof groupRuleInput>

const recordOf = (organisationId: OrganisationId, { value, userGroupId }: GroupRuleInput) => ({
  id: `${userGroupId} ${value}`,
  version: 1,
  organisationId,
  value,
  userGroupId,
})

/** Makes a rule of an organisation. @throws DomainError 400 at its field, 409 for a rule that there is, and for too many */
export async function addGroupRule({ tx, organisationId, actor }: Call<'organisationId' | 'actor'>, input: GroupRuleInput): Promise<void> {
  const [group] = await tx.select({ id: userGroups.id }).from(userGroups).where(eq(userGroups.id, input.userGroupId))
  if (!group) throw invalid([{ field: 'userGroupId', message: 'User group was not found.' }])
  if ((await keptRules(tx, organisationId)).length >= most) throw conflict('tooMany', 'An organisation has at most 1,000 rules.')
  const made = await tx
    .insert(groupRules)
    .values({ ...input, organisationId })
    .onConflictDoNothing()
    .returning()
  const message = 'There is a rule of this value for this user group already.'
  if (!made.length) throw new DomainError('conflict', 'duplicate', message, { fields: [{ field: 'value', message }] })
  await recordChange({ tx, actor }, logged, { action: 'created', before: null, after: recordOf(organisationId, input) })
}

/** Takes a rule away; who had the group by it keeps it until somebody, or another rule, takes it. @throws DomainError 404 */
export async function removeGroupRule(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  input: GroupRuleInput,
): Promise<void> {
  const gone = await tx
    .delete(groupRules)
    .where(
      and(eq(groupRules.organisationId, organisationId), eq(groupRules.value, input.value), eq(groupRules.userGroupId, input.userGroupId)),
    )
    .returning()
  if (!gone.length) throw notFound('Rule')
  await recordChange({ tx, actor }, logged, { action: 'deleted', before: recordOf(organisationId, input), after: null })
}

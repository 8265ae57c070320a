import { and, desc, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { displayDateTime } from '../../../../domain/values/format.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { conflict, DomainError, invalid, notFound } from '../../../../domain/words/errors.ts'
import { groupRules, userGroups } from '../../../../drizzle/accessTables.ts'
import { referenceChanges } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { lockByName } from '../../../core/database/uniqueRules.ts'
import { readUserNamesWithin } from '../../../core/database/userNames.ts'
import { groupRuleLog } from '../../../resources/hooks/userGroup.ts'
import { logRecordChange, type RecordChange } from '../../../resources/referenceLog.ts'
import { listGroupRules, loggedRule } from './queries.ts'

/** The most rules of an organisation. The settings file of an installation has the same limit. */
const maximumRules = 1000

export const groupRuleInput = z.object({
  value: z.string().trim().min(1, 'Value is required.').max(300, 'Value can have at most 300 characters.'),
  userGroupId: z.int('Choose a user group.').positive(),
})
type GroupRuleInput = z.infer<typeof groupRuleInput>

type RuleCall = Call<'organisationId' | 'actor'>

/** The number of a rule change in the log, with which it can be undone. */
export interface RuleChangeReference {
  id: number
}

const recordOf = (organisationId: OrganisationId, { value, userGroupId }: GroupRuleInput) => ({
  id: `${userGroupId} ${value}`,
  version: 1,
  organisationId,
  value,
  userGroupId,
})

/** Locks the rules of an organisation until the transaction ends, so that undo sees the current rules. */
const lockGroupRules = ({ tx, organisationId }: RuleCall): Promise<void> => lockByName(tx, `group rules of ${organisationId}`)

/**
 * Creates a rule for an organisation.
 * @throws DomainError 400 for each invalid field, 409 for an existing rule, or at the maximum number of rules
 */
export async function createGroupRule(call: RuleCall, input: GroupRuleInput): Promise<RuleChangeReference> {
  await lockGroupRules(call)
  if (!(await hasGroup(call.tx, input))) throw invalid([{ field: 'userGroupId', message: 'User group was not found.' }])
  const message = 'There is already a rule with this value for this user group.'
  if (!(await insertRule(call, input))) throw new DomainError('conflict', 'duplicate', message, { fields: [{ field: 'value', message }] })
  return logRuleChange(call, { action: 'created', before: null, after: recordOf(call.organisationId, input) })
}

/**
 * Deletes a rule. Users who have the group keep it until somebody or another rule removes it.
 * @throws DomainError 404
 */
export async function deleteGroupRule(call: RuleCall, input: GroupRuleInput): Promise<RuleChangeReference> {
  await lockGroupRules(call)
  if (!(await deleteRule(call, input))) throw notFound('Rule')
  return logRuleChange(call, { action: 'deleted', before: recordOf(call.organisationId, input), after: null })
}

/**
 * Undoes the creation or deletion of a rule, as a new change.
 * @param id of the change in the log
 * @throws DomainError 404 if it is not about this organisation's rules, 409 if the rule has been changed since, or its
 * user group no longer exists
 */
export async function undoGroupRule(call: RuleCall, { id }: RuleChangeReference): Promise<void> {
  const { tx, organisationId } = call
  await lockGroupRules(call)
  const { id: number, resource, recordId, organisationId: of } = referenceChanges
  const ofRules = and(eq(resource, groupRuleLog.name), eq(of, organisationId))
  const [line] = await tx
    .select()
    .from(referenceChanges)
    .where(and(eq(number, id), ofRules))
  if (!line) throw notFound('The change')
  const [newer] = await tx
    .select()
    .from(referenceChanges)
    .where(and(ofRules, eq(recordId, line.recordId), gt(number, id)))
    .orderBy(desc(number))
    .limit(1)
  if (newer) {
    const names = await readUserNamesWithin(tx, [newer.actorId])
    const who = (newer.actorId !== null && names.get(newer.actorId)) || 'somebody'
    const when = displayDateTime(new Date(newer.occurredAt).toISOString())
    throw conflict(
      'changedSince',
      `This rule has since been ${newer.after ? 'added again' : 'removed'} by ${who} on ${when}. Nothing was undone.`,
    )
  }
  const rule = loggedRule.parse(line.after ?? line.before)
  if (line.after) {
    if (!(await deleteRule(call, rule))) throw conflict('groupGone', 'This rule was deleted with its user group. Nothing was undone.')
    return logRecordChange(call, groupRuleLog, { action: 'deleted', before: recordOf(organisationId, rule), after: null })
  }
  if (!(await hasGroup(tx, rule)))
    throw conflict('groupGone', 'The user group of this rule was deleted, so the rule cannot be restored. Nothing was undone.')
  await insertRule(call, rule)
  return logRecordChange(call, groupRuleLog, { action: 'restored', before: null, after: recordOf(organisationId, rule) })
}

async function hasGroup(tx: OrganisationTx, { userGroupId }: GroupRuleInput): Promise<boolean> {
  return (await tx.select({ id: userGroups.id }).from(userGroups).where(eq(userGroups.id, userGroupId))).length > 0
}

/**
 * @returns whether the rule is new
 * @throws DomainError 409 at the maximum number of rules
 */
async function insertRule({ tx, organisationId }: RuleCall, { value, userGroupId }: GroupRuleInput): Promise<boolean> {
  if ((await listGroupRules(tx, organisationId)).length >= maximumRules)
    throw conflict('tooMany', 'An organisation can have at most 1,000 rules.')
  const made = await tx.insert(groupRules).values({ organisationId, value, userGroupId }).onConflictDoNothing().returning()
  return made.length > 0
}

/** @returns whether the rule existed */
async function deleteRule({ tx, organisationId }: RuleCall, { value, userGroupId }: GroupRuleInput): Promise<boolean> {
  const isIt = and(eq(groupRules.organisationId, organisationId), eq(groupRules.value, value), eq(groupRules.userGroupId, userGroupId))
  return (await tx.delete(groupRules).where(isIt).returning()).length > 0
}

/** Logs a change. @returns its number in the log, for undoing it */
async function logRuleChange(call: RuleCall, change: RecordChange): Promise<RuleChangeReference> {
  await logRecordChange(call, groupRuleLog, change)
  const record = String(assertDefined(change.after ?? change.before).id)
  const [line] = await call.tx
    .select({ id: referenceChanges.id })
    .from(referenceChanges)
    .where(
      and(
        eq(referenceChanges.resource, groupRuleLog.name),
        eq(referenceChanges.organisationId, call.organisationId),
        eq(referenceChanges.recordId, record),
      ),
    )
    .orderBy(desc(referenceChanges.id))
    .limit(1)
  return assertDefined(line)
}

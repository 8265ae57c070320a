import type { z } from 'zod'
import type { Membership } from '../../../../domain/people/memberships.ts'
import { user as declaration } from '../../../../domain/resources/entities/organisation/user.ts'
import { userFile } from '../../../../domain/resources/personFile.ts'
import { buildNewRecord, checkRecord, isSameValue } from '../../../../domain/resources/schema.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { toLocationId, type UserId } from '../../../../domain/values/ids.ts'
import { forbidden, invalid } from '../../../../domain/words/errors.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { findLocationProblem } from '../../../resources/rowRules.ts'
import {
  readUser,
  refuseGrantBeyondCallerRights,
  refuseUserBeyondCallerRights,
  type User,
  type UserInput,
  type userInput,
} from '../../../shared/users/queries.ts'
import { findMembership, type OrganisationUsersCaller, readUserOfOrganisation } from './queries.ts'

const details = ['forename', 'surname', 'position', 'phoneNumber', 'avatarId', 'active'] as const

/**
 * The ids in a field; undefined if the input omits it.
 * @throws DomainError 400 if it is not a list of numbers
 */
function idsIn(input: Readonly<Record<string, unknown>>, field: 'locationIds' | 'userGroupIds'): number[] | undefined {
  const value = input[field]
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.every((id) => typeof id === 'number')) return value
  throw invalid([{ field, message: `${declaration.fields[field].label} must be a list.` }])
}

/**
 * Checks and completes the input for a new user of one organisation, without saving it: a member of this organisation only, with no more
 * permissions or locations than the caller has (behaviour B-273).
 * @throws DomainError 400 for each invalid field, 403 for permissions that the caller does not have
 */
export async function prepareNewUserOfOrganisation(
  tx: OrganisationTx,
  reach: OrganisationUsersCaller,
  input: UserInput,
): Promise<UserInput> {
  const { organisationId, holder } = reach
  const { values, problems } = checkRecord(userFile, { ...buildNewRecord(userFile), ...input })
  if (problems.length) throw invalid(problems)
  const after: Membership = {
    organisationId,
    locationIds: (idsIn(values, 'locationIds') ?? []).map(toLocationId),
    userGroupIds: idsIn(values, 'userGroupIds') ?? [],
  }
  if (!holder.isAdministrator) {
    const problem = findLocationProblem(holder.locationIds, after.locationIds)
    if (problem) throw invalid([{ field: 'locationIds', message: problem }])
    await refuseGrantBeyondCallerRights(tx, holder, { before: { ...after, userGroupIds: [] }, after })
  }
  return { ...buildNewRecord(declaration), ...values, memberships: [after] }
}

/**
 * Checks the changes that the console of an organisation makes to a user, and returns the user with them, without saving: membership,
 * locations and user groups within the organisation (behaviour B-273) and, if the user belongs to no other organisation, personal details.
 * Only administrators change email addresses and the administrator flag.
 */
export async function prepareChangedUserOfOrganisation(
  tx: OrganisationTx,
  reach: OrganisationUsersCaller,
  input: z.infer<typeof userInput> & { id: UserId },
): Promise<User> {
  const { organisationId, holder } = reach
  const seen = await readUserOfOrganisation(tx, reach, input.id)
  const whole = await readUser(tx, input.id)
  const changes = (name: keyof typeof declaration.fields): boolean => {
    const given = input[name]
    return given !== undefined && !isSameValue(declaration.fields[name], given, seen[name])
  }
  if (changes('isAdministrator') || (whole.isAdministrator && !holder.isAdministrator)) throw forbidden()
  if (changes('email')) throw invalid([{ field: 'email', message: 'Only a Bursar administrator can change an email address.' }])
  const before = assertDefined(findMembership(whole, organisationId))
  if (!holder.isAdministrator) await refuseUserBeyondCallerRights(tx, holder, before)
  const isShared = whole.memberships.length > 1
  const touched = details.find((name) => changes(name))
  if (isShared && touched)
    throw invalid([
      { field: touched, message: 'This user belongs to other organisations too. Only a Bursar administrator can change this.' },
    ])
  const given = input.memberships?.find((one) => one.organisationId === organisationId)
  const after: Membership = {
    organisationId,
    locationIds: given?.locationIds ?? idsIn(input, 'locationIds')?.map(toLocationId) ?? before.locationIds,
    userGroupIds: given?.userGroupIds ?? idsIn(input, 'userGroupIds') ?? before.userGroupIds,
  }
  if (!holder.isAdministrator) await refuseGrantBeyondCallerRights(tx, holder, { before, after })
  const changedDetails = Object.fromEntries(details.flatMap((name) => (name in input ? [[name, input[name]]] : [])))
  return {
    ...whole,
    ...changedDetails,
    version: input.version ?? whole.version,
    memberships: whole.memberships.map((one) => (one === before ? after : one)),
  }
}

import { z } from 'zod'
import type { Membership } from '../../../domain/people/memberships.ts'
import { reply } from '../../core/calls/reply.ts'
import type { User } from './queries.ts'

const membership: z.ZodType<Membership> = z
  .strictObject({
    organisationId: z.int().brand<'OrganisationId'>(),
    locationIds: z.array(z.int().brand<'LocationId'>()),
    userGroupIds: z.array(z.int()),
  })
  .meta({ id: 'Membership' })

const user: z.ZodType<User> = z
  .strictObject({
    id: z.int().brand<'UserId'>(),
    version: z.int(),
    created: z.string(),
    email: z.string(),
    forename: z.string(),
    surname: z.string(),
    position: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    avatarId: z.int().nullable(),
    isAdministrator: z.boolean(),
    active: z.boolean(),
    organisationIds: z.array(z.int().brand<'OrganisationId'>()),
    locationIds: z.array(z.int().brand<'LocationId'>()),
    userGroupIds: z.array(z.int()),
    lastSignIn: z.string().nullable(),
    memberships: z.array(membership),
    hasPassword: z.boolean().describe('Whether they have set a password.'),
    hasSecondStep: z.boolean().describe('Whether a code from an authenticator app is required at sign-in.'),
    isLinkedOutside: z
      .boolean()
      .describe('Whether they have signed in at the outside issuer, which identifies them even if their address changes.'),
    hasPasskey: z.boolean().describe('Whether they can sign in with a passkey.'),
    isErased: z.boolean().describe('Whether their personal data was erased. An erased user cannot be changed and cannot sign in.'),
  })
  .meta({ id: 'User' })

export const userReply = reply(user)

export const page = reply(z.strictObject({ rows: z.array(user), total: z.number() }).meta({ id: 'UserPage' }))

export const invitation = reply(
  z.union([
    z.strictObject({ link: z.string(), kind: z.enum(['invite', 'reset']), expiresAt: z.string(), sent: z.boolean() }),
    z.strictObject({ link: z.null(), kind: z.enum(['invite', 'reset']), expiresAt: z.string(), sent: z.boolean() }),
  ]),
)

/** How many sign-ins were ended by the call. */
export const endedSignIns = reply(z.strictObject({ ended: z.int() }))

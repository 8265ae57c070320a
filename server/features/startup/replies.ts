import { z } from 'zod'
import { allPermissions } from '../../../domain/people/permissions.ts'
import { reply } from '../../core/calls/reply.ts'
import { nameItem } from '../../resources/replies.ts'
import { recalculationEventShape } from '../../shared/recalculation/replies.ts'

export const recalculationLocked = reply(
  z.strictObject({ locked: z.boolean(), budgetGroupIds: z.array(z.string().brand<'BudgetGroupId'>()) }).meta({ id: 'LockedStatus' }),
)

export const types = reply(z.record(z.string(), z.array(nameItem)).meta({ id: 'ApplicationTypes' }))

export const user = reply(
  z.strictObject({ id: z.int(), name: z.string(), email: z.string(), avatarId: z.int().nullable() }).meta({ id: 'UserSummary' }),
)

export const importProgress = reply(
  z.strictObject({ phase: z.enum(['checking', 'saving']), done: z.number(), total: z.number() }).nullable(),
)

const role = z
  .strictObject({ id: z.int(), name: z.string(), permissions: z.array(nameItem), created: z.string(), version: z.int() })
  .meta({ id: 'Role' })

export const roles = reply(z.array(role))

export const version = reply(
  z
    .strictObject({ product: z.string(), version: z.string(), apiVersion: z.number(), engine: z.string(), commit: z.string().nullable() })
    .meta({ id: 'Version' }),
)

export const recalculationEvent = reply(recalculationEventShape.nullable())

export const authorisation = reply(
  z
    .strictObject({
      user: z.strictObject({ id: z.int().brand<'UserId'>(), name: z.string(), email: z.string(), avatarId: z.int().nullable() }),
      isAdministrator: z.boolean(),
      permissions: z.array(z.strictObject({ id: z.int(), name: z.enum(allPermissions) })),
      organisationIds: z.array(z.int()),
      locationIds: z
        .array(z.int().brand<'LocationId'>())
        .nullable()
        .describe('The locations of the selected organisation that the user is limited to; null for all.'),
    })
    .meta({ id: 'CurrentAuthorisation' }),
)

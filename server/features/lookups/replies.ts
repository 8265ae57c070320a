import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'

export const yesOrNo = reply(z.boolean())

const locationAuthority = z
  .strictObject({ locationId: z.int().brand<'LocationId'>(), localAuthorityId: z.int(), localAuthorityName: z.string() })
  .meta({ id: 'LocationAuthority' })

export const localAuthorities = reply(z.array(locationAuthority))

export const levySettings = reply(
  z
    .strictObject({
      calculateApprenticeshipLevyAutomatically: z.boolean(),
      apprenticeshipLevyAllowanceAsPercentage: z.boolean(),
      annualAllowance: z.number(),
      ratePercentage: z.number(),
    })
    .meta({ id: 'LevySettings' }),
)

import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'

export const secondStep = reply(
  z
    .strictObject({
      isOn: z.boolean(),
      since: z.string().nullable(),
      codesLeft: z.int(),
      isRequired: z.boolean(),
      asksPassword: z.boolean().describe('Whether the password is asked for again before it is changed.'),
    })
    .nullable(),
)

export const enrolment = reply(
  z.strictObject({ key: z.string().describe('To be typed into an app.'), picture: z.string().describe('To be scanned by an app: SVG.') }),
)

export const codes = reply(z.strictObject({ codes: z.array(z.string()) }))

export const signIns = reply(
  z
    .array(
      z.strictObject({
        id: z.string(),
        device: z.string(),
        address: z.string(),
        started: z.string(),
        lastUsed: z.string(),
        isThis: z.boolean().describe('Whether it is the sign-in of this call.'),
      }),
    )
    .nullable(),
)

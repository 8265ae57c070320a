import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'

export const secondStep = reply(
  z.strictObject({ isOn: z.boolean(), since: z.string().nullable(), codesLeft: z.int(), isRequired: z.boolean() }).nullable(),
)

export const enrolment = reply(
  z.strictObject({ key: z.string().describe('To be typed into an app.'), picture: z.string().describe('To be scanned by an app: SVG.') }),
)

export const codes = reply(z.strictObject({ codes: z.array(z.string()) }))

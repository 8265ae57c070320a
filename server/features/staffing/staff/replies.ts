import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import type { StaffMember } from '../../../streams/budget/people.ts'
import { appliedExtendedLeave } from '../leave/replies.ts'

const fields = {
  id: z.int().brand<'StaffId'>(),
  version: z.int(),
  created: z.string(),
  archive: z.boolean(),
  locations: z.array(z.number().brand<'LocationId'>()),
  erased: z.boolean(),
  email: z.string().nullable(),
  forename: z.string(),
  surname: z.string(),
  niNumber: z.string().nullable(),
  title: z.number().nullable(),
  employeeNumber: z.string(),
  gender: z.number().nullable(),
  dateOfBirth: z.string().nullable(),
  continuousServiceDate: z.string().nullable(),
}

const staffMember: z.ZodType<StaffMember> = z.strictObject(fields).meta({ id: 'StaffMember' })

export const person = reply(staffMember)

export const page = reply(z.strictObject({ rows: z.array(staffMember), total: z.number() }).meta({ id: 'StaffMemberPage' }))

export const staffOptions = reply(
  z.strictObject({ total: z.number(), rows: z.array(z.strictObject({ employeeNumber: z.string(), name: z.string() })) }),
)

/** A person with their leave. */
export const personWithLeave = reply(
  z.strictObject({ ...fields, extendedLeave: z.array(appliedExtendedLeave) }).meta({ id: 'StaffMemberWithLeave' }),
)

import { z } from 'zod'
import { resources } from '../../../../domain/resources/all.ts'
import { reply } from '../../../core/calls/reply.ts'
import { createRecordShape } from '../../../resources/replies.ts'

/** A reminder with the fields of its declaration. */
const listed = createRecordShape(resources.reminder)

export const list = reply(z.strictObject({ rows: z.array(listed), total: z.number() }))

const dueReminder = z
  .strictObject({
    when: z.string(),
    since: z.string(),
    description: z.string(),
    notes: z.string().nullable(),
    type: z.number(),
    category: z.number().nullable(),
    isRecurring: z.boolean(),
    organisationId: z.int().nullable(),
    userId: z.int().nullable(),
    sourceId: z.string().nullable(),
    id: z.int(),
    version: z.int(),
    created: z.string(),
  })
  .meta({ id: 'DueReminder' })

export const dueReminders = reply(z.array(dueReminder))

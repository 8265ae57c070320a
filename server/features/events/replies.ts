import { z } from 'zod'
import { integrationEventTypes } from '../../../domain/integrations/events.ts'
import { reply } from '../../core/calls/reply.ts'
import type { EventFeedPage, FeedEvent } from '../../shared/events/queries.ts'

const feedEvent: z.ZodType<FeedEvent> = z
  .strictObject({
    id: z.string().describe('Unique id of the event, the same for every receiver.'),
    type: z.enum(integrationEventTypes),
    occurredAt: z.string(),
    locationId: z.int().brand<'LocationId'>().nullable().describe('Null for the whole organisation.'),
    budgetId: z.string().brand<'BudgetId'>().nullable(),
    groupId: z.string().brand<'BudgetGroupId'>().nullable().describe('The budget group of the payroll month.'),
    year: z.int().nullable(),
    month: z.int().nullable().describe('The calendar month, 1 to 12.'),
  })
  .meta({ id: 'Event' })

export const feed = reply(
  z
    .strictObject({
      events: z.array(feedEvent),
      next: z.int().describe('The cursor for the next call; unchanged if there are no new events.'),
    })
    .meta({ id: 'Events' }) satisfies z.ZodType<EventFeedPage>,
)

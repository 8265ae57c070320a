import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'
import type { ApiClient } from './queries.ts'

const fields = {
  id: z.int(),
  version: z.int(),
  created: z.string(),
  organisationId: z.int().brand<'OrganisationId'>(),
  clientId: z.string(),
  name: z.string(),
  userGroupIds: z.array(z.int()),
  locationIds: z.array(z.int().brand<'LocationId'>()),
  active: z.boolean().describe('False once it has been permanently revoked.'),
  lastUsed: z.string().nullable(),
  secretMade: z.string(),
  previousUntil: z.string().nullable().describe('When the previous secret stops working; null if it no longer works.'),
}

const apiClient: z.ZodType<ApiClient> = z.strictObject(fields).meta({ id: 'ApiClient' })

export const client = reply(apiClient)

export const clientPage = reply(z.strictObject({ rows: z.array(apiClient), total: z.number() }).meta({ id: 'ApiClientPage' }))

export const clientWithSecret = reply(z.strictObject({ ...fields, secret: z.string() }).meta({ id: 'ApiClientWithSecret' }))

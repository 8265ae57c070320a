import { z } from 'zod'
import { describeLookup } from '../../../domain/lookups/lookups.ts'
import { reply } from '../../core/calls/reply.ts'
import type { Credential, CredentialParameter, CredentialStatus } from './queries.ts'

const credential: z.ZodType<Credential> = z
  .strictObject({
    id: z.int(),
    description: z.string(),
    integrationType: z.int().describe(`${describeLookup('financialIntegrationTypes')}.`),
    state: z.int().describe(`${describeLookup('integrationStates')}.`),
    created: z.string(),
    version: z.int(),
  })
  .meta({ id: 'IntegrationCredential' })

const parameter: z.ZodType<CredentialParameter> = z
  .strictObject({
    id: z.int(),
    credentialId: z.int(),
    name: z.string(),
    label: z.string(),
    value: z.string().describe('Dots instead of a secret that is set.'),
    secret: z.boolean(),
    actionUrl: z.string().nullable().describe('The address to POST to for an action; null for a setting.'),
    created: z.string(),
    version: z.int(),
  })
  .meta({ id: 'IntegrationParameter' })

const status: z.ZodType<CredentialStatus> = z
  .strictObject({
    credentialId: z.int(),
    state: z.int().describe(`${describeLookup('integrationStates')}.`),
    checkedAt: z.string().nullable(),
    message: z.string().nullable(),
  })
  .meta({ id: 'IntegrationStatus' })

export const credentialReply = reply(credential)
export const credentials = reply(z.array(credential))
export const parameters = reply(z.array(parameter))
export const statuses = reply(z.array(status))
export const actionResult = reply(z.strictObject({ ok: z.boolean(), message: z.string().nullable() }).meta({ id: 'ActionResult' }))

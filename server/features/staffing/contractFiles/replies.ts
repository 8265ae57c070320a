import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

const count = z.int().min(0)

export const importedContracts = reply(
  z.strictObject({ imported: count, created: count, updated: count, people: count.optional(), withoutMaximum: count.optional() }).meta({
    id: 'ContractImportResult',
    description:
      'The number of lines saved, contracts added or changed, people added, and contracts that get no increments because they have no maximum scale point; the last two are left out if zero.',
  }),
)

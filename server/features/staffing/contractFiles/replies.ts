import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

const count = z.int().min(0)

/** The result of an import of contracts. */
export const importedContracts = reply(
  z.strictObject({ imported: count, created: count, updated: count, people: count.optional() }).meta({
    id: 'ContractImportResult',
    description: 'How many lines were kept, how many contracts are new or changed by them, and how many people were made, where any were.',
  }),
)

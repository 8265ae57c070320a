import { z } from 'zod'
import { type Term, type Terms, termKeys } from '../../../domain/words/terms.ts'
import { reply } from '../../core/calls/reply.ts'
import type { TermRow } from '../../resources/terms.ts'

const term: z.ZodType<Term> = z.strictObject({ singular: z.string(), plural: z.string() }).meta({ id: 'Term' })

const dictionaryOfTerms: z.ZodType<Terms> = z.record(z.enum(termKeys), term).meta({ id: 'TerminologyDictionary' })

const termRow: z.ZodType<TermRow> = z
  .strictObject({
    id: z.int(),
    term: z.enum(termKeys),
    singular: z.string(),
    plural: z.string(),
    isDefault: z.boolean(),
    created: z.string(),
    version: z.int(),
  })
  .meta({ id: 'TerminologyTerm' })

export const dictionary = reply(dictionaryOfTerms)

export const termReply = reply(termRow)

export const page = reply(z.strictObject({ rows: z.array(termRow), total: z.number() }).meta({ id: 'TerminologyTermPage' }))

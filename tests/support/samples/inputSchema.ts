import { z } from 'zod'
import { describeDeclaredField } from '../../../server/rest/schemas.ts'

type Json = { [name: string]: unknown }

/** What a schema takes, as JSON Schema with the shared parts that have names written out where they are used. Recursive ones are not expected. */
export function inputSchemaOf(schema: z.ZodType): Json {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => describeDeclaredField(zodSchema, jsonSchema),
  }) as Json & { $defs?: Json }
  const writtenOut = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(writtenOut)
    if (typeof part !== 'object' || part === null) return part
    const { $ref, ...rest } = part as Json
    const own = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, writtenOut(value)]))
    return typeof $ref === 'string' ? { ...(writtenOut($defs[$ref.slice('#/$defs/'.length)]) as Json), ...own } : own
  }
  return writtenOut(whole) as Json
}

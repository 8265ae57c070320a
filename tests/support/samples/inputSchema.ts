import { z } from 'zod'
import { describeDeclaredField } from '../../../server/rest/schemas.ts'

type Json = { [name: string]: unknown }

/** The input of a zod schema as JSON Schema, with named parts inlined. It must not be recursive. */
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
    const properties = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, writtenOut(value)]))
    return typeof $ref === 'string' ? { ...(writtenOut($defs[$ref.slice('#/$defs/'.length)]) as Json), ...properties } : properties
  }
  return writtenOut(whole) as Json
}

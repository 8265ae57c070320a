import type { z } from 'zod'
import { allProcedures } from '../../../server/rest/routes.ts'
import { inputSchemaOf } from '../../support/samples/inputSchema.ts'
import { buildHonestInput } from '../prober/sweep.ts'
import type { Ids } from '../prober/world.ts'

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; anyOf?: Schema[]; required?: string[] }

/** The values to try for a field, by its name. */
export type Tries = Record<string, readonly unknown[]>

const within = (schema: Schema): Schema[] => schema.anyOf ?? [schema]

/** The values of a field: those to try, every choice, true and false. */
function valuesOf(name: string, schema: Schema, tries: Tries): readonly unknown[] {
  if (name in tries) return tries[name]!
  return within(schema).flatMap((one): unknown[] => (Array.isArray(one.enum) ? one.enum : one.type === 'boolean' ? [true, false] : []))
}

/**
 * The inputs that a user would try who wants to learn more than the screen shows: the fewest and the most fields, each field by itself, and
 * every choice of a field.
 */
export function buildInputs(procedure: string, ids: Ids, tries: Tries): unknown[] {
  const { inputs } = allProcedures[procedure]!._def as unknown as { inputs?: z.ZodType[] }
  const last = inputs?.at(-1)
  if (!last) return [undefined]
  const whole = buildHonestInput(procedure, ids)
  const schema = inputSchemaOf(last) as Schema
  if (typeof whole !== 'object' || whole === null || !schema.properties) return [whole]
  const all = whole as Record<string, unknown>
  const required = new Set(schema.required ?? [])
  const least = Object.fromEntries(Object.entries(all).filter(([name]) => required.has(name)))
  const single = Object.keys(all).map((name) => ({ ...least, [name]: all[name] }))
  const asked: unknown[] = [all, least, ...single]
  for (const [name, field] of Object.entries(schema.properties))
    for (const value of valuesOf(name, field, tries)) {
      asked.push({ ...least, [name]: value })
      if (schema.properties.budgetId && name !== 'budgetId' && 'budgetId' in all)
        asked.push({ ...least, budgetId: all.budgetId, [name]: value })
    }
  return [...new Map(asked.map((one) => [JSON.stringify(one), one])).values()]
}

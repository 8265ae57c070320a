import { schemaResolver } from '@mantine/form'
import type { z } from 'zod'
import type { FieldProblem } from '../../../domain/words/errors.ts'

/** What is typed, checked: as it is sent, or what is wrong with it. */
export type Checked<Input> = { input: Input; problems: readonly [] } | { input: null; problems: FieldProblem[] }

/**
 * Checks what is typed by the schema that the server checks it by.
 * @param sent what is typed as the schema takes it
 */
export function checkedBy<Input>(schema: z.ZodType<Input>, sent: unknown): Checked<Input> {
  const errors = Object.entries(schemaResolver(schema, { sync: true })(sent))
  if (!errors.length) return { input: schema.parse(sent), problems: [] }
  // What is not a sentence of ours speaks of types, which say nothing to people.
  const said = (message: string): string => (message.endsWith('.') ? message : 'This is not complete.')
  return { input: null, problems: errors.map(([field, message]) => ({ field, message: said(String(message)) })) }
}

import { schemaResolver } from '@mantine/form'
import type { z } from 'zod'
import type { FieldProblem } from '../../../domain/words/errors.ts'

/** The result of validation: the input to send, or the problems. */
export type ValidationResult<Input> = { input: Input; problems: readonly [] } | { input: null; problems: FieldProblem[] }

/**
 * Validates form values with the server's own schema.
 * @param sent the values in the schema's input form
 */
export function validateWith<Input>(schema: z.ZodType<Input>, sent: unknown): ValidationResult<Input> {
  const errors = Object.entries(schemaResolver(schema, { sync: true })(sent))
  if (!errors.length) return { input: schema.parse(sent), problems: [] }
  // A message without a full stop comes from zod and names types, so replace it.
  const toSentence = (message: string): string => (message.endsWith('.') ? message : 'This is incomplete.')
  return { input: null, problems: errors.map(([field, message]) => ({ field, message: toSentence(String(message)) })) }
}

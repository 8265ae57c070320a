import { schemaResolver } from '@mantine/form'
import type { z } from 'zod'
import type { FieldProblem } from '../../../domain/words/errors.ts'

/** The result of validation: the input to send, or the problems. */
export type ValidationResult<Input> = { input: Input; problems: readonly [] } | { input: null; problems: FieldProblem[] }

/**
 * Validates form values with the server's schema.
 * @param sent the values in the form that the schema expects
 */
export function validateWith<Input>(schema: z.ZodType<Input>, sent: unknown): ValidationResult<Input> {
  const errors = Object.entries(schemaResolver(schema, { sync: true })(sent))
  if (!errors.length) return { input: schema.parse(sent), problems: [] }
  // A message without a full stop comes from zod and names data types, so it is replaced.
  const toSentence = (message: string): string => (message.endsWith('.') ? message : 'Enter or choose a valid value.')
  return { input: null, problems: errors.map(([field, message]) => ({ field, message: toSentence(String(message)) })) }
}

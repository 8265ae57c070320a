import { basename } from 'node:path'
import { pino } from 'pino'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { env } from './settings.ts'
import { getThrownDetails, type ThrownDetails } from './thrownDetails.ts'

/**
 * An error message without values. PostgreSQL repeats a refused value in its message (SQLSTATE class 22), so only the
 * class is logged.
 */
function describeWithoutValues({ name, message = '', code = '' }: ThrownDetails): string {
  if (/^22/.test(code)) return 'a parameter has a value that the database does not accept'
  // A parser's message quotes the text on which it failed.
  if (name === 'SyntaxError') return 'not valid JSON'
  return assertDefined(message.split('\n')[0]).slice(0, 300)
}

/** The stack frames without the message, which is logged separately. */
function listStackFrames(stack: string | undefined): string | undefined {
  const lines = stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return lines?.length ? lines.slice(0, 12).join('\n') : undefined
}

/**
 * An error without what libraries attach to it: connection settings, buffers, personal rows. A failed statement keeps
 * its text with placeholders, the cause and its SQLSTATE, never the values.
 */
function toSafeError(error: unknown, depth = 0): object {
  if (typeof error !== 'object' || error === null) return { name: typeof error }
  const failure = getThrownDetails(error)
  const { name, code, constraint, routine } = failure
  const cause = failure.cause === undefined || depth > 2 ? undefined : toSafeError(failure.cause, depth + 1)
  return { name, message: describeWithoutValues(failure), code, constraint, routine, cause, stack: listStackFrames(failure.stack) }
}

/** The log of the process. Identities and pay never go in: tokens, cookies, bodies and parameters are left out. */
export const log = pino({
  level: env.LOG_LEVEL || 'info',
  base: { process: env.BURSAR_PROCESS ?? basename(process.argv[1] ?? 'tool').replace(/\.\w+$/, '') },
  serializers: { err: (error: unknown) => toSafeError(error) },
})

import { pino } from 'pino'

/** An error without what libraries hang on it: connection settings, buffers, people's rows. */
function plainError({ name, message, stack, ...rest }: Error & { code?: string }): object {
  return { name, message, code: rest.code, stack }
}

/** The log of the process. Who a person is and what they earn never goes in: tokens, cookies and bodies are left out. */
export const log = pino({
  level: process.env.LOG_LEVEL ?? 'info',
  base: { process: process.env.BURSAR_PROCESS ?? 'tool' },
  serializers: { err: plainError },
})

import { pino } from 'pino'

/** The log of the process. Who a person is and what they earn never goes in: tokens, cookies and bodies are left out. */
export const log = pino({ level: process.env.LOG_LEVEL ?? 'info', base: { process: process.env.BURSAR_PROCESS ?? 'tool' } })

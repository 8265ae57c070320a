import { createTransport } from 'nodemailer'
import type { Config } from './config.ts'
import { log } from './log.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

/**
 * Sends a mail if SMTP is configured.
 * @returns whether the mail server accepted it; a failure is logged and never stops the work
 */
export async function sendMail(config: Pick<Config, 'mail'>, mail: Mail): Promise<boolean> {
  if (!config.mail) return false
  try {
    const transport = createTransport({ url: config.mail.url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 })
    await transport.sendMail({ from: config.mail.from, ...mail })
    return true
  } catch (error) {
    log.warn({ err: error }, 'mail was not sent')
    return false
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The settings of a process, read once from the environment; README lists them. */
export interface Config {
  port: number
  /** Where people reach the product; tokens and redirects are bound to it. */
  origin: string
  databaseUrl: string
  redisUrl: string | null
  /** Keeps installations apart that share one Redis. */
  queuePrefix: string
  oidc: { issuer: string; clientId: string; audience: string } | null
  /** Where mail goes out; without it links are handed over by hand. */
  mail: { url: string; from: string } | null
  logLevel: string
  production: boolean
}

export const productVersion: string = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version

/** @throws Error with one sentence that says which setting is missing or wrong */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const port = Number(env.PORT ?? 3000)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT is ${env.PORT}: it must be a number from 1 to 65535.`)
  if (!env.DATABASE_URL) throw new Error('DATABASE_URL is not set: start the product with npm start, or name a PostgreSQL database.')
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_AUDIENCE: audience } = env
  if (issuer && (!clientId || !audience)) throw new Error('OIDC_ISSUER is set: set OIDC_CLIENT_ID and OIDC_AUDIENCE as well.')
  if (env.SMTP_URL && !env.MAIL_FROM) throw new Error('SMTP_URL is set: set MAIL_FROM, the address mail comes from, as well.')
  return {
    port,
    origin: (env.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, ''),
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL || null,
    queuePrefix: env.QUEUE_PREFIX || 'bursar',
    oidc: issuer ? { issuer, clientId: clientId!, audience: audience! } : null,
    mail: env.SMTP_URL ? { url: env.SMTP_URL, from: env.MAIL_FROM! } : null,
    logLevel: env.LOG_LEVEL ?? 'info',
    production: env.NODE_ENV === 'production',
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { must } from '../../domain/must.ts'
import { type Network, networksOf } from './outside/addresses.ts'
import { type OutsideSettings, outsideSettingsOf } from './outsideSettings.ts'
import { root } from './root.ts'
import { thrown } from './thrown.ts'

/** The settings of a process, read once from the environment; README lists them. */
export interface Config {
  port: number
  /** Where a worker says on its own machine whether it is well; null: nowhere. A server says so where it listens. */
  workerPort: number | null
  /** Where people reach the product; tokens and redirects are bound to it. */
  origin: string
  databaseUrl: string
  /** A second database that follows it, from which reports are read; null: there is none. */
  databaseReadUrl: string | null
  /** With which the keys in the database are sealed; it stands nowhere in there. Null for tools that open none. */
  dataKey: string | null
  redisUrl: string | null
  /** Keeps installations apart that share one Redis. */
  queuePrefix: string
  /** Where people say who they are instead of here; tokens are given here all the same. */
  oidc: OutsideSettings | null
  /** Where mail goes out; without it links are handed over by hand. */
  mail: { url: string; from: string } | null
  /** Where signed anchors of the logs are written beside the database, and whom they are mailed to. */
  anchors: { folder: string; mailTo: string | null } | null
  /** Private networks that connections to other systems may reach; none unless they are named. */
  outboundNetworks: Network[]
  /** The folder below which each organisation exchanges files with systems on this network, in one of its own; null: none does. */
  exchangeDir: string | null
  /** Where Prometheus asks how this process is; without a token only from the same machine. */
  metrics: { port: number; token: string | null } | null
  logLevel: string
  /**
   * How much of `X-Forwarded-For` is believed: nothing, or the last so many entries, which proxies of ours have written. Without a proxy
   * in front anybody could write it.
   */
  trustProxy: false | number
  production: boolean
  /** Whether demo data was asked for, with its published passwords. */
  demo: boolean
}

/**
 * The address of the database, with the password of `DATABASE_PASSWORD`, which needs no escaping there; null where none is named.
 * @throws Error with one sentence when it cannot be read
 */
export function databaseUrlOf(env: NodeJS.ProcessEnv): string | null {
  if (!env.DATABASE_URL) return null
  if (!URL.canParse(env.DATABASE_URL))
    throw new Error('DATABASE_URL is no address as postgres://role@host:5432/database. Give the password in DATABASE_PASSWORD.')
  const url = new URL(env.DATABASE_URL)
  if (env.DATABASE_PASSWORD) url.password = encodeURIComponent(env.DATABASE_PASSWORD)
  return url.href
}

/**
 * The address of the database that follows the first. It has the roles of what it follows, and their passwords: unless the address holds one,
 * it is signed in to with that of `bursar_app` there.
 * @returns null where none is named
 * @throws Error with one sentence when it cannot be read, signs in as another role, or has a password that stands in examples
 */
export function databaseReadUrlOf(env: NodeJS.ProcessEnv): string | null {
  if (!env.DATABASE_READ_URL) return null
  if (!URL.canParse(env.DATABASE_READ_URL))
    throw new Error('DATABASE_READ_URL is no address as postgres://bursar_app@host:5432/database. Give the password in DATABASE_PASSWORD.')
  const url = new URL(env.DATABASE_READ_URL)
  if (url.username !== 'bursar_app')
    throw new Error('DATABASE_READ_URL must sign in as bursar_app, who sees no more there than on the first database.')
  const first = databaseUrlOf(env)
  const known = env.DATABASE_APP_PASSWORD ? encodeURIComponent(env.DATABASE_APP_PASSWORD) : first && new URL(first).password
  if (!url.password && known) url.password = known
  if (isWellKnown(decodeURIComponent(url.password)))
    throw new Error('DATABASE_READ_URL has a password that stands in examples. Choose one of your own.')
  return url.href
}

/** A setting that is missing or wrong: nothing gets better by starting again at once. */
export class SettingError extends Error {}

/** Settings that nobody should read in a list of processes or in the settings of a container: each may stand in a file instead. */
const secretSettings = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'DATABASE_PASSWORD',
  'DATABASE_APP_PASSWORD',
  'POSTGRES_PASSWORD',
  'DATA_KEY',
  'NEW_DATA_KEY',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'METRICS_TOKEN',
  'BACKUP_PASSPHRASE',
  'BACKUP_IDENTITY',
] as const

/**
 * Takes secrets from the files that `DATA_KEY_FILE` and its like name, as Docker and Kubernetes hand them over, into the environment: the
 * first thing that a process does.
 * @throws SettingError with one sentence for a file that cannot be read or is empty, and for a secret that is given twice
 */
export function takeSecretFiles(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new SettingError(`${name} and ${name}_FILE are both set: leave one of them out.`)
    env[name] = secretIn(`${name}_FILE`, file)
    delete env[`${name}_FILE`]
  }
}

function secretIn(setting: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new SettingError(`${setting} is ${file}, which cannot be read (${thrown(error).code}).`)
  }
  if (!text) throw new SettingError(`${setting} is ${file}, which is empty.`)
  return text
}

/**
 * The secret with which the keys in the database are sealed.
 * @throws SettingError with one sentence when there is none, or one that could be guessed
 */
export function dataKeyOf(env: NodeJS.ProcessEnv): string {
  const { DATA_KEY: key } = env
  if (!key)
    throw new SettingError(
      'DATA_KEY is not set: choose the secret with which the keys in the database are sealed (openssl rand -hex 32), and keep a copy of it apart from the database. Without it nobody can open who the staff are.',
    )
  if (key.length < 32) throw new SettingError('DATA_KEY is too short: it needs at least 32 characters (openssl rand -hex 32).')
  return key
}

/** Redis with the password of `REDIS_PASSWORD`, or null. @throws Error with one sentence when the address cannot be read */
function redisUrlOf(env: NodeJS.ProcessEnv): string | null {
  if (!env.REDIS_URL) return null
  if (!URL.canParse(env.REDIS_URL)) throw new Error('REDIS_URL is no address as redis://host:6379. Give the password in REDIS_PASSWORD.')
  const url = new URL(env.REDIS_URL)
  if (env.REDIS_PASSWORD) url.password = encodeURIComponent(env.REDIS_PASSWORD)
  return url.href
}

/** The database of a deployment. @throws Error with one sentence when it is not named, or a password stands in examples */
export function deployedDatabase(env: NodeJS.ProcessEnv): string {
  const url = databaseUrlOf(env)
  if (!url) throw new Error('DATABASE_URL is not set: start the product with npm start, or name a PostgreSQL database.')
  for (const name of ['DATABASE_URL', 'POSTGRES_PASSWORD', 'DATABASE_APP_PASSWORD'] as const) {
    const password = name === 'DATABASE_URL' ? decodeURIComponent(new URL(url).password) : (env[name] ?? '')
    if (isWellKnown(password)) throw new Error(`${name} has the password ${password}, which stands in examples. Choose one of your own.`)
  }
  return url
}

/** Where people reach the product. */
export function originOf(env: NodeJS.ProcessEnv): string {
  return (env.PUBLIC_URL || `http://localhost:${env.PORT || 3000}`).replace(/\/$/, '')
}

/** The number of a port. @throws Error for what is none */
function portOf(setting: string, text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`${setting} is ${text}: it must be a number from 1 to 65535.`)
  return port
}

export const productVersion: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

/** How many proxies stand in front. @throws Error for what is no number */
function trusted(text: string | undefined): false | number {
  if (!text || text === '0') return false
  if (!/^[1-9]$/.test(text)) throw new Error(`TRUST_PROXY is ${text}: it must be the number of proxies in front of the server, 0 to 9.`)
  return Number(text)
}

/** @throws Error for what is no port, or a token that could be guessed */
function metricsOf(env: NodeJS.ProcessEnv): Config['metrics'] {
  const { METRICS_PORT: text, METRICS_TOKEN: token } = env
  if (!text) return null
  const port = portOf('METRICS_PORT', text)
  if (token && token.length < 24) throw new Error('METRICS_TOKEN is too short: it needs at least 24 characters (openssl rand -hex 24).')
  return { port, token: token || null }
}

/** @throws Error with one sentence that says which setting is missing or wrong */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const port = portOf('PORT', env.PORT ?? '3000')
  const databaseUrl = deployedDatabase(env)
  if (env.SMTP_URL && !env.MAIL_FROM) throw new Error('SMTP_URL is set: set MAIL_FROM, the address mail comes from, as well.')
  if (env.ANCHOR_MAIL && !(env.SMTP_URL && env.DATA_DIR))
    throw new Error('ANCHOR_MAIL is set: set SMTP_URL, and DATA_DIR, where anchors are kept, as well.')
  return {
    port,
    workerPort: env.WORKER_PORT ? portOf('WORKER_PORT', env.WORKER_PORT) : null,
    origin: originOf(env),
    databaseUrl,
    databaseReadUrl: databaseReadUrlOf(env),
    dataKey: dataKeyOf(env),
    redisUrl: redisUrlOf(env),
    queuePrefix: env.QUEUE_PREFIX || 'bursar',
    oidc: outsideSettingsOf(env),
    mail: env.SMTP_URL ? { url: env.SMTP_URL, from: must(env.MAIL_FROM) } : null,
    anchors: env.DATA_DIR ? { folder: join(env.DATA_DIR, 'anchors'), mailTo: env.ANCHOR_MAIL || null } : null,
    outboundNetworks: networksOf(env.OUTBOUND_NETWORKS),
    exchangeDir: env.EXCHANGE_DIR || null,
    metrics: metricsOf(env),
    logLevel: env.LOG_LEVEL ?? 'info',
    trustProxy: trusted(env.TRUST_PROXY),
    production: env.NODE_ENV === 'production',
    demo: env.DEMO === '1',
  }
}

/** Passwords that stand in examples everywhere; whoever is reached by a network must not have one. */
const wellKnown = new Set(['bursar', 'change-me', 'changeme', 'postgres', 'password'])

function isWellKnown(password: string): boolean {
  return wellKnown.has(password.toLowerCase())
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { keysOf } from '../../domain/values/keysOf.ts'
import { type OpenedNetwork, parseOpenedNetworks } from './outside/addresses.ts'
import { type IssuerSettings, readIssuerSettings } from './outsideSettings.ts'
import { root } from './root.ts'
import { rememberSecretFile } from './secretFiles.ts'
import { type Env, env as environment, type SecretSetting, settings } from './settings.ts'
import { getThrownDetails } from './thrownDetails.ts'

/** The settings of a process, read once from the environment. settings.ts declares them. */
export interface Config {
  port: number
  /**
   * Port on which a worker answers health checks from its own machine; null for none. A server answers them on `port`.
   */
  workerPort: number | null
  /** The public URL of the product. Tokens and redirects are bound to it. */
  origin: string
  databaseUrl: string
  /** The address of PostgreSQL itself, if `databaseUrl` is a pooler in transaction mode; otherwise null. */
  databaseDirectUrl: string | null
  /** A streaming replica of the database, from which reports are read; null if there is none. */
  databaseReadUrl: string | null
  /**
   * The secrets that decrypt the keys in the database, one in a line; the first also encrypts. The database does not contain them. Null for
   * tools that decrypt nothing.
   */
  dataKey: string | null
  redisUrl: string | null
  /** The sentinels that know which Redis is the master; null for a single Redis. */
  redisSentinels: { addresses: { host: string; port: number }[]; password: string | null } | null
  /** Separates installations that share one Redis. */
  queuePrefix: string
  /**
   * The external issuer at which people sign in; null if they sign in with a password here. Bursar issues the tokens
   * either way.
   */
  oidc: IssuerSettings | null
  /** The mail server. Without one, links are shown so that they can be passed on by hand. */
  mail: { url: string; from: string } | null
  /** Where the signed anchors of the logs are written, and the address to which they are emailed. */
  anchors: { folder: string; mailTo: string | null } | null
  /** Private networks that connections to other systems may reach. */
  outboundNetworks: OpenedNetwork[]
  /** The folder in which each organisation has a subfolder to exchange files; null for none. */
  exchangeDir: string | null
  /** The port on which this process serves Prometheus metrics. Without a token, only its own machine can read them. */
  metrics: { port: number; token: string | null } | null
  logLevel: string
  /**
   * How many entries of `X-Forwarded-For`, counted from the last, are trusted because our own proxies wrote them.
   * Anyone could write the others.
   */
  trustProxy: false | number
  production: boolean
  /** Whether to create the demo, whose passwords are published. */
  demo: boolean
}

/**
 * The address of the database including `DATABASE_PASSWORD`; null if none is set.
 * @throws Error with one sentence for an invalid address
 */
export function readDatabaseUrl(env: Env): string | null {
  if (!env.DATABASE_URL) return null
  if (!URL.canParse(env.DATABASE_URL))
    throw new Error(
      'DATABASE_URL is not a valid address. Write it as postgres://role@host:5432/database, and the password in DATABASE_PASSWORD.',
    )
  const url = new URL(env.DATABASE_URL)
  if (env.DATABASE_PASSWORD) url.password = encodeURIComponent(env.DATABASE_PASSWORD)
  return url.href
}

/**
 * The address of the replica, or of PostgreSQL behind a pooler. Both have the roles and passwords of the primary, so an address without a
 * password gets that of `bursar_app`.
 * @returns null if it is not set
 * @throws Error with one sentence for an invalid address, another role, or a password that examples publish
 */
export function readServerRoleUrl(env: Env, name: 'DATABASE_READ_URL' | 'DATABASE_DIRECT_URL'): string | null {
  const text = name === 'DATABASE_READ_URL' ? env.DATABASE_READ_URL : env.DATABASE_DIRECT_URL
  if (!text) return null
  if (!URL.canParse(text)) throw new Error(`${name} is not a valid address. Write it as postgres://bursar_app@host:5432/database.`)
  const url = new URL(text)
  if (url.username !== 'bursar_app')
    throw new Error(`${name} must sign in as bursar_app, so that row-level security applies there as well.`)
  const first = readDatabaseUrl(env)
  const known = env.DATABASE_APP_PASSWORD ? encodeURIComponent(env.DATABASE_APP_PASSWORD) : first && new URL(first).password
  if (!url.password && known) url.password = known
  if (isPublishedPassword(decodeURIComponent(url.password)))
    throw new Error(`${name} uses a password that is published in examples. Choose another.`)
  return url.href
}

/** A setting is missing or wrong, so an immediate restart would not help. */
export class SettingError extends Error {}

/** Settings that should not show in a list of processes or in the settings of a container. Each may be read from a file instead. */
const secretSettings = keysOf(settings).filter((name): name is SecretSetting => 'secret' in settings[name])

/**
 * Reads secrets into the environment from the files that `DATA_KEY_FILE` and similar settings name, as Docker and Kubernetes provide them.
 * Every process does this first.
 * @throws SettingError with one sentence for an unreadable or empty file, and for a secret that is set twice
 */
export function loadSecretFiles(env: Env = environment): void {
  for (const name of secretSettings) {
    const fileSetting = `${name}_FILE` as const
    const file = env[fileSetting]
    if (!file) continue
    if (env[name]) throw new SettingError(`${name} and ${fileSetting} are both set. Remove one of them.`)
    env[name] = secretIn(fileSetting, file)
    rememberSecretFile(name, file, env[name])
    delete env[fileSetting]
  }
}

function secretIn(setting: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new SettingError(`${setting} names ${file}, which cannot be read (${getThrownDetails(error).code}).`)
  }
  if (!text) throw new SettingError(`${setting} names ${file}, which is empty.`)
  return text
}

/** The secrets in `DATA_KEY`, one in a line. All decrypt the keys in the database; the first encrypts. */
export function splitDataKeys(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || [])
}

export function areDataKeysLongEnough(text: string): boolean {
  const keys = splitDataKeys(text)
  return keys.length > 0 && keys.every((key) => key.length >= 32)
}

/**
 * The secrets that decrypt the keys in the database, one in a line.
 * @throws SettingError with one sentence if there is none, or one is too short
 */
export function readDataKey(env: Env): string {
  const { DATA_KEY: key } = env
  if (!key)
    throw new SettingError(
      'DATA_KEY is not set. Choose a secret to seal the keys in the database (openssl rand -hex 32), and keep a copy apart from the database: without it, staff names cannot be read.',
    )
  if (!areDataKeysLongEnough(key)) throw new SettingError('DATA_KEY is too short. It needs at least 32 characters (openssl rand -hex 32).')
  return key
}

/**
 * The address of Redis including `REDIS_PASSWORD`, or null.
 * @throws Error with one sentence for an invalid address
 */
export function readRedisUrl(env: Env): string | null {
  if (!env.REDIS_URL) return null
  const url = URL.canParse(env.REDIS_URL) ? new URL(env.REDIS_URL) : null
  if (!url?.hostname || !/^rediss?:$/.test(url.protocol))
    throw new Error(
      'REDIS_URL is not a valid address. Write it as redis://host:6379, or rediss://host:6379 with TLS, and the password in REDIS_PASSWORD.',
    )
  if (env.REDIS_PASSWORD) url.password = encodeURIComponent(env.REDIS_PASSWORD)
  return url.href
}

/**
 * The sentinels of Redis, or null.
 * @throws Error with one sentence for an invalid address, or if the name of the master is missing
 */
export function readRedisSentinels(env: Env): Config['redisSentinels'] {
  if (!env.REDIS_SENTINELS) return null
  if (!env.REDIS_URL)
    throw new Error('REDIS_SENTINELS is set without REDIS_URL. Set REDIS_URL to the name of the master, as redis://mymaster.')
  const addresses = env.REDIS_SENTINELS.split(',').map((text) => {
    const { hostname, port, pathname } = URL.canParse(`tcp://${text.trim()}`)
      ? new URL(`tcp://${text.trim()}`)
      : { hostname: '', port: '', pathname: '' }
    if (!hostname || pathname) throw new Error(`REDIS_SENTINELS contains “${text.trim()}”. Write it as host:26379,host:26379.`)
    return { host: hostname, port: Number(port || 26_379) }
  })
  return { addresses, password: env.REDIS_SENTINEL_PASSWORD || null }
}

/**
 * The address of a deployment's database.
 * @throws Error with one sentence if it is missing, or has a password that examples publish
 */
export function readDeployedDatabaseUrl(env: Env): string {
  const url = readDatabaseUrl(env)
  if (!url) throw new Error('DATABASE_URL is not set. Set it to your PostgreSQL database, or use npm start, which brings its own.')
  for (const name of ['DATABASE_URL', 'POSTGRES_PASSWORD', 'DATABASE_APP_PASSWORD'] as const) {
    const password = name === 'DATABASE_URL' ? decodeURIComponent(new URL(url).password) : (env[name] ?? '')
    if (isPublishedPassword(password))
      throw new Error(`${name} uses the password ${password}, which is published in examples. Choose another.`)
  }
  return url
}

/** The public URL of the product. */
export function readOrigin(env: Env): string {
  return (env.PUBLIC_URL || `http://localhost:${env.PORT || 3000}`).replace(/\/$/, '')
}

/** @throws Error with one sentence if it is not a port */
function parsePort(setting: string, text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`${setting} is ${text}. It must be a number from 1 to 65535.`)
  return port
}

const packageFile: { version: string; commit?: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export const productVersion = packageFile.version

/** The commit from which this release was built; null in a checkout or an image. */
export const releasedCommit = packageFile.commit ?? null

/**
 * How many proxies to trust; false for none.
 * @throws Error with one sentence for an invalid number
 */
function parseTrustedProxies(text: string | undefined): false | number {
  if (!text || text === '0') return false
  if (!/^[1-9]$/.test(text)) throw new Error(`TRUST_PROXY is ${text}. It must be the number of proxies in front of the server, 0 to 9.`)
  return Number(text)
}

/** @throws Error with one sentence for an invalid port or a short token */
function readMetricsSettings(env: Env): Config['metrics'] {
  const { METRICS_PORT: text, METRICS_TOKEN: token } = env
  if (!text) return null
  const port = parsePort('METRICS_PORT', text)
  if (token && token.length < 24) throw new Error('METRICS_TOKEN is too short. It needs at least 24 characters (openssl rand -hex 24).')
  return { port, token: token || null }
}

/** @throws Error with one sentence that says which setting is missing or wrong */
export function readConfig(env: Env = environment): Config {
  const port = parsePort('PORT', env.PORT || '3000')
  const databaseUrl = readDeployedDatabaseUrl(env)
  if (env.SMTP_URL && !env.MAIL_FROM)
    throw new Error('SMTP_URL is set without MAIL_FROM. Set MAIL_FROM to the address that mail comes from.')
  if (env.ANCHOR_MAIL && !(env.SMTP_URL && env.DATA_DIR))
    throw new Error('ANCHOR_MAIL needs SMTP_URL to send mail and DATA_DIR to keep the anchors. Set both.')
  return {
    port,
    workerPort: env.WORKER_PORT ? parsePort('WORKER_PORT', env.WORKER_PORT) : null,
    origin: readOrigin(env),
    databaseUrl,
    databaseDirectUrl: readServerRoleUrl(env, 'DATABASE_DIRECT_URL'),
    databaseReadUrl: readServerRoleUrl(env, 'DATABASE_READ_URL'),
    dataKey: readDataKey(env),
    redisUrl: readRedisUrl(env),
    redisSentinels: readRedisSentinels(env),
    queuePrefix: env.QUEUE_PREFIX || 'bursar',
    oidc: readIssuerSettings(env),
    mail: env.SMTP_URL ? { url: env.SMTP_URL, from: assertDefined(env.MAIL_FROM) } : null,
    anchors: env.DATA_DIR ? { folder: join(env.DATA_DIR, 'anchors'), mailTo: env.ANCHOR_MAIL || null } : null,
    outboundNetworks: parseOpenedNetworks(env.OUTBOUND_NETWORKS),
    exchangeDir: env.EXCHANGE_DIR || null,
    metrics: readMetricsSettings(env),
    logLevel: env.LOG_LEVEL || 'info',
    trustProxy: parseTrustedProxies(env.TRUST_PROXY),
    production: env.NODE_ENV === 'production',
    demo: env.DEMO === '1',
  }
}

/** Passwords that examples publish. */
const publishedPasswords = new Set(['bursar', 'change-me', 'changeme', 'postgres', 'password'])

function isPublishedPassword(password: string): boolean {
  return publishedPasswords.has(password.toLowerCase())
}

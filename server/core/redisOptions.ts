import type { ConnectionOptions } from 'node:tls'
import type { Config } from './config.ts'
import { readCurrentSecret } from './secretFiles.ts'

export type RedisSettings = Pick<Config, 'redisUrl' | 'redisSentinels'>

interface RedisAddress {
  host: string
  port: number
  username: string | undefined
  password: string | undefined
  db: number | undefined
  tls?: ConnectionOptions
  sentinels?: { host: string; port: number }[]
  name?: string
  sentinelPassword?: string
  enableTLSForSentinelMode?: boolean
  sentinelTLS?: ConnectionOptions
  sentinelRetryStrategy?: (attempts: number) => number
  retryStrategy: (this: unknown, attempts: number) => number
  reconnectOnError: (error: Error) => 2 | false
}

const longestPauseMs = 2000
const pauseMs = (attempts: number): number => Math.min(attempts * 200, longestPauseMs)

/**
 * How to reach Redis, for the driver. A password from a file is read again before each new connection. With sentinels, the host of the
 * address is the name of the master, and each new connection asks them where it is.
 */
export function readRedisOptions(redisUrl: string, sentinels: RedisSettings['redisSentinels']): RedisAddress {
  const { protocol, hostname, port, username, password, pathname } = new URL(redisUrl)
  // Node trusts public authorities and that of NODE_EXTRA_CA_CERTS, and checks the name in the certificate.
  const isEncrypted = protocol === 'rediss:'
  const known = decodeURIComponent(password)
  return {
    host: hostname,
    port: Number(port || 6379),
    username: decodeURIComponent(username) || undefined,
    password: known || undefined,
    db: Number(pathname.slice(1)) || undefined,
    ...(isEncrypted && { tls: {} }),
    ...(sentinels && {
      sentinels: sentinels.addresses,
      name: hostname,
      ...(sentinels.password && { sentinelPassword: sentinels.password }),
      ...(isEncrypted && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
      sentinelRetryStrategy: pauseMs,
    }),
    // The driver calls this on its own options before each new connection, which then takes the password from them.
    retryStrategy(attempts) {
      if (known && this instanceof Object) Reflect.set(this, 'password', readCurrentSecret('REDIS_PASSWORD', known))
      return pauseMs(attempts)
    },
    // A master that became a replica refuses writes. A new connection finds the new master, and the command is sent again.
    reconnectOnError: (error) => error.message.startsWith('READONLY') && 2,
  }
}

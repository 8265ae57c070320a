import type { Config } from '../../../server/core/config.ts'
import { findFreePort } from '../../../server/launch/postgres.ts'
import { serve } from '../../../server/serve.ts'
import { runWorker } from '../../../worker/runWorker.ts'
import { findThreadProgram } from '../running/programs.ts'
import { createDatabase, throughPooler } from './database.ts'
import { testDataKey } from './dataKey.ts'
import { atEnd } from './endings.ts'

export interface Product {
  config: Config
  origin: string
}

/** The settings for running the product on a database. With `REDIS_URL`, its queue is in Redis. */
export async function configOf(databaseUrl: string): Promise<Config> {
  const port = await findFreePort()
  return {
    port,
    workerPort: null,
    origin: `http://localhost:${port}`,
    ...throughPooler(databaseUrl),
    databaseReadUrl: null,
    dataKey: testDataKey,
    redisUrl: process.env.REDIS_URL || null,
    redisSentinels: null,
    queuePrefix: `test-${port}-${process.pid}`,
    oidc: null,
    mail: null,
    outboundNetworks: [],
    exchangeDir: null,
    anchors: null,
    metrics: null,
    logLevel: 'silent',
    trustProxy: false,
    production: false,
    demo: true,
  }
}

/** Starts the product on a database of its own. It stops with the test file. */
export async function startProduct({
  worker = false,
  mail = null,
  outboundNetworks = [],
  exchangeDir = null,
  redisUrl,
  redisSentinels = null,
  oidc,
  databaseUrl,
  databaseReadUrl = null,
  metrics = null,
}: { worker?: boolean } & Partial<
  Pick<Config, 'mail' | 'outboundNetworks' | 'exchangeDir' | 'redisUrl' | 'redisSentinels' | 'databaseUrl' | 'databaseReadUrl' | 'metrics'>
> & {
    /** The outside issuer, made from the config because it must know the callback URL. */
    oidc?: (config: Config) => Promise<Config['oidc']>
  } = {}): Promise<Product> {
  const config = {
    ...(await configOf(databaseUrl ?? (await createDatabase()))),
    mail,
    outboundNetworks,
    exchangeDir,
    databaseReadUrl,
    metrics,
    ...(redisUrl && { redisUrl, redisSentinels }),
  }
  if (oidc) config.oidc = await oidc(config)
  const server = await serve(config, findThreadProgram())
  const worked = worker ? await runWorker(config) : undefined
  atEnd(async () => {
    await worked?.close()
    await server.close()
  })
  return { config, origin: config.origin }
}

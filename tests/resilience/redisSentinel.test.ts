import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { readRedisSentinels } from '../../server/core/config.ts'
import { findFreePort } from '../../server/launch/postgres.ts'
import { removeDataFolders } from '../../server/launch/removeData.ts'
import { checkRedis } from '../../server/tools/operatingChecks.ts'
import { atEnd } from '../support/product/endings.ts'
import { findTrustIds, signInAs } from '../support/product/http.ts'
import { startProduct } from '../support/product/product.ts'
import { isInstalled } from '../support/running/installed.ts'
import { startRedisOn, startSentinel } from '../support/running/redis.ts'
import { killAndWait, until, Workers } from '../support/running/worker.ts'

vi.setConfig({ testTimeout: 180_000 })

describe.runIf(isInstalled('redis-server'))('with a Redis that sentinels watch', () => {
  it('work goes on after the master is killed, on the replica that the sentinels choose', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bursar-sentinel-'))
    const [masterPort, replicaPort, sentinelPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
    const master = await startRedisOn(masterPort, '--dir', folder)
    const replica = await startRedisOn(
      replicaPort,
      '--dir',
      folder,
      '--dbfilename',
      'replica.rdb',
      '--replicaof',
      `127.0.0.1 ${masterPort}`,
    )
    const follower = new Redis({ port: replicaPort })
    await until('the replica follows the master', async () => (await follower.info('replication')).includes('master_link_status:up'))
    const file = join(folder, 'sentinel.conf')
    const rules = ['down-after-milliseconds bursar 1000', 'failover-timeout bursar 5000']
    writeFileSync(
      file,
      `port ${sentinelPort}\nsentinel monitor bursar 127.0.0.1 ${masterPort} 1\n${rules.map((rule) => `sentinel ${rule}\n`).join('')}`,
    )
    const sentinel = await startSentinel(file)
    const workers = new Workers()
    atEnd(async () => {
      await workers.killAll()
      follower.disconnect()
      await Promise.all([master, replica, sentinel].map(killAndWait))
      removeDataFolders(folder)
    })
    const env = { REDIS_URL: 'redis://bursar', REDIS_SENTINELS: `127.0.0.1:${sentinelPort}` }
    const redisSentinels = readRedisSentinels(env)
    const product = await startProduct({ redisUrl: env.REDIS_URL, redisSentinels })
    await workers.start(product, env)
    const finance = await signInAs(product, 'finance@harbour.example')
    const { groupId, organisationId } = await findTrustIds(finance)
    const own = { OrganisationId: organisationId }
    const recalculate = async () => {
      const asked = await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${groupId}`, undefined, own)
      expect(asked.status).toBe(202)
      const state = () => finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)
      await until('the budgets are recalculated', async () => !(await state()).body.locked, 90_000)
    }
    await recalculate()
    expect(await follower.keys(`${product.config.queuePrefix}:*`)).not.toEqual([])

    await killAndWait(master)
    await recalculate()
    expect(await follower.role()).toMatchObject({ 0: 'master' })
    expect(await checkRedis(env.REDIS_URL, redisSentinels)).toMatchObject({ words: expect.stringMatching(/^Redis .* at bursar, /) })
    await until('the server reports Redis as well', async () => (await (await fetch(`${product.origin}/readyz`)).json()).status === 'ok')
  })
})

describe('the setting for sentinels', () => {
  it('needs the name of the master and addresses', () => {
    const REDIS_URL = 'redis://mymaster'
    expect(readRedisSentinels({ REDIS_URL, REDIS_SENTINELS: 'one:26379, two' })).toEqual({
      addresses: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_379 },
      ],
      password: null,
    })
    expect(readRedisSentinels({ REDIS_URL })).toBe(null)
    expect(() => readRedisSentinels({ REDIS_SENTINELS: 'one:26379' })).toThrow('Set REDIS_URL to the name of the master')
    expect(() => readRedisSentinels({ REDIS_URL, REDIS_SENTINELS: 'redis://one:26379' })).toThrow('Write it as host:26379,host:26379.')
  })
})

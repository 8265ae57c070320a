import type { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { coalesceRuns } from '../../server/core/coalesceRuns.ts'
import { openOutsideWorker, openQueues, outsideCheckIntervalMs, type Queues } from '../../server/core/queue/queues.ts'
import { createLedgerConnection, type LedgerReply } from '../support/outside/ledgerConnection.ts'
import { connectAsOwner, createDatabase } from '../support/product/database.ts'
import { atEnd } from '../support/product/endings.ts'
import { type Caller, signInAs } from '../support/product/http.ts'
import { configOf, type Product, startProduct } from '../support/product/product.ts'
import { until, Workers } from '../support/running/worker.ts'

/** The schedule on which workers look for due exchanges with other systems. It only wakes them; database rows say what is due. */
let product: Product
let finance: Caller
const workers = new Workers()
const env = { OUTBOUND_NETWORKS: '127.0.0.1/32' }
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
const owner = () => connectAsOwner(product.config.databaseUrl)

beforeAll(async () => {
  product = await startProduct()
  atEnd(async () => workers.killAll())
  finance = await signInAs(product, 'finance@harbour.example')
}, 300_000)

/** How often a queue made by these tests is checked. */
const everyMs = outsideCheckIntervalMs / 4

/** A queue only for one test: in a database of its own, or under a prefix of its own in Redis. */
async function ownQueue() {
  const config = await configOf(await createDatabase())
  const queues = await openQueues(config, everyMs)
  atEnd(() => queues.close())
  return { config, queues }
}

describe('work that runs once at a time', () => {
  it('runs once more for requests during a run, and never twice at once', async () => {
    let running = 0
    let most = 0
    let times = 0
    const ask = coalesceRuns(async () => {
      most = Math.max(most, ++running)
      times++
      await pause(5)
      running--
    })
    const first = ask()
    await Promise.all([ask(), ask(), ask(), first.then(() => ask()), first.then(ask).then(ask)])
    expect(most).toBe(1)
    expect(times).toBeLessThanOrEqual(4)
    const before = times
    await ask()
    expect(times).toBe(before + 1)
  })
})

describe('a look for due exchanges', () => {
  it('requested during another follows it, once, however often and by whomever it is requested', async () => {
    const { config, queues } = await ownQueue()
    const others = await openQueues(config)
    atEnd(() => others.close())
    let looks = 0
    let goOn = (): void => undefined
    const worker = openOutsideWorker(config, async () => {
      if (++looks === 1)
        await new Promise<void>((done) => {
          goOn = done
        })
    })
    atEnd(() => worker.close())
    queues.requestOutsideCheck()
    await until('it looks', () => looks === 1)
    for (let times = 0; times < 40; times++) {
      queues.requestOutsideCheck()
      others.requestOutsideCheck()
      await pause(10)
    }
    await pause(200)
    expect(looks).toBe(1)
    goOn()
    await until('it looks again', () => looks === 2)
    await pause(500)
    expect(looks).toBe(2)
    queues.requestOutsideCheck()
    await until('it looks a third time', () => looks === 3)
  })
})

describe('the schedule of looks', () => {
  let looks: string[] = []
  const looker = async (name: string, config: Product['config'], look?: () => Promise<void>): Promise<Worker> => {
    const worker = openOutsideWorker(config, async () => {
      looks.push(name)
      await look?.()
    })
    onTestFinished(() => worker.close(true))
    await worker.waitUntilReady()
    return worker
  }
  /** Renews the schedule during the test, as workers do. */
  const keep = (all: readonly Queues[]): void => {
    const timer = setInterval(() => all.map((one) => void one.ensureOutsideSchedule()), everyMs)
    onTestFinished(() => clearInterval(timer))
  }
  let config: Product['config']
  let queues: Queues

  it('exists once for any number of workers, and each look is made by one of them', async () => {
    ;({ config, queues } = await ownQueue())
    const others = await Promise.all([1, 2, 3].map(() => openQueues(config, everyMs)))
    atEnd(() => Promise.all(others.map((one) => one.close())))
    await Promise.all(['first', 'second', 'third'].map((name) => looker(name, config)))
    await Promise.all([queues, ...others].map((one) => one.ensureOutsideSchedule()))
    keep([queues, ...others])
    await until('it is begun', () => looks.length > 0)
    // By then duplicates or gaps from the simultaneous start have been corrected.
    await pause(5 * everyMs)
    looks = []
    await pause(2.5 * everyMs)
    expect([1, 2, 3]).toContain(looks.length)
  }, 90_000)
  it('continues after a worker that ended during a look', async () => {
    looks = []
    const killed = await looker('killed', config, () => new Promise(() => undefined))
    keep([queues])
    await until('it looks', () => looks.length === 1)
    await killed.close(true)
    await looker('next', config)
    keep([queues])
    await until('the next looks', () => looks.includes('next'))
  }, 90_000)
  it('is restarted if the next look was lost', async () => {
    await looker('lost', config)
    if (product.config.redisUrl) {
      const redis = new Redis(product.config.redisUrl)
      await redis.del(await redis.keys(`${config.queuePrefix}:outside:*`))
      redis.disconnect()
    } else await connectAsOwner(config.databaseUrl)`delete from bullmq.job where queue = 'outside'`
    looks = []
    await pause(1.5 * everyMs)
    expect(looks).toEqual([])
    await until('it is set going', async () => {
      await queues.ensureOutsideSchedule()
      return looks.length > 1
    })
  }, 60_000)
  it('is corrected after a clock that was a day ahead', async () => {
    const { config: other, queues: own } = await ownQueue()
    await looker('in time', other)
    const day = 24 * 3_600_000
    const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + day)
    await own.ensureOutsideSchedule().finally(() => ahead.mockRestore())
    looks = []
    await pause(1.2 * everyMs)
    expect(looks).toEqual([])
    await own.ensureOutsideSchedule()
    await until('it looks', () => looks.length > 1)
  }, 60_000)
})

const connection = (answer?: LedgerReply) => createLedgerConnection(finance, answer)
const fallDue = (id: number) => owner()`update connections set due_at = now() where id = ${id}`

describe('a due connection', () => {
  beforeAll(async () => void (await Promise.all([workers.start(product, env), workers.start(product, env)])), 60_000)

  it('is run by the schedule, once, with two workers', async () => {
    const one = await connection()
    await fallDue(one.id)
    await until('it has run', async () => (await one.outcomes()).length > 0)
    await pause(1.5 * outsideCheckIntervalMs)
    expect([one.sent(), await one.outcomes()]).toEqual([1, ['done']])
  }, 90_000)
  it('is run at every request', async () => {
    const one = await connection()
    for (let times = 0; times < 4; times++) {
      expect((await one.run()).status).toBe(200)
      await until('it has run', async () => (await one.outcomes()).length > times)
    }
  }, 60_000)
  it('is run by another worker if one is killed during it, and the schedule continues', async () => {
    const one = await connection((response, count) => (count === 1 ? undefined : response.end()))
    await fallDue(one.id)
    await until('it is being sent', () => one.sent() === 1)
    await workers.killAll()
    await owner()`update connections set claimed_until = now() where id = ${one.id}`
    await workers.start(product, env)
    await until('it has run', async () => (await one.outcomes()).length > 0)
    await pause(1.5 * outsideCheckIntervalMs)
    expect([one.sent(), await one.outcomes()]).toEqual([2, ['done']])
    const other = await connection()
    await fallDue(other.id)
    await until('the other has run', async () => (await other.outcomes()).length === 1)
  }, 120_000)
  it('is run even if another cannot be, whose secret cannot be decrypted and which is given up after three attempts', async () => {
    const [broken, other] = [await connection(), await connection()]
    await owner()`update integration_parameters set value = 'not sealed' where name = 'apiKey'
      and credential_id = (select credential_id from connections where id = ${broken.id})`
    await owner()`update connections set due_at = now() - interval '1 minute' where id = ${broken.id}`
    await fallDue(other.id)
    await until('the other has run', async () => (await other.outcomes()).length === 1)
    for (let times = 1; times <= 3; times++) {
      await until('it was begun', async () => {
        const [row] = await owner()`select attempts from connections where id = ${broken.id}`
        return row!.attempts === times
      })
      await owner()`update connections set claimed_until = now() where id = ${broken.id}`
    }
    await until('it is given up', async () => (await broken.outcomes()).length === 1)
    expect([await broken.outcomes(), broken.sent()]).toEqual([['failed'], 0])
  }, 120_000)
})

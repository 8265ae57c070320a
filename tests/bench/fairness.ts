import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { loadScaleTrust } from '../../server/demo/load.ts'
import { serve } from '../../server/serve.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { type Caller, findTrustIds, signInAs } from '../support/product/http.ts'
import { withDemo } from './withDemo.ts'

const root = join(import.meta.dirname, '../..')
const contractsEach = 10
/** How much longer a small trust may wait because another trust queued its work first. */
const mostSecondsMore = 5

/**
 * `npm run bench -- fairness`: how long a small trust waits for its figures while the only worker recalculates the 1,200 budgets of another
 * trust, compared with an idle worker.
 * @returns whether it waits at most five seconds longer
 */
export function fairness(schools = 1200): Promise<boolean> {
  return withDemo('fairness', async ({ store, config }) => {
    const trust = await loadScaleTrust(store, schools, schools * contractsEach)
    const server = await serve(config)
    const worker: ChildProcess = fork(join(root, 'worker/main.ts'), {
      cwd: root,
      execArgv: ['--import', 'tsx', '--max-semi-space-size=64'],
      env: {
        ...process.env,
        DATABASE_URL: config.databaseUrl,
        DATA_KEY: testDataKey,
        QUEUE_PREFIX: config.queuePrefix,
        LOG_LEVEL: 'silent',
        DEMO: '1',
      },
    })
    try {
      await new Promise((ready) => worker.once('message', ready))
      const product = { config, origin: config.origin }
      const [large, small] = [await signInAs(product, 'finance@harbour.example'), await signInAs(product, 'finance@meadow.example')]
      const [there, here] = [await findTrustIds(large, trust.organisationId), await findTrustIds(small)]
      const alone = await seconds(small, here)
      const before = await press(large, there)
      const beside = await seconds(small, here)
      const isStill = await isLocked(large, there)
      console.log(
        `A trust of ${Object.keys(here.locations).length} schools has its figures after ${alone.toFixed(1)} s when nobody else asks,`,
      )
      console.log(
        `and after ${beside.toFixed(1)} s beside ${schools} budgets that another asked for before${isStill ? ', which are still being done' : ''}.`,
      )
      while (await isLocked(large, there)) await wait(500)
      console.log(`Those took ${((performance.now() - before) / 1000).toFixed(1)} s.`)
      const isFair = beside - alone < mostSecondsMore
      if (!isFair) console.log(`That is more than ${mostSecondsMore} s longer.`)
      return isFair
    } finally {
      worker.kill('SIGKILL')
      await server.close()
    }
  })
}

type Places = Awaited<ReturnType<typeof findTrustIds>>

async function press(caller: Caller, { organisationId, groupId }: Places): Promise<number> {
  const began = performance.now()
  const path = `/api/BudgetGroup/recalculate/staff-contracts/${groupId}`
  const { status, body } = await caller.call('POST', path, undefined, { OrganisationId: organisationId })
  if (status !== 202) throw new Error(`The recalculation was refused: ${body}`)
  return began
}

async function isLocked(caller: Caller, { organisationId }: Places): Promise<boolean> {
  const path = '/api/Application/staffcontracts/recalculation/locked'
  return (await caller.call('GET', path, undefined, { OrganisationId: organisationId })).body.locked
}

/** Seconds from starting the recalculation until the lock is released. */
async function seconds(caller: Caller, places: Places): Promise<number> {
  const began = await press(caller, places)
  while (await isLocked(caller, places)) await wait(50)
  return (performance.now() - began) / 1000
}

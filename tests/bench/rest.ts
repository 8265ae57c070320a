import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { findFreePort } from '../../server/launch/postgres.ts'
import { asClient, findTrustIds, signInAs } from '../support/product/http.ts'
import { measureRate, type RepeatedRequest } from './load.ts'
import { withDemo } from './withDemo.ts'

const turns = 7
const connections = 16
const eachMs = 2000
/** The least share of the plain server’s pages per second that the REST API must reach. */
const leastRatio = 0.5

/**
 * `npm run bench -- rest`: a page of ten budget codes over REST, compared with the same query by node:http and postgres.js alone. The two
 * alternate.
 * @returns whether REST is at least half as fast
 */
export function rest(): Promise<boolean> {
  return withDemo('rest', async ({ store, ownerUrl, config }) => {
    const children: ChildProcess[] = []
    const start = async (script: string, ...words: string[]): Promise<void> => {
      const child = fork(join(import.meta.dirname, script), words, { execArgv: ['--import', 'tsx'] })
      children.push(child)
      await new Promise((ready) => child.once('message', ready))
    }
    // Rate limits would stop the calls that are measured here.
    const clearRateLimits = setInterval(() => void store.client`delete from rate_limits`.catch(() => undefined), 200)
    try {
      await start('productServer.ts', JSON.stringify(config))
      const product = { config, origin: config.origin }
      const { organisationId } = await findTrustIds(await signInAs(product, 'finance@harbour.example'))
      const { token } = await asClient(product, 'harbour')
      const port = await findFreePort()
      await start('plainServer.ts', ownerUrl, String(port), String(organisationId))
      const body = JSON.stringify({ pageNumber: 1, pageSize: 10 })
      const headers = { ApiVersion: '2', Authorization: `Bearer ${token}`, OrganisationId: String(organisationId) }
      return await compare({ port: config.port, path: '/api/BudgetCodes/list', headers, body }, { port, path: '/', headers: {}, body })
    } finally {
      clearInterval(clearRateLimits)
      for (const child of children) child.kill('SIGKILL')
    }
  })
}

async function compare(ours: RepeatedRequest, plain: RepeatedRequest): Promise<boolean> {
  console.log(`A page of ten budget codes over ${connections} connections, ${turns} turns side by side after one that warms up`)
  const ratios: number[] = []
  for (let turn = 0; turn <= turns; turn++) {
    const [own, other] = [await measureRate(ours, connections, eachMs), await measureRate(plain, connections, eachMs)]
    if (!turn) continue
    ratios.push(own / other)
    console.log(`${own.toFixed(0).padStart(6)} a second, plain ${other.toFixed(0).padStart(6)}: ${(own / other).toFixed(2)}`)
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]!
  const isFast = median >= leastRatio
  console.log(`median ${median.toFixed(2)} of the plain server's${isFast ? '' : `: less than ${leastRatio}`}`)
  return isFast
}

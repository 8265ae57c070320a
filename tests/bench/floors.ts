import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import postgres from 'postgres'
import { findFreePort } from '../../server/launch/postgres.ts'
import { type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import type { Product } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'
import { readProcessorSeconds } from './processor.ts'
import { withDemo } from './withDemo.ts'

/** How many times the processor time of its floor a call may take. */
const mostTimes = 2
const [turns, eachMs, connections] = [4, 500, 4]

/** A request that is sent repeatedly. */
interface RepeatedRequest {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/**
 * `npm run bench -- floors`: the processor time of server and database for the commonest calls, compared with the smallest tRPC server that
 * returns the same rows. The two alternate.
 * @param only part of a name, to measure only the calls that contain it
 * @returns whether no call takes more than twice its floor
 */
export function floors(only = ''): Promise<boolean> {
  return withDemo('floors', async ({ store, ownerUrl, config }) => {
    const children: ChildProcess[] = []
    const start = async (script: string, ...words: string[]): Promise<number> => {
      const child = fork(join(import.meta.dirname, script), words, { execArgv: ['--import', 'tsx'] })
      children.push(child)
      await new Promise((ready) => child.once('message', ready))
      return child.pid!
    }
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined })
    const forgiving = setInterval(() => void store.client`delete from rate_limits`.catch(() => undefined), 200)
    try {
      const ours = await start('productServer.ts', JSON.stringify(config))
      const product = { config, origin: config.origin }
      const finance = await signInAs(product, 'finance@harbour.example')
      const places = await findTrustIds(finance)
      await owner.unsafe(`create table floor_rows (organisation_id integer, call text, place integer, data jsonb not null,
        primary key (organisation_id, call, place))`)
      await owner.unsafe('alter table floor_rows enable row level security; grant select on floor_rows to bursar_app')
      await owner.unsafe(
        `create policy own on floor_rows using (organisation_id = (select current_setting('app.organisation_id')::integer))`,
      )
      const port = await findFreePort()
      const floor = await start('floorServer.ts', JSON.stringify(config), String(port), String(places.organisationId))
      const ourTime = await readProcessorSeconds(owner, [ours], false)
      const floorTime = await readProcessorSeconds(owner, [floor], false)
      let holds = true
      console.log(`Milliseconds of processor a call, ${turns} turns side by side\n${''.padEnd(40)}   ours  floor  times`)
      for (const [name, sent] of (await commonReads(product, finance, places)).filter(([one]) => one.includes(only))) {
        const rows = rowsOf(await send(sent))
        for (const [place, row] of rows.entries())
          await owner`insert into floor_rows values (${places.organisationId}, ${name}, ${place}, ${owner.json(row as never)})`
        await owner`analyze floor_rows`
        const { Authorization } = sent.headers!
        const url = `http://localhost:${port}/rows?input=${encodeURIComponent(JSON.stringify({ call: name }))}`
        const plain = { url, headers: { Authorization: Authorization! } }
        let [own, least] = [0, 0]
        for (let turn = 0; turn <= turns; turn++) {
          const [one, other] = [await costOf(sent, ourTime), await costOf(plain, floorTime)]
          if (!turn) continue
          own += one / turns
          least += other / turns
        }
        const times = own / least
        if (times > mostTimes) holds = false
        const figures = [own, least, times].map((figure) => figure.toFixed(2).padStart(7))
        console.log(`${name.padEnd(40)}${figures.join('')}${times > mostTimes ? `  more than ${mostTimes}` : ''}`)
      }
      return holds
    } finally {
      clearInterval(forgiving)
      await owner.end()
      for (const child of children) child.kill('SIGKILL')
    }
  })
}

/** The rows of a reply: those of its page or list, otherwise the whole reply as one row. */
function rowsOf(text: string): unknown[] {
  const read = JSON.parse(text)
  const data = read.result ? (read.result.data.json ?? read.result.data) : read
  return Array.isArray(data) ? data : Array.isArray(data?.rows) ? data.rows : [data]
}

async function send({ url, ...how }: RepeatedRequest): Promise<string> {
  const reply = await fetch(url, how)
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(`${url}: ${reply.status} ${text.slice(0, 500)}`)
  return text
}

/** Sends a request repeatedly over several connections for a fixed time. @returns milliseconds of processor time per call */
async function costOf(sent: RepeatedRequest, seconds: () => number): Promise<number> {
  const [end, before] = [performance.now() + eachMs, seconds()]
  let count = 0
  const again = async (): Promise<void> => {
    do {
      await send(sent)
      count++
    } while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: connections }, again))
  return ((seconds() - before) * 1000) / count
}

/** The commonest reads: twenty calls of the browser and ten of other systems, as the finance lead of the demo trust. */
async function commonReads(product: Product, finance: Caller, places: TrustIds): Promise<[name: string, sent: RepeatedRequest][]> {
  const at = places.at('Northgate')
  const within = { OrganisationId: places.organisationId }
  const page = { pageNumber: 1, pageSize: 50 }
  const api = proceduresOf(product, finance, at)
  const contract = (await api.contracts.list.query(page)).rows.find(({ employeeNumber }) => employeeNumber)!
  const { id } = contract
  const entry = (await api.entries.list.query(page)).rows[0]!
  const points = await finance.call('POST', '/api/PayScalePoint/list', page, within)
  const headers = (selection: object): Record<string, string> => ({
    ApiVersion: '2',
    Authorization: `Bearer ${finance.token}`,
    ...Object.fromEntries(Object.entries(selection).map(([name, value]) => [name, String(value)])),
  })
  const asked = (name: string, input?: unknown, selection: object = at): [string, RepeatedRequest] => {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`
    return [name, { url: `${product.origin}/trpc/${name}${query}`, headers: headers(selection) }]
  }
  const rest = (method: string, path: string, selection: object = within, body?: object): [string, RepeatedRequest] => [
    `${method} ${path.replace(/\/[\da-f]{24}$|\/\d+$/, '/…')}`,
    {
      url: `${product.origin}/api/${path}`,
      method,
      headers: { ...headers(selection), 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    },
  ]
  const ten = { pageNumber: 1, pageSize: 10 }
  return [
    asked('startup.authorisation', undefined, within),
    asked('communications.now', undefined, within),
    asked('terms.dictionary', undefined, within),
    asked('home.waiting', undefined, within),
    asked('groups.list', undefined, within),
    asked('budgets.listByLocation', { ids: [at.LocationId] }, within),
    asked('budgets.summary'),
    asked('overview.summary'),
    asked('recalculating.state', { id: at.BudgetId }, within),
    asked('presence.others', { record: `staffing/contracts/${id}` }),
    asked('contracts.list', page),
    asked('contracts.get', { id }),
    asked('contracts.inputs', { contractId: id, employeeNumber: contract.employeeNumber }),
    asked('contracts.forecast', { id, withSteps: false }),
    asked('entries.list', page),
    asked('entries.sheet', {}),
    asked('entries.choices'),
    asked('pupils.get'),
    asked('resources.budgetCode.list', page, within),
    asked('search.find', { search: 'sup' }, within),
    rest('POST', 'BudgetCodes/list', within, ten),
    rest('POST', 'CostCentres/list', within, ten),
    rest('POST', 'Budget/paginated', within, ten),
    rest('GET', `PayScalePoint/${points.body.rows[0].id}`),
    rest('GET', 'BudgetGroup/names'),
    rest('POST', 'StaffContract/paginated', at, ten),
    rest('GET', `StaffContract/id/${id}`, at),
    rest('POST', 'BudgetEntry/paginated', at, ten),
    rest('GET', `BudgetEntry/id/${entry.id}`, at),
    rest('POST', 'Staff/list', within, ten),
  ]
}

import type { HubConnection } from '@microsoft/signalr'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { connect } from '../../support/product/hub.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { until } from '../../support/running/worker.ts'
import { idsFor, teacherContract } from '../../support/samples/contract.ts'

vi.setConfig({ testTimeout: 90_000 })

let product: Product
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let northgate: Required<Selection>
let connection: HubConnection
let heard: string[] = []

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  northgate = places.at('Northgate')
  const colleague = await signInAs(product, 'northgate@harbour.example')
  connection = (await connect(product, colleague, places.organisationId)).connection
  connection.on('BudgetChanged', ({ budgetId }: { budgetId: BudgetId }) => heard.push(budgetId))
})
afterAll(() => connection?.stop())

async function duplicate(name: string): Promise<{ id: string; where: Required<Selection> }> {
  const { body } = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name }, own)
  return { id: body.mongoId, where: { ...northgate, BudgetId: body.mongoId } }
}
const selection = (...ids: string[]): Body => ({ state: { selectAll: false, toggledNodes: ids } })
const call = async (method: string, path: string, body: Body, where: Selection & Record<string, string | number> = own): Promise<Body> => {
  const reply = await finance.call(method, path, body, where)
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
  return reply.body
}

describe('users with a budget open are notified at once', () => {
  let id: string
  let where: Required<Selection>
  beforeAll(async () => {
    ;({ id, where } = await duplicate('Listened to'))
  })

  const changes: Record<string, () => Promise<unknown>> = {
    'that it was renamed': () => proceduresOf(product, finance, own).budgets.rename.mutate({ id, name: 'Listened to again' }),
    'that its tables and settings were changed': async () => {
      const elements = await call('GET', `/api/Budget/elements/${id}`, undefined)
      return call('PUT', '/api/BudgetElements/update', { ...elements, numberOfYears: 4 })
    },
    'that it was changed with others': () =>
      call('POST', '/api/Budget/bulkedit', { ...selection(id), patch: [{ op: 'replace', path: '/numberOfYears', value: 3 }] }),
    'that a contract was saved': async () =>
      call('PUT', '/api/StaffContract', teacherContract(await idsFor(finance, where), { contractName: 'Heard' }), where),
    'that somebody in it was changed': async () => {
      const { rows } = await call('POST', '/api/StaffContract/paginated', { pageNumber: 1, pageSize: 1, sort: 'employeeNumber' }, where)
      const found = await call('POST', '/api/Staff/list', { search: rows[0].employeeNumber })
      return call('PUT', '/api/Staff', { ...found.rows[0], title: 2, version: null })
    },
  }
  it.each(Object.keys(changes))('%s', async (what) => {
    heard = []
    await changes[what]!()
    await until(`${what} is heard`, () => heard.includes(id), 15_000)
  })

  it('that it was locked', async () => {
    const locked = await duplicate('Locked while open')
    heard = []
    await call('POST', '/api/Budget/fix', selection(locked.id))
    await until('that it was locked is heard', () => heard.includes(locked.id), 15_000)
  })
  it('that it was deleted', async () => {
    const gone = await duplicate('Deleted while open')
    heard = []
    await call('POST', '/api/Budget/bulkDelete', selection(gone.id))
    await until('the deletion is heard', () => heard.includes(gone.id), 15_000)
  })
})

describe('two conflicting transactions', () => {
  it('are both committed: the one that the database rolled back is retried automatically', async () => {
    const { where } = await duplicate('Deadlocked')
    const codes = await call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 500 }, where)
    const entry = {
      description: 'Saved after a deadlock',
      budgetCodeId: codes.rows.find((row: Body) => row.code === '4300').id,
      amount: 100,
      budgetYearName: '2026/27',
    }
    const owner = connectAsOwner(product.config.databaseUrl)
    const deadlocks = async (): Promise<number> =>
      Number((await owner`select deadlocks from pg_stat_database where datname = current_database()`)[0]!.deadlocks)
    const before = await deadlocks()
    const answer = await owner.begin(async (tx) => {
      // The call writes to this table after it has locked the budget.
      await tx`lock table budget_events in access exclusive mode`
      const answer = finance.call('PUT', '/api/BudgetEntry/save', entry, where)
      await until(
        'the call waits',
        async () =>
          (
            await tx`select 1 from pg_stat_activity where datname = current_database() and usename = 'bursar_app' and wait_event_type = 'Lock'`
          ).length > 0,
      )
      await tx`select 1 from budgets where id = ${where.BudgetId} for update`
      return { answer }
    })
    expect((await answer.answer).status).toBe(200)
    await until('the database has counted the deadlock', async () => (await deadlocks()) > before)
    const saved = await call('POST', '/api/BudgetEntry/paginated', { search: entry.description, pageNumber: 1, pageSize: 5 }, where)
    expect(saved.rows).toHaveLength(1)
  })
  it.each(['40P01', '40001'])('are retried three times, and then reported as a conflict: %s', async (code) => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const save = async (times: number, name: string) => {
      await owner.unsafe(`
        create sequence begun; grant usage on sequence begun to bursar_app;
        create function take_back() returns trigger language plpgsql as $$ begin
          if nextval('begun') <= ${times} then raise exception 'in the way' using errcode = '${code}'; end if;
          return new;
        end $$;
        create trigger take_back before insert on cost_centres for each row execute function take_back()`)
      const reply = await finance.call('POST', '/api/CostCentres', { code: name, description: name }, own)
      const [begun] = await owner`select last_value::int as times from begun`
      await owner.unsafe('drop trigger take_back on cost_centres; drop function take_back(); drop sequence begun')
      return { status: reply.status, body: reply.status === 201 ? reply.body.code : reply.body, times: begun!.times }
    }
    expect(await save(3, `THREE ${code}`)).toEqual({ status: 201, body: `THREE ${code}`, times: 4 })
    expect(await save(9, `NINE ${code}`)).toEqual({
      status: 409,
      body: 'Other people are changing the same records. Try again in a moment.',
      times: 4,
    })
  })
})

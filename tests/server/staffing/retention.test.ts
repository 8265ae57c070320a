import { beforeAll, describe, expect, it } from 'vitest'
import { personalDataRegister } from '../../../domain/people/personalData.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let manager: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

const list = async (caller = finance): Promise<Body> => (await caller.call('GET', '/api/Staff/leavers', undefined, own)).body
const erase = (ids: number[], confirmed = ids.length, caller = finance) =>
  caller.call('POST', '/api/Staff/leavers/erase', { ids, confirmed }, own)
const keepFor = async (leaverYears: number | null): Promise<number> => {
  const organisation = (await administrator.call('GET', `/api/Organisations/${places.organisationId}`)).body
  return (await administrator.call('PUT', '/api/Organisations', { ...organisation, leaverYears })).status
}

let last = 0
/** Adds a former employee: archived, and recorded years ago. */
async function formerly(years: number, more: Body = {}): Promise<Body> {
  const employeeNumber = `L-${last++}`
  const person = {
    forename: 'Lee',
    surname: `Aver ${employeeNumber}`,
    employeeNumber,
    locations: [places.locations.Northgate],
    archive: true,
  }
  const { body } = await finance.call('POST', '/api/Staff', { ...person, ...more }, own)
  await connectAsOwner(
    product.config.databaseUrl,
  )`update staff_members set created = now() - make_interval(years => ${years}, days => 2) where id = ${body.id}`
  // Employees are cached between calls; a change reloads them.
  return (await finance.call('PUT', '/api/Staff', { ...body, email: 'left@harbour.example' }, own)).body
}

describe('employees who have left', () => {
  it('are not proposed for erasure until the organisation sets for how many years they are kept', async () => {
    const person = await formerly(8)
    const before = await list()
    expect(before).toMatchObject({ years: null, due: [] })
    expect(before.kept).toContainEqual(expect.objectContaining({ id: person.id, reason: expect.stringMatching(/^No one is proposed/) }))
    expect((await erase([person.id])).status).toBe(409)
    expect(await keepFor(6)).toBe(200)
    expect((await list()).due).toContainEqual(expect.objectContaining({ id: person.id, employeeNumber: person.employeeNumber }))
  })
  it('are kept until the years are over, with the reason', async () => {
    const person = await formerly(3)
    const { due, kept, working } = await list()
    expect(due.map((one: Body) => one.id)).not.toContain(person.id)
    expect(kept.find((one: Body) => one.id === person.id)).toMatchObject({
      until: expect.any(String),
      reason: expect.stringMatching(/less than 6 years since/),
    })
    expect(working).toBeGreaterThan(100)
    expect((await erase([person.id])).status).toBe(409)
  })
  it('do not include somebody whom a budget plans', async () => {
    const person = await formerly(9, { archive: false })
    const at = places.at('Northgate')
    const given = teacherContract(await idsFor(finance, at), { employeeNumber: person.employeeNumber, contractName: 'Back again' })
    expect((await finance.call('PUT', '/api/StaffContract', given, at)).status).toBe(200)
    const { due, kept } = await list()
    expect([...due, ...kept].map((one: Body) => one.id)).not.toContain(person.id)
  })
  it('are erased together once their number was typed, all or none, and are then in no list', async () => {
    const [one, two, young] = [await formerly(8), await formerly(8), await formerly(2)]
    const slip = await erase([one.id, two.id], 3)
    expect([slip.status, slip.body]).toEqual([400, 'You chose 2. Type this number to confirm.'])
    expect((await erase([one.id, young.id])).status).toBe(409)
    expect((await finance.call('GET', `/api/Staff/${one.id}`, undefined, own)).body.surname).toBe(one.surname)
    const reply = await erase([one.id, two.id])
    expect([reply.status, reply.body]).toEqual([200, { erased: 2 }])
    for (const { id } of [one, two])
      expect((await finance.call('GET', `/api/Staff/${id}`, undefined, own)).body).toMatchObject({ erased: true, surname: `person ${id}` })
    expect((await list()).due.map((leaver: Body) => leaver.id)).not.toContain(one.id)
  })
  it('of other schools cannot be erased by a user limited to one', async () => {
    const everywhere = await formerly(8, { locations: [] })
    const here = await formerly(8)
    const { due } = await list(manager)
    expect(due.map((one: Body) => one.id)).toContain(here.id)
    expect(due.map((one: Body) => one.id)).not.toContain(everywhere.id)
    expect((await erase([everywhere.id], 1, manager)).status).toBe(409)
    const meadow = await signInAs(product, 'finance@meadow.example')
    const theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
    expect((await meadow.call('POST', '/api/Staff/leavers/erase', { ids: [here.id], confirmed: 1 }, theirs)).status).toBe(409)
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await governor.call('GET', '/api/Staff/leavers', undefined, own)).status).toBe(403)
  })
})

describe('the retention of personal data', () => {
  it('is stated for every table that identifies a person', async () => {
    const rows = await connectAsOwner(product.config.databaseUrl)`
      select distinct c.table_name as name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and (c.column_name ~ '(^|_)(staff_id|user_id|actor_id|by_id|employee|sealed_number|email|address)$' or (c.column_name = 'subject' and c.data_type = 'uuid'))
      order by 1`
    const named = new Set(personalDataRegister.flatMap(({ tables }) => tables))
    expect(rows.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  })
  it('is stated for existing tables only', async () => {
    const rows = await connectAsOwner(
      product.config.databaseUrl,
    )`select table_name as name from information_schema.tables where table_schema = 'public'`
    const there = new Set(rows.map(({ name }) => name))
    expect(personalDataRegister.flatMap(({ tables }) => tables).filter((name) => !there.has(name))).toEqual([])
  })
})

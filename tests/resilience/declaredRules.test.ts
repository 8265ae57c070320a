import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { allResources, getResource, separatelyStoredResources } from '../../domain/resources/all.ts'
import { getSingularName } from '../../domain/resources/fields.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { toSnakeCase } from '../../drizzle/resourceTable.ts'
import * as schema from '../../drizzle/schema.ts'
import { openStore } from '../../server/core/database/database.ts'
import { toConstraintError } from '../../server/core/database/uniqueRules.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { type Body, type Caller, findTrustIds, type Reply, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { until } from '../support/running/worker.ts'
import { buildSample } from '../support/samples/samples.ts'

const declared: AnyResource[] = [...allResources, ...Object.values(separatelyStoredResources)]

/** Tables of resources with a store of their own. */
const ownTables: Record<string, string> = { user: 'users', staffMember: 'staff_members' }
const tableOf = ({ name, table }: AnyResource): string => ownTables[name] ?? table

/** Unique indexes whose names do not follow from the table. Encrypted employees are compared by digest. */
const keptBy: Record<string, string> = { 'user 1': 'users_email', 'staffMember 1': 'staff_members_number' }

/** References without a foreign key or an index, each with the reason. */
const arrays =
  'A list is an array: PostgreSQL has no keys over arrays, and under row-level security no index either, for && might leak what it compares. Whoever writes one locks what it names.'
const notHeld: Record<string, string> = {
  'allowance.analysisTagIds': arrays,
  'allowance.locations': arrays,
  'analysisTag.locations': arrays,
  'budgetCode.locations': arrays,
  'cluster.locations': arrays,
  'contractType.locations': arrays,
  'costCentre.locations': arrays,
  'fundCode.locations': arrays,
  'payrollCode.locations': arrays,
  'payrollCode.serviceTerms': arrays,
  'profileTemplate.locations': arrays,
  'serviceTerm.locations': arrays,
  'staffMember.locations': arrays,
  'topSlice.incomeTypeIds': `${arrays} National records no tenant can lock: an administrator who deletes an income type in the same moment is not stopped.`,
  'user.locationIds': arrays,
  'user.organisationIds': 'Memberships are rows, which belong to their organisation.',
  'user.userGroupIds': arrays,
}

let product: Product
let owner: ReturnType<typeof connectAsOwner>
let finance: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  owner = connectAsOwner(product.config.databaseUrl)
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

const pathOf = ({ path }: AnyResource): string => `/api/${path}`
const whoWrites = ({ access, scope }: AnyResource): Caller =>
  access.write === 'administrator' || scope !== 'organisation' ? administrator : finance
const selectionOf = (resource: AnyResource): Record<string, number> =>
  resource.access.write === 'administrator' && resource.scope === 'global' ? {} : own
const post = (resource: AnyResource, body: Body): Promise<Reply> =>
  whoWrites(resource).call('POST', pathOf(resource), body, selectionOf(resource))

let last = 1000
const known = new Map<string, number>()

/**
 * The id of a record to refer to. Locations, organisations and authorities exist; others are made here, so that nothing refers to them yet.
 */
async function target(name: string, where: object): Promise<number> {
  const resource = getResource(name)
  if (name === 'location') return places.locations.Northgate!
  if (name === 'organisation') return places.organisationId
  if (name === 'localAuthority') {
    if (!known.has(name)) known.set(name, (await administrator.call('POST', `${pathOf(resource)}/list`, {})).body.rows[0].id)
    return known.get(name)!
  }
  return (await make(resource, { ...(await sample(resource, ++last)), ...where })).id
}

async function make(resource: AnyResource, body: Body): Promise<Body> {
  const reply = await post(resource, body)
  expect(reply.status, `${resource.name} ${JSON.stringify(reply.body)}`).toBe(201)
  return reply.body
}

/** A valid record that refers to records made for it. */
async function sample(resource: AnyResource, n: number): Promise<Body> {
  const wanted: [string, string, object][] = []
  const body = buildSample(resource, n, (to, { '#': place, ...where }) => {
    wanted.push([Object.keys(resource.fields)[Number(place)]!, to, where])
    return 0
  })
  for (const [field, to, where] of wanted) body[field] = await target(to, where)
  return { ...body, ...(resource.name === 'user' ? { organisationIds: [places.organisationId] } : {}) }
}

describe('the database catalogue', () => {
  it('has a unique index for every declared unique rule', async () => {
    const indexes = new Map(
      (await owner`select indexname, tablename, indexdef from pg_indexes where schemaname = 'public'`).map((row) => [row.indexname, row]),
    )
    for (const resource of declared)
      resource.unique.forEach((fields, place) => {
        const name = keptBy[`${resource.name} ${place + 1}`] ?? `${resource.table}_unique_${place + 1}`
        const found = indexes.get(name)
        expect(found?.tablename, `${resource.name}: ${fields.join(', ')}`).toBe(tableOf(resource))
        expect(found!.indexdef).toMatch(/^CREATE UNIQUE INDEX/)
        if (resource.scope === 'organisation') expect(found!.indexdef).toMatch(/\(organisation_id/)
      })
  })
  it('has for every declared reference a foreign key, within the organisation if both sides belong to one, and an index that begins with it', async () => {
    const keys = await owner<{ name: string; table: string; target: string; columns: string[]; validated: boolean }[]>`
      select conname as name, conrelid::regclass::text as table, confrelid::regclass::text as target, convalidated as validated,
        (select array_agg(attname::text order by place) from unnest(conkey) with ordinality as key (number, place)
          join pg_attribute on attrelid = conrelid and attnum = number) as columns
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`
    const indexes = await owner<{ table: string; columns: string[] }[]>`
      select indrelid::regclass::text as table, (select array_agg(attname::text order by place)
        from unnest(indkey::int2[]) with ordinality as key (number, place) join pg_attribute on attrelid = indrelid and attnum = number) as columns
      from pg_index where indpred is null`
    const excepted: string[] = []
    for (const resource of declared)
      for (const [name, field] of Object.entries(resource.fields)) {
        if (field.kind !== 'reference' && field.kind !== 'references') continue
        const place = `${resource.name}.${name}`
        if (place in notHeld) {
          excepted.push(place)
          continue
        }
        const to = getResource(field.to)
        const columns =
          resource.scope === 'organisation' && to.scope === 'organisation' ? ['organisation_id', toSnakeCase(name)] : [toSnakeCase(name)]
        const key = keys.find((one) => one.table === tableOf(resource) && one.columns.join() === columns.join())
        expect([place, key?.target, key?.validated]).toEqual([place, tableOf(to), true])
        const served = indexes.some(
          (one) => one.table === tableOf(resource) && one.columns?.slice(0, columns.length).join() === columns.join(),
        )
        expect([place, served]).toEqual([place, true])
      }
    expect(excepted.sort()).toEqual(Object.keys(notHeld).sort())
  })
})

describe('of twenty simultaneous creations one succeeds, and the others are refused at the field, for every declared unique rule:', () => {
  const sets = declared.flatMap((resource) =>
    resource.unique.map((fields, place) => ({ resource, fields, place, name: `${resource.name} ${fields.join(', ')}` })),
  )
  it('for the apprenticeship levy of a day, which comes only from files', async () => {
    const [location] = (await finance.call('POST', '/api/Locations/list', {}, own)).body.rows
    const row = { Location: location.name, EffectiveDate: '2031-01-05', Allowance: '15000' }
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => finance.call('POST', '/api/ApprenticeshipLevies/import', [row], own)),
    )
    const done = replies.filter(({ status }) => status === 200)
    expect(done.reduce((sum, { body }) => sum + body.created, 0)).toBe(1)
    for (const { status, body } of replies) if (status !== 200) expect([status, body]).toEqual([409, 'Effective date is already used.'])
  })
  it.each(sets.filter(({ resource }) => resource.operations?.includes('create') ?? true))('$name', async ({ resource, fields, place }) => {
    const first = 100 + place * 40
    const same = await sample(resource, first)
    // All other fields differ, so that only this rule is violated.
    const bodies = Array.from({ length: 20 }, (_unused, n) => {
      const other = buildSample(resource, first + 1 + n, () => 0)
      const kept = (name: string): boolean =>
        fields.includes(name) || ['reference', 'references'].includes(resource.fields[name]!.kind) || /Week$/.test(name)
      return Object.fromEntries(Object.keys(other).map((name) => [name, kept(name) ? same[name] : other[name]]))
    })
    const replies = await Promise.all(bodies.map((body) => post(resource, body)))
    const refused = replies.filter(({ status }) => status !== 201).map(({ status, body }) => `${status} ${JSON.stringify(body)}`)
    expect([...new Set(refused)]).toEqual([`409 "${resource.fields[fields[0]!]!.label} is already used."`])
    expect(refused).toHaveLength(19)
  })
})

describe('a record deleted while another starts to refer to it', () => {
  const blocked = async (): Promise<boolean> =>
    (await owner`select 1 from pg_stat_activity where datname = current_database() and usename = 'bursar_app' and wait_event_type = 'Lock'`)
      .length > 0

  /** Does something as the owner in an open transaction, starts a call that waits for it, and commits. @returns the call’s reply */
  async function meanwhile(work: (sql: typeof owner) => Promise<unknown>, call: () => Promise<Reply>): Promise<Reply> {
    let reply: Promise<Reply>
    await owner.begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      await work(tx as unknown as typeof owner)
      reply = call()
      await until('the call waits', blocked, 15_000)
    })
    return reply!
  }

  it('is reported as missing, at the field that refers to it: an organisation’s record, one in a list, and a national one', async () => {
    const [code, tag, income] = await Promise.all(
      ['budgetCode', 'analysisTag', 'incomeType'].map(async (name) => {
        const resource = getResource(name)
        return make(resource, await sample(resource, ++last))
      }),
    )
    const group = await sample(getResource('studentGroup'), ++last)
    const allowance = await sample(getResource('allowance'), ++last)
    const budgetCode = await sample(getResource('budgetCode'), ++last)
    const gone = async (table: string, id: number, resource: string, body: Body): Promise<Reply> =>
      meanwhile(
        (sql) => sql`delete from ${sql(table)} where id = ${id}`,
        () => post(getResource(resource), body),
      )
    expect(await gone('budget_codes', code.id, 'studentGroup', { ...group, budgetCodeId: code.id })).toMatchObject({
      status: 400,
      body: 'Budget code was not found.',
    })
    expect(await gone('analysis_tags', tag.id, 'allowance', { ...allowance, analysisTagIds: [tag.id] })).toMatchObject({
      status: 400,
      body: 'Analysis tag was not found.',
    })
    expect(await gone('income_types', income.id, 'budgetCode', { ...budgetCode, incomeTypeId: income.id })).toMatchObject({
      status: 400,
      body: 'Income type was not found.',
    })
  })
  it('stays, and is reported as in use by the new record', async () => {
    const resource = getResource('budgetCode')
    const code = await make(resource, await sample(resource, ++last))
    const refused = await meanwhile(
      (sql) => sql`insert into student_groups (organisation_id, code, description, budget_code_id)
        values (${places.organisationId}, 'MEANWHILE', 'Made meanwhile', ${code.id})`,
      () => finance.call('DELETE', `${pathOf(resource)}/${code.id}`, undefined, own),
    )
    expect(refused).toMatchObject({ status: 409, body: 'Budget code is in use by 1 student group and cannot be deleted.' })
    // Without a check beforehand, the violated foreign key gives the same message.
    const store = openStore(product.config, 1)
    const error = await store
      .inOrganisation(places.organisationId, (tx) => tx.delete(schema.budgetCodes).where(eq(schema.budgetCodes.id, code.id)))
      .catch((reason: unknown) => reason)
    await store.close()
    expect(toConstraintError(error)).toMatchObject({
      kind: 'conflict',
      message: 'Budget code is in use by student groups and cannot be deleted.',
    })
  })
  it.each([
    ['budgetCode', 'studentGroup', 'budgetCodeId'],
    ['gagPoolTable', 'gagPool', 'gagPoolTableId'],
    ['analysisTag', 'allowance', 'analysisTagIds'],
    ['staffAssumptions', 'staffErPensionRate', 'staffAssumptionsId'],
    ['adminTable', 'payScalePoint', 'adminTableId'],
  ])('is either kept or refused, whichever of twenty calls comes first: %s', async (used, using, field) => {
    const [to, from] = [getResource(used), getResource(using)]
    for (let round = 0; round < 4; round++) {
      const { id } = await make(to, await sample(to, ++last))
      const value = from.fields[field]!.kind === 'references' ? [id] : id
      const base = await sample(from, ++last)
      const bodies = Array.from({ length: 10 }, () => {
        const other = buildSample(from, ++last % 150, () => 0)
        for (const [name, { kind }] of Object.entries(from.fields)) if (kind.startsWith('reference')) other[name] = base[name]
        return { ...other, [field]: value }
      })
      const calls = bodies.map((body) => () => post(from, body))
      const remove = (): Promise<Reply> => whoWrites(to).call('DELETE', `${pathOf(to)}/${id}`, undefined, selectionOf(to))
      calls.splice(round * 3, 0, remove)
      const replies = await Promise.all(calls.map((call) => call()))
      const [gone] = replies.splice(round * 3, 1)
      for (const { status, body } of replies) {
        expect([201, 400, 409], JSON.stringify(body)).toContain(status)
        if (status === 400) expect(body).toBe(`${getSingularName(from.fields[field]!)} was not found.`)
      }
      expect([204, 409], JSON.stringify(gone!.body)).toContain(gone!.status)
      if (gone!.status === 409) expect(gone!.body).toMatch(/is in use by .* and cannot be deleted\.$/)
      const column = owner(toSnakeCase(field))
      const [left] = Array.isArray(value)
        ? await owner`select count(*)::int as count from ${owner(tableOf(from))} where ${id} = any(${column})`
        : await owner`select count(*)::int as count from ${owner(tableOf(from))} where ${column} = ${id}`
      // Records that belong to a deleted one are deleted with it.
      if (gone!.status === 204) expect(left!.count).toBe(0)
    }
  })
})

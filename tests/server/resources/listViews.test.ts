import { beforeAll, describe, expect, it } from 'vitest'
import { type ListViewSettings, maxViewsPerList } from '../../../domain/lists/listViews.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { asClient, type Body, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let administrator: Caller
let finance: Caller
let manager: Caller
let places: TrustIds
let elsewhere: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  places = await findTrustIds(finance)
  elsewhere = await findTrustIds(await signInAs(product, 'finance@meadow.example'))
  own = { OrganisationId: places.organisationId }
})

const views = (caller: Caller, where = own) => proceduresOf(product, caller, where).listViews
const look = (search: string, more: Partial<ListViewSettings> = {}): ListViewSettings => ({
  search,
  filters: [],
  sort: null,
  sortDirection: 'asc',
  hiddenColumns: [],
  ...more,
})
const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => error.data?.problem?.kind ?? String(error),
  )
const namesOf = async (caller: Caller, list: 'contracts' | 'balances' | 'budgets' | 'actuals', where = own): Promise<string[]> =>
  (await views(caller, where).list.query({ list })).map(({ name }) => name)
const someone = (name: string, organisationId = places.organisationId) =>
  inviteAndSignIn(product, administrator, `${name}@harbour.example`, ['BudgetingStaffingRead'], organisationId)

describe('a view of a list', () => {
  it('belongs to the user who saved it, on any device, and to nobody else of the organisation', async () => {
    const full = look('head', {
      filters: [{ filter: 'position', filterType: 'text', type: 'contains', value: 'Teacher' }],
      sort: 'position',
      sortDirection: 'desc',
      hiddenColumns: ['department'],
    })
    const made = await views(finance).keep.mutate({ list: 'contracts', name: '  Heads ', look: full })
    expect(made).toEqual({ id: made.id, name: 'Heads', look: full })
    const elsewhereSignedIn = await signInAs(product, 'finance@harbour.example')
    expect(await views(elsewhereSignedIn).list.query({ list: 'contracts' })).toEqual([made])
    expect(await namesOf(finance, 'balances')).toEqual([])
    expect(await namesOf(manager, 'contracts')).toEqual([])
    expect(await kindOf(views(manager).rename.mutate({ id: made.id, name: 'Mine' }))).toBe('notFound')
    expect(await kindOf(views(manager).delete.mutate({ id: made.id }))).toBe('notFound')
    expect(await namesOf(finance, 'contracts')).toEqual(['Heads'])
  })
  it('belongs to the organisation in which it was saved', async () => {
    const theirs = { OrganisationId: elsewhere.organisationId }
    const made = await views(administrator).keep.mutate({ list: 'budgets', name: 'Late', look: look('late') })
    expect(await namesOf(administrator, 'budgets', theirs)).toEqual([])
    expect(await kindOf(views(administrator, theirs).delete.mutate({ id: made.id }))).toBe('notFound')
    expect(await kindOf(views(finance, theirs).list.query({ list: 'budgets' }))).toBe('forbidden')
    expect(await namesOf(administrator, 'budgets')).toEqual(['Late'])
  })
  it('is replaced by one of the same name, renamed to an unused name, and removed', async () => {
    const keep = (name: string, search: string) => views(manager).keep.mutate({ list: 'contracts', name, look: look(search) })
    const first = await keep('Cover', 'cover')
    const again = await keep('COVER', 'supply')
    expect(again).toMatchObject({ id: first.id, name: 'COVER', look: { search: 'supply' } })
    const other = await keep('Other', '')
    expect(await kindOf(views(manager).rename.mutate({ id: other.id, name: 'cover' }))).toBe('conflict')
    expect(await views(manager).rename.mutate({ id: first.id, name: 'Supply' })).toMatchObject({
      name: 'Supply',
      look: { search: 'supply' },
    })
    await views(manager).delete.mutate({ id: other.id })
    expect(await namesOf(manager, 'contracts')).toEqual(['Supply'])
    expect(await kindOf(views(manager).rename.mutate({ id: other.id, name: 'Gone' }))).toBe('notFound')
  })
  it('belongs to an existing list, has a name of 1 to 50 characters, and contains only valid requests', async () => {
    const keep = (input: Body) => kindOf(views(manager).keep.mutate({ list: 'contracts', name: 'Odd', look: look(''), ...input }))
    const values = Array.from({ length: 5000 }, (_unused, index) => `Position ${index}`)
    for (const input of [
      { list: 'nowhere' },
      { list: '/console/coding/../secrets' },
      { name: ' ' },
      { name: 'x'.repeat(51) },
      { look: look('x'.repeat(201)) },
      { look: { ...look(''), more: 1 } },
      { look: look('', { filters: [{ filter: 'position', filterType: 'set', values }] }) },
    ])
      expect(await keep(input)).toBe('invalid')
    expect(await namesOf(manager, 'contracts')).not.toContain('Odd')
  })
  it('is saved once, and as one of at most fifty for its list, however many browsers save at once', async () => {
    const keep = (name: string) => kindOf(views(manager).keep.mutate({ list: 'balances', name, look: look(name) }))
    const outcomes = await Promise.all(['Same', 'same', 'SAME', 'Same'].map(keep))
    expect(outcomes).toEqual(['done', 'done', 'done', 'done'])
    expect(await namesOf(manager, 'balances')).toHaveLength(1)
    for (let number = 1; number < maxViewsPerList - 1; number++) expect(await keep(`View ${number}`)).toBe('done')
    expect((await Promise.all(['Last', 'One too many', 'Two too many'].map(keep))).sort()).toEqual(['conflict', 'conflict', 'done'])
    expect(await namesOf(manager, 'balances')).toHaveLength(maxViewsPerList)
    // An existing view can still be changed, and another list still has room.
    expect(await keep('View 1')).toBe('done')
    expect(await kindOf(views(manager).keep.mutate({ list: 'budgets', name: 'New', look: look('') }))).toBe('done')
  })
  it('cannot be saved by an API client', async () => {
    const client = await asClient(product, 'harbour')
    expect(await namesOf(client, 'contracts')).toEqual([])
    expect(await kindOf(views(client).keep.mutate({ list: 'contracts', name: 'Bot', look: look('') }))).toBe('forbidden')
  })
  it('is stored without its search text in plain text', async () => {
    await views(finance).keep.mutate({ list: 'actuals', name: 'Search', look: look('Quillfeather') })
    const rows = await connectAsOwner(product.config.databaseUrl)`select to_jsonb(list_views)::text as all from list_views`
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.filter((row) => row.all.includes('Quillfeather'))).toEqual([])
  })
})

describe('the views that a browser stored itself', () => {
  it('are copied once, beside existing ones, and those without room stay in the browser', async () => {
    const person = await someone('views-browser')
    await views(person).keep.mutate({ list: 'actuals', name: 'Mine', look: look('here') })
    const given = [
      { name: 'mine', look: look('there') },
      { name: 'Second', look: look('second') },
    ]
    expect(await views(person).takeOver.mutate({ list: 'actuals', views: given })).toEqual(['mine', 'Second'])
    const kept = await views(person).list.query({ list: 'actuals' })
    expect(kept.map(({ name, look: { search } }) => [name, search])).toEqual([
      ['Mine', 'here'],
      ['mine (2)', 'there'],
      ['Second', 'second'],
    ])
    // Another tab of the same browser sends the same views again.
    expect(await views(person).takeOver.mutate({ list: 'actuals', views: given.slice(1) })).toEqual(['Second'])
    expect(await namesOf(person, 'actuals')).toHaveLength(3)
    const many = Array.from({ length: maxViewsPerList }, (_unused, index) => ({ name: `Old ${index}`, look: look(`${index}`) }))
    expect(await views(person).takeOver.mutate({ list: 'actuals', views: many })).toHaveLength(maxViewsPerList - 3)
    expect(await namesOf(person, 'actuals')).toHaveLength(maxViewsPerList)
  })
})

describe('the views of a user who leaves', () => {
  const count = async (id: number): Promise<number> =>
    (await connectAsOwner(product.config.databaseUrl)`select 1 from list_views where user_id = ${id}`).length

  it('are deleted with their access to the organisation', async () => {
    const person = await someone('views-leaver')
    const { id } = (await person.call('GET', '/api/Authorisation')).body.user
    await views(person).keep.mutate({ list: 'contracts', name: 'Mine', look: look('') })
    const user = (await administrator.call('GET', `/api/Users/${id}`)).body
    const renamed = await administrator.call('PUT', '/api/Users', { ...user, position: 'Bursar' })
    expect([renamed.status, await count(id)]).toEqual([200, 1])
    const memberships = user.memberships.map((one: object) => ({ ...one, organisationId: elsewhere.organisationId }))
    const organisationIds = [elsewhere.organisationId]
    const moved = await administrator.call('PUT', '/api/Users', { ...renamed.body, organisationIds, memberships })
    expect([moved.status, await count(id)]).toEqual([200, 0])
  })
  it('stay if the user is an administrator of the product, who belongs to every organisation', async () => {
    const { id } = (await administrator.call('GET', '/api/Authorisation')).body.user
    await views(administrator).keep.mutate({ list: 'contracts', name: 'Mine', look: look('') })
    const before = await count(id)
    const user = (await administrator.call('GET', `/api/Users/${id}`)).body
    expect((await administrator.call('PUT', '/api/Users', { ...user, position: 'Administrator' })).status).toBe(200)
    expect([before > 0, await count(id)]).toEqual([true, before])
  })
  it('are deleted with the user', async () => {
    const { id } = (
      await administrator.call('POST', '/api/Users', {
        email: 'views-gone@harbour.example',
        forename: 'Gone',
        surname: 'Person',
        organisationIds: [places.organisationId],
        locationIds: [],
        userGroupIds: [],
      })
    ).body
    // The history names users who have signed in, so they are made inactive instead of deleted.
    await connectAsOwner(product.config.databaseUrl)`
      insert into list_views (organisation_id, user_id, list, name, sealed) values (${places.organisationId}, ${id}, 'contracts', 'Mine', '')`
    expect((await administrator.call('DELETE', `/api/Users/${id}`)).status).toBe(204)
    expect(await count(id)).toBe(0)
  })
})

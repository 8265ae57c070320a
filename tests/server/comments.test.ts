import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../server/core/database/database.ts'
import { mailComments } from '../../server/features/versions/approval/telling/commands.ts'
import { asOwner } from '../support/database.ts'
import { atEnd } from '../support/endings.ts'
import { asUser, type Caller, type Places, placesOf } from '../support/http.ts'
import { startMailbox } from '../support/mailbox.ts'
import { type Product, startProduct } from '../support/product.ts'
import { proceduresOf } from '../support/trpc.ts'

let product: Product
let finance: Caller
let manager: Caller
let governor: Caller
let places: Places
let budgetId: string

const of = (caller: Caller) =>
  proceduresOf(product, caller, { OrganisationId: places.organisationId, LocationId: places.locations.Northgate!, BudgetId: budgetId })
const idOf = async (caller: Caller): Promise<number> =>
  (await caller.call('GET', '/api/Authorisation', undefined, { OrganisationId: places.organisationId })).body.user.id
const contractId = async (): Promise<string> => (await of(finance).contracts.list.query({ pageSize: 1 })).rows[0]!.id
const whole = { kind: 'budget', ref: null, year: null } as const

beforeAll(async () => {
  product = await startProduct()
  finance = await asUser(product, 'finance@harbour.example')
  manager = await asUser(product, 'northgate@harbour.example')
  governor = await asUser(product, 'governor@harbour.example')
  places = await placesOf(finance)
  const { rows } = await proceduresOf(product, finance, {
    OrganisationId: places.organisationId,
    LocationId: places.locations.Northgate!,
  }).budgets.listByLocation.query({
    ids: [places.locations.Northgate!],
  })
  budgetId = rows[0]!.mongoId
})

describe('a comment', () => {
  it('on a contract is read with it, and stands on the home page of who is mentioned until they read it', async () => {
    const ref = await contractId()
    const sam = (await of(finance).approval.readers.query({ kind: 'contract' })).find(({ name }) => name === 'Sam Turner')!
    const about = { kind: 'contract', ref, year: null } as const
    await of(finance).approval.addComment.mutate({ about, text: 'Is this right, @Sam Turner?', mentionIds: [sam.id] })
    const unread = await of(manager).home.comments.query()
    expect(unread.count).toBe(1)
    expect(unread.first[0]).toMatchObject({ about, text: 'Is this right, @Sam Turner?', by: 'Ruth Mensah', isMention: true, budgetId })
    expect((await of(finance).home.comments.query()).count).toBe(0)
    await of(manager).approval.seeComments.mutate({ ids: [unread.first[0]!.id] })
    expect((await of(manager).home.comments.query()).count).toBe(0)
    await of(manager).approval.addComment.mutate({ about, text: 'It is.' })
    expect((await of(finance).home.comments.query()).first[0]).toMatchObject({ text: 'It is.', isMention: false })
  })
  it('leaves no name in the log, not even of who is mentioned', async () => {
    const rows = await asOwner(product.config.databaseUrl)`select data::text from budget_events where type = 'CommentSaved'`
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ data }) => data).join()).not.toMatch(/Turner|Mensah|right/)
  })
  it('on a contract is neither shown nor offered to who may not see staff', async () => {
    expect((await of(governor).approval.comments.query()).filter(({ about }) => about.kind === 'contract')).toEqual([])
    expect((await of(finance).approval.readers.query({ kind: 'contract' })).map(({ name }) => name)).not.toContain('Grace Hall')
    expect((await of(finance).approval.readers.query({ kind: 'budget' })).map(({ name }) => name)).toContain('Grace Hall')
    const grace = await idOf(governor)
    const about = { kind: 'contract', ref: await contractId(), year: null } as const
    await expect(of(finance).approval.addComment.mutate({ about, text: '@Grace Hall', mentionIds: [grace] })).rejects.toThrow(
      'Somebody whom you mention may not read this. Take their name out.',
    )
  })
  it('mentions nobody of another trust, and is about nothing that the budget does not hold', async () => {
    const meadow = await asUser(product, 'finance@meadow.example')
    const theirs = (await meadow.call('GET', '/api/Authorisation', undefined, { OrganisationId: (await placesOf(meadow)).organisationId }))
      .body.user.id
    await expect(of(finance).approval.addComment.mutate({ about: whole, text: 'Hello', mentionIds: [theirs] })).rejects.toThrow(
      'may not read this',
    )
    for (const about of [
      { kind: 'contract', ref: '0'.repeat(24), year: null },
      { kind: 'entry', ref: '0'.repeat(24), year: null },
      { kind: 'code', ref: '999999', year: null },
    ] as const)
      await expect(of(finance).approval.addComment.mutate({ about, text: 'Hello' })).rejects.toThrow('This is not in the budget any more.')
  })
  it('is told by one mail to who was mentioned and is away, without what was said', async () => {
    const { url, mails } = await startMailbox()
    const store = openStore(product.config, 2)
    atEnd(() => store.close())
    const config = { mail: { url, from: 'bursar@example.org' }, origin: 'https://bursar.example' }
    await of(finance).approval.addComment.mutate({ about: whole, text: 'Secret words for @Sam Turner', mentionIds: [await idOf(manager)] })
    await mailComments(store, config, new Date())
    expect(mails.filter((mail) => mail.includes('northgate@harbour.example'))).toEqual([])
    const later = new Date(Date.now() + 10 * 60_000)
    await mailComments(store, config, later)
    await mailComments(store, config, later)
    const told = mails.filter((mail) => mail.includes('To: northgate@harbour.example'))
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(/Ruth Mensah mentioned you/)
    expect(told[0]).not.toMatch(/Secret/)
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { type CommentableReport, createRowKeys } from '../../../domain/reports/cells/cells.ts'
import type { ReportRow } from '../../../domain/reports/report.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId } from '../../../domain/values/ids.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { mailCommentNotices } from '../../../server/features/versions/approval/notices/commands.ts'
import { startMailbox } from '../../support/outside/mailbox.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { atEnd } from '../../support/product/endings.ts'
import { type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let manager: Caller
let governor: Caller
let places: TrustIds
let budgetId: BudgetId

const of = (caller: Caller) =>
  proceduresOf(product, caller, { OrganisationId: places.organisationId, LocationId: places.locations.Northgate!, BudgetId: budgetId })
const idOf = async (caller: Caller): Promise<number> =>
  (await caller.call('GET', '/api/Authorisation', undefined, { OrganisationId: places.organisationId })).body.user.id
const contractId = async (): Promise<string> => (await of(finance).contracts.list.query({ pageSize: 1 })).rows[0]!.id
const commentsFound = async (caller: Caller, search: string) =>
  (await of(caller).search.find.query({ search })).filter(({ entity }) => entity === 'comment')
const whole = { kind: 'budget', ref: null, year: null } as const

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  governor = await signInAs(product, 'governor@harbour.example')
  places = await findTrustIds(finance)
  const { rows } = await proceduresOf(product, finance, {
    OrganisationId: places.organisationId,
    LocationId: places.locations.Northgate!,
  }).budgets.listByLocation.query({
    ids: [places.locations.Northgate!],
  })
  budgetId = rows[0]!.mongoId
})

describe('a comment', () => {
  it('on a contract is loaded with it, and is on the home page of the people it mentions until they read it', async () => {
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
  it('deleted by mistake is restored by the person who deleted it, and by nobody else', async () => {
    const id = await of(finance).approval.addComment.mutate({ about: whole, text: 'Said once' })
    const texts = async () => (await of(finance).approval.comments.query()).map(({ text }) => text)
    await expect(of(finance).approval.changeComment.mutate({ id, change: 'restore' })).rejects.toThrow('Comment was not found.')
    await of(finance).approval.changeComment.mutate({ id, change: 'delete' })
    expect(await texts()).not.toContain('Said once')
    await expect(of(manager).approval.changeComment.mutate({ id, change: 'restore' })).rejects.toThrow('Only the person who made a change')
    await of(finance).approval.changeComment.mutate({ id, change: 'restore' })
    expect(await texts()).toContain('Said once')
    // This call restores nothing but comments.
    await expect(of(finance).approval.changeComment.mutate({ id: await contractId(), change: 'restore' })).rejects.toThrow(
      'Comment was not found.',
    )
  })
  it('leaves no name in the log, not even of the people it mentions', async () => {
    const rows = await connectAsOwner(product.config.databaseUrl)`select data::text from budget_events where type = 'CommentSaved'`
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ data }) => data).join()).not.toMatch(/Turner|Mensah|right/)
  })
  it('on a contract is neither shown nor offered to users who may not see staff', async () => {
    expect((await of(governor).approval.comments.query()).filter(({ about }) => about.kind === 'contract')).toEqual([])
    expect((await of(finance).approval.readers.query({ kind: 'contract' })).map(({ name }) => name)).not.toContain('Grace Hall')
    expect((await of(finance).approval.readers.query({ kind: 'budget' })).map(({ name }) => name)).toContain('Grace Hall')
    const grace = await idOf(governor)
    const about = { kind: 'contract', ref: await contractId(), year: null } as const
    await expect(of(finance).approval.addComment.mutate({ about, text: '@Grace Hall', mentionIds: [grace] })).rejects.toThrow(
      'Someone you mentioned cannot see this. Remove their name.',
    )
  })
  it('can be resolved only by users who may read it', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const overview = await inviteAndSignIn(
      product,
      administrator,
      'overview@harbour.example',
      ['BudgetingOverviewReadUpdate'],
      places.organisationId,
      [places.locations.Northgate!],
    )
    const { rows } = await of(finance).contracts.list.query({ pageSize: 2 })
    const about = { kind: 'contract', ref: rows[1]!.id, year: null } as const
    const id = await of(finance).approval.addComment.mutate({ about, text: 'What is this pay?' })
    for (const change of ['resolve', 'delete'] as const)
      await expect(of(overview).approval.changeComment.mutate({ id, change })).rejects.toThrow('Comment was not found.')
    const own = await of(finance).approval.addComment.mutate({ about: whole, text: 'All in all' })
    await of(overview).approval.changeComment.mutate({ id: own, change: 'resolve' })
    const settled = (await of(finance).approval.comments.query()).filter((one) => one.resolvedBy !== null).map((one) => one.id)
    expect([settled.includes(id), settled.includes(own)]).toEqual([false, true])
  })
  it('cannot mention users of another trust, nor be about something outside the budget', async () => {
    const meadow = await signInAs(product, 'finance@meadow.example')
    const theirs = (
      await meadow.call('GET', '/api/Authorisation', undefined, { OrganisationId: (await findTrustIds(meadow)).organisationId })
    ).body.user.id
    await expect(of(finance).approval.addComment.mutate({ about: whole, text: 'Hello', mentionIds: [theirs] })).rejects.toThrow(
      'cannot see this',
    )
    for (const about of [
      { kind: 'contract', ref: '0'.repeat(24), year: null },
      { kind: 'entry', ref: '0'.repeat(24), year: null },
      { kind: 'code', ref: '999999', year: null },
    ] as const)
      await expect(of(finance).approval.addComment.mutate({ about, text: 'Hello' })).rejects.toThrow('This is no longer in the budget.')
    const budgetOf = { kind: 'budget', ref: 'zz', year: null } as const
    await expect(of(finance).approval.addComment.mutate({ about: budgetOf, text: 'Hello' })).rejects.toThrow(
      'Choose what the comment is about.',
    )
  })
  it('is announced by one email to a mentioned user who is away, without its text', async () => {
    const { url, mails } = await startMailbox()
    const store = openStore(product.config, 2)
    atEnd(() => store.close())
    const config = { mail: { url, from: 'bursar@example.org' }, origin: 'https://bursar.example' }
    const mentionIds = [await idOf(manager)]
    await of(finance).approval.addComment.mutate({ about: whole, text: 'Secret words for @Sam Turner', mentionIds })
    await mailCommentNotices(store, config, new Date())
    expect(mails.filter((mail) => mail.includes('northgate@harbour.example'))).toEqual([])
    const later = new Date(Date.now() + 10 * 60_000)
    await mailCommentNotices(store, config, later)
    await mailCommentNotices(store, config, later)
    const told = mails.filter((mail) => mail.includes('To: northgate@harbour.example'))
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(/Ruth Mensah mentioned you/)
    expect(told[0]).not.toMatch(/Secret/)
    expect(told[0]!.replace(/=\r?\n/g, '').replaceAll('=3D', '=')).toMatch(new RegExp(`/\\?o=\\d+&l=\\d+&b=${budgetId}`))
    const { place } = await figureOf('budgetAnalysis', ({ kind }) => kind === 'Data')
    const id = await of(finance).cellComments.add.mutate({ ...place, text: 'Secret words for @Sam Turner', mentionIds })
    await mailCommentNotices(store, config, later)
    expect(
      mails
        .at(-1)!
        .replace(/=\r?\n/g, '')
        .replaceAll('=3D', '='),
    ).toContain(`comment=${id}`)
    await of(finance).cellComments.change.mutate({ budgetId, id, change: 'delete' })
  })
  it('is announced by email however many unread comments before it were deleted', async () => {
    const { url, mails } = await startMailbox()
    const store = openStore(product.config, 2)
    atEnd(() => store.close())
    const sam = await idOf(manager)
    await connectAsOwner(product.config.databaseUrl)`
      insert into comment_notices (organisation_id, user_id, budget_id, comment_id, is_mention, at)
      select ${places.organisationId}, ${sam}, ${budgetId}, lpad(to_hex(number), 24, '0'), true, now() - interval '1 day' from generate_series(1, 60) number`
    await of(finance).approval.addComment.mutate({ about: whole, text: 'And this, @Sam Turner?', mentionIds: [sam] })
    const config = { mail: { url, from: 'bursar@example.org' }, origin: 'https://bursar.example' }
    const later = new Date(Date.now() + 10 * 60_000)
    await mailCommentNotices(store, config, later)
    await mailCommentNotices(store, config, later)
    expect(mails.filter((mail) => mail.includes('To: northgate@harbour.example'))).toHaveLength(1)
  })
  it('is shown as typed, even if a number in it looks like an employee’s', async () => {
    const sam = await idOf(manager)
    const typed = `See the range A@[${sam}] and @[77]`
    const id = await of(finance).approval.addComment.mutate({ about: whole, text: typed })
    const mentioning = await of(finance).approval.addComment.mutate({ about: whole, text: 'See @[77], @Sam Turner', mentionIds: [sam] })
    const said = await of(finance).approval.comments.query()
    expect(said.find((one) => one.id === id)?.text).toBe(typed)
    expect(said.find((one) => one.id === mentioning)?.text).toBe('See @[77], @Sam Turner')
  })
})

/** The location and the name of a figure in a report of the budget. */
async function figureOf(name: CommentableReport, isIt: (row: ReportRow) => boolean) {
  const report = await of(finance).reports[name].query({ budgetId })
  const at = report.rows.findIndex((row) => isIt(row) && row.values.some((value) => typeof value === 'number'))
  const column = report.columns.findIndex(({ type }, index) => type === 'money' && typeof report.rows[at]!.values[index] === 'number')
  const row = assertDefined(createRowKeys(name, report, 0)[at])
  return { label: report.rows[at]!.label, place: { report: name, budgetId, row, column: report.columns[column]!.key, scheme: 0 } }
}
const idNamed = async (place: Parameters<ReturnType<typeof of>['cellComments']['readers']['query']>[0], name: string): Promise<number> =>
  assertDefined((await of(finance).cellComments.readers.query(place)).find((one) => one.name === name)).id

describe('a comment on a figure of a report', () => {
  it('is loaded with the figure for users who may see it, and is on the home page of those it mentions', async () => {
    const { place, label } = await figureOf('budgetAnalysis', ({ kind }) => kind === 'Data')
    const sam = await idNamed(place, 'Sam Turner')
    const id = await of(finance).cellComments.add.mutate({ ...place, text: 'More than last year, @Sam Turner?', mentionIds: [sam] })
    const unread = (await of(manager).home.comments.query()).first.find((one) => one.id === id)
    expect(unread).toMatchObject({ isMention: true, budgetId, about: { kind: 'cell', cell: { row: place.row, column: place.column } } })
    expect(unread!.name).toMatch(`Budget analysis: ${label}, 20`)
    const listed = await of(governor).cellComments.list.query({ report: 'budgetAnalysis', budgetId })
    expect(listed).toEqual([expect.objectContaining({ id, text: 'More than last year, @Sam Turner?', isOwn: false })])
    expect((await of(governor).approval.comments.query()).map((one) => one.id)).toContain(id)
    await of(manager).cellComments.see.mutate({ budgetId, ids: [id] })
    expect((await of(manager).home.comments.query()).first.map((one) => one.id)).not.toContain(id)
    await of(manager).cellComments.change.mutate({ budgetId, id, change: 'resolve' })
    expect((await of(finance).cellComments.list.query({ report: 'budgetAnalysis', budgetId }))[0]!.resolvedBy).toBe('Sam Turner')
  })
  it('on an employee’s figure is hidden from users who may not see staff, and the log has no name', async () => {
    const { place, label } = await figureOf('staffing', ({ drill }) => drill?.startsWith('contract=') ?? false)
    const id = await of(finance).cellComments.add.mutate({ ...place, text: 'Is this one right?' })
    expect((await of(manager).cellComments.list.query({ report: 'staffing', budgetId }))[0]!.name).toContain(label)
    expect(await of(governor).cellComments.list.query({ report: 'staffing', budgetId })).toEqual([])
    expect((await of(governor).approval.comments.query()).map((one) => one.id)).not.toContain(id)
    const found = { entity: 'comment', id, name: 'Is this one right?', about: expect.objectContaining({ kind: 'cell' }) }
    expect(await commentsFound(manager, 'this one right')).toEqual([expect.objectContaining(found)])
    expect(await commentsFound(governor, 'this one right')).toEqual([])
    expect((await of(finance).cellComments.readers.query(place)).map(({ name }) => name)).not.toContain('Grace Hall')
    await expect(
      of(finance).cellComments.add.mutate({ ...place, text: '@Grace Hall', mentionIds: [await idOf(governor)] }),
    ).rejects.toThrow('Someone you mentioned cannot see this.')
    const [stored] = await connectAsOwner(
      product.config.databaseUrl,
    )`select data::text from budget_events where data::text like ${`%${id}%`}`
    expect(stored!.data).not.toContain(label.split(',')[0])
  })
  it('on the total of all staff is shown to readers of the report without names', async () => {
    const { place } = await figureOf('staffing', ({ kind }) => kind === 'Total')
    const id = await of(finance).cellComments.add.mutate({ ...place, text: 'All of them' })
    expect((await of(governor).cellComments.list.query({ report: 'staffing', budgetId })).map((one) => one.id)).toEqual([id])
  })
  it('whose row is gone can still be found, with the figure of that time', async () => {
    const report = await of(finance).reports.budgetAnalysis.query({ budgetId })
    const column = report.columns[0]!.key
    const counted = await Promise.all(
      report.rows
        .filter(({ kind, drill }) => kind === 'Data' && drill)
        .map(async (row) => ({ row, found: await of(finance).reports.lines.query({ budgetId, row: row.drill!, column }) })),
    )
    const { row, found } = assertDefined(
      counted.find((one) => one.found.count > 0 && one.found.lines.every(({ kind }) => kind === 'entry')),
    )
    const { place } = await figureOf('budgetAnalysis', (one) => one.label === row.label)
    const id = await of(finance).cellComments.add.mutate({ ...place, text: 'Goes soon' })
    const words = (await of(finance).cellComments.list.query({ report: 'budgetAnalysis', budgetId })).find((one) => one.id === id)!.about
      .cell!.was
    expect(words).toMatch(/^-?[\d,]+\.\d\d$/)
    await of(finance).entries.delete.mutate({ ids: [...new Set(found.lines.map((one) => one.id))] })
    const after = await of(finance).reports.budgetAnalysis.query({ budgetId })
    expect(createRowKeys('budgetAnalysis', after, 0)).not.toContain(place.row)
    const kept = (await of(finance).cellComments.list.query({ report: 'budgetAnalysis', budgetId })).find((one) => one.id === id)!
    expect([kept.name, kept.about.cell!.was]).toEqual([expect.stringContaining(row.label), words])
    await expect(of(finance).cellComments.add.mutate({ ...place, column: 'year=1999/00', text: 'Nowhere' })).rejects.toThrow(
      'This figure is no longer in the report.',
    )
  })
  it('on a group is for users who see all of its budgets', async () => {
    const place = {
      ...(await figureOf('budgetAnalysis', ({ kind }) => kind === 'Total')).place,
      budgetId: null,
      budgetGroupId: places.groupId!,
    }
    const names = (await of(finance).cellComments.readers.query(place)).map(({ name }) => name)
    expect(names).not.toContain('Sam Turner')
    const id = await of(finance).cellComments.add.mutate({ ...place, text: 'All schools together' })
    const asked = { report: 'budgetAnalysis', budgetGroupId: places.groupId! } as const
    expect((await of(finance).cellComments.list.query(asked)).map((one) => one.id)).toEqual([id])
    expect(await of(manager).cellComments.list.query(asked)).toEqual([])
    expect(await commentsFound(finance, 'schools together')).toEqual([expect.objectContaining({ id })])
    expect(await commentsFound(manager, 'schools together')).toEqual([])
    expect(JSON.stringify(await of(finance).approval.comments.query())).not.toContain(id)
    await expect(of(manager).cellComments.add.mutate({ ...place, text: 'Mine too' })).rejects.toThrow(
      'You can see only some of the budgets of this group.',
    )
  })
})

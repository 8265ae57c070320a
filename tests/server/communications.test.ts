import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { openStore } from '../../server/core/database/database.ts'
import { loadFoundation } from '../../server/demo/load.ts'
import { connectAsOwner } from '../support/product/database.ts'
import { atEnd } from '../support/product/endings.ts'
import { type Body, browserCall, type Caller, findTrustIds, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'

let product: Product
let administrator: Caller
let finance: Caller
let governor: Caller
let meadow: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString()

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  governor = await signInAs(product, 'governor@harbour.example')
  meadow = await signInAs(product, 'finance@meadow.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

const message = (title: string, more: object = {}): Body => ({
  title,
  message: '<p>Text</p>',
  enabled: true,
  active: hours(-1),
  expires: hours(1),
  type: 3,
  ...more,
})
const titles = async (caller: Caller, selection: object): Promise<string[]> =>
  (await proceduresOf(product, caller, selection).communications.now.query()).messages.map((row) => String(row.title))

describe('a flash message', () => {
  it('B-251 shows while it is enabled and the time is between its start and end', async () => {
    await finance.call('POST', '/api/MyFlashMessages', message('Shows now'), own)
    await finance.call('POST', '/api/MyFlashMessages', message('Switched off', { enabled: false }), own)
    await finance.call('POST', '/api/MyFlashMessages', message('Not yet', { active: hours(1), expires: hours(2) }), own)
    await finance.call('POST', '/api/MyFlashMessages', message('Over', { active: hours(-2), expires: hours(-1) }), own)
    const shown = await titles(governor, own)
    expect(shown).toContain('Shows now')
    for (const hidden of ['Switched off', 'Not yet', 'Over']) expect(shown).not.toContain(hidden)
  })
  it('B-257 of an organisation shows to its users only, one of the administrator to everyone', async () => {
    await administrator.call('POST', '/api/FlashMessages', message('For everyone'))
    const theirs = { OrganisationId: (await findTrustIds(meadow)).organisationId }
    expect(await titles(meadow, theirs)).toContain('For everyone')
    expect(await titles(meadow, theirs)).not.toContain('Shows now')
    expect(await titles(governor, own)).toEqual(expect.arrayContaining(['For everyone', 'Shows now']))
  })
  it('reaches every organisation only from the administrator area, whoever writes it', async () => {
    for (const caller of [finance, administrator]) {
      const made = await caller.call('POST', '/api/MyFlashMessages', message('From a console', { organisationId: null }), own)
      expect([made.status, made.body.organisationId]).toEqual([201, places.organisationId])
      const kept = await caller.call('PUT', '/api/MyFlashMessages', { ...made.body, organisationId: null }, own)
      expect([kept.status, kept.body.organisationId]).toEqual([200, places.organisationId])
    }
    const national = (await administrator.call('POST', '/api/FlashMessages', message('For all'))).body
    for (const [method, path] of [
      ['POST', '/api/FlashMessages'],
      ['PUT', '/api/FlashMessages'],
    ] as const)
      expect((await finance.call(method, path, { ...national, title: 'Taken' }, own)).status).toBe(403)
    expect((await finance.call('PUT', '/api/MyFlashMessages', { ...national, title: 'Taken' }, own)).status).toBe(404)
    expect(await titles(meadow, { OrganisationId: (await findTrustIds(meadow)).organisationId })).not.toContain('From a console')
  })
  it('B-252 must end after it begins', async () => {
    const reply = await finance.call('POST', '/api/MyFlashMessages', message('Backwards', { active: hours(2), expires: hours(1) }), own)
    expect([reply.status, reply.body]).toEqual([400, 'Expires must be after Active.'])
  })
  it('B-256 records who posted it, whatever is sent', async () => {
    const made = await finance.call('POST', '/api/MyFlashMessages', message('Mine', { postedById: 999 }), own)
    const me = (await finance.call('GET', '/api/Authorisation', undefined, own)).body.user.id
    expect(made.body.postedById).toBe(me)
    const changed = await administrator.call('PUT', '/api/MyFlashMessages', { ...made.body, title: 'Changed', postedById: 1 }, own)
    expect(changed.body).toMatchObject({ title: 'Changed', postedById: me })
  })
  it('B-258 that does not show is listed only for users who may change it', async () => {
    const list = async (caller: Caller) =>
      (await caller.call('POST', '/api/FlashMessages/list', { pageSize: 100 }, own)).body.rows.map((row: Body) => row.title)
    expect(await list(governor)).not.toContain('Over')
    expect(await list(administrator)).toContain('Over')
  })
})

describe('rich text', () => {
  it('B-124 keeps headings, lists, bold, italic, links and images, and loses scripts, event attributes and styles', async () => {
    const html =
      '<h2 onclick="x()" style="color:red">Head</h2><ul><li><strong>bold</strong> <em>italic</em></li></ul>' +
      '<p><a href="https://gov.uk" onmouseover="x()">link</a> <a href="javascript:alert(1)">bad</a></p>' +
      '<img src="https://example.org/a.png" onerror="x()"><script>alert(1)</script><iframe src="https://x"></iframe>'
    const reply = await administrator.call('POST', '/api/NewsArticles', { title: 'Rich', message: html, active: hours(-1) })
    expect(reply.status).toBe(201)
    const kept = reply.body.message as string
    for (const part of [
      '<h2>Head</h2>',
      '<li><strong>bold</strong> <em>italic</em></li>',
      'href="https://gov.uk"',
      '<img src="https://example.org/a.png"',
    ])
      expect(kept).toContain(part)
    for (const part of ['script', 'onclick', 'onerror', 'onmouseover', 'style', 'javascript', 'iframe']) expect(kept).not.toContain(part)
  })
  it('without any content left is empty', async () => {
    const reply = await administrator.call('POST', '/api/NewsArticles', {
      title: 'Empty',
      message: '<script>1</script>',
      active: hours(-1),
    })
    expect([reply.status, reply.body]).toEqual([400, 'Message is required.'])
  })
})

describe('a help article', () => {
  it('B-038 is found by its path while it is enabled and within its dates', async () => {
    const make = (slug: string, more: object) =>
      administrator.call('POST', '/api/Assist', { slug, title: slug, article: '<p>Text</p>', enabled: true, ...more })
    await make('open', {})
    await make('closed', { enabled: false })
    await make('old', { expires: '2020-01-01' })
    const read = async (slug: string) => (await governor.call('GET', `/api/Assist/slug/${slug}`)).status
    expect([await read('open'), await read('closed'), await read('old'), await read('nothing')]).toEqual([200, 404, 404, 404])
  })
  it.each([
    ['https://www.youtube.com/embed/dQw4w9WgXcQ', 201],
    ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=5', 201],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 400],
    ['https://www.youtube.com.evil.example/embed/dQw4w9WgXcQ', 400],
    ['http://www.youtube.com/embed/dQw4w9WgXcQ', 400],
    ['https://vimeo.com/embed/dQw4w9WgXcQ', 400],
  ])('B-123 accepts the video %s with %i', async (video, status) => {
    const slug = `video-${Math.abs([...video].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7) % 1_000_000)}`
    expect((await administrator.call('POST', '/api/Assist', { slug, title: 'Video', article: '<p>x</p>', video })).status).toBe(status)
  })
})

describe('the help', () => {
  const helpOf = (caller: Caller, search = '') => proceduresOf(product, caller, own).communications.help.query({ search })
  it('lists the screens beside which each article is shown, in its order', async () => {
    const topics = await helpOf(governor)
    expect(topics[0]).toEqual({ slug: 'first-budget', title: 'Your first budget', screens: ['/console/budget-management'] })
    expect(topics.length).toBeGreaterThan(25)
  })
  it('is searched by title first, then by keywords and text', async () => {
    expect((await helpOf(governor, 'month end'))[0]?.slug).toBe('month-end')
    expect((await helpOf(governor, 'maternity'))[0]?.slug).toBe('extended-leave')
    expect((await helpOf(governor, 'glossary outturn')).map(({ slug }) => slug)).toEqual(['glossary'])
    expect(await helpOf(governor, 'no such thing')).toEqual([])
  })
  it('is found by the search over everything too', async () => {
    const hits = await proceduresOf(product, governor, own).search.find.query({ search: 'top slice' })
    expect(hits).toContainEqual({ entity: 'assist', id: 'pools', name: 'GAG pools and top slices', detail: '', place: null })
  })
  it('is updated by a newer version, except where an administrator changed or deleted it', async () => {
    const store = openStore(product.config)
    atEnd(() => store.close())
    const read = async (slug: string): Promise<Body> => (await administrator.call('GET', `/api/Assist/slug/${slug}`)).body
    const written = await read('compare')
    await administrator.call('PUT', '/api/Assist', { ...written, title: 'Our way to compare' })
    await administrator.call('DELETE', `/api/Assist/${(await read('bridge')).id}`)
    await connectAsOwner(product.config.databaseUrl)`update assist_articles set title = 'Old words' where slug = 'history'`
    await loadFoundation(store)
    expect((await read('history')).title).toBe('Who changed what')
    expect((await read('compare')).title).toBe('Our way to compare')
    expect((await administrator.call('GET', '/api/Assist/slug/bridge')).status).toBe(404)
    const { version } = await read('history')
    await loadFoundation(store)
    expect((await read('history')).version).toBe(version)
  })
})

describe('the page', () => {
  it('allows videos of one service, and no other frames', async () => {
    const policy = (await fetch(`${product.origin}/config.json`)).headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/frame-src 'self' https:\/\/www\.youtube\.com https:\/\/www\.youtube-nocookie\.com;/)
    expect(policy).toMatch(/script-src 'self';/)
  })
})

describe('reminders', () => {
  const month = async (caller: Caller, path: string): Promise<Body[]> =>
    (await caller.call('GET', `/api/MyReminders/${path}`, undefined, own)).body

  it('B-037 of a month are the user’s own and those addressed to them', async () => {
    const made = await governor.call('POST', '/api/MyReminders', { description: 'Call the bank', when: '2026-11-09', isRecurring: true })
    expect(made.status).toBe(201)
    const november = await month(governor, 'year/2026/month/11')
    expect(november.map((row) => row.description)).toEqual(
      expect.arrayContaining(['Call the bank', 'Trust finance committee', 'Academies accounts return opens']),
    )
    const later = await month(governor, 'year/2028/month/11')
    expect(later.find((row) => row.description === 'Call the bank')).toMatchObject({ when: '2028-11-09', since: '2026-11-09' })
    expect(later.map((row) => row.description)).not.toContain('Trust finance committee')
  })
  it('B-261 belong to their owner: nobody else sees, changes or deletes them', async () => {
    const { rows } = (await governor.call('POST', '/api/MyReminders/List', {})).body
    const mine = rows.find((row: Body) => row.description === 'Call the bank')
    expect((await month(finance, 'year/2026/month/11')).map((row) => row.description)).not.toContain('Call the bank')
    expect((await finance.call('PUT', '/api/MyReminders', { ...mine, description: 'Stolen' })).status).toBe(404)
    expect((await finance.call('POST', '/api/MyReminders/delete', { id: mine.id })).status).toBe(404)
    expect((await administrator.call('GET', `/api/Reminders/${mine.id}`)).status).toBe(404)
    expect((await governor.call('PUT', '/api/MyReminders', { ...mine, description: 'Call the bank today' })).body).toMatchObject({
      version: 2,
    })
    expect((await governor.call('POST', '/api/MyReminders/delete', { id: mine.id })).status).toBe(204)
  })
  it('of everyone are kept by administrators', async () => {
    expect((await finance.call('POST', '/api/Reminders', { description: 'x', when: '2026-11-09', type: 3 }, own)).status).toBe(403)
    await expect(browserCall(product, finance, 'resources.reminder.create', { description: 'x', when: '2026-11-09' }, own)).rejects.toThrow(
      /permission/,
    )
  })
})

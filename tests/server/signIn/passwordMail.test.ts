import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { startMailbox } from '../../support/outside/mailbox.ts'
import { type Body, browserCall, type Caller, findTrustIds, signInAs } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let own: { OrganisationId: OrganisationId }
let governorId: number

beforeAll(async () => {
  mailbox = await startMailbox()
  product = await startProduct({ mail: { url: mailbox.url, from: 'bursar@harbour.example' } })
  finance = await signInAs(product, 'finance@harbour.example')
  own = { OrganisationId: (await findTrustIds(finance)).organisationId }
  const people = await finance.call('POST', '/api/MyUsers/list', { search: 'governor@harbour.example' }, own)
  governorId = people.body.rows[0].id
})

describe('a password link, with email set up', () => {
  it('is sent to the user by email and never shown to the person who requested it', async () => {
    const answer = await browserCall<Body>(product, finance, 'users.own.invite', { id: governorId }, own)
    expect(answer).toMatchObject({ link: null, kind: 'reset', sent: true })
    const [mail] = mailbox.mails
    expect(mail).toMatch(/^To: governor@harbour.example$/m)
    const link = /\/invitation\/[\w-]+/.exec(mail!.replace(/=\n/g, ''))![0]
    const password = 'A long enough password'
    const body = new URLSearchParams({ password, again: password })
    const reply = await fetch(product.origin + link, { method: 'POST', body, redirect: 'manual' })
    expect(reply.status).toBe(303)
    expect(mailbox.mails[1]).toMatch(/^Subject: Your password for Bursar was changed$/m)
  })
})

describe('the page for a forgotten password', () => {
  const ask = async (email: string) => {
    const reply = await fetch(`${product.origin}/forgotten-password`, { method: 'POST', body: new URLSearchParams({ email }) })
    return { status: reply.status, page: await reply.text() }
  }
  const mailsTo = (email: string) => mailbox.mails.filter((mail) => mail.includes(`To: ${email}`))

  it('mails a link to a user, and gives a stranger the same answer without a mail', async () => {
    const known = await ask(' Auditor@harbour.example')
    const unknown = await ask('nobody@harbour.example')
    expect(known.status).toBe(200)
    expect(known.page).toContain('the link is on its way')
    expect(unknown).toEqual(known)
    await expect.poll(() => mailsTo('auditor@harbour.example').length).toBe(1)
    const [link] = /\/invitation\/[\w-]+/.exec(mailsTo('auditor@harbour.example')[0]!.replace(/=\n/g, ''))!
    expect((await fetch(product.origin + link)).status).toBe(200)
    expect(mailsTo('nobody@harbour.example')).toEqual([])
    // Anybody could have entered the address: the user is told, and the log names nobody.
    const auditor = await signInAs(product, 'auditor@harbour.example')
    const { passwordLinks } = await proceduresOf(product, auditor, { OrganisationId: own.OrganisationId }).communications.now.query()
    expect(passwordLinks).toMatchObject([{ by: 'Bursar', kind: 'reset', mailed: true, usedAt: null }])
  })
  it('answers somebody without an email address, and odd ones, without a mail', async () => {
    const before = mailbox.mails.length
    for (const email of ['', '\0', 'a'.repeat(5000), '%', "' or 1=1 --"]) expect((await ask(email)).status).toBe(200)
    expect(mailbox.mails.length).toBe(before)
  })
  it('mails at most three links an hour to one address', async () => {
    for (let time = 0; time < 5; time++) expect((await ask('finance@meadow.example')).status).toBe(200)
    // Mails are sent in turn, so a later one for another address has had those before it sent.
    await ask('finance@harbour.example')
    await expect.poll(() => mailsTo('finance@harbour.example').length).toBe(1)
    expect(mailsTo('finance@meadow.example')).toHaveLength(3)
  })
  it('sends no link to an inactive user', async () => {
    const administrator = await signInAs(product, 'admin@bursar.example')
    const people = await administrator.call('POST', '/api/Users/list', { search: 'northgate@harbour.example' })
    const user = (await administrator.call('GET', `/api/Users/${people.body.rows[0].id}`)).body
    expect((await administrator.call('PUT', '/api/Users', { ...user, active: false })).status).toBe(200)
    await ask('northgate@harbour.example')
    await ask('governor@harbour.example')
    await expect.poll(() => mailsTo('governor@harbour.example').some((mail) => mail.includes('A new password'))).toBe(true)
    expect(mailsTo('northgate@harbour.example')).toEqual([])
  })
})

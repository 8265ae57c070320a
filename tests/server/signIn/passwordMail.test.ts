import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { startMailbox } from '../../support/outside/mailbox.ts'
import { asUser, type Body, browserCall, type Caller, placesOf } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let finance: Caller
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let own: { OrganisationId: OrganisationId }
let governorId: number

beforeAll(async () => {
  mailbox = await startMailbox()
  product = await startProduct({ mail: { url: mailbox.url, from: 'bursar@harbour.example' } })
  finance = await asUser(product, 'finance@harbour.example')
  own = { OrganisationId: (await placesOf(finance)).organisationId }
  const people = await finance.call('POST', '/api/MyUsers/list', { search: 'governor@harbour.example' }, own)
  governorId = people.body.rows[0].id
})

describe('a password link, where mail is set up', () => {
  it('goes to the person by mail and never to who asked for it', async () => {
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

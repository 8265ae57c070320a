import { beforeAll, describe, expect, it } from 'vitest'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let administrator: Caller
/** May reconcile groups, but not the whole organisation. */
let ofGroups: Caller
/** May reconcile the whole organisation, but not groups. */
let ofWhole: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let somebody: string

const refused = 'You do not have permission to do this.'
const base = '/api/monitoring/PayrollRec'
const june = { year: 2027, month: 6 }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(await signInAs(product, 'finance@harbour.example'))
  own = { OrganisationId: places.organisationId }
  const invited = (email: string, permissions: string[]) =>
    inviteAndSignIn(product, administrator, email, permissions, places.organisationId)
  const monitoring = (area: string) => `${area}MonitoringBudgetActualsReadUpdate`
  ofGroups = await invited('groups@harbour.example', ['BudgetingPayrollReconciliationReadUpdate', monitoring('Budgeting')])
  ofWhole = await invited('whole@harbour.example', ['ConsolePayrollReconciliationReadUpdate', monitoring('Console')])
  somebody = (await reconcile({ budgetGroupId: places.groupId })).rows[0].employeeNumber
}, 300_000)

const reconcile = async (level: Body, who = ofGroups): Promise<Body> => (await who.call('POST', base, { ...june, ...level }, own)).body
const noteOf = ({ rows }: Body): string | null => rows.find((row: Body) => row.employeeNumber === somebody).note

/** Makes a call as the browser does. @returns its status, and its result or the sentence of its refusal */
async function press(who: Caller, procedure: string, input: Body, key?: string): Promise<[status: number, said: Body]> {
  const isQuery = /overview|workbook|exists/.test(procedure)
  const sent = JSON.stringify({ json: input })
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${who.token}`,
    OrganisationId: String(own.OrganisationId),
    ...(key ? { 'Idempotency-Key': key } : {}),
  }
  const address = `${product.origin}/trpc/${procedure}${isQuery ? `?input=${encodeURIComponent(sent)}` : ''}`
  const reply = await fetch(address, { method: isQuery ? 'GET' : 'POST', headers, ...(isQuery ? {} : { body: sent }) })
  const { result, error } = (await reply.json()) as Body
  return [reply.status, result ? result.data.json : error.json.message]
}

interface LevelCall {
  procedure: string
  input: Body
  method: string
  /** The path for the whole organisation; `part` is the one for a group. */
  whole: string
  part: string
  body?: Body
  /** The name of the field that names the group. */
  field?: string
}

/** The calls that have an address for each level. */
function callsOfLevels(): LevelCall[] {
  const { groupId: group } = places
  const words = { employeeNumber: somebody, notes: 'Looked at' }
  const many = { employeeNumbers: [somebody] }
  const at = '2027/6'
  const person = encodeURIComponent(somebody)
  const cell = `${person}/100/${places.locations.Northgate}/10`
  const written = { employeeNumber: somebody, payrollCode: '100', locationId: places.locations.Northgate, value: 10 }
  const code = { budgetCodeId: 1, type: 1 }
  const named = (procedure: string, method: string, path: string, more: { input?: Body; body?: Body } = {}): LevelCall => ({
    procedure: `payroll.${procedure}`,
    method,
    whole: `${base}/${path}`,
    part: `${base}/${path}/${group}`,
    body: more.body,
    input: { ...june, ...more.body, ...more.input },
  })
  const monitored = (procedure: string, method: string, path: string, more: { input?: Body; body?: Body }): LevelCall => ({
    ...named(procedure, method, path, more),
    procedure: `monitoring.${procedure}`,
    whole: `/api/monitoring/${path}`,
    part: `/api/monitoring/${path}/${group}`,
  })
  return [
    named('note', 'POST', `note/${at}`, { body: words }),
    named('notes', 'POST', `note/bulk/${at}`, { body: { ...many, notes: 'Looked at' } }),
    named('notesDelete', 'POST', `note/bulk/delete/${at}`, { body: many }),
    named('notesClear', 'DELETE', `note/meta/${at}`),
    named('noteDelete', 'DELETE', `note/${at}/${person}`, { input: { employee: somebody } }),
    named('actual', 'POST', `actuals/${at}/${cell}`, { input: written }),
    named('carryForward', 'POST', `carryforward/${at}/${person}/10`, { input: { employeeNumber: somebody, value: 10 } }),
    named('carryForwardDelete', 'DELETE', `carryforward/${at}/${person}`, { input: { employeeNumber: somebody } }),
    { ...named('overview', 'GET', `actuals/overview/${at}`), field: 'budgetGroup' },
    named('report.workbook', 'GET', `report/${at}`),
    named('report.paper', 'POST', `report/${at}`),
    monitored('note', 'POST', `note/${at}`, { body: { ...code, notes: 'Looked at' } }),
    monitored('noteDelete', 'DELETE', `note/${at}/1/1`, { input: { budgetCode: 1, type: 1 } }),
    monitored('adjustment', 'POST', `adjustment/${at}`, { body: { ...code, value: 10 } }),
    monitored('adjustmentDelete', 'DELETE', `adjustment/${at}/1/1`, { input: { budgetCode: 1, type: 1 } }),
    ...completing(),
  ]
}

/** The calls on a group for which the permission for the whole organisation is not enough. */
function completing(): LevelCall[] {
  const { groupId: group } = places
  const path = (whole: string, part: string) => ({ whole: `${base}/${whole}`, part: `${base}/${part}` })
  return [
    {
      procedure: 'payroll.clear',
      input: { ...june, option: 3 },
      method: 'DELETE',
      ...path('console/2027/6/3', `2027/6/${group}/3`),
      field: 'budgetGroup',
    },
    {
      procedure: 'payroll.complete',
      input: { ...june, type: 2 },
      method: 'POST',
      ...path('console/complete/2027/6', `complete/2027/6/2/${group}`),
    },
    {
      procedure: 'payroll.reopen',
      input: { ...june, reason: 'Late' },
      method: 'POST',
      ...path('console/reopen/2027/6', `reopen/2027/6/${group}`),
    },
  ]
}

const levelOf = ({ field = 'group' }: LevelCall, group: string | null | undefined): Body => (group === undefined ? {} : { [field]: group })

describe('a call that works for the whole organisation and for a budget group', () => {
  it('is refused for the whole organisation to users who may reconcile groups only, however the level is sent', {
    timeout: 120_000,
  }, async () => {
    const { groupId } = places
    for (const one of callsOfLevels()) {
      for (const none of [null, undefined])
        expect([one.procedure, await press(ofGroups, one.procedure, { ...one.input, ...levelOf(one, none) })]).toEqual([
          one.procedure,
          [403, refused],
        ])
      const plain = await ofGroups.call(one.method, one.whole, one.body, own)
      expect([one.whole, plain.status, plain.body]).toEqual([one.whole, 403, refused])
      const isRead = one.method === 'GET' || one.method === 'DELETE'
      const named = isRead
        ? await ofGroups.call(one.method, `${one.whole}?${new URLSearchParams(levelOf(one, groupId))}`, undefined, own)
        : await ofGroups.call(one.method, one.whole, { ...one.body, ...levelOf(one, groupId) }, own)
      expect([one.whole, named.status, named.body]).toEqual([one.whole, 403, refused])
    }
  })
  it('is refused for a group to users who may complete only the whole organisation', { timeout: 120_000 }, async () => {
    for (const one of completing()) {
      const pressed = await press(ofWhole, one.procedure, { ...one.input, ...levelOf(one, places.groupId) })
      expect([one.procedure, pressed]).toEqual([one.procedure, [403, refused]])
      const { status, body } = await ofWhole.call(one.method, one.part, undefined, own)
      expect([one.part, status, body]).toEqual([one.part, 403, refused])
    }
  })
  it('is carried out at the level for which the caller has permission, from the browser and by REST', {
    timeout: 120_000,
  }, async () => {
    for (const [who, level] of [[ofGroups, places.groupId] as const, [ofWhole, null] as const]) {
      expect((await press(who, 'payroll.complete', { ...june, type: 2, group: level }))[0]).toBe(200)
      const [complete, reopen] = completing().slice(1)
      const address = (one: LevelCall | undefined) => (level ? assertDefined(one).part : assertDefined(one).whole)
      expect((await who.call('POST', address(reopen), { reason: 'Late' }, own)).status).toBe(200)
      expect((await who.call('POST', address(complete), level ? undefined : { type: 2 }, own)).status).toBe(200)
      expect((await press(who, 'payroll.reopen', { ...june, reason: 'Late', group: level }))[0]).toBe(200)
    }
  })
  it('ignores a group in the body or query at the path of the whole organisation', { timeout: 120_000 }, async () => {
    const { groupId } = places
    const unknown = (field: string) => `There is no field ${field}. Leave it out.`
    const note = { employeeNumber: somebody, notes: 'Of the whole organisation' }
    const named = await ofWhole.call('POST', `${base}/note/2027/6`, { ...note, group: groupId }, own)
    expect([named.status, named.body]).toEqual([400, unknown('group')])
    const asked = await ofWhole.call('GET', `${base}/actuals/overview/2027/6?budgetGroup=${groupId}`, undefined, own)
    expect([asked.status, asked.body]).toEqual([400, unknown('budgetGroup')])
    // As with any field, an empty one is ignored in a change.
    for (const empty of [null, []])
      expect((await ofWhole.call('POST', `${base}/note/2027/6`, { ...note, group: empty }, own)).status).toBe(200)
    expect(noteOf(await reconcile({ budgetGroupId: null }, ofWhole))).toBe(note.notes)
    expect(noteOf(await reconcile({ budgetGroupId: groupId }))).toBeNull()
    // The group in the path applies, whatever the body names.
    const other = 'f'.repeat(24)
    expect(
      (await ofGroups.call('POST', `${base}/note/2027/6/${groupId}`, { ...note, notes: 'Of the group', group: other }, own)).status,
    ).toBe(200)
    expect(noteOf(await reconcile({ budgetGroupId: groupId }))).toBe('Of the group')
    expect(noteOf(await reconcile({ budgetGroupId: null }, ofWhole))).toBe(note.notes)
  })
  it('does not repeat its stored reply to a caller who has lost the permission for the level', { timeout: 120_000 }, async () => {
    const permissions = ['BudgetingPayrollReconciliationReadUpdate', 'ConsolePayrollReconciliationReadUpdate']
    const both = await inviteAndSignIn(product, administrator, 'fewer@harbour.example', permissions, places.organisationId)
    const note = { ...june, employeeNumber: somebody, notes: 'Said once', group: null }
    const key = 'c5c5c5c5-0000-4000-8000-000000000001'
    expect((await press(both, 'payroll.note', note, key))[0]).toBe(200)
    const groups = await administrator.call('POST', '/api/UserGroups/list', { pageNumber: 1, pageSize: 500 })
    const theirs = groups.body.rows.find((one: Body) => one.name === 'Group of fewer@harbour.example')
    const { body } = await administrator.call('GET', `/api/UserGroups/${theirs.id}`)
    const saved = await administrator.call('PUT', '/api/UserGroups', { ...body, permissions: [{ name: permissions[0] }] })
    expect(saved.status).toBe(200)
    expect(await press(both, 'payroll.note', note, key)).toEqual([403, refused])
    expect((await press(both, 'payroll.note', { ...note, group: places.groupId }))[0]).toBe(200)
  })
})

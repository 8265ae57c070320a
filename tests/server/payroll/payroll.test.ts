import { beforeAll, describe, expect, it } from 'vitest'
import { foldItems } from '../../../domain/changes/itemLog.ts'
import { evolve } from '../../../domain/payroll/evolve.ts'
import { type LocationId, type OrganisationId, organisationWideLocationId, toOrganisationId } from '../../../domain/values/ids.ts'
import { verifyAllOnce } from '../../../server/audit/verify/verifyAll.ts'
import { type OrganisationTx, openStore } from '../../../server/core/database/database.ts'
import { readStream } from '../../../server/core/stream/stream.ts'
import { loadPayrollItems } from '../../../server/streams/payroll/items.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import {
  asClient,
  type Body,
  browserAsk,
  browserCall,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Reply,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

let product: Product
let administrator: Caller
/** Does the payroll of the whole trust and of its groups. */
let payroll: Caller
/** Reconciles groups, at one school only. */
let school: Caller
let meadow: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let northgate: LocationId
let ids: Record<string, string>

const base = '/api/monitoring/PayrollRec'
const permissions = [
  'ConsolePayrollReconciliationReadUpdate',
  'BudgetingPayrollReconciliationReadUpdate',
  'ConsoleLocationsRead',
  'ConsolePayrollCodesReadUpdate',
]

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(await signInAs(product, 'finance@harbour.example'))
  own = { OrganisationId: places.organisationId }
  northgate = places.locations.Northgate!
  payroll = await inviteAndSignIn(product, administrator, 'payroll@harbour.example', permissions, places.organisationId)
  const some = ['BudgetingPayrollReconciliationReadUpdate']
  school = await inviteAndSignIn(product, administrator, 'school@harbour.example', some, places.organisationId, [northgate])
  meadow = await signInAs(product, 'finance@meadow.example')
  const everything = { pageNumber: 1, pageSize: 5000 }
  const rows = (await payroll.call('POST', '/api/MyLocations/list', everything, own)).body.rows as Body[]
  ids = Object.fromEntries(rows.map((row) => [row.alias, row.payrollRecId]))
  const unpaid = { code: 'D1', type: 2, description: 'Unpaid days', element: 7, locations: [], serviceTerms: [] }
  expect((await payroll.call('POST', '/api/PayrollCodes', unpaid, own)).status).toBe(201)
  const { rows: paid } = await reconcile(2)
  ;[somebody, anybody] = (paid as Body[])
    .filter((one) => one.payrollCode === '100' && one.calculated > 500)
    .map((one) => one.employeeNumber)
}, 300_000)

const ofGroup = () => ({ budgetGroupId: places.groupId })
/** The level of the whole organisation, separate from its groups. */
const ofAll = { budgetGroupId: null }

const send = (path: string, rows: Body[], who = payroll): Promise<Reply> => who.call('POST', `${base}/${path}`, rows, own)
const toNorthgate = (month: number, rows: Body[], who = payroll): Promise<Reply> =>
  who.call('POST', `${base}/actuals/import/2027/${month}`, rows, places.at('Northgate'))
const post = (path: string, body?: Body, who = payroll): Promise<Reply> => who.call('POST', `${base}/${path}`, body, own)
const remove = (path: string, who = payroll): Promise<Reply> => who.call('DELETE', `${base}/${path}`, undefined, own)
const get = (path: string, who = payroll): Promise<Reply> => who.call('GET', `${base}/${path}`, undefined, own)
/** Reconciles a month of Northgate’s budget, with its group’s notes. */
const reconcile = async (month: number, request: Body = { budgetId: places.budgets.Northgate }, who = payroll): Promise<Body> => {
  const reply = await who.call('POST', base, { year: 2027, month, useInflation: true, payScaleTableIds: [], ...request }, own)
  expect(reply.status, JSON.stringify(reply.body).slice(0, 300)).toBe(200)
  return reply.body
}
const row = (EmployeeNumber: string, PayrollCode: string, Actual: number | string, more: Body = {}) => ({
  EmployeeNumber,
  PayrollCode,
  Actual: String(Actual),
  ...more,
})
const ask = async (name: string, input: Body, who = payroll): Promise<Body> =>
  (await browserAsk(product, who, `payroll.${name}`, input, own)).data
const press = (name: string, input: Body, who = payroll): Promise<Body> => browserCall(product, who, `payroll.${name}`, input, own)

async function inDatabase<T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  const store = openStore(product.config, 1)
  try {
    return await store.asPlatform(work)
  } finally {
    await store.close()
  }
}

/** Northgate’s pay for the month as the budget calculates it, in the rows of a payroll file. */
async function asCalculated(month: number): Promise<Body[]> {
  const { rows } = await reconcile(month)
  return (rows as Body[])
    .filter((one) => one.locationId === northgate && one.payrollCode && one.calculated !== null && one.calculated !== 0)
    .map((one) => row(one.employeeNumber, one.payrollCode, one.calculated.toFixed(2)))
}
const at = (found: Body, employee: string, code = '100'): Body =>
  found.rows.find((one: Body) => one.employeeNumber === employee && one.payrollCode === code && one.locationId === northgate)
const pennies = (values: number[]): number => values.reduce((sum, value) => sum + Math.round(value * 100), 0)
/** The number of an employee of Northgate with basic pay and no other row of that code. */
let somebody: string
let anybody: string

describe('a month of payroll', () => {
  it('B-214 B-225 is compared with the budgets’ calculated pay, for a budget alone as in its group, before a file is imported', async () => {
    const group = await reconcile(2, ofGroup())
    expect(group.rows.length).toBeGreaterThan(100)
    expect(new Set(group.rows.map((one: Body) => one.status))).toEqual(new Set(['onlyInBudget']))
    expect(group).toMatchObject({ state: 1, proof: { file: 0, rows: 0, holds: true } })
    const { rows } = await reconcile(2)
    expect(rows).toEqual(group.rows.filter((one: Body) => one.locationId === northgate))
    expect(at({ rows }, somebody).name).toMatch(/ /)
  })
  it('B-209 B-223 is matched by a file of the calculated pay, proved to the penny, and a second file replaces only what it contains', async () => {
    const file = await asCalculated(2)
    const { status, body } = await toNorthgate(2, file)
    expect([status, body.imported, body.created, body.updated]).toEqual([200, file.length, file.length, 0])
    expect(Math.round(body.sum * 100)).toBe(pennies(file.map((one) => Number(one.Actual))))
    const found = await reconcile(2)
    expect(new Set(found.rows.map((one: Body) => one.status))).toEqual(new Set(['matched']))
    expect(found.proof).toEqual({ file: body.sum, rows: body.sum, holds: true })
    await post(`note/2027/2/${places.groupId}`, { employeeNumber: somebody, notes: 'Looked at' })
    const again = await toNorthgate(2, [row(somebody, '100', 1000)])
    expect([again.body.created, again.body.updated]).toEqual([0, 1])
    const after = await reconcile(2)
    expect(at(after, somebody)).toMatchObject({ actual: 1000, status: 'different', note: 'Looked at' })
    expect(at(after, anybody).status).toBe('matched')
  })
  it('B-215 ignores awards in the assumptions on request, and uses other pay scale tables', async () => {
    const total = async (request: Body): Promise<number> =>
      (await reconcile(11, { budgetId: places.budgets.Northgate, ...request })).totals.calculated
    const [budgeted, without] = [await total({}), await total({ useInflation: false })]
    expect(without).toBeLessThan(budgeted)
    const tables = await administrator.call('POST', '/api/AdminTables/list', { pageNumber: 1, pageSize: 500 }, own)
    const old = tables.body.rows.find((table: Body) => table.name === 'Teachers Sept 2024')
    expect(await total({ useInflation: false, payScaleTableIds: [old.id] })).toBeLessThan(without)
    const wrong = await payroll.call(
      'POST',
      base,
      { year: 2027, month: 11, budgetGroupId: places.groupId, payScaleTableIds: [99_999_999] },
      own,
    )
    expect([wrong.status, wrong.body]).toEqual([400, 'Pay scale table was not found.'])
  })
  it('B-213 is a calendar year and a month from 1 to 12', async () => {
    for (const path of ['actuals/overview/2027/13', 'actuals/overview/1999/1', 'actuals/overview/2027/0'])
      expect((await get(path)).status).toBe(400)
    const far = await payroll.call('POST', base, { year: 2050, month: 3, budgetGroupId: places.groupId }, own)
    expect([far.status, far.body]).toEqual([400, 'March 2050 is not in any year of the budgets of this group. Choose another month.'])
  })
  it('B-222 is summarised in numbers for the whole organisation and for a group', async () => {
    const group = (await get(`actuals/overview/2027/2/${places.groupId}`)).body
    expect(group).toMatchObject({ year: 2027, month: 2, state: 1, onlyInPayroll: 0 })
    expect(group.rows).toBe(group.matched + group.different + group.onlyInBudget + group.onlyInPayroll)
    expect(group.importedAt).toMatch(/^20\d\d-/)
    const whole = (await get('actuals/overview/2027/2')).body
    expect(whole.calculated).toBe(group.calculated)
    const schools = await ask('locations', { year: 2027, month: 2, group: places.groupId })
    expect(pennies(schools.map((one: Body) => one.overview.calculated))).toBe(Math.round(group.calculated * 100))
    expect(schools.filter((one: Body) => one.overview.importedAt).map((one: Body) => one.locationId)).toEqual([northgate])
  })
  it('B-224 without a file differs from the months with actuals, which are listed', async () => {
    const { body } = await get(`actuals/exists/${places.groupId}`)
    expect(body.exists).toBe(true)
    expect(body.months).toContainEqual({ year: 2027, month: 2 })
    expect((await ask('exists', { id: null })).months).toContainEqual({ year: 2027, month: 2 })
  })
})

describe('a payroll file', () => {
  it('B-140 B-146 with an invalid cell is refused with its row, or without a column, and saves nothing', async () => {
    const { status, body } = await toNorthgate(3, [row(somebody, '100', 1), row(somebody, 'NOPE', 'a lot')])
    expect([status, body.imported]).toEqual([400, 0])
    expect(body.errors.map((error: Body) => [error.row, error.column, error.value])).toEqual([
      [2, 'Actual', 'a lot'],
      [2, 'PayrollCode', 'NOPE'],
    ])
    expect((await toNorthgate(3, [{ EmployeeNumber: somebody, PayrollCode: '100' }])).body.errors[0].message).toBe(
      'These columns are missing: Actual.',
    )
    expect(at(await reconcile(3), somebody).imported).toBeNull()
  })
  it('B-148 for the whole organisation gives the location of its rows', async () => {
    const good = await send('console/actuals/import/2027/3', [row(somebody, '100', 1, { PayrollRecId: ids.Northgate })])
    expect(good.body).toMatchObject({ imported: 1, created: 1, sum: 1 })
    expect(at(await reconcile(3), somebody)).toMatchObject({ locationId: northgate, actual: 1 })
  })
  it('matches numbers without zeros and spaces, keeps unknown numbers, and reports them', async () => {
    const { body } = await toNorthgate(3, [
      row(` 00${somebody} `, '100', 700),
      row(somebody, '100', '300.50'),
      row(somebody, 'D1', 20),
      row('ZZ-9', '100', 55),
    ])
    expect(body).toMatchObject({ imported: 4, unknown: ['ZZ-9'], sum: 1075.5 })
    expect(body.doubled).toMatchObject([{ payrollCode: '100', rows: [1, 2], value: 1000.5 }])
    expect(body.remarks).toHaveLength(3)
    const found = await reconcile(3)
    expect(at(found, somebody)).toMatchObject({ actual: 1000.5 })
    expect(at(found, somebody, 'D1')).toMatchObject({ actual: -20, status: 'onlyInPayroll', calculated: 0 })
    expect(at(found, 'ZZ-9')).toMatchObject({ actual: 55, status: 'onlyInPayroll', name: null, staffId: null })
    expect(found.proof.holds).toBe(true)
  })
  it('that was imported for another month is reported, and accepted if that is confirmed or the file names its month', async () => {
    const rows = [row(somebody, '100', 4321)]
    await toNorthgate(4, rows)
    const again = await toNorthgate(5, rows)
    expect([again.status, again.body]).toEqual([409, expect.stringContaining('The same file was imported for April 2027')])
    expect((await toNorthgate(4, rows)).status).toBe(200)
    const meant = await browserCall(product, payroll, 'payroll.import', { year: 2027, month: 5, rows, again: true }, places.at('Northgate'))
    expect(meant.imported).toBe(1)
    expect((await toNorthgate(6, [{ ...rows[0], Month: '06/2027' }])).status).toBe(200)
  })
})

describe('the notes and amounts of a month', () => {
  const note = { employeeNumber: '', notes: 'Started on the 4th' }
  /** The notes on one employee in March, in the group and for the whole organisation. */
  const notesNow = async (): Promise<{ group: (string | null)[]; all: (string | null)[] }> => {
    const [group, all] = [await reconcile(3), await reconcile(3, ofAll)]
    const of = (found: Body) => [somebody, anybody].map((employee) => at(found, employee).note)
    return { group: of(group), all: of(all) }
  }
  it('B-210 B-216 a note is saved for one or several, separately for the organisation and the group', async () => {
    const saved = await post(`note/2027/3/${places.groupId}`, { ...note, employeeNumber: somebody })
    expect([saved.status, saved.body]).toEqual([200, { ...note, employeeNumber: somebody }])
    const several = await post('note/bulk/2027/3', { employeeNumbers: [somebody, anybody], notes: 'Both' })
    expect([several.status, several.body]).toEqual([200, { updated: 2 }])
    expect(await notesNow()).toEqual({ group: [note.notes, null], all: ['Both', 'Both'] })
    const same = await post('note/bulk/2027/3', { employeeNumbers: [somebody, anybody], notes: 'Both' })
    expect(same.body).toEqual({ updated: 0 })
  })
  it('a newer note by somebody else is not overwritten unseen', async () => {
    const note = (notes: string, seen: (string | null)[]) =>
      post(`note/bulk/2027/9/${places.groupId}`, { employeeNumbers: [somebody, anybody], notes, seen })
    expect((await note('Of the first', [null, null])).status).toBe(200)
    const late = await note('Of the second', [null, null])
    expect([late.status, late.body]).toEqual([409, 'Someone has changed this note since you last looked. Read it before you replace it.'])
    const gone = await post(`note/bulk/delete/2027/9/${places.groupId}`, { employeeNumbers: [somebody], notes: '', seen: ['Another'] })
    expect(gone.status).toBe(409)
    expect((await note('Of the first', [null, null])).status).toBe(200)
    expect((await note('Of the second', ['Of the first', 'Of the first'])).status).toBe(200)
    expect(at(await reconcile(9), somebody).note).toBe('Of the second')
  })
  it('B-217 B-218 notes are removed for one, several or all', async () => {
    expect((await remove(`note/2027/3/${somebody}`)).status).toBe(204)
    expect(await notesNow()).toEqual({ group: [note.notes, null], all: [null, 'Both'] })
    const several = await post('note/bulk/delete/2027/3', { employeeNumbers: [somebody, anybody], notes: '' })
    expect([several.status, several.body]).toEqual([200, { updated: 1, versions: [expect.any(Number)] }])
    expect((await remove(`note/meta/2027/3/${places.groupId}`)).status).toBe(204)
    expect(at(await reconcile(3), somebody).note).toBeNull()
    const filled = await post('note/bulk/delete/2027/3', { employeeNumbers: [somebody], notes: 'words' })
    expect(filled.status).toBe(400)
  })
  it('refuse an employee in neither the budgets nor the payroll, and an empty text', async () => {
    const nobody = await post('note/2027/3', { employeeNumber: 'nobody-1', notes: 'x' })
    expect([nobody.status, nobody.body]).toEqual([400, expect.stringContaining('in neither the budgets nor the payroll for March 2027')])
    expect((await post('note/2027/3', { employeeNumber: somebody, notes: ' ' })).status).toBe(400)
    expect((await post('note/2027/3', { employeeNumber: somebody, notes: 'x'.repeat(2001) })).status).toBe(400)
  })
  it('B-219 an actual typed by hand replaces the file’s at its level, until it is cleared', async () => {
    const cell = `2027/3/${somebody}/100/${northgate}`
    const saved = await post(`actuals/${cell}/1234.56/${places.groupId}`)
    expect([saved.status, saved.body]).toEqual([
      200,
      { year: 2027, month: 3, locationId: northgate, employeeNumber: somebody, payrollCode: '100', actual: 1234.56 },
    ])
    const actuals = async (): Promise<number[]> =>
      [await reconcile(3), await reconcile(3, ofAll)].map((found) => at(found, somebody).actual)
    expect((await post(`actuals/${cell}/-12.30`)).body.actual).toBe(-12.3)
    expect(await actuals()).toEqual([1234.56, -12.3])
    expect((await remove(`actuals/${cell}`)).status).toBe(204)
    expect(await actuals()).toEqual([1000.5, 1000.5])
    expect((await post(`actuals/${cell}/1.234`)).status).toBe(400)
    expect((await post(`actuals/2027/3/${somebody}/NOPE/${northgate}/1`)).status).toBe(400)
    expect((await post(`actuals/2027/3/${somebody}/100/999999/1`)).status).toBe(404)
  })
  it('B-220 a difference carried forward appears in the next month as brought forward, until it is cleared', async () => {
    const found = await reconcile(3, ofGroup())
    const whole = pennies(found.rows.filter((one: Body) => one.employeeNumber === somebody).map((one: Body) => one.difference))
    const carried = await press('carryMany', { year: 2027, month: 3, group: places.groupId, employeeNumbers: [somebody] })
    expect(carried).toEqual([{ year: 2027, month: 3, employeeNumber: somebody, amount: whole / 100, budgetGroupId: places.groupId }])
    const brought = async (request?: Body): Promise<number> => {
      const { rows } = await reconcile(4, request)
      return pennies((rows as Body[]).filter((one) => one.employeeNumber === somebody).map((one) => one.broughtForward))
    }
    expect([await brought(), await brought(ofAll)]).toEqual([whole, 0])
    const given = await post(`carryforward/2027/3/${somebody}/-132.34/${places.groupId}`)
    expect([given.status, given.body]).toEqual([
      200,
      { year: 2027, month: 3, employeeNumber: somebody, amount: -132.34, budgetGroupId: places.groupId },
    ])
    expect(await brought()).toBe(-13_234)
    expect((await remove(`carryforward/2027/3/${somebody}/${places.groupId}`)).status).toBe(204)
    expect(await brought()).toBe(0)
  })
  it('a row is matched up to the organisation’s tolerance', async () => {
    const calculated = at(await reconcile(5), somebody).calculated
    await toNorthgate(5, [row(somebody, '100', (Math.round(calculated * 100) / 100 + 0.05).toFixed(2))])
    await press('saveTolerance', { tolerance: 0.05 })
    expect(at(await reconcile(5), somebody).status).toBe('matched')
    expect(await ask('tolerance', undefined)).toEqual({ tolerance: 0.05 })
    await press('saveTolerance', { tolerance: 0 })
    await expect(press('saveTolerance', { tolerance: -1 })).rejects.toThrow('Tolerance cannot be negative.')
  })
})

describe('a completed month', () => {
  it('B-211 B-212 accepts no change until it is reopened with a reason, which keeps everything', async () => {
    await post(`note/2027/3/${places.groupId}`, { employeeNumber: somebody, notes: 'Kept' })
    const done = await post(`complete/2027/3/1/${places.groupId}`)
    expect([done.status, done.body]).toMatchObject([200, { year: 2027, month: 3, budgetGroupId: places.groupId, state: 2 }])
    const cell = `2027/3/${somebody}/100/${northgate}`
    const tried: [string, Promise<Reply>][] = [
      ['import', toNorthgate(3, [row(somebody, '100', 9)])],
      ['console import', send('console/actuals/import/2027/3', [row(somebody, '100', 9, { PayrollRecId: ids.Northgate })])],
      ['note', post(`note/2027/3/${places.groupId}`, { employeeNumber: somebody, notes: 'Late' })],
      ['no notes at all', remove(`note/meta/2027/3/${places.groupId}`)],
      ['actual', post(`actuals/${cell}/1/${places.groupId}`)],
      ['no actual', remove(`actuals/${cell}`)],
      ['carry', post(`carryforward/2027/3/${somebody}/1/${places.groupId}`)],
      ['carried into it', post(`carryforward/2027/2/${somebody}/1/${places.groupId}`)],
      ['clear the actuals', remove(`2027/3/${places.groupId}/1`)],
      ['complete', post(`complete/2027/3/2/${places.groupId}`)],
    ]
    for (const [what, reply] of tried) expect([what, (await reply).status]).toEqual([what, 409])
    // The organisation’s level is separate: its notes can still be changed.
    expect((await post('note/2027/3', { employeeNumber: somebody, notes: 'Of the trust' })).status).toBe(200)
    const reopened = await press('reopen', { year: 2027, month: 3, group: places.groupId, reason: 'A late file' })
    expect(reopened.state).toBe(1)
    const standing = await ask('standing', { year: 2027, month: 3, group: places.groupId })
    expect(standing.reopened).toMatchObject({ reason: 'A late file', by: 'Sample payroll' })
    expect(at(await reconcile(3), somebody).note).toBe('Kept')
    expect((await post(`reopen/2027/3/${places.groupId}`)).status).toBe(409)
  })
  it('B-211 with type 2 carries every remaining difference forward first', async () => {
    const byEmployee = (rows: Body[], figure: string): [string, number][] => {
      const sums = new Map<string, number>()
      for (const one of rows) sums.set(one.employeeNumber, (sums.get(one.employeeNumber) ?? 0) + Math.round(one[figure] * 100))
      return [...sums].filter(([, sum]) => sum !== 0).sort()
    }
    const differences = byEmployee((await reconcile(2, ofGroup())).rows, 'difference')
    expect(differences.length).toBeGreaterThan(10)
    expect((await post(`complete/2027/2/2/${places.groupId}`)).body).toMatchObject({ state: 2, completionType: 2 })
    expect(byEmployee((await reconcile(3, ofGroup())).rows, 'broughtForward')).toEqual(differences)
    expect((await post(`reopen/2027/2/${places.groupId}`)).body.state).toBe(1)
    expect((await remove(`2027/2/${places.groupId}/3`)).status).toBe(204)
    expect(new Set((await reconcile(3)).rows.map((one: Body) => one.broughtForward))).toEqual(new Set([0]))
  })
  it('B-210 B-211 is completed for the organisation separately from the group, and reopened by either path', async () => {
    expect((await post('console/complete/2027/4')).body).toMatchObject({ state: 2, budgetGroupId: null, completionType: 1 })
    const states = [places.groupId, null].map(async (group) => (await ask('standing', { year: 2027, month: 4, group })).state)
    expect(await Promise.all(states)).toEqual([1, 2])
    expect((await toNorthgate(4, [row(somebody, '100', 1)])).body).toContain(
      'April 2027 is completed. Reopen it first for the whole organisation, with a reason.',
    )
    expect((await post('reopen/2027/4')).body.state).toBe(1)
    await post('console/complete/2027/4')
    expect((await post('console/reopen/2027/4')).body.state).toBe(1)
  })
  it('B-221 a month is cleared by its option: actuals, notes, what is carried, or everything', async () => {
    await post(`note/2027/4/${places.groupId}`, { employeeNumber: somebody, notes: 'Here' })
    await post(`carryforward/2027/4/${somebody}/5/${places.groupId}`)
    await toNorthgate(4, [row(somebody, '100', 77)])
    const seen = async (): Promise<Body[]> => {
      const { actual, note, carriedForward } = at(await reconcile(4), somebody)
      return [actual, note, carriedForward]
    }
    expect(await seen()).toEqual([77, 'Here', 5])
    expect((await remove(`2027/4/${places.groupId}/2`)).status).toBe(204)
    expect(await seen()).toEqual([77, null, 5])
    expect((await remove(`2027/4/${places.groupId}/1`)).status).toBe(204)
    expect(await seen()).toEqual([null, null, 5])
    expect((await remove(`2027/4/${places.groupId}/4`)).status).toBe(204)
    expect(await seen()).toEqual([null, null, null])
    expect((await remove('console/2027/4/4')).status).toBe(204)
    expect((await remove('console/2027/4/5')).status).toBe(400)
  })
})

describe('the permission', () => {
  it('is required, and gives no access to another organisation', async () => {
    const elsewhere = (await findTrustIds(meadow)).organisationId
    for (const path of [`actuals/overview/2027/3/${places.groupId}`, `actuals/exists/${places.groupId}`])
      expect((await meadow.call('GET', `${base}/${path}`, undefined, { OrganisationId: elsewhere })).status).toBe(404)
    expect((await get('actuals/overview/2027/3', meadow)).status).toBe(403)
    const reader = await inviteAndSignIn(
      product,
      administrator,
      'reader@harbour.example',
      ['ConsolePayrollReconciliationRead'],
      places.organisationId,
    )
    expect((await get('actuals/overview/2027/3', reader)).status).toBe(200)
    for (const reply of [
      post('note/2027/3', { employeeNumber: somebody, notes: 'x' }, reader),
      remove('console/2027/3/1', reader),
      post('console/complete/2027/3', undefined, reader),
      toNorthgate(3, [row(somebody, '100', 9)], reader),
    ])
      expect((await reply).status).toBe(403)
  })
  it('for one school shows its rows, allows changing its employees, and does not complete the others’ month', async () => {
    const found = await reconcile(3, ofGroup(), school)
    expect(new Set(found.rows.map((one: Body) => one.locationId))).toEqual(new Set([northgate]))
    expect(found.proof).toBeNull()
    expect((await toNorthgate(3, [row(somebody, '100', 1001)], school)).status).toBe(200)
    expect((await post(`note/2027/3/${places.groupId}`, { employeeNumber: somebody, notes: 'By the school' }, school)).status).toBe(200)
    const other = (await reconcile(3, ofGroup())).rows.find((one: Body) => one.locationId !== northgate && one.employeeNumber)
    expect((await post(`note/2027/3/${places.groupId}`, { employeeNumber: other.employeeNumber, notes: 'x' }, school)).status).toBe(400)
    for (const reply of [
      post(`complete/2027/3/1/${places.groupId}`, undefined, school),
      remove(`2027/3/${places.groupId}/4`, school),
      payroll.call('POST', base, { year: 2027, month: 3 }, { OrganisationId: toOrganisationId(999_999) }),
      school.call('POST', base, { year: 2027, month: 3 }, own),
    ])
      expect((await reply).status).toBe(403)
  })
})

describe('an employee who is added after the month was imported', () => {
  it('has their lines replaced and their notes changed, not duplicated', async () => {
    const file = [row('QQ-777', '100', 3000)]
    expect((await toNorthgate(9, file)).body.unknown).toEqual(['QQ-777'])
    await post(`carryforward/2027/9/QQ-777/10/${places.groupId}`)
    const cell = `2027/9/QQ-777/D1/${northgate}`
    await post(`actuals/${cell}/-5/${places.groupId}`)
    await post(`note/2027/9/${places.groupId}`, { employeeNumber: 'QQ-777', notes: 'Who is this?' })
    const person = { employeeNumber: 'QQ-777', forename: 'Quinn', surname: 'Late', dateOfBirth: '1990-01-01' }
    const finance = await signInAs(product, 'finance@harbour.example')
    expect((await finance.call('POST', '/api/Staff', person, places.at('Northgate'))).status).toBe(201)
    expect((await toNorthgate(9, file)).body).toMatchObject({ created: 0, updated: 1, unknown: [] })
    expect(at(await reconcile(9), 'QQ-777')).toMatchObject({ actual: 3000, name: 'Quinn Late', note: 'Who is this?' })
    await post(`carryforward/2027/9/QQ-777/20/${places.groupId}`)
    const brought = async (): Promise<number[]> =>
      (await reconcile(10)).rows.filter((one: Body) => one.employeeNumber === 'QQ-777').map((one: Body) => one.broughtForward)
    expect(await brought()).toEqual([20])
    expect((await remove(`carryforward/2027/9/QQ-777/${places.groupId}`)).status).toBe(204)
    expect(await brought()).toEqual([])
    await post(`actuals/${cell}/-6/${places.groupId}`)
    expect(at(await reconcile(9), 'QQ-777', 'D1').actual).toBe(-6)
    expect((await remove(`actuals/${cell}`)).status).toBe(204)
    expect(at(await reconcile(9), 'QQ-777', 'D1')).toBeUndefined()
    await post(`note/2027/9/${places.groupId}`, { employeeNumber: 'QQ-777', notes: 'Started late' })
    expect(at(await reconcile(9), 'QQ-777').note).toBe('Started late')
    expect((await remove(`note/2027/9/QQ-777/${places.groupId}`)).status).toBe(204)
    expect(at(await reconcile(9), 'QQ-777').note).toBeNull()
  })
})

describe('a removal in a month', () => {
  it('is undone by the version in its reply', async () => {
    const month = { year: 2027, month: 9, group: places.groupId }
    const cell = { employeeNumber: 'QQ-777', payrollCode: 'D1', locationId: northgate }
    await post(`actuals/2027/9/QQ-777/D1/${northgate}/-6/${places.groupId}`)
    await post(`note/2027/9/${places.groupId}`, { employeeNumber: 'QQ-777', notes: 'Started late' })
    await press('carryForward', { ...month, employeeNumber: 'QQ-777', value: 20 })
    const shown = async () => {
      const table = await reconcile(9)
      return [at(table, 'QQ-777', 'D1')?.actual, at(table, 'QQ-777').note, at(table, 'QQ-777').carriedForward]
    }
    const stands = await shown()
    expect(stands.slice(0, 2)).toEqual([-6, 'Started late'])
    const people = { employeeNumbers: ['QQ-777'] }
    const taken: [string, Body, (body: Body) => number[]][] = [
      ['notesDelete', { ...month, ...people, seen: ['Started late'] }, (body) => body.versions],
      ['clearCarries', { ...month, ...people }, (body) => body.versions],
      ['actualDelete', { ...month, ...cell }, (body) => body as number[]],
    ]
    for (const [procedure, input, versionsOf] of taken) {
      const versions = versionsOf(await press(procedure, input))
      expect(versions).toHaveLength(1)
      expect(await shown()).not.toEqual(stands)
      await press('undo', { version: versions[0]! })
      expect(await shown()).toEqual(stands)
    }
    for (const [procedure, input] of taken) await press(procedure, input)
  })
  it('that cleared the month at once is undone whole, or not at all', async () => {
    const month = { year: 2027, month: 9 }
    await toNorthgate(9, [row(somebody, '100', 31)])
    await post(`note/2027/9/${places.groupId}`, { employeeNumber: somebody, notes: 'Thirty-one' })
    await post(`carryforward/2027/9/${somebody}/3/${places.groupId}`)
    const shown = async () => {
      const { actual, note, carriedForward } = at(await reconcile(9), somebody)
      return [actual, note, carriedForward]
    }
    expect(await shown()).toEqual([31, 'Thirty-one', 3])
    const clear = (option: number): Promise<Body> => press('clear', { ...month, budgetGroup: places.groupId, option })
    const changes = await clear(4)
    expect(new Set(changes.map((one: Body) => one.locationId))).toEqual(new Set([0, northgate]))
    expect(await shown()).toEqual([null, null, null])
    await expect(press('undoAll', { changes }, school)).rejects.toThrow('Only the person who made')
    await press('undoAll', { changes })
    expect(await shown()).toEqual([31, 'Thirty-one', 3])
    const again = await clear(4)
    await post(`note/2027/9/${places.groupId}`, { employeeNumber: somebody, notes: 'Another' })
    await expect(press('undoAll', { changes: again })).rejects.toThrow('You have changed this since.')
    expect(await shown()).toEqual([null, 'Another', null])
    expect(await clear(2)).toHaveLength(1)
    expect(await clear(4)).toEqual([])
  })
})

describe('a month that was completed', () => {
  it('cannot be changed by undoing an undo', async () => {
    await toNorthgate(10, [row(somebody, '100', 10)])
    const newest = async (): Promise<number> => (await ask('history', { locationId: northgate }))[0].version
    await press('undo', { locationId: northgate, version: await newest() })
    expect((await post(`complete/2027/10/1/${places.groupId}`)).status).toBe(200)
    await expect(press('undo', { locationId: northgate, version: await newest() })).rejects.toThrow('October 2027 is complete')
    expect((await post(`reopen/2027/10/${places.groupId}`)).body.state).toBe(1)
  })
})

describe('the log', () => {
  it('records what was done, and its author can undo it as long as nothing newer changed it', async () => {
    await toNorthgate(7, [row(somebody, '100', 10)])
    await toNorthgate(7, [row(somebody, '100', 20)])
    const history = await ask('history', { locationId: northgate })
    expect(history[0]).toMatchObject({
      actor: 'Sample payroll',
      sentence: 'imported 1 line of payroll for July 2027: £20.00',
      undoable: true,
    })
    expect(history[1].undoable).toBe(false)
    await expect(press('undo', { locationId: northgate, version: history[1].version })).rejects.toThrow('Undo the newer change first.')
    await expect(press('undo', { locationId: northgate, version: history[0].version }, school)).rejects.toThrow('Only the person who made')
    await press('undo', { locationId: northgate, version: history[0].version })
    expect(at(await reconcile(7), somebody).actual).toBe(10)
    await post(`note/2027/7/${places.groupId}`, { employeeNumber: somebody, notes: 'For a moment' })
    const [newest] = await ask('history', {})
    expect(newest.sentence).toMatch(/^wrote a note on .+ in July 2027$/)
    await press('undo', { version: newest.version })
    expect(at(await reconcile(7), somebody).note).toBeNull()
  })
  it('replays to the same, and a line changed without it is found', async () => {
    const compare = (): Promise<string[]> =>
      inDatabase(async (tx) => (await verifyAllOnce(tx, { organisation: places.organisationId }, [])).findings.map((one) => one.problem))
    for (const locationId of [organisationWideLocationId, northgate])
      await inDatabase(async (tx) => {
        const log = { organisationId: places.organisationId, locationId }
        const events = await readStream({ tx, organisationId: log.organisationId }, { name: 'payroll', id: locationId })
        expect(Object.fromEntries((await loadPayrollItems({ ...log, tx }, 'all')).items)).toEqual(
          Object.fromEntries(foldItems(evolve, events).items),
        )
      })
    expect(await compare()).toEqual([])
    const owner = connectAsOwner(product.config.databaseUrl)
    const change = (by: number) => owner`update payroll_lines set value = value + ${by} where month = 7 and location_id = ${northgate}`
    await change(1)
    expect(await compare()).toEqual([`Payroll of location ${northgate}: In the tables, actuals 2027-07 differs from the log.`])
    await change(-1)
    await expect(owner`update payroll_events set type = 'PayrollCleared'`).rejects.toThrow('append only')
  })
  it('contains no name and no number of anybody', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const [found] =
      await owner`select count(*)::int as count from payroll_events where data::text like ${`%"${somebody}"%`} or data::text like '%ZZ-9%' or data::text like '%Kept%'`
    expect(found!.count).toBe(0)
  })
  it('a repeated call with the same key changes nothing twice', async () => {
    const headers = { ...places.at('Northgate'), 'Idempotency-Key': 'payroll-of-august' }
    const file = [row(somebody, '100', 31)]
    const versions = async (): Promise<number> => (await ask('history', { locationId: northgate }))[0].version
    const first = await payroll.call('POST', `${base}/actuals/import/2027/8`, file, headers)
    const version = await versions()
    const second = await payroll.call('POST', `${base}/actuals/import/2027/8`, file, headers)
    expect([second.status, second.body, await versions()]).toEqual([first.status, first.body, version])
    const other = await payroll.call('POST', `${base}/actuals/import/2027/8`, [row(somebody, '100', 32)], headers)
    expect(other.status).toBe(422)
  })
  it('a payroll provider posts it with its own credentials, once for each key', async () => {
    const bureau = await asClient(product, 'harbour')
    const headers = { ...own, 'Idempotency-Key': 'bureau-august' }
    const file = [row(anybody, '100', 77, { PayrollRecId: ids.Northgate })]
    const sent = () => bureau.call('POST', `${base}/console/actuals/import/2027/8`, file, headers)
    const first = await sent()
    expect([first.status, first.body.imported, first.body.sum]).toEqual([200, 1, 77])
    const [{ version }] = await ask('history', { locationId: northgate })
    expect((await sent()).body).toEqual(first.body)
    expect((await ask('history', { locationId: northgate }))[0].version).toBe(version)
  })
  it('two users at once lose nothing', async () => {
    const files = Array.from({ length: 6 }, (_unused, index) => [
      row(index % 2 ? somebody : anybody, index < 3 ? '100' : '110', 100 + index),
    ])
    const replies = await Promise.all(files.map((file) => toNorthgate(8, file)))
    expect(replies.map((reply) => reply.status)).toEqual(files.map(() => 200))
    const found = await reconcile(8)
    for (const employee of [somebody, anybody])
      for (const code of ['100', '110']) expect(at(found, employee, code).actual).toBeGreaterThanOrEqual(100)
  })
})

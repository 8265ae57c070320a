import { beforeAll, describe, expect, it } from 'vitest'
import { foldItems } from '../../../domain/changes/itemLog.ts'
import { evolve } from '../../../domain/monitoring/evolve.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { verifyAllOnce } from '../../../server/audit/verify/verifyAll.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { readStream } from '../../../server/core/stream/stream.ts'
import { loadMonitoringItems } from '../../../server/streams/monitoring/items.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import {
  type Body,
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
let finance: Caller
let school: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let filters: Record<string, string>
let code: { id: number; code: string }
let at: { Northgate: LocationId; Hillside: LocationId }
/** Two schools of the demo, by alias. */
let other: string

const permissions = [
  'ConsoleMonitoringReadUpdate',
  'ConsoleMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringBudgetForecastReadUpdate',
  'BudgetingMonitoringBudgetForecastReadUpdate',
  'ConsoleBudgetCodesReadUpdate',
  'ConsoleCostCentresReadUpdate',
  'ConsoleLocationsRead',
  'BudgetingNonStaffingReadUpdate',
]
/** A month without data in the demo. */
const january = { year: 2027, month: 1 }
const february = { year: 2027, month: 2 }

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  const lead = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(lead)
  own = { OrganisationId: places.organisationId }
  other = Object.keys(places.locations).find((alias) => alias !== 'Northgate' && places.budgets[alias])!
  at = { Northgate: places.locations.Northgate!, Hillside: places.locations[other]! }
  finance = await inviteAndSignIn(product, administrator, 'closer@harbour.example', permissions, places.organisationId)
  school = await inviteAndSignIn(
    product,
    administrator,
    'office@harbour.example',
    ['BudgetingMonitoringBudgetActualsReadUpdate', 'BudgetingMonitoringBudgetForecastReadUpdate'],
    places.organisationId,
    [at.Northgate],
  )
  const made = await finance.call('POST', '/api/BudgetCodes', { code: 'END1', type: 2, description: 'Ended', locations: [] }, own)
  code = made.body
  await finance.call('POST', '/api/CostCentres', { code: 'EC', description: 'Centre', locations: [] }, own)
  const rows = (await finance.call('POST', '/api/MyLocations/list', { pageNumber: 1, pageSize: 5000 }, own)).body.rows as Body[]
  filters = Object.fromEntries(rows.map((row) => [row.alias, row.budgetCodeFilter]))
  // Variances of the demo stay below these limits, so only those of the test must be explained.
  await call('monitoring.saveSettings', { explainOver: 9_000_000, explainOverPercent: 0, explainAlwaysOver: 9_000_000 })
  // Earlier months with actuals are closed first.
  const september = { year: 2026, month: 9 }
  const closed = (await checklist(september)).filter((row) => row.closed).map((row) => row.locationId)
  await reopen(closed, september)
  for (const month of [9, 10]) await finance.call('DELETE', `/api/monitoring/actuals-commitments/2026/${month}`, undefined, own)
}, 300_000)

const call = (name: string, input: Body, who = finance): Promise<Body> => browserCall(product, who, name, input, own)

async function ask(name: string, input: Body, who = finance, where: Record<string, number> = own): Promise<{ status: number; body: Body }> {
  const headers = { Authorization: `Bearer ${who.token}`, OrganisationId: String(where.OrganisationId) }
  const reply = await fetch(`${product.origin}/trpc/${name}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`, { headers })
  const body = (await reply.json()) as Body
  return { status: reply.status, body: body.result?.data.json ?? body }
}
const checklist = async (month = january, who = finance): Promise<Body[]> => (await ask('monitoring.monthEnd.list', month, who)).body
const of = (rows: Body[], locationId: LocationId): Body => rows.find((row) => row.locationId === locationId)
const line = (alias: string, value: number): Body => ({
  Type: 'Actual',
  BudgetCodeFilter: filters[alias]!,
  Value: String(value),
  BudgetCode: 'END1',
  CostCentre: 'EC',
})
const send = (month: { year: number; month: number }, rows: Body[]): Promise<Reply> =>
  finance.call('POST', `/api/monitoring/actuals-commitments/import/${month.year}/${month.month}/1`, rows, own)
const tickAll = async (locationIds: LocationId[], month = january): Promise<void> => {
  for (const step of ['payroll', 'adjustments', 'pack'])
    await call('monitoring.monthEnd.tick', { ...month, locationIds, step, isDone: true })
}
const close = (locationIds: LocationId[], month = january, who = finance) =>
  call('monitoring.monthEnd.close', { ...month, locationIds }, who)
const reopen = (locationIds: LocationId[], month = january, reason = 'A late journal') =>
  call('monitoring.monthEnd.reopen', { ...month, locationIds, reason })
const note = (more: Body = {}, who = finance) =>
  who.call('POST', `/api/monitoring/note/2027/1/${places.groupId}`, { budgetCodeId: code.id, type: 1, notes: 'Bought early', ...more }, own)

describe('the checklist of a month', () => {
  it('shows for every school what is done, who did it and when, and what is missing', async () => {
    const before = of(await checklist(), at.Northgate)
    expect(before).toMatchObject({ location: 'Northgate Primary School', actuals: null, toExplain: null, closed: null })
    expect(before.inTheWay).toEqual(['no actuals yet', 'payroll is not reconciled', 'adjustments are not made', 'the pack is not finished'])
    expect((await send(january, [line('Northgate', 10), line(other, 10)])).status).toBe(200)
    await call('monitoring.monthEnd.tick', { ...january, locationIds: [at.Northgate], step: 'payroll', isDone: true }, school)
    const after = of(await checklist(), at.Northgate)
    expect(after.actuals).toMatchObject({ by: 'Sample closer' })
    expect(after.steps.payroll).toMatchObject({ by: 'Sample office' })
    expect(after.inTheWay).toEqual(['adjustments are not made', 'the pack is not finished'])
    // Each school shows the months of its year without actuals.
    expect(after.start).toEqual({ year: 2026, month: 9 })
    expect(after.missing).toEqual([9, 10, 11, 12].map((month) => ({ year: 2026, month })))
    expect(of(await checklist(february), at.Northgate).missing).toEqual(after.missing)
    expect(of(await checklist(), at.Hillside).steps.payroll).toBeNull()
  })
  it('shows a school’s users their own school, which they can tick but not close', async () => {
    expect((await checklist(january, school)).map((row) => row.locationId)).toEqual([at.Northgate])
    await expect(
      call('monitoring.monthEnd.tick', { ...january, locationIds: [at.Hillside], step: 'pack', isDone: true }, school),
    ).rejects.toThrow('Location was not found.')
    await expect(close([at.Northgate], january, school)).rejects.toThrow('permission')
    expect((await ask('monitoring.monthEnd.list', { ...january, locationIds: [at.Hillside] }, school)).status).toBe(404)
  })
  it('requires a reason and an action on a line over the threshold before the month can close', async () => {
    await tickAll([at.Northgate])
    await call('monitoring.saveSettings', { explainOver: 1_000, explainOverPercent: 0, explainAlwaysOver: 9_000_000 })
    await call('monitoring.saveSettings', { explainOver: 9_000_000, explainOverPercent: 0, explainAlwaysOver: 9_000_000 })
    await send(january, [line('Northgate', 9_500_000)])
    expect(of(await checklist(), at.Northgate)).toMatchObject({ toExplain: 1, toAct: 0, inTheWay: ['1 line needs a reason'] })
    await expect(close([at.Northgate])).rejects.toThrow(
      'January 2027 cannot be closed yet. Northgate Primary School: 1 line needs a reason.',
    )
    expect((await note()).body).toEqual({ budgetCodeId: code.id, type: 1, notes: 'Bought early' })
    expect(of(await checklist(), at.Northgate)).toMatchObject({ toExplain: 0, toAct: 1, inTheWay: ['1 line needs an action'] })
    await expect(close([at.Northgate])).rejects.toThrow('1 line needs an action')
    expect((await note({ action: 'Nothing more is ordered' })).body.action).toBe('Nothing more is ordered')
    const row = of(await checklist(), at.Northgate)
    expect(row).toMatchObject({ toExplain: 0, toAct: 0, inTheWay: [], explained: { by: 'Sample closer' } })
  })
})

describe('a closed month', () => {
  it('is closed for several schools at once, or for none of them', async () => {
    await expect(close([at.Northgate, at.Hillside])).rejects.toThrow('payroll is not reconciled')
    expect((await checklist()).every((row) => row.closed === null)).toBe(true)
    await tickAll([at.Hillside])
    expect(await close([at.Northgate, at.Hillside])).toEqual({ locationIds: [at.Northgate, at.Hillside].sort((a, b) => a - b) })
    expect(await close([at.Northgate, at.Hillside])).toEqual({ locationIds: [] })
    expect(of(await checklist(), at.Hillside).closed).toMatchObject({ by: 'Sample closer' })
  })
  it('accepts no import, no clearing, no tick, no changed note and no working forecast', async () => {
    const refused = 'January 2027 is closed at Northgate Primary School. Reopen it with a reason first.'
    const says = async (reply: Promise<Reply>) => {
      const { status, body } = await reply
      return [status, JSON.stringify(body).includes(refused) || JSON.stringify(body)]
    }
    expect(await says(send(january, [line('Northgate', 1)]))).toEqual([409, true])
    expect(await says(finance.call('POST', `/api/monitoring/actuals-commitments/import/2027/1/2`, [line('Northgate', 1)], own))).toEqual([
      409,
      true,
    ])
    const body = { ...january, locationIds: [at.Northgate] }
    expect(await says(finance.call('POST', '/api/monitoring/actuals-commitments/delete', body, own))).toEqual([409, true])
    expect((await finance.call('DELETE', '/api/monitoring/actuals-commitments/2027/1', undefined, own)).status).toBe(409)
    await expect(
      call('monitoring.monthEnd.tick', { ...january, locationIds: [at.Northgate], step: 'pack', isDone: false }),
    ).rejects.toThrow('January 2027 is closed')
    expect((await note({ notes: 'Something else' })).status).toBe(409)
    expect((await finance.call('DELETE', `/api/monitoring/note/2027/1/${code.id}/1/${places.groupId}`, undefined, own)).status).toBe(409)
    const typed = (value: number) => ({
      ...{ locationId: at.Northgate, year: 2026, budgetCodeIds: [code.id], method: 'typed' },
      values: [0, 0, 0, 0, value, ...Array<number>(7).fill(1)],
    })
    await call('monitoring.chooseForecast', typed(3))
    await expect(call('monitoring.chooseForecast', typed(4))).rejects.toThrow('January 2027 is closed')
    const months = await ask('monitoring.months', { from: january, to: january })
    expect(months.body.find((one: Body) => one.locationId === at.Northgate)).toMatchObject({ isClosed: true, isEnded: true })
  })
  it('keeps its adjustments while those of its group change for the open schools', async () => {
    const group = `/api/monitoring/adjustment/2027/1`
    const adjustmentAt = async (budgetId: BudgetId): Promise<number | undefined> => {
      const request = { ...january, budgetId, budgetGroupId: places.groupId }
      const { body } = await finance.call('POST', '/api/monitoring/BudgetsVsActuals', request, own)
      return body.rows.find((row: Body) => row.budgetCodeId === code.id)?.adjustment
    }
    const northgate = places.budgets.Northgate!
    const before = await adjustmentAt(northgate)
    const put = (value: number) => finance.call('POST', `${group}/${places.groupId}`, { value, budgetCodeId: code.id, type: 1 }, own)
    expect((await put(5)).status).toBe(200)
    const open = (await checklist()).find((row) => row.budgetId && !row.closed)
    expect([await adjustmentAt(northgate), await adjustmentAt(open.budgetId)]).toEqual([before, 5])
    expect((await finance.call('DELETE', `${group}/${code.id}/1/${places.groupId}`, undefined, own)).status).toBe(204)
    expect(await adjustmentAt(northgate)).toBe(before)
  })
  it('keeps that month of working forecast entries, while open months change', async () => {
    const entry = { description: 'By twelfths', budgetCodeId: code.id, amount: 1200, budgetYearName: '2026/27', years: [] }
    const saved = await finance.call('PUT', '/api/BudgetEntry/save', entry, places.at('Northgate'))
    const byYear = { year: 2026, budgetId: places.budgets.Northgate, budgetCodeId: code.id }
    const put = (periods: number[]) =>
      finance.call('PUT', '/api/monitoring/BudgetsVsForecast/BudgetEntries', { ...byYear, entries: [{ id: saved.body.id, periods }] }, own)
    expect((await put([...Array<number>(4).fill(100), 150, ...Array<number>(7).fill(100)])).status).toBe(409)
    expect((await put([...Array<number>(11).fill(100), 150])).status).toBe(200)
  })
  it('does not allow its changes to be undone', async () => {
    const history = (await ask('monitoring.history', { locationId: at.Northgate })).body as Body[]
    const closing = history.find((one) => one.sentence === 'closed January 2027')!
    expect(closing).toMatchObject({ actor: 'Sample closer', undoable: false })
    await expect(call('monitoring.undo', { locationId: at.Northgate, version: closing.version })).rejects.toThrow('give a reason')
    const importing = history.find((one) => one.sentence.startsWith('imported 1 line for January'))!
    await expect(call('monitoring.undo', { locationId: at.Northgate, version: importing.version })).rejects.toThrow('is closed')
  })
  it('is reopened with a reason, which is kept, and can be changed again', async () => {
    await expect(reopen([at.Northgate], january, ' ')).rejects.toThrow('Reason is required.')
    expect(await reopen([at.Northgate])).toEqual({ locationIds: [at.Northgate] })
    expect(of(await checklist(), at.Northgate)).toMatchObject({
      closed: null,
      reopened: { by: 'Sample closer', reason: 'A late journal' },
      inTheWay: [],
    })
    const [{ count }] = (await connectAsOwner(product.config.databaseUrl)`
      select count(*)::int as count from monitoring_events where data::text like '%late journal%'`) as unknown as [{ count: number }]
    expect(count).toBe(0)
    expect((await send(january, [line('Northgate', 20)])).status).toBe(200)
    // The other school of the group is still closed: its notes stay, and a code without a note can be explained.
    expect((await note({ notes: 'Something else' })).status).toBe(409)
    const codes = (await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 5 }, own)).body.rows as Body[]
    expect((await note({ budgetCodeId: codes.find((one) => one.id !== code.id)!.id })).status).toBe(200)
    expect(await close([at.Northgate])).toEqual({ locationIds: [at.Northgate] })
  })
  it('depends on the months before it: they are closed first, and reopened last', async () => {
    await send(february, [line('Northgate', 1), line(other, 1)])
    await tickAll([at.Northgate], february)
    await reopen([at.Northgate])
    await expect(close([at.Northgate], february)).rejects.toThrow('January 2027 is not closed')
    await close([at.Northgate])
    await close([at.Northgate], february)
    await expect(reopen([at.Northgate])).rejects.toThrow('February 2027 is closed at Northgate Primary School. Reopen it first.')
    await reopen([at.Northgate], february)
    await finance.call('DELETE', '/api/monitoring/actuals-commitments/2027/2', undefined, own)
  })
  it('is closed once if two users close it, and a simultaneous import is either saved or refused', async () => {
    await reopen([at.Northgate])
    const [first, second, imported] = await Promise.all([
      close([at.Northgate]),
      close([at.Northgate]),
      send(january, [line('Northgate', 30)]),
    ])
    expect([...first.locationIds, ...second.locationIds]).toEqual([at.Northgate])
    expect([200, 409]).toContain(imported.status)
    const row = of(await checklist(), at.Northgate)
    expect(row.closed).not.toBeNull()
    expect(row.inTheWay).toEqual([])
  })
})

describe('schools that are late', () => {
  it('are reminded of what is missing, until their month is closed', async () => {
    await reopen([at.Northgate])
    await call('monitoring.monthEnd.tick', { ...january, locationIds: [at.Northgate], step: 'pack', isDone: false })
    const reminded = await call('monitoring.monthEnd.remind', january)
    expect(reminded.people).toBeGreaterThan(0)
    expect(reminded.without).not.toContain('Northgate Primary School')
    const mine = async (): Promise<string[]> => {
      const now = new Date()
      const { body } = await ask('reminders.byMonth', { year: now.getFullYear(), month: now.getMonth() + 1 }, school)
      return (body as Body[]).map((one) => one.description).filter((text: string) => text.includes('Month end'))
    }
    expect(await mine()).toEqual(['Month end January 2027, Northgate Primary School: the pack is not finished'])
    await call('monitoring.monthEnd.remind', january)
    expect(await mine()).toHaveLength(1)
    await tickAll([at.Northgate])
    await close([at.Northgate])
    expect(await mine()).toEqual([])
  })
})

describe('the log of month ends', () => {
  it('replays to the tables, and its chain is intact', async () => {
    const store = openStore(product.config, 1)
    try {
      await store.asPlatform(async (tx) => {
        const log = { organisationId: places.organisationId, locationId: at.Northgate }
        const events = await readStream({ tx, organisationId: log.organisationId }, { name: 'monitoring', id: log.locationId })
        const replayed = foldItems(evolve, events)
        expect(Object.fromEntries((await loadMonitoringItems({ ...log, tx }, 'all')).items)).toEqual(Object.fromEntries(replayed.items))
        expect(replayed.items.get('monthEnd 2027-01')?.item).toMatchObject({ kind: 'monthEnd', closed: { by: expect.any(Number) } })
        expect((await verifyAllOnce(tx, { organisation: places.organisationId }, [])).findings).toEqual([])
      })
      const owner = connectAsOwner(product.config.databaseUrl)
      const [{ item }] =
        (await owner`select item from monitoring_items where key = 'monthEnd 2027-01' and location_id = ${at.Northgate}`) as unknown as [
          { item: Body },
        ]
      await owner`update monitoring_items set item = item || '{"closed": null}' where key = 'monthEnd 2027-01' and location_id = ${at.Northgate}`
      await store.asPlatform(async (tx) => {
        const { findings } = await verifyAllOnce(tx, { organisation: places.organisationId }, [])
        expect(findings.map((finding) => finding.problem)).toEqual([
          `Monitoring of location ${at.Northgate}: In the tables, monthEnd 2027-01 differs from the log.`,
        ])
      })
      await owner`update monitoring_items set item = ${owner.json(item)} where key = 'monthEnd 2027-01' and location_id = ${at.Northgate}`
    } finally {
      await store.close()
    }
  })
  it('is not accessible to another organisation', async () => {
    const there = await signInAs(product, 'finance@meadow.example')
    const elsewhere = await findTrustIds(there)
    const theirs = { OrganisationId: elsewhere.organisationId }
    const listed = await ask('monitoring.monthEnd.list', january, there, theirs)
    for (const row of listed.body as Body[]) expect(Object.values(elsewhere.locations)).toContain(row.locationId)
    expect((await ask('monitoring.monthEnd.list', { ...january, locationIds: [at.Northgate] }, there, theirs)).status).toBe(404)
    await expect(
      browserCall(product, there, 'monitoring.monthEnd.close', { ...january, locationIds: [at.Northgate] }, theirs),
    ).rejects.toThrow('Location was not found.')
    expect((await ask('monitoring.monthEnd.list', january, there, own)).status).toBe(403)
  })
  it.each([
    ['a month that is none', { year: 2027, month: 13 }],
    ['a year far off', { year: 1066, month: 1 }],
    ['text', { year: 'this', month: 1 }],
  ])('refuses %s', async (_what, month) => {
    expect((await ask('monitoring.monthEnd.list', month)).status).toBe(400)
    await expect(close([at.Northgate], month as typeof january)).rejects.toThrow()
  })
  it('refuses an unknown step, no location, and a month without a budget', async () => {
    await expect(call('monitoring.monthEnd.tick', { ...january, locationIds: [at.Northgate], step: 'tea', isDone: true })).rejects.toThrow()
    await expect(close([])).rejects.toThrow('Choose a location.')
    await expect(close([at.Northgate], { year: 2050, month: 1 })).rejects.toThrow('has no budget for January 2050')
  })
})

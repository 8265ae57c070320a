import { beforeAll, expect, it } from 'vitest'
import { type BudgetDraft, removeUnfinishedRows } from '../../../client/budgets/budgetDraft.ts'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import type { BudgetId } from '../../../domain/values/ids.ts'
import { compareBudgetTables } from '../../../server/audit/compare/compare.ts'
import { createInputsReader, readStoredBudgetLog } from '../../../server/audit/replay/logSource.ts'
import { replayLog } from '../../../server/audit/replay/replayLog.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { type Caller, findTrustIds, type Selection, signInAs } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let northgate: Required<Selection>

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  northgate = (await findTrustIds(finance)).at('Northgate')
})

/** The rows of a budget’s tables that differ from its log. */
async function unlikeItsLog(budgetId: BudgetId) {
  const store = openStore(product.config, 1)
  const findings = await store.asPlatform(async (tx) => {
    const source = await readStoredBudgetLog(tx, northgate.OrganisationId, budgetId)
    const inputsOf = createInputsReader(source)
    return compareBudgetTables({ tx, organisationId: northgate.OrganisationId, budgetId }, replayLog(source.events, inputsOf), inputsOf)
  })
  await store.close()
  return findings
}
const summary = () => proceduresOf(product, finance, northgate).budgets.summary.query()
async function giveYears(numberOfYears: number): Promise<number> {
  const { body } = await finance.call('GET', `/api/Budget/elements/${northgate.BudgetId}`, undefined, northgate)
  return (await finance.call('PUT', '/api/BudgetElements/update', { ...body, numberOfYears }, northgate)).status
}

it('a budget with fewer years shows those years, to the same penny', async () => {
  const before = await summary()
  expect(await giveYears(3)).toBe(200)
  expect((await summary()).years).toEqual(before.years.slice(0, 3))
})
it('a recalculation by a missing engine is distinguished from one with wrong results, and its recorded result is kept', async () => {
  const store = openStore(product.config, 1)
  const source = await store.asPlatform((tx) => readStoredBudgetLog(tx, northgate.OrganisationId, northgate.BudgetId))
  await store.close()
  const outcomesOf = (engine: string) => {
    const events = source.events.map((event) =>
      event.type === 'StaffContractsRecalculated' ? { ...event, data: { ...event.data, engine, result: 'f'.repeat(64) } } : event,
    )
    return replayLog(events, createInputsReader(source)).recalculations.map(({ outcome, holds, result }) => ({ outcome, holds, result }))
  }
  const result = 'f'.repeat(64)
  expect(outcomesOf('0.9.0')).toContainEqual({ outcome: 'notReproduced', holds: true, result })
  expect(outcomesOf(engineVersion)).toContainEqual({ outcome: 'different', holds: false, result })
})
it('settings saved unchanged leave the budget and its group unchanged', async () => {
  const before = await finance.call('GET', `/api/Budget/elements/${northgate.BudgetId}`, undefined, northgate)
  expect(await giveYears(before.body.numberOfYears)).toBe(200)
  const after = await finance.call('GET', `/api/Budget/elements/${northgate.BudgetId}`, undefined, northgate)
  expect(after.body).toEqual(before.body)
})
it('added years that are not calculated yet are shown as such, never as 0', async () => {
  const { organisationId, ...first } = { organisationId: northgate.OrganisationId, ...northgate }
  const made = await finance.call(
    'POST',
    '/api/BudgetElements/template',
    { locations: [northgate.LocationId] },
    { OrganisationId: organisationId },
  )
  const created = await finance.call(
    'POST',
    '/api/BudgetElements/create',
    { ...made.body, name: 'One year', numberOfYears: 1 },
    { OrganisationId: organisationId },
  )
  const selection = { ...first, BudgetId: created.body[0].mongoId }
  const contracts = (await finance.call('POST', '/api/StaffContract/paginated', { pageSize: 1 }, northgate)).body.rows
  const { id: _id, version: _version, ...copy } = contracts[0]
  expect((await finance.call('PUT', '/api/StaffContract', copy, selection)).status).toBe(200)
  const { body } = await finance.call('GET', `/api/Budget/elements/${selection.BudgetId}`, undefined, selection)
  await finance.call('PUT', '/api/BudgetElements/update', { ...body, numberOfYears: 2 }, selection)
  const { years, notCalculated } = await proceduresOf(product, finance, selection).budgets.summary.query()
  expect(years[0]!.total).toBeGreaterThan(0)
  expect(years[1]).toMatchObject({ total: null, missing: 1 })
  expect(notCalculated).toBe(1)
})
it('added years are not calculated on every screen with staff totals, until the budget is recalculated; its log still replays', async () => {
  const own = { OrganisationId: northgate.OrganisationId }
  expect(await giveYears(3)).toBe(200)
  const copy = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'Longer' }, own)
  const longer = { ...northgate, BudgetId: copy.body.mongoId as BudgetId }
  const give = async (numberOfYears: number) => {
    const { body } = await finance.call('GET', `/api/Budget/elements/${longer.BudgetId}`, undefined, longer)
    expect((await finance.call('PUT', '/api/BudgetElements/update', { ...body, numberOfYears }, longer)).status).toBe(200)
  }
  const asked = proceduresOf(product, finance, longer)
  const staffing = async () => (await asked.overview.summary.query()).years.map((year) => year.staffing)
  const before = await staffing()
  await give(5)
  const { years } = await asked.overview.summary.query()
  expect((await staffing()).slice(0, 3)).toEqual(before)
  for (const year of [years[3]!, years[4]!]) {
    expect(year.staffing).toBe(0)
    expect(year.gaps.staffing).toBeGreaterThan(24)
    expect(year.gaps.closing).toBeGreaterThan(24)
  }
  const centres = await asked.overview.byCoding.query({ by: 'costCentre' })
  expect(centres.some((centre) => centre.years[4]!.staffing.missing > 0)).toBe(true)
  const levy = (await asked.overview.sources.query({ codeId: null })).find((source) => source.kind === 'levy')!
  expect(levy.years[4]).toEqual({ total: 0, missing: 12 })
  expect(levy.months[4]).toEqual(Array(12).fill(null))
  const [line] = await asked.lines.sources.query({ by: 'component', key: 'levy', year: 4 })
  expect(line!.months).toEqual(Array(12).fill(null))
  const compared = await asked.moments.compare.query({ a: { budgetId: longer.BudgetId }, b: { budgetId: longer.BudgetId } })
  expect(compared.codes.some((code) => code.years[4]!.missing.a > 12)).toBe(true)
  for (const numberOfYears of [4, 2, 5]) {
    await give(numberOfYears)
    expect(await unlikeItsLog(longer.BudgetId)).toEqual([])
  }
  expect((await asked.overview.summary.query()).years[2]!.staffing).toBeGreaterThan(0)
})
it('a budget without contracts costs nothing, and says so', async () => {
  const created = await finance.call('POST', '/api/BudgetElements/template', { locations: [northgate.LocationId] }, northgate)
  const made = await finance.call('POST', '/api/BudgetElements/create', { ...created.body, name: 'Empty' }, northgate)
  const { years } = await proceduresOf(product, finance, { ...northgate, BudgetId: made.body[0].mongoId }).budgets.summary.query()
  expect(years.every((year) => year.total === 0 && year.missing === 0)).toBe(true)
})
it('a name is unique at a location', async () => {
  const template = (await finance.call('POST', '/api/BudgetElements/template', { locations: [northgate.LocationId] }, northgate)).body
  expect((await finance.call('POST', '/api/BudgetElements/create', template, northgate)).body).toBe('Name is already used.')
})
it('B-161 a budget has at most the years that its location may plan, one to five', async () => {
  const template = (await finance.call('POST', '/api/BudgetElements/template', { locations: [northgate.LocationId] }, northgate)).body
  const create = (name: string, numberOfYears: number) =>
    finance.call('POST', '/api/BudgetElements/create', { ...template, name, numberOfYears }, northgate)
  const allow = async (maximumBudgetYears: number) => {
    const location = (await finance.call('GET', `/api/MyLocations/${northgate.LocationId}`, undefined, northgate)).body
    return finance.call('PUT', '/api/MyLocations', { ...location, maximumBudgetYears }, northgate)
  }
  for (const years of [0, 6]) expect((await allow(years)).body).toBe('Maximum budget years must be between 1 and 5.')
  expect((await allow(2)).status).toBe(200)
  for (const years of [0, 3]) expect([years, (await create('Too long', years)).status]).toEqual([years, 400])
  expect((await create('Too long', 3)).body).toBe('Number of years must be between 1 and 2 at this location.')
  expect((await create('Long enough', 2)).status).toBe(201)
  expect((await allow(5)).status).toBe(200)
  expect((await create('As long as can be', 5)).status).toBe(201)
})
it('B-152 rows without a date or without a table are dropped before a budget is made or changed, by the page and by the server', async () => {
  const template = (await finance.call('POST', '/api/BudgetElements/template', { locations: [northgate.LocationId] }, northgate)).body
  const [whole] = template.teacherPayScales
  expect(whole).toMatchObject({ effectiveDate: expect.any(String), adminTableId: expect.any(Number) })
  const unfinished: BudgetDraft['teacherPayScales'] = [
    { effectiveDate: null, adminTableId: whole.adminTableId },
    { effectiveDate: '2027-09-01', adminTableId: null },
    { effectiveDate: '', adminTableId: whole.adminTableId },
    { effectiveDate: null, adminTableId: null },
  ]
  const typed = { ...template, name: 'Half typed', teacherPayScales: [unfinished[0], whole, ...unfinished.slice(1)] }
  const made = (await finance.call('POST', '/api/BudgetElements/create', typed, northgate)).body[0]
  const kept = async () => (await finance.call('GET', `/api/Budget/elements/${made.mongoId}`, undefined, northgate)).body
  const first = await kept()
  expect(first.teacherPayScales).toEqual([whole])
  const later = { ...whole, effectiveDate: '2027-09-01' }
  const change = { ...first, teacherPayScales: [...unfinished, later] }
  expect((await finance.call('PUT', '/api/BudgetElements/update', change, northgate)).status).toBe(200)
  expect((await kept()).teacherPayScales).toEqual([later])
  expect(removeUnfinishedRows({ ...first, teacherPayScales: [...unfinished, later] }).teacherPayScales).toEqual([later])
})

it('a change of a budget returns its state: its group, and that it needs recalculating', async () => {
  const id = northgate.BudgetId
  const elements = (await finance.call('GET', `/api/Budget/elements/${id}`, undefined, northgate)).body
  const answered = await finance.call('PUT', '/api/BudgetElements/update', elements, northgate)
  const read = await finance.call('GET', `/api/Budget/id/${id}`, undefined, northgate)
  expect(answered.status).toBe(200)
  expect(read.body.budgetGroupId).toBe((await findTrustIds(finance)).groupId)
  expect(answered.body).toEqual(read.body)
})

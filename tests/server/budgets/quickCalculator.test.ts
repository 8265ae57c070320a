import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Body,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Selection,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { type Ids, idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let administrator: Caller
let places: TrustIds
let northgate: Required<Selection>
let ids: Ids

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
})

const pennies = (pounds: number): number => Math.round(pounds * 100)
const everything = { pageNumber: 1, pageSize: 5000 }

describe('the quick calculator', () => {
  const quick = (change: object = {}): Body => ({
    name: 'A teacher on M6',
    type: 1,
    contractTypeId: ids.teacher,
    scalePointId: ids.point('Main M6'),
    spotOrAdjustment: null,
    allowanceIds: [],
    eRpension: true,
    hoursPerWeek: null,
    paidWeeksPerYear: null,
    fte: 1,
    ...change,
  })
  const put = (body: Body, who = finance) => who.call('PUT', '/api/QuickCalculator', body, northgate)
  it('B-100 B-180 gives a month and a year that add up, an hour and a day, as a contract on the point would cost', async () => {
    const saved = await put(quick())
    expect(saved.status).toBe(200)
    const [result] = saved.body.result
    for (const period of ['monthly', 'annual'])
      expect(pennies(result[`${period}Total`])).toBe(
        pennies(result[`${period}Basic`]) + pennies(result[`${period}ErNi`]) + pennies(result[`${period}ErPension`]),
      )
    expect(pennies(result.dailyRate)).toBe(Math.round(pennies(result.annualBasic) / 195))
    expect(pennies(result.hourlyRate)).toBe(Math.round(pennies(result.annualBasic) / 1265))
    const contract = await finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'As calculated' }), northgate)
    const forecast = await finance.call('GET', `/api/StaffContract/forecast/id/${contract.body.id}`, undefined, northgate)
    const month = forecast.body.years[0].months[2]
    expect([month.basic, month.employerNI, month.employerPension]).toEqual([
      result.monthlyBasic,
      result.monthlyErNi,
      result.monthlyErPension,
    ])
  })
  it('B-184 offers contract types by type, and the newest points that a contract type may use', async () => {
    const types = (await finance.call('GET', '/api/QuickCalculator/types', undefined, northgate)).body
    expect(types.map((type: Body) => type.name)).toContain('Teacher')
    const request = { budgetId: northgate.BudgetId, type: 1 }
    const contractTypes = (await finance.call('POST', '/api/QuickCalculator/contracttypes', request, northgate)).body
    expect(contractTypes.length).toBeGreaterThan(0)
    expect(contractTypes.every((type: Body) => type.payScaleTypes & 1)).toBe(true)
    const points = (
      await finance.call(
        'POST',
        '/api/QuickCalculator/scalepoints',
        { budgetId: northgate.BudgetId, contractTypeId: ids.teacher },
        northgate,
      )
    ).body
    expect(new Set(points.map((point: Body) => point.adminTableId)).size).toBe(1)
    expect(points.map((point: Body) => point.point)).toContain('M6')
    const elsewhere = { budgetId: 'f'.repeat(24), type: 1 }
    expect((await finance.call('POST', '/api/QuickCalculator/contracttypes', elsewhere, northgate)).status).toBe(404)
  })
  it('says at each field what is wrong, keeps names unique, and refuses an out-of-date version', async () => {
    const wrong = await put(quick({ name: '', scalePointId: null, fte: null }))
    expect(wrong.status).toBe(400)
    expect((await put(quick({ name: 'B', scalePointId: null }))).body).toContain('Choose a scale point or enter a spot salary.')
    expect((await put(quick())).body).toContain('Name is already used.')
    const made = (await put(quick({ name: 'Stale' }))).body
    const changed = await put({ ...made, fte: 0.5 })
    expect(changed.body.result[0].monthlyBasic).toBeLessThan(made.result[0].monthlyBasic)
    expect((await put({ ...made, fte: 0.4 })).status).toBe(409)
    expect((await put(quick({ id: 'a'.repeat(24), name: 'Nobody' }))).status).toBe(404)
  })
  it('shows what cannot be calculated as such, never as 0', async () => {
    const [own] = (await finance.call('POST', '/api/QuickCalculator/paginated', everything, northgate)).body.rows
    const tables = await finance.call('GET', `/api/Budget/elements/${northgate.BudgetId}`, undefined, own && { ...northgate })
    const without = { ...tables.body, nationalInsurance: [] }
    expect((await finance.call('PUT', '/api/BudgetElements/update', without, { OrganisationId: northgate.OrganisationId })).status).toBe(
      200,
    )
    const row = (await finance.call('GET', `/api/QuickCalculator/id/${own.id}`, undefined, northgate)).body
    expect(row.result).toEqual([])
    expect(row.problems[0].code).toBe('NO_NI_TABLE')
    expect(row.problems[0].text).toMatch(/table on \d\d \w{3}, \d{4}\.$/)
    const now = (await finance.call('GET', `/api/Budget/elements/${northgate.BudgetId}`, undefined, northgate)).body
    await finance.call(
      'PUT',
      '/api/BudgetElements/update',
      { ...tables.body, version: now.version },
      { OrganisationId: northgate.OrganisationId },
    )
  })
  it('deletes one, and all selected ones; a user who may only read can do neither', async () => {
    const [first] = (await finance.call('POST', '/api/QuickCalculator/paginated', everything, northgate)).body.rows
    const reader = await inviteAndSignIn(
      product,
      administrator,
      'quick.reader@harbour.example',
      ['BudgetingStaffingRead'],
      places.organisationId,
    )
    expect((await reader.call('GET', `/api/QuickCalculator/id/${first.id}`, undefined, northgate)).status).toBe(200)
    expect((await reader.call('DELETE', `/api/QuickCalculator/id/${first.id}`, undefined, northgate)).status).toBe(403)
    expect((await put(quick({ name: 'Reader' }), reader)).status).toBe(403)
    expect((await finance.call('DELETE', `/api/QuickCalculator/id/${first.id}`, undefined, northgate)).status).toBe(204)
    const gone = await finance.call('POST', '/api/QuickCalculator/bulkDelete', { state: { selectAll: true, toggledNodes: [] } }, northgate)
    expect(gone.body.deleted).toBeGreaterThan(0)
    expect((await finance.call('POST', '/api/QuickCalculator/paginated', everything, northgate)).body.total).toBe(0)
  })
})

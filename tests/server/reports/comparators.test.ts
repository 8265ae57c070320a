import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let reader: Caller
let abroad: Caller
let places: TrustIds
let elsewhere: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  const administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  abroad = await signInAs(product, 'finance@meadow.example')
  places = await findTrustIds(finance)
  elsewhere = await findTrustIds(abroad)
  own = { OrganisationId: places.organisationId }
  reader = await inviteAndSignIn(product, administrator, 'comparing@harbour.example', ['BudgetingReportsRead'], places.organisationId)
}, 300_000)

const of = (who: Caller = finance, where = own) => proceduresOf(product, who, where).comparators
const rows = [
  ['URN', 'SchoolName', 'PeriodCoveredByReturn', 'TotalPupils', 'TotalExpenditure', 'TotalTeachingSupportStaffCosts', 'TeachingStaffCosts'],
  ...['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm'].map((name, at) => [
    String(100001 + at),
    name,
    '12',
    '100',
    '1000000',
    String(1000 * (at + 1)),
    '1000',
  ]),
  ['100009', 'Fir', '5', '100', '1000000', '1', '1'],
].map((row) => row.join('\t'))
const measures = async (request: Body = { budgetId: places.budgets.Northgate }, who = finance): Promise<Body> =>
  (await who.call('POST', '/api/Reporting/Measures', request, own)).body
const rowNamed = (report: Body, label: string): Body => report.rows.find((row: Body) => row.label === label)

describe('comparators', () => {
  it('are none before a file is imported, and the report says where to find them', async () => {
    expect(await of(reader).list.query()).toEqual([])
    const report = await measures()
    expect(report.columns.some((column: Body) => column.key === 'comparators')).toBe(false)
    expect(report.rows.at(-1).label).toMatch(/^Not compared with other schools: no comparators are chosen\./)
  })
  it('are stored from a file, are compared with a school, and can be selected', async () => {
    const made = await of().import.mutate({ name: 'Like us', source: 'comparison-100001-pupil.csv', year: '2024/25', rows })
    expect([made.isUsed, made.schools.length, made.unused]).toEqual([
      true,
      5,
      [{ row: 7, text: 'Fir', why: 'Its return covers 5 months, not a year.' }],
    ])
    const report = await measures({ budgetId: places.budgets.Northgate }, reader)
    const at = (key: string): number => report.columns.findIndex((column: Body) => column.key === key)
    const teaching = rowNamed(report, 'Teaching and teaching support staff')
    expect(teaching.values[at('comparators')]).toBe('in the highest quarter, of 5')
    expect(teaching.values[at('median')]).toBe(30)
    expect(rowNamed(report, 'Utilities').values[at('comparators')]).toBe('no comparator')
    expect(rowNamed(report, 'Teachers, % of expenditure').values[at('median')]).toBe(0.1)
    expect(report.rows.at(-1).label).toBe(
      'Comparators: Like us (5 schools, 2024/25, comparison-100001-pupil.csv). A rank is shown if at least 4 of them have the measure.',
    )
    const csv = (await finance.call('POST', '/api/Reporting/Csv', { report: 'measures', budgetId: places.budgets.Northgate }, own)).body
    expect(csv).toContain('"in the highest quarter, of 5",30.00')
    const kept = { id: made.id, name: made.name, year: made.year, isUsed: true }
    const fewer = await of().update.mutate({ ...kept, version: made.version, chosen: made.schools.slice(0, 3).map((one) => one.key) })
    expect(fewer.schools.filter((one) => one.isChosen)).toHaveLength(3)
    expect(rowNamed(await measures(), 'Teaching and teaching support staff').values[at('comparators')]).toBe('3 comparators: too few')
    // Several schools together cannot be compared with single schools.
    const all = await measures({ budgetGroupId: places.groupId })
    expect(all.columns.some((column: Body) => column.key === 'comparators')).toBe(false)
    await expect(of().update.mutate({ ...kept, version: made.version, chosen: [] })).rejects.toThrow(/saved|changed/)
    await expect(of().update.mutate({ ...kept, version: fewer.version, chosen: ['nobody'] })).rejects.toThrow(
      'One of the chosen schools is not in the set',
    )
  })
  it('belong to one set at a time, whose name is unique, and which can be deleted', async () => {
    await expect(of().import.mutate({ name: 'like US', source: 'x.csv', year: null, rows })).rejects.toThrow()
    const second = await of().import.mutate({ name: 'Others', source: 'x.csv', year: null, rows })
    expect(second.isUsed).toBe(false)
    await of().update.mutate({
      id: second.id,
      version: second.version,
      name: 'Others',
      year: null,
      chosen: second.schools.map((one) => one.key),
      isUsed: true,
    })
    expect((await of().list.query()).map((set) => [set.name, set.isUsed])).toEqual([
      ['Like us', false],
      ['Others', true],
    ])
    await of().delete.mutate({ id: second.id })
    expect((await measures()).rows.at(-1).label).toMatch(/no comparators are chosen/)
  })
  it('are refused in one sentence if a file is not suitable', async () => {
    await expect(of().import.mutate({ name: 'X', source: 'x.csv', year: null, rows: ['Code\tName', '1\tBooks'] })).rejects.toThrow(
      'This file has no column of schools followed by figures.',
    )
    await expect(of().import.mutate({ name: 'X', source: 'x.csv', year: null, rows: rows.slice(0, 1) })).rejects.toThrow('No school')
  })
  it('are changed by users who manage the organisation, and belong to no other', async () => {
    const [set] = await of().list.query()
    const id = set!.id
    await expect(of(reader).delete.mutate({ id })).rejects.toThrow('permission')
    await expect(of(reader).import.mutate({ name: 'X', source: 'x.csv', year: null, rows })).rejects.toThrow('permission')
    const there = of(abroad, { OrganisationId: elsewhere.organisationId })
    expect(await there.list.query()).toEqual([])
    await expect(there.get.query({ id })).rejects.toThrow()
    await expect(there.delete.mutate({ id })).rejects.toThrow()
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import type { PayMeaning } from '../../../domain/payroll/provider/columns.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
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
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let administrator: Caller
/** Does the payroll of the whole trust and of its groups. */
let payroll: Caller
/** Reconciles groups, at one school only. */
let school: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let northgate: LocationId
let other: { id: number; name: string }
let codes: Record<string, number>
let numbers: string[]

beforeAll(async () => {
  product = await startProduct()
  administrator = await signInAs(product, 'admin@bursar.example')
  const lead = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(lead)
  own = { OrganisationId: places.organisationId }
  northgate = places.locations.Northgate!
  const [name, id] = Object.entries(places.locations).find(([, one]) => one !== northgate)!
  other = { id, name }
  const permissions = [
    'ConsolePayrollReconciliationReadUpdate',
    'BudgetingPayrollReconciliationReadUpdate',
    'ConsolePayrollCodesReadUpdate',
  ]
  payroll = await inviteAndSignIn(product, administrator, 'providers@harbour.example', permissions, places.organisationId)
  const some = ['BudgetingPayrollReconciliationReadUpdate']
  school = await inviteAndSignIn(product, administrator, 'oneschool@harbour.example', some, places.organisationId, [northgate])
  const everything = { pageNumber: 1, pageSize: 5000 }
  const rows = (await payroll.call('POST', '/api/PayrollCodes/list', everything, own)).body.rows as Body[]
  codes = Object.fromEntries(rows.map((row) => [row.code, row.id]))
  const month = await of().payroll.reconcile.query({ year: 2027, month: 4, budgetId: places.budgets.Northgate! })
  const here = month.rows.filter((row) => row.locationId === northgate && row.calculated)
  numbers = [...new Set(here.map((row) => row.employeeNumber))]
}, 300_000)

const of = (who: Caller = payroll, selection: Selection = own) => proceduresOf(product, who, selection)
type Sent = Parameters<ReturnType<typeof of>['payroll']['providers']['import']['mutate']>[0]

const wide: (PayMeaning | null)[] = ['employeeNumber', 'element', 'element', 'element']
const heading = 'Emp No|Basic Pay|Ers NI|Union'

/** A wide file of Northgate. Rows are text with bars between cells; the total is in pennies. */
function file(rows: string[], total: number, more: Partial<Sent> = {}): Sent {
  return {
    year: 2027,
    month: 2,
    provider: 'Oakdale Payroll',
    headingRow: 2,
    columns: wide,
    mapping: {
      code: [
        { text: 'Basic Pay', id: codes['100']! },
        { text: 'Ers NI', id: codes['800']! },
        { text: 'Union', id: null },
      ],
      location: [],
    },
    rows: ['Payroll report', heading, ...rows].map((row) => row.replaceAll('|', '\t')),
    locationId: northgate,
    total,
    imported: total,
    monthIsMeant: false,
    again: false,
    ...more,
  }
}
const rowsOf = async (month: number): Promise<Body[]> =>
  (await of().payroll.reconcile.query({ year: 2027, month, budgetId: places.budgets.Northgate! })).rows.filter(
    (row) => row.imported !== null,
  )
const refusal = (work: Promise<unknown>): Promise<Body> =>
  work.then(
    () => null,
    (error) => error,
  )
const errorsOf = async (work: Promise<unknown>): Promise<Body[]> => (await refusal(work)).data.problem.details.errors

describe('a payroll provider’s file', () => {
  it('with a column for each element is imported with its mapping, without what is left out on purpose', async () => {
    const [one, two] = numbers
    const done = await of().payroll.providers.import.mutate(
      file([`${one}|100.10|20|5`, `${two}|200|0.00|`, 'Total|300.10|20.00|5'], 32510, { imported: 32010 }),
    )
    expect(done).toMatchObject({ imported: 4, created: 3, updated: 0, sum: 320.1 })
    const rows = await rowsOf(2)
    expect(rows.map((row) => [row.employeeNumber, row.payrollCode, row.imported]).sort()).toEqual(
      [
        [one, '100', 100.1],
        [one, '800', 20],
        [two, '100', 200],
      ].sort(),
    )
  })

  it('is imported without the rows that the user leaves out', async () => {
    const [one, two] = numbers
    const rows = [`${one}|80.00||`, `${two}|see note||`]
    expect(await errorsOf(of().payroll.providers.import.mutate(file(rows, 8000, { month: 1 })))).toMatchObject([{ row: 4 }])
    const done = await of().payroll.providers.import.mutate(file(rows, 8000, { month: 1, leftOut: [4] }))
    expect(done).toMatchObject({ created: 1, sum: 80 })
    expect((await rowsOf(1)).map((row) => row.employeeNumber)).toEqual([one])
  })

  it('corrected with empty cells removes the former amounts, even for employees without any amount', async () => {
    const [one, two] = numbers
    const done = await of().payroll.providers.import.mutate(file([`${one}|90||`, `${two}|||`], 9000))
    expect(done).toMatchObject({ imported: 1, created: 0, updated: 3, doubled: [] })
    expect((await rowsOf(2)).map((row) => row.imported).sort()).toEqual([0, 0, 90])
  })

  it('has its layout and its codes remembered', async () => {
    const { providers } = await of().payroll.providers.open.query()
    const known = providers.find((one) => one.name === 'Oakdale Payroll')!
    expect(known.layout).toBe('wide')
    expect(known.columns.map((column) => column.meaning)).toEqual(['employeeNumber', 'element', 'element', 'element'])
    expect(known.texts.code).toEqual([
      { text: 'basic pay', id: codes['100'] },
      { text: 'ers ni', id: codes['800'] },
      { text: 'union', id: null },
    ])
  })

  it('with one invalid cell imports nothing, and reports row, column and what to do', async () => {
    const [one, two] = numbers
    const errors = await errorsOf(of().payroll.providers.import.mutate(file([`${one}|-50|1|`, `${two}|3|1|`], 0, { month: 3 })))
    expect(errors).toEqual([
      {
        row: 3,
        column: 'Basic Pay',
        value: '-50',
        message: 'Basic pay for a month cannot be negative. Correct it, or enter amounts recovered as a deduction.',
      },
    ])
    expect(await rowsOf(3)).toEqual([])
  })

  it('that names another month is refused, unless that is confirmed', async () => {
    const [one] = numbers
    const sent = file([`${one}|70|1|`], 7100, { month: 3 })
    sent.rows[0] = 'Pay period: January 2027'
    const errors = await errorsOf(of().payroll.providers.import.mutate(sent))
    expect(errors).toMatchObject([{ row: 1, value: 'Pay period: January 2027' }])
    expect(errors[0].message).toContain('January 2027, not March 2027')
    expect(await of().payroll.providers.import.mutate({ ...sent, monthIsMeant: true })).toMatchObject({ sum: 71 })
  })

  it('with rows of another location than its own is refused', async () => {
    const [one] = numbers
    const columns: Sent['columns'] = ['employeeNumber', 'element', 'location']
    const sent = file([], 10000, { month: 5, columns })
    sent.rows = ['', 'Emp No\tBasic Pay\tSchool', `${one}\t100\t${other.name}`]
    sent.mapping = { code: sent.mapping.code, location: [{ text: other.name, id: other.id }] }
    const errors = await errorsOf(of().payroll.providers.import.mutate(sent))
    expect(errors).toMatchObject([{ row: 3, column: 'School', value: other.name }])
    expect(errors[0].message).toContain('This row is not for Northgate')
  })

  it('that differs from the screen’s proved total, or has an unmapped code, is refused', async () => {
    const [one] = numbers
    expect(await refusal(of().payroll.providers.import.mutate(file([`${one}|70|1|`], 9999, { month: 6 })))).toMatchObject({
      data: { problem: { code: 'totalsDiffer' } },
    })
    // The screen left out a section for a location that this user cannot see.
    const more = file([`${one}|70|1|`], 7100, { month: 6, imported: 7000 })
    expect((await refusal(of().payroll.providers.import.mutate(more))).message).toBe(
      '£71.00 of the file would be imported, not £70.00 as shown. Choose the file again.',
    )
    const unmapped = file([`${one}|70|1|`], 7100, { month: 6 })
    unmapped.mapping.code = unmapped.mapping.code.filter((row) => row.text !== 'Ers NI')
    expect(await errorsOf(of().payroll.providers.import.mutate(unmapped))).toMatchObject([{ row: 3, column: 'Ers NI', value: 'Ers NI' }])
  })

  it('is imported for the caller’s school alone, and does not change what others have decided', async () => {
    const [one] = numbers
    const sent = file([`${one}|71|1|`], 7200, { month: 6 })
    sent.mapping.code[2] = { text: 'Union', id: codes['100']! }
    expect(await of(school).payroll.providers.import.mutate(sent)).toMatchObject({ sum: 72 })
    const { providers, locations } = await of(school).payroll.providers.open.query()
    expect(providers[0]!.texts.code).toContainEqual({ text: 'union', id: null })
    expect(locations.map((place) => place.id)).toEqual([northgate])
    expect(await refusal(of(school).payroll.providers.import.mutate({ ...sent, locationId: null }))).toMatchObject({
      data: { problem: { kind: 'forbidden' } },
    })
    expect(await refusal(of(school).payroll.providers.import.mutate({ ...sent, locationId: other.id }))).toMatchObject({
      data: { problem: { kind: 'notFound' } },
    })
  })

  it('imported first by one school gives all of them its columns and codes, but not what that school left out', async () => {
    const [one] = numbers
    const sent = file([`${one}|71|1|5`], 7700, { month: 7, provider: 'School bureau', imported: 7200 })
    expect(await of(school).payroll.providers.import.mutate(sent)).toMatchObject({ sum: 72 })
    const { providers } = await of().payroll.providers.open.query()
    const known = providers.find((provider) => provider.name === 'School bureau')!
    expect(known.columns.map(({ meaning }) => meaning)).toEqual(wide)
    expect(known.texts.code.map(({ text, id }) => [text, id]).sort()).toEqual([
      ['basic pay', codes['100']],
      ['ers ni', codes['800']],
    ])
  })

  it('has its uses of codes listed: the pay under one, for the schools that the caller sees', async () => {
    const used = async (who: Caller) => {
      const { counts, hidden } = await of(who).resources.payrollCode!.uses.query({ id: codes['100']! })
      return { paid: counts.find(({ thing }) => thing === 'payroll actuals')?.count ?? 0, hidden }
    }
    const permissions = ['BudgetingPayrollReconciliationRead', 'ConsolePayrollCodesRead']
    const reader = await inviteAndSignIn(product, administrator, 'codes@harbour.example', permissions, places.organisationId, [northgate])
    const all = await used(payroll)
    const here = await used(reader)
    expect(all.hidden).toBe(false)
    expect(here.paid).toBeGreaterThan(0)
    expect(here.paid).toBeLessThan(all.paid)
    expect(here.hidden).toBe(true)
    const [first] = numbers
    await of().payroll.actual.mutate({
      year: 2027,
      month: 8,
      group: places.groupId,
      employeeNumber: first!,
      payrollCode: '100',
      locationId: northgate,
      value: 12,
    })
    expect((await used(reader)).paid).toBe(here.paid + 1)
  })

  it('is read differently once somebody has changed its provider’s mapping, and the history says so', async () => {
    const [known] = (await of().payroll.providers.open.query()).providers
    const { id, version, columns } = known!
    const change = { id, version, columns, mapping: { code: [], location: [] }, forgotten: [] }
    await of().payroll.providers.change.mutate({
      ...change,
      mapping: { code: [{ text: 'union', id: codes['100']! }], location: [] },
      forgotten: [{ kind: 'code', text: 'ers ni' }],
    })
    const [now] = (await of().payroll.providers.open.query()).providers
    expect(now!.texts.code).toContainEqual({ text: 'union', id: codes['100'] })
    expect(now!.texts.code.some(({ text }) => text === 'ers ni')).toBe(false)
    const [last] = await of().payroll.providers.history.query({ id })
    expect(last!.sentence).toMatch(/^mapped “union” to 100 .* instead of nothing: left out on purpose; forgot “ers ni”$/)
    expect(await refusal(of().payroll.providers.change.mutate(change))).toMatchObject({ data: { problem: { kind: 'conflict' } } })
    const fresh = { ...change, version: version + 1 }
    expect(await of().payroll.providers.change.mutate(fresh), 'where nothing differs').toEqual({ version: version + 1 })
    expect((await refusal(of().payroll.providers.change.mutate({ ...fresh, columns: columns.slice(1) }))).message).toContain(
      'Choose the column of employee numbers',
    )
    const isForbidden = { data: { problem: { kind: 'forbidden' } } }
    expect(await refusal(of(school).payroll.providers.change.mutate(fresh))).toMatchObject(isForbidden)
    expect(await refusal(of(school).payroll.providers.history.query({ id }))).toMatchObject(isForbidden)
  })

  it('of a forgotten provider raises its questions again', async () => {
    const { providers } = await of().payroll.providers.open.query()
    expect(await refusal(of(school).payroll.providers.forget.mutate({ id: providers[0]!.id }))).toMatchObject({
      data: { problem: { kind: 'forbidden' } },
    })
    await of().payroll.providers.forget.mutate({ id: providers[0]!.id })
    const left = (await of().payroll.providers.open.query()).providers
    expect(left.map((one) => one.name)).toEqual(providers.slice(1).map((one) => one.name))
  })
})

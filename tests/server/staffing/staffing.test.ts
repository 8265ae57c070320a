import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetId, OrganisationId, StaffId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { type Ids, idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let northgate: Required<Selection>
let ids: Ids

beforeAll(async () => {
  product = await startProduct({ worker: true })
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
})

const pennies = (pounds: number): number => Math.round(pounds * 100)
const procedures = (who = finance) => proceduresOf(product, who, northgate)
const everything = { pageNumber: 1, pageSize: 5000 }
const aliasOf = (budgetId: BudgetId): string => Object.entries(places.budgets).find(([, id]) => id === budgetId)![0]

describe('the tables that a budget uses', () => {
  const summaries = [
    ['TeacherPayScales/BudgetSummary', 3],
    ['SupportPayScales/BudgetSummary', 3],
    ['CustomTeacherPayScales/BudgetSummary', 0],
    ['CustomSupportPayScales/BudgetSummary', 0],
    ['NationalInsurance/budgetsummary', 3],
    ['ExtendedLeave/BudgetSummary', 2],
    ['LaFundingRates/budgetsummary', 3],
  ] as const
  it('B-162 B-188 are loaded with an empty body: each with its date, its name and its rows, in order', async () => {
    for (const [path, count] of summaries) {
      const reply = await finance.call('POST', `/api/${path}`, undefined, northgate)
      expect([path, reply.status, reply.body.length]).toEqual([path, 200, count])
      const dates = reply.body.map((summary: Body) => summary.effectiveDate)
      expect(dates).toEqual([...dates].sort())
      for (const summary of reply.body) {
        expect(summary.adminTable.name).not.toBe('')
        expect(summary.rows.length).toBeGreaterThan(0)
      }
    }
  })
  it('include pay awards and pension rates of the contract types of the budget, by date', async () => {
    const awards = (await finance.call('POST', '/api/StaffInflation/BudgetSummary', undefined, northgate)).body
    const types = (await finance.call('POST', '/api/ContractTypes/budgetsummary', undefined, northgate)).body
    expect(awards[0]).toMatchObject({ adminTable: { name: 'Central case' } })
    const known = new Set(types.map((type: Body) => type.id))
    expect(awards.flatMap((summary: Body) => summary.rows).every((row: Body) => known.has(row.contractTypeId))).toBe(true)
    expect((await finance.call('POST', '/api/StaffErPension/BudgetSummary', undefined, northgate)).body.length).toBeGreaterThan(0)
  })
})

describe('the apprenticeship levy', () => {
  const automatically = async (calculateApprenticeshipLevyAutomatically: boolean): Promise<void> => {
    const organisation = (await finance.call('GET', `/api/MyOrganisations/${places.organisationId}`, undefined, own)).body
    const change = { ...organisation, calculateApprenticeshipLevyAutomatically }
    expect((await finance.call('PUT', '/api/MyOrganisations', change, own)).status).toBe(200)
  }
  const recalculated = async (): Promise<void> => {
    const locked = async () =>
      (await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)).body.locked
    expect((await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)).status).toBe(202)
    for (let turn = 0; turn < 400 && (await locked()); turn++) await new Promise((next) => setTimeout(next, 50))
  }
  it('is half a percent of the gross less the typed share, posted for each budget, and requires a recalculation when a share changes', async () => {
    await automatically(false)
    const list = (await finance.call('POST', '/api/ApprenticeshipLevies/list', everything, own)).body.rows
    const row = list.find((one: Body) => one.locationId === northgate.LocationId)
    const edited = await finance.call(
      'PATCH',
      '/api/ApprenticeshipLevies/edit',
      { state: { selectAll: false, toggledNodes: [row.id] }, patch: [{ op: 'replace', path: '/allowance', value: 1200 }] },
      own,
    )
    expect(edited.status).toBe(200)
    const required = await finance.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${places.groupId}`, undefined, own)
    expect(required.body.required).toBe(true)
    await recalculated()
    const monthsOf = async (key: string): Promise<number[]> => {
      const sources = await procedures().lines.sources.query({ by: 'component', key, year: 1 })
      return Array.from({ length: 12 }, (_unused, month) => sources.reduce((sum, source) => sum + pennies(source.months[month] ?? 0), 0))
    }
    const gross = await monthsOf('pay')
    expect(await monthsOf('levy')).toEqual(gross.map((month) => Math.max(0, Math.round(month / 200) - 10_000)))
    // Without a kind of cost, the year lists all kinds: the breakdown of the list’s total.
    const sums = await procedures().lines.sums.query({ by: 'component' })
    const all = await procedures().lines.sources.query({ by: 'component', year: 1 })
    const added = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + pennies(amount), 0)
    expect(added(all.map(({ total }) => total))).toBe(added(sums.map(({ years }) => years[1]!.total)))
  }, 60_000)
  it('shares the allowance by gross if the organisation has it calculated: together they use it all', async () => {
    await automatically(true)
    const required = await finance.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${places.groupId}`, undefined, own)
    expect(required.body.required).toBe(true)
    await recalculated()
    const aliases = Object.keys(places.locations)
    let [gross, levy] = [0, 0]
    for (const alias of aliases) {
      const sums = await proceduresOf(product, finance, places.at(alias)).lines.sums.query({ by: 'component' })
      gross += pennies(sums.find((line) => line.key === 'pay')!.years[0]!.total)
      levy += pennies(sums.find((line) => line.key === 'levy')?.years[0]?.total ?? 0)
    }
    // Twelve roundings for each school; no school’s share is so small that it disappears.
    expect(Math.abs(levy - (gross * 0.005 - 1_500_000))).toBeLessThanOrEqual(12 * aliases.length)
  }, 60_000)
})

describe('a pay award on trial', () => {
  it('changes nothing that is stored, and shows the cost for each school', async () => {
    const types = await procedures().budgetSummaries.contractTypes.query()
    const award = { contractTypeIds: types.map((type) => type.id), effectiveDate: '2028-01-01', rate: 5 }
    const before = (await finance.call('POST', '/api/StaffContract/paginated', everything, northgate)).body.rows
    const { budgets: effects } = await procedures().whatIf.try.query(award)
    expect(effects).toHaveLength(6)
    const northgates = effects.find((effect) => effect.budgetId === northgate.BudgetId)!
    expect(northgates.years[0]!.after).toBe(northgates.years[0]!.before)
    expect(northgates.years[2]!.after).toBeGreaterThan(northgates.years[2]!.before)
    expect(pennies(northgates.years[2]!.before)).toBe(before.reduce((sum: number, row: Body) => sum + pennies(row.costYears[2] ?? 0), 0))
    expect((await finance.call('POST', '/api/StaffContract/paginated', everything, northgate)).body.rows).toEqual(before)
  })
  it('raises a pay table’s award by the difference, and says what it replaces and what it leaves', async () => {
    const standing = await procedures().whatIf.standing.query()
    const inTable = standing.find((award) => award.table === 'Teachers Sept 2026')!
    expect([inTable.effectiveDate, inTable.contractTypeIds]).toEqual(['2026-09-01', [ids.teacher]])
    const held = Number(inTable.rate)
    const award = { contractTypeIds: [ids.teacher], effectiveDate: inTable.effectiveDate, rate: held + 1 }
    const { types } = await procedures().whatIf.try.query(award)
    const teachers = types.find((type) => type.contractTypeId === ids.teacher)!
    const [first] = teachers.years
    // About one per cent of the cost of teachers: the higher award adds its difference to the pay table.
    expect(first!.after / first!.before).toBeGreaterThan(1.007)
    expect(first!.after / first!.before).toBeLessThan(1.013)
    expect(teachers.sentences[0]).toBe(
      `${held + 1}% in place of the ${held}% that the pay table Teachers Sept 2026 includes: its figures are increased by the difference.`,
    )
    const others = types.filter((type) => type.contractTypeId !== ids.teacher)
    for (const type of others) {
      // Employees with contracts of two types have one national insurance, shared by pay, so it may change slightly.
      for (const year of type.years) expect(Math.abs(year.after - year.before)).toBeLessThan(500)
      expect(type.sentences).toEqual([expect.stringMatching(/^Not chosen/)])
    }
    const same = await procedures().whatIf.try.query({ ...award, rate: held })
    expect(same.budgets.every((budget) => budget.years.every((year) => year.after === year.before))).toBe(true)
  })
  it('saved as a scenario is a duplicate of each budget, calculated with its own assumptions, to the pennies of the trial', async () => {
    const award = { contractTypeIds: [ids.teacher], effectiveDate: '2027-09-01', rate: 4.25 }
    const { budgets: tried } = await procedures().whatIf.try.query(award)
    const { budgetIds } = await procedures().whatIf.keep.mutate({ ...award, name: 'High award' })
    expect(budgetIds).toHaveLength(6)
    for (const id of budgetIds) {
      const budget = (await finance.call('GET', `/api/Budget/id/${id}`, undefined, own)).body
      const at = { ...own, LocationId: budget.locationId, BudgetId: id }
      const rows = (await finance.call('POST', '/api/StaffContract/paginated', everything, at)).body.rows
      const effect = tried.find((one) => places.locations[aliasOf(one.budgetId)] === budget.locationId)!
      const total = rows.reduce((sum: number, row: Body) => sum + pennies(row.costYears[1] ?? 0), 0)
      expect(total).toBe(pennies(effect.years[1]!.after))
    }
    await expect(procedures().whatIf.keep.mutate({ ...award, name: 'High award' })).rejects.toThrow('Name is already used.')
    const manager = await signInAs(product, 'northgate@harbour.example')
    await expect(procedures(manager).whatIf.keep.mutate({ ...award, name: 'Mine' })).rejects.toThrow('You do not have permission')
    expect((await procedures(manager).whatIf.try.query(award)).budgets).toHaveLength(1)
  }, 60_000)
})

describe('the checks', () => {
  it('find employees without a date of birth, with more than full time and with two jobs, and lead to each', async () => {
    const people = (await finance.call('POST', '/api/Staff/list/location', everything, northgate)).body.rows
    const person = people.find((one: Body) => one.dateOfBirth)
    const twin = await finance.call(
      'POST',
      '/api/Staff',
      {
        ...person,
        id: undefined,
        version: undefined,
        employeeNumber: '990001',
        niNumber: person.niNumber ?? 'QQ123456C',
        locations: [northgate.LocationId],
      },
      own,
    )
    await finance.call('PUT', '/api/Staff', { ...person, niNumber: twin.body.niNumber }, own)
    const ageless = await finance.call(
      'POST',
      '/api/Staff',
      { employeeNumber: '990002', forename: 'No', surname: 'Age', locations: [northgate.LocationId] },
      own,
    )
    const make = (employeeNumber: string, contractName: string, change = {}, row = {}) =>
      finance.call('PUT', '/api/StaffContract', teacherContract(ids, { employeeNumber, contractName, ...change }, row), northgate)
    await make(person.employeeNumber, 'Checked original', {}, { fte: 0.1 })
    await make('990001', 'Twin', { maximumScalePoint: ids.point('Main M3') })
    await make('990002', 'First')
    await make('990002', 'Second', {}, { fte: 0.5 })
    await make('990002', 'Nothing', {}, { scalePoint: null, spotAdjustment: 0 })
    const { findings } = await procedures().contracts.checks.query({})
    const codesOf = (staffId: StaffId) => findings.filter((finding) => finding.staffId === staffId).map((finding) => finding.code)
    expect(codesOf(ageless.body.id)).toEqual(expect.arrayContaining(['noDateOfBirth', 'overFull', 'zeroPay']))
    expect(codesOf(twin.body.id)).toContain('aboveMaximum')
    expect([...codesOf(person.id), ...codesOf(twin.body.id)]).toContain('duplicateEmployee')
    expect(findings.find((finding) => finding.code === 'overFull' && finding.staffId === ageless.body.id)!.sentence).toContain(
      '2.50 of full time',
    )
  })
})

describe('a contract’s reminder', () => {
  it('belongs to the user who sets it, is shown among their reminders, and is deleted when it is cleared', async () => {
    const made = await finance.call(
      'PUT',
      '/api/StaffContract',
      teacherContract(ids, { contractName: 'With a reminder', reminderDate: '2027-05-01', reminderText: 'Probation ends' }),
      northgate,
    )
    expect(made.body).toMatchObject({ reminderDate: '2027-05-01', reminderText: 'Probation ends' })
    const mine = (await finance.call('GET', '/api/MyReminders/year/2027/month/5', undefined, own)).body
    expect(mine.map((reminder: Body) => reminder.description)).toContain('Probation ends')
    const manager = await signInAs(product, 'northgate@harbour.example')
    expect((await manager.call('GET', `/api/StaffContract/id/${made.body.id}`, undefined, northgate)).body.reminderDate).toBe(null)
    const half = await finance.call('PUT', '/api/StaffContract', { ...made.body, reminderDate: null }, northgate)
    expect([half.status, half.body]).toEqual([400, 'Reminder date is required.'])
    const cleared = await finance.call('PUT', '/api/StaffContract', { ...made.body, reminderDate: null, reminderText: null }, northgate)
    expect(cleared.body.reminderDate).toBe(null)
  })
})

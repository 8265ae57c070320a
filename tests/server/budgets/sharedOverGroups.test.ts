import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { advisoryLocks } from '../../../server/core/database/advisoryLocks.ts'
import { withdrawGroupShares } from '../../../server/shared/groupMoney/levy/commands.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { openCountingStore } from '../../support/product/statements.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { until } from '../../support/running/worker.ts'
import { type Ids, idsFor, teacherContract } from '../../support/samples/contract.ts'

/** The levy, pools and top slices are shared over a group: changes there are reported, and nothing becomes out of date unnoticed. */
let product: Product
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let ids: Ids
let sql: ReturnType<typeof connectAsOwner>
let northgate: Required<Selection>

beforeAll(async () => {
  product = await startProduct({ worker: true })
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
  sql = connectAsOwner(product.config.databaseUrl)
})

const everything = { pageNumber: 1, pageSize: 5000 }
const at = (budget: Body): Required<Selection> => ({ ...own, LocationId: budget.locationId, BudgetId: budget.mongoId })
const summary = (where: Required<Selection>) => proceduresOf(product, finance, where).overview.summary.query()
const group = async (): Promise<Body> => (await finance.call('GET', `/api/BudgetGroup/edit/id/${places.groupId}`, undefined, own)).body
const recalculate = async (): Promise<void> => {
  expect((await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)).status).toBe(202)
  await until('the group is up to date', async () => (await group()).recalculationState === 1, 60_000)
}
const setGroup = async (budgetIds: BudgetId[]) => {
  const { id } = await group()
  return finance.call('PATCH', '/api/BudgetGroup/items', { id, items: budgetIds.map((budgetId, order) => ({ budgetId, order })) }, own)
}
const memberIds = async (): Promise<BudgetId[]> => (await group()).items.map((item: Body) => item.budgetId)
const copy = async (name: string, source = northgate.BudgetId): Promise<Required<Selection>> =>
  at((await finance.call('POST', `/api/Budget/duplicate/${source}`, { name }, own)).body)
/** Budgets’ pools and top slices by calendar year, in pence, and how many of their figures are not calculated. */
const transfersOf = async (budgetIds: BudgetId[]) => {
  const rows =
    await sql`select (b.head ->> 'firstYear')::int + l.year as year, sum(case when c.type = 1 then l.total else -l.total end)::int as net, sum(l.missing)::int as missing
    from budget_lines l join budgets b on b.id = l.budget_id join budget_codes c on c.id = l.budget_code_id
    where l.source_kind = 'transfer' and l.budget_id in ${sql(budgetIds)} group by 1 order by 1`
  return rows.map((row) => ({ year: row.year, net: row.net, missing: row.missing }))
}
const lines = (where: Required<Selection>, kind: string) =>
  sql<
    { source_id: string; component: string; year: number; budget_code_id: number; amounts: (string | null)[]; missing: number }[]
  >`select source_id, component, year, budget_code_id, amounts, missing from budget_lines where budget_id = ${where.BudgetId} and source_kind = ${kind} order by 1, 2, 3, 4, 5`

/** The sentences in the history of a budget, newest first. */
const history = async (where: Required<Selection>): Promise<string[]> =>
  (await proceduresOf(product, finance, where).budgets.history.query({})).map((row) => row.sentence)

describe('a contract saved after its group was recalculated', () => {
  it('leaves the levy not calculated and says that a recalculation is required; submitting is refused until then', async () => {
    expect((await group()).recalculationState).toBe(1)
    const saved = await finance.call('PUT', '/api/StaffContract', teacherContract(ids), northgate)
    expect(saved.status).toBe(200)
    const required = await finance.call('GET', `/api/BudgetGroup/recalculate/staff-contracts/required/${places.groupId}`, undefined, own)
    expect(required.body.required).toBe(true)
    const now = await summary(northgate)
    expect(now.recalculation).toMatchObject({ reason: 'Pay used to share the levy allowance' })
    expect(now.problems).toContain(
      `The apprenticeship levy is not calculated in full until the group ${(await group()).name} is recalculated.`,
    )
    expect(now.years.every((year) => year.missing >= 12)).toBe(true)
    const submitted = await finance.call('POST', '/api/Budget/submit', {}, northgate)
    const sent = await proceduresOf(product, finance, northgate)
      .approval.submit.mutate({ comment: null })
      .then(
        () => 'sent',
        (error: Error) => error.message,
      )
    expect([sent, submitted.status === 200]).toEqual([
      `The figures are not up to date (Pay used to share the levy allowance). Recalculate the group ${(await group()).name} first.`,
      false,
    ])
    await recalculate()
    expect((await summary(northgate)).recalculation).toBe(null)
    expect((await summary(northgate)).years.every((year) => year.missing === 0)).toBe(true)
    const gone = { state: { selectAll: false, toggledNodes: [saved.body.id] } }
    expect((await finance.call('POST', '/api/StaffContract/bulkDelete', gone, northgate)).body).toMatchObject({ deleted: 1 })
    expect((await group()).recalculationState).toBe(2)
    await recalculate()
  }, 120_000)
})

describe('the levy of the other budgets of a group', () => {
  const levyNow = async (where: Required<Selection>) => (await lines(where, 'levy')).map((line) => [line.year, line.missing === 12])
  const unknown = [0, 1, 2, 3, 4].map((year) => [year, true])

  it('is not calculated anywhere from a change of pay in one of them until the group is recalculated', async () => {
    const beacon = places.at('Beacon')
    const before = await lines(beacon, 'levy')
    expect(before.every((line) => line.missing === 0)).toBe(true)
    const of = proceduresOf(product, finance, beacon)
    const first = await of.overview.summary.query()
    const version = (await of.moments.timeline.query()).version
    const saved = await finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'Elsewhere' }), northgate)
    expect(saved.status).toBe(200)
    expect([await levyNow(northgate), await levyNow(beacon)]).toEqual([unknown, unknown])
    const sentence = `The apprenticeship levy is not calculated in full until the group ${(await group()).name} is recalculated.`
    const now = await of.overview.summary.query()
    expect(now.problems).toContain(sentence)
    expect(now.recalculation).not.toBe(null)
    for (const [year, figures] of now.years.entries()) {
      const levy = before.find((line) => line.year === year)!.amounts.reduce((sum, amount) => sum + Number(amount), 0)
      expect(Math.round((first.years[year]!.staffing - figures.staffing) * 100)).toBe(levy)
      expect([figures.missing, figures.gaps.staffing, figures.gaps.income, figures.gaps.closing]).toEqual([12, 12, 0, 12 * (year + 1)])
    }
    const sums = (await of.lines.sums.query({ by: 'component' })).find((sum) => sum.key === 'levy')!
    expect(sums.years).toEqual(Array(5).fill({ total: 0, missing: 12 }))
    expect((await of.budgets.summary.query()).years.map((year) => year.levy)).toEqual(Array(5).fill(null))
    const tree = (await of.overview.tree.query({ scheme: 'category' })).flatMap((category) => category.codes)
    expect(tree.find((code) => code.id === null)!.years).toEqual(Array(5).fill({ total: 0, missing: 12 }))
    expect((await of.scenarios.list.query()).base.years.map((year) => year.gaps.staffing)).toEqual(Array(5).fill(12))
    const at = (await of.moments.timeline.query()).version
    const moment = await of.moments.at.query({ version: at })
    expect(moment.codes.find((code) => code.description === 'Apprenticeship levy')!.years).toEqual(Array(5).fill(null))
    const sides = { a: { budgetId: beacon.BudgetId, version }, b: { budgetId: beacon.BudgetId } }
    const { things } = await of.moments.compare.query(sides)
    expect(things.map((thing) => [thing.kind, thing.what, thing.years[0]!.b, thing.years[0]!.missing])).toEqual([
      ['levy', 'recosted', null, { a: 0, b: 12 }],
    ])
    expect((await of.moments.compareFile.query(sides)).body).toContain('not calculated')
    const bridge = await of.moments.bridge.query({ a: { ...sides.a, year: 0 }, b: { ...sides.b, year: 0 } })
    expect(bridge.leftOut).toEqual([expect.stringMatching(/^The apprenticeship levy for .* is not calculated in full/)])
    expect((await group()).notes).toContain('The apprenticeship levy is not calculated in full until the group is recalculated.')
    expect((await history(beacon))[0]).toContain('so the apprenticeship levy needs recalculating')
    const gone = { state: { selectAll: false, toggledNodes: [saved.body.id] } }
    await finance.call('POST', '/api/StaffContract/bulkDelete', gone, northgate)
    await recalculate()
    expect(await lines(beacon, 'levy')).toEqual(before)
    expect((await of.overview.summary.query()).years).toEqual(first.years)
  }, 120_000)
  it('is unchanged by a save that changes no pay', async () => {
    const [contract] = (await finance.call('POST', '/api/StaffContract/paginated', everything, northgate)).body.rows
    const full = (await finance.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, northgate)).body
    const before = await lines(places.at('Beacon'), 'levy')
    expect((await finance.call('PUT', '/api/StaffContract', { ...full, position: 'Renamed' }, northgate)).status).toBe(200)
    expect(await lines(places.at('Beacon'), 'levy')).toEqual(before)
    expect((await group()).recalculationState).toBe(1)
  })
  it('is not calculated either after a budget with pay joins or leaves the group', async () => {
    const members = await memberIds()
    const rest = members.filter((id) => id !== northgate.BudgetId)
    expect((await setGroup(rest)).status).toBe(200)
    expect(await levyNow(places.at('Beacon'))).toEqual(unknown)
    await recalculate()
    expect((await lines(places.at('Beacon'), 'levy')).every((line) => line.missing === 0)).toBe(true)
    expect((await setGroup(members)).status).toBe(200)
    expect(await levyNow(places.at('Beacon'))).toEqual(unknown)
    await recalculate()
  }, 120_000)
  it('the first saves of all schools at the same time do not block each other', async () => {
    const schools = Object.keys(places.budgets).map((alias) => places.at(alias))
    const save = (where: Required<Selection>, name: string) =>
      finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: name }), where)
    const asked = schools.flatMap((where) => [1, 2, 3].map((turn) => ({ where, name: `Crosswise ${turn}` })))
    const answers = await Promise.all(asked.map(({ where, name }) => save(where, name)))
    expect(answers.map((answer) => answer.status)).toEqual(asked.map(() => 200))
    for (const where of schools) expect(await levyNow(where)).toEqual(unknown)
    for (const [index, { where }] of asked.entries()) {
      const gone = { state: { selectAll: false, toggledNodes: [answers[index]!.body.id] } }
      await finance.call('POST', '/api/StaffContract/bulkDelete', gone, where)
    }
    await recalculate()
  }, 120_000)
  it('a save that meets another’s withdrawal of the group’s shares waits without holding locks, and then saves', async () => {
    const other = await sql.reserve()
    await other`begin`
    await other`select pg_advisory_xact_lock(${advisoryLocks.shares}::integer, hashtext(${places.groupId}))`
    const saved = finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'Behind another' }), northgate)
    await until(
      'it waits',
      async () =>
        (await sql`select from pg_locks where locktype = 'advisory' and classid = ${advisoryLocks.shares} and not granted`).length > 0,
    )
    // The budget itself is not locked meanwhile.
    await other`select from budgets where id = ${northgate.BudgetId} for update nowait`
    await other`commit`
    other.release()
    const { status, body } = await saved
    expect(status).toBe(200)
    expect(await levyNow(places.at('Beacon'))).toEqual(unknown)
    const gone = { state: { selectAll: false, toggledNodes: [body.id] } }
    await finance.call('POST', '/api/StaffContract/bulkDelete', gone, northgate)
    await recalculate()
  }, 120_000)
  it('the shares of many budgets are withdrawn with as many statements as those of a few', async () => {
    const { store, count } = await openCountingStore(product.config)
    const { OrganisationId: organisationId } = own
    const actor = { userId: null, requestId: 'counted', now: new Date() }
    class Undo extends Error {}
    /** The number of statements for this many budgets; each run is rolled back. */
    const statementsOf = async (budgetIds: readonly BudgetId[]): Promise<number> => {
      const { statements } = await count(() =>
        store
          .inOrganisation(organisationId, async (tx) => {
            await withdrawGroupShares({ tx, organisationId, actor }, { groupId: places.groupId, budgetIds })
            throw new Undo()
          })
          .catch((error) => {
            if (!(error instanceof Undo)) throw error
          }),
      )
      return statements.length
    }
    const members = await memberIds()
    expect(members.length).toBeGreaterThan(4)
    const two = await statementsOf(members.slice(0, 2))
    expect(two).toBeGreaterThan(6)
    expect(await statementsOf(members)).toBe(two)
  })
})

describe('a budget that is rolled forward on its own', () => {
  it('keeps its slice and its levy in the remaining years, and says that those of the added year are not calculated', async () => {
    const before = await summary(northgate)
    const rolled = at((await finance.call('POST', '/api/Budget/rollforward', { ids: [northgate.BudgetId] }, own)).body[0])
    const after = await summary(rolled)
    const figures = (year: Body) => [year.income, year.staffing, year.nonStaffing, year.inYear, year.closing, year.missing]
    expect(after.years.slice(0, 4).map(figures)).toEqual(before.years.slice(1).map(figures))
    for (const kind of ['transfer', 'levy']) {
      const old = (await lines(northgate, kind))
        .filter((line) => line.year > 0)
        .map((line) => ({ ...line, source_id: '', year: line.year - 1 }))
      const next = (await lines(rolled, kind)).map((line) => ({ ...line, source_id: '' }))
      expect(next.filter((line) => line.year < 4)).toEqual(old)
      expect(next.filter((line) => line.year === 4).map((line) => line.missing)).toEqual(
        old.filter((line) => line.year === 3).map(() => 12),
      )
    }
    const [slice] = (await lines(rolled, 'transfer')).filter((line) => line.year === 4)
    const sources = await proceduresOf(product, finance, rolled).overview.sources.query({ codeId: slice!.budget_code_id })
    expect(sources.find((source) => source.kind === 'transfer')!.months[4]).toEqual(Array(12).fill(null))
    const [levy] = await proceduresOf(product, finance, rolled).lines.sources.query({ by: 'component', key: 'levy', year: 4 })
    expect(levy!.months).toEqual(Array(12).fill(null))
    expect(after.problems).toContain('Pools and top slices for 2031/32 are not calculated until the budget is recalculated with a group.')
    expect(after.problems).toContain('The apprenticeship levy is not calculated: this budget is not in a group that shares the allowance.')
  }, 60_000)
})

describe('a budget in no group', () => {
  it('that is new has its slice and levy not calculated, never zero', async () => {
    const source = (await finance.call('GET', `/api/Budget/id/${northgate.BudgetId}`, undefined, own)).body
    const input = { ...source, name: 'Brand new', locationIds: [source.locationId], budgetGroupId: null }
    const made = await finance.call('POST', '/api/BudgetElements/create', input, own)
    expect(made.status).toBe(201)
    const where = at(made.body[0])
    expect((await finance.call('PUT', '/api/StaffContract', teacherContract(ids), where)).status).toBe(200)
    const now = await summary(where)
    expect(now.problems).toEqual([
      'Pools and top slices are not calculated: this budget is not in a group.',
      'The apprenticeship levy is not calculated: this budget is not in a group that shares the allowance.',
    ])
    expect(now.years.map((year) => year.missing)).toEqual([24, 24, 24, 24, 24])
    expect(now.recalculation).toBe(null)
  }, 60_000)
  it('is marked by leave, is recalculated by itself, and cannot be submitted before that', async () => {
    const where = await copy('On its own')
    const contracts = (await finance.call('POST', '/api/StaffContract/paginated', everything, where)).body.rows
    const rules = (await finance.call('POST', '/api/ExtendedLeaveRuleSet/list', everything, own)).body.rows
    const person = contracts.find((row: Body) => row.employeeNumber && row.endDate === null)
    const staff = (await finance.call('POST', '/api/Staff/list', { ...everything, search: person.employeeNumber }, own)).body.rows
    const staffId = staff.find((row: Body) => row.employeeNumber === person.employeeNumber).id
    const leave = { staffId, extendedLeaveRulesetId: rules[0].id, startDate: '2028-11-01', endDate: '2029-05-31' }
    const before = await summary(where)
    expect((await finance.call('POST', '/api/AppliedExtendedLeave', leave, own)).status).toBeLessThan(300)
    const state = () => proceduresOf(product, finance, where).recalculating.state.query({ id: where.BudgetId })
    expect(await state()).toMatchObject({ state: 2, reason: 'Extended leave', group: null })
    const row = (await finance.call('GET', `/api/Budget/id/${where.BudgetId}`, undefined, own)).body
    expect([row.recalculationState, row.requiredReason]).toEqual([2, 'Extended leave'])
    const submit = () =>
      proceduresOf(product, finance, where)
        .approval.submit.mutate({ comment: null })
        .then(
          () => 'sent',
          (error: Error) => error.message,
        )
    expect(await submit()).toBe('The figures are not up to date (Extended leave). Recalculate the budget first.')
    const grouped = await finance.call('POST', `/api/Budget/recalculate/staff-contracts/${northgate.BudgetId}`, undefined, own)
    expect([grouped.status, grouped.body]).toEqual([
      409,
      `This budget is recalculated with the group ${(await group()).name}. Recalculate the group.`,
    ])
    expect((await finance.call('POST', `/api/Budget/recalculate/staff-contracts/${where.BudgetId}`, undefined, own)).status).toBe(202)
    await until('it is up to date', async () => (await state()).state === 1, 60_000)
    const after = await summary(where)
    expect(after.years[2]!.staffing).not.toBe(before.years[2]!.staffing)
    const [scenarios] = [await proceduresOf(product, finance, where).scenarios.list.query()]
    expect(scenarios.base.years.map((year: Body) => year.staffing)).toEqual(after.years.map((year) => year.staffing))
    // Shares within a group are calculated only when the group is recalculated.
    expect(await submit()).toMatch(
      /^The apprenticeship levy is not calculated in .+ Add this budget to a group and recalculate the group first./,
    )
    await recalculate()
  }, 120_000)
})

describe('budgets that leave their group', () => {
  it('lose their transfers on both sides, and the group then needs recalculating', async () => {
    const members = await memberIds()
    expect((await transfersOf(members)).every((year) => year.net === 0 && year.missing === 0)).toBe(true)
    const rest = members.filter((id) => id !== northgate.BudgetId)
    expect((await setGroup(rest)).status).toBe(200)
    expect((await group()).recalculationState).toBe(2)
    expect((await transfersOf(rest)).every((year) => year.net === 0)).toBe(true)
    expect((await transfersOf([northgate.BudgetId])).every((year) => year.net === 0 && year.missing > 0)).toBe(true)
    expect((await summary(northgate)).problems).toContain('Pools and top slices are not calculated: this budget is not in a group.')
    expect((await setGroup(members)).status).toBe(200)
    await recalculate()
    expect((await transfersOf(members)).every((year) => year.net === 0 && year.missing === 0)).toBe(true)
  }, 120_000)
  it('leave no school paying what nobody receives if the central budget is deleted', async () => {
    const members = await memberIds()
    const central = places.at('Central').BudgetId
    const stand = await copy('Stands in', central)
    expect((await finance.call('DELETE', `/api/Budget/${central}`, undefined, own)).status).toBe(204)
    const schools = members.filter((id) => id !== central)
    expect((await group()).recalculationState).toBe(2)
    expect((await lines(northgate, 'transfer')).filter((line) => line.component === 'topSlice')).toEqual([])
    await recalculate()
    expect((await summary(northgate)).problems).toContain('Top slices are not posted: the group has no budget of a central location.')
    expect((await setGroup([...schools, stand.BudgetId])).status).toBe(200)
    await recalculate()
    expect((await transfersOf([...schools, stand.BudgetId])).every((year) => year.net === 0 && year.missing === 0)).toBe(true)
  }, 120_000)
  it('report the years without top slices if the central budget has fewer years, and so does a school', async () => {
    const members = await memberIds()
    const rows = (await finance.call('POST', '/api/Budget/paginated', everything, own)).body.rows as Body[]
    const { mongoId, name } = rows.find((row) => members.includes(row.mongoId) && row.locationId === places.locations.Central)!
    const where = { ...own, LocationId: places.locations.Central!, BudgetId: mongoId as BudgetId }
    const give = async (numberOfYears: number): Promise<void> => {
      const { body } = await finance.call('GET', `/api/Budget/elements/${where.BudgetId}`, undefined, where)
      expect((await finance.call('PUT', '/api/BudgetElements/update', { ...body, numberOfYears }, where)).status).toBe(200)
      await recalculate()
    }
    await give(4)
    const sentence = `Top slices for 2030/31 are not posted: ${name} of the central location does not have that year.`
    for (const one of [northgate, where]) expect((await summary(one)).problems).toContain(sentence)
    await give(5)
    for (const one of [northgate, where]) expect((await summary(one)).problems).not.toContain(sentence)
  }, 120_000)
  it('of two budgets of one location one takes part, and the other reports that it does not', async () => {
    const members = await memberIds()
    const second = await copy('Second of Northgate')
    expect((await setGroup([...members, second.BudgetId])).status).toBe(200)
    await recalculate()
    expect((await summary(second)).problems[0]).toMatch(
      /^Second of Northgate takes no part in pools and top slices for 2026\/27: .* of the same location does\.$/,
    )
    expect((await transfersOf([...members, second.BudgetId])).every((year) => year.net === 0)).toBe(true)
    expect((await setGroup(members)).status).toBe(200)
    await recalculate()
  }, 120_000)
})

describe('a top slice', () => {
  it('has an expenditure code for the charge and an income code for the receipt: no other pair adds up to zero over the trust', async () => {
    const [row] = (await finance.call('POST', '/api/TopSlices/list', everything, own)).body.rows
    const put = (change: Body) => finance.call('PUT', '/api/TopSlices', { ...row, ...change }, own)
    expect(await put({ budgetCodeId: row.centralBudgetCodeId })).toMatchObject({ status: 400, body: 'Budget code was not found.' })
    expect(await put({ centralBudgetCodeId: row.budgetCodeId })).toMatchObject({ status: 400, body: 'Central budget code was not found.' })
  })
  it('of all income leaves out what is carried between years', async () => {
    const before = await lines(northgate, 'transfer')
    const carried = { code: 'B01', type: 1, description: 'Carried between years', category: 4 }
    const { id: budgetCodeId } = (await finance.call('POST', '/api/BudgetCodes', carried, own)).body
    const entry = await finance.call(
      'PUT',
      '/api/BudgetEntry/save',
      {
        identifier: null,
        description: 'Carried',
        budgetCodeId,
        costCentreId: null,
        notes: null,
        amount: 120_000,
        budgetYearName: '2026/27',
        profileTemplateId: null,
      },
      northgate,
    )
    expect(entry.status).toBe(200)
    await recalculate()
    expect(await lines(northgate, 'transfer')).toEqual(before)
    const state = { selectAll: false, toggledNodes: [entry.body.id] }
    expect((await finance.call('POST', '/api/BudgetEntry/bulkDelete', { state }, northgate)).body).toMatchObject({ deleted: 1 })
  }, 120_000)
})

describe('with one budget of the group locked', () => {
  it('every open budget is recalculated, all transfers add up to zero, and the levy allowance is never used twice', async () => {
    const members = await memberIds()
    const beacon = places.at('Beacon')
    const frozen = await lines(northgate, 'transfer')
    const share = async (id: string) => (await sql`select levy_shares from budgets where id = ${id}`)[0]!.levy_shares as number[]
    const kept = await share(northgate.BudgetId)
    expect((await finance.call('POST', `/api/Budget/fix/${northgate.BudgetId}`, undefined, own)).status).toBeLessThan(300)
    const before = (await lines(beacon, 'transfer')).filter((line) => line.component === 'topSlice')
    const entries = (await finance.call('POST', '/api/BudgetEntry/paginated', everything, beacon)).body.rows
    const codes = new Map<number, Body>(
      (await finance.call('POST', '/api/BudgetCodes/list', everything, beacon)).body.rows.map((code: Body) => [code.id, code]),
    )
    const gag = entries.find((entry: Body) => codes.get(entry.budgetCodeId)!.type === 1 && entry.source)
    const added = await finance.call(
      'PUT',
      '/api/BudgetEntry/save',
      { description: 'More income', budgetCodeId: gag.budgetCodeId, budgetYearName: '2026/27', amount: 120_000 },
      beacon,
    )
    expect([added.status, added.body]).toEqual([200, expect.anything()])
    const paid = teacherContract(ids, { contractName: 'Well paid' }, { spotAdjustment: 3_000_000, scalePoint: null })
    expect((await finance.call('PUT', '/api/StaffContract', paid, beacon)).status).toBe(200)
    await recalculate()
    const after = (await lines(beacon, 'transfer')).filter((line) => line.component === 'topSlice')
    const year = (rows: Body[]) =>
      rows
        .filter((line) => line.year === 0)
        .flatMap((line) => line.amounts.map(Number))
        .reduce((a: number, b: number) => a + b, 0)
    expect(year([...after]) - year([...before])).toBe(600_000)
    // A doubled percentage applies to open budgets only.
    const slices = (await finance.call('POST', '/api/TopSlices/list', everything, own)).body.rows
    for (const slice of slices.filter((one: Body) => [northgate.LocationId, beacon.LocationId].includes(one.locationId)))
      expect((await finance.call('PUT', '/api/TopSlices', { ...slice, value: Number(slice.value) * 2 }, own)).status).toBe(200)
    await recalculate()
    const doubled = (await lines(beacon, 'transfer')).filter((line) => line.component === 'topSlice')
    expect(Math.abs(year([...doubled]) - 2 * year([...after]))).toBeLessThanOrEqual(12)
    expect(await lines(northgate, 'transfer')).toEqual(frozen)
    expect((await transfersOf(members)).every((one) => one.net === 0 && one.missing === 0)).toBe(true)
    expect(await share(northgate.BudgetId)).toEqual(kept)
    const all = await Promise.all(members.map(share))
    for (let month = 0; month < 60; month++) expect(all.reduce((sum, shares) => sum + shares[month]!, 0)).toBe(125_000)
    const refused = await setGroup(members.filter((id) => id !== northgate.BudgetId))
    expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('cannot leave the group: 2026/27 Working is locked')])
  }, 120_000)
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { openStore, type Store } from '../../../server/core/database/database.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import {
  type Body,
  type Caller,
  findTrustIds,
  inviteAndSignIn,
  type Reply,
  type Selection,
  signInAs,
  type TrustIds,
} from '../../support/product/http.ts'
import { configOf, type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { until } from '../../support/running/worker.ts'
import { type Ids, idsFor, teacherContract } from '../../support/samples/contract.ts'
import { verifyBudget } from '../../support/stories/replayed.ts'

/** The Employment Allowance that a group claims: saved, posted, recalculated, and kept in locked budgets (rules.md §7). */
let product: Product
let store: Store
let finance: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let ids: Ids
let sql: ReturnType<typeof connectAsOwner>
let central: Required<Selection>
let northgate: Required<Selection>
let codes: Body[]
let centre: Body

beforeAll(async () => {
  product = await startProduct({ worker: true })
  store = openStore(await configOf(product.config.databaseUrl), 2)
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  central = places.at('Central')
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
  sql = connectAsOwner(product.config.databaseUrl)
  codes = (await finance.call('POST', '/api/BudgetCodes/list', { pageNumber: 1, pageSize: 500 }, own)).body.rows
  centre = (await finance.call('POST', '/api/CostCentres/list', { pageNumber: 1, pageSize: 500 }, own)).body.rows[0]
})
afterAll(() => store?.close())

const codeNamed = (code: string): Body => codes.find((one) => one.code === code)!
const groupOf = async (id: string = places.groupId): Promise<Body> =>
  (await finance.call('GET', `/api/BudgetGroup/edit/id/${id}`, undefined, own)).body
const save = async (change: Body, { by = finance, id = places.groupId as string } = {}): Promise<Reply> => {
  const { name, description, items, version } = await groupOf(id)
  return by.call('PUT', '/api/BudgetGroup/update', { id, name, description, items, version, ...change }, own)
}
const recalculate = async (id: string = places.groupId): Promise<void> => {
  expect((await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${id}`, undefined, own)).status).toBe(202)
  await until('the group is up to date', async () => (await groupOf(id)).recalculationState === 1, 60_000)
}
const claim = (code: Body | null, more: Body = {}) => ({
  claimsEmploymentAllowance: true,
  allowanceBudgetCodeId: code?.id ?? null,
  allowanceCostCentreId: centre.id,
  ...more,
})
const firstLine = (where: Required<Selection>) => ({ items: [{ budgetId: where.BudgetId, order: 0 }] })
/** The posted lines, one a year: code, cost centre, and pennies by month. */
const linesIn = async (budgetId: BudgetId) =>
  (
    await sql`select year, budget_code_id as code, cost_centre_id as centre, to_json(amounts) as amounts from budget_lines
      where budget_id = ${budgetId} and source_kind = 'employmentAllowance' order by year`
  ).map(({ year, code, centre: at, amounts }) => ({ year, code, centre: at, amounts: amounts as (number | null)[] }))
/** Budgets’ employer national insurance in each month of a year, in pennies, added up from the lines. */
const insuranceOf = async (budgetIds: readonly BudgetId[], year: number): Promise<number[]> => {
  const rows =
    await sql`select month.at, sum(month.amount)::bigint as amount from budget_lines, unnest(amounts) with ordinality as month(amount, at)
    where budget_id in ${sql([...budgetIds])} and component = 'ni' and year = ${year} group by 1 order by 1`
  return rows.map(({ amount }) => Number(amount))
}
/** The deduction worked out independently. It starts anew in April, the eighth month of a year from September. */
const byHand = (insurance: readonly number[]): number[] => {
  let left = 1_050_000
  return insurance.map((amount, month) => {
    if (month < 7) return 0
    const taken = Math.min(left, amount)
    left -= taken
    return taken ? -taken : 0
  })
}
const members = async (): Promise<BudgetId[]> => (await groupOf()).items.map((item: Body) => item.budgetId)
const summaryOf = (where: Required<Selection>) => proceduresOf(product, finance, where).overview.summary.query()
const expectReplayed = async (...budgetIds: BudgetId[]): Promise<void> => {
  for (const id of budgetIds) expect(await verifyBudget(store, places.organisationId, id)).toEqual([])
}

describe('the setting of a budget group', () => {
  it('is off by default, and a save that omits it does not change it', async () => {
    expect(await groupOf()).toMatchObject({ claimsEmploymentAllowance: false, allowanceBudgetCodeId: null, allowanceCostCentreId: null })
    const { status, body } = await save({})
    expect([status, body.claimsEmploymentAllowance, body.recalculationState]).toEqual([200, false, 1])
    expect(await linesIn(central.BudgetId)).toEqual([])
  })
  it('accepts an expenditure code and a cost centre of the organisation, and nothing else', async () => {
    const income = codes.find((one) => one.type === 1)!
    const [foreign] = await sql`select id from budget_codes where organisation_id <> ${places.organisationId} limit 1`
    const wrong = async (change: Body) => {
      const { status, body } = await save(claim(codeNamed('4400'), change))
      return [status, body]
    }
    expect(await wrong({ allowanceBudgetCodeId: income.id })).toEqual([400, 'Budget code must be an expenditure code.'])
    expect(await wrong({ allowanceBudgetCodeId: 999_999 })).toEqual([400, 'Budget code was not found.'])
    expect(await wrong({ allowanceBudgetCodeId: foreign!.id })).toEqual([400, 'Budget code was not found.'])
    expect(await wrong({ allowanceCostCentreId: 999_999 })).toEqual([400, 'Cost centre was not found.'])
    const elsewhere = (
      await finance.call(
        'POST',
        '/api/BudgetCodes',
        { code: 'EA9', type: 2, description: 'Of Northgate', locations: [places.locations.Northgate] },
        own,
      )
    ).body
    expect(await wrong({ allowanceBudgetCodeId: elsewhere.id })).toEqual([400, 'Budget code belongs to another location.'])
    expect((await groupOf()).claimsEmploymentAllowance).toBe(false)
    // A new budget code requires a recalculation, because top slices may apply to it.
    await recalculate()
  })
})

it('is not changed by a caller who may change groups but not the levy', async () => {
  const keeper = await inviteAndSignIn(
    product,
    administrator,
    'groups.keeper@harbour.example',
    ['ConsoleBudgetGroupReadUpdate'],
    places.organisationId,
  )
  expect((await save(claim(codeNamed('4400')), { by: keeper })).status).toBe(403)
  expect((await save({ claimsEmploymentAllowance: false }, { by: keeper })).status).toBe(200)
  // Somebody saved the group after the form was opened, so the claim in the form is out of date.
  const { version } = await groupOf()
  const stale = await save({ ...claim(codeNamed('4400')), version: version - 1 }, { by: keeper })
  expect([stale.status, stale.body]).toEqual([409, expect.anything()])
  expect((await groupOf()).claimsEmploymentAllowance).toBe(false)
})

describe('a group that claims the allowance', () => {
  const code = () => codeNamed('3000') ?? codes.find((one) => one.type === 2 && one.category === 1)!

  it('needs recalculating, and then posts it in the central budget month by month from April', async () => {
    const before = await summaryOf(central)
    const { status, body } = await save(claim(code()))
    expect([status, body.recalculationState, body.requiredReason]).toEqual([200, 2, 'Employment Allowance'])
    await recalculate()
    const budgetIds = await members()
    const lines = await linesIn(central.BudgetId)
    expect(lines.map(({ year }) => year)).toEqual([0, 1, 2, 3, 4])
    for (const line of lines) {
      expect([line.code, line.centre]).toEqual([code().id, centre.id])
      expect(line.amounts).toEqual(byHand(await insuranceOf(budgetIds, line.year)))
    }
    for (const other of budgetIds.filter((id) => id !== central.BudgetId)) expect(await linesIn(other)).toEqual([])
    const now = await summaryOf(central)
    for (const [year, figures] of now.years.entries())
      expect([Math.round((before.years[year]!.staffing - figures.staffing) * 100), figures.missing]).toEqual([1_050_000, 0])
    const sum = (await proceduresOf(product, finance, central).lines.sums.query({ by: 'component' })).find(
      (one) => one.key === 'employmentAllowance',
    )!
    expect(sum.years).toEqual(Array(5).fill({ total: -10_500, missing: 0 }))
    const [source] = await proceduresOf(product, finance, central).lines.sources.query({
      by: 'component',
      key: 'employmentAllowance',
      year: 0,
    })
    expect(source).toMatchObject({ sourceKind: 'employmentAllowance', name: 'Employment Allowance', total: -10_500 })
    const told = (await proceduresOf(product, finance, central).budgets.history.query({})).map((row) => row.sentence)
    expect(told.join()).toContain('posted the group’s Employment Allowance')
    await expectReplayed(central.BudgetId)
  }, 120_000)

  it('has it in versions, comparisons and the bridge as a separate cause', async () => {
    const of = proceduresOf(product, finance, central)
    const { version } = await of.moments.timeline.query()
    const log = await sql`select version from budget_events where budget_id = ${central.BudgetId} and type = 'EmploymentAllowancePosted'`
    const earlier = Number(log[0]!.version) - 1
    const sides = { a: { budgetId: central.BudgetId, version: earlier }, b: { budgetId: central.BudgetId, version } }
    const { things } = await of.moments.compare.query(sides)
    expect(things.filter(({ kind }) => kind === 'employmentAllowance').map(({ name, what, years }) => [name, what, years[0]!.b])).toEqual([
      ['Employment Allowance', 'added', -10_500],
    ])
    const bridge = await of.moments.bridge.query({ a: { ...sides.a, year: 0 }, b: { ...sides.b, year: 0 } })
    expect(bridge.steps.find(({ cause }) => cause === 'employmentAllowance')).toMatchObject({
      name: 'Employment Allowance',
      staffing: -10_500,
      income: 0,
      other: 0,
    })
    const moved = bridge.steps.reduce((sum, step) => sum + Math.round(step.staffing * 100), 0)
    expect(moved).toBe(Math.round(bridge.to.staffing * 100) - Math.round(bridge.from.staffing * 100))
  })

  it('has it not calculated from a change of national insurance until it is recalculated, in words and in counts', async () => {
    const before = await linesIn(central.BudgetId)
    const saved = await finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'For the allowance' }), northgate)
    expect(saved.status).toBe(200)
    const months = (await linesIn(central.BudgetId)).map(({ amounts }) => amounts)
    expect(months).toEqual(
      Array(5)
        .fill([...Array(7).fill(0), ...Array(5).fill(null)])
        .map((year, index) => (index ? Array(12).fill(null) : year)),
    )
    const sentence = 'The Employment Allowance is not calculated until the budget is recalculated with its group.'
    expect((await summaryOf(central)).problems).toContain(sentence)
    expect((await groupOf()).notes).toContain(sentence)
    expect((await groupOf()).recalculationState).toBe(2)
    await expectReplayed(central.BudgetId)
    const gone = { state: { selectAll: false, toggledNodes: [saved.body.id] } }
    expect((await finance.call('POST', '/api/StaffContract/bulkDelete', gone, northgate)).body).toMatchObject({ deleted: 1 })
    await recalculate()
    expect(await linesIn(central.BudgetId)).toEqual(before)
  }, 120_000)

  it('keeps it through a change of pay that does not change national insurance', async () => {
    const before = await linesIn(central.BudgetId)
    // £100 a month are below the threshold.
    const small = teacherContract(ids, { contractName: 'A few hours' })
    const { salary } = small as Body
    const contract = { ...small, salary: [{ ...salary[0], fte: 0.02 }] }
    const saved = await finance.call('PUT', '/api/StaffContract', contract, northgate)
    expect([saved.status, (await groupOf()).recalculationState]).toEqual([200, 2])
    expect(await linesIn(central.BudgetId)).toEqual(before)
    const gone = { state: { selectAll: false, toggledNodes: [saved.body.id] } }
    await finance.call('POST', '/api/StaffContract/bulkDelete', gone, northgate)
    await recalculate()
  }, 120_000)

  it('needs recalculating when the national amount changes, and then uses it', async () => {
    const added = await administrator.call('POST', '/api/EmploymentAllowances', { effectiveDate: '2027-04-06', amount: 12_000 })
    expect(added.status).toBe(201)
    expect((await groupOf()).recalculationState).toBe(2)
    await recalculate()
    const totals = async () => (await linesIn(central.BudgetId)).map(({ amounts }) => amounts.reduce<number>((sum, one) => sum + one!, 0))
    expect(await totals()).toEqual(Array(5).fill(-1_200_000))
    expect((await administrator.call('DELETE', `/api/EmploymentAllowances/${added.body.id}`)).status).toBe(204)
    await recalculate()
    expect(await totals()).toEqual(Array(5).fill(-1_050_000))
  }, 120_000)

  it('protects its code: the code is in use by the group, and cannot be deleted', async () => {
    const { status, body } = await finance.call('DELETE', `/api/BudgetCodes/${code().id}`, undefined, own)
    expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('budget group')])
  })

  it('is warned if another group claims the same tax year, and so is the other', async () => {
    const copy = (await finance.call('POST', `/api/Budget/duplicate/${central.BudgetId}`, { name: 'Central again' }, own)).body
    const made = await finance.call(
      'POST',
      '/api/BudgetGroup/create',
      { name: 'Another group', items: [{ budgetId: copy.mongoId, order: 0 }], ...claim(code()) },
      own,
    )
    expect(made.status).toBe(201)
    const sentence = `The groups Another group and ${(await groupOf()).name} both claim the Employment Allowance for the tax year from April 2027. An employer can claim it only once.`
    expect([(await groupOf()).notes, (await groupOf(made.body.id)).notes].map((notes) => notes.includes(sentence))).toEqual([true, true])
    expect((await summaryOf(northgate)).problems).toContain(sentence)
    // The copy has the lines of its source until its own group is recalculated. Then they follow its own national insurance.
    expect(await linesIn(copy.mongoId)).toEqual(await linesIn(central.BudgetId))
    await expectReplayed(copy.mongoId)
    await recalculate(made.body.id)
    expect((await linesIn(copy.mongoId))[0]!.amounts).toEqual(byHand(await insuranceOf([copy.mongoId], 0)))
    await expectReplayed(copy.mongoId)
    expect((await finance.call('DELETE', `/api/BudgetGroup/${made.body.id}`, undefined, own)).status).toBe(204)
    expect(await linesIn(copy.mongoId)).toEqual([])
    expect((await groupOf()).notes).not.toContain(sentence)
    expect((await finance.call('DELETE', `/api/Budget/${copy.mongoId}`, undefined, own)).status).toBeLessThan(300)
  }, 120_000)

  it('has it not calculated without a code, counted in reports and as an obstacle to submitting, never as zero', async () => {
    expect((await save(claim(null))).status).toBe(200)
    await recalculate()
    const lines = await linesIn(central.BudgetId)
    expect(lines.map((line) => [line.code, line.amounts.filter((one) => one === null).length])).toEqual([
      [null, 5],
      ...Array(4).fill([null, 12]),
    ])
    const sentence = 'The Employment Allowance is not calculated: the group has no budget code for it. Choose one in the group.'
    const summary = await summaryOf(central)
    expect(summary.problems).toContain(sentence)
    expect(summary.years.map(({ missing }) => missing)).toEqual([5, 12, 12, 12, 12])
    const { status, body } = await finance.call('POST', `/api/Budget/fix/${central.BudgetId}`, undefined, own)
    expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining(sentence)])
    await expectReplayed(central.BudgetId)
    expect((await save(claim(code()))).status).toBe(200)
    await recalculate()
  }, 120_000)

  it('has it not calculated without a central budget, in one budget of the group', async () => {
    const before = (await groupOf()).items
    expect((await save({ items: before.filter((item: Body) => item.budgetId !== central.BudgetId) })).status).toBe(200)
    // The central budget’s lines for the group are removed with it.
    expect(await linesIn(central.BudgetId)).toEqual([])
    await recalculate()
    const sentence = 'The Employment Allowance is not calculated: the group has no budget of a central location.'
    expect((await groupOf()).notes).toContain(sentence)
    const counts = await sql`select count(distinct budget_id)::int as budgets, sum(missing)::int as missing from budget_lines
      where source_kind = 'employmentAllowance'`
    expect(counts[0]).toEqual({ budgets: 1, missing: 5 + 4 * 12 })
    await expectReplayed(...(await members()))
    expect((await save({ items: before })).status).toBe(200)
    await recalculate()
    expect((await linesIn(central.BudgetId)).length).toBe(5)
  }, 120_000)

  it('posts it in its only budget, wherever that is, and a roll-forward leaves the added year not calculated', async () => {
    const copy = (await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'Northgate alone' }, own)).body
    const alone = { ...northgate, BudgetId: copy.mongoId }
    const made = await finance.call('POST', '/api/BudgetGroup/create', { name: 'Alone', ...firstLine(alone), ...claim(code()) }, own)
    expect(made.status).toBe(201)
    await recalculate(made.body.id)
    const before = await linesIn(copy.mongoId)
    expect(before[0]!.amounts).toEqual(byHand(await insuranceOf([copy.mongoId], 0)))
    // Removed years lose their lines; years added again are not calculated.
    const give = async (numberOfYears: number) => {
      const { body } = await finance.call('GET', `/api/Budget/elements/${copy.mongoId}`, undefined, alone)
      expect((await finance.call('PUT', '/api/BudgetElements/update', { ...body, numberOfYears }, alone)).status).toBe(200)
    }
    await give(3)
    expect((await linesIn(copy.mongoId)).map(({ year }) => year)).toEqual([0, 1, 2])
    await expectReplayed(copy.mongoId)
    await recalculate(made.body.id)
    await give(5)
    expect((await linesIn(copy.mongoId)).map(({ amounts }) => amounts.slice(7))).toEqual([
      ...before.slice(0, 3).map(({ amounts }) => amounts.slice(7)),
      Array(5).fill(null),
      Array(5).fill(null),
    ])
    await expectReplayed(copy.mongoId)
    await recalculate(made.body.id)
    expect(await linesIn(copy.mongoId)).toEqual(before)
    const [rolled] = (await finance.call('POST', '/api/Budget/rollforward', { ids: [copy.mongoId] }, own)).body
    const after = await linesIn(rolled.mongoId)
    expect(after.slice(0, 4).map(({ amounts }) => amounts)).toEqual(before.slice(1).map(({ amounts }) => amounts))
    expect(after[4]!.amounts.slice(7)).toEqual(Array(5).fill(null))
    await expectReplayed(copy.mongoId, rolled.mongoId)
    expect((await finance.call('DELETE', `/api/BudgetGroup/${made.body.id}`, undefined, own)).status).toBe(204)
  }, 120_000)

  it('comes back from the bin with its claim', async () => {
    const made = (await finance.call('POST', '/api/BudgetGroup/create', { name: 'Into the bin', ...claim(code()) }, own)).body
    await finance.call('DELETE', `/api/BudgetGroup/${made.id}`, undefined, own)
    await proceduresOf(product, finance, northgate).bin.restoreGroups.mutate({ ids: [made.id] })
    expect(await groupOf(made.id)).toMatchObject({
      claimsEmploymentAllowance: true,
      allowanceBudgetCodeId: code().id,
      allowanceCostCentreId: centre.id,
    })
    await finance.call('DELETE', `/api/BudgetGroup/${made.id}`, undefined, own)
  })

  it('posts it in each of the yearly budgets of a school on its own, on a code of that school', async () => {
    const only = { locations: [places.locations.Northgate] }
    const ofSchool = (await finance.call('POST', '/api/BudgetCodes', { code: 'EA10', type: 2, description: 'Of Northgate', ...only }, own))
      .body
    const first = (await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'One year' }, own)).body.mongoId
    const { body: elements } = await finance.call('GET', `/api/Budget/elements/${first}`, undefined, { ...northgate, BudgetId: first })
    expect((await finance.call('PUT', '/api/BudgetElements/update', { ...elements, numberOfYears: 1 }, northgate)).status).toBe(200)
    const [{ mongoId: second }] = (await finance.call('POST', '/api/Budget/rollforward', { ids: [first] }, own)).body
    const items = [first, second].map((budgetId, order) => ({ budgetId, order }))
    const made = await finance.call('POST', '/api/BudgetGroup/create', { name: 'An academy', items, ...claim(ofSchool) }, own)
    expect([made.status, JSON.stringify(made.body)]).toEqual([201, expect.anything()])
    await recalculate(made.body.id)
    expect((await groupOf(made.body.id)).notes.join()).not.toContain('The Employment Allowance is not calculated')
    const [one] = await linesIn(first)
    const [two] = await linesIn(second)
    expect([one!.code, two!.code]).toEqual([ofSchool.id, ofSchool.id])
    expect(one!.amounts).toEqual(byHand(await insuranceOf([first], 0)))
    // The second budget gets what the first leaves of the tax year, from September on.
    const left = 1_050_000 + one!.amounts.reduce<number>((sum, amount) => sum + amount!, 0)
    const autumn = (await insuranceOf([second], 0)).slice(0, 7)
    const taken = autumn.map((amount, month) => Math.min(amount, Math.max(0, left - autumn.slice(0, month).reduce((a, b) => a + b, 0))))
    expect(two!.amounts.slice(0, 7)).toEqual(taken.map((amount) => (amount ? -amount : 0)))
    expect(two!.amounts.slice(7)).toEqual(byHand(await insuranceOf([second], 0)).slice(7))
    await expectReplayed(first, second)
    expect((await finance.call('DELETE', `/api/BudgetGroup/${made.body.id}`, undefined, own)).status).toBe(204)
    await recalculate()
  }, 120_000)

  it('leaves a locked central budget’s lines unchanged, whatever changes in the open ones', async () => {
    const before = await linesIn(central.BudgetId)
    const { status, body } = await finance.call('POST', `/api/Budget/fix/${central.BudgetId}`, undefined, own)
    expect([status < 300, body]).toEqual([true, expect.anything()])
    expect(
      (await finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'After the lock' }), northgate)).status,
    ).toBe(200)
    await recalculate()
    expect(await linesIn(central.BudgetId)).toEqual(before)
    expect((await groupOf()).notes).toContain(
      `The Employment Allowance stays as posted because the central location’s budget, ${(await sql`select name from budgets where id = ${central.BudgetId}`)[0]!.name}, is locked.`,
    )
    expect((await save({ claimsEmploymentAllowance: false })).status).toBe(200)
    await recalculate()
    expect(await linesIn(central.BudgetId)).toEqual(before)
    await expectReplayed(central.BudgetId, northgate.BudgetId)
  }, 120_000)
})

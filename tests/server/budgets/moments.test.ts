import { beforeAll, describe, expect, it } from 'vitest'
import { toBudgetId } from '../../../domain/values/ids.ts'
import { readStoredBudgetLog } from '../../../server/audit/replay/logSource.ts'
import { replayBudget } from '../../../server/audit/replay/replayBudget.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { loadBudget } from '../../../server/streams/budget/queries.ts'
import { commitEvents } from '../../../server/streams/budget/stream.ts'
import { connectAsOwner } from '../../support/product/database.ts'
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
import { type Ids, idsFor, teacherContract } from '../../support/samples/contract.ts'

let product: Product
let finance: Caller
let manager: Caller
let places: TrustIds
let northgate: Required<Selection>
let ids: Ids
const everything = { pageNumber: 1, pageSize: 5000 }
const pennies = (pounds: number): number => Math.round(pounds * 100)

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
})

const own = () => ({ OrganisationId: places.organisationId })
const of = (where: Required<Selection>, who = finance) => proceduresOf(product, who, where)
const rows = async (path: string, where: Required<Selection>): Promise<Body[]> =>
  (await finance.call('POST', path, everything, where)).body.rows
const duplicate = async (name: string): Promise<Required<Selection>> => {
  const { body } = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name }, own())
  return { ...northgate, BudgetId: body.mongoId }
}
const versionOf = async (where: Required<Selection>): Promise<number> =>
  (await finance.call('GET', `/api/Budget/id/${where.BudgetId}`, undefined, own())).body.version

type Sums = { income: number; staffing: number; other: number }
type Bridged = { from: Sums; to: Sums; steps: (Sums & { cause: string; items: Sums[] })[] }

/** Expects the items to add up to each step, and the steps to the difference of the totals, in whole pennies. */
function expectNothingLeftOver({ from, to, steps }: Bridged): void {
  for (const side of ['income', 'staffing', 'other'] as const) {
    expect(steps.reduce((sum, step) => sum + pennies(step[side]), pennies(from[side]))).toBe(pennies(to[side]))
    for (const step of steps) expect(step.items.reduce((sum, item) => sum + pennies(item[side]), 0)).toBe(pennies(step[side]))
  }
}
const between = (a: Required<Selection>, b: Required<Selection>, yearA = 0, yearB = 0, versionA: number | null = null) =>
  of(a).moments.bridge.query({ a: { budgetId: a.BudgetId, version: versionA, year: yearA }, b: { budgetId: b.BudgetId, year: yearB } })

describe('an earlier version of a budget', () => {
  it('is listed under its day in London, also in the hour after midnight in summer', async () => {
    const where = await duplicate('Late work')
    const budgetId = toBudgetId(where.BudgetId)
    const store = openStore(product.config, 1)
    for (const at of ['2027-06-02T09:00:00Z', '2027-06-02T22:59:00Z', '2027-06-02T23:30:00Z', '2027-06-03T08:00:00Z'])
      await store.inOrganisation(places.organisationId, async (tx) => {
        const call = { tx, organisationId: places.organisationId, actor: { userId: null, requestId: at, now: new Date(at) } }
        const row = await loadBudget(call, budgetId, true)
        await commitEvents(call, row, { events: [{ type: 'BudgetRenamed', data: { name: `Late work ${at}` } }] })
      })
    await store.close()
    const { days } = await of(where).moments.timeline.query()
    expect(days.slice(0, 2).map(({ day, changes }) => [day, changes])).toEqual([
      ['2027-06-03', 2],
      ['2027-06-02', 2],
    ])
  })
  it('has the figures of that time, whatever has happened since, and can be named', async () => {
    const where = await duplicate('Moments')
    const before = await of(where).overview.summary.query()
    const version = await versionOf(where)
    await of(where).moments.name.mutate({ version, name: 'As it came' })
    const saved = await finance.call('PUT', '/api/StaffContract', teacherContract(ids), where)
    expect(saved.status).toBe(200)
    const [entry] = (await rows('/api/BudgetEntry/paginated', where)).filter((one) => !one.source)
    await finance.call('PUT', '/api/BudgetEntry/save', { ...entry, amount: entry.amount + 1000 }, where)
    const then = await of(where).moments.at.query({ version })
    expect(then.moment).toBe('As it came')
    for (const [year, figures] of then.years.entries())
      expect(figures).toMatchObject({
        income: before.years[year]!.income,
        staffing: before.years[year]!.staffing + (figures.staffing - before.years[year]!.staffing),
        closing: before.years[year]!.closing,
      })
    expect(then.contracts!.some((contract) => contract.id === saved.body.id)).toBe(false)
    const timeline = await of(where).moments.timeline.query()
    expect(timeline.moments).toMatchObject([{ version, name: 'As it came' }])
    expect(timeline.days[0]!.version).toBe(await versionOf(where))
    await expect(of(where).moments.name.mutate({ version: version + 1, name: 'as it came' })).rejects.toThrow('has that name')
    await expect(of(where).moments.at.query({ version: 99_999 })).rejects.toThrow('Version was not found.')
  })
})

describe('comparing two budgets', () => {
  let copy: Required<Selection>
  beforeAll(async () => {
    copy = await duplicate('Differs')
  })
  it('shows what was changed, by whom, and the effect; the file shows the same', async () => {
    const input = { a: { budgetId: northgate.BudgetId }, b: { budgetId: copy.BudgetId } }
    expect((await of(northgate).moments.compare.query(input)).things).toEqual([])
    const [first, second] = await rows('/api/StaffContract/paginated', copy)
    const full = (await finance.call('GET', `/api/StaffContract/id/${first!.id}`, undefined, copy)).body
    await manager.call('PUT', '/api/StaffContract', { ...full, position: 'Another post' }, copy)
    await finance.call('POST', '/api/StaffContract/bulkDelete', { state: { selectAll: false, toggledNodes: [second!.id] } }, copy)
    await finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'Somebody new' }), copy)
    const { things, codes } = await of(northgate).moments.compare.query(input)
    const contracts = things.filter((thing) => thing.kind === 'contract')
    expect(contracts.map((thing) => thing.what).sort()).toEqual(['added', 'changed', 'removed'])
    const changed = contracts.find((thing) => thing.what === 'changed')!
    expect(changed.changes).toMatchObject([{ field: 'Position', after: 'Another post' }])
    expect(changed.touches[0]!.actor).toContain('Sam')
    const difference = (all: readonly { years: { a: number | null; b: number | null }[] }[]): number =>
      all.reduce((sum, one) => sum + pennies(one.years[0]!.b ?? 0) - pennies(one.years[0]!.a ?? 0), 0)
    // The levy follows the pay bill and is among the items. With it, they add up to the changes by code.
    expect(difference(things)).toBe(difference(codes))
    const file = await of(northgate).moments.compareFile.query(input)
    expect(file.body).toContain('Position: ')
    expect(file.body).toContain('Somebody new')
    // Programs that add up a column do not understand the typographic minus.
    expect(file.body).toMatch(/,-\d+\.\d\d/)
    expect(file.body).not.toContain('−')
  })
  it('shows contracts only to users who may see staff, and budgets only to those who may see them', async () => {
    const governor = await signInAs(product, 'governor@harbour.example')
    const where = places.at('Northgate')
    const input = { a: { budgetId: where.BudgetId }, b: { budgetId: copy.BudgetId } }
    const seen = await of(where, governor)
      .moments.compare.query(input)
      .catch((error: Error) => error.message)
    if (typeof seen !== 'string') expect(seen.things.filter((thing) => thing.kind === 'contract')).toEqual([])
    const meadow = await signInAs(product, 'finance@meadow.example')
    const there = (await findTrustIds(meadow)).organisationId
    const other = proceduresOf(product, meadow, { ...where, OrganisationId: there })
    await expect(other.moments.compare.query(input)).rejects.toThrow('not found')
    const away = places.at('Beacon')
    await expect(
      of(where, manager).moments.compare.query({ a: { budgetId: where.BudgetId }, b: { budgetId: away.BudgetId } }),
    ).rejects.toThrow()
  })
})

describe('the difference between two versions', () => {
  const refusal =
    'Between these versions the pay of fewer than three people changed. Choose other versions, or ask someone who can view staff.'
  it('is hidden from a governor if it is the pay of one or two people, in a comparison, its file, a bridge or an earlier version', async () => {
    const where = await duplicate('Around one change')
    const governor = of(where, await signInAs(product, 'governor@harbour.example'))
    const before = await versionOf(where)
    const contracts = (await finance.call('POST', '/api/StaffContract/paginated', { pageNumber: 1, pageSize: 5000 }, where)).body
      .rows as Body[]
    const change = async ({ id }: { id: string }): Promise<void> => {
      const full = (await finance.call('GET', `/api/StaffContract/id/${id}`, undefined, where)).body
      const salary = full.salary.map((row: { fte: number | null }) => ({ ...row, fte: row.fte === null ? null : row.fte / 2 }))
      const saved = await finance.call('PUT', '/api/StaffContract', { ...full, salary }, where)
      expect(saved.status).toBe(200)
    }
    const personOf = (one: Body): unknown => one.employeeNumber ?? one.staffId ?? one.id
    const teachers: Body[] = []
    for (const { id } of contracts) {
      const full = (await finance.call('GET', `/api/StaffContract/id/${id}`, undefined, where)).body
      if (full.salary.some((row: { fte: number | null }) => row.fte) && !teachers.some((one) => personOf(one) === personOf(full)))
        teachers.push(full)
      if (teachers.length === 3) break
    }
    const sides = { a: { budgetId: where.BudgetId, version: before }, b: { budgetId: where.BudgetId } }
    const years = { a: { ...sides.a, year: 0 }, b: { ...sides.b, year: 0 } }
    for (const teacher of teachers.slice(0, 2)) {
      await change(teacher)
      await expect(governor.moments.compare.query(sides)).rejects.toThrow(refusal)
      await expect(governor.moments.compareFile.query(sides)).rejects.toThrow(refusal)
      await expect(governor.moments.bridge.query(years)).rejects.toThrow(refusal)
      await expect(governor.moments.at.query({ version: before })).rejects.toThrow(refusal)
      expect((await of(where).moments.compare.query(sides)).things.length).toBeGreaterThan(0)
    }
    const between = await versionOf(where)
    await change(teachers[2])
    const { codes, things } = await governor.moments.compare.query(sides)
    expect(things.filter(({ kind }) => kind === 'contract')).toEqual([])
    expect(codes.filter(({ description }) => description === 'Staff budget codes')).toHaveLength(1)
    const whole = await of(where).moments.compare.query(sides)
    const sum = (all: typeof codes): number => all.reduce((total, { years: [first] }) => total + pennies(first!.b ?? 0), 0)
    expect(sum(codes)).toBe(sum(whole.codes))
    expect(whole.codes.length).toBeGreaterThan(codes.length)
    // Each version may be compared with today, but not the two with each other, if only one person’s change is between them.
    await expect(governor.moments.at.query({ version: between })).rejects.toThrow(refusal)
    expect(
      (await governor.moments.at.query({ version: before })).codes.some(({ description }) => description === 'Staff budget codes'),
    ).toBe(true)
    const { steps, from, to } = await governor.moments.bridge.query(years)
    expect(steps.reduce((total, step) => total + pennies(step.staffing), pennies(from.staffing))).toBe(pennies(to.staffing))
  })
})

describe('a bridge', () => {
  it('from a version to now, and from year to year, uses the costs in the log, with nothing left unexplained', async () => {
    const where = await duplicate('Bridge')
    const version = await versionOf(where)
    const all = await rows('/api/StaffContract/paginated', where)
    const byFte = []
    for (let index = 0; byFte.length < 2; index++) {
      const one = (await finance.call('GET', `/api/StaffContract/id/${all[index]!.id}`, undefined, where)).body
      if (one.salary.every((row: Body) => row.fte !== null) && !one.attritionContract) byFte.push(one)
    }
    const [less, gone] = byFte
    const half = less.salary.map((row: Body) => ({ ...row, fte: row.fte / 2 }))
    expect((await finance.call('PUT', '/api/StaffContract', { ...less, salary: half }, where)).status).toBe(200)
    await finance.call('POST', '/api/StaffContract/bulkDelete', { state: { selectAll: false, toggledNodes: [gone.id] } }, where)
    await finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'New here' }), where)
    const [entry] = (await rows('/api/BudgetEntry/paginated', where)).filter((one) => !one.source)
    await finance.call('PUT', '/api/BudgetEntry/save', { ...entry, amount: entry.amount + 1000 }, where)
    const since = await between(where, where, 1, 1, version)
    expectNothingLeftOver(since)
    const causes = since.steps.map((step) => step.cause)
    expect(causes).toEqual(expect.arrayContaining(['leavers', 'hours', 'starters', 'entries']))
    for (const cause of ['increments', 'awards', 'payTables', 'pension', 'recorded', 'terms']) expect(causes).not.toContain(cause)
    const later = await between(where, where, 0, 1)
    expectNothingLeftOver(later)
    expect(later.steps.map((step) => step.cause)).toEqual(expect.arrayContaining(['increments', 'awards']))
  })
  it('from a budget to the one rolled forward from it has no step in the same year', async () => {
    const [next] = (await finance.call('POST', '/api/Budget/rollforward', { ids: [northgate.BudgetId] }, own())).body
    const rolled = { ...northgate, BudgetId: next.mongoId }
    const result = await between(northgate, rolled, 1, 0)
    expectNothingLeftOver(result)
    // Pools, top slices and the levy are calculated only by a group’s first recalculation.
    expect(result.steps.map((step) => step.cause).filter((cause) => cause !== 'transfers' && cause !== 'levy')).toEqual([])
    await expect(between(rolled, northgate, 0, 0)).rejects.toThrow('has no figures for that year')
  })
})

describe('approving a budget', () => {
  it('locks it under a name once it was submitted; after a change it must be submitted again', async () => {
    const where = await duplicate('For governors to approve')
    const budget = of(where)
    await expect(budget.approval.approve.mutate({})).rejects.toThrow('has not been submitted')
    await of(where, manager).approval.submit.mutate({ comment: 'Ready from our side' })
    expect(await budget.approval.state.query()).toMatchObject({
      locked: false,
      approval: { state: 'submitted', comment: 'Ready from our side' },
    })
    await expect(of(where, manager).approval.approve.mutate({})).rejects.toThrow('permission')
    await expect(budget.approval.return.mutate({})).rejects.toThrow('Enter what needs to change.')
    await budget.approval.return.mutate({ comment: 'Check the supply budget' })
    await of(where, manager).approval.submit.mutate({})
    await finance.call('PUT', '/api/OpeningBalance', { description: 'Found', type: 1, value: 10 }, where)
    await expect(budget.approval.approve.mutate({})).rejects.toThrow('has changed since it was submitted')
    await budget.approval.return.mutate({ comment: 'Again, please' })
    await of(where, manager).approval.submit.mutate({})
    // The requested changes can still be read after the budget is submitted again.
    const { trail } = await budget.approval.state.query()
    expect(trail.map(({ state, by, comment }) => [state, by, comment])).toEqual([
      ['submitted', 'Sam Turner', null],
      ['returned', 'Ruth Mensah', 'Again, please'],
      ['submitted', 'Sam Turner', null],
      ['returned', 'Ruth Mensah', 'Check the supply budget'],
      ['submitted', 'Sam Turner', 'Ready from our side'],
    ])
    await budget.approval.approve.mutate({ name: 'Approved by governors' })
    const { body } = await finance.call('GET', `/api/Budget/id/${where.BudgetId}`, undefined, own())
    expect(body).toMatchObject({ state: 2, versionType: 2, approval: 'approved' })
    const { moments } = await budget.moments.timeline.query()
    expect(moments.map((moment) => moment.name)).toEqual(['Approved by governors'])
    for (const attempt of [
      () => budget.approval.submit.mutate({}),
      () => budget.moments.name.mutate({ version: 1, name: 'Late' }),
      () => budget.approval.addComment.mutate({ about: { kind: 'budget' }, text: 'Too late' }),
    ])
      await expect(attempt()).rejects.toThrow('This budget is locked.')
  })
  it('records its totals: figures that are calculated differently later are reported, and never replace them', async () => {
    const where = await duplicate('Approved for good')
    await of(where, manager).approval.submit.mutate({})
    const before = await of(where).overview.summary.query()
    await of(where).approval.approve.mutate({})
    const approved = await of(where).overview.summary.query()
    expect([approved.years, approved.problems]).toEqual([before.years, before.problems])
    const replayed = async () => {
      const store = openStore(product.config, 1)
      const found = await store.asPlatform(async (tx) => {
        const source = await readStoredBudgetLog(tx, where.OrganisationId, toBudgetId(where.BudgetId))
        return replayBudget(source, tx)
      })
      await store.close()
      return found.findings.map(({ problem }) => problem)
    }
    expect(await replayed()).toEqual([])
    // The owner of the database changes a line.
    await connectAsOwner(product.config.databaseUrl)`update posted_lines set amounts[1] = amounts[1] + 100000
      where budget_id = ${where.BudgetId} and source_kind = 'entry' and first_year = 0`
    const after = await of(where).overview.summary.query()
    expect(after.years).toEqual(before.years)
    expect(after.problems.join()).toContain('no longer add up to the approved figures')
    expect(await replayed()).toContainEqual(expect.stringContaining('The lines of entry'))
  })
  it('needs a second person while there is one who may; a trust with one such person can continue', async () => {
    const where = await duplicate('Submitted by oneself')
    const { approval } = of(where)
    await approval.submit.mutate({})
    const administrator = await signInAs(product, 'admin@bursar.example')
    const second = await inviteAndSignIn(
      product,
      administrator,
      'second@harbour.example',
      ['ConsoleBudgetManagementReadUpdate'],
      where.OrganisationId,
    )
    expect((await approval.state.query()).approvers).toEqual(['Sample second'])
    await expect(approval.approve.mutate({})).rejects.toThrow(
      'You submitted this budget yourself, so someone else must approve it: Sample second.',
    )
    await of(where, second).approval.approve.mutate({})
    const alone = await duplicate('Nobody else may')
    await of(alone).approval.submit.mutate({})
    const user = (await administrator.call('POST', '/api/Users/list', { search: 'second@harbour.example' })).body.rows[0]
    await administrator.call('PUT', '/api/Users', { ...user, active: false })
    expect((await of(alone).approval.state.query()).approvers).toEqual([])
    await of(alone).approval.approve.mutate({})
    expect((await of(alone).approval.state.query()).locked).toBe(true)
  })
  it('comments on a figure are stored, resolved under a name, and encrypted in the log', async () => {
    const where = await duplicate('Commented')
    const id = await of(where, manager).approval.addComment.mutate({
      about: { kind: 'code', ref: String(ids.teacher), year: 1 },
      text: 'Why so high?',
    })
    await of(where).approval.changeComment.mutate({ id, change: 'resolve' })
    const [comment] = await of(where).approval.comments.query()
    expect(comment).toMatchObject({
      text: 'Why so high?',
      by: expect.stringContaining('Sam'),
      isOwn: false,
      resolvedBy: expect.any(String),
    })
    await expect(of(where).approval.changeComment.mutate({ id, change: 'delete' })).rejects.toThrow('Only the person who wrote')
    await of(where, manager).approval.changeComment.mutate({ id, change: 'delete' })
    expect(await of(where).approval.comments.query()).toEqual([])
    const history = JSON.stringify(await of(where).budgets.history.query({}))
    expect(history).not.toContain('Why so high?')
  })
})

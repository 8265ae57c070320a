import { beforeAll, describe, expect, it } from 'vitest'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayMoney } from '../../../domain/values/format.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { type Ids, idsFor, teacherContract } from '../../support/samples/contract.ts'
import { verifyBudget } from '../../support/stories/replayed.ts'

let product: Product
let manager: Caller
let finance: Caller
let places: TrustIds
let northgate: Required<Selection>
let ids: Ids

beforeAll(async () => {
  product = await startProduct()
  manager = await signInAs(product, 'northgate@harbour.example')
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  ids = await idsFor(finance, northgate)
})

const save = (contract: Body, who = manager, key?: string) =>
  who.call('PUT', '/api/StaffContract', contract, { ...northgate, ...(key ? { 'Idempotency-Key': key } : {}) })
const history = () => proceduresOf(product, manager, northgate).budgets.history.query({})

describe('a school business manager', () => {
  it('B-180 B-181 adds a teacher and sees every year costed at once: basic, NI and pension to the penny', async () => {
    const saved = await save(teacherContract(ids, { contractName: 'Year 4' }))
    expect(saved.body).toHaveProperty('id')
    const forecast = await manager.call('GET', `/api/StaffContract/forecast/id/${saved.body.id}`, undefined, northgate)
    const year = forecast.body.years[0]
    // A vacancy on M6 from September 2026, with national insurance by the 2026/27 table.
    const basic = Math.round(year.months[0].basic * 100)
    const due = Math.ceil(((basic - 41_700) * 15 - 50) / 100)
    expect(Math.round(year.months[0].employerNI * 100)).toBe(due)
    expect(Math.round(year.total.total * 100)).toBe(
      year.months.reduce((sum: number, month: Body) => sum + Math.round(month.total * 100), 0),
    )
    expect(saved.body.costYears).toHaveLength(5)
    expect(saved.body.costYears[0]).toBe(year.total.total)
  })
  it('uses a point that is only the maximum of a contract as well', async () => {
    const point = ids.point('Upper U3')
    const uses = async () =>
      (await proceduresOf(product, finance, northgate).resources.payScalePoint!.uses.query({ id: point })).counts.find(({ thing }) =>
        thing.startsWith('staff contract'),
      )?.count ?? 0
    const before = await uses()
    expect((await save(teacherContract(ids, { contractName: 'With a maximum', maximumScalePoint: point }))).status).toBe(200)
    expect(await uses()).toBe(before + 1)
  })
  it('opens another contract without what all contracts of a budget share, and without the steps until they are asked for', async () => {
    const api = proceduresOf(product, manager, northgate)
    const open = async ({ id, employeeNumber }: Body, known?: string) => {
      const inputs = await api.contracts.inputs.query({ contractId: id, employeeNumber, known })
      const read = [await api.contracts.get.query({ id }), inputs, await api.contracts.forecast.query({ id, withSteps: false })]
      return { inputs, bytes: JSON.stringify(read).length }
    }
    const { rows } = await api.contracts.list.query({ sort: 'employeeNumber', pageSize: 50 })
    const [one, another] = rows.filter(({ employeeNumber, costYears }) => employeeNumber && costYears)
    const first = await open(one!)
    const second = await open(another!, first.inputs.digest)
    expect(first.bytes).toBeGreaterThan(50_000)
    expect(second.bytes).toBeLessThan(15_000)
    expect(first.inputs.budget?.points.length).toBeGreaterThan(0)
    expect(second.inputs).toMatchObject({ budget: null, digest: first.inputs.digest, name: another!.name })
    expect(Object.keys(second.inputs.people)).toEqual([String(second.inputs.staffId)])
    const elsewhere = proceduresOf(product, finance, places.at('Riverside'))
    const other = await elsewhere.contracts.inputs.query({ known: first.inputs.digest })
    expect(other.digest).not.toBe(first.inputs.digest)
    expect(other.budget).not.toBeNull()
    const figures = await api.contracts.forecast.query({ id: another!.id, withSteps: false })
    const whole = await api.contracts.forecast.query({ id: another!.id })
    expect(whole.explanation).toHaveLength(60)
    expect({ ...whole, explanation: [] }).toEqual(figures)
  })
  it('B-183 finds the derivation of each figure', async () => {
    const [row] = (await manager.call('POST', '/api/StaffContract/paginated', { pageSize: 1, sort: 'employeeNumber' }, northgate)).body.rows
    const forecast = (await manager.call('GET', `/api/StaffContract/forecast/id/${row.id}`, undefined, northgate)).body
    expect(forecast.explanation).toHaveLength(60)
    const steps = forecast.explanation[0].steps as { figure: string; label: string; rule: string }[]
    expect(new Set(steps.map((step) => step.figure))).toEqual(
      new Set(['run', 'basic', 'pension', 'ni', ...steps.map((step) => step.figure).filter((figure) => /^\d+$/.test(figure))]),
    )
    expect(steps.every((step) => step.rule.startsWith('§'))).toBe(true)
  })
  it('B-115 gets one sentence at each invalid field, and nothing is saved', async () => {
    const total = async () => (await manager.call('POST', '/api/StaffContract/paginated', {}, northgate)).body.total
    const before = await total()
    const wrong = await proceduresOf(product, manager, northgate)
      .contracts.save.mutate(
        teacherContract(ids, { endDate: '2025-01-01', employeeNumber: '999999', serviceTerms: [987_654] }, { fte: null }),
      )
      .catch((error) => error.data.problem)
    expect(wrong.fields).toEqual(
      expect.arrayContaining([
        { field: 'endDate', message: 'End date must not be before Start date.' },
        { field: 'employeeNumber', message: 'Employee number was not found.' },
        { field: 'serviceTerms', message: 'Payroll code was not found.' },
        { field: 'salary.0.fte', message: 'FTE is required.' },
      ]),
    )
    expect((await save(teacherContract(ids, { salary: [] }))).body).toBe('Add at least one salary row.')
    expect((await save(teacherContract(ids, { startDate: '2026-02-30' }))).body).toBe('Start date is not a valid date.')
    expect(await total()).toBe(before)
  })
  it('may send the same request twice: it is saved once', async () => {
    const key = 'payroll-2026-0001'
    const first = await save(teacherContract(ids, { contractName: 'Sent twice' }), manager, key)
    const second = await save(teacherContract(ids, { contractName: 'Sent twice' }), manager, key)
    expect(second.body.id).toBe(first.body.id)
    expect((await manager.call('POST', '/api/StaffContract/paginated', { search: 'Sent twice' }, northgate)).body.total).toBe(1)
  })
  it('B-119 who saves after somebody else gets 409, and nothing of theirs is lost', async () => {
    const contract = (await save(teacherContract(ids, { contractName: 'Edited by two' }))).body
    expect((await save({ ...contract, position: 'First' }, finance)).status).toBe(200)
    const second = await save({ ...contract, position: 'Second' })
    expect(second.status).toBe(409)
    expect((await manager.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, northgate)).body.position).toBe('First')
  })
  it('B-182 duplicates without saving anything', async () => {
    const contract = (await save(teacherContract(ids, { contractName: 'Original' }))).body
    const copy = (await manager.call('GET', `/api/StaffContract/duplicate/id/${contract.id}`, undefined, northgate)).body
    expect(copy.id).toBeUndefined()
    expect(copy.contractName).toBe('Original (copy)')
    expect((await manager.call('POST', '/api/StaffContract/paginated', { search: 'Original' }, northgate)).body.total).toBe(1)
  })
  it('has one national insurance threshold shared over the contracts of one employee', async () => {
    const staff = await manager.call(
      'POST',
      '/api/Staff',
      { employeeNumber: 'T-100', forename: 'Two', surname: 'Contracts', dateOfBirth: '1980-05-05', locations: [northgate.LocationId] },
      northgate,
    )
    expect(staff.status).toBe(201)
    const one = (await save(teacherContract(ids, { employeeNumber: 'T-100', contractName: 'Morning' }, { fte: 0.5 }))).body
    const alone = one.costYears[0]
    await save(teacherContract(ids, { employeeNumber: 'T-100', contractName: 'Afternoon' }, { fte: 0.5 }))
    const now = (await manager.call('GET', `/api/StaffContract/id/${one.id}`, undefined, northgate)).body.costYears[0]
    expect(now).toBeGreaterThan(alone)
    expect((await save(teacherContract(ids, { employeeNumber: 'T-100', contractName: 'Morning' }))).status).toBe(409)
  })
  it('stores notes about an employee encrypted: they are shown on screen and not in the log', async () => {
    const contract = (await save(teacherContract(ids, { contractName: 'With a note', notes: 'Returns from a phased start' }))).body
    expect(contract.notes).toBe('Returns from a phased start')
    const lines = JSON.stringify(await history())
    expect(lines).not.toContain('phased start')
  })
})

describe('history and undo', () => {
  it('describes only a save’s own changes, although awards changed since the contract was costed', async () => {
    const before = (await save(teacherContract(ids, { contractName: 'Before the award' }))).body
    const within = { OrganisationId: places.organisationId }
    const awards = await finance.call('POST', '/api/StaffInflationRate/list', { pageNumber: 1, pageSize: 100 }, within)
    for (const award of awards.body.rows)
      expect((await finance.call('PUT', '/api/StaffInflationRate', { ...award, rate: award.rate + 1 }, within)).status).toBe(200)
    const after = (await save({ ...before, contractName: 'After the award' })).body
    expect(after.costYears[4]).toBeGreaterThan(before.costYears[4])
    const [renamed] = (await history()).filter((one) => one.contractId === before.id)
    expect(renamed!.sentence).toBe('renamed the vacancy Before the award to After the award, no change in cost')
  })
  it('shows the effect of a save on the cost, to the penny, and that of its undo', async () => {
    const before = (await save(teacherContract(ids, { contractName: 'Reduced' }))).body
    const after = (await save({ ...before, salary: [{ ...before.salary[0], fte: 0.8 }] })).body
    const by = Math.round((before.costYears[0] - after.costYears[0]) * 100)
    expect(by).toBeGreaterThan(0)
    const sentences = async () => (await history()).filter((one) => one.contractId === before.id)
    const [reduced, added] = await sentences()
    expect(reduced!.sentence).toMatch(/^reduced the vacancy Reduced from 1\.0 to 0\.8 FTE, £/)
    expect(reduced!.sentence).toContain(`, ${displayMoney(by)} less in 2026/27, `)
    expect(added!.sentence).toContain(`, ${displayMoney(Math.round(before.costYears[0] * 100))} more in 2026/27, `)
    await proceduresOf(product, manager, northgate).budgets.undo.mutate({ versions: [reduced!.version] })
    expect((await sentences())[0]!.sentence).toContain(`from 0.8 to 1.0 FTE, ${displayMoney(by)} more in 2026/27, `)
  })
  it('shows the effect of a deletion on the cost, to the penny, and that of several changes together', async () => {
    const number = { employeeNumber: 'T-200' }
    const person = { ...number, forename: 'Three', surname: 'Contracts', dateOfBirth: '1980-05-05', locations: [northgate.LocationId] }
    expect((await manager.call('POST', '/api/Staff', person, northgate)).status).toBe(201)
    const add = async (contractName: string, change: Body = number) =>
      (await save(teacherContract(ids, { contractName, ...change }, { fte: 0.5 }))).body
    const pennies = async (): Promise<number> => {
      const { years } = await proceduresOf(product, manager, northgate).overview.summary.query()
      return Math.round(assertDefined(years[0]).staffing * 100)
    }
    const [kept, gone, vacancy, another] = [await add('Kept'), await add('Gone'), await add('Post', {}), await add('Other', {})]
    const newest = async () => (await history()).slice(0, 2).map(({ sentence }) => sentence)
    const remove = (...contracts: Body[]) =>
      manager.call(
        'POST',
        '/api/StaffContract/bulkDelete',
        { state: { selectAll: false, toggledNodes: contracts.map(({ id }) => id) } },
        northgate,
      )
    const lastDeletion = async () => (await history()).find(({ sentence }) => sentence.startsWith('deleted'))!.sentence
    const effectOf = async (work: () => Promise<unknown>): Promise<string> => {
      const before = await pennies()
      await work()
      const by = (await pennies()) - before
      expect(by).not.toBe(0)
      return `, ${displayMoney(Math.abs(by))} ${by < 0 ? 'less' : 'more'} in 2026/27`
    }
    // The contract that stays no longer shares its national insurance threshold.
    const ofGone = await effectOf(() => remove(gone))
    expect(await lastDeletion()).toContain(`deleted Gone (Three Contracts)${ofGone}`)
    const ofVacancy = await effectOf(() => remove(vacancy))
    expect(await lastDeletion()).toContain(`deleted the vacancy Post${ofVacancy}`)
    const state = { selectAll: false, toggledNodes: [kept.id, another.id] }
    const ofEdit = await effectOf(() =>
      proceduresOf(product, manager, northgate).contracts.edit.mutate({ state, patch: { endDate: '2027-03-31' } }),
    )
    expect((await newest())[0]).toContain(`recalculated after 2 changes to contracts${ofEdit}`)
    const ofBoth = await effectOf(() => remove(kept, another))
    expect((await newest())[0]).toContain(`recalculated after 2 changes to contracts${ofBoth}`)
    const store = openStore(product.config, 1)
    const findings = await verifyBudget(store, northgate.OrganisationId, northgate.BudgetId)
    await store.close()
    expect(findings).toEqual([])
  })
  it('says who did what when, with before and after of each field', async () => {
    const contract = (await save(teacherContract(ids, { contractName: 'Watched' }))).body
    await save({ ...contract, position: 'Head of year', salary: [{ ...contract.salary[0], fte: 0.8 }] })
    const [line] = (await history()).filter((one) => one.contractId === contract.id)
    expect(line!.actor).toBe('Sam Turner')
    expect(line!.sentence).toMatch(/^changed the vacancy Watched, £[\d,.]+ less in 2026/)
    expect(line!.changes).toEqual(
      expect.arrayContaining([
        { field: 'Position', before: 'Class teacher', after: 'Head of year' },
        { field: 'Salary from 01 Sep, 2026: FTE', before: '1', after: '0.8' },
      ]),
    )
  })
  it('undoes a user’s own save, and the cost with it', async () => {
    const contract = (await save(teacherContract(ids, { contractName: 'Undone' }))).body
    const changed = (await save({ ...contract, salary: [{ ...contract.salary[0], fte: 0.5 }] })).body
    expect(changed.costYears[0]).toBeLessThan(contract.costYears[0])
    const calls = proceduresOf(product, manager, northgate)
    await calls.budgets.undo.mutate({ versions: [changed.version] })
    const back = (await manager.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, northgate)).body
    expect(back.salary[0].fte).toBe(1)
    expect(back.costYears).toEqual(contract.costYears)
  })
  it('does not undo somebody else’s save, nor one with a newer change', async () => {
    const contract = (await save(teacherContract(ids, { contractName: 'Not mine' }))).body
    const undo = (who: Caller, version: number) =>
      proceduresOf(product, who, northgate)
        .budgets.undo.mutate({ versions: [version] })
        .then(
          () => 'done',
          (error) => error.data.problem.message,
        )
    expect(await undo(finance, contract.version)).toBe('Only the person who made a change can undo it.')
    await save({ ...contract, position: 'Newer' })
    expect(await undo(manager, contract.version)).toContain('A newer change affects this')
  })
  it('restores a contract that was deleted by mistake', async () => {
    const contract = (await save(teacherContract(ids, { contractName: 'Deleted' }))).body
    await manager.call('POST', '/api/StaffContract/bulkDelete', { state: { selectAll: false, toggledNodes: [contract.id] } }, northgate)
    expect((await manager.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, northgate)).status).toBe(404)
    const deleted = (await history()).find((line) => line.contractId === contract.id)!
    expect(deleted.undoable).toBe(true)
    await proceduresOf(product, manager, northgate).budgets.undo.mutate({ versions: [deleted.version] })
    expect((await manager.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, northgate)).body.costYears).toEqual(
      contract.costYears,
    )
  })
})

describe('a deletion', () => {
  it('of several contracts is undone as a whole with the versions in its reply', async () => {
    const both = [
      await save(teacherContract(ids, { contractName: 'One of two' })),
      await save(teacherContract(ids, { contractName: 'Two of two' })),
    ]
    const state = { selectAll: false, toggledNodes: both.map(({ body }) => body.id) }
    const { body } = await manager.call('POST', '/api/StaffContract/bulkDelete', { state }, northgate)
    expect(body).toMatchObject({ deleted: 2, versions: [expect.any(Number), expect.any(Number)] })
    await proceduresOf(product, manager, northgate).budgets.undo.mutate({ versions: body.versions })
    for (const { body: contract } of both)
      expect((await manager.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, northgate)).body.costYears).toEqual(
        contract.costYears,
      )
  })
})

describe('undo of a deletion whose place was taken by somebody else', () => {
  it('is refused with a sentence and changes nothing', async () => {
    const number = { employeeNumber: 'T-300' }
    expect(
      (await manager.call('POST', '/api/Staff', { ...number, forename: 'Kim', surname: 'Twice', dateOfBirth: '1990-01-01' }, northgate))
        .status,
    ).toBe(201)
    const contract = (await save(teacherContract(ids, { ...number, contractName: 'Only one' }))).body
    await manager.call('POST', '/api/StaffContract/bulkDelete', { state: { selectAll: false, toggledNodes: [contract.id] } }, northgate)
    const [deleted] = (await history()).filter((line) => line.contractId === contract.id)
    expect((await save(teacherContract(ids, { ...number, contractName: 'ONLY one' }))).status).toBe(200)
    const message = await proceduresOf(product, manager, northgate)
      .budgets.undo.mutate({ versions: [deleted!.version] })
      .then(
        () => 'done',
        (error) => error.data.problem.message,
      )
    expect(message).toContain('Another contract of this employee is now called Only one')
    expect((await manager.call('GET', `/api/StaffContract/id/${contract.id}`, undefined, northgate)).status).toBe(404)
  })
})

describe('contracts are protected', () => {
  it('B-270 from an auditor, who reads them and their cost but writes nothing, and from a governor, who does neither', async () => {
    const governor = await signInAs(product, 'governor@harbour.example')
    expect((await governor.call('POST', '/api/StaffContract/paginated', {}, northgate)).status).toBe(403)
    const auditor = await signInAs(product, 'auditor@harbour.example')
    expect((await auditor.call('POST', '/api/StaffContract/paginated', {}, northgate)).status).toBe(200)
    expect((await save(teacherContract(ids), auditor)).status).toBe(403)
    expect((await save(teacherContract(ids), governor)).status).toBe(403)
    expect(
      (await governor.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, northgate)).status,
    ).toBe(403)
  })
  it('from a lock of a budget whose levy is not calculated, which would stay so for ever', async () => {
    const made = await finance.call('POST', '/api/BudgetElements/template', { locations: [northgate.LocationId] }, northgate)
    const created = await finance.call('POST', '/api/BudgetElements/create', { ...made.body, name: 'In no group' }, northgate)
    const selection = { ...northgate, BudgetId: created.body[0].mongoId }
    await finance.call('PUT', '/api/StaffContract', teacherContract(ids, { contractName: 'Before' }), selection)
    const refused = await finance.call('POST', `/api/Budget/fix/${selection.BudgetId}`, undefined, selection)
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.stringMatching(
        /^The apprenticeship levy is not calculated in 2026\/27, .+ and 2030\/31\. Add this budget to a group and recalculate the group first./,
      ),
    ])
  })
  it('from any change in a locked budget, whose figures stay', async () => {
    // A trust whose group was recalculated after the last change of pay.
    const meadow = await signInAs(product, 'finance@meadow.example')
    const { organisationId, locations, budgets } = await findTrustIds(meadow)
    const alias = Object.keys(budgets).find((name) => budgets[name])!
    const selection = { OrganisationId: organisationId, LocationId: locations[alias]!, BudgetId: budgets[alias]! }
    const { rows } = (await meadow.call('POST', '/api/StaffContract/paginated', { pageNumber: 1, pageSize: 1 }, selection)).body
    const contract = await meadow.call('GET', `/api/StaffContract/id/${rows[0].id}`, undefined, selection)
    const locked = await meadow.call('POST', `/api/Budget/fix/${selection.BudgetId}`, undefined, selection)
    expect(locked.status, locked.body).toBe(200)
    const after = await meadow.call('PUT', '/api/StaffContract', { ...contract.body, position: 'After' }, selection)
    expect(after.status).toBe(409)
    expect(after.body).toContain('locked')
    expect((await meadow.call('GET', `/api/StaffContract/id/${contract.body.id}`, undefined, selection)).body.costYears).toEqual(
      contract.body.costYears,
    )
  })
})

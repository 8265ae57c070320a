import { beforeAll, describe, expect, it, vi } from 'vitest'
import { payCauses } from '../../../domain/payroll/causes/causes.ts'
import type { PayMeaning } from '../../../domain/payroll/provider/columns.ts'
import type { BudgetGroupId, OrganisationId } from '../../../domain/values/ids.ts'
import { openStore, type Store } from '../../../server/core/database/database.ts'
import { deleteOldExplanations, tryToExplain } from '../../../server/features/payroll/causes/commands.ts'
import { listStalledExplanations } from '../../../server/features/payroll/causes/queries.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { atEnd } from '../../support/product/endings.ts'
import { type Body, type Caller, findTrustIds, signInAs, type TrustIds } from '../../support/product/http.ts'
import { createNorthgateGroup } from '../../support/product/oneSchool.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { until } from '../../support/running/worker.ts'

let product: Product
let store: Store
let finance: Caller
let auditor: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let northgateAlone: BudgetGroupId

beforeAll(async () => {
  product = await startProduct()
  store = openStore(product.config, 3)
  atEnd(() => store.close())
  finance = await signInAs(product, 'finance@harbour.example')
  auditor = await signInAs(product, 'auditor@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  northgateAlone = (await createNorthgateGroup(finance, places)).groupId
}, 300_000)

const all = (who: Caller) => proceduresOf(product, who, own)
const of = (who: Caller) => all(who).payroll.causes
const begin = (budgetGroupId = northgateAlone) => of(finance).begin.mutate({ year: 2026, month: 10, budgetGroupId, useInflation: true })
const job = (explanationId: string, attempts = 0) => ({ organisationId: places.organisationId, explanationId, attempts })

describe('a search for the causes of a month’s differences', () => {
  it('is done by a worker: it waits until one takes it, and then returns its findings for each employee', async () => {
    const { id } = await begin(places.groupId)
    expect(await of(finance).found.query({ id })).toEqual({ status: 'running', done: 0, total: null, failure: null, explained: null })
    await tryToExplain(store, job(id))
    const found = await of(finance).found.query({ id })
    expect(found.status).toBe('done')
    expect(found.done).toBe(found.total)
    const causes = new Set(found.explained!.flatMap((one) => one.explanations.map(({ cause }) => cause)))
    expect([...causes].sort()).toEqual(payCauses.map((cause) => cause.id).toSorted())
    expect(found.explained![0]!.employeeNumber).not.toBe('')
  })
  it('reports an employee paid into somebody else’s bank account, without storing the number', async () => {
    const month = { year: 2027, month: 3 }
    const page = { pageSize: 3, sort: 'employeeNumber' }
    const staff = (await finance.call('POST', '/api/Staff/list/location', page, places.at('Northgate'))).body.rows
    const [one, two, other] = staff.map((row: Body) => row.employeeNumber)
    const codes = (await all(finance).payroll.providers.open.query()).codes
    const columns: PayMeaning[] = ['employeeNumber', 'sortCode', 'bankAccount', 'element']
    const put = (rows: string[], total: number) =>
      all(finance).payroll.providers.import.mutate({
        ...month,
        provider: 'Bank bureau',
        headingRow: 1,
        columns,
        mapping: { code: [{ text: 'Basic', id: codes.find((code) => code.codes[0] === '100')!.id }], location: [] },
        rows: ['Emp No|Sort code|Bank account number|Basic', ...rows].map((row) => row.replaceAll('|', '\t')),
        locationId: places.locations.Northgate!,
        total,
        imported: total,
        monthIsMeant: false,
        again: false,
      })
    const found = async () => {
      const { id } = await of(finance).begin.mutate({ ...month, budgetGroupId: northgateAlone, useInflation: true })
      await tryToExplain(store, job(id))
      const { explained } = await of(finance).found.query({ id })
      return explained!.flatMap(({ employeeNumber, findings }) =>
        findings.filter(({ control }) => control === 'sharedAccount').map(({ sentence }) => [employeeNumber, sentence]),
      )
    }
    await put([`${one}|04-00-04|01234567|10`, `${two}|040004|1234567|20`, `${other}|04-00-05|01234567|30`], 6000)
    expect((await found()).sort()).toEqual(
      [
        [one, `Paid into the same bank account as ${two}.`],
        [two, `Paid into the same bank account as ${one}.`],
      ].sort(),
    )
    const sql = connectAsOwner(product.config.databaseUrl)
    const [kept] = await sql`select count(*)::int as count from payroll_items where item::text like '%1234567%'`
    const [said] = await sql`select count(*)::int as count from payroll_events where data::text like '%1234567%'`
    expect([kept!.count, said!.count]).toEqual([0, 0])
    await put([`${two}|04-00-04|7654321|20`], 2000)
    expect(await found()).toEqual([])
  })
  it('is done once, however many workers are woken for it', async () => {
    const { id } = await begin()
    // A second search would give the same result, so its absence shows only in the database reads.
    const inOrganisation = vi.spyOn(store, 'inOrganisation')
    await Promise.all([tryToExplain(store, job(id)), tryToExplain(store, job(id))])
    const looks = inOrganisation.mock.calls.filter(([, , purpose]) => purpose === 'look')
    inOrganisation.mockRestore()
    expect(looks).toHaveLength(1)
    const rows = await store.asPlatform((tx) => tx.execute(`select status, attempts from payroll_explanations where id = '${id}'`))
    expect([...rows]).toEqual([{ status: 'done', attempts: 1 }])
  })
  it('is continued by the next worker if its worker is gone', async () => {
    const { id } = await begin()
    const later = new Date(Date.now() + 60_000)
    const [waiting] = (await store.asPlatform((tx) => listStalledExplanations(tx, later))).filter((row) => row.explanationId === id)
    expect(waiting).toEqual(job(id))
    await tryToExplain(store, waiting!)
    expect((await of(finance).found.query({ id })).status).toBe('done')
  })
  it('is stopped when it is cancelled, and when the same user starts a third one after it', async () => {
    const first = await begin()
    const second = await begin()
    const third = await begin()
    expect((await of(finance).found.query({ id: first.id })).status).toBe('running')
    const fourth = await begin()
    expect((await of(finance).found.query({ id: first.id })).status).toBe('cancelled')
    for (const { id } of [second, third, fourth]) expect((await of(finance).found.query({ id })).status).toBe('running')
    await of(finance).cancel.mutate({ id: second.id })
    await tryToExplain(store, job(second.id))
    expect(await of(finance).found.query({ id: second.id })).toMatchObject({ status: 'cancelled', explained: null })
  })
  it('that ended ten workers is given up with a sentence', async () => {
    const { id } = await begin()
    await store.asPlatform((tx) => tx.execute(`update payroll_explanations set attempts = 10 where id = '${id}'`))
    await tryToExplain(store, job(id, 10))
    expect(await of(finance).found.query({ id })).toMatchObject({ status: 'failed', failure: 'The causes could not be found.' })
  })
  it('can be neither read nor stopped by others, and is deleted after a day', async () => {
    const { id } = await begin()
    await expect(of(auditor).found.query({ id })).rejects.toMatchObject({ message: expect.stringContaining('not found') })
    await expect(of(auditor).cancel.mutate({ id })).rejects.toMatchObject({ message: expect.stringContaining('not found') })
    await tryToExplain(store, job(id))
    await store.asPlatform((tx) => deleteOldExplanations(tx, new Date(Date.now() + 25 * 3_600_000)))
    await expect(of(finance).found.query({ id })).rejects.toMatchObject({ message: expect.stringContaining('not found') })
  })
  it('shows while it reads that a worker is busy, and is dropped by a worker that another has replaced', async () => {
    const { id } = await begin()
    const sql = connectAsOwner(product.config.databaseUrl)
    const standing = async () => (await sql`select alive_at, status, attempts from payroll_explanations where id = ${id}`)[0]!
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await sql
      .begin(async (held) => {
        await held`lock table extended_leave_types in access exclusive mode`
        const first = tryToExplain(store, job(id))
        await until('it is begun', async () => (await standing()).attempts === 1)
        const begun = await standing()
        await until('it says so again', async () => {
          vi.advanceTimersByTime(5000)
          return String((await standing()).alive_at) !== String(begun.alive_at)
        })
        await sql`update payroll_explanations set attempts = 2 where id = ${id}`
        return { first }
      })
      .then(({ first }) => first)
      .finally(() => vi.useRealTimers())
    expect(await standing()).toMatchObject({ status: 'running', attempts: 2 })
    await tryToExplain(store, job(id, 2))
    expect((await of(finance).found.query({ id })).status).toBe('done')
  })
})

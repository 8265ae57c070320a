import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, browserCall, type Caller, findTrustIds, type Selection, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let manager: Caller
let places: TrustIds
let northgate: Required<Selection>

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  manager = await signInAs(product, 'northgate@harbour.example')
  places = await findTrustIds(finance)
  northgate = places.at('Northgate')
})

describe('undo repeated again and again', () => {
  const version = async (): Promise<number> =>
    (await finance.call('GET', `/api/Budget/id/${northgate.BudgetId}`, undefined, northgate)).body.version
  const undo = (versions: number[], by = finance): Promise<Body> => browserCall(product, by, 'budgets.undo', { versions }, northgate)

  it('takes an entry from 333.33 over 222.22 and 111.11 back to before it existed, and repeats all of it', async () => {
    const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageSize: 5000 }, northgate)
    const budgetCodeId = codes.body.rows.find((row: Body) => row.code === '4300').id
    const entry = { description: 'Typed thrice', budgetCodeId, budgetYearName: '2026/27' }
    let saved: Body = {}
    const versions: number[] = []
    for (const amount of [111.11, 222.22, 333.33]) {
      saved = (await finance.call('PUT', '/api/BudgetEntry/save', { ...saved, ...entry, amount }, northgate)).body
      versions.push(saved.version)
    }
    const amountNow = async (): Promise<number | null> => {
      const { status, body } = await finance.call('GET', `/api/BudgetEntry/id/${saved.id}`, undefined, northgate)
      return status === 200 ? body.amount : null
    }
    const back: number[] = []
    for (const left of [222.22, 111.11, null]) {
      await undo([versions.pop()!])
      back.push(await version())
      expect(await amountNow()).toBe(left)
    }
    for (const left of [111.11, 222.22, 333.33]) {
      await undo([back.pop()!])
      expect(await amountNow()).toBe(left)
    }
  })
  it('is stopped by another user’s change of the same field, with a sentence that names them, and not by their changes of other fields', async () => {
    const contracts = await finance.call('POST', '/api/StaffContract/paginated', { pageNumber: 1, pageSize: 1 }, northgate)
    const read = async (): Promise<Body> =>
      (await finance.call('GET', `/api/StaffContract/id/${contracts.body.rows[0].id}`, undefined, northgate)).body
    const save = async (by: Caller, change: Body): Promise<number> =>
      (await by.call('PUT', '/api/StaffContract', { ...(await read()), ...change }, northgate)).body.version
    const { position, department } = await read()
    const mine = await save(finance, { position: 'Head of year' })
    await save(manager, { department: 'Another' })
    const history = await proceduresOf(product, finance, northgate).budgets.history.query({})
    expect(history.find((line) => line.version === mine)).toMatchObject({ undoable: true })
    await undo([mine])
    expect(await read()).toMatchObject({ position, department: 'Another' })
    const again = await save(finance, { position: 'Head of year' })
    await save(manager, { position: 'Head of house' })
    await expect(undo([again])).rejects.toThrow(
      /^\w+ \w+ has changed Position since. Make the change yourself, or ask them to undo theirs first.$/,
    )
    expect(await read()).toMatchObject({ position: 'Head of house' })
    await save(finance, { position, department })
  })
  it('reverses three changes of a record in a list', async () => {
    const own = { OrganisationId: places.organisationId }
    let record = (await finance.call('POST', '/api/CostCentres', { code: 'THRICE', description: 'Start' }, own)).body
    const versions: (number | null)[] = []
    for (const description of ['One', 'Two', 'Three']) {
      record = (await finance.call('PUT', '/api/CostCentres', { ...record, description }, own)).body
      versions.push(record.version)
    }
    for (const left of ['Two', 'One', 'Start']) {
      const undone = await browserCall<Body>(
        product,
        finance,
        'resources.costCentre.undo',
        { id: record.id, version: versions.pop()! },
        own,
      )
      expect(undone.record).toMatchObject({ description: left })
    }
  })
})

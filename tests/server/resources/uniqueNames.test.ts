import { beforeAll, describe, expect, it } from 'vitest'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { type Body, type Caller, findTrustIds, type Reply, signInAs, type TrustIds } from '../../support/product/http.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'

let product: Product
let finance: Caller
let administrator: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

const everything = { pageNumber: 1, pageSize: 5000 }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

const post = (path: string, body: Body, who = finance) => who.call('POST', path, body, own)
const atOnce = (count: number, call: (n: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, (_unused, n) => call(n)))
const list = async (path: string, who = finance): Promise<Body[]> => (await post(`/api/${path}/list`, everything, who)).body.rows
const answers = (replies: readonly Reply[], done = 201) => {
  const refused = replies.filter(({ status }) => status !== done)
  return { done: replies.length - refused.length, refused: [...new Set(refused.map(({ status, body }) => `${status} ${body}`))] }
}

describe('of twenty simultaneous calls', () => {
  const made: Record<string, [path: string, body: (n: number) => Body, sentence: string, who?: () => Caller]> = {
    'a budget code': [
      'BudgetCodes',
      (n) => ({ code: n % 2 ? 'ATONCE' : 'AtOnce', type: 2, description: `${n}` }),
      '409 Code is already used.',
    ],
    'a cost centre': ['CostCentres', (n) => ({ code: 'ATONCE', description: `${n}` }), '409 Code is already used.'],
    'a contract type': [
      'ContractTypes',
      () => ({ name: 'At once', description: 'x', payScaleTypes: 1, calculationType: 1, fullTimeHours: 37, fullTimeWeeks: 52 }),
      '409 Name is already used.',
    ],
    'a set of prices': ['Inflation', () => ({ name: 'At once' }), '409 Name is already used.'],
    'a person': [
      'Staff',
      (n) => ({ employeeNumber: 'ATONCE', forename: 'Ada', surname: `S${n}`, locations: [], archive: false }),
      '409 Employee number is already used.',
    ],
    'a group of rights': [
      'UserGroups',
      () => ({ name: 'At once', permissions: [{ name: 'ConsoleBudgetCodesRead' }] }),
      '409 Name is already used.',
      () => administrator,
    ],
    'a user': [
      'Users',
      () => ({ email: 'at.once@harbour.example', forename: 'Ada', surname: 'Once', active: true, organisationIds: [own.OrganisationId] }),
      '409 Email is already used.',
      () => administrator,
    ],
  }
  it.each(Object.keys(made))('one makes %s, and the others are told that it is used', async (name) => {
    const [path, body, sentence, who] = made[name]!
    const replies = await atOnce(20, (n) => post(`/api/${path}`, body(n), who?.()))
    expect(answers(replies)).toEqual({ done: 1, refused: [sentence] })
  })
  it('one renames a code to it, and the browser is told at its field', async () => {
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_unused, n) => post('/api/BudgetCodes', { code: `RENAME${n}`, type: 2, description: 'x' })),
    )
    const calls = proceduresOf(product, finance, own)
    const outcomes = await Promise.allSettled(
      codes.map(({ body }) => calls.resources.budgetCode!.update.mutate({ ...body, code: 'RENAMED' })),
    )
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.data] : []))
    expect(refused).toHaveLength(7)
    for (const { httpStatus, problem } of refused)
      expect({ httpStatus, fields: problem.fields }).toEqual({
        httpStatus: 409,
        fields: [{ field: 'code', message: 'Code is already used.' }],
      })
  })
  it('one import makes it; the others change it or are refused, and it exists once', async () => {
    const replies = await atOnce(8, (n) =>
      post('/api/BudgetCodes/import', [{ Code: 'IMPORTED', Type: 'Expenditure', Description: `Import ${n}` }]),
    )
    for (const { status, body } of replies) expect([200, 409], JSON.stringify(body)).toContain(status)
    expect((await list('BudgetCodes')).filter(({ code }) => code === 'IMPORTED')).toHaveLength(1)
  })
  it('one adds a budget to a group: no budget is in two', async () => {
    const budgetId = (await post('/api/Budget/duplicate', { state: { selectAll: false, toggledNodes: [places.budgets.Northgate] } }))
      .body[0].mongoId
    const replies = await atOnce(10, (n) => post('/api/BudgetGroup/create', { name: `Group ${n}`, items: [{ budgetId, order: 0 }] }))
    expect(answers(replies).done).toBe(1)
    for (const { status, body } of replies.filter((one) => one.status !== 201))
      expect([status, body]).toEqual([400, expect.stringMatching(/is already in the group Group \d. Remove it from there first./)])
  })
  it('one saves a rate for a date, and one a range of weeks that others overlap', async () => {
    const [[set], [type]] = await Promise.all([list('StaffAssumptions'), list('ContractTypes')])
    const rate = { staffAssumptionsId: set.id, contractTypeId: type.id, effectiveDate: '2031-05-05' }
    const rates = await atOnce(12, (n) => post('/api/StaffErPensionRate', { ...rate, rate: n }))
    expect(answers(rates).done).toBe(1)
    const [ruleSet] = await list('ExtendedLeaveRuleSet')
    const rule = (n: number) => ({
      extendedLeaveRulesetId: ruleSet.id,
      periodName: `Rule ${n}`,
      firstWeek: 300 + n,
      lastWeek: 330,
      payPercentage: 50,
      payRecoveryPercentage: 0,
      extendedLeaveRatePercentage: 0,
      extendedLeaveRateRecoveryPercentage: 0,
      payInclusive: false,
      useAWE: false,
      erPensionCalculation: 0,
    })
    const rules = await atOnce(12, (n) => post('/api/ExtendedLeaveRule', rule(n)))
    expect(answers(rules).done, JSON.stringify(answers(rules))).toBe(1)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { getResource } from '../../domain/resources/all.ts'
import { checkRecord, type RecordValues } from '../../domain/resources/schema.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { toPublicError } from '../../server/core/calls/procedures.ts'
import { type Body, browserCall, type Caller, findTrustIds, type Reply, signInAs, type TrustIds } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { buildSample } from '../support/samples/samples.ts'

interface ErrorText {
  id: string
  text: string
  status: number
}
const { errorTexts } = JSON.parse(readFileSync(join(import.meta.dirname, 'tables/notices.json'), 'utf8')) as { errorTexts: ErrorText[] }

let product: Product
let finance: Caller
let administrator: Caller
let governor: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }

beforeAll(async () => {
  product = await startProduct()
  finance = await signInAs(product, 'finance@harbour.example')
  administrator = await signInAs(product, 'admin@bursar.example')
  governor = await signInAs(product, 'governor@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
})

type Said = Pick<Reply, 'status' | 'body'>

const send = (path: string, body?: unknown, method = 'POST', caller = finance): Promise<Said> =>
  caller.call(method, `/api/${path}`, body, own)
const atNorthgate = (path: string, body: unknown, method = 'PUT'): Promise<Said> =>
  finance.call(method, `/api/${path}`, body, places.at('Northgate'))
const rowsOf = async (path: string): Promise<Body[]> => (await finance.call('POST', `/api/${path}/list`, { pageSize: 5000 }, own)).body.rows
const code = (() => {
  let last = 0
  return (): string => `ET${last++}`
})()
const centre = async (): Promise<Body> => (await send('CostCentres', { code: code(), description: 'Centre', locations: [] })).body
const entry = async (change: Body): Promise<Said> => {
  const expenditure = (await finance.call('GET', '/api/BudgetCodes/list/expenditure', undefined, own)).body as Body[]
  return atNorthgate('BudgetEntry/save', {
    description: code(),
    budgetCodeId: expenditure[0].id,
    costCentreId: null,
    amount: 12,
    budgetYearName: '2026/27',
    years: [],
    ...change,
  })
}
const settings = async (change: Body): Promise<void> => {
  const organisation = (await administrator.call('GET', `/api/Organisations/${places.organisationId}`)).body
  expect((await administrator.call('PUT', '/api/Organisations', { ...organisation, ...change })).status).toBe(200)
}
const picture = async (bytes: number): Promise<Said> => {
  const body = new FormData()
  body.append('file', new Blob([Buffer.alloc(bytes, 'no picture')]), 'logo.png')
  const headers = { Authorization: `Bearer ${finance.token}`, OrganisationId: String(places.organisationId) }
  const reply = await fetch(`${product.origin}/api/Images`, { method: 'POST', body, headers })
  return { status: reply.status, body: await reply.text() }
}
/** What the resource declaration says about a record with one invalid field. Form and call use the same check. */
const wrong = (name: string, change: RecordValues): Said => {
  const resource = getResource(name)
  const { problems } = checkRecord(resource, { ...buildSample(resource, 1, () => 1), ...change })
  return { status: 400, body: problems.map((problem) => problem.message).join('\n') }
}
const payroll = 'monitoring/PayrollRec'
const dated = (effectiveDate: string) => ({ effectiveDate, value: 1 })

/** How to cause each error. The order matters: what locks a budget comes last. */
const broken: Record<string, () => Said | Promise<Said>> = {
  'T-01': () => wrong('costCentre', { description: ' ' }),
  'T-02': () => wrong('costCentre', { description: 'x'.repeat(201) }),
  'T-03': () => wrong('localAuthority', { number: 'many' }),
  'T-04': () => wrong('localAuthority', { number: 1.5 }),
  'T-05': () => wrong('location', { maximumBudgetYears: 6 }),
  'T-06': () => wrong('organisation', { onBoardingDate: '2026-04-31' }),
  'T-07': () => wrong('extendedLeaveRule', { firstWeek: 5, lastWeek: 4 }),
  'T-08': () => wrong('location', { email: 'nobody' }),
  'T-09': () => wrong('location', { website: 'here' }),
  'T-10': () => wrong('assist', { video: 'https://example.org' }),
  'T-11': () => wrong('analysisTag', { textColor: 'red' }),
  'T-12': () => wrong('budgetCode', { type: 9 }),
  'T-13': () => send('StudentGroups', { code: code(), description: 'x', budgetCodeId: 999_999 }),
  'T-14': () => wrong('inflationRate', { rates: [1, 2, 3, 4] }),
  'T-15': () => entry({ years: [{ yearName: '2026/27', amount: 12, periods: [12] }] }),
  'T-16': async () => entry({ fundCodes: [{ fundCodeId: (await rowsOf('FundCodes'))[0].id, percentage: 60 }] }),
  'T-17': () => wrong('allowance', { rates: [dated('2026-09-01'), dated('2026-09-01')] }),
  'T-18': async () => {
    const [set] = (await rowsOf('ExtendedLeaveRule')).map((rule) => rule.extendedLeaveRulesetId)
    return send('ExtendedLeaveRule', {
      extendedLeaveRulesetId: set,
      periodName: 'More',
      firstWeek: 2,
      lastWeek: 60,
      erPensionCalculation: 2,
    })
  },
  'T-19': () => wrong('assist', { slug: 'How To' }),
  'T-20': () => wrong('staffMember', { niNumber: '12' }),
  'T-21': async () => {
    await settings({ costCentresMandatory: true })
    const reply = await entry({})
    await settings({ costCentresMandatory: false })
    return reply
  },
  'T-22': async () => {
    const headers = { Authorization: `Bearer ${finance.token}`, ApiVersion: '3' }
    const reply = await fetch(`${product.origin}/api/Version`, { headers })
    return { status: reply.status, body: await reply.text() }
  },
  'T-23': () =>
    send(
      'CostCentres/edit',
      { state: { selectAll: true, toggledNodes: [] }, patch: [{ op: 'add', path: '/description', value: 'x' }] },
      'PATCH',
    ),
  'T-24': () => finance.call('GET', '/api/Terminology'),
  'T-25': () => send('CostCentres/import', [{ Code: 'x' }]),
  'T-26': () => send('CostCentres/import', []),
  'T-27': () =>
    send(
      'CostCentres/import',
      Array.from({ length: 20_001 }, () => ({ Code: 'x' })),
    ),
  'T-28': async () => send('CostCentres', { code: (await centre()).code, description: 'Twice', locations: [] }),
  'T-29': async () => send(`BudgetCodes/${(await rowsOf('ServiceTerms'))[0].basicBudgetCodeId}`, undefined, 'DELETE'),
  'T-31': async () => {
    const before = await centre()
    await send('CostCentres', { ...before, description: 'Mine' }, 'PUT')
    return send('CostCentres', { ...before, description: 'Theirs' }, 'PUT')
  },
  'T-33': () => send(`${payroll}/reopen/2027/6/${places.groupId}`),
  'T-32': async () => {
    expect((await send(`${payroll}/complete/2027/6/1/${places.groupId}`)).status).toBe(200)
    return send(`${payroll}/complete/2027/6/1/${places.groupId}`)
  },
  'T-35': async () => {
    const { id } = (await administrator.call('GET', '/api/Authorisation')).body.user
    const user = (await administrator.call('GET', `/api/Users/${id}`)).body
    return administrator.call('PUT', '/api/Users', { ...user, active: false })
  },
  'T-36': async () => {
    await settings({ allowWorkingForecast: false })
    const [{ budgetCodeId }] = (await atNorthgate('BudgetEntry/paginated', {}, 'POST')).body.rows
    return send(
      'monitoring/BudgetsVsForecast/BudgetEntries',
      { year: 2026, budgetId: places.budgets.Northgate, budgetCodeId, entries: [] },
      'PUT',
    )
  },
  'T-37': async () => {
    const own = { type: 4, category: 1, archive: false, locations: [] }
    const [kept, archived] = [
      (await send('FinancialReportingCodes', { ...own, code: code(), description: 'Kept' })).body,
      (await send('FinancialReportingCodes', { ...own, code: code(), description: 'Archived', archive: true })).body,
    ]
    const input = { id: kept.id, withId: archived.id }
    return browserCall(product, finance, 'resources.financialReportingCode.replace', input, { OrganisationId: places.organisationId }).then(
      () => ({ status: 200, body: 'It was replaced.' }),
      (error: Error) => ({ status: 409, body: error.message }),
    )
  },
  'T-38': async () => {
    const reply = await fetch(`${product.origin}/api/Authorisation`)
    return { status: reply.status, body: await reply.text() }
  },
  'T-39': () => send('CostCentres', { code: 'x', description: 'x' }, 'POST', governor),
  'T-40': () => send('CostCentres/999999', undefined, 'GET'),
  'T-41': () => picture(2 * 1024 * 1024 + 1),
  'T-42': () => picture(100),
  'T-43': async () => {
    const auditor = await signInAs(product, 'auditor@harbour.example')
    // Each call of a batch counts towards the limit.
    const batch = `${product.origin}/trpc/${Array<string>(50).fill('startup.version').join()}?batch=1&input=%7B%7D`
    for (let count = 0; count < 24; count++) await (await fetch(batch, { headers: { Authorization: `Bearer ${auditor.token}` } })).text()
    return auditor.call('GET', '/api/Version')
  },
  'T-44': () => ({ status: 500, body: toPublicError(new Error('relation "secret" does not exist'), 'request-44').message }),
  'T-45': () => send('MyOrganisations', {}),
  'T-30': async () => {
    expect((await atNorthgate(`Budget/fix/${places.budgets.Northgate}`, undefined, 'POST')).status).toBe(200)
    return atNorthgate('OpeningBalance', { description: 'Late', type: 1, value: 1 })
  },
  'T-34': async () => {
    expect((await send(`BudgetGroup/recalculate/staff-contracts/${places.groupId}`)).status).toBe(202)
    return send(`BudgetGroup/recalculate/staff-contracts/${places.groupId}`)
  },
}

/** The sentence in the table. The product’s may continue with further advice. */
function asTable({ text }: ErrorText): RegExp {
  const words = text.replace(/\.$/, '').replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${words.replace(/\{[^}]+\}/g, '.+')}(\\b.*)?\\.?$`, 's')
}

describe('B-114 every refusal has the sentence of the table', () => {
  const byId = new Map(errorTexts.map((row) => [row.id, row]))
  it('and every row is tested', () => {
    expect(Object.keys(broken).sort()).toEqual([...byId.keys()].sort())
  })
  it.each(Object.keys(broken))(
    '%s',
    async (id) => {
      const row = byId.get(id)!
      const { status, body } = await broken[id]!()
      const said = typeof body === 'string' ? body : body.errors[0].message
      expect(said).toMatch(asTable(row))
      expect(status).toBe(row.status)
    },
    90_000,
  )
})

import { beforeAll, describe, expect, it } from 'vitest'
import type { BudgetGroupId, OrganisationId } from '../../../domain/values/ids.ts'
import { formatCell } from '../../../server/core/paper/columns.ts'
import { connectAsOwner } from '../../support/product/database.ts'
import { type Body, type Caller, findTrustIds, inviteAndSignIn, type Reply, signInAs, type TrustIds } from '../../support/product/http.ts'
import { createNorthgateGroup } from '../../support/product/oneSchool.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { proceduresOf } from '../../support/product/trpc.ts'
import { until } from '../../support/running/worker.ts'
import { type ReadPdf, readPdf } from '../../support/samples/pdf.ts'

let product: Product
let administrator: Caller
let finance: Caller
let places: TrustIds
let own: { OrganisationId: OrganisationId }
let northgateAlone: BudgetGroupId

const pathOf = (name: string): string => `/api/Reporting/${name[0]!.toUpperCase()}${name.slice(1)}`
const ask = (name: string, body: Body, who = finance): Promise<Reply> => who.call('POST', pathOf(name), body, own)
/** Requests a file, waits until it is made, and downloads it. */
async function fetched(id: string, who = finance): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined
  await until('the file is made', async () => {
    const reply = await fetch(`${product.origin}/api/Files/${id}`, {
      headers: { ApiVersion: '2', Authorization: `Bearer ${who.token}`, OrganisationId: String(own.OrganisationId) },
    })
    if (reply.status === 409) return false
    expect(reply.status).toBe(200)
    bytes = new Uint8Array(await reply.arrayBuffer())
    return true
  })
  return bytes!
}

async function onPaper(request: Body, who = finance): Promise<ReadPdf> {
  const { status, body } = await ask('paper', request, who)
  expect([status, body]).toEqual([200, { id: expect.stringMatching(/^[0-9a-f]{24}$/) }])
  return readPdf(await fetched(body.id, who))
}

/** The figures in lines that start with a label, over all pages and groups of columns. */
const figuresOf = (pdf: ReadPdf, label: string): string[][] =>
  pdf.pages.flat().flatMap(([first, ...rest]) => (first === label ? [rest] : []))

beforeAll(async () => {
  product = await startProduct({ worker: true })
  administrator = await signInAs(product, 'admin@bursar.example')
  finance = await signInAs(product, 'finance@harbour.example')
  places = await findTrustIds(finance)
  own = { OrganisationId: places.organisationId }
  northgateAlone = (await createNorthgateGroup(finance, places)).groupId
}, 300_000)

describe('the PDF of a report', () => {
  it('has the figures of its screen, and says whose it is, of which budget and when', async () => {
    const request = { budgetId: places.budgets.Northgate }
    const { rows } = (await ask('budgetAnalysis', request)).body
    const pdf = await onPaper({ ...request, report: 'budgetAnalysis', pence: true })
    const income = rows.find((row: Body) => row.label === 'Total income').values.map((value: number) => formatCell(value, 'money', true))
    expect(figuresOf(pdf, 'Total income').flat()).toEqual(income)
    const first = pdf.pages[0]!.map((line) => line.join(' ')).join('\n')
    for (const fact of ['Organisation', 'School', 'DfE number', 'Budget', 'Period', 'Filters', 'As at', 'not approved'])
      expect(first).toContain(fact)
    expect(first).not.toContain('to be recalculated')
    expect(pdf.title).toContain('Budget analysis')
    expect([...pdf.elements]).toEqual(expect.arrayContaining(['H1', 'Table', 'TR', 'TH', 'TD']))
  })
})

describe('the sheet for the board', () => {
  it('has a row for each school that the reader may see, worst first, with the figures of At a glance', { timeout: 120_000 }, async () => {
    const sheet = async (who: Caller): Promise<ReadPdf> => {
      const { status, body } = await ask('boardSheet', {}, who)
      expect(status).toBe(200)
      return readPdf(await fetched(body.id, who))
    }
    const { body } = await ask('atAGlance', {})
    const pdf = await sheet(finance)
    const first = pdf.pages.flat()
    expect(pdf.pages).toHaveLength(1)
    const standings = first.flatMap((line) => line.flatMap((text) => /^(Act now|Watch|On course)\./.exec(text)?.[1] ?? []))
    expect(standings).toHaveLength(body.rows.length)
    expect(standings).toEqual(
      [...standings].sort((a, b) => ['Act now', 'Watch', 'On course'].indexOf(a) - ['Act now', 'Watch', 'On course'].indexOf(b)),
    )
    const [total] = figuresOf(pdf, `${body.rows.length} schools`)
    const reserves = body.total.years.map((year: Body) => formatCell(year.reserve, 'money', false))
    expect(total!.slice(-reserves.length)).toEqual(reserves)
    const limited = await sheet(await signInAs(product, 'northgate@harbour.example'))
    expect(limited.pages.flat(2).join(' ')).toContain('Northgate')
    expect(limited.pages.flat(2).join(' ')).not.toContain('Riverside')
  })
})

describe('a report with outdated costs', () => {
  it('says whose they are on its first page', { timeout: 120_000 }, async () => {
    const sql = connectAsOwner(product.config.databaseUrl)
    const request = { budgetId: places.budgets.Northgate, report: 'stakeHolder' }
    await sql`update budget_groups set required_since = now(), required_reason = 'A levy' where id = ${places.groupId}`
    try {
      expect((await onPaper(request)).pages.map((page) => page.flat().join(' ')).join('\n')).toMatch(
        /Costs are out of date and need recalculating: .*Northgate/,
      )
    } finally {
      await sql`update budget_groups set required_since = null, required_reason = null where id = ${places.groupId}`
    }
  })
})

describe('the report of a month of payroll', () => {
  const path = '/api/monitoring/PayrollRec'
  it('is printed for the head to sign with the totals of the screen, and is available as a workbook too', {
    timeout: 120_000,
  }, async () => {
    const month = { year: 2026, month: 10 }
    const { body: shown } = await finance.call('POST', path, { ...month, budgetGroupId: northgateAlone }, own)
    const of = `${path}/report/${month.year}/${month.month}/${northgateAlone}`
    const { status, body } = await finance.call('POST', of, undefined, own)
    expect(status).toBe(200)
    const pdf = await readPdf(await fetched(body.id))
    const [total] = figuresOf(pdf, 'Total')
    expect(total!.slice(0, 2)).toEqual([formatCell(shown.totals.calculated, 'money', true), formatCell(shown.totals.actual, 'money', true)])
    expect(pdf.pages.at(-1)!.flat().join(' ')).toMatch(/Headteacher.*Signed.*Date/)
    expect((await finance.call('GET', of, undefined, own)).headers.get('content-type')).toContain('spreadsheetml')
  })
  it('can be requested and downloaded only by users who may see payrolls', async () => {
    const reader = await inviteAndSignIn(
      product,
      administrator,
      'paper-payroll@harbour.example',
      ['BudgetingReportsRead'],
      own.OrganisationId,
    )
    expect((await reader.call('POST', `${path}/report/2026/10/${northgateAlone}`, undefined, own)).status).toBe(403)
    expect((await reader.call('POST', `${path}/report/2026/10`, undefined, own)).status).toBe(403)
    expect((await finance.call('POST', `${path}/report/2026/10/${'a'.repeat(24)}`, undefined, own)).status).toBe(404)
  })
  it('of the whole organisation cannot be downloaded, nor its causes read, after losing the console permission', async () => {
    const rights = ['BudgetingPayrollReconciliationRead']
    const reader = await inviteAndSignIn(product, administrator, 'paper-group@harbour.example', rights, own.OrganisationId)
    const { body } = await reader.call('POST', `${path}/report/2026/10/${northgateAlone}`, undefined, own)
    await fetched(body.id, reader)
    const { causes } = proceduresOf(product, reader, own).payroll
    const search = await causes.begin.mutate({ year: 2026, month: 10, budgetGroupId: northgateAlone })
    expect(await causes.found.query(search)).toMatchObject({ failure: null })
    // Simulates a file requested while the user still had access to everything.
    const sql = connectAsOwner(product.config.databaseUrl)
    await sql`update made_files set request = request || '{"groupId": null}' where id = ${body.id}`
    await sql`update payroll_explanations set asked = asked - 'groupId' where id = ${search.id}`
    expect((await reader.call('GET', `/api/Files/${body.id}`, undefined, own)).status).toBe(403)
    await expect(causes.found.query(search)).rejects.toThrow()
  })
})

describe('files made in the background', () => {
  it('can be requested by users who may read reports, for what they may see, and are refused at once otherwise', async () => {
    const limited = await signInAs(product, 'northgate@harbour.example')
    const [other, otherId] = Object.entries(places.budgets).find(([name]) => !/Northgate|Harbour/.test(name))!
    expect((await ask('paper', { budgetId: otherId, report: 'budgetAnalysis' }, limited)).status).toBe(404)
    expect((await ask('paper', { report: 'budgetComparison' })).status).toBe(400)
    const stranger = await inviteAndSignIn(
      product,
      administrator,
      'paper-stranger@harbour.example',
      ['BudgetingOverviewRead'],
      own.OrganisationId,
    )
    expect((await ask('paper', { budgetId: places.budgets.Northgate, report: 'budgetAnalysis' }, stranger)).status).toBe(403)
    const pdf = await onPaper({ report: 'budgetAnalysis' }, limited)
    expect(pdf.pages[0]!.flat().join(' ')).not.toContain(other)
  })
  it('can be downloaded by nobody else, and not after losing access to a school in them', async () => {
    const { body } = await ask('paper', { report: 'stakeHolder', budgetGroupId: places.groupId })
    expect((await fetched(body.id)).length).toBeGreaterThan(1000)
    const meadow = await signInAs(product, 'finance@meadow.example')
    const theirs = (await findTrustIds(meadow)).organisationId
    expect((await meadow.call('GET', `/api/Files/${body.id}`, undefined, { OrganisationId: theirs })).status).toBe(404)
    expect((await meadow.call('GET', `/api/Files/${body.id}`, undefined, own)).status).toBe(403)
    expect((await administrator.call('GET', `/api/Files/${body.id}`, undefined, own)).status).toBe(404)
    const sql = connectAsOwner(product.config.databaseUrl)
    const [row] = await sql`update made_files set location_ids = location_ids || 999999 where id = ${body.id} returning sealed`
    expect(Buffer.from(row!.sealed).includes('%PDF')).toBe(false)
    const limited = await inviteAndSignIn(
      product,
      administrator,
      'paper-limited@harbour.example',
      ['BudgetingReportsRead'],
      own.OrganisationId,
      [places.locations.Northgate!],
    )
    const asked = await ask('paper', { report: 'stakeHolder' }, limited)
    await fetched(asked.body.id, limited)
    await sql`update made_files set location_ids = ${[places.locations.Northgate!, 999_999]} where id = ${asked.body.id}`
    expect((await limited.call('GET', `/api/Files/${asked.body.id}`, undefined, own)).status).toBe(403)
  })
  it('are kept until their owner has a hundred of them; then the oldest are deleted', async () => {
    const reader = await inviteAndSignIn(product, administrator, 'paper-many@harbour.example', ['BudgetingReportsRead'], own.OrganisationId)
    const first = (await ask('paper', { report: 'pupilNumbers', budgetGroupId: places.groupId }, reader)).body.id
    await fetched(first, reader)
    const sql = connectAsOwner(product.config.databaseUrl)
    await sql`insert into made_files (organisation_id, id, kind, title, request, requested_by_id, request_id, requested_at, made_at)
      select organisation_id, lpad(to_hex(n), 24, '0'), kind, title, request, requested_by_id, request_id, requested_at + n * interval '1 second', made_at
      from made_files, generate_series(1, 120) as n where id = ${first}`
    const { body } = await ask('paper', { report: 'pupilNumbers', budgetGroupId: places.groupId }, reader)
    const kept = await sql`select id from made_files where requested_by_id = (select requested_by_id from made_files where id = ${body.id})`
    expect(kept.length).toBe(100)
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining([body.id, (120).toString(16).padStart(24, '0')]))
    expect(kept.map(({ id }) => id)).not.toContain(first)
  })
})

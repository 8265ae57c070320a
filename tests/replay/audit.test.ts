import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectAsOwner, ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'
import { findProgram } from '../support/running/programs.ts'
import { idsFor, teacherContract } from '../support/samples/contract.ts'

// Each command is a separate process, and some tests run several.
vi.setConfig({ testTimeout: 90_000 })

let product: Product
let manager: Caller
let northgate: Required<Selection>
let beacon: Required<Selection>
let contract: Body
let begin: number
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'bursar-audit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command as an auditor does. */
function audit(...said: (string | Record<string, string>)[]): Promise<{ code: number; out: string; json: Body }> {
  const words = said.filter((one) => typeof one === 'string')
  const env = Object.assign({}, ...said.filter((one) => typeof one === 'object'))
  return new Promise((done) => {
    execFile(
      process.execPath,
      [findProgram('audit'), ...words],
      { cwd: root, env: { ...process.env, DATABASE_URL: ownerUrl(product.config.databaseUrl), ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, out, problem) => {
        done({ code: error ? Number(error.code) : 0, out: out + problem, json: words.includes('--json') && out ? JSON.parse(out) : null })
      },
    )
  })
}

beforeAll(async () => {
  product = await startProduct()
  manager = await signInAs(product, 'northgate@harbour.example')
  const finance = await signInAs(product, 'finance@harbour.example')
  const places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  beacon = places.at('Beacon')
  begin = (await manager.call('GET', `/api/Budget/id/${northgate.BudgetId}`, undefined, northgate)).body.version
  contract = (
    await manager.call(
      'PUT',
      '/api/StaffContract',
      teacherContract(await idsFor(finance, northgate), { contractName: 'Audited' }),
      northgate,
    )
  ).body
  contract = (await manager.call('PUT', '/api/StaffContract', { ...contract, salary: [{ ...contract.salary[0], fte: 0.6 }] }, northgate))
    .body
})

describe('an auditor', () => {
  it('sees that every chain is intact', async () => {
    const { code, json } = await audit('verify', '--json')
    expect(json).toMatchObject({ budgets: 8, findings: [] })
    expect(code).toBe(0)
  })
  it('is told what to set when using the servers’ role without the key', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'bursar-blind-'))
    const asServer = { DATABASE_URL: product.config.databaseUrl, DATA_DIR: empty }
    expect(await audit('verify', asServer)).toMatchObject({
      code: 1,
      out: expect.stringContaining('it does not have the DATA_KEY of the servers. Set it,'),
    })
    expect((await audit('verify', '--json', { ...asServer, DATA_KEY: testDataKey })).json).toMatchObject({ budgets: 8, findings: [] })
    rmSync(empty, { recursive: true })
  })
  it('gets one sentence for a folder without anchors or a key, and no key is made there', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'bursar-empty-'))
    const inEmpty = (...words: string[]) => audit(...words, { DATA_DIR: empty })
    expect(await inEmpty('verify')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`(there are none in ${join(empty, 'anchors')})`),
    })
    for (const command of ['key', 'anchor'])
      expect(await inEmpty(command)).toMatchObject({ code: 1, out: expect.stringContaining('There is no signing key in') })
    expect(readdirSync(empty)).toEqual([])
    expect(await audit('verify', '--anchors', join(empty, 'mail.txt'))).toMatchObject({
      code: 2,
      out: expect.stringContaining('There is nothing at'),
    })
    expect(await inEmpty('anchor', '--new-key')).toMatchObject({ code: 0 })
    expect((await inEmpty('key')).out).toContain('BEGIN PUBLIC KEY')
    rmSync(empty, { recursive: true, force: true })
  })
  it('replays the log to the same pennies as the screens', async () => {
    const { code, json, out } = await audit('replay', '--budget', northgate.BudgetId, '--json')
    expect(json?.findings, out).toEqual([])
    expect(json.compared).toBe(true)
    expect(json.recalculations.every((run: Body) => run.holds)).toBe(true)
    expect(code).toBe(0)
  })
  it('replays the levy of another budget in the group, which a change of pay here has invalidated', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const levy = await owner`select missing from budget_lines where budget_id = ${beacon.BudgetId} and source_kind = 'levy'`
    expect(levy.map((line) => line.missing)).toEqual([12, 12, 12, 12, 12])
    const { code, json, out } = await audit('replay', '--budget', beacon.BudgetId, '--json')
    expect(json?.findings, out).toEqual([])
    expect(code).toBe(0)
  })
  it('finds a line that somebody changed, of a contract or of the levy', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    // Saving the contract left the levy uncalculated, so a figure in its place is a change as well.
    const change = (component: string, by: number) =>
      owner`update posted_lines set amounts[12] = case when amounts[12] is null then ${by}::int when component = 'levy' then null else amounts[12] + ${by} end where budget_id = ${northgate.BudgetId} and component = ${component} and source_id in
        (select min(source_id) from posted_lines where budget_id = ${northgate.BudgetId} and component = ${component})`
    for (const [component, words] of [
      ['pay', 'do not match its cost'],
      ['levy', 'The apprenticeship levy in the table does not match'],
      ['entry', 'in the table do not match the log'],
      ['topSlice', 'in the table do not match the log'],
    ] as const) {
      await change(component, 1)
      const { code, json } = await audit('replay', '--budget', northgate.BudgetId, '--json')
      expect([code, json.findings.length, json.findings[0].problem]).toEqual([1, 1, expect.stringContaining(words)])
      await change(component, -1)
    }
    expect((await audit('replay', '--budget', northgate.BudgetId, '--json')).json.findings).toEqual([])
  })
  it('replays imports, explanations and closings, to the end, to a version and to a past day', async () => {
    const of = ['replay', '--organisation', String(beacon.OrganisationId), '--location', String(beacon.LocationId)]
    const { code, json, out } = await audit(...of, '--json')
    expect(json, out).toMatchObject({ compared: true, findings: [], kept: { month: 2, monthEnd: 1 } })
    expect(code).toBe(0)
    expect(json.months).toMatchObject([
      { month: '2026-09', isIn: true, isClosed: true },
      { month: '2026-10', isIn: true, isClosed: false },
    ])
    const first = await audit(...of, '--at', '1', '--json')
    expect(first.json).toMatchObject({ version: 1, compared: false, months: [{ month: '2026-09', isClosed: false }] })
    expect((await audit(...of, '--at', '2020-01-01', '--json')).json).toMatchObject({ version: 0, months: [], findings: [] })
    expect((await audit(...of, '--at', '2999-01-01', '--json')).json.months).toEqual(json.months)
    expect((await audit(...of, '--at', 'yesterday')).code).toBe(2)
    expect((await audit('replay', '--organisation', String(beacon.OrganisationId), '--location', '999999999')).out).toContain(
      'no monitoring log',
    )
    const whole = await audit('replay', '--organisation', String(beacon.OrganisationId), '--location', '0')
    expect([whole.code, whole.out]).toEqual([0, expect.stringContaining('note')])
  })
  it('replays to a version, and to a date', async () => {
    const { json } = await audit('replay', '--budget', northgate.BudgetId, '--at', String(begin), '--json')
    expect(json.version).toBe(begin)
    expect((await audit('replay', '--budget', northgate.BudgetId, '--at', '2999-01-01', '--json')).json.contracts).toBe(json.contracts + 1)
    expect((await audit('replay', '--budget', northgate.BudgetId, '--at', 'yesterday')).code).toBe(2)
  })
  it('sees what changed between two versions, in pounds, and who did it', async () => {
    const { json } = await audit('diff', '--budget', northgate.BudgetId, '--from', String(begin + 3), '--to', String(begin + 5), '--json')
    expect(json).toHaveLength(1)
    expect(json[0]).toMatchObject({
      contractId: contract.id,
      what: 'changed',
      by: ['Sam Turner'],
      fields: ['Salary from 01 Sep, 2026: FTE: 1 → 0.6'],
    })
    expect(json[0].after).toBeLessThan(json[0].before)
  })
  it('sees the derivation of one month, line by line', async () => {
    const { json, out } = await audit(
      'explain',
      '--budget',
      northgate.BudgetId,
      '--contract',
      contract.id,
      '--year',
      '2026/27',
      '--period',
      '5',
      '--json',
    )
    const forecast = (await manager.call('GET', `/api/StaffContract/forecast/id/${contract.id}`, undefined, northgate)).body
    expect(json?.steps, out).toEqual(forecast.explanation.find((one: Body) => one.year === 1 && one.period === 5).steps)
    expect(json.pennies.basic).toBe(Math.round(forecast.years[0].months[4].basic * 100))
  })
  it('exports log and inputs as JSON Lines that replay elsewhere, without the database', async () => {
    const { out } = await audit('export', '--budget', northgate.BudgetId)
    const file = join(folder, 'export.jsonl')
    writeFileSync(file, out)
    const replayed = await audit('replay', '--file', file, '--json')
    expect(replayed.json).toMatchObject({ findings: [], compared: false })
    writeFileSync(file, out.replace('"fte":0.6', '"fte":0.7'))
    expect((await audit('replay', '--file', file, '--json')).code).toBe(1)
  })
  it('gets one sentence and the usage for a command that cannot be read', async () => {
    const { code, out } = await audit('verfy')
    expect(code).toBe(2)
    expect(out).toContain('There is no command verfy.')
    expect((await audit('replay', '--budget', 'f'.repeat(24))).out).toContain('Budget was not found.')
  })
})

describe('erasing a person', () => {
  it('destroys the key: every figure still replays, and nobody can tell whose it was', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const [row] = (await manager.call('POST', '/api/StaffContract/paginated', { pageSize: 1, sort: 'employeeNumber' }, northgate)).body.rows
    const [member] =
      await owner`select staff_id, subject from staff_contracts join staff_members on staff_members.id = staff_id where staff_contracts.id = ${row.id}`
    await owner`delete from vault_keys where subject = ${member!.subject}`
    const { json } = await audit('replay', '--budget', northgate.BudgetId, '--json')
    expect(json.findings).toEqual([])
    const after = (await manager.call('GET', `/api/StaffContract/id/${row.id}`, undefined, northgate)).body
    expect(after.costYears).toEqual(row.costYears)
    expect(JSON.stringify(after)).not.toContain(row.name.split(',')[0])
    expect(after.employeeNumber).toBe('')
  })
})

describe('a tampered row is found', () => {
  /** Changes the data as only the owner of the tables can, runs the audit tool, and restores the data. */
  async function tampered(change: string, restore: string, words: string[]): Promise<{ code: number; out: string; json: Body }> {
    const owner = connectAsOwner(product.config.databaseUrl)
    const tables = ['budget_events', 'calculation_inputs', 'chain_anchors']
    const guards = (isOn: boolean) => tables.map((table) => `alter table ${table} ${isOn ? 'enable' : 'disable'} trigger all`).join('; ')
    await owner.unsafe(
      `${guards(false)}; create table if not exists kept as table budget_events; create table if not exists kept_inputs as table calculation_inputs; ${change}; ${guards(true)}`,
    )
    const found = await audit(...words, '--json')
    await owner.unsafe(`${guards(false)}; ${restore}; drop table kept; drop table kept_inputs; ${guards(true)}`)
    return found
  }
  // Listed, because the generated column `about` cannot be written.
  const columns =
    'organisation_id, budget_id, version, position, type, schema, data, actor_id, request_id, occurred_at, previous_hash, hash'
  const wholeLog = `delete from budget_events; insert into budget_events (${columns}) overriding system value select ${columns} from kept`
  const b = () => `budget_id = '${northgate.BudgetId}'`

  it('when the content of an event was changed', async () => {
    const { code, json } = await tampered(
      `update budget_events set data = jsonb_set(data, '{contract,salary,0,fte}', '0.9') where ${b()} and version = ${begin + 4}`,
      wholeLog,
      ['verify'],
    )
    expect(code).toBe(1)
    expect(json.findings).toEqual([
      expect.objectContaining({ version: begin + 4, problem: expect.stringContaining('changed after it was written') }),
    ])
  })
  it('when the data of an event was damaged beyond reading: it is named, and no command ends in a stack trace', async () => {
    const damage = `update budget_events set data = data #- '{contract,salary}' where ${b()} and version = ${begin + 4}`
    const says = /^It cannot be read\. Its data is not valid for StaffContractSaved: contract\.salary: /
    const verified = await tampered(damage, wholeLog, ['verify'])
    expect(verified.code).toBe(1)
    expect(verified.json.findings).toEqual([
      expect.objectContaining({
        budgetId: northgate.BudgetId,
        version: begin + 4,
        problem: expect.stringContaining('changed after it was written'),
      }),
      { budgetId: northgate.BudgetId, version: begin + 4, problem: expect.stringMatching(says) },
    ])
    const replayed = await tampered(damage, wholeLog, ['replay', '--budget', northgate.BudgetId])
    expect([replayed.code, replayed.json.compared]).toEqual([1, false])
    expect(replayed.json.findings).toContainEqual(expect.objectContaining({ version: begin + 4, problem: expect.stringMatching(says) }))
    const first = await tampered(`update budget_events set schema = 9 where ${b()} and version = 1`, wholeLog, [
      'replay',
      '--budget',
      northgate.BudgetId,
    ])
    expect(first.json.findings).toContainEqual(
      expect.objectContaining({ version: 1, problem: 'It cannot be read. Schema 9 of BudgetCreated is not known; the newest is 2.' }),
    )
    const diff = await tampered(damage, wholeLog, ['diff', '--budget', northgate.BudgetId, '--from', '1', '--to', '2'])
    expect([diff.code, diff.out]).toEqual([1, expect.stringMatching(/^Version \d+ of budget [0-9a-f]{24}: It cannot be read\. [^\n]+\n$/)])
  })
  it('when the data of an event was damaged: screens that need it say so in one sentence', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const damage = (change: string) =>
      owner.unsafe(
        `alter table budget_events disable trigger all; update budget_events set ${change}; alter table budget_events enable trigger all`,
      )
    await owner.unsafe(`create table kept_data as select data from budget_events where ${b()} and version = ${begin + 4}`)
    await damage(`data = data #- '{contract,salary}' where ${b()} and version = ${begin + 4}`)
    const history = await proceduresOf(product, manager, northgate)
      .budgets.history.query({})
      .catch((error: Error) => error.message)
    await damage(`data = (select data from kept_data) where ${b()} and version = ${begin + 4}`)
    await owner`drop table kept_data`
    expect(history).toBe(`The history of this budget is damaged at version ${begin + 4}. Ask the people who run Bursar to run the audit.`)
  })
  it('when its author was changed', async () => {
    const { json } = await tampered(`update budget_events set actor_id = 1 where ${b()} and version = ${begin + 1}`, wholeLog, ['verify'])
    expect(json.findings).toHaveLength(1)
  })
  it('when an event was removed, in the middle or at the end', async () => {
    const middle = await tampered(`delete from budget_events where ${b()} and version = ${begin}`, wholeLog, [
      'verify',
      '--budget',
      northgate.BudgetId,
    ])
    expect(middle.json.findings.map((one: Body) => one.problem).join()).toContain(`Version ${begin} is missing`)
    const end = await tampered(`delete from budget_events where ${b()} and version = ${begin + 5}`, wholeLog, [
      'verify',
      '--budget',
      northgate.BudgetId,
    ])
    expect(end.json.findings.map((one: Body) => one.problem).join()).toContain('log ends at')
  })
  it('when stored inputs were changed', async () => {
    const { code, json } = await tampered(
      `update calculation_inputs set body = replace(body, '"28.68"', '"14.38"')`,
      'delete from calculation_inputs; insert into calculation_inputs select * from kept_inputs',
      ['verify'],
    )
    expect(code).toBe(1)
    expect(json.findings.map((one: Body) => one.problem).join()).toContain('were changed after they were written')
  })
  it('when a total on the screens was changed, which is possible only after altering the table', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    await expect(owner.unsafe(`update posted_lines set totals[1] = totals[1] + 1 where ${b()}`)).rejects.toThrow(
      'can only be updated to DEFAULT',
    )
  })
  it('when a total of pay that the levy depends on was changed', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    for (const column of ['amounts', 'missing']) {
      const change = (by: number) => owner.unsafe(`update budget_pay set ${column}[3] = ${column}[3] + ${by} where ${b()} and year = 1`)
      await change(1)
      const { json } = await audit('replay', '--budget', northgate.BudgetId, '--json')
      expect(json.findings.map((one: Body) => one.problem)).toEqual(['The pay totals of year 2 in the table do not match its contracts.'])
      await change(-1)
    }
  })
  it('when a year of an entry in lists and totals was changed', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    const change = (by: number) =>
      owner.unsafe(`update budget_items set amounts[2] = amounts[2] + ${by} where ${b()} and kind = 'entry' and id = (
        select min(id) from budget_items where ${b()} and kind = 'entry')`)
    await change(1)
    const { json } = await audit('replay', '--budget', northgate.BudgetId, '--json')
    expect(json.findings).toHaveLength(1)
    expect(json.findings[0].problem).toContain('do not match its calculation')
    await change(-1)
  })
  it('when a whole budget was removed, with its log and its row', async () => {
    const { code, json } = await tampered(
      // The replica role also bypasses the foreign key of the group’s budgets.
      `set local session_replication_role = replica; create table kept_budgets as table budgets; delete from budget_events where ${b()}; delete from budgets where id = '${northgate.BudgetId}'`,
      `set local session_replication_role = replica; ${wholeLog}; delete from budgets; insert into budgets select * from kept_budgets; drop table kept_budgets`,
      ['verify'],
    )
    expect(code).toBe(1)
    expect(json.findings).toEqual([
      { budgetId: northgate.BudgetId, version: null, problem: 'Its whole log is missing, but other records still refer to the budget.' },
      expect.objectContaining({ problem: expect.stringContaining('records this version, but the log does not have it') }),
    ])
  })
  it('when a cost in the tables was changed, though the log is intact', async () => {
    const owner = connectAsOwner(product.config.databaseUrl)
    await owner`update staff_costs set year_totals = jsonb_set(year_totals, '{0}', '1') where contract_id = ${contract.id}`
    expect((await audit('verify', '--json')).code).toBe(0)
    const { code, json } = await audit('replay', '--budget', northgate.BudgetId, '--json')
    expect(code).toBe(1)
    expect(json.findings[0].problem).toContain('does not match its inputs')
  })
})

describe('an auditor of non-staff money', () => {
  it('sees what changed: entries in pounds, pupils, calculations and balances', async () => {
    const finance = await signInAs(product, 'finance@harbour.example')
    const riverside = (await findTrustIds(finance)).at('Riverside')
    const version = async (): Promise<number> =>
      (await finance.call('GET', `/api/Budget/id/${riverside.BudgetId}`, undefined, riverside)).body.version
    const from = await version()
    const [entry] = (await finance.call('POST', '/api/BudgetEntry/paginated', { pageSize: 1, search: 'Gas' }, riverside)).body.rows
    await finance.call('PUT', '/api/BudgetEntry/save', { ...entry, amount: entry.amount + 100 }, riverside)
    const pupils = (await finance.call('GET', '/api/PupilNumbers', undefined, riverside)).body
    const rows = pupils.rows.map((row: Body) => (row.yearGroup === 9 ? { ...row, years: [90, ...row.years.slice(1)] } : row))
    await finance.call('POST', '/api/PupilNumbers', { ...pupils, rows }, riverside)
    const to = await version()
    const { json } = await audit('diff', '--budget', riverside.BudgetId, '--from', String(from), '--to', String(to), '--json')
    json.sort((a: Body, b: Body) => a.contractName.localeCompare(b.contractName))
    expect(json.map((one: Body) => [one.contractName, one.what, one.by])).toEqual([
      ['Gas', 'changed', ['Ruth Mensah']],
      ['Pupil numbers', 'changed', ['Ruth Mensah']],
    ])
    expect(json[0].fields[0]).toMatch(/^2026\/27: £[\d,.]+ → £[\d,.]+$/)
    expect(json[0].after - json[0].before).toBeGreaterThan(50_000)
    expect((await audit('replay', '--budget', riverside.BudgetId, '--json')).json.findings).toEqual([])
  })
})

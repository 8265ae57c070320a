import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { toBudgetId, toOrganisationId } from '../../domain/values/ids.ts'
import { projectionNames, rebuildProjections } from '../../server/audit/rebuild/rebuild.ts'
import { verifyOrganisations } from '../../server/audit/verify/verifyAll.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { runRenameBudget } from '../../server/shared/budgets/commands.ts'
import { recalculateAllContracts } from '../../server/shared/costing/costs/commands.ts'
import { loadBudget } from '../../server/streams/budget/queries.ts'
import { commitEvents, readBudgetEvents } from '../../server/streams/budget/stream.ts'
import { connectAsOwner, ownerUrl } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { type Body, type Caller, findTrustIds, type Selection, signInAs } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { findProgram } from '../support/running/programs.ts'
import { until } from '../support/running/worker.ts'

vi.setConfig({ testTimeout: 120_000 })

let product: Product
let store: Store
let finance: Caller
let northgate: Required<Selection>
let beacon: Required<Selection>
let codeId: number
let groupId: string
let paid: Body[]

beforeAll(async () => {
  product = await startProduct()
  store = openStore({ ...product.config, databaseUrl: ownerUrl(product.config.databaseUrl) }, 4)
  finance = await signInAs(product, 'finance@harbour.example')
  const places = await findTrustIds(finance)
  northgate = places.at('Northgate')
  beacon = places.at('Beacon')
  groupId = places.groupId
  const codes = await finance.call('POST', '/api/BudgetCodes/list', { pageSize: 5000 }, northgate)
  codeId = codes.body.rows.find((row: Body) => row.code === '4300').id
  const people = await finance.call('POST', '/api/Staff/list', { pageNumber: 1, pageSize: 3 }, { OrganisationId: places.organisationId })
  paid = people.body.rows.map((one: Body) => ({ EmployeeNumber: one.employeeNumber, PayrollCode: '100', Actual: '1000' }))
  for (const place of [northgate, beacon])
    expect((await finance.call('POST', '/api/monitoring/PayrollRec/actuals/import/2027/3', paid, place)).status).toBe(200)
}, 120_000)
afterAll(() => store?.close())

const withoutAnchors = { isDryRun: false, outside: { anchors: [], problems: [] } }
const rebuild = (how: Partial<Parameters<typeof rebuildProjections>[1]> = {}) => rebuildProjections(store, { ...withoutAnchors, ...how })

/** Runs the command as an operator does. */
function command(...words: string[]): Promise<{ code: number; out: string }> {
  return new Promise((done) => {
    const env = { ...process.env, DATABASE_URL: ownerUrl(product.config.databaseUrl), DATA_KEY: testDataKey }
    execFile(process.execPath, [findProgram('audit'), 'rebuild', ...words], { env }, (error, out, problem) =>
      done({ code: error ? Number(error.code) : 0, out: out + problem }),
    )
  })
}

/** Runs statements as the owner of the tables, without triggers and foreign keys. */
async function pastTheProduct(...statements: string[]): Promise<void> {
  await connectAsOwner(product.config.databaseUrl).begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    await tx`set local session_replication_role = replica`
    for (const statement of statements) expect((await tx.unsafe(statement)).count, statement).toBeGreaterThan(0)
  })
}

const rowsOf = (query: string): Promise<Body[]> =>
  connectAsOwner(product.config.databaseUrl).begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    return [...(await tx.unsafe(query))]
  })

/** The rows of every projection, without generated ids that nothing refers to. */
async function contents(): Promise<Record<string, string[]>> {
  return connectAsOwner(product.config.databaseUrl).begin(async (tx) => {
    await tx`select set_config('app.organisation_id', '*', true)`
    const held: Record<string, string[]> = {}
    for (const name of projectionNames) {
      const row = name === 'actual_lines' ? `(to_jsonb(one) - 'id')::text` : 'one::text'
      held[name] = (await tx.unsafe(`select ${row} as row from ${name} one order by 1`)).map((one) => one.row)
    }
    return held
  })
}

const entriesSaved = async (words: string): Promise<number> => {
  const { body } = await finance.call('POST', '/api/BudgetEntry/paginated', { pageNumber: 1, pageSize: 500 }, northgate)
  return body.rows.filter((row: Body) => row.description === words).length
}
const saveEntry = (description: string) =>
  finance.call('PUT', '/api/BudgetEntry/save', { description, budgetCodeId: codeId, amount: 5, budgetYearName: '2026/27' }, northgate)

/** For each projection, a change to a column, and a key that no row has; null if a row without a log is not removed. */
const tampered: Record<string, { change: string; key: Record<string, unknown> | null }> = {
  budgets: { change: `name = name || 'x'`, key: null },
  staff_contracts: { change: `contract = contract || '{"x": 1}'`, key: { id: 'f'.repeat(24) } },
  staff_costs: { change: 'has_pay = not has_pay', key: { contract_id: 'f'.repeat(24) } },
  posted_lines: { change: 'amounts[1] = amounts[1] + 1', key: { source_id: 'f'.repeat(24) } },
  budget_pay: { change: 'amounts[1] = amounts[1] + 1', key: { year: 9 } },
  budget_items: { change: `item = item || '{"x": 1}'`, key: { id: 'f'.repeat(24) } },
  quick_calculations: { change: 'version = version + 1', key: { id: 'f'.repeat(24) } },
  budget_days: { change: 'changes = changes + 1', key: { day: '2020-01-01' } },
  monitoring_logs: { change: `saved_at = saved_at + interval '1 day'`, key: null },
  monitoring_items: { change: `item = item || '{"x": 1}'`, key: { key: 'x' } },
  actual_lines: { change: 'value = value + 1', key: { line: 99_999 } },
  actual_sums: { change: 'amounts[1] = amounts[1] + 1', key: { budget_code_id: 99_999 } },
  payroll_logs: { change: `saved_at = saved_at + interval '1 day'`, key: null },
  payroll_items: { change: 'version = version + 1', key: { key: 'x' } },
  payroll_lines: { change: 'value = value + 1', key: { employee: 'x' } },
}

/** The columns of a table that can be written. */
async function columnsOf(table: string): Promise<string> {
  const [one] = await rowsOf(`select string_agg(quote_ident(attname), ', ') as names from pg_attribute
    where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`)
  return one!.names
}

/** The statement that adds a copy of a row under another key. */
async function addition(table: string, key: Record<string, unknown>): Promise<string> {
  const names = await columnsOf(table)
  return `insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table},
    (select to_jsonb(one) from ${table} one order by ctid desc limit 1) || '${JSON.stringify(key)}')`
}

/** Removes rows. @returns a function that restores them */
async function remove(table: string, where: string): Promise<() => Promise<void>> {
  const names = await columnsOf(table)
  await pastTheProduct(`create table kept_${table} as select * from ${table} where ${where}`, `delete from ${table} where ${where}`)
  return async () => {
    await pastTheProduct(`insert into ${table} (${names}) select ${names} from kept_${table}`)
    await connectAsOwner(product.config.databaseUrl).unsafe(`drop table kept_${table}`)
  }
}

describe('rows that somebody changed directly in the database', () => {
  it('do not exist before the test changes any', async () => {
    const { differences, notRebuilt, logs, projections } = await rebuild()
    expect({ differences, notRebuilt }).toEqual({ differences: [], notRebuilt: [] })
    expect(logs).toBeGreaterThan(10)
    for (const { projection, rows } of projections) expect(rows, projection).toBeGreaterThan(2)
    expect(Object.keys(tampered)).toEqual(projectionNames)
  })

  it('are restored in every projection by a rebuild, whether they were removed, changed or added', async () => {
    const before = await contents()
    for (const [table, { change, key }] of Object.entries(tampered)) {
      const [first, second] = [0, 1].map((place) => `(select ctid from ${table} order by ctid offset ${place} limit 1)`)
      await pastTheProduct(
        `delete from ${table} where ctid = ${second}`,
        `update ${table} set ${change} where ctid = ${first}`,
        ...(key ? [await addition(table, key)] : []),
      )
    }
    const dry = await rebuild({ isDryRun: true })
    const { notRebuilt, projections } = await rebuild()
    expect(notRebuilt).toEqual([])
    for (const { projection, missing, extra, different } of projections)
      expect({ missing, extra, different }, projection).toEqual(
        // A changed row of a table without a primary key counts as one missing and one extra row.
        projection === 'posted_lines'
          ? { missing: 2, extra: 2, different: 0 }
          : { missing: 1, extra: tampered[projection]!.key ? 1 : 0, different: 1 },
      )
    expect(dry.projections).toEqual(projections)
    const after = await contents()
    for (const name of projectionNames) expect(after[name], name).toEqual(before[name])
    expect((await rebuild()).differences).toEqual([])
    const { code } = await command('--json')
    expect(code).toBe(0)
  })

  it('are replaced only in the named projection', async () => {
    const before = await contents()
    await pastTheProduct('update budget_pay set amounts[1] = amounts[1] + 1', 'delete from actual_sums')
    const { projections } = await rebuild({ projection: 'actual_sums' })
    expect(projections).toEqual([{ projection: 'actual_sums', rows: 0, missing: before.actual_sums!.length, extra: 0, different: 0 }])
    const { actual_sums, budget_pay } = await contents()
    expect(actual_sums).toEqual(before.actual_sums)
    expect(budget_pay).not.toEqual(before.budget_pay)
    await rebuild({ projection: 'budget_pay' })
    expect(await contents()).toEqual(before)
  })

  it('are replaced without a link in the chain, which only saves make', async () => {
    const chain = () => rowsOf(`select * from log_chain order by organisation_id, sequence`)
    const before = await chain()
    for (const table of ['budgets', 'monitoring_logs', 'payroll_logs'])
      await pastTheProduct(`update ${table} set ${tampered[table]!.change} where version > 0`)
    const { projections } = await rebuild()
    for (const { projection, different } of projections)
      if (['budgets', 'monitoring_logs', 'payroll_logs'].includes(projection)) expect(different, projection).toBeGreaterThan(0)
    expect(await chain()).toEqual(before)
    expect((await rebuild()).differences).toEqual([])
  })

  it('that lag behind their log are brought up to date, including the budget’s own row', async () => {
    expect((await saveEntry('After the tables were copied')).status).toBe(200)
    const before = await contents()
    await pastTheProduct(
      `update budgets set (version, last_hash) = (select event.version, event.hash from budget_events event
        where event.budget_id = budgets.id and event.version = budgets.version - 1) where id = '${northgate.BudgetId}'`,
      `delete from budget_items where budget_id = '${northgate.BudgetId}'`,
    )
    const { notRebuilt } = await rebuild()
    expect(notRebuilt).toEqual([])
    expect(await contents()).toEqual(before)
    expect((await verifyOrganisations(store, {}, () => withoutAnchors.outside)).findings).toEqual([])
  })

  it('of a deleted budget are removed', async () => {
    const made = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'Deleted' }, northgate)
    await finance.call('DELETE', `/api/Budget/${made.body.mongoId}`, undefined, northgate)
    const before = await contents()
    const names = 'organisation_id, budget_id, id, version, created, calculation'
    await pastTheProduct(
      `insert into quick_calculations (${names}) select ${names.replace('budget_id', `'${made.body.mongoId}'`)} from quick_calculations limit 1`,
    )
    expect((await rebuild({ budget: made.body.mongoId })).differences).toMatchObject([{ projection: 'quick_calculations', extra: 1 }])
    expect(await contents()).toEqual(before)
  })
})

describe('the rebuild command', () => {
  it('reports differences with --dry-run and replaces nothing; without it, it replaces them; the exit codes differ', async () => {
    const before = await contents()
    await pastTheProduct(`update staff_contracts set version = version + 1 where budget_id = '${northgate.BudgetId}'`)
    const wrong = await contents()
    const dry = await command('--budget', northgate.BudgetId, '--dry-run')
    expect(dry.out).toMatch(/staff_contracts of budget \w{24}: 0 missing, 0 extra, \d+ different: \w{24};/)
    expect(dry.out).toContain('Nothing was replaced.')
    expect(dry.code).toBe(1)
    expect(await contents()).toEqual(wrong)
    expect(await command('--budget', beacon.BudgetId)).toMatchObject({ code: 0, out: expect.stringContaining('1 log: no row differs') })
    expect(await command('--budget', northgate.BudgetId)).toMatchObject({
      code: 1,
      out: expect.stringContaining('The rows were replaced.'),
    })
    expect(await contents()).toEqual(before)
    expect((await command('--budget', northgate.BudgetId)).code).toBe(0)
  })

  it('refuses a projection that does not exist and names those that do', async () => {
    const { code, out } = await command('--projection', 'budget_lines')
    expect(code).toBe(2)
    expect(out).toContain('There is no projection budget_lines. The projections are budgets, staff_contracts,')
    for (const name of projectionNames) expect(out).toContain(name)
    expect((await command('--budget', 'f'.repeat(24))).code).toBe(2)
  })

  it('refuses to run with the servers’ role, which may not write every projection', async () => {
    const asServer = openStore(product.config, 1)
    await expect(rebuildProjections(asServer, withoutAnchors)).rejects.toThrow('Only the owner of the tables can rebuild them')
    await asServer.close()
  })
})

describe('a log that cannot be trusted', () => {
  it('is named with its version and not used, while others are rebuilt', async () => {
    const before = await contents()
    const event = `update budget_events set data = data || '{"name": "Forged"}' where budget_id = '${northgate.BudgetId}' and version = 1`
    const [kept] = await connectAsOwner(product.config.databaseUrl).begin(async (tx) => {
      await tx`select set_config('app.organisation_id', '*', true)`
      return tx`select data::text from budget_events where budget_id = ${northgate.BudgetId} and version = 1`
    })
    const change = 'update budget_pay set amounts[1] = amounts[1] + 1'
    await pastTheProduct(event, change)
    const wrong = await contents()
    const { differences, notRebuilt } = await rebuild()
    expect(notRebuilt).toEqual([
      {
        log: `budget ${northgate.BudgetId}`,
        version: 1,
        problem: 'Its content does not match its hash: it was changed after it was written.',
      },
    ])
    expect(differences.length).toBeGreaterThan(0)
    expect(differences.map(({ log }) => log)).not.toContain(`budget ${northgate.BudgetId}`)
    const isNorthgate = (row: string): boolean => row.includes(northgate.BudgetId)
    const { budget_pay } = await contents()
    expect(budget_pay!.filter(isNorthgate)).toEqual(wrong.budget_pay!.filter(isNorthgate))
    expect(budget_pay!.filter((row) => !isNorthgate(row))).toEqual(before.budget_pay!.filter((row) => !isNorthgate(row)))
    expect((await command()).code).toBe(3)
    await pastTheProduct(`update budget_events set data = '${kept!.data}' where budget_id = '${northgate.BudgetId}' and version = 1`)
    await rebuild()
    expect(await contents()).toEqual(before)
  })

  it.each(['monitoring', 'payroll'])('is not used if its end was cut off: %s', async (kind) => {
    const wrong = await contents()
    const place = `organisation_id = ${northgate.OrganisationId} and location_id = ${northgate.LocationId}`
    await pastTheProduct(
      `create table kept_${kind} as select * from ${kind}_events where ${place} order by version desc limit 1`,
      `delete from ${kind}_events where ${place} and version = (select version from kept_${kind})`,
    )
    const { notRebuilt } = await rebuild({ organisation: northgate.OrganisationId })
    expect(notRebuilt.map(({ problem }) => problem).join()).toContain('the log does not have it: it has since been cut')
    for (const { log } of notRebuilt) expect(log).toBe(`${kind} of location ${northgate.LocationId}`)
    expect(await contents()).toEqual(wrong)
    await pastTheProduct(`insert into ${kind}_events overriding system value select * from kept_${kind}`)
    await connectAsOwner(product.config.databaseUrl).unsafe(`drop table kept_${kind}`)
    expect((await rebuild()).notRebuilt).toEqual([])
  })
})

describe('rows that only the tables still have, because the log lost them,', () => {
  const isNorthgates = () => `organisation_id = ${northgate.OrganisationId}`
  const lastLink = async (): Promise<Body> =>
    (await rowsOf(`select * from log_chain where ${isNorthgates()} order by sequence desc limit 1`))[0]!

  /** Removes the last event of a log with its link, the end of its organisation’s chain. @returns a function that restores them */
  async function cut(kind: 'budget' | 'monitoring' | 'payroll'): Promise<() => Promise<void>> {
    const link = await lastLink()
    expect(link.kind).toBe(kind)
    const subject = `${kind === 'budget' ? 'budget_id' : 'location_id'} = '${link.subject}'`
    const putBack = [
      await remove(`${kind}_events`, `${isNorthgates()} and ${subject} and version = ${link.version}`),
      await remove('log_chain', `${isNorthgates()} and sequence = ${link.sequence}`),
    ]
    return async () => {
      for (const put of putBack) await put()
    }
  }
  const note = () => ({ budgetCodeId: codeId, type: 1, notes: 'The last note' })
  const saves = {
    budget: () => saveEntry('The last entry'),
    monitoring: () => finance.call('POST', `/api/monitoring/note/2027/3/${groupId}`, note(), northgate),
    payroll: () => finance.call('POST', '/api/monitoring/PayrollRec/actuals/import/2027/3', paid, northgate),
  }
  const labels = () => ({
    budget: `budget ${northgate.BudgetId}`,
    monitoring: `monitoring of organisation ${northgate.OrganisationId}`,
    payroll: `payroll of location ${northgate.LocationId}`,
  })

  it.each(['budget', 'monitoring', 'payroll'] as const)('are kept: the last save of a log was removed with its link: %s', async (kind) => {
    expect((await saves[kind]()).status).toBe(200)
    const before = await contents()
    const putBack = await cut(kind)
    const { differences, notRebuilt } = await rebuild()
    expect(differences).toEqual([])
    expect(notRebuilt).toEqual([
      { log: labels()[kind], version: null, problem: expect.stringMatching(/is at version \d+ but its log ends at \d+/) },
    ])
    const { code, out } = await command()
    expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining(labels()[kind]) })
    expect(await contents()).toEqual(before)
    await putBack()
    expect((await rebuild()).notRebuilt).toEqual([])
  })

  it('are kept if a link in the middle of the chain was removed', async () => {
    const putBack = await remove('log_chain', `${isNorthgates()} and sequence = 5`)
    await pastTheProduct('update budget_pay set amounts[1] = amounts[1] + 1')
    const wrong = await contents()
    const { logs, differences, notRebuilt } = await rebuild({ organisation: northgate.OrganisationId })
    const label = `Every log of organisation ${northgate.OrganisationId}`
    expect({ logs, differences, notRebuilt }).toEqual({
      logs: 0,
      differences: [],
      notRebuilt: [{ log: label, version: null, problem: expect.stringContaining('is missing links 5 to 5') }],
    })
    const { code, out } = await command('--organisation', String(northgate.OrganisationId))
    expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining(label) })
    expect(await contents()).toEqual(wrong)
    await putBack()
    expect((await rebuild()).notRebuilt).toEqual([])
  })

  it('are kept if an external anchor names a link that the chain does not have', async () => {
    expect((await saveEntry('Anchored')).status).toBe(200)
    const { sequence, hash } = await lastLink()
    const chain = { organisationId: toOrganisationId(northgate.OrganisationId), sequence, hash }
    const counts = { budgets: 0, events: 0, referenceChanges: 0 }
    const signed = { at: '2027-01-04T06:00:00.000Z', reason: 'day', previous: '', signature: '', counts } as const
    const outside = { anchors: [{ ...signed, chains: [chain], budgets: [] }], problems: [] }
    expect((await rebuild({ outside })).notRebuilt).toEqual([])
    const endHeadAtLog = `update budgets set (version, last_hash) = (select version, hash from budget_events
      where budget_id = budgets.id order by version desc limit 1) where id = '${northgate.BudgetId}'`
    const putBack = await cut('budget')
    await pastTheProduct(endHeadAtLog)
    const wrong = await contents()
    expect((await rebuild({ outside })).notRebuilt).toMatchObject([{ problem: expect.stringContaining('it has since been cut') }])
    expect((await rebuild({ outside: { anchors: [], problems: ['Line 3 is not as it was signed.'] } })).notRebuilt).toEqual([
      { log: 'Every log', version: null, problem: 'Line 3 is not as it was signed.' },
    ])
    expect(await contents()).toEqual(wrong)
    await putBack()
    await pastTheProduct(endHeadAtLog)
    expect((await rebuild()).notRebuilt).toEqual([])
  })

  it('are kept if they have no log at all', async () => {
    const lost = 'f'.repeat(24)
    await pastTheProduct(
      await addition('budgets', { id: lost, name: 'Not in any log' }),
      await addition('staff_contracts', { id: 'e'.repeat(24), budget_id: 'd'.repeat(24) }),
      await addition('monitoring_logs', { location_id: 999, version: 3 }),
      await addition('payroll_lines', { location_id: 998 }),
    )
    const wrong = await contents()
    const { notRebuilt } = await rebuild()
    expect(new Set(notRebuilt.map(({ log }) => log))).toEqual(
      new Set([`budget ${'d'.repeat(24)}`, `budget ${lost}`, 'monitoring of location 999', 'payroll of location 998']),
    )
    expect(await contents()).toEqual(wrong)
    await pastTheProduct(
      `delete from budgets where id = '${lost}'`,
      `delete from staff_contracts where budget_id = '${'d'.repeat(24)}'`,
      'delete from monitoring_logs where location_id = 999',
      'delete from payroll_lines where location_id = 998',
    )
    expect((await rebuild()).notRebuilt).toEqual([])
  })
})

it('figures of an engine that this version does not have are kept as recorded and reported, and the rest of the budget is rebuilt', async () => {
  const made = await finance.call('POST', `/api/Budget/duplicate/${northgate.BudgetId}`, { name: 'Of a later version' }, northgate)
  const call = { organisationId: toOrganisationId(northgate.OrganisationId), budgetId: toBudgetId(made.body.mongoId) }
  await store.inOrganisation(call.organisationId, async (tx) => {
    const actor = { userId: null, requestId: 'rebuild', now: new Date() }
    await recalculateAllContracts({ tx, ...call, actor })
    const last = (await readBudgetEvents({ tx, ...call })).findLast((event) => event.type === 'StaffContractsRecalculated')!
    const events = [{ type: last.type, data: { ...last.data, engine: '99.0.0' } }]
    await commitEvents({ tx, actor }, await loadBudget({ tx, ...call }, call.budgetId, true), { events })
  })
  const before = await contents()
  await pastTheProduct(`update staff_contracts set version = version + 1 where budget_id = '${call.budgetId}'`)
  const { code, out } = await command('--budget', call.budgetId)
  expect(code).toBe(3)
  expect(out).toMatch(/Could not be rebuilt, and was left as it is:\s+budget \w{24}: Its figures were recorded by engine 99\.0\.0/)
  expect(await contents()).toEqual(before)
  await finance.call('DELETE', `/api/Budget/${call.budgetId}`, undefined, northgate)
  expect((await rebuild()).notRebuilt).toEqual([])
})

/** Waits until a rebuild has built its rows and is waiting for a log that a save has locked. */
const untilItWaits = () =>
  until('the rebuild waits for the log', async () => {
    const rows = await connectAsOwner(product.config.databaseUrl)`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'select from public.budgets%'`
    return rows.length > 0
  })

/** Saves to a budget and leaves the transaction open, with its row locked. @returns a function that commits it */
async function holdSave(name: string): Promise<() => Promise<void>> {
  let letGo: () => void = () => undefined
  const released = new Promise<void>((done) => {
    letGo = done
  })
  const organisationId = toOrganisationId(northgate.OrganisationId)
  let holding: Promise<void> | undefined
  await new Promise<void>((held, failed) => {
    holding = store
      .inOrganisation(organisationId, async (tx) => {
        const actor = { userId: null, requestId: 'rebuild', now: new Date() }
        await runRenameBudget({ tx, organisationId, actor }, toBudgetId(northgate.BudgetId), name)
        held()
        await released
      })
      .catch(failed)
  })
  return async () => {
    letGo()
    await holding
  }
}

describe('during work', () => {
  it('a save made after a rebuild has built its rows is not lost: the rebuild builds them again', async () => {
    await pastTheProduct(`delete from budget_items where budget_id = '${northgate.BudgetId}'`)
    const commitSave = await holdSave('Saved meanwhile')
    const rebuilding = rebuild()
    await untilItWaits()
    await commitSave()
    const { differences, notRebuilt } = await rebuilding
    expect(notRebuilt).toEqual([])
    expect(differences.find(({ projection }) => projection === 'budget_items')!.missing).toBeGreaterThan(5)
    const { body } = await finance.call('GET', `/api/Budget/id/${northgate.BudgetId}`, undefined, northgate)
    expect(body.name).toBe('Saved meanwhile')
    expect((await rebuild()).differences).toEqual([])
  })

  it('a log that is locked for too long is named, and what was replaced in the others is listed', async () => {
    await pastTheProduct('update budget_pay set amounts[1] = coalesce(amounts[1], 0) + 1')
    const commitSave = await holdSave('Held for too long')
    // A server waits six seconds for a locked row, and a tool a minute.
    const impatient = openStore({ ...product.config, databaseUrl: ownerUrl(product.config.databaseUrl) }, 6, 'calls')
    const { differences, notRebuilt } = await rebuildProjections(impatient, withoutAnchors)
    await impatient.close()
    const label = `budget ${northgate.BudgetId}`
    expect(notRebuilt).toEqual([{ log: label, version: null, problem: 'Another change locked it for too long. Run the rebuild again.' }])
    expect(differences.length).toBeGreaterThan(1)
    expect(differences.map(({ log }) => log)).not.toContain(label)
    await commitSave()
    expect((await rebuild()).differences).toMatchObject([{ log: label, projection: 'budget_pay' }])
  })

  it('repeated rebuilds of damaged tables lose no save, and give the same tables as a replay', async () => {
    let isOver = false
    let saved = 0
    const working = (async () => {
      while (!isOver) if ((await saveEntry('One of many')).status === 200) saved++
    })()
    let mended = 0
    for (let round = 0; round < 5; round++) {
      await pastTheProduct(
        `update posted_lines set amounts[1] = coalesce(amounts[1], 0) + 1 where budget_id = '${northgate.BudgetId}' and source_kind = 'contract'`,
      )
      mended += (await rebuild({ budget: northgate.BudgetId })).differences.length
    }
    isOver = true
    await working
    expect(mended).toBeGreaterThanOrEqual(5)
    expect(saved).toBeGreaterThan(5)
    expect(await entriesSaved('One of many')).toBe(saved)
    const { differences, notRebuilt } = await rebuild()
    expect({ differences, notRebuilt }).toEqual({ differences: [], notRebuilt: [] })
  })

  it('a killed rebuild leaves everything as it was', async () => {
    await pastTheProduct(`delete from staff_costs where budget_id = '${northgate.BudgetId}'`)
    const commitSave = await holdSave('Saved before the end')
    const env = { ...process.env, DATABASE_URL: ownerUrl(product.config.databaseUrl), DATA_KEY: testDataKey }
    const running = execFile(process.execPath, [findProgram('audit'), 'rebuild'], { env })
    await untilItWaits()
    const ended = new Promise((done) => running.once('exit', done))
    running.kill('SIGKILL')
    await ended
    await commitSave()
    const isNorthgate = (row: string): boolean => row.includes(northgate.BudgetId)
    expect((await contents()).staff_costs!.filter(isNorthgate)).toEqual([])
    expect((await rebuild()).differences).toMatchObject([{ projection: 'staff_costs', extra: 0, different: 0 }])
    expect((await contents()).staff_costs!.filter(isNorthgate).length).toBeGreaterThan(20)
  })
})

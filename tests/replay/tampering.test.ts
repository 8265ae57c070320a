import { getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allResources, resources } from '../../domain/resources/all.ts'
import type { BudgetId, OrganisationId } from '../../domain/values/ids.ts'
import * as schema from '../../drizzle/schema.ts'
import { compareBudgetTables } from '../../server/audit/compare/compare.ts'
import { createInputsReader, readStoredBudgetLog } from '../../server/audit/replay/logSource.ts'
import { replayLog } from '../../server/audit/replay/replayLog.ts'
import { verifyDatabaseDefinitions } from '../../server/audit/verify/definitions.ts'
import { compareReferenceRecords } from '../../server/audit/verify/registers.ts'
import type { AuditFinding } from '../../server/audit/verify/verify.ts'
import { verifyAllOnce } from '../../server/audit/verify/verifyAll.ts'
import { type OrganisationTx, openStore } from '../../server/core/database/database.ts'
import { saveAltDescription } from '../../server/features/altDescriptions/commands.ts'
import { saveTerm } from '../../server/features/terminology/commands.ts'
import { createRecord } from '../../server/resources/commands.ts'
import { budgetProjections } from '../../server/streams/budget/stream.ts'
import { ownerUrl } from '../support/product/database.ts'
import { findTrustIds, signInAs } from '../support/product/http.ts'
import { type Product, startProduct } from '../support/product/product.ts'
import { proceduresOf } from '../support/product/trpc.ts'
import { until } from '../support/running/worker.ts'

/**
 * Tables and columns that neither verify nor replay checks, each with the reason why no figure depends on it. Everything else is tampered
 * with below, so a new column fails until it is either checked or listed here.
 */
const notCovered: Record<string, string | Record<string, string>> = {
  answered_calls: 'Answers to calls that may be sent again, kept for a while and sealed.',
  api_clients: 'Who may call; no figure.',
  budget_job_items: 'Work to be done; what came of it stands in the log.',
  budget_jobs: 'Work to be done; what came of it stands in the log.',
  data_versions: 'Counts changes, so that what is in memory is read again.',
  first_administrator_links: 'One-time links to sign in with.',
  images: 'Pictures.',
  staff_files: 'What an HR system says; no figure before somebody takes it, and then it stands in the log.',
  staff_changes_left: 'Which differences to it are not asked about again; no figure.',
  import_columns: 'What the columns of files are called; no figure.',
  import_progress: 'How far an import is, for a screen.',
  invitations: 'One-time links to sign in with.',
  made_files: 'Documents made of figures that stand elsewhere, for thirty days.',
  pack_papers: 'Documents made of figures that the log keeps, sealed; they can be made again.',
  ledgers: 'How the files of a ledger are read; what was read of them stands in the log.',
  ledger_texts: 'How the files of a ledger are read; what was read of them stands in the log.',
  payroll_explanations: 'Work to be done, and what came of it, for a screen; what is accepted of it stands in the log.',
  integration_credentials: 'How other systems are reached; no figure.',
  integration_parameters: 'How other systems are reached; no figure.',
  file_layouts: 'How files are written for other systems; their figures are read off the tables that are covered.',
  list_views: 'How people look at lists, sealed; no figure.',
  report_layouts: 'Which reports people ask for again; their figures are read off the tables that are covered.',
  connections: 'What goes to other systems and is fetched from them; no figure.',
  connection_runs: 'What came of it; what was imported stands in the log.',
  webhooks: 'Who is told of what the log says; no figure.',
  webhook_deliveries: 'What came of telling them; what is told is read off the log.',
  log_checks: 'How far the product has checked itself; what it says proves nothing, and verify reads nothing of it.',
  payroll_providers: 'How the files of a payroll provider are read; what was read of them stands in the log.',
  payroll_provider_texts: 'How the files of a payroll provider are read; what was read of them stands in the log.',
  oidc_payloads: 'Sign-in.',
  presences: 'Who has a budget open.',
  comment_notices: 'Who has read which comment; no figure.',
  recalculation_marks: 'Which budgets are to be recalculated, and why; no figure.',
  signing_keys: 'Sign-in.',
  sign_ins: 'Sign-in.',
  second_steps: 'Sign-in.',
  recovery_codes: 'Sign-in.',
  passkeys: 'Sign-in.',
  second_step_groups: 'Sign-in; who asked a group for it stands in the log.',
  group_rules: 'Which user groups somebody is given as they come in; that they were given them stands in the log.',
  staff_changes: 'Counts changes, so that what is in memory is read again.',
  vault_keys: 'Keys of people, deleted when somebody is erased; a wrong key opens nothing.',
  budget_events: { position: 'The order in which budgets were written beside each other; the chain of the organisation has its own.' },
  actual_lines: { id: 'A number that nothing names: a line is known by its import and its place in it.' },
  monitoring_events: { position: 'The order in which logs were written beside each other; the chain of the organisation has its own.' },
  payroll_events: { position: 'The order in which logs were written beside each other; the chain of the organisation has its own.' },
  budget_groups: {
    required_since: 'Since when a group is to be recalculated; no figure.',
    required_reason: 'Why a group is to be recalculated; no figure.',
    last_recalculated: 'When a group was recalculated; no figure.',
  },
  chain_anchors: { day: 'When an anchor was written; it holds whenever that was.' },
  platform_keys: 'What servers must know to see all organisations; no figure.',
  rate_limits: 'Counts calls.',
  processes: 'Which servers and workers run.',
  backups: 'When backups were made.',
  restore_rehearsals: 'How rehearsals of a restore ended.',
  reference_changes: { transaction: 'What was written together; the chain has the order in which all of it was.' },
  recalculation_budgets: { done_at: 'When it was done.', attempts: 'How often it was tried.', last_error: 'Why a try failed.' },
  recalculations: {
    group_id: 'Which group was asked for; its budgets stand in the log.',
    budget_id: 'Which budget was asked for alone; it stands in the log.',
    requested_by_id: 'Who asked; the log says it of each budget.',
    started_at: 'When.',
    finished_at: 'When.',
    announced_at: 'When people were told.',
    failure: 'Why a run ended early.',
    status: 'Whether it runs; no figure.',
    attempts: 'How often it was tried.',
    last_error: 'Why a try failed.',
    position: 'The order of the log then.',
  },
  staff_members: {
    subject: 'Names the key of the person; the sealed text opens under no other.',
    number_digest: 'Finds the same employee number twice; the number itself is sealed.',
  },
  return_reasons: { written_by: 'The name of who wrote it, for a screen; the log says who did by their number.' },
  terms: { id: 'A number that nothing names.' },
  users: {
    avatar_id: 'A picture.',
    password_hash: 'Sign-in.',
    last_sign_in: 'Sign-in.',
    endings: 'Sign-in.',
    outside_issuer: 'Sign-in.',
    outside_subject: 'Sign-in.',
  },
}

interface Column {
  table: string
  name: string
  type: string
  isGenerated: boolean
  isIdentity: boolean | null
}

let product: Product
let owner: postgres.Sql
let columns: Column[]
let meadow: OrganisationId
const platform = 0
const actor = { userId: null, requestId: 'tampering', now: new Date() }

beforeAll(async () => {
  product = await startProduct({ worker: true })
  const store = openStore(product.config, 2)
  const finance = await signInAs(product, 'finance@meadow.example')
  const places = await findTrustIds(finance)
  meadow = places.organisationId
  const own = { OrganisationId: places.organisationId }
  await finance.call('POST', `/api/BudgetGroup/recalculate/staff-contracts/${places.groupId}`, undefined, own)
  await until('the group is recalculated', async () => {
    const { body } = await finance.call('GET', '/api/Application/staffcontracts/recalculation/locked', undefined, own)
    return !body.locked
  })
  const { LocationId } = places.at('Orchard')
  await store.inOrganisation(meadow, async (tx) => {
    const [code] = await tx.select({ id: schema.budgetCodes.id }).from(schema.budgetCodes).limit(1)
    await saveAltDescription(
      { tx, organisationId: meadow, locationId: LocationId, resource: resources.budgetCode, recordId: code!.id as number, actor },
      'Our own words',
    )
    await saveTerm({ tx, organisationId: meadow, actor }, { term: 'BudgetCode', singular: 'Nominal', plural: 'Nominals', version: null })
  })
  await proceduresOf(product, finance, own).returnReasons.save.mutate({
    locationId: null,
    firstYear: 2026,
    line: 'income levy',
    text: 'Pupils came late',
    version: 0,
  })
  await proceduresOf(product, finance, own).comparators.import.mutate({
    name: 'Like us',
    source: 'comparison.csv',
    year: '2024/25',
    rows: ['School\tUtilities per pupil', 'Ash\t45', ''],
  })
  const someone = (await finance.call('POST', '/api/Staff/list', { pageNumber: 1, pageSize: 1 }, own)).body.rows[0].employeeNumber
  const paid = [
    { EmployeeNumber: someone, PayrollCode: '100', Actual: '1000' },
    { EmployeeNumber: 'nobody', PayrollCode: '100', Actual: '1' },
  ]
  const imported = await finance.call('POST', '/api/monitoring/PayrollRec/actuals/import/2027/3', paid, places.at('Orchard'))
  expect(imported.status).toBe(200)
  const note = { employeeNumber: someone, notes: 'Looked at' }
  expect((await finance.call('POST', '/api/monitoring/PayrollRec/note/2027/3', note, own)).status).toBe(200)
  await store.asPlatform(async (tx) => {
    const scope = { organisationId: null, locationIds: null, isAdministrator: true }
    await createRecord(
      { tx, resource: resources.incomeType, scope, actor },
      { name: 'Grants', description: 'Of the state', order: 1, active: true },
    )
  })
  await store.close()
  owner = postgres(ownerUrl(product.config.databaseUrl), { max: 1, onnotice: () => undefined })
  await owner`select set_config('app.organisation_id', '*', false)`
  await owner`select anchor_chains()`
  columns = await owner<Column[]>`
    select c.table_name as table, c.column_name as name, c.udt_name as type, c.is_generated = 'ALWAYS' as "isGenerated",
      c.identity_generation = 'ALWAYS' as "isIdentity"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`
}, 180_000)
afterAll(() => owner?.end())

/** What reports a changed row of a table: the kinds of its records. For other tables it is a replay, or the chains and logs. */
const registersOf = new Map<string, string[]>([
  ...allResources.map((resource): [string, string[]] => [resource.table, [resource.name]]),
  ['users', ['user']],
  ['memberships', ['user']],
  ['staff_members', ['staffMember']],
  ['applied_extended_leave', ['appliedExtendedLeave']],
  ['budget_groups', ['budgetGroup']],
  ['budget_group_members', ['budgetGroup']],
  ['terms', ['terminologyTerm']],
  ['return_reasons', ['returnReason']],
  ['comparator_sets', ['comparatorSet']],
  ['alt_descriptions', ['budgetCodeAltDescription', 'costCentreAltDescription']],
])
const folded: string[] = budgetProjections.map(getTableName)
const ofThePlatform = ['users', 'memberships', 'user_groups']

/** An SQL expression for a value that differs from the column’s. */
function otherValue({ name, type }: Column): string {
  const column = `"${name}"`
  if (['int2', 'int4', 'int8', 'numeric', 'float8'].includes(type))
    return `coalesce(${column}, 0) + ${{ int2: 100, numeric: 1 }[type] ?? 1_000_003}`
  if (type === 'bool') return `not coalesce(${column}, false)`
  if (type === 'text') return `coalesce(${column}, '') || 'x'`
  if (type === 'bpchar') return `translate(${column}, '0123456789abcdef', '123456789abcdef0')`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type === 'date') return `coalesce(${column}, '2026-01-01') + 1`
  if (type === 'timestamptz') return `coalesce(${column}, now()) + interval '1 day'`
  if (type === 'jsonb')
    return `case jsonb_typeof(${column}) when 'object' then ${column} || '{"x": 1}' when 'array' then ${column} || '[99]' else '1' end`
  if (type === 'json') return `(${column}::jsonb || '{"x": 1}')::json`
  if (['_int8', '_int4', '_int2'].includes(type))
    return `case when cardinality(${column}) > 0 then (coalesce(${column}[1], 0) + 1) || ${column}[2:] else '{99}' end`
  if (type === '_text') return `${column}[2:] || 'x'::text`
  throw new Error(`No other value is known for the type ${type} of ${name}`)
}

interface Row {
  place: string
  organisation: OrganisationId
  budget: BudgetId
}

/** Changes one column of one row as the owner of the tables, without triggers, verifies, and rolls back. @returns the findings */
async function findingsOf(column: Column): Promise<AuditFinding[]> {
  const { table, name } = column
  const own = columns.filter((one) => one.table === table).map((one) => one.name)
  const organisation = ofThePlatform.includes(table)
    ? String(platform)
    : table === 'organisations'
      ? 'id'
      : own.includes('organisation_id')
        ? `coalesce(organisation_id, ${platform})`
        : String(platform)
  const budget = table === 'budgets' ? 'id' : own.includes('budget_id') ? 'budget_id' : `''`
  // Prefer a row with events: nothing proves the stored position of an empty log, and no figure depends on it.
  const hasLog = own.includes('last_hash') && own.includes('version') ? 'version > 0' : '1 = 1'
  let findings: AuditFinding[] = []
  const undo = new Error('undo')
  await drizzle(owner)
    .transaction(async (tx) => {
      const run = (statement: string): Promise<unknown> => tx.execute(statement)
      await run('set local session_replication_role = replica')
      const [row] = await tx.execute<Row & Record<string, unknown>>(
        `select ctid::text as place, ${organisation} as organisation, ${budget} as budget from ${table}
         order by ${hasLog} desc, ${organisation} = ${meadow} desc, "${name}" is not null desc limit 1`,
      )
      if (!row) return
      // The owner of a table can remove its check constraints as well.
      await run(`do $$ declare held record; begin
        for held in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c' loop
          execute format('alter table ${table} drop constraint %I', held.conname);
        end loop;
      end $$`)
      if (column.isGenerated) await run(`alter table ${table} alter column "${name}" drop expression`)
      if (column.isIdentity) await run(`alter table ${table} alter column "${name}" drop identity`)
      await run(`update ${table} set "${name}" = ${otherValue(column)} where ctid = '${row.place}'`)
      findings = await look(tx as unknown as OrganisationTx, column, row)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw new Error(`${table}.${name}: ${(error as Error).cause ?? error}`)
    })
  return findings
}

async function look(tx: OrganisationTx, { table, isGenerated }: Column, { organisation, budget }: Row): Promise<AuditFinding[]> {
  if (isGenerated) return (await verifyDatabaseDefinitions(tx)).findings
  const registers = registersOf.get(table)
  if (registers) return compareReferenceRecords(tx, organisation, registers)
  if (!folded.includes(table)) return (await verifyAllOnce(tx, { organisation }, [])).findings
  return replay(tx, organisation, budget)
}

async function replay(tx: OrganisationTx, organisation: OrganisationId, budget: BudgetId): Promise<AuditFinding[]> {
  const source = await readStoredBudgetLog(tx, organisation, budget)
  const inputsOf = createInputsReader(source)
  return compareBudgetTables({ tx, organisationId: organisation, budgetId: budget }, replayLog(source.events, inputsOf), inputsOf)
}

const reasonFor = ({ table, name }: Column): string | undefined => {
  const reason = notCovered[table]
  return typeof reason === 'string' ? reason : reason?.[name]
}

it('nothing is wrong before the test tampers', async () => {
  const findings = await drizzle(owner).transaction(async (tx) => {
    const own = tx as unknown as OrganisationTx
    const replayed: AuditFinding[] = []
    for (const { organisation, budget } of await owned(own)) replayed.push(...(await replay(own, organisation, budget)))
    return [...(await verifyAllOnce(own, {}, [])).findings, ...replayed]
  })
  expect(findings).toEqual([])
})

const owned = (tx: OrganisationTx) =>
  tx.execute<{ organisation: OrganisationId; budget: BudgetId }>('select organisation_id as organisation, id as budget from budgets')

it('everything listed as not covered exists', () => {
  const known = new Set(columns.map(({ table, name }) => `${table}.${name}`))
  const tables = new Set(columns.map(({ table }) => table))
  for (const [table, reason] of Object.entries(notCovered)) {
    expect(tables).toContain(table)
    if (typeof reason !== 'string') for (const name of Object.keys(reason)) expect(known).toContain(`${table}.${name}`)
  }
})

it('a direct change of any column that a figure can depend on is found', async () => {
  const missed: string[] = []
  for (const column of columns) {
    if (reasonFor(column)) continue
    const findings = await findingsOf(column).catch((error: Error) => error.message)
    if (!findings.length || typeof findings === 'string') missed.push(`${column.table}.${column.name} ${findings}`)
  }
  expect(missed).toEqual([])
}, 600_000)

it.each([
  [
    'a sum of a year',
    ['alter table posted_lines alter totals drop expression', 'update posted_lines set totals[1] = totals[1] + 1 where $own'],
  ],
  [
    'how much of a year is missing',
    ['alter table posted_lines alter missing drop expression', 'update posted_lines set missing[1] = missing[1] + 1::smallint where $own'],
  ],
  [
    'a line without any sum, of a source that is not there',
    [
      'alter table posted_lines alter totals drop expression, alter missing drop expression',
      `insert into posted_lines (organisation_id, budget_id, source_kind, source_id, component, budget_code_id, first_year, amounts, totals, missing)
        select organisation_id, budget_id, 'entry', repeat('f', 24), 'entry', budget_code_id, 0, array_fill(100000::bigint, array[12]), '{}', '{}'
        from posted_lines where $own`,
    ],
  ],
  [
    'months that begin a place early',
    [
      'alter table posted_lines drop constraint posted_lines_years',
      `update posted_lines set amounts = ('[0:' || cardinality(amounts) - 1 || ']=' || amounts::text)::bigint[] where $own`,
    ],
  ],
])('changed years of a line are found: %s', async (_what, statements) => {
  const undo = new Error('undo')
  let findings: AuditFinding[] = []
  await drizzle(owner)
    .transaction(async (tx) => {
      const [row] = await tx.execute<Row & Record<string, unknown>>(
        "select ctid::text as place, organisation_id as organisation, budget_id as budget from posted_lines where source_kind = 'contract' limit 1",
      )
      for (const statement of statements) await tx.execute(statement.replace('$own', `ctid = '${row!.place}'`))
      findings = await replay(tx as unknown as OrganisationTx, row!.organisation, row!.budget)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  expect(findings.map(({ problem }) => problem).join()).toMatch(/lines of/)
})

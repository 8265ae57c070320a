import { sql } from 'drizzle-orm'
import { actualType, importType } from '../../domain/lookups/lookupIds.ts'
import { findLedgerTable } from '../../domain/monitoring/ledger/columns.ts'
import type { LocationId, OrganisationId } from '../../domain/values/ids.ts'
import type { OrganisationTx } from '../../server/core/database/database.ts'
import { compareLedger, runLedgerImport } from '../../server/features/monitoring/ledgers/commands.ts'
import { parseSentLedger, type SentLedger } from '../../server/features/monitoring/ledgers/file.ts'
import type { MonitoringEditor } from '../../server/shared/monitoring/commands.ts'
import { readMonitoringTable } from '../../server/shared/monitoring/queries.ts'
import { withDemo } from './withDemo.ts'

const transactions = 100_000
const [schools, months, codes] = [100, 24, 300]
const turns = 5

/**
 * Measures the import of a month of transactions and the first page of budgets versus actuals for many schools, compared with the same sums
 * in plain SQL.
 */
export async function monitoringWork(): Promise<void> {
  await withDemo('bench-monitoring', async ({ store }) => {
    const [{ id: organisationId }] = (await store.asPlatform((tx) =>
      tx.execute<{ id: OrganisationId }>(sql`select min(id) as id from organisations`),
    )) as unknown as [{ id: OrganisationId }]
    const inside = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(organisationId, work)
    const holder = {
      locationIds: null,
      isAdministrator: false,
      permissions: ['ConsoleMonitoringReadUpdate'],
    } as unknown as MonitoringEditor['holder']
    const who: MonitoringEditor = { organisationId, holder, actor: { userId: null, requestId: 'bench', now: new Date() } }
    await importing(inside, who)
    await tables(inside, who)
  })
}

export type RunInOrganisation = <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>

/** Runs some work. @returns its result and how long it took, in milliseconds */
export async function measureTime<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now()
  return { result: await work(), ms: performance.now() - began }
}

async function importing(inside: RunInOrganisation, who: MonitoringEditor): Promise<void> {
  const { organisationId } = who
  const places = await inside((tx) =>
    tx.execute<{ id: number; filter: string }>(
      sql`select id, budget_code_filter as filter from locations where organisation_id = ${organisationId} order by id`,
    ),
  )
  const budgetCodes = await inside((tx) =>
    tx.execute<{ id: number; code: string }>(
      sql`select id, code from budget_codes where organisation_id = ${organisationId} and type = 2 order by id`,
    ),
  )
  const centres = await inside((tx) =>
    tx.execute<{ id: number; code: string }>(sql`select id, code from cost_centres where organisation_id = ${organisationId} order by id`),
  )
  const pennies = (n: number): number => 100 + ((n * 7919) % 500_000)
  const rows = [
    'Date\tReference\tDetails\tAccount\tCost centre\tSchool\tAmount',
    ...Array.from({ length: transactions }, (_unused, n) =>
      [
        `${String(1 + (n % 28)).padStart(2, '0')}/02/2027`,
        `INV-${100_000 + n}`,
        `Supplier ${n % 900} of goods and services, order ${n}`,
        budgetCodes[n % budgetCodes.length]!.code,
        centres[n % centres.length]!.code,
        places[n % places.length]!.filter,
        (pennies(n) / 100).toFixed(2),
      ].join('\t'),
    ),
  ]
  const found = findLedgerTable(rows.slice(0, 20).map((row) => row.split('\t')))!
  const total = Array.from({ length: transactions }, (_unused, n) => pennies(n)).reduce((sum, value) => sum + value, 0)
  const sent: SentLedger = {
    year: 2027,
    month: 2,
    type: importType.replace,
    ledger: 'Bench',
    headingRow: found.headingRow,
    columns: found.columns.slice(),
    sign: 'usual',
    isCumulative: false,
    startMonth: 9,
    locationId: null,
    costCentreId: null,
    mapping: {
      account: [...budgetCodes].map(({ id, code }) => ({ text: code, id })),
      costCentre: [...centres].map(({ id, code }) => ({ text: code, id })),
      fund: [],
      tag: [],
      location: [...places].map(({ id, filter }) => ({ text: filter, id })),
    },
    rows,
    total: { amount: total, commitment: 0 },
    monthIsMeant: false,
  }
  const say = (words: string, ms: number): void => console.log(`${words.padEnd(60)} ${ms.toFixed(0).padStart(8)} ms`)
  console.log(
    `A month of ${transactions.toLocaleString('en-GB')} transactions (${(rows.join('\n').length / 1_000_000).toFixed(1)} MB) of ${places.length} schools`,
  )
  const { result: file, ms: read } = await measureTime(async () => parseSentLedger(sent))
  say('read and proved', read)
  const { result: seen, ms: compared } = await measureTime(() => inside((tx) => compareLedger({ ...who, tx }, sent, file)))
  say('compared with what stands: nothing', compared)
  const { ms: imported } = await measureTime(() =>
    inside((tx) =>
      runLedgerImport(
        { ...who, tx },
        { sent, file },
        { wanted: { versions: seen.versions, again: false }, progress: async () => undefined },
      ),
    ),
  )
  say('imported, the log and the lines', imported)
  const { ms: again } = await measureTime(() => inside((tx) => compareLedger({ ...who, tx }, sent, file)))
  say('compared with what stands: the same again', again)
  say('read, looked at and imported', read + compared + imported)
}

/** Writes a trust of many schools with budgets and actuals directly to the tables. */
async function fill(inside: RunInOrganisation, { organisationId }: MonitoringEditor): Promise<void> {
  await inside(async (tx) => {
    await tx.execute(sql`
      insert into locations (organisation_id, name, local_authority_id, contract_expiry_date, maximum_budget_years, pay_scale_region, currency)
      select ${organisationId}, 'Bench school ' || n, (select min(id) from local_authorities), '2035-08-31', 5, 1, 1 from generate_series(1, ${schools}) n`)
    await tx.execute(sql`
      insert into budget_codes (organisation_id, code, type, description, category)
      select ${organisationId}, 'BM' || n, 1 + (n % 5 > 0)::int, 'Bench code ' || n, 2 from generate_series(1, ${codes}) n`)
  })
}

async function tables(inside: RunInOrganisation, who: MonitoringEditor): Promise<void> {
  const { organisationId } = who
  await fill(inside, who)
  await inside(async (tx) => {
    const [model] = await tx.execute<{ id: string }>(sql`
      select id from budgets where organisation_id = ${organisationId} and head ->> 'versionType' = '1' order by location_id limit 1`)
    await tx.execute(sql`
      insert into budgets (organisation_id, id, location_id, name, version, head, saved_at, last_hash, created)
      select budget.organisation_id, lpad(to_hex(place.id), 24, 'b'), place.id, budget.name, budget.version, budget.head, now(), budget.last_hash, now()
      from budgets budget, locations place
      where budget.id = ${model!.id} and place.organisation_id = ${organisationId} and place.name like 'Bench school %'`)
    await tx.execute(sql`
      insert into actual_lines (organisation_id, location_id, year, month, version, line, type, budget_code_id, cost_centre_id, value, created)
      select ${organisationId}, place.id, 2025 + (7 + at) / 12, 1 + (7 + at) % 12, at, row_number() over (partition by place.id, at), ${actualType.actual},
        code.id, (select min(id) from cost_centres where organisation_id = ${organisationId}), (place.id * 31 + code.id * 17 + at * 7) % 90000, now()
      from locations place, budget_codes code, generate_series(1, ${months}) at
      where place.organisation_id = ${organisationId} and place.name like 'Bench school %' and code.organisation_id = ${organisationId} and code.code like 'BM%'`)
    await tx.execute(sql`
      insert into actual_sums (organisation_id, location_id, year, type, budget_code_id, amounts, months)
      select organisation_id, location_id, year, type, budget_code_id,
        array(select coalesce(sum(value) filter (where month = at), 0)::bigint from unnest(array_agg(month), array_agg(value)) line(month, value),
          generate_series(1, 12) at group by at order by at), bit_or(1 << month - 1)
      from actual_lines where organisation_id = ${organisationId}
        and location_id in (select id from locations where organisation_id = ${organisationId} and name like 'Bench school %')
      group by 1, 2, 3, 4, 5`)
    await tx.execute(sql`
      insert into monitoring_items (organisation_id, location_id, key, version, saved_at, item)
      select ${organisationId}, place.id, 'month ' || to_char(make_date(2025 + (7 + at) / 12, 1 + (7 + at) % 12, 1), 'YYYY-MM'), at, now(),
        jsonb_build_object('kind', 'month', 'year', 2025 + (7 + at) / 12, 'month', 1 + (7 + at) % 12, 'isClosed', true, 'imports', '[]'::jsonb)
      from locations place, generate_series(1, ${months}) at
      where place.organisation_id = ${organisationId} and place.name like 'Bench school %'`)
  })
  await budgetLines(inside, organisationId)
  const asked = { year: 2027, month: 6, locationIds: [...(await benchSchools(inside, organisationId))] }
  const ids = sql.raw(`array[${asked.locationIds.join(',')}]`)
  const ways: Record<string, () => Promise<unknown>> = {
    'the same sums in plain SQL': () =>
      inside(async (tx) => {
        await tx.execute(sql`select budget_code_id, sum(value) from actual_lines where organisation_id = ${organisationId} and location_id = any(${ids})
          and year * 12 + month - 1 between ${2026 * 12 + 8} and ${2027 * 12 + 5} group by 1`)
        await tx.execute(sql`select budget_code_id, sum(month_1), sum(month_2), sum(month_3) from budget_lines
          where organisation_id = ${organisationId} and year = 0 and budget_id in (select id from budgets where organisation_id = ${organisationId} and location_id = any(${ids}))
          group by 1`)
      }),
    'the same from what is kept, in plain SQL': () =>
      inside((tx) =>
        tx.execute(sql`select budget_code_id, sum(amounts[1]), sum(amounts[2]), sum(amounts[3]) from actual_sums
          where organisation_id = ${organisationId} and location_id = any(${ids}) and year in (2026, 2027) group by 1`),
      ),
    'budgets versus actuals': () =>
      inside((tx) => readMonitoringTable({ ...who, tx }, asked, { screen: 'actuals', findHiddenCodes: () => Promise.resolve(new Set()) })),
    'budgets versus forecast': () =>
      inside((tx) => readMonitoringTable({ ...who, tx }, asked, { screen: 'forecast', findHiddenCodes: () => Promise.resolve(new Set()) })),
  }
  const best = new Map<string, number>()
  for (let turn = 0; turn < turns; turn++)
    for (const [name, way] of Object.entries(ways)) {
      const { ms } = await measureTime(way)
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, ms))
    }
  const plain = best.get('the same sums in plain SQL')!
  console.log(`\n${schools} schools × ${months} months × ${codes} codes, best of ${turns} turns side by side`)
  for (const [name, ms] of best)
    console.log(`${name.padEnd(60)} ${ms.toFixed(1).padStart(8)} ms  ${(ms / plain).toFixed(1).padStart(6)} × plain SQL`)
}

async function benchSchools(inside: RunInOrganisation, organisationId: OrganisationId): Promise<LocationId[]> {
  const rows = await inside((tx) =>
    tx.execute<{ id: LocationId }>(
      sql`select id from locations where organisation_id = ${organisationId} and name like 'Bench school %' order by id`,
    ),
  )
  return [...rows].map((row) => row.id)
}

/** Writes a budget line for each code to each school’s budget. */
async function budgetLines(inside: RunInOrganisation, organisationId: OrganisationId): Promise<void> {
  await inside((tx) =>
    tx.execute(sql`
      insert into posted_lines (organisation_id, budget_id, first_year, source_kind, source_id, component, budget_code_id, amounts)
      select ${organisationId}, budget.id, 0, 'entry', lpad(to_hex(code.id), 24, '0'), 'entry', code.id, array_fill(10000::bigint, array[12])
      from budgets budget join locations place on place.id = budget.location_id, budget_codes code
      where place.organisation_id = ${organisationId} and place.name like 'Bench school %' and code.organisation_id = ${organisationId} and code.code like 'BM%'`),
  )
}

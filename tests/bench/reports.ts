import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import type { ReportName } from '../../domain/reports/registry.ts'
import type { LocationId, OrganisationId } from '../../domain/values/ids.ts'
import type { OrganisationTx } from '../../server/core/database/database.ts'
import { readTrustAtAGlance } from '../../server/features/reports/glance/queries.ts'
import { buildReport } from '../../server/shared/reports/queries.ts'
import { withDemo } from './withDemo.ts'

const [schools, years, codes, sources] = [100, 5, 120, 4]
const turns = 5
const measured: ReportName[] = [
  'budgetAnalysis',
  'profileBudgetAnalysis',
  'budgetAnalysisByLocation',
  'budgetAnalysisBySingleLocation',
  'costCentreAnalysis',
  'stakeHolder',
  'stakeHolderByLocation',
  'budgetForecastReturn',
  'cfrReturn',
  'trialBudget',
  'pupilNumbers',
  'staffing',
  'measures',
]

/** Measures reports over many schools and years, compared with the same sum in plain SQL. */
export async function reportWork(): Promise<void> {
  await withDemo('bench-reports', async ({ store, config, ownerUrl }) => {
    const [{ id: organisationId }] = (await store.asPlatform((tx) =>
      tx.execute<{ id: OrganisationId }>(sql`select min(id) as id from organisations`),
    )) as unknown as [{ id: OrganisationId }]
    const inside = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(organisationId, work)
    await fill(inside, organisationId)
    await analysed(Object.assign(new URL(ownerUrl), { pathname: new URL(config.databaseUrl).pathname }).href)
    const places = await inside((tx) =>
      tx.execute<{ id: LocationId }>(
        sql`select id from locations where organisation_id = ${organisationId} and name like 'Bench school %'`,
      ),
    )
    const who = { organisationId, holder: { isAdministrator: true, permissions: [], locationIds: null } }
    const request = { locationIds: [...places].map((place) => place.id) }
    const ways = new Map<string, () => Promise<unknown>>([
      [
        'the same sum in plain SQL',
        () =>
          inside((tx) =>
            tx.execute(sql`select budget_code_id, sum(totals[1]), sum(totals[2]), sum(totals[3]), sum(totals[4]), sum(totals[5]) from posted_lines line
              where organisation_id = ${organisationId} and budget_id in (select budget.id from budgets budget
                join locations place on place.id = budget.location_id where place.organisation_id = ${organisationId} and place.name like 'Bench school %')
              group by 1`),
          ),
      ],
      ['the trust at a glance', () => inside((tx) => readTrustAtAGlance(tx, who, new Date()))],
      ...measured.map((name) => [name, () => inside((tx) => buildReport({ ...who, tx }, name, { request, isNamed: true }))] as const),
    ])
    const best = new Map<string, { ms: number; own: number }>()
    for (let turn = 0; turn < turns; turn++)
      for (const [name, way] of ways) {
        const [began, used] = [performance.now(), process.cpuUsage()]
        await way()
        const [ms, cpu] = [performance.now() - began, process.cpuUsage(used)]
        const before = best.get(name) ?? { ms: Number.POSITIVE_INFINITY, own: Number.POSITIVE_INFINITY }
        best.set(name, { ms: Math.min(before.ms, ms), own: Math.min(before.own, (cpu.user + cpu.system) / 1000) })
      }
    const plain = best.get('the same sum in plain SQL')!.ms
    const lines = schools * years * codes * sources
    console.log(`${schools} schools × ${years} years, ${lines.toLocaleString('en-GB')} lines, best of ${turns} turns side by side`)
    for (const [name, { ms, own }] of best)
      console.log(
        `${name.padEnd(60)} ${ms.toFixed(1).padStart(8)} ms, ${own.toFixed(1).padStart(8)} ms of the processor in the server  ${(ms / plain).toFixed(1).padStart(6)} × plain SQL`,
      )
  })
}

/** Updates the planner's statistics for the new rows, as autovacuum would within a minute. */
async function analysed(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`analyze`
  await sql.end()
}

/** Writes a trust of many schools with budgets and lines directly to the tables. */
async function fill(inside: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>, organisationId: OrganisationId): Promise<void> {
  await inside(async (tx) => {
    await tx.execute(sql`
      insert into locations (organisation_id, name, local_authority_id, contract_expiry_date, maximum_budget_years, pay_scale_region, currency)
      select ${organisationId}, 'Bench school ' || n, (select min(id) from local_authorities), '2035-08-31', 5, 1, 1 from generate_series(1, ${schools}) n`)
    await tx.execute(sql`
      insert into budget_codes (organisation_id, code, type, description, category)
      select ${organisationId}, 'BR' || n, 1 + (n % 5 > 0)::int, 'Bench code ' || n, 2 from generate_series(1, ${codes}) n`)
    const [model] = await tx.execute<{ id: string }>(sql`
      select id from budgets where organisation_id = ${organisationId} and head ->> 'versionType' = '1' order by location_id limit 1`)
    await tx.execute(sql`
      insert into budgets (organisation_id, id, location_id, name, version, head, saved_at, last_hash, created)
      select budget.organisation_id, lpad(to_hex(place.id), 24, 'b'), place.id, budget.name, budget.version,
        budget.head || jsonb_build_object('numberOfYears', ${years}::integer), now(), budget.last_hash, now()
      from budgets budget, locations place
      where budget.id = ${model!.id} and place.organisation_id = ${organisationId} and place.name like 'Bench school %'`)
    await tx.execute(sql`
      insert into posted_lines (organisation_id, budget_id, first_year, source_kind, source_id, component, budget_code_id, cost_centre_id, amounts)
      select ${organisationId}, budget.id, 0, 'entry', lpad(to_hex(code.id * 16 + source), 24, '0'), 'entry', code.id,
        (select min(id) from cost_centres where organisation_id = ${organisationId}),
        array(select place.id * 31 + code.id * 17 + year * 7 + source from generate_series(0, ${years} - 1) year, generate_series(1, 12) order by year)::bigint[]
      from budgets budget join locations place on place.id = budget.location_id, budget_codes code, generate_series(1, ${sources}) source
      where place.organisation_id = ${organisationId} and place.name like 'Bench school %' and code.organisation_id = ${organisationId} and code.code like 'BR%'`)
  })
}

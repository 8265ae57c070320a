import type postgres from 'postgres'
import { presets } from '../../../domain/integrations/files/presets.ts'
import { allResources } from '../../../domain/resources/all.ts'
import { reminder } from '../../../domain/resources/entities/organisation/reminder.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { toSnakeCase } from '../../../drizzle/resourceTable.ts'
import type { Body } from '../../support/product/http.ts'
import { buildSample } from '../../support/samples/samples.ts'
import type { Kind } from './kinds.ts'

/** The marks in every name, code, description and note of the other tenant and the other school. No reply may contain them. */
export const marks = { tenant: 'ZQXT', school: 'ZQXS' } as const

/** The ids of a user’s records, by kind. */
export type Ids = Map<Kind, unknown[]>

const isNamed = (column: string): boolean => !/^(email|url|colour)$/.test(column)

/**
 * Writes the marks into every text of an organisation’s reference records, and of one of its schools. Shared records show only the school’s
 * name.
 */
export async function markResources(sql: postgres.Sql, organisationId: OrganisationId, schoolId: LocationId): Promise<void> {
  for (const resource of allResources) {
    const owned = resource.name === 'organisation' ? 'id' : 'organisation_id'
    if (resource.scope === 'global' && resource.name !== 'organisation') continue
    const texts = Object.entries(resource.fields).flatMap(([name, field]) => {
      if (field.kind !== 'text' && field.kind !== 'longText' && field.kind !== 'richText') return []
      const isFree = field.kind !== 'text' || !field.format
      return isFree && isNamed(name) && (field.max ?? 100) >= 10 ? [{ column: toSnakeCase(name), max: field.max ?? 100 }] : []
    })
    if (!texts.length) continue
    const set = (mark: string): string =>
      texts.map(({ column, max }) => `"${column}" = left('${mark} ' || id || ' ${column}', ${max})`).join(', ')
    await sql.unsafe(`update "${resource.table}" set ${set(marks.tenant)} where ${owned} = ${organisationId}`)
    if (resource.name === 'location') {
      await sql.unsafe(`update locations set ${set(marks.school)} where id = ${schoolId}`)
      await sql.unsafe(`update locations set name = '${marks.tenant} school' where id = ${schoolId}`)
    }
    if (resource.fields.locations) await addOfSchool(sql, resource.table, texts, organisationId, schoolId)
  }
  await sql`update api_clients set name = ${`${marks.tenant} client`} where organisation_id = ${organisationId}`
  await sql`update terms set singular = ${`${marks.tenant} one`}, plural = ${`${marks.tenant} many`} where organisation_id = ${organisationId}`
}

/** Adds a reference record that only one school may use, as a copy of an existing one. */
async function addOfSchool(
  sql: postgres.Sql,
  table: string,
  texts: readonly { column: string; max: number }[],
  organisationId: OrganisationId,
  schoolId: LocationId,
): Promise<void> {
  const columns = (
    await sql`select column_name as name from information_schema.columns where table_name = ${table} and table_schema = 'public' and is_generated = 'NEVER' and column_name <> 'id'`
  ).map((row) => row.name as string)
  const values = columns.map((column) => {
    const text = texts.find((one) => one.column === column)
    if (text) return `left('${marks.school} ${column}', ${text.max})`
    return column === 'locations' ? `'{${schoolId}}'` : `"${column}"`
  })
  await sql.unsafe(
    `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) select ${values.join(', ')} from "${table}" where organisation_id = ${organisationId} order by id limit 1`,
  )
}

/** Writes the marks into the budgets’ tables. */
export async function markBudgets(sql: postgres.Sql, organisationId: OrganisationId, schoolId: LocationId): Promise<void> {
  for (const [mark, where] of [
    [marks.tenant, `organisation_id = ${organisationId}`],
    [marks.school, `organisation_id = ${organisationId} and location_id = ${schoolId}`],
  ] as const) {
    const within = `(select id from budgets where ${where})`
    const of = `organisation_id = ${organisationId} and budget_id in ${within}`
    const named = (column: string, key: string): string => `jsonb_set(${column}, '{${key}}', to_jsonb('${mark} ' || left(id, 24)))`
    await sql.unsafe(
      `update staff_contracts set contract = jsonb_set(${named('contract', 'contractName')}, '{position}', '"${mark} post"') where ${of}`,
    )
    await sql.unsafe(`update budget_items set item = ${named('item', 'description')} where ${of} and item ? 'description'`)
    await sql.unsafe(`update budget_items set item = ${named('item', 'name')} where ${of} and item ? 'name'`)
    await sql.unsafe(`update quick_calculations set calculation = ${named('calculation', 'name')} where ${of}`)
    await sql.unsafe(
      `update budgets set name = '${mark} ' || id, head = jsonb_set(head, '{name}', to_jsonb('${mark} ' || id)) where ${where}`,
    )
  }
  await sql.unsafe(
    `update budget_groups set name = '${marks.tenant} ' || id, description = '${marks.tenant} words' where organisation_id = ${organisationId}`,
  )
}

/** Procedures called as one person at one place; what they take and give is looked up by name. */
// biome-ignore lint/suspicious/noExplicitAny: every procedure is called by its name, from a table of names
export type Calls = any

/** A figure that every budget has. */
const figure = { row: 'SectionFooter Income › Total income', column: 'year=2026/27' }

/** Makes one of everything that is stored in event logs or encrypted, through the product. */
export async function plantRecords(calls: Calls, mark: string, locationId: LocationId): Promise<void> {
  const employeeNumber = `${mark}${locationId}`
  const person = {
    title: 1,
    forename: mark,
    surname: `${mark} person`,
    gender: 1,
    dateOfBirth: '1980-03-01',
    locations: [locationId],
    archive: false,
  }
  await calls.staff.create({ ...person, employeeNumber, niNumber: null, continuousServiceDate: null, email: null })
  const { id: _c, mongoId: _m, version: _v, ...contract } = await someOf(calls.contracts)
  const post = { contractName: `${mark} post`, position: `${mark} position`, department: `${mark} department`, notes: `${mark} note` }
  await calls.contracts.save({ ...contract, ...post, employeeNumber, type: 1 })
  const { id: _e, version: _w, ...entry } = await someOf(calls.entries)
  await calls.entries.save({ ...entry, description: `${mark} entry`, identifier: null, notes: `${mark} note` })
  const said = [{ EmployeeNumber: employeeNumber, Surname: `${mark} renamed` }]
  await calls.staffFiles.import({ name: `${mark} staff`, day: '2026-10-01', rows: said })
  const [different] = (await calls.staffFiles.changes()).changes
  await calls.staffFiles.leave({ tokens: [different.token], leave: true })
  const [{ id: contractId }] = (await calls.contracts.list({ pageSize: 1 })).rows
  const changes = [{ kind: 'hours', contractId, percentage: 50, from: '2027-01-01' }]
  await calls.scenarios.save({ name: `${mark} scenario`, changes })
  await calls.approval.addComment({ about: { kind: 'budget' }, text: `${mark} comment` })
  await calls.approval.addComment({ about: { kind: 'contract', ref: contractId }, text: `${mark} comment` })
  const [{ budgetId }] = (await calls.reports.budgetAnalysis({ locationIds: [locationId] })).budgets
  await calls.cellComments.add({ report: 'budgetAnalysis', budgetId, ...figure, scheme: 0, text: `${mark} comment` })
  await calls.moments.name({ version: 1, name: `${mark} moment` })
  await calls.openingBalances.save({ description: `${mark} balance`, type: 1, value: 1 })
  await calls.packs.start({ year: 2026, month: 10, locationId })
  await calls.reportLayouts.create({
    name: `${mark} layout ${locationId}`,
    isShared: true,
    isOverOpen: false,
    request: { report: 'budgetAnalysis', locationIds: [locationId] },
  })
  const look = { search: `${mark} search`, filters: [], sort: null, sortDirection: 'asc', hiddenColumns: [] }
  await calls.listViews.keep({ list: 'contracts', name: `${mark} view ${locationId}`, look })
  await calls.calculations
    .save({
      name: `${mark} calculation`,
      description: null,
      budgetCodeId: entry.budgetCodeId,
      costCentreId: null,
      fundCodes: [],
      rows: [],
    })
    .catch(() => undefined)
}

async function someOf(calls: Calls): Promise<Body> {
  const { rows } = await calls.list({ pageSize: 5 })
  return calls.get({ id: rows[0].id })
}

/** Makes the records that the demo trusts lack, so that there is one of every kind. */
export async function addMissingRecords(
  sql: postgres.Sql,
  calls: Calls,
  administrator: Calls,
  organisationId: OrganisationId,
  mark: string,
): Promise<void> {
  const some = async (table: string, where: string): Promise<number | undefined> =>
    (await sql.unsafe(`select id from "${table}" where ${where} limit 1`))[0]?.id
  for (const resource of allResources) {
    const own = resource.scope === 'global' ? 'true' : `organisation_id = ${organisationId}`
    if (resource.name === 'organisation' || (await some(resource.table, own))) continue
    const ids = new Map<string, number>()
    for (const target of allResources) {
      const owner = target.scope === 'global' ? 'true' : `organisation_id = ${organisationId} or organisation_id is null`
      ids.set(target.name, (await some(target.table, target.name === 'organisation' ? `id = ${organisationId}` : owner)) ?? 1)
    }
    const record = { ...buildSample(resource, 40, (name) => ids.get(name)!), organisationId }
    const by = resource.access.write === 'administrator' ? administrator : calls
    await by.resources[resource.name].create(record)
  }
  await sql`insert into images (organisation_id, file_name, content_type, size, body) values (${organisationId}, ${`${mark}.png`}, 'image/png', 3, ${Buffer.from('png')})`
  await sql`insert into terms (organisation_id, term, singular, plural) values (${organisationId}, 'Cluster', 'Hub', 'Hubs') on conflict do nothing`
  await sql`insert into ledgers (organisation_id, name, layout, columns, sign, is_cumulative, saved)
    values (${organisationId}, ${`${mark} ledger`}, 'transactions', '[]', 'usual', false, now())`
  await sql`insert into integration_credentials (organisation_id, description, integration_type, state)
    values (${organisationId}, ${`${mark} credential`}, 0, 1)`
  await sql`insert into file_layouts (organisation_id, name, layout)
    values (${organisationId}, ${`${mark} layout`}, ${JSON.stringify(presets[0]!.layout)}::text::jsonb)`
  await sql`insert into webhooks (organisation_id, name, address, types, state, reason, secret, position)
    values (${organisationId}, ${`${mark} webhook`}, 'https://ledger.example/', '{budget.saved}', 'disabled', ${`${mark} reason`}, 'sealed', 1000000000)`
  await sql`insert into webhook_deliveries (organisation_id, webhook_id, message_id, type, body, occurred_at, answer)
    select organisation_id, id, ${`${mark}-1`}, 'budget.saved', '{}', now(), ${`${mark} answer`} from webhooks where organisation_id = ${organisationId}`
  await sql`insert into comparator_sets (organisation_id, name, source, schools, unused, chosen, is_used)
    values (${organisationId}, ${`${mark} comparators`}, ${`${mark}.csv`}, '[]', '[]', '{}', true)`
  await sql`insert into connections (organisation_id, name, kind, credential_id, path, format, schedule, file, destination, problem)
    select organisation_id, ${`${mark} connection`}, 'budgetJournal', id, '', 'csv', '{"every":"never","at":"02:30","day":1}'::jsonb,
      ${JSON.stringify({ preset: presets[0]!.name, layoutId: null, yearName: '2026/27', locationIds: null, from: 1, to: 12 })}::text::jsonb,
      'https://ledger.example', ${`${mark} problem`} from integration_credentials where organisation_id = ${organisationId} limit 1`
  await sql`insert into connection_runs (organisation_id, connection_id, at, outcome, message)
    select organisation_id, id, now(), 'failed', ${`${mark} message`} from connections where organisation_id = ${organisationId}`
  await sql`insert into payroll_providers (organisation_id, name, layout, columns, saved)
    values (${organisationId}, ${`${mark} provider`}, 'long', '[]', now())`
  await sql`insert into payroll_explanations (organisation_id, id, requested_by_id, asked, status, started_at, alive_at)
    select ${organisationId}, gen_random_uuid(), user_id, '{}', 'done', now(), now() from memberships where organisation_id = ${organisationId}`
  await sql`insert into sign_ins (id, user_id, device, address, last_used)
    select md5(${mark} || user_id), user_id, ${`${mark} device`}, '192.0.2.1', now() from memberships where organisation_id = ${organisationId}`
  await sql`insert into passkeys (user_id, name, credential_id, user_handle, public_key, sign_count)
    select user_id, ${`${mark} passkey`}, md5(${mark} || user_id), md5(user_id::text), 'a2V5', 0 from memberships where organisation_id = ${organisationId}`
  const [member] = await sql`select id from staff_members where organisation_id = ${organisationId} order by id limit 1`
  const [rules] = await sql`select id from extended_leave_rule_sets where organisation_id = ${organisationId} limit 1`
  await calls.leave.create({
    staffId: member!.id,
    extendedLeaveRulesetId: rules!.id,
    startDate: '2027-01-05',
    endDate: '2027-03-05',
    notes: `${mark} leave`,
  })
  await calls.reminders.create({ ...buildSample(reminder, 41, () => 1), description: `${mark} reminder`, notes: null })
}

/** The ids of the records of an organisation, or of one of its schools. */
export async function findIds(
  sql: postgres.Sql,
  { organisationId, locationId, userId }: { organisationId: OrganisationId; locationId: LocationId | null; userId: number },
): Promise<Ids> {
  const ids: Ids = new Map()
  const take = async (kind: Kind, query: string): Promise<void> => {
    const rows = await sql.unsafe(query)
    ids.set(
      kind,
      rows.map((row) => row.id),
    )
  }
  const budgetsThere = `select id from budgets where organisation_id = ${organisationId}${locationId ? ` and location_id = ${locationId}` : ''}`
  const there = `organisation_id = ${organisationId} and budget_id in (${budgetsThere})`
  await take('staffChange', `select token as id from staff_changes_left where ${there}`)
  for (const resource of allResources) {
    const { table, fields, name } = resource
    const atSchool =
      locationId &&
      (name === 'location'
        ? `id = ${locationId}`
        : fields.locations
          ? `locations = '{${locationId}}'`
          : fields.locationId
            ? `location_id = ${locationId}`
            : null)
    const own =
      name === 'organisation' ? `id = ${organisationId}` : resource.scope === 'global' ? 'true' : `(organisation_id = ${organisationId})`
    await take(name, `select id from "${table}" where ${own}${atSchool ? ` and ${atSchool}` : ''} order by id limit 3`)
    if (!ids.get(name)!.length && resource.scope === 'globalOrOrganisation')
      await take(name, `select id from "${table}" where organisation_id is null limit 1`)
  }
  await take('budget', `${budgetsThere} order by created limit 3`)
  await take('budgetGroup', `select id from budget_groups where organisation_id = ${organisationId} limit 2`)
  await take('contract', `select id from staff_contracts where ${there} order by created desc limit 3`)
  for (const kind of ['entry', 'calculation', 'prediction', 'pupils', 'balance', 'comment', 'scenario'])
    await take(kind, `select id from budget_items where ${there} and kind = '${kind}' order by created desc limit 3`)
  await take('quickCalculation', `select id from quick_calculations where ${there} limit 3`)
  const people = `organisation_id = ${organisationId}${locationId ? ` and location_ids = '{${locationId}}'` : ''}`
  await take('staffMember', `select id from staff_members where ${people} order by id desc limit 3`)
  await take('leave', `select id from applied_extended_leave where organisation_id = ${organisationId} limit 2`)
  await take('image', `select id from images where organisation_id = ${organisationId} limit 2`)
  await take('term', `select id from terms where organisation_id = ${organisationId} limit 1`)
  await take('ownReminder', `select id from reminders where user_id = ${userId} limit 2`)
  const users = `select user_id as id from memberships where organisation_id = ${organisationId}`
  await take('user', locationId ? `${users} and location_ids = '{${locationId}}'` : users)
  await take('signIn', `select id from sign_ins where user_id in (${ids.get('user')!.join() || 'null'})`)
  await take('passkey', `select id from passkeys where user_id in (${ids.get('user')!.join() || 'null'})`)
  await take('apiClient', `select id from api_clients where organisation_id = ${organisationId} limit 2`)
  await take('madeFile', `select id from made_files where organisation_id = ${organisationId} order by requested_at limit 1`)
  await take(
    'pack',
    `select item ->> 'code' as id from monitoring_items where organisation_id = ${organisationId} and kind = 'pack' ${locationId ? `and location_id = ${locationId}` : ''} limit 1`,
  )
  await take('integrationCredential', `select id from integration_credentials where organisation_id = ${organisationId} limit 1`)
  await take('fileLayout', `select id from file_layouts where organisation_id = ${organisationId} limit 1`)
  await take(
    'reportLayout',
    `select id from report_layouts where organisation_id = ${organisationId} ${locationId ? `and location_ids = '{${locationId}}'` : ''} limit 1`,
  )
  await take(
    'listView',
    `select id from list_views where organisation_id = ${organisationId} ${locationId ? `and name like '% ${locationId}'` : ''} limit 1`,
  )
  await take('comparatorSet', `select id from comparator_sets where organisation_id = ${organisationId} limit 1`)
  await take('connection', `select id from connections where organisation_id = ${organisationId} limit 1`)
  await take('webhook', `select id from webhooks where organisation_id = ${organisationId} limit 1`)
  await take('webhookDelivery', `select id from webhook_deliveries where organisation_id = ${organisationId} limit 1`)
  await take('ledger', `select id from ledgers where organisation_id = ${organisationId} limit 1`)
  await take('payrollProvider', `select id from payroll_providers where organisation_id = ${organisationId} limit 1`)
  // A payroll explanation is shown only to the user who asked for it.
  await take(
    'explanation',
    `select id from payroll_explanations where organisation_id = ${organisationId} and requested_by_id in (select id from users where email like 'finance@%')`,
  )
  await take('passwordLink', `select version as id from reference_changes where resource = 'passwordLink' limit 1`)
  await take('groupRuleChange', `select id from reference_changes where resource = 'groupRule' and organisation_id = ${organisationId}`)
  await take('articleSlug', 'select slug as id from assist_articles where enabled limit 1')
  ids.set('employeeNumber', [`${locationId ? marks.school : marks.tenant}${locationId}`])
  ids.set('cellRow', [figure.row])
  ids.set('cellColumn', [figure.column])
  ids.set('budgetCodeText', ids.get('budgetCode')!.map(String))
  ids.set('importKey', ['6f1c2f52-9d3b-4d3a-8d11-0c4f5a6b7c8d'])
  return ids
}

/** A digest of every row of an organisation, or of one of its schools, by table. */
export async function computeDigests(
  sql: postgres.Sql,
  organisationId: OrganisationId,
  schoolId?: LocationId,
): Promise<Record<string, string>> {
  const tables = await sql`
    select table_name as name, array_agg(column_name::text) as columns from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' group by 1`
  const result: Record<string, string> = {}
  for (const { name, columns } of tables as unknown as { name: string; columns: string[] }[]) {
    const where = schoolId === undefined ? ofTenant(name, columns, organisationId) : ofSchool(name, columns, organisationId, schoolId)
    if (!where) continue
    const [row] = await sql.unsafe(
      `select count(*)::int as rows, coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest from "${name}" t where ${where}`,
    )
    result[name] = `${row!.rows} rows ${row!.digest}`
  }
  return result
}

function ofTenant(name: string, columns: readonly string[], organisationId: OrganisationId): string | null {
  if (name === 'organisations') return `id = ${organisationId}`
  const people = `(select user_id from memberships where organisation_id = ${organisationId})`
  if (name === 'users') return `id in ${people}`
  if (['sign_ins', 'second_steps', 'recovery_codes', 'passkeys'].includes(name)) return `user_id in ${people}`
  return columns.includes('organisation_id') ? `organisation_id = ${organisationId}` : null
}

function ofSchool(name: string, columns: readonly string[], organisationId: OrganisationId, schoolId: LocationId): string | null {
  const own = `organisation_id = ${organisationId}`
  // A user who may recalculate their own budget may recalculate its group, which includes this school.
  if (['recalculation_budgets', 'recalculation_marks'].includes(name)) return null
  if (name === 'locations') return `id = ${schoolId}`
  if (name === 'users') return `id in (select user_id from memberships where ${own} and location_ids = '{${schoolId}}')`
  if (!columns.includes('organisation_id')) return null
  if (name === 'budgets') return `${own} and location_id = ${schoolId}`
  if (columns.includes('budget_id')) return `${own} and budget_id in (select id from budgets where ${own} and location_id = ${schoolId})`
  if (columns.includes('location_id')) return `${own} and location_id = ${schoolId}`
  // Other users may remove their own school from a shared record; records of this school alone must not change.
  if (columns.includes('locations')) return `${own} and locations = '{${schoolId}}' and t::text like '%${marks.school}%'`
  return columns.includes('location_ids') ? `${own} and location_ids = '{${schoolId}}'` : null
}

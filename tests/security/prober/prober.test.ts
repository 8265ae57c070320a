import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { allPermissions, hasAnyPermission, type Permission } from '../../../domain/people/permissions.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { findPrincipal } from '../../../server/auth/accounts.ts'
import type { Selection, Services } from '../../../server/core/calls/context.ts'
import { openRateLimits } from '../../../server/core/calls/limits.ts'
import type { Principal } from '../../../server/core/calls/principal.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { openFanOut, openQueues } from '../../../server/core/queue/queues.ts'
import { handleRestCall } from '../../../server/rest/adapter.ts'
import { allProcedures, type RestRoute, restRoutes } from '../../../server/rest/routes.ts'
import { tryToMakeFile } from '../../../server/shared/files/commands.ts'
import { buildReportPaper, type PrintableReportRequest } from '../../../server/shared/reports/paper/queries.ts'
import { runWorker } from '../../../worker/runWorker.ts'
import { connectAsOwner, createDatabase } from '../../support/product/database.ts'
import { findWithoutIndex } from '../../support/product/plans.ts'
import { configOf } from '../../support/product/product.ts'
import { openCountingProxy } from '../../support/product/statements.ts'
import { until } from '../../support/running/worker.ts'
import { inputOf } from './inputs.ts'
import {
  buildHonestInput,
  buildInputs,
  call,
  callsOf,
  contextOf,
  idOf,
  isMutation,
  noSelection,
  type Outcome,
  procedureNames,
  runAll,
  type Who,
} from './sweep.ts'
import { addMissingRecords, computeDigests, findIds, type Ids, markBudgets, markResources, marks, plantRecords } from './world.ts'

/** The time limit of a sweep on a slow machine. */
const patience = 300_000

let services: Services
let line: Awaited<ReturnType<typeof openCountingProxy>>
let sql: ReturnType<typeof connectAsOwner>
let harbour: OrganisationId
let meadow: OrganisationId
/** By alias, for both trusts. */
let schools: Record<string, LocationId>
let budgetOf: Record<number, BudgetId>
/** By the part of the email before the @, and the trust. */
let people: Record<string, Principal>
let ids: { harbour: Ids; otherSchool: Ids; ownSchool: Ids; meadow: Ids }

const other = 'St Anne’s'

function at(organisationId: OrganisationId, alias: string): Selection {
  const locationId = schools[alias]!
  return { organisationId, locationId, budgetId: budgetOf[locationId]! }
}

async function person(email: string): Promise<Principal> {
  const [row] = await sql`select id from users where email = ${email}`
  return (await findPrincipal(services.store, { sub: String(row!.id) }))!
}

async function addPerson(email: string, surname: string, groups: string[], locationIds: LocationId[]): Promise<void> {
  const [user] = await sql`insert into users (email, forename, surname) values (${email}, ${surname}, ${surname}) returning id`
  await sql`insert into memberships (user_id, organisation_id, location_ids, user_group_ids)
    values (${user!.id}, ${harbour}, ${locationIds}, (select coalesce(array_agg(id), '{}') from user_groups where name = any(${groups})))`
}

beforeAll(async () => {
  const config = await configOf(await createDatabase())
  line = await openCountingProxy(config.databaseUrl)
  const store = openStore({ ...config, databaseUrl: line.url }, 8)
  const [queues, fanOut] = await Promise.all([openQueues(config), openFanOut(config, 'server')])
  // Rate limits are off: a refused call would show nothing.
  const limits = { ...openRateLimits(config, store), count: () => Promise.resolve(0) }
  services = { config, store, queues, fanOut, limits }
  sql = connectAsOwner(config.databaseUrl)
  const trusts = await sql`select id, name from organisations order by id`
  harbour = trusts.find((row) => String(row.name).startsWith('Harbour'))!.id
  meadow = trusts.find((row) => String(row.name).startsWith('Meadow'))!.id
  schools = Object.fromEntries((await sql`select id, alias from locations`).map((row) => [row.alias, row.id]))
  budgetOf = Object.fromEntries(
    (await sql`select id, location_id from budgets order by created desc`).map((row) => [row.location_id, row.id]),
  )
  const otherId = schools[other]!
  const northgate = schools.Northgate!
  await addPerson('manager@harbour.example', 'Limited', ['Trust finance'], [northgate])
  await addPerson('nothing@harbour.example', 'Nothing', [], [])
  await addPerson('head@harbour.example', `${marks.school} head`, ['Governor'], [otherId])
  await sql`update users set surname = ${`${marks.tenant} surname`}, position = ${`${marks.tenant} position`} where id in (select user_id from memberships where organisation_id = ${harbour}) and surname not like ${`${marks.school}%`} and not is_administrator`
  people = {
    finance: await person('finance@harbour.example'),
    governor: await person('governor@harbour.example'),
    auditor: await person('auditor@harbour.example'),
    manager: await person('manager@harbour.example'),
    nothing: await person('nothing@harbour.example'),
    stranger: await person('finance@meadow.example'),
    client: (await findPrincipal(store, { client_id: 'meadow-payroll' }))!,
  }
  const administrator = callsOf(services, { principal: await person('admin@bursar.example'), selection: at(harbour, 'Northgate') })
  for (const [trust, alias, by, mark] of [
    [harbour, 'Northgate', people.finance!, marks.tenant],
    [harbour, other, people.finance!, marks.school],
    [meadow, 'Meadow', people.stranger!, 'Own'],
  ] as const) {
    const calls = callsOf(services, { principal: by, selection: at(trust, alias) })
    await plantRecords(calls, mark, schools[alias]!)
    if (alias === other) continue
    await addMissingRecords(sql, calls, administrator, trust, mark)
    const { id } = await calls.reports.paper({ report: 'pupilNumbers', locationIds: [schools[alias]!] })
    await tryToMakeFile(store, {
      organisationId: trust,
      id,
      makers: { report: (source, reader, request) => buildReportPaper(source, reader, request as PrintableReportRequest) },
    })
    const [invited] = await sql`select user_id as id from memberships where organisation_id = ${trust} order by user_id desc limit 1`
    await administrator.users.invite({ id: invited!.id })
    const ofTrust = callsOf(services, { principal: await person('admin@bursar.example'), selection: at(trust, alias) })
    const [group] = await sql`select id from user_groups order by id limit 1`
    await ofTrust.users.groupRules.add({ value: `${mark} rule`, userGroupId: group!.id })
  }
  await markResources(sql, harbour, otherId)
  await markBudgets(sql, harbour, otherId)
  const of = (organisationId: OrganisationId, locationId: LocationId | null, who: Principal): Promise<Ids> =>
    findIds(sql, { organisationId, locationId, userId: who.userId ?? -1 })
  ids = {
    harbour: await of(harbour, null, people.finance!),
    otherSchool: await of(harbour, otherId, people.finance!),
    ownSchool: await of(harbour, northgate, people.manager!),
    meadow: await of(meadow, null, people.stranger!),
  }
  return async () => {
    await Promise.allSettled([queues.close(), fanOut.close()])
    limits.close()
    await store.close()
  }
}, patience)

/** One outcome for each procedure, for the reader of a failing test. */
const told = (outcomes: readonly Outcome[]): unknown[] =>
  [...new Map(outcomes.map((one) => [one.procedure, one])).values()].map(({ procedure, input, status, text, cause }) => {
    const found = Object.values(marks).flatMap((mark) => (text.includes(mark) ? [text.indexOf(mark)] : []))
    return {
      procedure,
      status,
      cause,
      input: JSON.stringify(input)?.slice(0, 300),
      said: text.slice(Math.max(0, (found[0] ?? 0) - 150), (found[0] ?? 0) + 150),
    }
  })

/** Calls every procedure with every input, for each of some selections. */
function* jobs(who: Principal, selections: readonly Selection[], own: Ids, foreign: Ids, of: (procedure: string) => boolean) {
  for (const procedure of procedureNames.filter(of))
    for (const selection of selections)
      for (const input of buildInputs(procedure, own, foreign)) yield () => call(services, { principal: who, selection }, procedure, input)
}

describe('the prober', () => {
  it('knows what every id in every input refers to', () => {
    const unknown: string[] = []
    for (const procedure of procedureNames)
      try {
        inputOf(procedure)
      } catch (error) {
        unknown.push((error as Error).message)
      }
    expect(unknown).toEqual([])
  })
  it('has a record of every kind from the other tenant', () => {
    const kinds = new Set(procedureNames.flatMap((procedure) => inputOf(procedure).places))
    expect([...kinds].filter((kind) => idOf(ids.harbour, kind, 0) === undefined)).toEqual([])
    expect([...kinds].filter((kind) => idOf(ids.meadow, kind, 0) === undefined)).toEqual([])
  })
  it('makes valid calls: with the caller’s own records nearly every call succeeds', { timeout: patience }, async () => {
    const own: Who = { principal: people.finance!, selection: at(harbour, 'Northgate') }
    const asked = procedureNames.filter(
      (name) =>
        !isMutation(name) &&
        hasAnyPermission({ isAdministrator: false, permissions: people.finance!.memberships[0]!.permissions }, anyOf(name)),
    )
    const outcomes = await runAll(asked.map((name) => () => call(services, own, name, buildHonestInput(name, ids.ownSchool))))
    expect(told(outcomes.filter((one) => one.status === 500))).toEqual([])
    // A draft pack has no PDF yet, and no file is made of a budget that is not fully calculated. Some rules of savings need two options.
    const isNotMade = (one: Outcome): boolean =>
      (one.procedure === 'packs.paper' && one.status === 409) ||
      comparesWithItself(one) ||
      (one.procedure === 'savings.solve' && one.text.includes('Name another option.')) ||
      (one.procedure === 'filesOut.file' && one.text.includes('could not be calculated'))
    expect(told(outcomes.filter((one) => one.status !== 200 && !isNotMade(one)))).toEqual([])
    // This proves that the marks can be found at all.
    expect(outcomes.filter((one) => one.text.includes(marks.tenant)).length).toBeGreaterThan(100)
  })
})

const anyOf = (procedure: string): readonly never[] => {
  const { access } = allProcedures[procedure]!._def.meta!
  return (access === 'administrator' ? ['administrator'] : access === 'signedIn' ? [] : access) as never[]
}

/** Runs a sweep. @returns the replies with a forbidden mark, and the calls that failed unexpectedly */
async function sweep(
  who: Principal,
  selections: readonly Selection[],
  own: Ids,
  foreign: Ids,
  of: (procedure: string) => boolean,
  forbidden: readonly string[],
) {
  const outcomes = await runAll(jobs(who, selections, own, foreign, of))
  return {
    outcomes,
    leaks: told(outcomes.filter((one) => forbidden.some((mark) => one.text.includes(mark)))),
    failures: told(outcomes.filter((one) => one.status === 500)),
  }
}

const isQuery = (procedure: string): boolean => !isMutation(procedure)
const nothingFound = { leaks: [], failures: [] }

describe('a caller without a sign-in', () => {
  it('is asked to sign in by every call', { timeout: patience }, async () => {
    const who = { principal: null, selection: at(harbour, 'Northgate') }
    const outcomes = await runAll(procedureNames.map((name) => () => call(services, who, name, buildHonestInput(name, ids.harbour))))
    expect(outcomes.length).toBeGreaterThan(800)
    expect(told(outcomes.filter((one) => one.status !== 401))).toEqual([])
  })
})

describe('another tenant', () => {
  it('learns nothing and changes nothing, whatever ids it uses in whatever call', { timeout: patience }, async () => {
    const before = await computeDigests(sql, harbour)
    const own = at(meadow, 'Meadow')
    const theirs = at(harbour, 'Northgate')
    const mixed = { ...own, locationId: theirs.locationId, budgetId: theirs.budgetId }
    for (const of of [isQuery, isMutation]) {
      const found = await sweep(
        people.stranger!,
        of === isQuery ? [own, noSelection, mixed, theirs] : [own, mixed],
        ids.meadow,
        ids.harbour,
        of,
        Object.values(marks),
      )
      expect(found).toMatchObject(nothingFound)
      expect(found.outcomes.length).toBeGreaterThan(2000)
    }
    for (const of of [isQuery, isMutation])
      expect(await sweep(people.client!, [own], ids.meadow, ids.harbour, of, Object.values(marks))).toMatchObject(nothingFound)
    expect(await computeDigests(sql, harbour)).toEqual(before)
  })
})

describe('another tenant, by REST', () => {
  it('learns nothing and changes nothing with ids in paths and bodies', { timeout: patience }, async () => {
    const before = await computeDigests(sql, harbour)
    const who: Who = { principal: people.client!, selection: at(meadow, 'Meadow') }
    const outcomes = await runAll(restRoutes.map((route) => () => callRest(who, route, ids.harbour)))
    expect(outcomes.length).toBeGreaterThan(500)
    expect(told(outcomes.filter((one) => Object.values(marks).some((mark) => one.text.includes(mark))))).toEqual([])
    expect(told(outcomes.filter((one) => one.status >= 500 && one.status !== 501))).toEqual([])
    expect(await computeDigests(sql, harbour)).toEqual(before)
  })
})

/** Makes a REST call in which every id belongs to somebody else. */
async function callRest(who: Who, { procedure, path, meta }: RestRoute, theirs: Ids): Promise<Outcome> {
  const input = buildHonestInput(procedure, theirs)
  const values = (input ?? {}) as Record<string, unknown>
  const url = path.replace(/\{(\w+)(?::\w+)?\}/g, (_whole, name: string) => encodeURIComponent(String(values[name] ?? 1)))
  const { method } = meta.rest
  const isRead = method === 'GET' || method === 'DELETE'
  const body = isRead ? undefined : 'rows' in values && /import|bulk$/i.test(path) ? values.rows : values
  const call = { protocol: 'rest' as const, method, url, headers: {}, caller: { principal: who.principal }, requestId: 'prober', body }
  const reply = await handleRestCall(call as Parameters<typeof handleRestCall>[0], contextOf(services, who))
  const text = typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body).toString('latin1')
  return { procedure, input, status: reply.status, text }
}

describe('a user of one school', () => {
  const selections = (): Selection[] => {
    const own = at(harbour, 'Northgate')
    const theirs = at(harbour, other)
    return [own, noSelection, { ...own, budgetId: theirs.budgetId }]
  }

  it('learns nothing of another school of the trust', { timeout: patience }, async () => {
    for (const who of [people.governor!, people.manager!]) {
      const found = await sweep(who, selections(), ids.ownSchool, ids.otherSchool, isQuery, [marks.school])
      expect(found).toMatchObject(nothingFound)
    }
  })
  it('changes nothing there, with every permission at their own school', { timeout: patience }, async () => {
    const before = await computeDigests(sql, harbour, schools[other]!)
    const found = await sweep(people.manager!, selections(), ids.ownSchool, ids.otherSchool, isMutation, [marks.school])
    expect(found).toMatchObject(nothingFound)
    expect(await computeDigests(sql, harbour, schools[other]!)).toEqual(before)
  })
})

describe('a member without any user group', () => {
  it('learns nothing of the organisation but its name, terms and images, and their own data', { timeout: patience }, async () => {
    // The template of a location includes the organisation’s name, and nothing else of it.
    const open = /^(account|resources\.organisation|terms|communications|startup|images)\.|^resources\.location\.template$/
    const of = (name: string): boolean => isQuery(name) && !open.test(name)
    const found = await sweep(
      people.nothing!,
      [at(harbour, 'Northgate'), noSelection],
      ids.ownSchool,
      ids.otherSchool,
      of,
      Object.values(marks),
    )
    expect(found).toMatchObject(nothingFound)
  })
})

/** A school with a single budget has no other to compare it with. */
const comparesWithItself = ({ status, text }: { status: number; text: string }): boolean =>
  status === 400 && text.includes('Choose each budget once.')

/** Calls that users make for themselves, without a right to change anything else. */
const personal = [
  'account.addPasskey',
  'account.beginPasskey',
  'account.beginSecondStep',
  'account.confirmSecondStep',
  'account.endSignIn',
  'account.endSignIns',
  'account.removePasskey',
  'account.removeSecondStep',
  'account.renamePasskey',
  'account.renewRecoveryCodes',
  'approval.seeComments',
  'cellComments.see',
  'communications.knowLink',
  'contracts.addReminder',
  'home.answer',
  'listViews.delete',
  'listViews.keep',
  'listViews.rename',
  'listViews.takeOver',
  'payroll.causes.begin',
  'payroll.causes.cancel',
  'files.cancel',
  'reminders.create',
  'reminders.delete',
  'packs.print',
  'payroll.report.paper',
  'reminders.update',
  'reportLayouts.create',
  'reports.boardSheet',
  'reports.paper',
  'staff.addReminder',
]

describe('a user who may only read', () => {
  it('is refused every change except of their own things', { timeout: patience }, async () => {
    for (const who of [people.governor!, people.auditor!]) {
      const seen: Who = { principal: who, selection: at(harbour, 'Northgate') }
      const outcomes = await runAll(
        procedureNames.filter(isMutation).map((name) => () => call(services, seen, name, buildHonestInput(name, ids.ownSchool))),
      )
      const allowed = outcomes.filter((one) => one.status !== 403 && !comparesWithItself(one)).map((one) => one.procedure)
      expect(personal).toEqual(expect.arrayContaining(allowed))
      expect(told(outcomes.filter((one) => one.status === 500))).toEqual([])
    }
  })
})

describe('a user with every permission except a call’s own', () => {
  const holding = (permissions: Permission[]): Who => {
    const { memberships, ...finance } = people.finance!
    return {
      principal: { ...finance, memberships: memberships.map((one) => ({ ...one, permissions })) },
      selection: at(harbour, 'Northgate'),
    }
  }
  const guarded = procedureNames.filter((name) => allProcedures[name]!._def.meta!.access !== 'signedIn')

  it('is refused that call, whichever it is', { timeout: patience }, async () => {
    const outcomes = await runAll(
      guarded.map((name) => {
        const named: readonly string[] = anyOf(name)
        const who = holding(allPermissions.filter((permission) => !named.includes(permission)))
        return () => call(services, who, name, buildHonestInput(name, ids.ownSchool))
      }),
    )
    expect(outcomes.length).toBeGreaterThan(500)
    expect(told(outcomes.filter((one) => one.status !== 403))).toEqual([])
  })
  it('and a user without the permission for a level that needs another one is refused at that level, by the browser and by REST', async () => {
    const atLevels = restRoutes.filter(({ procedure, meta }) => meta.access !== allProcedures[procedure]!._def.meta!.access)
    const outcomes = await runAll(
      atLevels.flatMap((route) => {
        const { access, rest } = route.meta
        const who = holding(allPermissions.filter((permission) => !access.includes(permission as never)))
        const input = buildHonestInput(route.procedure, ids.ownSchool) as Record<string, unknown>
        const named = rest.without ? { ...input, [rest.without]: null } : input
        return [() => call(services, who, route.procedure, named), () => callRest(who, route, ids.ownSchool)]
      }),
    )
    expect(outcomes.length).toBeGreaterThan(70)
    expect(told(outcomes.filter((one) => one.status !== 403))).toEqual([])
  })
  it('and a user with only one of the alternative permissions is allowed to read', { timeout: patience }, async () => {
    const outcomes = await runAll(
      guarded
        .filter((name) => isQuery(name) && allProcedures[name]!._def.meta!.access !== 'administrator')
        .flatMap((name) =>
          anyOf(name).map((permission) => () => call(services, holding([permission]), name, buildHonestInput(name, ids.ownSchool))),
        ),
    )
    // The causes found for the whole organisation are shown only to a user who may see all of it.
    const isOfWhole = (one: Outcome): boolean => one.procedure === 'payroll.causes.found'
    // What would disclose the pay of one or two people is shown only to a user who may see staff.
    const isOfFew = (one: Outcome): boolean => one.text.includes('fewer than three people')
    expect(told(outcomes.filter((one) => (one.status === 403 && !isOfWhole(one) && !isOfFew(one)) || one.status === 500))).toEqual([])
  })
})

/** Reads and writes that are not limited to one organisation by its number: each table with the reason. */
const withoutOrganisation: Record<string, string> = {
  memberships: 'of a person, who may belong to several: what each of them may is asked of the person',
  locations: 'those named for a user, who is refused if one is of another organisation',
  api_clients: 'an external system is known by its own id before it is known whose it is',
  reminders: 'those of a person are theirs wherever they work',
  reference_changes: 'the history of national records, which belong to no organisation',
  second_step_groups: 'asked of the organisations and user groups that a person has, who may belong to several',
  group_rules: 'written by whoever looks after sign-in, with the organisation among the values',
  vault_keys: 'the keys of users, who belong to no organisation',
}

/** The same for workers, which look for work that is due, not for what a user may see. */
const withoutOrganisationByWorkers: Record<string, string> = {
  recalculations: 'unfinished ones are looked for',
  budget_job_items: 'budgets that are to be filled are looked for',
  payroll_explanations: 'causes that are to be found are looked for, and old ones go',
  made_files: 'files that are to be made are looked for, and old ones go',
  webhooks: 'those that are behind the chain of their organisation are looked for',
  webhook_deliveries: 'messages that are due are looked for, and old ones go',
  connections: 'those that are due are claimed, and old samples go',
  connection_runs: 'old ones go',
  integration_credentials: 'those that are to be tried are claimed',
  answered_calls: 'old ones go',
  comment_notices: 'old ones go',
  staff_files: 'old ones go',
  vault_keys: 'whether the secret of the installation opens them',
  log_checks: 'the chain that was not checked for the longest time is looked for',
  log_chain: 'its ends are asked beside the webhooks of the same organisation',
  chain_anchors: 'the heads of a chain, by its number',
  reference_changes: 'the history of national records, which belong to no organisation',
  memberships: 'of a person for whom a file is made: what each of them may is asked of the person',
}

/** Tables that even the least work must query. */
const alwaysLookedAt = Object.keys(withoutOrganisationByWorkers).filter(
  (table) => !['chain_anchors', 'reference_changes', 'memberships'].includes(table),
)

/** One query that reads each of its tables separately: the heads of all chains, which are anchored together. */
const sideBySide = /^\s*select jsonb_build_object\(\s*'chains'/

describe('the database queries of all these calls, and of a worker doing the work they requested,', () => {
  let ofCalls: number
  let tablesOf: (text: string) => string[]
  let owned: number

  beforeAll(async () => {
    ofCalls = line.statements.length
    const rows = await sql`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'organisation_id'`
    owned = rows.length
    const named = new RegExp(
      `(?:\\b(?:from|join|into|update|using)|,)\\s+"?(${rows.map(({ name }) => name).join('|')})"?(?=[\\s,;()]|$)`,
      'gi',
    )
    tablesOf = (text) => [...new Set(Array.from(text.matchAll(named), ([, name]) => name!))]
    const folder = mkdtempSync(join(tmpdir(), 'bursar-prober-'))
    const config = { ...services.config, databaseUrl: line.url, anchors: { folder, mailTo: null } }
    const timers = vi.spyOn(globalThis, 'setInterval')
    const worker = await runWorker(config)
    // Fires the worker’s timer of one minute, after which it looks for a chain to check.
    for (const [elapsed, ms] of timers.mock.calls) if (ms === 60_000) (elapsed as () => void)()
    timers.mockRestore()
    await until(
      'a worker has looked for everything, and done it',
      async () => {
        const asked = new Set(line.statements.slice(ofCalls).flatMap(({ text }) => tablesOf(text)))
        const [left] = await sql`select (select count(*) from recalculations where finished_at is null)
          + (select count(*) from made_files where made_at is null and failure is null and cancelled_at is null)
          + (select count(*) from log_checks where checked_at is null) as count`
        return left!.count === '0' && alwaysLookedAt.every((table) => asked.has(table))
      },
      120_000,
    )
    await worker.close()
    rmSync(folder, { recursive: true, force: true })
  }, patience)

  /** @returns the faults of some statements, and the tables that they read without an organisation’s number */
  function lookThrough(statements: typeof line.statements) {
    const bound = /"?organisation_id"? (?:= \$|in \(\$|is null)|\bfalse\b/
    const tied = /organisation_id"? = (?:\$|"?\w+"?\."?organisation_id)/g
    const wrong = new Set<string>()
    const used = new Set<string>()
    const seen = { one: 0, all: 0 }
    for (const { text, rowsOf } of statements) {
      const tables = tablesOf(text)
      if (!tables.length) continue
      if (rowsOf === 'none') {
        wrong.add(`says not whose rows it asks for: ${text}`)
        continue
      }
      seen[rowsOf]++
      if (rowsOf === 'one' || sideBySide.test(text)) continue
      // In a join, all tables but one must be tied to the organisation: by the call’s number or by another table’s column.
      if ((text.match(tied)?.length ?? 0) < tables.length - 1) wrong.add(`joins rows of all organisations: ${text}`)
      if (bound.test(text)) continue
      for (const table of tables) used.add(table)
    }
    return { wrong: [...wrong], used: [...used].sort(), seen }
  }

  it('read rows of one organisation, or of one table only: no statement joins rows of two, and all name the organisation', () => {
    const { wrong, used, seen } = lookThrough(line.statements.slice(0, ofCalls))
    expect(wrong).toEqual([])
    expect(used).toEqual(Object.keys(withoutOrganisation).sort())
    expect(owned).toBeGreaterThan(80)
    expect(seen.one).toBeGreaterThan(20_000)
    expect(seen.all).toBeGreaterThan(100)
  })
  it('are as limited for the worker, which looks for work over all organisations and does it in one', () => {
    const { wrong, used, seen } = lookThrough(line.statements.slice(ofCalls))
    expect(wrong).toEqual([])
    expect(used).toEqual(expect.arrayContaining(alwaysLookedAt))
    expect(used.filter((table) => !(table in withoutOrganisationByWorkers))).toEqual([])
    expect(seen.one).toBeGreaterThan(100)
    expect(seen.all).toBeGreaterThan(100)
  })
  it('find an organisation’s rows by an index, so that other organisations’ data slow nobody down', { timeout: patience }, async () => {
    const ofOne = line.statements.flatMap(({ text, rowsOf }) => (rowsOf === 'one' && tablesOf(text).length ? [text] : []))
    expect(await findWithoutIndex(services.config.databaseUrl, ofOne)).toEqual([])
  })
})

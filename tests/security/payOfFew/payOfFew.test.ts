import { beforeAll, describe, expect, it } from 'vitest'
import { allPermissions, hasAnyPermission, type Permission } from '../../../domain/people/permissions.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { findPrincipal } from '../../../server/auth/accounts.ts'
import type { Selection, Services } from '../../../server/core/calls/context.ts'
import { openRateLimits } from '../../../server/core/calls/limits.ts'
import type { Principal } from '../../../server/core/calls/principal.ts'
import { toPublicError } from '../../../server/core/calls/procedures.ts'
import { openStore } from '../../../server/core/database/database.ts'
import { openFanOut, openQueues } from '../../../server/core/queue/queues.ts'
import { allProcedures } from '../../../server/rest/routes.ts'
import { connectAsOwner, createDatabase } from '../../support/product/database.ts'
import type { Body } from '../../support/product/http.ts'
import { configOf } from '../../support/product/product.ts'
import { callsOf, isMutation, procedureNames, runAll, type Who } from '../prober/sweep.ts'
import { type Calls, findIds, type Ids } from '../prober/world.ts'
import { collectFigures, findDisclosed } from './figures.ts'
import { buildInputs, type Tries } from './questions.ts'

/** The time limit of a walk through all calls on a slow machine. */
const patience = 600_000

let services: Services
let sql: ReturnType<typeof connectAsOwner>
let finance: Principal
let governor: Principal
let ids: Ids
let tries: Tries
/** The selections of Northgate with its budget. `tests/server/access/fewPeople.test.ts` covers differences between two budgets. */
let selections: Selection[]
let secrets: Map<number, string>

/** Permissions that show individual pay: staff, payrolls, and the original lines of a ledger. */
const seesPay = (permission: Permission): boolean => /^BudgetingStaffing|PayrollReconciliation|^ConsoleMonitoringRead/.test(permission)

async function person(email: string): Promise<Principal> {
  const [row] = await sql`select id from users where email = ${email}`
  return (await findPrincipal(services.store, { sub: String(row!.id) }))!
}

/** Makes a staff budget code with its own cost centre, and the payroll code that posts to it. */
async function payrollCode(calls: Calls, name: string): Promise<{ code: Body; term: Body; centre: Body }> {
  const {
    id: _i,
    version: _v,
    created: _c,
    mongoId: _m,
    ...like
  } = (
    await calls.resources.budgetCode.list({ filters: [{ filter: 'code', filterType: 'text', type: 'equals', value: '3100' }], pageSize: 1 })
  ).rows[0]
  const code = await calls.resources.budgetCode.create({ ...like, code: name, description: `Pay of ${name}` })
  const { id: _j, version: _w, created: _d, mongoId: _n, ...centreLike } = (await calls.resources.costCentre.list({ pageSize: 1 })).rows[0]
  const centre = await calls.resources.costCentre.create({ ...centreLike, code: name, description: `Centre of ${name}` })
  const { id: _k, version: _x, created: _e, mongoId: _o, ...termLike } = (await calls.resources.serviceTerm.list({ pageSize: 1 })).rows[0]
  const codes = { basicBudgetCodeId: code.id, niBudgetCodeId: code.id, pensionBudgetCodeId: code.id }
  const centres = { basicCostCentreId: centre.id, niCostCentreId: centre.id, pensionCostCentreId: centre.id }
  const term = await calls.resources.serviceTerm.create({ ...termLike, ...codes, ...centres, code: name, description: name, locations: [] })
  return { code, term, centre }
}

beforeAll(async () => {
  const config = await configOf(await createDatabase())
  const store = openStore(config, 8)
  const [queues, fanOut] = await Promise.all([openQueues(config), openFanOut(config, 'server')])
  const limits = { ...openRateLimits(config, store), count: () => Promise.resolve(0) }
  services = { config, store, queues, fanOut, limits }
  sql = connectAsOwner(config.databaseUrl)
  const [harbour] = await sql`select id from organisations where name like 'Harbour%'`
  const [northgate] = await sql`select id from locations where alias = 'Northgate'`
  const [budget] = await sql`select id from budgets where location_id = ${northgate!.id}`
  const organisationId = harbour!.id as OrganisationId
  const locationId = northgate!.id as LocationId
  const own: Selection = { organisationId, locationId, budgetId: budget!.id as BudgetId }
  finance = await person('finance@harbour.example')
  governor = await person('governor@harbour.example')
  const calls = callsOf(services, { principal: finance, selection: own })
  const [alone, pair] = [await payrollCode(calls, 'ALONE'), await payrollCode(calls, 'PAIR')]
  const teacher = (await calls.contracts.list({ pageSize: 50 })).rows.find((row: Body) => row.employeeNumber)
  const { id: _c, mongoId: _m, version: _v, ...contract } = await calls.contracts.get({ id: teacher.id })
  /** Adds an employee with a unique salary, so that it is recognised among all figures. */
  const hire = async (name: string, term: Body, pay: number): Promise<Body> => {
    const member = {
      title: 1,
      forename: 'Sample',
      surname: name,
      gender: 1,
      dateOfBirth: '1980-03-01',
      locations: [locationId],
      archive: false,
    }
    await calls.staff.create({ ...member, employeeNumber: name, niNumber: null, continuousServiceDate: null, email: null })
    const row = {
      ...contract.salary[0],
      scalePoint: null,
      spotAdjustment: pay,
      fte: 1,
      allowances: [],
      calculationCeaseDate: null,
      effectiveDate: '2020-09-01',
    }
    return calls.contracts.save({
      ...contract,
      contractName: name,
      employeeNumber: name,
      maximumScalePoint: null,
      startDate: '2020-09-01',
      endDate: null,
      serviceTerms: [term.id],
      fundCodes: [],
      analysisTags: [],
      salary: [row],
    })
  }
  await hire('HEAD', alone.term, 5_432_198.76)
  await hire('FIRST', pair.term, 7_654_321.19)
  await hire('SECOND', pair.term, 6_543_217.23)
  const listed = (await calls.contracts.list({ pageSize: 100 })).rows
  const idOf = (name: string): string => listed.find((row: Body) => row.contractName === name).id
  const paid = async (budgetId: string) =>
    sql`select contract_name as who, line.year, line.amounts from budget_lines line join staff_contracts c on c.id = line.source_id and c.budget_id = line.budget_id
      where line.budget_id = ${budgetId} and contract_name in ('HEAD', 'FIRST', 'SECOND')`
  secrets = new Map()
  /** Pay by person, year and month, in whole pennies. */
  const pay = new Map<string, number[]>()
  const remember = async (budgetId: string): Promise<void> => {
    pay.clear()
    for (const { who, year, amounts } of await paid(budgetId)) {
      const months = pay.get(`${who} ${year}`) ?? Array<number>(12).fill(0)
      pay.set(
        `${who} ${year}`,
        months.map((sum, month) => sum + Number(amounts[month])),
      )
    }
    for (const [name, ...people] of [
      ['the head', 'HEAD'],
      ['the first', 'FIRST'],
      ['the second', 'SECOND'],
      ['the pair', 'FIRST', 'SECOND'],
    ] as const)
      for (let year = 0; year < 5; year++) {
        const months = Array.from({ length: 12 }, (_unused, month) =>
          people.reduce((sum, who) => sum + (pay.get(`${who} ${year}`)?.[month] ?? 0), 0),
        )
        const total = months.reduce((sum, month) => sum + month, 0)
        if (total > 0) secrets.set(total, `${name} in year ${year}`)
        let toDate = 0
        for (const [month, amount] of months.entries()) {
          toDate += amount
          secrets.set(amount, `${name} in month ${month} of year ${year}`)
          secrets.set(toDate, `${name} to month ${month} of year ${year}`)
        }
      }
  }
  await remember(own.budgetId!)
  const before = new Map(pay)
  // Two named versions, before and after one change.
  await calls.moments.name({ version: (await calls.budgets.get({ id: own.budgetId })).version, name: 'Before' })
  const head = await calls.contracts.get({ id: idOf('HEAD') })
  await calls.contracts.save({ ...head, version: null, salary: head.salary.map((row: Body) => ({ ...row, spotAdjustment: 9_876_543.21 })) })
  await remember(own.budgetId!)
  for (const [key, months] of before) {
    const rise = (pay.get(key) ?? months).reduce((sum, amount, month) => sum + amount - months[month]!, 0)
    if (rise > 0) secrets.set(rise, `the rise of ${key}`)
  }
  await calls.scenarios.save({ name: 'Without the head', changes: [{ kind: 'removePost', contractId: idOf('HEAD'), from: '2026-09-01' }] })
  // The ledger has paid exactly what was budgeted.
  const lines = ['HEAD 0', 'FIRST 0', 'SECOND 0'].map((key) => ({
    Type: 'Actual',
    BudgetCodeFilter: 'N',
    Value: String(pay.get(key)![1]! / 100),
    BudgetCode: key.startsWith('HEAD') ? 'ALONE' : 'PAIR',
    CostCentre: key.startsWith('HEAD') ? 'ALONE' : 'PAIR',
  }))
  const [place] = await sql`select budget_code_filter as filter from locations where id = ${locationId}`
  await calls.monitoring.import({
    year: 2026,
    month: 11,
    type: 1,
    rows: lines.map((line) => ({ ...line, BudgetCodeFilter: place!.filter })),
  })
  await calls.packs.start({ year: 2026, month: 10, locationId }).catch(() => undefined)
  ids = await findIds(sql, { organisationId, locationId, userId: governor.userId! })
  const told = (
    await sql`select id from budget_codes where code in ('3100', '3200') and organisation_id = ${organisationId} order by code`
  ).map((row) => row.id as number)
  const codes = [
    [alone.code.id],
    [told[0]],
    [told[0], alone.code.id],
    [told[0], told[1]],
    [told[0], pair.code.id],
    [alone.code.id, pair.code.id],
    [told[0], alone.code.id, pair.code.id],
  ]
  const centres = (
    await sql`select id from cost_centres where code in ('KS2', 'SEND') and organisation_id = ${organisationId} order by code`
  ).map((row) => row.id as number)
  const one = [alone.code.id, pair.code.id, told[0]]
  tries = {
    budgetCodeIds: codes,
    costCentreIds: [[alone.centre.id], [centres[0]], [centres[0], alone.centre.id], [centres[0], pair.centre.id]],
    codeId: [...one, null],
    budgetCodeId: one,
    id: one,
    of: [...one, 'income', 'expenditure'],
    budgetId: [own.budgetId],
    month: [9, 10, 11, 12, 1, 2],
    yearNames: [['2026/27'], ['2027/28']],
    cumulativeActuals: [true, false],
    report: [
      'budgetAnalysis',
      'profileBudgetAnalysis',
      'costCentreAnalysis',
      'staffing',
      'stakeHolder',
      'measures',
      'budgetForecastReturn',
      'cfrReturn',
      'trialBudget',
    ],
  }
  selections = [own]
  return async () => {
    await Promise.allSettled([queues.close(), fanOut.close()])
    limits.close()
    await store.close()
  }
}, patience)

const permissionsOf = (procedure: string): readonly Permission[] => {
  const { access } = allProcedures[procedure]!._def.meta!
  return access === 'signedIn' || access === 'administrator' ? [] : access
}

/** Calls every procedure that a user may call, with every input worth trying. @returns the figures in the replies */
async function heardBy(principal: Principal): Promise<Map<string, Set<number>>> {
  const holder = { isAdministrator: false, permissions: principal.memberships[0]!.permissions }
  const asked = procedureNames.filter(
    (name) => !isMutation(name) && !name.startsWith('resources.') && hasAnyPermission(holder, permissionsOf(name)),
  )
  const heard = new Map<string, Set<number>>()
  const ask = (procedure: string, selection: Selection, input: unknown) => async () => {
    const who: Who = { principal, selection }
    let at: Calls = callsOf(services, who)
    for (const part of procedure.split('.')) at = at[part]
    try {
      const all = heard.get(procedure) ?? new Set()
      heard.set(procedure, all)
      for (const figure of collectFigures(await at(input))) all.add(figure)
    } catch (error) {
      // A refusal discloses nothing. An unexpected error is no refusal, so it fails the test.
      const { kind } = toPublicError(error, 'walk')
      if (kind === 'unexpected') throw error
    }
  }
  await runAll(
    asked.flatMap((name) => {
      const places = allProcedures[name]!._def.meta!.scope === 'budget' ? selections : selections.slice(0, 1)
      return buildInputs(name, ids, tries).flatMap((input) => places.map((selection) => ask(name, selection, input)))
    }),
  )
  return heard
}

const leaks = (heard: Map<string, Set<number>>): string[] =>
  [...heard].flatMap(([procedure, told]) => {
    const [first, ...others] = findDisclosed(told, secrets).values()
    return first ? [`${procedure} gives away ${first} (and ${others.length} more)`] : []
  })

/** Procedures that show staff costs, and must return some of them in every reply. */
const doors = [
  'budgets.summary',
  'moments.at',
  'monitoring.actualsByLocation',
  'monitoring.budgetsVsActuals',
  'monitoring.cash.forecast',
  'monitoring.forecastByLocation',
  'monitoring.year',
  'overview.byCoding',
  'overview.summary',
  'overview.tree',
  'reports.budgetAnalysis',
  'reports.budgetForecastReturn',
  'reports.cfrReturn',
  'reports.costCentreAnalysis',
  'reports.csv',
  'reports.glance',
  'reports.lines',
  'reports.staffing',
  'reports.trialBudget',
  'reports.workbook',
  'scenarios.award',
  'scenarios.list',
]

/** Expects that a user cannot work out any secret, but does see the other figures. */
async function expectNoLeaks(principal: Principal): Promise<void> {
  const heard = await heardBy(principal)
  expect(doors.filter((name) => (heard.get(name)?.size ?? 0) < 5)).toEqual([])
  expect(leaks(heard)).toEqual([])
}

describe('the pay of one or two people', () => {
  it('can be found in the replies at all', { timeout: patience }, async () => {
    expect(secrets.size).toBeGreaterThan(100)
    const found = leaks(await heardBy(finance))
    expect(found.length).toBeGreaterThan(20)
  })
  it('is disclosed to a governor by no reply, and by no two replies of one kind', { timeout: patience }, async () => {
    await expectNoLeaks(governor)
  })
  it('is disclosed to nobody who has every permission but those that show pay', { timeout: patience }, async () => {
    const { memberships, ...rest } = finance
    const blind = {
      ...rest,
      memberships: memberships.map((one) => ({
        ...one,
        locationIds: [selections[0]!.locationId!],
        permissions: allPermissions.filter((name) => !seesPay(name)),
      })),
    }
    await expectNoLeaks(blind)
  })
})

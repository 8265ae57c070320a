import { inArray, type SQL, sql } from 'drizzle-orm'
import { findBudgetOfRecord } from '../../../../domain/budget/budgetOfRecord.ts'
import { findBalanceType } from '../../../../domain/calculation/nonStaffing/balances.ts'
import { countPupils, rollUpPupilCounts } from '../../../../domain/calculation/nonStaffing/pupils.ts'
import { budgetCodeCategory, budgetCodeType, financialCodeType } from '../../../../domain/lookups/lookupIds.ts'
import { formatComparedBudgetName } from '../../../../domain/reports/budgetNames.ts'
import type { LineSum, OpeningPosition, ReportCode, ReportFacts, ReportSpread, ReportUnit } from '../../../../domain/reports/facts.ts'
import type { ReportMapping } from '../../../../domain/reports/registry.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import { addDecimals } from '../../../../domain/values/decimals.ts'
import type { LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { DomainError } from '../../../../domain/words/errors.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { buildDocumentIdArray } from '../../../resources/listConditions.ts'
import { staffSourceKinds } from '../../../streams/budget/monthSums.ts'
import { readAltDescriptions } from '../../altDescriptions/queries.ts'
import { readExplanationSettings } from '../../monitoring/queries.ts'
import { type LimitedCaller, readBudgetHeads } from '../../monitoring/requests/queries.ts'
import { readPupilsOfBudgets } from '../pupils/queries.ts'
import { readReserveFloor } from '../reserveFloor/queries.ts'
import {
  buildLineFilterCondition,
  createNoBudgetError,
  hasLineFilters,
  type LineFilters,
  type ReportBudget,
  type ReportedScope,
  type ReportRequest,
  refuseLargeReport,
} from '../scopes/queries.ts'

/** A column of a report, with the budgets and years that are added up in it. */
interface Bucket {
  unit: Omit<ReportUnit, 'pupils'>
  of: { budget: ReportBudget; year: number }[]
}

/** The columns of a report, from left to right. */
function buildBuckets({ budgets, years }: ReportedScope, spread: ReportSpread): Bucket[] {
  const locations = [...new Map(budgets.map(({ location }) => [location.id, location])).values()]
  const at = (year: number, reportBudgets: readonly ReportBudget[], unit: Partial<Bucket['unit']> = {}): Bucket => ({
    unit: { year: formatBudgetYear(year, 0), location: null, budget: null, ...unit },
    of: reportBudgets.map((budget) => ({ budget, year })),
  })
  const ofPlace = (id: number): ReportBudget[] => budgets.filter((one) => one.location.id === id)
  const [first] = years
  switch (spread) {
    case 'years':
      return years.map((year) => at(year, budgets))
    case 'months':
      return first === undefined ? [] : [at(first, budgets)]
    case 'locations':
      return first === undefined ? [] : locations.map(({ id, name }) => at(first, ofPlace(id), { location: { id, name } }))
    case 'eachLocation':
      return locations.flatMap(({ id, name }) => years.map((year) => at(year, ofPlace(id), { location: { id, name } })))
    case 'budgets': {
      const named = budgets.map((budget) => ({ budget, name: budget.head.name, location: budget.location }))
      return years.flatMap((year) =>
        named.map((one) => at(year, [one.budget], { budget: { id: one.budget.id, name: formatComparedBudgetName(one, named) } })),
      )
    }
  }
}

/** The layout of the money report to read. */
interface Asking {
  spread: ReportSpread
  byCentre: boolean
  mapping?: ReportMapping | null
  hasMonths?: boolean
  /** Whether to add up codes on the same side that affect the same balance, because the report shows no codes. */
  isCoarse?: boolean
}

/** The calendar month in which the years of the Budget Forecast Return start. */
export const returnStartMonth = 9

/** Reads the data of a money report. The database calculates the sums. */
export async function readMoneyFacts(
  call: Call & LimitedCaller,
  scope: ReportedScope,
  { request, asking }: { request: ReportRequest; asking: Asking },
): Promise<ReportFacts> {
  return requireSingleRow(await readMoneyFactsByLocation(call, [scope], { request, asking }))
}

/** As `readMoneyFacts`, for each location of a scope, read together for any number of locations. */
export async function readMoneyFactsByLocation(
  call: Call & LimitedCaller,
  each: readonly ReportedScope[],
  { request, asking }: { request: ReportRequest; asking: Asking },
): Promise<ReportFacts[]> {
  const { tx } = call
  const facts = await readFacts(call, each, { request, asking })
  if (asking.mapping !== 'bfr') return facts
  const earlier = await findEarlierApproved(call, each)
  const scopesWithYears = earlier.flatMap((scope) => (scope.years.length ? [scope] : []))
  const earlierFacts = scopesWithYears.length ? await readFacts(call, scopesWithYears, { request, asking }) : []
  const settings = await readExplanationSettings(tx, call.organisationId)
  const reserveFloor = await readReserveFloor(tx, call.organisationId)
  return facts.map((unitFacts, index) => {
    const scope = assertDefined(earlier[index])
    const at = scopesWithYears.indexOf(scope)
    const lastReturn =
      at < 0 ? null : { facts: assertDefined(earlierFacts[at]), without: scope.leftOut.map((one) => one.location), settings }
    return { ...unitFacts, lastReturn, reserveFloor }
  })
}

/**
 * The approved budgets behind the previous return of each scope: for each location, the last approved budget of the latest earlier first
 * year. Also the years of the scope that all these budgets cover.
 */
async function findEarlierApproved(call: Call & LimitedCaller, scopes: readonly ReportedScope[]): Promise<ReportedScope[]> {
  const locationsById = new Map(scopes.flatMap(({ budgets: scopeBudgets }) => scopeBudgets.map(({ location }) => [location.id, location])))
  const heads = await readBudgetHeads(call, inArray(budgets.locationId, [...locationsById.keys()]))
  const approved = heads.filter(({ head }) => head.approval?.state === 'approved' && head.startMonth === returnStartMonth)
  return scopes.map(({ budgets: scopeBudgets, years }) => {
    const firsts = new Map<LocationId, number>()
    for (const { location, head } of scopeBudgets)
      firsts.set(location.id, Math.min(head.firstYear, firsts.get(location.id) ?? head.firstYear))
    const found = [...firsts].map(([id, firstYear]) => {
      const before = approved.filter((one) => one.locationId === id && one.head.firstYear < firstYear)
      const latest = Math.max(...before.map((one) => one.head.firstYear))
      return {
        location: assertDefined(locationsById.get(id)),
        record: findBudgetOfRecord(before.filter((one) => one.head.firstYear === latest)),
      }
    })
    const earlierBudgets = found.flatMap(({ location, record }): ReportBudget[] => (record ? [{ ...record, location }] : []))
    return {
      budgets: earlierBudgets,
      years: earlierBudgets.length
        ? years.filter((year) => earlierBudgets.every(({ head }) => year >= head.firstYear && year < head.firstYear + head.numberOfYears))
        : [],
      leftOut: found.flatMap(({ location, record }) => (record ? [] : [{ locationId: location.id, location: location.name }])),
    }
  })
}

async function readFacts(
  call: Call & LimitedCaller,
  scopes: readonly ReportedScope[],
  { request, asking: { spread, byCentre, isCoarse, mapping, hasMonths } }: { request: ReportRequest; asking: Asking },
): Promise<ReportFacts[]> {
  const { tx, organisationId } = call
  refuseLargeReport(scopes.reduce((sum, { budgets, years }) => sum + budgets.length * years.length, 0))
  const parts = scopes.map((scope) => {
    const buckets = buildBuckets(scope, spread)
    if (!buckets.length) throw createNoBudgetError()
    if ((spread === 'months' || hasMonths) && new Set(scope.budgets.map(({ head }) => head.startMonth)).size > 1)
      throw new DomainError(
        'invalid',
        'startMonths',
        'The years of these budgets begin in different months. Choose locations with the same budget year.',
      )
    // The return's halves are September to March and April to August, so its budget years must start in September (rules.md §20).
    if (mapping === 'bfr' && scope.budgets.some(({ head }) => head.startMonth !== returnStartMonth))
      throw new DomainError(
        'invalid',
        'startMonths',
        'The Budget Forecast Return covers years that begin in September. Choose budgets that begin in September.',
      )
    return { scope, buckets, places: new Set(scope.budgets.map(({ location }) => location.id)) }
  })
  const all = parts.flatMap(({ buckets }) => buckets)
  // Reports by cost centre show no balances.
  const hasBalances = !hasLineFilters(request) && !byCentre
  const codes = await readReportCodes(tx, mapping ?? request.scheme ?? 0)
  const centres = byCentre ? await readCostCentres(tx) : new Map()
  const units = await readReportUnits(tx, organisationId, all)
  const sums = await readSums(call, all, {
    narrowed: request,
    byMonth: spread === 'months' || Boolean(hasMonths),
    byCentre,
    hasBalances,
    alike: isCoarse ? listEquivalentCodes(codes) : [],
  })
  const whole = hasLineFilters(request)
    ? await readSums(call, all, {
        narrowed: {},
        byMonth: spread === 'months',
        byCentre: false,
        hasBalances: false,
        alike: listEquivalentCodes(codes),
      })
    : null
  const openings = hasBalances ? await readOpeningBalances(tx, organisationId, all) : []
  const gaps = await countGaps(call, all, { narrowed: request, hasBalances, codes })
  const allFacts: ReportFacts[] = []
  let first = 0
  for (const { scope, buckets, places: locationIds } of parts) {
    const [from, to] = [first, first + buckets.length]
    first = to
    const rowsOfPart = <T extends { unit: number }>(rows: readonly T[]): T[] =>
      parts.length === 1 ? [...rows] : rows.flatMap((row) => (row.unit >= from && row.unit < to ? [{ ...row, unit: row.unit - from }] : []))
    const [only] = locationIds.size === 1 ? locationIds : []
    allFacts.push({
      spread,
      units: units.slice(from, to),
      startMonth: scope.budgets[0]?.head.startMonth ?? 9,
      lines: rowsOfPart(sums.lines),
      ...(whole ? { wholeLines: rowsOfPart(whole.lines) } : {}),
      carried: hasBalances ? { before: rowsOfPart(sums.before), openings: rowsOfPart(openings) } : null,
      codes: await describeCodes(tx, resources.budgetCode, { codes, locationId: only }),
      centres: await describeCodes(tx, resources.costCentre, { codes: centres, locationId: only }),
      byScheme: Boolean(request.scheme),
      // When budgets are compared, each has its own column, so locations are not combined.
      hasSeveralLocations: spread !== 'budgets' && locationIds.size > 1,
      includeEmpty: Boolean(request.includeEmpty),
      notCalculated: scope.budgets.reduce((sum, { id }) => sum + (gaps.get(id) ?? 0), 0),
    })
  }
  return allFacts
}

/** Codes with the descriptions of one location. */
async function describeCodes<C extends { description: string }>(
  tx: OrganisationTx,
  resource: typeof resources.budgetCode | typeof resources.costCentre,
  { codes, locationId }: { codes: ReadonlyMap<number, C>; locationId: LocationId | undefined },
): Promise<ReadonlyMap<number, C>> {
  if (locationId === undefined || !codes.size) return codes
  const words = await readAltDescriptions(tx, resource, locationId)
  if (!words.size) return codes
  return new Map([...codes].map(([id, code]) => [id, words.has(id) ? { ...code, description: assertDefined(words.get(id)) } : code]))
}

/** The index of a calendar year in a budget, from 0. */
const indexOf = ({ budget, year }: Bucket['of'][number]): number => year - budget.head.firstYear

/** The columns of a report with their pupil numbers, which are read from the database. */
export async function readReportUnits(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  buckets: readonly Bucket[],
): Promise<ReportUnit[]> {
  const rows = await readPupilsOfBudgets(
    tx,
    organisationId,
    buckets.flatMap(({ of }) => of.map(({ budget }) => budget.id)),
  )
  const rolled = new Map<string, (number | null)[]>()
  const counted = (budget: ReportBudget): (number | null)[] | undefined => {
    const typed = rows.get(budget.id)
    const known = rolled.get(budget.id) ?? (typed && countPupils(rollUpPupilCounts(typed, budget.head.numberOfYears), null))
    if (known) rolled.set(budget.id, known)
    return known
  }
  return buckets.map(({ unit, of }) => {
    // The central office of a trust has no pupils; a school without entered numbers is unknown. A budget's pupil numbers also include the
    // October before its first year.
    const each = of.map((one) => counted(one.budget)?.[indexOf(one) + 1] ?? (one.budget.location.isCentral ? 0 : null))
    const isKnown = each.length > 0 && !each.includes(null)
    return { ...unit, pupils: isKnown ? addDecimals(each.map((one) => assertDefined(one))) : null }
  })
}

/** A budget whose lines are needed. Budgets of the same kind belong to the same columns in all their years. */
interface WantedBudget {
  id: string
  kind: number
}

/**
 * What a year, by index, of budgets of one kind is used for: the column in which it is added up, and the set of later columns whose opening
 * balance includes it.
 */
interface WantedYear {
  kind: number
  year: number
  unit: number | null
  set: number | null
}

/**
 * Groups budgets and years, so that those that are added up in the same columns can be read together.
 * @returns the budgets, the years of each kind of budget, and the columns of each set
 */
function groupWantedBudgets(
  buckets: readonly Bucket[],
  hasBalances: boolean,
): { wanted: WantedBudget[]; years: WantedYear[]; sets: number[][] } {
  const found = new Map<string, { units: (number | null)[]; before: number[][] }>()
  for (const [unit, { of }] of buckets.entries())
    for (const one of of) {
      const { id, head } = one.budget
      const wantedUnits = found.get(id) ?? {
        units: Array.from({ length: head.numberOfYears }, () => null),
        before: Array.from({ length: head.numberOfYears }, () => []),
      }
      wantedUnits.units[indexOf(one)] = unit
      for (let year = 0; year < indexOf(one); year++) assertDefined(wantedUnits.before[year]).push(unit)
      found.set(id, wantedUnits)
    }
  const sets: number[][] = []
  const known = new Map<string, number>()
  const setOf = (units: number[]): number | null => {
    if (!hasBalances || !units.length) return null
    const key = units.join()
    const set = known.get(key) ?? sets.push(units) - 1
    known.set(key, set)
    return set
  }
  const kinds = new Map<string, number>()
  const years: WantedYear[] = []
  const wanted = [...found].map(([id, { units, before }]): WantedBudget => {
    const yearsOfBudget = units.map((unit, year) => ({ year, unit, set: setOf(assertDefined(before[year])) }))
    const key = JSON.stringify(yearsOfBudget)
    const kind = kinds.get(key) ?? kinds.size
    if (!kinds.has(key)) years.push(...yearsOfBudget.flatMap((one) => (one.unit === null && one.set === null ? [] : [{ kind, ...one }])))
    kinds.set(key, kind)
    return { id, kind }
  })
  return { wanted, years, sets }
}

/** A code, and the first code that is equivalent to it. */
interface EquivalentCode {
  code: number
  first: number
}

function listEquivalentCodes(codes: ReadonlyMap<number, ReportCode>): EquivalentCode[] {
  const firsts = new Map<string, number>()
  return [...codes.values()].map(({ id, facts }) => {
    const kind = `${facts.isIncome} ${facts.category} ${findBalanceType(facts)}`
    const first = firsts.get(kind) ?? id
    firsts.set(kind, first)
    return { code: id, first }
  })
}

/** The lines of all columns and of the years before them, read in one pass. */
async function readSums(
  { tx, organisationId }: Call<'organisationId'>,
  buckets: readonly Bucket[],
  {
    narrowed,
    byMonth,
    byCentre,
    hasBalances,
    alike,
  }: { narrowed: LineFilters; byMonth: boolean; byCentre: boolean; hasBalances: boolean; alike: readonly EquivalentCode[] },
): Promise<{ lines: LineSum[]; before: OpeningPosition['before'] }> {
  const { wanted, years, sets } = groupWantedBudgets(buckets, hasBalances)
  const yearsWithBalances = [...new Set(years.map(({ year }) => year))]
  // Each line is read once for all its years; the sums are divided by year afterwards.
  const inEach = (term: (year: number) => string): SQL => sql.raw(`array[${yearsWithBalances.map(term).join(', ')}]`)
  const monthsOf = (year: number): string =>
    Array.from({ length: 12 }, (_unused, month) => `sum(line.amounts[${year * 12 + month + 1} - line.first_year * 12])::bigint`).join(', ')
  const calculated = Array.from({ length: 12 }, (_unused, month) => `sum(months[at * 12 + ${month + 1}])::float8`).join(', ')
  const wantedYears = years.map((one) => ({ ...one, at: yearsWithBalances.indexOf(one.year) }))
  if (!yearsWithBalances.length) return { lines: [], before: [] }
  const rows = await tx.execute<{
    unit: number | null
    set: number | null
    code: number | null
    centre: number | null
    staff: boolean
    transfer: LineSum['transfer']
    months: (number | null)[] | null
    total: number
    known: boolean
    missing: number
  }>(sql`
    with sums as (
      select wanted.kind, ${alike.length ? sql`coalesce(alike.first, line.budget_code_id)` : sql`line.budget_code_id`} as code,
        ${byCentre ? sql`line.cost_centre_id` : sql`null::integer`} as centre, line.source_kind in ${staffSourceKinds} as staff,
        case when line.source_kind = 'transfer' then line.component end as transfer, ${byMonth ? inEach(monthsOf) : sql`null::bigint[]`} as months,
        ${inEach((year) => `sum(line.totals[${year + 1} - line.first_year])::bigint`)} as totals,
        ${inEach((year) => `sum(line.missing[${year + 1} - line.first_year])`)} as missing,
        ${inEach((year) => `count(line.totals[${year + 1} - line.first_year])`)} as counts
      from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(id char(24), kind integer)
      join posted_lines line on line.organisation_id = ${organisationId} and line.budget_id = wanted.id ${buildLineFilterCondition(narrowed)}
      ${alike.length ? sql`left join json_to_recordset(${JSON.stringify(alike)}::json) as alike(code integer, first integer) on alike.code = line.budget_code_id` : sql``}
      group by 1, 2, 3, 4, 5)
    select unit, set, code, centre, staff, transfer, ${byMonth ? sql.raw(`to_json(array[${calculated}])`) : sql`null`} as months,
      sum(totals[at + 1])::float8 as total, sum(missing[at + 1]) < 12 * sum(counts[at + 1]) as known, sum(missing[at + 1])::integer as missing
    from sums join json_to_recordset(${JSON.stringify(wantedYears)}::json) as year(kind integer, at integer, unit integer, set integer) using (kind)
    where counts[at + 1] > 0
    group by 1, 2, 3, 4, 5, 6`)
  const lines: LineSum[] = []
  const before: OpeningPosition['before'] = []
  for (const { unit, set, code, centre, staff, transfer, months, total, known, missing } of rows) {
    if (unit !== null)
      lines.push({ unit, codeId: code, centreId: centre, isStaff: staff, transfer, amounts: months ?? [known ? total : null], missing })
    for (const later of set === null ? [] : assertDefined(sets[set]))
      before.push({ unit: later, codeId: code, isStaff: staff, transfer, total, missing })
  }
  return { lines, before }
}

/** The opening balances of the budgets, for each column. */
async function readOpeningBalances(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  buckets: readonly Bucket[],
): Promise<OpeningPosition['openings']> {
  const opened = new Map<string, number[]>()
  for (const [unit, { of }] of buckets.entries())
    for (const { budget } of of) {
      const openingBalance = opened.get(budget.id)
      if (openingBalance) openingBalance.push(unit)
      else opened.set(budget.id, [unit])
    }
  const rows = await tx.execute<{ id: string; type: number; value: number }>(sql`
    select budget_id as id, (item ->> 'type')::integer as type, sum((item ->> 'value')::bigint)::float8 as value from budget_items
    where organisation_id = ${organisationId} and kind = 'balance' and budget_id = any(${buildDocumentIdArray([...opened.keys()])}) group by 1, 2`)
  return [...rows].flatMap(({ id, type, value }) => assertDefined(opened.get(id)).map((unit) => ({ unit, type, value })))
}

const schemeFields = ['', 'cfrCodeId', 'gagCodeId', 'acoaCodeId', 'customCodeId'] as const
const schemeOf: Record<Exclude<ReportMapping, 'bfr'>, number> = { cfr: financialCodeType.cfr, acoa: financialCodeType.acoa }

/** The budget codes with their names and positions in reports. */
async function readReportCodes(tx: OrganisationTx, by: ReportMapping | number): Promise<Map<number, ReportCode>> {
  const reporting = new Map((await readResourceRecords(tx, resources.financialReportingCode)).map((record) => [record.id, record]))
  const returned =
    by === 'bfr'
      ? new Map(
          (await readResourceRecords(tx, resources.bFRCode)).map(({ id, code, description }) => [id, { code, description, order: 0 }]),
        )
      : null
  const field = by === 'bfr' ? undefined : schemeFields[typeof by === 'number' ? by : schemeOf[by]]
  return new Map(
    (await readResourceRecords(tx, resources.budgetCode)).map((record) => {
      const group = returned ? returned.get(record.mainBFRCodeId ?? -1) : field ? reporting.get(record[field] ?? -1) : undefined
      return [
        record.id,
        {
          id: record.id,
          code: record.code,
          description: record.altDescription ?? record.description,
          facts: {
            isIncome: record.type === budgetCodeType.income,
            category: record.category,
            cfrCode: reporting.get(record.cfrCodeId ?? -1)?.code ?? null,
          },
          scheme: group ? { code: group.code, description: group.description, order: group.order ?? 0 } : null,
        },
      ]
    }),
  )
}

async function readCostCentres(tx: OrganisationTx): Promise<ReportFacts['centres']> {
  return new Map(
    (await readResourceRecords(tx, resources.costCentre)).map(({ id, code, altDescription, description }) => [
      id,
      { code, description: altDescription ?? description },
    ]),
  )
}

/**
 * For each budget: how many contracts, entries, transfers and levies have a figure that the report needs but that could not be calculated
 * (behaviour B-242).
 */
async function countGaps(
  { tx, organisationId }: Call<'organisationId'>,
  buckets: readonly Bucket[],
  { narrowed, hasBalances, codes }: { narrowed: LineFilters; hasBalances: boolean; codes: ReportFacts['codes'] },
): Promise<Map<string, number>> {
  const years = new Map<string, Set<number>>()
  for (const one of buckets.flatMap(({ of }) => of)) {
    const yearsOfBudget = years.get(one.budget.id) ?? new Set()
    // A balance also depends on all earlier years.
    for (let year = hasBalances ? 0 : indexOf(one); year <= indexOf(one); year++) yearsOfBudget.add(year)
    years.set(one.budget.id, yearsOfBudget)
  }
  const wanted = [...years].map(([id, postedYears]) => ({ id, years: [...postedYears] }))
  // Balances carried between years are not part of any figure.
  const carried = [...codes.values()].filter((code) => code.facts.category === budgetCodeCategory.balance).map((code) => code.id)
  const rows = await tx.execute<{ id: string; count: number }>(sql`
    select line.budget_id as id, count(distinct (line.source_kind, line.source_id))::integer as count
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(id char(24), years smallint[])
    join posted_lines line on line.organisation_id = ${organisationId} and line.budget_id = wanted.id and 0 < any(line.missing)
      and exists (select from unnest(wanted.years) year where line.missing[year - line.first_year + 1] > 0)
      and (line.budget_code_id is null or line.budget_code_id <> all(${sql.param(`{${carried.join(',')}}`)}::integer[]))
      ${buildLineFilterCondition(narrowed)}
    group by 1`)
  return new Map([...rows].map(({ id, count }) => [id, count]))
}

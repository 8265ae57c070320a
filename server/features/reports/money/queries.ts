import { sql } from 'drizzle-orm'
import { pupilsOf, rollUp } from '../../../../domain/calculation/pupils.ts'
import { yearName } from '../../../../domain/calendar.ts'
import { addDecimals } from '../../../../domain/decimals.ts'
import { DomainError } from '../../../../domain/errors.ts'
import { budgetCodeCategory, budgetCodeType } from '../../../../domain/lookupIds.ts'
import type { Carried, LineSum, ReportCode, ReportFacts, ReportUnit, Spread } from '../../../../domain/reports/facts.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { calculatedMonths } from '../../../core/budget/monthSums.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { rowsOf } from '../../../core/database/tables.ts'
import { documentIds } from '../../../resources/listConditions.ts'
import { altDescriptionsOf } from '../../altDescriptions/queries.ts'
import type { Who } from '../../monitoring/asking/queries.ts'
import {
  type AskedBudget,
  checkSize,
  isNarrowed,
  type Narrowed,
  narrowedTo,
  noBudget,
  type ReportRequest,
  type Scope,
} from '../asking/queries.ts'
import { pupilsOfBudgets } from '../pupils/queries.ts'

/** A bucket with the budgets and years that are added up in it. */
interface Bucket {
  unit: Omit<ReportUnit, 'pupils'>
  of: { budget: AskedBudget; year: number }[]
}

/** What stands side by side, one bucket each. */
function bucketsOf({ budgets, years }: Scope, spread: Spread): Bucket[] {
  const places = [...new Map(budgets.map(({ location }) => [location.id, location])).values()]
  const at = (year: number, own: readonly AskedBudget[], unit: Partial<Bucket['unit']> = {}): Bucket => ({
    unit: { year: yearName(year, 0), location: null, budget: null, ...unit },
    of: own.map((budget) => ({ budget, year })),
  })
  const ofPlace = (id: number): AskedBudget[] => budgets.filter((one) => one.location.id === id)
  const [first] = years
  switch (spread) {
    case 'years':
      return years.map((year) => at(year, budgets))
    case 'months':
      return first === undefined ? [] : [at(first, budgets)]
    case 'locations':
      return first === undefined ? [] : places.map(({ id, name }) => at(first, ofPlace(id), { location: { id, name } }))
    case 'eachLocation':
      return places.flatMap(({ id, name }) => years.map((year) => at(year, ofPlace(id), { location: { id, name } })))
    case 'budgets':
      return years.flatMap((year) => budgets.map((budget) => at(year, [budget], { budget: { id: budget.id, name: budget.head.name } })))
  }
}

/** Reads what a report of money is made of; sums are the database's. */
export async function moneyFacts(
  tx: OrganisationTx,
  { organisationId }: Who,
  scope: Scope,
  request: ReportRequest,
  { spread, byCentre }: { spread: Spread; byCentre: boolean },
): Promise<ReportFacts> {
  checkSize(scope.budgets.length * scope.years.length)
  const buckets = bucketsOf(scope, spread)
  if (!buckets.length) throw noBudget()
  const startMonths = new Set(scope.budgets.map(({ head }) => head.startMonth))
  if (spread === 'months' && startMonths.size > 1)
    throw new DomainError('invalid', 'startMonths', 'These budgets begin in different months. Choose locations whose years begin together.')
  const places = new Set(scope.budgets.map(({ location }) => location.id))
  const [only] = places.size === 1 ? places : []
  // What cost centres bring and cost is told without balances.
  const hasBalances = !isNarrowed(request) && !byCentre
  const codes = await codesOf(tx, only ?? null, request.scheme ?? 0)
  return {
    spread,
    units: await unitsOf(tx, organisationId, buckets),
    startMonth: scope.budgets[0]?.head.startMonth ?? 9,
    lines: await linesOf(tx, organisationId, buckets, request, { byMonth: spread === 'months', byCentre }),
    carried: hasBalances ? await carriedOf(tx, organisationId, buckets) : null,
    codes,
    centres: byCentre ? await centresOf(tx, only ?? null) : new Map(),
    byScheme: Boolean(request.scheme),
    // Budgets that are compared stand each for itself.
    isSeveral: spread !== 'budgets' && places.size > 1,
    includeEmpty: Boolean(request.includeEmpty),
    notCalculated: await notCalculatedOf(tx, organisationId, buckets, request, { hasBalances, codes }),
  }
}

/** Which year of its own, from 0, a budget has in a calendar year. */
const indexOf = ({ budget, year }: Bucket['of'][number]): number => year - budget.head.firstYear

async function unitsOf(tx: OrganisationTx, organisationId: number, buckets: readonly Bucket[]): Promise<ReportUnit[]> {
  const rows = await pupilsOfBudgets(
    tx,
    organisationId,
    buckets.flatMap(({ of }) => of.map(({ budget }) => budget.id)),
  )
  const rolled = new Map<string, (number | null)[]>()
  const counted = (budget: AskedBudget): (number | null)[] | undefined => {
    const typed = rows.get(budget.id)
    const known = rolled.get(budget.id) ?? (typed && pupilsOf(rollUp(typed, budget.head.numberOfYears), null).slice(1))
    if (known) rolled.set(budget.id, known)
    return known
  }
  return buckets.map(({ unit, of }) => {
    // The office of a trust has no pupils; a school that has typed none is not known.
    const each = of.map((one) => counted(one.budget)?.[indexOf(one)] ?? (one.budget.location.isCentral ? 0 : null))
    const isKnown = each.length > 0 && !each.includes(null)
    return { ...unit, pupils: isKnown ? addDecimals(each.map((one) => one!)) : null }
  })
}

async function linesOf(
  tx: OrganisationTx,
  organisationId: number,
  buckets: readonly Bucket[],
  narrowed: Narrowed,
  { byMonth, byCentre }: { byMonth: boolean; byCentre: boolean },
): Promise<LineSum[]> {
  const wanted = buckets.flatMap(({ of }, unit) => of.map((one) => ({ id: one.budget.id, year: indexOf(one), unit })))
  const amounts = byMonth
    ? calculatedMonths
    : sql`json_build_array(case when sum(line.missing) < 12 * count(*) then sum(line.total)::float8 end)`
  const rows = await tx.execute<{
    unit: number
    code: number | null
    centre: number | null
    staff: boolean
    transfer: LineSum['transfer']
    amounts: (number | null)[]
    missing: number
  }>(sql`
    select unit, line.budget_code_id as code, ${byCentre ? sql`line.cost_centre_id` : sql`null::integer`} as centre,
      line.source_kind in ('contract', 'levy') as staff, case when line.source_kind = 'transfer' then line.component end as transfer,
      ${amounts} as amounts, sum(line.missing)::integer as missing
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(id char(24), year smallint, unit integer)
    join budget_lines line on line.organisation_id = ${organisationId} and line.budget_id = wanted.id and line.year = wanted.year ${narrowedTo(narrowed)}
    group by 1, 2, 3, 4, 5`)
  return [...rows].map(({ unit, code, centre, staff, transfer, amounts: own, missing }) => ({
    unit,
    codeId: code,
    centreId: centre,
    isStaff: staff,
    transfer,
    amounts: own,
    missing,
  }))
}

/** What the years of the buckets begin with. Years before are read once, however many buckets they are before. */
async function carriedOf(tx: OrganisationTx, organisationId: number, buckets: readonly Bucket[]): Promise<Carried> {
  const before = new Map<string, number[]>()
  const opened = new Map<string, number[]>()
  const push = (map: Map<string, number[]>, key: string, unit: number): void => void map.set(key, [...(map.get(key) ?? []), unit])
  for (const [unit, { of }] of buckets.entries())
    for (const one of of) {
      push(opened, one.budget.id, unit)
      for (let year = 0; year < indexOf(one); year++) push(before, `${one.budget.id} ${year}`, unit)
    }
  // Budgets and years that are before the same buckets add up together.
  const setOf = new Map<string, number>()
  const sets: number[][] = []
  const setFor = (units: number[]): number => {
    const key = units.join()
    const known = setOf.get(key) ?? sets.push(units) - 1
    setOf.set(key, known)
    return known
  }
  const wanted = [...before].map(([key, units]) => ({ id: key.slice(0, 24), year: Number(key.slice(25)), set: setFor(units) }))
  const sums = wanted.length
    ? await tx.execute<{ set: number; code: number | null; staff: boolean; total: number; missing: number }>(sql`
        select wanted.set, line.budget_code_id as code, line.source_kind in ('contract', 'levy') as staff, sum(line.total)::float8 as total,
          sum(line.missing)::integer as missing
        from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(id char(24), year smallint, set integer)
        join budget_lines line on line.organisation_id = ${organisationId} and line.budget_id = wanted.id and line.year = wanted.year
        group by 1, 2, 3`)
    : []
  const openings = await tx.execute<{ id: string; type: number; value: number }>(sql`
    select budget_id as id, (item ->> 'type')::integer as type, sum((item ->> 'value')::bigint)::float8 as value from budget_items
    where organisation_id = ${organisationId} and kind = 'balance' and budget_id = any(${documentIds([...opened.keys()])}) group by 1, 2`)
  return {
    before: [...sums].flatMap(({ set, code, staff, total, missing }) =>
      sets[set]!.map((unit) => ({ unit, codeId: code, isStaff: staff, total, missing })),
    ),
    openings: [...openings].flatMap(({ id, type, value }) => opened.get(id)!.map((unit) => ({ unit, type, value }))),
  }
}

const schemeFields = ['', 'cfrCodeId', 'gagCodeId', 'acoaCodeId', 'customCodeId'] as const

/** The budget codes as reports name and place them, in the words of the location where there is only one. */
async function codesOf(tx: OrganisationTx, locationId: number | null, scheme: number): Promise<Map<number, ReportCode>> {
  const words = locationId === null ? new Map<number, string>() : await altDescriptionsOf(tx, resources.budgetCode, locationId)
  const reporting = new Map((await rowsOf(tx, resources.financialReportingCode)).map((record) => [record.id, record]))
  const field = schemeFields[scheme]
  return new Map(
    (await rowsOf(tx, resources.budgetCode)).map((record) => {
      const group = field ? reporting.get(record[field] ?? -1) : undefined
      return [
        record.id,
        {
          id: record.id,
          code: record.code,
          description: words.get(record.id) ?? record.altDescription ?? record.description,
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

async function centresOf(tx: OrganisationTx, locationId: number | null): Promise<ReportFacts['centres']> {
  const words = locationId === null ? new Map<number, string>() : await altDescriptionsOf(tx, resources.costCentre, locationId)
  return new Map(
    (await rowsOf(tx, resources.costCentre)).map(({ id, code, altDescription, description }) => [
      id,
      { code, description: words.get(id) ?? altDescription ?? description },
    ]),
  )
}

/** Contracts, entries, transfers and levies of which some figure that the report needs could not be calculated (behaviour B-242). */
async function notCalculatedOf(
  tx: OrganisationTx,
  organisationId: number,
  buckets: readonly Bucket[],
  narrowed: Narrowed,
  { hasBalances, codes }: { hasBalances: boolean; codes: ReportFacts['codes'] },
): Promise<number> {
  const years = new Map<string, Set<number>>()
  for (const one of buckets.flatMap(({ of }) => of)) {
    const own = years.get(one.budget.id) ?? new Set()
    // A balance is without what the years before it are without.
    for (let year = hasBalances ? 0 : indexOf(one); year <= indexOf(one); year++) own.add(year)
    years.set(one.budget.id, own)
  }
  const wanted = [...years].flatMap(([id, own]) => [...own].map((year) => ({ id, year })))
  // What is carried between years stands in no figure.
  const carried = [...codes.values()].filter((code) => code.facts.category === budgetCodeCategory.balance).map((code) => code.id)
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(distinct (line.budget_id, line.source_kind, line.source_id))::integer as count
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(id char(24), year smallint)
    join budget_lines line on line.organisation_id = ${organisationId} and line.budget_id = wanted.id and line.year = wanted.year
      and line.missing > 0 and (line.budget_code_id is null or line.budget_code_id <> all(${sql.param(`{${carried.join(',')}}`)}::integer[]))
      ${narrowedTo(narrowed)}`)
  return row!.count
}

import { type SQL, sql } from 'drizzle-orm'
import { canSeeStaff, type PermissionHolder } from '../../../domain/people/permissions.ts'
import {
  findKeysToHide,
  findKeysToMerge,
  findPeopleWithDifferentPay,
  type KeyWithPeople,
  minimumPeopleShown,
} from '../../../domain/reports/fewPeople.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { DomainError } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import { buildDocumentIdArray, buildIntegerArray } from '../../resources/listConditions.ts'

/** The caller who reads figures, with their permissions. */
export interface FiguresReader {
  organisationId: OrganisationId
  holder: PermissionHolder
}

const nothing: ReadonlySet<number | null> = new Set()

/** The months of contract lines with the people paid in them. A vacant contract counts as one person. */
const paidMonths = sql`budget_lines line
    cross join lateral unnest(line.amounts) with ordinality as month (amount, number)
    left join staff_contracts contract on contract.organisation_id = line.organisation_id and contract.budget_id = line.budget_id
      and contract.id = line.source_id`
const payee = sql`coalesce(contract.staff_id::text, line.source_id)`

function contractLines(organisationId: OrganisationId, budgetIds: readonly BudgetId[]): SQL {
  return sql`line.organisation_id = ${organisationId} and line.budget_id = any(${buildDocumentIdArray(budgetIds)}) and line.source_kind = 'contract'`
}

/**
 * The codes of some budgets whose pay must not be shown separately: they are the pay of one or two people in some month, or would reveal
 * such a code by subtraction. Empty for callers who may see staff. By our own choice, each budget is checked by itself; differences between
 * two budgets are checked where they are compared.
 * @throws DomainError 403 for a budget whose total staff cost would reveal the pay of one or two people
 */
export async function readHiddenCodes(call: Call & FiguresReader, budgetIds: readonly BudgetId[]): Promise<ReadonlySet<number | null>> {
  if (canSeeStaff(call.holder) || !budgetIds.length) return nothing
  const { codes, budgets } = await findFewPeople(call, budgetIds)
  if (budgets.size)
    throw fewPeopleError(
      'This budget pays fewer than three people in some months. Choose another budget, or ask someone who can view staff.',
    )
  return codes
}

/**
 * Refuses to show a single budget code if it would reveal the pay of one or two people.
 * @param code null for the total of all codes
 * @throws DomainError 403; as `readHiddenCodes`
 */
export async function refuseCodeOfFewPeople(
  call: Call & FiguresReader,
  budgetIds: readonly BudgetId[],
  code: number | null,
): Promise<void> {
  if (code !== null && (await readHiddenCodes(call, budgetIds)).has(code))
    throw fewPeopleError(
      'This budget code would reveal what fewer than three people are paid. Choose another, or ask someone who can view staff.',
    )
  if (code === null) await readHiddenCodes(call, budgetIds)
}

/**
 * SQL to read ledger lines from, in place of `actual_lines`. A ledger may have one line for each person, so unless the caller may see
 * staff, the lines of each import are combined for codes with pay in the given budgets.
 */
export async function buildVisibleActualLines(call: Call & FiguresReader, budgetIds: readonly BudgetId[]): Promise<SQL> {
  if (canSeeStaff(call.holder)) return sql`actual_lines`
  const { tx, organisationId } = call
  const rows = await tx.execute<{ code: number }>(sql`
    select distinct line.budget_code_id as code from budget_lines line
    where ${contractLines(organisationId, budgetIds)} and line.budget_code_id is not null`)
  const isPay = sql`budget_code_id = any(${buildIntegerArray([...rows].map(({ code }) => code))})`
  const unless = (column: SQL): SQL => sql`case when not ${isPay} then ${column} end`
  return sql`(select organisation_id, location_id, year, month, type, budget_code_id, version, case when ${isPay} then 0 else line end as line,
      ${unless(sql`description`)} as description, ${unless(sql`cost_centre_id`)} as cost_centre_id, ${unless(sql`fund_code_id`)} as fund_code_id,
      sum(value) as value
    from actual_lines where organisation_id = ${organisationId} group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)`
}

/** The budgets whose total staff cost would reveal the pay of one or two people. Empty for callers who may see staff. */
export async function findBudgetsOfFewPeople(call: Call & FiguresReader, budgetIds: readonly BudgetId[]): Promise<ReadonlySet<BudgetId>> {
  return canSeeStaff(call.holder) || !budgetIds.length ? new Set() : (await findFewPeople(call, budgetIds)).budgets
}

const fewPeopleError = (message: string): DomainError => new DomainError('forbidden', 'fewPeople', message)

interface FewPeople {
  codes: Set<number | null>
  /** Budgets in which only one or two people are paid in some month. */
  budgets: Set<BudgetId>
}

/** The codes of some budgets whose pay must not be shown separately in documents without names. The same for every caller. */
export async function findCodesOfFewPeopleInBudgets(
  call: Call<'organisationId'>,
  budgetIds: readonly BudgetId[],
): Promise<ReadonlySet<number | null>> {
  return (await findFewPeople(call, budgetIds)).codes
}

async function findFewPeople({ tx, organisationId }: Call<'organisationId'>, budgetIds: readonly BudgetId[]): Promise<FewPeople> {
  const rows = await tx.execute<{ budgetId: BudgetId; at: string; code: number | null; people: string[] }>(sql`
    select line.budget_id as "budgetId", line.budget_id || ' ' || line.year || ' ' || month.number as at, line.budget_code_id as code,
      array_agg(distinct ${payee}) as people
    from ${paidMonths}
    where ${contractLines(organisationId, budgetIds)} and month.amount <> 0
    group by 1, 2, 3`)
  const months = new Map<string, { budgetId: BudgetId; codes: KeyWithPeople<number | null>[] }>()
  for (const { budgetId, at, code, people } of rows) {
    const month = months.get(at) ?? { budgetId, codes: [] }
    months.set(at, month)
    month.codes.push({ key: code, people: new Set(people) })
  }
  const all = [...months.values()]
  const isFewInAll = ({ codes }: (typeof all)[number]): boolean =>
    new Set(codes.flatMap(({ people }) => [...people])).size < minimumPeopleShown
  return {
    codes: new Set(all.flatMap(({ codes }) => [...findKeysToMerge(codes)])),
    budgets: new Set(all.filter(isFewInAll).map(({ budgetId }) => budgetId)),
  }
}

/** The columns, other than the budget code, by which a budget's figures are shown. */
const codings = { costCentre: sql`line.cost_centre_id`, fundCode: sql`line.fund_code_id` } as const

/**
 * The cost centres or fund codes whose pay must not be shown separately, because together with the totals by code it would reveal the pay
 * of one or two people. Pay of hidden codes is left out, because it is not shown by cost centre or fund code.
 * @param codes the hidden codes
 */
export async function findHiddenCodings(
  { tx, organisationId }: Call<'organisationId'>,
  budgetIds: readonly BudgetId[],
  { by, codes }: { by: keyof typeof codings; codes: ReadonlySet<number | null> },
): Promise<Set<number | null>> {
  const rows = await tx.execute<{ code: number | null; centre: number | null; fund: number | null; people: number }>(sql`
    select code, centre, fund, min(people)::integer as people from (
      select line.budget_code_id as code, line.cost_centre_id as centre, line.fund_code_id as fund, count(distinct ${payee}) as people
      from ${paidMonths}
      where ${contractLines(organisationId, budgetIds)} and month.amount <> 0
      group by line.budget_id, line.year, month.number, 1, 2, 3) as months
    group by 1, 2, 3`)
  const shownRows = [...rows].filter(({ code }) => !codes.has(code))
  return findKeysToHide(
    shownRows.map(({ code, centre, fund, people }) => ({
      code,
      key: by === 'costCentre' ? centre : fund,
      isFew: people < minimumPeopleShown,
    })),
  )
}

/**
 * Whether a condition selects only part of the pay of a code, or of the hidden codes together: the remainder could be one person's pay.
 * @param codes the hidden codes
 * @param narrowed a condition on `line` and its `code`
 */
export async function selectsPartOfPay(
  { tx, organisationId }: Call<'organisationId'>,
  budgetIds: readonly BudgetId[],
  { codes, narrowed }: { codes: ReadonlySet<number | null>; narrowed: SQL },
): Promise<boolean> {
  const rows = await tx.execute<{ budgetId: BudgetId; code: number | null; all: number; taken: number }>(sql`
    select line.budget_id as "budgetId", line.budget_code_id as code, count(*)::integer as all,
      count(*) filter (where true ${narrowed})::integer as taken
    from budget_lines line left join budget_codes code on code.id = line.budget_code_id
    where ${contractLines(organisationId, budgetIds)}
    group by 1, 2`)
  const blocks = new Map<string, { all: number; taken: number }>()
  for (const { budgetId, code, all, taken } of rows) {
    const key = `${budgetId} ${codes.has(code) ? 'few' : code}`
    const block = blocks.get(key) ?? { all: 0, taken: 0 }
    blocks.set(key, { all: block.all + all, taken: block.taken + taken })
  }
  return [...blocks.values()].some(({ all, taken }) => taken > 0 && taken < all)
}

/** What each person in a budget is paid under a code in a calendar year. */
type PayOfCode = Map<string, number | null>

/**
 * The codes that must be combined when budgets are compared: two budgets of a school differ by the pay of one or two
 * people in some year, or would reveal such a code by subtraction. None for callers who may see staff.
 * @throws DomainError 403 if two budgets of a school differ in total by the pay of one or two people
 */
export async function findCombinedCodes(call: Call & FiguresReader, budgetIds: readonly BudgetId[]): Promise<Set<number | null>> {
  const { tx, organisationId, holder } = call
  if (canSeeStaff(holder) || budgetIds.length < 2) return new Set()
  const rows = await tx.execute<{
    locationId: LocationId
    budgetId: BudgetId
    year: number
    code: number | null
    personKey: string
    pay: number | null
  }>(sql`
    select budget.location_id as "locationId", budget.id as "budgetId", (budget.head ->> 'firstYear')::integer + line.year as year,
      line.budget_code_id as code, coalesce(contract.staff_id::text, contract.contract_name, line.source_id) as "personKey", case when sum(line.missing) = 0 then sum(line.total)::float8 end as pay
    from budgets budget
    join budget_lines line on line.organisation_id = budget.organisation_id and line.budget_id = budget.id
    left join staff_contracts contract on contract.organisation_id = line.organisation_id and contract.budget_id = line.budget_id
      and contract.id = line.source_id
    where ${contractLines(organisationId, budgetIds)}
    group by 1, 2, 3, 4, 5`)
  /** By school and year, then by budget and code. */
  const years = new Map<string, Map<BudgetId, Map<number | null, PayOfCode>>>()
  for (const { locationId, budgetId, year, code, personKey, pay } of rows) {
    const budgets = getOrCreate(years, `${locationId} ${year}`, () => new Map<BudgetId, Map<number | null, PayOfCode>>())
    const codes = getOrCreate(budgets, budgetId, () => new Map<number | null, PayOfCode>())
    getOrCreate(codes, code, (): PayOfCode => new Map()).set(personKey, pay)
  }
  const found = new Set<number | null>()
  for (const budgets of years.values()) {
    const all = [...budgets.values()]
    for (const [index, one] of all.entries())
      for (const other of all.slice(index + 1)) {
        const differing = [...new Set([...one.keys(), ...other.keys()])].map((code) => ({
          key: code,
          people: findPeopleWithDifferentPay(one.get(code) ?? new Map(), other.get(code) ?? new Map()),
        }))
        const people = new Set(differing.flatMap((code) => [...code.people]))
        if (people.size > 0 && people.size < minimumPeopleShown)
          throw fewPeopleError(
            'Two of these budgets differ by the pay of fewer than three people, so comparing them would reveal it. Ask someone who can view staff.',
          )
        for (const code of findKeysToMerge(differing)) found.add(code)
      }
  }
  return found
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

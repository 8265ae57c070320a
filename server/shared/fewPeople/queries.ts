import { type SQL, sql } from 'drizzle-orm'
import { canSeeStaff, type PermissionHolder } from '../../../domain/people/permissions.ts'
import {
  findKeysToHide,
  findKeysToMerge,
  findPeopleWithDifferentPay,
  type KeyWithPeople,
  minimumPeople,
} from '../../../domain/reports/fewPeople.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { DomainError } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import { documentIds, integers } from '../../resources/listConditions.ts'

/** Who reads figures, with all that they may. */
export interface StaffReader {
  organisationId: OrganisationId
  holder: PermissionHolder
}

const nothing: ReadonlySet<number | null> = new Set()

/** The months of contract lines with who is paid in them; a contract that nobody holds yet counts as somebody's. */
const paidMonths = sql`budget_lines line
    cross join lateral unnest(line.amounts) with ordinality as month (amount, number)
    left join staff_contracts contract on contract.organisation_id = line.organisation_id and contract.budget_id = line.budget_id
      and contract.id = line.source_id`
const payee = sql`coalesce(contract.staff_id::text, line.source_id)`

function contractLines(organisationId: OrganisationId, budgetIds: readonly BudgetId[]): SQL {
  return sql`line.organisation_id = ${organisationId} and line.budget_id = any(${documentIds(budgetIds)}) and line.source_kind = 'contract'`
}

/**
 * The budget codes of some budgets that are not told by themselves: they are the pay of one or two people in some month, or would give such a code
 * away. None for those who may see staff. *Choice*: each budget is told by itself; what lies between two is guarded where they are compared.
 * @throws DomainError 403 for a budget whose staff cost as a whole would tell what one or two people are paid
 */
export async function codesNotTold(call: Call & StaffReader, budgetIds: readonly BudgetId[]): Promise<ReadonlySet<number | null>> {
  if (canSeeStaff(call.holder) || !budgetIds.length) return nothing
  const { codes, budgets } = await fewIn(call, budgetIds)
  if (budgets.size)
    throw fewPeopleError(
      'This budget pays fewer than three people in some months. Choose another budget, or ask somebody who may see staff.',
    )
  return codes
}

/**
 * Refuses what is told of one budget code alone, where it would tell what one or two people are paid.
 * @param code null: of all of them together
 * @throws DomainError 403; as `codesNotTold`
 */
export async function refuseCodeOfFew(call: Call & StaffReader, budgetIds: readonly BudgetId[], code: number | null): Promise<void> {
  if (code !== null && (await codesNotTold(call, budgetIds)).has(code))
    throw fewPeopleError(
      'This budget code would reveal what fewer than three people are paid. Choose another, or ask somebody who may see staff.',
    )
  if (code === null) await codesNotTold(call, budgetIds)
}

/**
 * The lines of ledgers to read in the place of `actual_lines`: a ledger may have a line for each person, so those of the codes that some budgets pay
 * people by are one sum for each import, but for those who may see staff.
 */
export async function toldActualLines(call: Call & StaffReader, budgetIds: readonly BudgetId[]): Promise<SQL> {
  if (canSeeStaff(call.holder)) return sql`actual_lines`
  const { tx, organisationId } = call
  const rows = await tx.execute<{ code: number }>(sql`
    select distinct line.budget_code_id as code from budget_lines line
    where ${contractLines(organisationId, budgetIds)} and line.budget_code_id is not null`)
  const isPay = sql`budget_code_id = any(${integers([...rows].map(({ code }) => code))})`
  const unless = (column: SQL): SQL => sql`case when not ${isPay} then ${column} end`
  return sql`(select organisation_id, location_id, year, month, type, budget_code_id, version, case when ${isPay} then 0 else line end as line,
      ${unless(sql`description`)} as description, ${unless(sql`cost_centre_id`)} as cost_centre_id, ${unless(sql`fund_code_id`)} as fund_code_id,
      sum(value) as value
    from actual_lines where organisation_id = ${organisationId} group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)`
}

/** Those of some budgets whose staff cost as a whole would tell what one or two people are paid. None for those who may see staff. */
export async function budgetsOfFew(call: Call & StaffReader, budgetIds: readonly BudgetId[]): Promise<ReadonlySet<BudgetId>> {
  return canSeeStaff(call.holder) || !budgetIds.length ? new Set() : (await fewIn(call, budgetIds)).budgets
}

const fewPeopleError = (message: string): DomainError => new DomainError('forbidden', 'fewPeople', message)

interface OfFew {
  codes: Set<number | null>
  /** Budgets all of whose pay is, in some month, that of one or two people. */
  budgets: Set<BudgetId>
}

/** The budget codes of some budgets that are not told by themselves where nobody may be named, whoever asks. */
export async function codesOfFew(call: Call<'organisationId'>, budgetIds: readonly BudgetId[]): Promise<ReadonlySet<number | null>> {
  return (await fewIn(call, budgetIds)).codes
}

async function fewIn({ tx, organisationId }: Call<'organisationId'>, budgetIds: readonly BudgetId[]): Promise<OfFew> {
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
  const isFewInAll = ({ codes }: (typeof all)[number]): boolean => new Set(codes.flatMap(({ people }) => [...people])).size < minimumPeople
  return {
    codes: new Set(all.flatMap(({ codes }) => [...findKeysToMerge(codes)])),
    budgets: new Set(all.filter(isFewInAll).map(({ budgetId }) => budgetId)),
  }
}

/** By what the figures of a budget are told beside its codes. */
const codings = { costCentre: sql`line.cost_centre_id`, fundCode: sql`line.fund_code_id` } as const

/**
 * The cost centres or fund codes of some budgets whose pay is not told by themselves, for the sums by code would give away what one or two people
 * are paid in them. The pay of codes that are not told stands under none.
 * @param codes that are not told
 */
export async function codingsNotTold(
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
  const told = [...rows].filter(({ code }) => !codes.has(code))
  return findKeysToHide(
    told.map(({ code, centre, fund, people }) => ({ code, key: by === 'costCentre' ? centre : fund, isFew: people < minimumPeople })),
  )
}

/**
 * Whether some lines take a part of the pay of a code, or of the codes that are not told: what the whole has more could be the pay of one person.
 * @param codes that are not told
 * @param narrowed which lines are meant, by `line` and its `code`
 */
export async function takesPartOfPay(
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

/** What the people of a budget are paid by a code in a calendar year. */
type PayOfCode = Map<string, number | null>

/**
 * The budget codes that are not told apart where budgets stand side by side: between two budgets of a school they differ by the pay of one or two
 * people in some year, or would give such a code away. None for those who may see staff.
 * @throws DomainError 403 where two budgets of a school differ as a whole by the pay of one or two people
 */
export async function codesNotCompared(call: Call & StaffReader, budgetIds: readonly BudgetId[]): Promise<Set<number | null>> {
  const { tx, organisationId, holder } = call
  if (canSeeStaff(holder) || budgetIds.length < 2) return new Set()
  const rows = await tx.execute<{
    locationId: LocationId
    budgetId: BudgetId
    year: number
    code: number | null
    who: string
    pay: number | null
  }>(sql`
    select budget.location_id as "locationId", budget.id as "budgetId", (budget.head ->> 'firstYear')::integer + line.year as year,
      line.budget_code_id as code, coalesce(contract.staff_id::text, contract.contract_name, line.source_id) as who, case when sum(line.missing) = 0 then sum(line.total)::float8 end as pay
    from budgets budget
    join budget_lines line on line.organisation_id = budget.organisation_id and line.budget_id = budget.id
    left join staff_contracts contract on contract.organisation_id = line.organisation_id and contract.budget_id = line.budget_id
      and contract.id = line.source_id
    where ${contractLines(organisationId, budgetIds)}
    group by 1, 2, 3, 4, 5`)
  /** By school and year, then by budget and code. */
  const years = new Map<string, Map<BudgetId, Map<number | null, PayOfCode>>>()
  for (const { locationId, budgetId, year, code, who, pay } of rows) {
    const budgets = entryOf(years, `${locationId} ${year}`, () => new Map<BudgetId, Map<number | null, PayOfCode>>())
    const codes = entryOf(budgets, budgetId, () => new Map<number | null, PayOfCode>())
    entryOf(codes, code, (): PayOfCode => new Map()).set(who, pay)
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
        if (people.size > 0 && people.size < minimumPeople)
          throw fewPeopleError(
            'Two of these budgets differ by the pay of fewer than three people, so comparing them would reveal it. Ask somebody who may see staff.',
          )
        for (const code of findKeysToMerge(differing)) found.add(code)
      }
  }
  return found
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const made = map.get(key) ?? make()
  map.set(key, made)
  return made
}

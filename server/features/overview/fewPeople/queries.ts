import { type SQL, sql } from 'drizzle-orm'
import type { BudgetId, OrganisationId } from '../../../../domain/ids.ts'
import { fewest, fewTogether, type Paid } from '../../../../domain/reports/fewPeople.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { documentIds } from '../../../resources/listConditions.ts'

/** By what the figures of a budget are told. */
const codings = { budgetCode: sql`line.budget_code_id`, costCentre: sql`line.cost_centre_id`, fundCode: sql`line.fund_code_id` } as const

/** What of some budgets is the pay of few people, in any of their months. */
export interface OfFew {
  /** Codes that are not told by themselves: they are the pay of one or two people, or would give such a code away. */
  codes: ReadonlySet<number | null>
  /** Whether all of it together is, in some month, the pay of one or two. */
  isFewInAll: boolean
}

/**
 * What is kept from those who may not see staff.
 * @param narrowed which lines are meant, by `line` and its `code`; left out: all of them
 */
export async function codesOfFew(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { budgetIds, by, narrowed = sql`` }: { budgetIds: readonly BudgetId[]; by: keyof typeof codings; narrowed?: SQL },
): Promise<OfFew> {
  // A contract that nobody holds yet counts as somebody's.
  const rows = await tx.execute<{ at: string; code: number | null; people: string[] }>(sql`
    select line.budget_id || ' ' || line.year || ' ' || month.number as at, ${codings[by]} as code,
      array_agg(distinct coalesce(contract.staff_id::text, line.source_id)) as people
    from budget_lines line
    cross join lateral unnest(line.amounts) with ordinality as month (amount, number)
    left join staff_contracts contract on contract.organisation_id = line.organisation_id and contract.budget_id = line.budget_id
      and contract.id = line.source_id
    left join budget_codes code on code.id = line.budget_code_id
    where line.organisation_id = ${organisationId} and line.budget_id = any(${documentIds(budgetIds)}) and line.source_kind = 'contract'
      and month.amount <> 0 ${narrowed}
    group by 1, 2`)
  const months = new Map<string, Paid<number | null>[]>()
  for (const { at, code, people } of rows) months.set(at, [...(months.get(at) ?? []), { key: code, people: new Set(people) }])
  const all = [...months.values()]
  return {
    codes: new Set(all.flatMap((codes) => [...fewTogether(codes)])),
    isFewInAll: all.some((codes) => new Set(codes.flatMap(({ people }) => [...people])).size < fewest),
  }
}

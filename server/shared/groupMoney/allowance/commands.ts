import { postEmploymentAllowance } from '../../../../domain/budget/sharedLines.ts'
import { divideClaim } from '../../../../domain/calculation/allowanceClaim.ts'
import {
  addUnknownTaxYears,
  clearAllowanceAmounts,
  type EmploymentAllowance,
  hasKnownAllowance,
} from '../../../../domain/calculation/employmentAllowance.ts'
import { engineVersion } from '../../../../domain/calculation/engine.ts'
import { joinYears } from '../../../../domain/calculation/staffing/posting.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../../domain/values/canonicalJson.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { GroupRow } from '../../../streams/budget/groupMembers.ts'
import { readSourceLines, writeChangedLines } from '../../../streams/budget/lines.ts'
import { lockBudgets } from '../../../streams/budget/queries.ts'
import { commitToEachBudget } from '../../../streams/budget/stream.ts'
import { listBudgetMonths, readClaimants, readDatedAllowances } from './queries.ts'

/** The value for a budget outside any group, or whose group claims no allowance. */
const noAllowance: EmploymentAllowance = { engine: engineVersion, budgetCodeId: null, costCentreId: null, years: [], problems: [] }

const isNone = (allowance: EmploymentAllowance | null): boolean => !allowance?.years.length && !allowance?.problems.length

/**
 * Calculates the Employment Allowance that a group claims and posts it in its central budgets. If the group claims none, removes the
 * allowance from its open budgets (rules.md §7). Locked budgets keep their lines.
 */
export async function postGroupAllowance(call: Call<'organisationId' | 'actor'>, group: GroupRow): Promise<void> {
  const { tx, organisationId } = call
  if (!group.budgetIds.length) return
  const found = await lockBudgets(tx, organisationId, group.budgetIds)
  const rows = group.budgetIds.flatMap((id) => found.find((row) => row.id === id) ?? [])
  const { claimsEmploymentAllowance: isClaimed, allowanceBudgetCodeId: budgetCodeId, allowanceCostCentreId: costCentreId } = group
  const claims = isClaimed
    ? divideClaim(await readClaimants(tx, organisationId, rows), { amounts: await readDatedAllowances(tx), hasCode: budgetCodeId !== null })
    : rows.map(() => noAllowance)
  const given = rows.flatMap((row, index) => {
    const { years, problems } = assertDefined(claims[index])
    const coding = years.length ? { budgetCodeId, costCentreId } : { budgetCodeId: null, costCentreId: null }
    return row.head.locked ? [] : [{ row, allowance: { engine: engineVersion, ...coding, years, problems } }]
  })
  await storeAllowances(call, given)
}

/** Stores and posts changed parts of the allowance in open budgets, which the caller has locked. */
async function storeAllowances(
  call: Call<'organisationId' | 'actor'>,
  given: readonly { row: BudgetRow; allowance: EmploymentAllowance }[],
): Promise<void> {
  const others = given.filter(
    ({ row: { employmentAllowance: before }, allowance }) =>
      !(isNone(before) && isNone(allowance)) && canonicalJson(before) !== canonicalJson(allowance),
  )
  if (!others.length) return
  const standing = await readSourceLines(call, 'employmentAllowance', { budgetIds: others.map(({ row }) => row.id) })
  await commitToEachBudget(
    call,
    others.map(({ row, allowance }) => ({ row, event: { type: 'EmploymentAllowancePosted', data: allowance } })),
  )
  const posted = new Map(others.map(({ row, allowance }) => [row.id, [toPostedAllowance(row, allowance)]]))
  await writeChangedLines(call, 'employmentAllowance', { posted, stored: standing })
}

const toPostedAllowance = (row: BudgetRow, allowance: EmploymentAllowance | null) => ({
  sourceId: row.id,
  lines: joinYears(postEmploymentAllowance(row.head, allowance)),
})

/** Marks the allowance of open budgets, which the caller has locked, as unknown until their group is recalculated. */
export function withdrawAllowances(call: Call<'organisationId' | 'actor'>, rows: readonly BudgetRow[]): Promise<void> {
  return storeAllowances(
    call,
    rows.flatMap((row) => {
      const { employmentAllowance: allowance } = row
      return allowance && hasKnownAllowance(allowance) ? [{ row, allowance: clearAllowanceAmounts(allowance) }] : []
    }),
  )
}

/**
 * Removes the allowance from open budgets, which the caller has locked, because they leave the group that claims it.
 */
export function removeAllowances(call: Call<'organisationId' | 'actor'>, rows: readonly BudgetRow[]): Promise<void> {
  return storeAllowances(
    call,
    rows.map((row) => ({ row, allowance: noAllowance })),
  )
}

/** Marks tax years that start in added years of a budget as not calculated. The caller has locked its row. */
export async function markAddedAllowanceYears(call: Call<'organisationId' | 'actor'>, row: BudgetRow): Promise<void> {
  const { employmentAllowance: allowance, head } = row
  if (allowance?.years.length) await storeAllowances(call, [{ row, allowance: addUnknownTaxYears(allowance, listBudgetMonths(head)) }])
}

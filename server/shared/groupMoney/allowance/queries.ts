import { and, eq, inArray, sql } from 'drizzle-orm'
import { listEmploymentAllowanceMonths } from '../../../../domain/budget/sharedLines.ts'
import type { Claimant, DatedAllowance } from '../../../../domain/calculation/allowanceClaim.ts'
import { listClaimedYears } from '../../../../domain/calculation/employmentAllowance.ts'
import type { Figure } from '../../../../domain/calculation/inputs.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { type Day, listBudgetPeriods, toDay } from '../../../../domain/values/calendar.ts'
import { toPennies } from '../../../../domain/values/format.ts'
import type { BudgetGroupId, BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import type { GroupRow } from '../../../streams/budget/groupMembers.ts'
import { completeMonthSums } from '../../../streams/budget/monthSums.ts'

/** The Employment Allowance from the national table. */
export async function readDatedAllowances(tx: OrganisationTx): Promise<DatedAllowance[]> {
  const rows = await readResourceRecords(tx, resources.employmentAllowance)
  return rows.map(({ effectiveDate, amount }) => ({ from: toDay(effectiveDate), amount: toPennies(amount) }))
}

/** The first days of a budget's months. */
export const listBudgetMonths = ({ firstYear, numberOfYears, startMonth }: BudgetRow['head']): Day[] =>
  listBudgetPeriods(firstYear, numberOfYears, startMonth).map(({ first }) => first)

/** The budgets of a group in the order in which its claim is divided among them. */
export async function readClaimants(tx: OrganisationTx, organisationId: OrganisationId, rows: readonly BudgetRow[]): Promise<Claimant[]> {
  const locations = await readResourceRecords(tx, resources.location)
  const central = new Set(locations.filter((location) => location.central).map(({ id }) => id))
  const insurance = await readInsurance(tx, organisationId, rows)
  return rows.map(({ id, name, head, employmentAllowance: allowance }) => ({
    name,
    locationId: head.locationId,
    isCentral: central.has(head.locationId),
    isLocked: head.locked,
    months: listBudgetMonths(head),
    ni: assertDefined(insurance.get(id)),
    lines: allowance ? listEmploymentAllowanceMonths(head, allowance) : listBudgetMonths(head).map(() => 0),
  }))
}

/** The employer national insurance of budgets by month over all their years, in whole pennies; null if a contract is not calculated. */
async function readInsurance(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  rows: readonly Pick<BudgetRow, 'id' | 'head'>[],
): Promise<Map<BudgetId, Figure[]>> {
  const insurance = new Map(rows.map(({ id, head }) => [id, Array<Figure>(head.numberOfYears * 12).fill(0)]))
  const ids = sql.param(`{${[...insurance.keys()].join(',')}}`)
  const sums = await tx.execute<{ id: BudgetId; year: number; months: Figure[] }>(sql`
    select budget_id as id, year, ${completeMonthSums} as months from budget_lines
    where organisation_id = ${organisationId} and budget_id = any(${ids}::char(24)[]) and source_kind = 'contract' and component = 'ni'
    group by 1, 2`)
  for (const { id, year, months } of sums) insurance.get(id)?.splice(year * 12, 12, ...months)
  return insurance
}

/**
 * For each group, a sentence about other groups that also claim the allowance of a tax year (rules.md §7).
 * @param groups all groups of the organisation, in order of name
 */
export async function describeRivalClaims(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  groups: readonly GroupRow[],
): Promise<Map<BudgetGroupId, string[]>> {
  const claiming = groups.filter(({ claimsEmploymentAllowance }) => claimsEmploymentAllowance)
  const rivals = new Map<BudgetGroupId, string[]>(claiming.map(({ id }) => [id, []]))
  const ids = claiming.flatMap(({ budgetIds }) => budgetIds)
  if (claiming.length < 2 || !ids.length) return rivals
  const heads = await tx
    .select({ id: budgets.id, head: budgets.head })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, ids)))
  const claimed = claiming.map(({ budgetIds, ...group }) => ({
    ...group,
    years: listClaimedYears(heads.filter(({ id }) => budgetIds.includes(id)).flatMap(({ head }) => listBudgetMonths(head))),
  }))
  for (const [index, one] of claimed.entries())
    for (const other of claimed.slice(index + 1)) {
      const year = one.years.find((candidateYear) => other.years.includes(candidateYear))
      if (year === undefined) continue
      const sentence = `The groups ${one.name} and ${other.name} both claim the Employment Allowance for the tax year from April ${year}. An employer can claim it only once.`
      for (const { id } of [one, other]) assertDefined(rivals.get(id)).push(sentence)
    }
  return rivals
}

/**
 * The problems with a budget's Employment Allowance.
 * @param groups all groups of the organisation, in order of name
 */
export async function findAllowanceProblems(
  tx: OrganisationTx,
  { organisationId, id, employmentAllowance }: BudgetRow,
  groups: readonly GroupRow[],
): Promise<string[]> {
  const groupOfBudget = groups.find((group) => group.budgetIds.includes(id))
  const rivals = groupOfBudget && (await describeRivalClaims(tx, organisationId, groups)).get(groupOfBudget.id)
  return [...(employmentAllowance?.problems ?? []), ...(rivals ?? [])]
}

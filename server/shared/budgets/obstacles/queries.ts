import { and, eq, inArray, sql } from 'drizzle-orm'
import { type ApprovalFacts, findObstacles, lacksMaximumPoint, type Obstacle } from '../../../../domain/budget/obstacles.ts'
import type { Transfer } from '../../../../domain/calculation/nonStaffing/transfers.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetId, ContractId } from '../../../../domain/values/ids.ts'
import { conflict } from '../../../../domain/words/errors.ts'
import { budgetGroups, budgets } from '../../../../drizzle/schema.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { groupContainsCondition, selectGroups } from '../../../streams/budget/groupMembers.ts'
import { isUnlockedCondition, readRecalculationMark } from '../../../streams/budget/marks.ts'
import { countContracts, loadContracts } from '../../../streams/budget/queries.ts'
import { readCostSummaries } from '../../costing/costs/queries.ts'
import { readMonthlyGross } from '../../groupMoney/levy/queries.ts'
import { findPartyTable, readParties, readSliceRules } from '../../groupMoney/transfers/parties/queries.ts'

/** What prevents submitting, approving or locking a budget. */
export async function readObstacles(tx: OrganisationTx, row: BudgetRow): Promise<Obstacle[]> {
  const { organisationId, id: budgetId, head } = row
  const outOfDate = await readRecalculationMark(tx, organisationId, budgetId)
  const [group] = await selectGroups(tx, organisationId, groupContainsCondition(budgetId)).orderBy(budgetGroups.name)
  const facts: ApprovalFacts = {
    group: group?.name ?? null,
    outOfDate,
    ...(await readContractFacts(tx, row)),
    yearsWithoutEntries: await findYearsWithUnknownAmounts(tx, row, 'entry'),
    yearsWithoutAllowance: await findYearsWithUnknownAmounts(tx, row, 'employmentAllowance'),
    allowanceProblems: row.employmentAllowance?.problems ?? [],
    ...(await readLevyFacts(tx, row, group?.budgetIds ?? [])),
    ...(await readTransferFacts(tx, row)),
    transferProblems: row.transfers?.problems ?? [],
  }
  return findObstacles(head, facts)
}

/**
 * Refuses to submit, approve or lock a budget while anything prevents it.
 * @throws DomainError 409 with a sentence for each obstacle
 */
export async function refuseWithObstacles(tx: OrganisationTx, row: BudgetRow): Promise<void> {
  const found = (await readObstacles(tx, row)).filter(({ isRefused }) => isRefused)
  const [first] = found
  if (first) throw conflict(first.code, found.map(({ sentence }) => sentence).join(' '))
}

async function readContractFacts(
  tx: OrganisationTx,
  { organisationId, id: budgetId, head }: BudgetRow,
): Promise<Pick<ApprovalFacts, 'contractsNotCalculated' | 'contractsWithoutMaximum'>> {
  const costs = await readCostSummaries({ tx, organisationId, budgetId })
  const unknown = [...costs.values()].filter((cost) => cost.problems.length || cost.yearTotals.includes(null)).length
  const uncosted = (await countContracts(tx, organisationId, budgetId)) - costs.size
  const suspects = await tx.execute<{ id: ContractId }>(sql`
    select id from staff_contracts where organisation_id = ${organisationId} and budget_id = ${budgetId}
      and contract -> 'maximumScalePoint' = 'null' and contract @? '$.salary[*].scalePoint ? (@ != null)'`)
  if (!suspects.length) return { contractsNotCalculated: unknown + uncosted, contractsWithoutMaximum: 0 }
  const highest = new Map<string, number>()
  for (const { scale, increment } of await readResourceRecords(tx, resources.payScalePoint))
    highest.set(scale, Math.max(increment, highest.get(scale) ?? 0))
  const contracts = await loadContracts(
    { tx, organisationId, budgetId },
    suspects.map(({ id }) => id),
  )
  return {
    contractsNotCalculated: unknown + uncosted,
    contractsWithoutMaximum: contracts.filter((contract) => lacksMaximumPoint(head, contract, highest)).length,
  }
}

/** The years in which lines from this kind of source have months that are not calculated. */
async function findYearsWithUnknownAmounts(
  tx: OrganisationTx,
  { organisationId, id }: BudgetRow,
  source: 'entry' | 'employmentAllowance',
): Promise<number[]> {
  const rows = await tx.execute<{ year: number }>(sql`
    select distinct year::integer as year from budget_lines
    where organisation_id = ${organisationId} and budget_id = ${id} and source_kind = ${source} and missing > 0 order by 1`)
  return rows.map(({ year }) => year)
}

/** The years in which some pay has no share of the levy allowance, and the other budgets of the group that cause this. */
async function readLevyFacts(
  tx: OrganisationTx,
  row: BudgetRow,
  budgetIds: readonly BudgetId[],
): Promise<Pick<ApprovalFacts, 'yearsWithoutLevy' | 'budgetsNotCalculated'>> {
  const { organisationId, id, head, levyShares } = row
  const beside = budgetIds.filter((other) => other !== id)
  const others = beside.length
    ? await tx
        .select({ id: budgets.id, name: budgets.name, head: budgets.head })
        .from(budgets)
        .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, beside), isUnlockedCondition))
    : []
  const gross = await readMonthlyGross(tx, organisationId, [row, ...others])
  const isWithout = (year: number): boolean =>
    assertDefined(gross.get(id))
      .slice(year * 12, year * 12 + 12)
      .some((pay, month) => pay !== null && pay > 0 && (levyShares?.[year * 12 + month] ?? null) === null)
  const yearsWithoutLevy = Array.from({ length: head.numberOfYears }, (_unused, year) => year).filter(isWithout)
  const budgetsNotCalculated = others.filter((other) => assertDefined(gross.get(other.id)).includes(null)).map(({ name }) => name)
  return { yearsWithoutLevy, budgetsNotCalculated }
}

/** The years in which a side of a pool or top slice is unknown, or a top slice required by the tables is not posted. */
async function readTransferFacts(
  tx: OrganisationTx,
  row: BudgetRow,
): Promise<Pick<ApprovalFacts, 'yearsWithoutPools' | 'yearsWithoutTopSlices'>> {
  const { organisationId, transfers, head } = row
  const posted = (transfers?.transfers ?? []).filter((side) => side.year < head.numberOfYears)
  const unknown = (kind: Transfer['kind']): number[] =>
    posted.filter((side) => side.kind === kind && side.amounts.includes(null)).map((side) => side.year)
  const notPosted: number[] = []
  for (const party of await readParties(tx, organisationId, [row])) {
    const table = findPartyTable(party, 'topSliceTables')
    if (table === undefined || party.isCentral || posted.some((side) => side.part === 'charge' && side.year === party.year)) continue
    const rules = await readSliceRules(tx, organisationId, table)
    if (rules.some((rule) => rule.locationId === party.locationId)) notPosted.push(party.year)
  }
  const inOrder = (years: readonly number[]): number[] => [...new Set(years)].sort((a, b) => a - b)
  return { yearsWithoutPools: inOrder(unknown('gagPool')), yearsWithoutTopSlices: inOrder([...unknown('topSlice'), ...notPosted]) }
}

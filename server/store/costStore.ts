import { and, eq, inArray, sql } from 'drizzle-orm'
import type { CostTotals, StaffContract } from '../../domain/budget/budget.ts'
import type { StoredEvent } from '../../domain/budget/events.ts'
import { engineVersion } from '../../domain/calculation/cost.ts'
import { costContracts, linesOf, type SharedInputs, yearTotals } from '../../domain/calculation/frozen.ts'
import type { ContractCost } from '../../domain/calculation/inputs.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { staffCosts } from '../../drizzle/costTables.ts'
import { type BudgetRow, commit, inputsNow, loadBudget, loadContracts } from './budgetStore.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { keepInputs } from './frozenStore.ts'
import { hashOf } from './hash.ts'
import { refreshLevy } from './levyStore.ts'
import { writeLines } from './lineStore.ts'

/** Adds up costings: totals of each year over what could be calculated, and how many contracts lack a figure. */
export function totalsOf(costs: Iterable<(number | null)[]>, years: number): CostTotals {
  const totals: CostTotals = { years: Array.from({ length: years }, () => 0), contracts: 0, notCalculated: 0 }
  for (const cost of costs) {
    const own = totals.years.map((_total, year) => cost[year] ?? null)
    totals.contracts++
    if (own.includes(null)) totals.notCalculated++
    totals.years = totals.years.map((total, year) => total + (own[year] ?? 0))
  }
  return totals
}

/**
 * What contracts cost in one year, from 0, as it stands: null where nothing could be calculated, with the number of contracts that the sum
 * is without. Years that were added since the last calculation have no figures yet.
 * @returns whole pennies
 */
export function yearOnRecord(
  costs: readonly (number | null)[][],
  contracts: number,
  year: number,
): { total: number | null; missing: number } {
  const known = costs.flatMap((cost) => cost[year] ?? [])
  return { total: known.length || !contracts ? known.reduce((sum, total) => sum + total, 0) : null, missing: contracts - known.length }
}

/** The hash of a result: over the costings by contract id. */
export function resultHash(costs: ReadonlyMap<string, ContractCost>): string {
  return hashOf([...costs].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What contracts came to, with the inputs they were costed with and why. */
export interface Costing {
  costs: ReadonlyMap<string, ContractCost>
  shared: SharedInputs
  /** The SHA-256 of the kept inputs. */
  inputs: string
  cause: 'saved' | 'group'
}

/** Writes costings, the lines they are posted to, and the event that records them. */
export async function storeCosts(
  tx: OrganisationTx,
  row: BudgetRow,
  contracts: readonly StaffContract[],
  { costs, shared, inputs, cause }: Costing,
  actor: Actor,
): Promise<{ event: StoredEvent; totals: CostTotals; result: string }> {
  const { organisationId, id: budgetId } = row
  const totals = totalsOf([...costs.values()].map(yearTotals), row.head.numberOfYears)
  const result = resultHash(costs)
  const data = { cause, contracts: cause === 'group' ? null : [...costs.keys()].sort(), inputs, engine: engineVersion, totals, result }
  const [event] = await commit(tx, row, [{ type: 'StaffContractsRecalculated', data }], actor)
  const values = [...costs].map(([contractId, costing]) => ({
    organisationId,
    budgetId,
    contractId,
    costing,
    yearTotals: yearTotals(costing),
    version: event!.version,
  }))
  for (let start = 0; start < values.length; start += 200)
    await tx
      .insert(staffCosts)
      .values(values.slice(start, start + 200))
      .onConflictDoUpdate({
        target: [staffCosts.organisationId, staffCosts.budgetId, staffCosts.contractId],
        set: { costing: sql`excluded.costing`, yearTotals: sql`excluded.year_totals`, version: sql`excluded.version` },
      })
  const posted = contracts.map((contract) => ({ sourceId: contract.id, lines: linesOf(contract, costs.get(contract.id)!, shared) }))
  await writeLines(tx, organisationId, budgetId, 'contract', posted, cause === 'group')
  await refreshLevy(tx, organisationId, budgetId)
  return { event: event!, totals, result }
}

/**
 * Recalculates the employees whose contracts were saved or deleted, together with their other contracts (calculation.md §16).
 * @param onlyIfDifferent nothing is recorded when the figures stay as they are
 */
export async function recalculateEmployees(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  employees: readonly (number | string)[],
  actor: Actor,
  onlyIfDifferent = false,
): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId)
  const all = await loadContracts(tx, organisationId, budgetId)
  const own = all.filter((contract) => employees.includes(contract.staffId ?? contract.id))
  if (!own.length) return refreshLevy(tx, organisationId, budgetId)
  const { shared, frozen } = await inputsNow(tx, organisationId, row.head, own)
  const inputs = await keepInputs(tx, organisationId, shared, { [budgetId]: frozen })
  const costs = costContracts(own, frozen, shared)
  if (onlyIfDifferent) {
    const kept = await costsOf(tx, organisationId, budgetId, [...costs.keys()])
    if ([...costs].every(([id, cost]) => canonicalJson(kept.get(id)?.costing) === canonicalJson(cost))) return
  }
  await storeCosts(tx, row, own, { costs, shared, inputs, cause: 'saved' }, actor)
}

/** Costs every contract of a budget with the inputs as they stand now. */
export async function recalculateAll(tx: OrganisationTx, organisationId: number, budgetId: string, actor: Actor): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId)
  const contracts = await loadContracts(tx, organisationId, budgetId)
  const { shared, frozen } = await inputsNow(tx, organisationId, row.head, contracts)
  const inputs = await keepInputs(tx, organisationId, shared, { [budgetId]: frozen })
  await storeCosts(tx, row, contracts, { costs: costContracts(contracts, frozen, shared), shared, inputs, cause: 'group' }, actor)
}

/** The costings on record, of a whole budget or of some contracts. */
export async function costsOf(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  ids?: readonly string[],
): Promise<Map<string, typeof staffCosts.$inferSelect>> {
  const rows = await tx
    .select()
    .from(staffCosts)
    .where(ofBudget(organisationId, budgetId, ids))
  return new Map(rows.map((row) => [row.contractId, row]))
}

/** What lists say of costings: totals of the years and problems, without the figures of each month. */
export async function costSummaries(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
): Promise<Map<string, { yearTotals: (number | null)[]; problems: ContractCost['problems'] }>> {
  const { contractId, yearTotals: totals, costing } = staffCosts
  const rows = await tx
    .select({ contractId, yearTotals: totals, problems: sql<ContractCost['problems']>`${costing} -> 'problems'` })
    .from(staffCosts)
    .where(ofBudget(organisationId, budgetId))
  return new Map(rows.map((row) => [row.contractId, row]))
}

function ofBudget(organisationId: number, budgetId: string, ids?: readonly string[]) {
  return and(
    eq(staffCosts.organisationId, organisationId),
    eq(staffCosts.budgetId, budgetId),
    ids ? inArray(staffCosts.contractId, ids.length ? [...ids] : ['']) : undefined,
  )
}

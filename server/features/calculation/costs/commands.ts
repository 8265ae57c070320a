import { sql } from 'drizzle-orm'
import type { CostTotals, StaffContract } from '../../../../domain/budget/budget.ts'
import type { StoredEvent } from '../../../../domain/budget/events.ts'
import { engineVersion } from '../../../../domain/calculation/cost.ts'
import { costContracts, linesOf, overYears, type SharedInputs, yearTotals } from '../../../../domain/calculation/frozen.ts'
import type { ContractCost } from '../../../../domain/calculation/inputs.ts'
import { canonicalJson } from '../../../../domain/canonicalJson.ts'
import { staffCosts } from '../../../../drizzle/costTables.ts'
import { commit } from '../../../core/budget/commit.ts'
import { writeLines } from '../../../core/budget/lines.ts'
import { markGroupOf } from '../../../core/budget/marks.ts'
import { type BudgetRow, contractsOfEmployees, loadBudget, loadContracts } from '../../../core/budget/queries.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { type Actor, readEvents } from '../../../core/events/eventLog.ts'
import { hashOf } from '../../../core/events/hash.ts'
import { keepInputs } from '../inputs/commands.ts'
import { inputsNow, readInputs } from '../inputs/queries.ts'
import { refreshLevy, withdrawLevy, withdrawLevyBeside } from '../levy/commands.ts'
import { grossOf } from '../levy/queries.ts'
import { costsOf, totalsOf } from './queries.ts'

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
  /**
   * What becomes of the shares of the levy allowance where the pay of some month is another: those of the whole group are taken back; or the
   * budget's own alone, as the run that it is part of shares the allowance out anew at its end; or they stay.
   */
  share: 'ifSamePay' | 'ofRun' | 'kept'
}

/** Writes costings, the lines they are posted to, and the event that records them. */
export async function storeCosts(
  tx: OrganisationTx,
  row: BudgetRow,
  contracts: readonly StaffContract[],
  { costs, shared, inputs, cause, share }: Costing,
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
  const pay = async () => JSON.stringify((await grossOf(tx, organisationId, [row])).get(budgetId))
  const before = await pay()
  const posted = contracts.map((contract) => ({ sourceId: contract.id, lines: linesOf(contract, costs.get(contract.id)!, shared) }))
  await writeLines(tx, organisationId, budgetId, 'contract', posted, cause === 'group')
  if (share === 'kept' || before === (await pay())) await refreshLevy(tx, organisationId, budgetId)
  else if (share === 'ofRun') await withdrawLevy(tx, organisationId, budgetId, actor)
  else await payChanged(tx, organisationId, budgetId, actor)
  return { event: event!, totals, result }
}

/**
 * Posts the costs of a budget that got other years over the years it has now: those that were added stand as not calculated until the budget
 * is recalculated, and no sum takes them for nothing.
 * @param before how many years it had
 */
export async function postOtherYears(tx: OrganisationTx, organisationId: number, budgetId: string, before: number): Promise<void> {
  const { head } = await loadBudget(tx, organisationId, budgetId)
  const contracts = await loadContracts(tx, organisationId, budgetId)
  const costs = await costsOf(tx, organisationId, budgetId)
  const posted = []
  const shared = new Map<number, SharedInputs>()
  for (const contract of contracts) {
    const kept = costs.get(contract.id)
    if (!kept || kept.costing.years.length >= Math.max(before, head.numberOfYears)) continue
    if (!shared.has(kept.version)) {
      const [event] = await readEvents(tx, organisationId, budgetId, kept.version - 1, kept.version)
      if (event?.type !== 'StaffContractsRecalculated') throw new Error(`Version ${kept.version} of ${budgetId} is no recalculation`)
      shared.set(kept.version, (await readInputs(tx, organisationId, event.data.inputs, budgetId)).shared)
    }
    const lines = linesOf(contract, overYears(kept.costing, contract, head), shared.get(kept.version)!)
    posted.push({ sourceId: contract.id, lines })
  }
  if (posted.length) await writeLines(tx, organisationId, budgetId, 'contract', posted, false)
}

/** Other pay means other shares of the levy allowance, for the whole group: nobody's is known until it is recalculated (rules.md §7). */
async function payChanged(tx: OrganisationTx, organisationId: number, budgetId: string, actor: Actor): Promise<void> {
  await withdrawLevy(tx, organisationId, budgetId, actor)
  await withdrawLevyBeside(tx, organisationId, budgetId, actor)
  await markGroupOf(tx, organisationId, budgetId, 'Pay that the levy allowance is shared by', actor.now)
}

/**
 * Recalculates the employees whose contracts were saved or deleted, together with their other contracts (rules.md §16).
 * @param onlyIfDifferent nothing is recorded when the figures stay as they are
 * @param areSomeGone contracts were deleted, and their pay with them
 */
export async function recalculateEmployees(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  employees: readonly (number | string)[],
  actor: Actor,
  { onlyIfDifferent = false, areSomeGone = false } = {},
): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId)
  const own = await contractsOfEmployees(tx, organisationId, budgetId, employees)
  if (areSomeGone) await payChanged(tx, organisationId, budgetId, actor)
  if (!own.length) return
  const { shared, frozen } = await inputsNow(tx, organisationId, row.head, own)
  const inputs = await keepInputs(tx, organisationId, shared, { [budgetId]: frozen })
  const costs = costContracts(own, frozen, shared)
  if (onlyIfDifferent) {
    const kept = await costsOf(tx, organisationId, budgetId, [...costs.keys()])
    if ([...costs].every(([id, cost]) => canonicalJson(kept.get(id)?.costing) === canonicalJson(cost))) return
  }
  await storeCosts(tx, row, own, { costs, shared, inputs, cause: 'saved', share: 'ifSamePay' }, actor)
}

/** Costs every contract of a budget with the inputs as they stand now. */
export async function recalculateAll(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  actor: Actor,
  share: Costing['share'] = 'ifSamePay',
): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId)
  const contracts = await loadContracts(tx, organisationId, budgetId)
  const { shared, frozen } = await inputsNow(tx, organisationId, row.head, contracts)
  const inputs = await keepInputs(tx, organisationId, shared, { [budgetId]: frozen })
  await storeCosts(tx, row, contracts, { costs: costContracts(contracts, frozen, shared), shared, inputs, cause: 'group', share }, actor)
}

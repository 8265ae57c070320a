import { sql } from 'drizzle-orm'
import type { CostTotals, StaffContract, StoredContract } from '../../../../domain/budget/budget.ts'
import type { BudgetEvent, StoredEvent } from '../../../../domain/budget/events.ts'
import { engineVersion } from '../../../../domain/calculation/cost.ts'
import { costContracts, linesOf, overYears, type SharedInputs, yearTotals } from '../../../../domain/calculation/frozen.ts'
import type { ContractCost, Figure } from '../../../../domain/calculation/inputs.ts'
import { canonicalJson } from '../../../../domain/canonicalJson.ts'
import { staffCosts } from '../../../../drizzle/costTables.ts'
import { commit } from '../../../core/budget/commit.ts'
import { replaceContractLines, writeLines } from '../../../core/budget/lines.ts'
import { markGroupOf } from '../../../core/budget/marks.ts'
import { type BudgetRow, contractsOfEmployees, loadBudget, loadContracts } from '../../../core/budget/queries.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { type Actor, readEvents } from '../../../core/events/eventLog.ts'
import { hashOf } from '../../../core/events/hash.ts'
import { keepInputs } from '../inputs/commands.ts'
import { inputsNow, type ReadAlready, readInputs } from '../inputs/queries.ts'
import { postLevyOfPay, refreshLevy, withdrawLevy, withdrawLevyBeside } from '../levy/commands.ts'
import { grossOf, grossOfPay } from '../levy/queries.ts'
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
  /** What is written with it: the save that it follows from, and the contracts as they stood before. */
  save?: { events: readonly BudgetEvent[]; before: readonly StoredContract[] }
}

/** Writes costings, the lines they are posted to, and the event that records them. */
export async function storeCosts(
  tx: OrganisationTx,
  row: BudgetRow,
  contracts: readonly StaffContract[],
  { costs, shared, inputs, cause, share, save }: Costing,
  actor: Actor,
): Promise<{ event: StoredEvent; totals: CostTotals; result: string }> {
  const { organisationId, id: budgetId } = row
  const totals = totalsOf([...costs.values()].map(yearTotals), row.head.numberOfYears)
  const result = resultHash(costs)
  const data = { cause, contracts: cause === 'group' ? null : [...costs.keys()].sort(), inputs, engine: engineVersion, totals, result }
  const stored = await commit(tx, row, [...(save?.events ?? []), { type: 'StaffContractsRecalculated', data }], actor, save?.before)
  const event = stored.at(-1)
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
  if (cause === 'saved' && share === 'ifSamePay') {
    const posted = contracts.map((contract) => ({ sourceId: contract.id, lines: linesOf(contract, costs.get(contract.id)!, shared) }))
    const pay = await replaceContractLines(tx, organisationId, budgetId, posted)
    await followPay(tx, row, grossOfPay(row.head, pay.before), grossOfPay(row.head, pay.after), actor)
    return { event: event!, totals, result }
  }
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

/** What the pay of a budget being another brings about, if it is. A budget whose pay is the same has its levy already. */
async function followPay(
  tx: OrganisationTx,
  row: BudgetRow,
  before: readonly Figure[],
  after: readonly Figure[],
  actor: Actor,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  if (row.levyShares?.some((share) => share !== null)) return payChanged(tx, row.organisationId, row.id, actor)
  await postLevyOfPay(tx, row, before, after)
  await payChangedBeside(tx, row.organisationId, row.id, actor)
}

/** Other pay means other shares of the levy allowance, for the whole group: nobody's is known until it is recalculated (rules.md §7). */
async function payChanged(tx: OrganisationTx, organisationId: number, budgetId: string, actor: Actor): Promise<void> {
  await withdrawLevy(tx, organisationId, budgetId, actor)
  await payChangedBeside(tx, organisationId, budgetId, actor)
}

async function payChangedBeside(tx: OrganisationTx, organisationId: number, budgetId: string, actor: Actor): Promise<void> {
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
  const own = await contractsOfEmployees(tx, organisationId, budgetId, employees)
  if (areSomeGone) await payChanged(tx, organisationId, budgetId, actor)
  if (!own.length) return
  const row = await loadBudget(tx, organisationId, budgetId)
  const { shared, frozen } = await inputsNow(tx, organisationId, row.head, own)
  const inputs = await keepInputs(tx, organisationId, shared, { [budgetId]: frozen })
  const costs = costContracts(own, frozen, shared)
  if (onlyIfDifferent) {
    const kept = await costsOf(tx, organisationId, budgetId, [...costs.keys()])
    if ([...costs].every(([id, cost]) => canonicalJson(kept.get(id)?.costing) === canonicalJson(cost))) return
  }
  await storeCosts(tx, row, own, { costs, shared, inputs, cause: 'saved', share: 'ifSamePay' }, actor)
}

/** A save that was decided, and what its calculation needs, read before. */
export interface DecidedSave {
  row: BudgetRow
  events: readonly BudgetEvent[]
  /** The contracts of those whose pay it touches, as they stood. */
  before: readonly StoredContract[]
  /** The same after the save, in the order of their ids. */
  after: readonly StoredContract[]
  known: ReadAlready
}

/**
 * Writes a save of contracts together with what its employees cost from then on. Without a change it still brings the figures up to what they
 * depend on now, and records nothing when they stay as they are.
 * @returns the costings of the contracts
 */
export async function storeSave(
  tx: OrganisationTx,
  { row, events, before, after, known }: DecidedSave,
  actor: Actor,
): Promise<ReadonlyMap<string, ContractCost>> {
  const { organisationId, id: budgetId } = row
  const { shared, frozen } = await inputsNow(tx, organisationId, row.head, after, known)
  const inputs = await keepInputs(tx, organisationId, shared, { [budgetId]: frozen })
  const costs = costContracts(after, frozen, shared)
  if (!events.length) {
    const kept = await costsOf(tx, organisationId, budgetId, [...costs.keys()])
    if ([...costs].every(([id, cost]) => canonicalJson(kept.get(id)?.costing) === canonicalJson(cost))) return costs
  }
  await storeCosts(tx, row, after, { costs, shared, inputs, cause: 'saved', share: 'ifSamePay', save: { events, before } }, actor)
  return costs
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

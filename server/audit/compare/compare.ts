import { and, eq } from 'drizzle-orm'
import { engine as newestEngine } from '../../../domain/calculation/engine.ts'
import { knownEngine } from '../../../domain/calculation/engines/engines.ts'
import type { ContractCost } from '../../../domain/calculation/inputs.ts'
import { hasPay, overYears, yearTotals } from '../../../domain/calculation/staffing/frozen.ts'
import { yearsOfLines } from '../../../domain/calculation/staffing/posting.ts'
import type { ContractId } from '../../../domain/values/ids.ts'
import { staffCosts } from '../../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import { resultHash } from '../../shared/costing/costs/commands.ts'
import type { Replayed } from '../replay/replayLog.ts'
import type { InputsOf } from '../replay/source.ts'
import type { Finding } from '../verify/verify.ts'
import { compareDays } from './compareDays.ts'
import { compareItems, compareQuick } from './compareItems.ts'
import { compareLines } from './compareLines.ts'
import { comparePay } from './comparePay.ts'
import { compareViews } from './compareViews.ts'
import { isSame, isSameMoment } from './same.ts'

/** Whether the tables that screens read say what the log says, to the penny. Of a deleted budget they must say nothing. */
export async function compareTables(call: Call<'organisationId' | 'budgetId'>, replayed: Replayed, inputsOf: InputsOf): Promise<Finding[]> {
  const { state } = replayed
  const costed = await compareCosts(call, replayed, inputsOf)
  return [
    ...(await compareBudget(call, replayed)),
    ...(await compareContracts(call, replayed)),
    ...costed.findings,
    ...(await compareLines(call, state, costed.costs)),
    ...(await compareViews(call)),
    ...(await comparePay(call, costed.costs)),
    ...(await compareItems(call, state)),
    ...(await compareQuick(call, state)),
    ...(await compareDays(call, replayed.days)),
  ]
}

async function compareBudget(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  { state, first, last }: Replayed,
): Promise<Finding[]> {
  const [row] = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId)))
  const finding = (problem: string): Finding[] => [{ budgetId, version: null, problem }]
  if (!state.head) return row ? finding('The budget stands in the table, and its log says that it was deleted.') : []
  if (!row) return finding('The budget is in the log and not in the table.')
  const { head } = state
  const wrong = [
    !isSame(row.head, head) && 'settings',
    row.name !== head.name && 'name',
    row.locationId !== head.locationId && 'location',
    row.version !== state.version && 'version',
    row.lastHash !== last?.hash && 'last hash',
    !isSame(row.levyShares ?? null, state.levyShares ?? null) && 'shares of the levy allowance',
    !isSame(row.employmentAllowance ?? null, state.employmentAllowance ?? null) && 'Employment Allowance',
    !isSame(row.transfers ?? null, state.transfers ?? null) && 'pools and top slices',
    !isSame(row.recalculated ?? null, state.recalculated ?? null) && 'last recalculation',
    row.savedById !== (last?.actorId ?? null) && 'name of who saved it last',
    !isSameMoment(row.savedAt, last?.occurredAt ?? '') && 'time of its last save',
    !isSameMoment(row.created, first?.occurredAt ?? '') && 'time of its making',
  ].filter((one) => one !== false)
  return wrong.length ? finding(`The budget in the table is not the one of the log: ${wrong.join(', ')}.`) : []
}

async function compareContracts(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  { state }: Replayed,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const find = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  const rows = await tx
    .select()
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.budgetId, budgetId)))
  const stored = new Map(rows.map((contract) => [contract.id, contract]))
  for (const [id, contract] of state.contracts) {
    const { version, savedAt, created, ...plain } = contract
    const kept = stored.get(id)
    if (!kept) find(`Contract ${id} is in the log and not in the table.`, version)
    else if (
      !isSame(kept.contract, plain) ||
      kept.version !== version ||
      kept.staffId !== plain.staffId ||
      !isSameMoment(kept.savedAt, savedAt) ||
      !isSameMoment(kept.created, created)
    )
      find(`Contract ${id} in the table is not the one of the log.`, version)
  }
  for (const id of stored.keys()) if (!state.contracts.has(id)) find(`Contract ${id} is in the table and not in the log.`)
  return findings
}

/**
 * Whether the costs in the table are those that the inputs come to. Those of another engine cannot be worked out again by this one: there
 * the table must come to the result that the log recorded, as long as the run stands whole.
 * @returns also the costs that the lines must be posted from
 */
async function compareCosts(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  { state, costs, recalculations }: Replayed,
  inputsOf: InputsOf,
): Promise<{ findings: Finding[]; costs: Replayed['costs'] }> {
  const findings: Finding[] = []
  const find = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  const rows = await tx
    .select()
    .from(staffCosts)
    .where(and(eq(staffCosts.organisationId, organisationId), eq(staffCosts.budgetId, budgetId)))
  const costed = new Map(rows.map((cost) => [cost.contractId, cost]))
  const foreign = new Map(recalculations.filter((run) => run.outcome === 'notReproduced').map((run) => [run.version, run]))
  for (const run of foreign.values()) {
    const own = new Map<ContractId, ContractCost>(
      run.contractIds.flatMap((id) => {
        const kept = costs.get(id)?.version === run.version ? costed.get(id) : undefined
        return kept ? [[id, kept.costing] as const] : []
      }),
    )
    if (own.size === run.contractIds.length && resultHash(own) !== run.result)
      find(`The costs in the table are not those that engine ${run.engine} recorded.`, run.version)
  }
  const posted: Replayed['costs'] = new Map()
  for (const [id, replayed] of costs) {
    const { version, inputs, content, since } = replayed
    const kept = costed.get(id)
    if (!kept) find(`The cost of contract ${id} is missing in the table.`, version)
    const cost = foreign.has(version) && kept ? kept.costing : replayed.cost
    const isOther =
      kept &&
      (!isSame(kept.costing, cost) ||
        !isSame(kept.yearTotals, yearTotals(cost)) ||
        kept.hasProblems !== cost.problems.length > 0 ||
        kept.hasPay !== hasPay(cost) ||
        !since.includes(kept.version))
    // Costings that were kept before lines were compared name no content, and those of another engine one that it alone knows.
    const isMisnamed =
      kept && kept.content !== null && !foreign.has(version) && (kept.content !== content || kept.posted !== yearsOfLines(replayed.lines))
    if (isOther || isMisnamed) find(`The cost of contract ${id} in the table is not what its inputs come to.`, version)
    const contract = state.contracts.get(id)
    const whole = contract && state.head ? overYears(cost, contract, state.head) : cost
    const lines =
      whole !== replayed.cost && contract
        ? (knownEngine(replayed.engine) ?? newestEngine).linesOf(contract, whole, inputsOf(inputs, budgetId).shared)
        : replayed.lines
    posted.set(id, { ...replayed, cost: whole, lines })
  }
  for (const id of costed.keys()) if (!costs.has(id)) find(`The table has a cost of contract ${id} that the log does not know.`)
  return { findings, costs: posted }
}

import { and, eq } from 'drizzle-orm'
import { engine as newestEngine } from '../../../domain/calculation/engine.ts'
import { findEngine } from '../../../domain/calculation/engines/engines.ts'
import type { ContractCost } from '../../../domain/calculation/inputs.ts'
import { calculateYearTotals, extendToYears, hasPay } from '../../../domain/calculation/staffing/frozen.ts'
import { countLineYears } from '../../../domain/calculation/staffing/posting.ts'
import type { ContractId } from '../../../domain/values/ids.ts'
import { staffCosts } from '../../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import { hashCosts } from '../../shared/costing/costs/commands.ts'
import type { InputsReader } from '../replay/logSource.ts'
import type { ReplayedBudget } from '../replay/replayLog.ts'
import type { AuditFinding } from '../verify/verify.ts'
import { compareBudgetDays } from './compareDays.ts'
import { compareBudgetItems, compareQuickCalculations } from './compareItems.ts'
import { comparePostedLines } from './compareLines.ts'
import { compareBudgetPay } from './comparePay.ts'
import { compareLinesView } from './compareViews.ts'
import { hasSameContent, isSameMoment } from './same.ts'

/**
 * Compares the tables that screens read with the replayed log, to the penny. A deleted budget must have no rows.
 * @returns the differences
 */
export async function compareBudgetTables(
  call: Call<'organisationId' | 'budgetId'>,
  replayed: ReplayedBudget,
  inputsOf: InputsReader,
): Promise<AuditFinding[]> {
  const { state } = replayed
  const costed = await compareCosts(call, replayed, inputsOf)
  return [
    ...(await compareBudget(call, replayed)),
    ...(await compareContracts(call, replayed)),
    ...costed.findings,
    ...(await comparePostedLines(call, state, costed.costs)),
    ...(await compareLinesView(call)),
    ...(await compareBudgetPay(call, costed.costs)),
    ...(await compareBudgetItems(call, state)),
    ...(await compareQuickCalculations(call, state)),
    ...(await compareBudgetDays(call, replayed.days)),
  ]
}

async function compareBudget(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  { state, first, last }: ReplayedBudget,
): Promise<AuditFinding[]> {
  const [row] = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId)))
  const finding = (problem: string): AuditFinding[] => [{ budgetId, version: null, problem }]
  if (!state.head) return row ? finding('The budget is in the table, but its log says it was deleted.') : []
  if (!row) return finding('The budget is in the log but not in the table.')
  const { head } = state
  const wrong = [
    !hasSameContent(row.head, head) && 'settings',
    row.name !== head.name && 'name',
    row.locationId !== head.locationId && 'location',
    row.version !== state.version && 'version',
    row.lastHash !== last?.hash && 'last hash',
    !hasSameContent(row.levyShares ?? null, state.levyShares ?? null) && 'shares of the levy allowance',
    !hasSameContent(row.employmentAllowance ?? null, state.employmentAllowance ?? null) && 'Employment Allowance',
    !hasSameContent(row.transfers ?? null, state.transfers ?? null) && 'pools and top slices',
    !hasSameContent(row.recalculated ?? null, state.recalculated ?? null) && 'last recalculation',
    row.savedById !== (last?.actorId ?? null) && 'who last saved it',
    !isSameMoment(row.savedAt, last?.occurredAt ?? '') && 'when it was last saved',
    !isSameMoment(row.created, first?.occurredAt ?? '') && 'when it was created',
  ].filter((one) => one !== false)
  return wrong.length ? finding(`The budget in the table differs from the log: ${wrong.join(', ')}.`) : []
}

async function compareContracts(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  { state }: ReplayedBudget,
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = []
  const addFinding = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  const rows = await tx
    .select()
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.budgetId, budgetId)))
  const stored = new Map(rows.map((contract) => [contract.id, contract]))
  for (const [id, contract] of state.contracts) {
    const { version, savedAt, created, ...plain } = contract
    const row = stored.get(id)
    if (!row) addFinding(`Contract ${id} is in the log but not in the table.`, version)
    else if (
      !hasSameContent(row.contract, plain) ||
      row.version !== version ||
      row.staffId !== plain.staffId ||
      !isSameMoment(row.savedAt, savedAt) ||
      !isSameMoment(row.created, created)
    )
      addFinding(`Contract ${id} in the table differs from the log.`, version)
  }
  for (const id of stored.keys()) if (!state.contracts.has(id)) addFinding(`Contract ${id} is in the table but not in the log.`)
  return findings
}

/**
 * Compares the costs in the table with those recalculated from the stored inputs. If this version lacks the engine of a recalculation, the
 * stored costs are hashed instead, and compared with the result in the log. That is possible only while all costs of the recalculation are
 * still in the table.
 * @returns also the costs from which lines are posted
 */
async function compareCosts(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  { state, costs, recalculations }: ReplayedBudget,
  inputsOf: InputsReader,
): Promise<{ findings: AuditFinding[]; costs: ReplayedBudget['costs'] }> {
  const findings: AuditFinding[] = []
  const addFinding = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  const rows = await tx
    .select()
    .from(staffCosts)
    .where(and(eq(staffCosts.organisationId, organisationId), eq(staffCosts.budgetId, budgetId)))
  const costed = new Map(rows.map((cost) => [cost.contractId, cost]))
  const notReproduced = new Map(recalculations.filter((run) => run.outcome === 'notReproduced').map((run) => [run.version, run]))
  for (const run of notReproduced.values()) {
    const storedCosts = new Map<ContractId, ContractCost>(
      run.contractIds.flatMap((id) => {
        const stored = costs.get(id)?.version === run.version ? costed.get(id) : undefined
        return stored ? [[id, stored.costing] as const] : []
      }),
    )
    if (storedCosts.size === run.contractIds.length && hashCosts(storedCosts) !== run.result)
      addFinding(`The costs in the table differ from those that engine ${run.engine} recorded.`, run.version)
  }
  const posted: ReplayedBudget['costs'] = new Map()
  for (const [id, replayed] of costs) {
    const { version, inputs, content, sameResultVersions } = replayed
    const row = costed.get(id)
    if (!row) addFinding(`The cost of contract ${id} is missing from the table.`, version)
    const cost = notReproduced.has(version) && row ? row.costing : replayed.cost
    const isDifferent =
      row &&
      (!hasSameContent(row.costing, cost) ||
        !hasSameContent(row.yearTotals, calculateYearTotals(cost)) ||
        row.hasProblems !== cost.problems.length > 0 ||
        row.hasPay !== hasPay(cost) ||
        !sameResultVersions.includes(row.version))
    // The digest is null in rows of older versions, and without the engine it cannot be computed.
    const isMisnamed =
      row &&
      row.content !== null &&
      !notReproduced.has(version) &&
      (row.content !== content || row.posted !== countLineYears(replayed.lines))
    if (isDifferent || isMisnamed) addFinding(`The cost of contract ${id} in the table does not match its inputs.`, version)
    const contract = state.contracts.get(id)
    const whole = contract && state.head ? extendToYears(cost, contract, state.head) : cost
    const lines =
      whole !== replayed.cost && contract
        ? (findEngine(replayed.engine) ?? newestEngine).linesOf(contract, whole, inputsOf(inputs, budgetId).shared)
        : replayed.lines
    posted.set(id, { ...replayed, cost: whole, lines })
  }
  for (const id of costed.keys()) if (!costs.has(id)) addFinding(`The table has a cost for contract ${id} that is not in the log.`)
  return { findings, costs: posted }
}

import { and, eq } from 'drizzle-orm'
import { yearTotals } from '../../domain/calculation/frozen.ts'
import type { Figure } from '../../domain/calculation/inputs.ts'
import { levyOf } from '../../domain/calculation/levy.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { budgetLines, staffCosts } from '../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../drizzle/schema.ts'
import type { OrganisationTx } from '../store/database.ts'
import { compareItems } from './compareItems.ts'
import type { Replayed } from './replayLog.ts'
import type { Finding } from './verify.ts'

const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)

/** Whether the tables that screens read say what the log says, to the penny. */
export async function compareTables(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  { state, costs }: Replayed,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const find = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  const [row] = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId)))
  if (!row || !same(row.head, state.head)) find('The budget in the table is not the one of the log.')
  const rows = await tx
    .select()
    .from(staffContracts)
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.budgetId, budgetId)))
  const costRows = await tx
    .select()
    .from(staffCosts)
    .where(and(eq(staffCosts.organisationId, organisationId), eq(staffCosts.budgetId, budgetId)))
  const stored = new Map(rows.map((contract) => [contract.id, contract]))
  for (const [id, contract] of state.contracts) {
    const { version, savedAt: _at, created: _created, ...plain } = contract
    const kept = stored.get(id)
    if (!kept) find(`Contract ${id} is in the log and not in the table.`, version)
    else if (!same(kept.contract, plain) || kept.version !== version)
      find(`Contract ${id} in the table is not the one of the log.`, version)
  }
  for (const id of stored.keys()) if (!state.contracts.has(id)) find(`Contract ${id} is in the table and not in the log.`)
  findings.push(...(await compareLines(tx, organisationId, budgetId, costs)))
  findings.push(...(await compareItems(tx, organisationId, budgetId, state)))
  if (!(await holdsLevy(tx, organisationId, budgetId, { state, costs })))
    find('The apprenticeship levy in the table is not what the gross comes to.')
  const costed = new Map(costRows.map((cost) => [cost.contractId, cost]))
  for (const [id, { cost, version }] of costs) {
    const kept = costed.get(id)
    if (!kept) find(`The cost of contract ${id} is missing in the table.`, version)
    else if (!same(kept.costing, cost) || !same(kept.yearTotals, yearTotals(cost)) || kept.version !== version)
      find(`The cost of contract ${id} in the table is not what its inputs come to.`, version)
  }
  for (const id of costed.keys()) if (!costs.has(id)) find(`The table has a cost of contract ${id} that the log does not know.`)
  return findings
}

/** Whether the lines that reports sum are those that the costs are posted to. */
async function compareLines(tx: OrganisationTx, organisationId: number, budgetId: string, costs: Replayed['costs']): Promise<Finding[]> {
  const rows = await tx
    .select()
    .from(budgetLines)
    .where(and(eq(budgetLines.organisationId, organisationId), eq(budgetLines.budgetId, budgetId), eq(budgetLines.sourceKind, 'contract')))
  const kept = new Map<string, string[]>()
  for (const { sourceId, component, year, budgetCodeId, costCentreId, fundCodeId, amounts } of rows)
    kept.set(sourceId, [...(kept.get(sourceId) ?? []), canonicalJson({ component, year, budgetCodeId, costCentreId, fundCodeId, amounts })])
  const findings: Finding[] = []
  for (const [id, { lines, version }] of costs) {
    const own = (kept.get(id) ?? []).sort()
    kept.delete(id)
    if (!same(own, lines.map((line) => canonicalJson(line)).sort()))
      findings.push({ budgetId, version, problem: `The lines of contract ${id} in the table are not what its cost is posted to.` })
  }
  for (const id of kept.keys())
    findings.push({ budgetId, version: null, problem: `The table has lines of contract ${id} that the log does not know.` })
  return findings
}

/** Whether the levy lines are what the gross of all contracts comes to, less the share that the log gave the budget (calculation.md §7). */
async function holdsLevy(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  { state, costs }: Pick<Replayed, 'state' | 'costs'>,
): Promise<boolean> {
  const rows = await tx
    .select()
    .from(budgetLines)
    .where(and(eq(budgetLines.organisationId, organisationId), eq(budgetLines.budgetId, budgetId), eq(budgetLines.sourceKind, 'levy')))
  const shares = state.levyShares?.slice(0, state.head!.numberOfYears * 12)
  if (!shares) return rows.length === 0
  const gross = shares.map((_share, month): Figure => {
    let sum = 0
    for (const { cost } of costs.values()) {
      const figure = cost.years[Math.floor(month / 12)]?.gross[month % 12]
      if (figure === null) return null
      sum += figure ?? 0
    }
    return sum
  })
  const levy = levyOf(gross, shares)
  return levy.every((figure, month) => {
    const line = rows.find((row) => row.year === Math.floor(month / 12))
    return (line ? line.amounts[month % 12] : 0) === figure
  })
}

import { and, eq } from 'drizzle-orm'
import type { BudgetState } from '../../../domain/budget/evolve.ts'
import { calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { itemName } from '../../../domain/budget/items/describeItems.ts'
import { knownEngine } from '../../../domain/calculation/engines/engines.ts'
import { must } from '../../../domain/values/must.ts'
import { budgetItems, quickCalculations } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { Finding } from '../verify/verify.ts'
import { isSame, isSameMoment } from './same.ts'

/** Whether entries, calculations, predictions, pupil numbers and balances stand as the log has them. */
export async function compareItems(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  state: Pick<BudgetState, 'head' | 'items'>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const find = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  const rows = await tx
    .select()
    .from(budgetItems)
    .where(and(eq(budgetItems.organisationId, organisationId), eq(budgetItems.budgetId, budgetId)))
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const [id, logged] of state.items) {
    const { kind, version, item } = logged
    const kept = stored.get(id)
    stored.delete(id)
    const called = `The ${kind} ${itemName(logged)} (${id})`
    if (!kept) find(`${called} is in the log and not in the table.`, version)
    else if (
      kept.kind !== kind ||
      kept.version !== version ||
      !isSame(kept.item, item) ||
      !isSameMoment(kept.savedAt, logged.savedAt) ||
      !isSameMoment(kept.created, logged.created)
    )
      find(`${called} in the table is not the one of the log.`, version)
    else if (logged.kind === 'entry' && knownEngine(logged.item.basis.engine)) {
      const years = calculateEntryYears(logged.item, must(state.head).numberOfYears).map((year) => year.amount)
      if (!isSame(kept.amounts, years)) find(`The years of the ${kind} ${id} in the table are not what it comes to.`, version)
    }
  }
  for (const id of stored.keys()) find(`The table has an item ${id} that the log does not know.`)
  return findings
}

/** Whether quick calculations stand as the log has them, and those that were deleted are gone. */
export async function compareQuick(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  { quickCalculations: logged }: Pick<BudgetState, 'quickCalculations'>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const rows = await tx
    .select()
    .from(quickCalculations)
    .where(and(eq(quickCalculations.organisationId, organisationId), eq(quickCalculations.budgetId, budgetId)))
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const [id, { version, created, ...calculation }] of logged) {
    const kept = stored.get(id)
    stored.delete(id)
    if (!kept) findings.push({ budgetId, version, problem: `The quick calculation ${id} is in the log and not in the table.` })
    else if (kept.version !== version || !isSame(kept.calculation, calculation) || !isSameMoment(kept.created, created))
      findings.push({ budgetId, version, problem: `The quick calculation ${id} in the table is not the one of the log.` })
  }
  for (const id of stored.keys())
    findings.push({ budgetId, version: null, problem: `The table has a quick calculation ${id} that the log does not know.` })
  return findings
}

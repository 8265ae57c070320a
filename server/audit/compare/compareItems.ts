import { and, eq } from 'drizzle-orm'
import type { BudgetState } from '../../../domain/budget/evolve.ts'
import { calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { formatItemName } from '../../../domain/budget/items/describeItems.ts'
import { findEngine } from '../../../domain/calculation/engines/engines.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { budgetItems, quickCalculations } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { AuditFinding } from '../verify/verify.ts'
import { hasSameContent, isSameMoment } from './same.ts'

export async function compareBudgetItems(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  state: Pick<BudgetState, 'head' | 'items'>,
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = []
  const addFinding = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  const rows = await tx
    .select()
    .from(budgetItems)
    .where(and(eq(budgetItems.organisationId, organisationId), eq(budgetItems.budgetId, budgetId)))
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const [id, logged] of state.items) {
    const { kind, version, item } = logged
    const row = stored.get(id)
    stored.delete(id)
    const label = `The ${kind} ${formatItemName(logged)} (${id})`
    if (!row) addFinding(`${label} is in the log but not in the table.`, version)
    else if (
      row.kind !== kind ||
      row.version !== version ||
      !hasSameContent(row.item, item) ||
      !isSameMoment(row.savedAt, logged.savedAt) ||
      !isSameMoment(row.created, logged.created)
    )
      addFinding(`${label} in the table differs from the log.`, version)
    else if (logged.kind === 'entry' && findEngine(logged.item.basis.engine)) {
      const years = calculateEntryYears(logged.item, assertDefined(state.head).numberOfYears).map((year) => year.amount)
      if (!hasSameContent(row.amounts, years))
        addFinding(`The yearly amounts of the ${kind} ${id} in the table do not match its calculation.`, version)
    }
  }
  for (const id of stored.keys()) addFinding(`The table has an item ${id} that is not in the log.`)
  return findings
}

export async function compareQuickCalculations(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  { quickCalculations: logged }: Pick<BudgetState, 'quickCalculations'>,
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = []
  const rows = await tx
    .select()
    .from(quickCalculations)
    .where(and(eq(quickCalculations.organisationId, organisationId), eq(quickCalculations.budgetId, budgetId)))
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const [id, { version, created, ...calculation }] of logged) {
    const row = stored.get(id)
    stored.delete(id)
    if (!row) findings.push({ budgetId, version, problem: `The quick calculation ${id} is in the log but not in the table.` })
    else if (row.version !== version || !hasSameContent(row.calculation, calculation) || !isSameMoment(row.created, created))
      findings.push({ budgetId, version, problem: `The quick calculation ${id} in the table differs from the log.` })
  }
  for (const id of stored.keys())
    findings.push({ budgetId, version: null, problem: `The table has a quick calculation ${id} that is not in the log.` })
  return findings
}

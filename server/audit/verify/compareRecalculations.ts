import { eq, sql } from 'drizzle-orm'
import type { CostTotals } from '../../../domain/budget/budget.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { recalculationBudgets, recalculations } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { hashValue } from '../../core/stream/hash.ts'
import { hasSameContent } from '../compare/same.ts'
import type { AuditFinding } from './verify.ts'

export async function compareRecalculationsWithLog(tx: OrganisationTx, organisationId: OrganisationId): Promise<AuditFinding[]> {
  const runs = await tx.select().from(recalculations).where(eq(recalculations.organisationId, organisationId))
  const items = await tx.select().from(recalculationBudgets).where(eq(recalculationBudgets.organisationId, organisationId))
  const events = await tx.execute<{ run: string; budget_id: BudgetId; totals: CostTotals; result: string; inputs: string }>(sql`
    select substr(request_id, 15) as run, budget_id, data -> 'totals' as totals, data ->> 'result' as result, data ->> 'inputs' as inputs
    from budget_events
    where organisation_id = ${organisationId} and type = 'StaffContractsRecalculated' and request_id like 'recalculation-%'`)
  const logged = new Map(events.map((event) => [`${event.run} ${event.budget_id}`, event]))
  const findings: AuditFinding[] = []
  for (const run of runs) {
    const addFinding = (budgetId: BudgetId | null, problem: string): void => void findings.push({ budgetId, version: null, problem })
    const runItems = items.filter((item) => item.recalculationId === run.id)
    for (const { budgetId, doneAt, totals, resultHash } of runItems) {
      const event = logged.get(`${run.id} ${budgetId}`)
      logged.delete(`${run.id} ${budgetId}`)
      if (doneAt && (!hasSameContent(totals, event?.totals ?? null) || resultHash !== (event?.result ?? null)))
        addFinding(budgetId, `The result of recalculation ${run.id} differs from the log.`)
      if (event && event.inputs !== run.inputs) addFinding(budgetId, `Recalculation ${run.id} records inputs that differ from the log.`)
    }
    if (!run.finishedAt) continue
    const total: CostTotals = { years: [], contracts: 0, notCalculated: 0 }
    for (const { totals } of runItems) {
      totals?.years.forEach((pennies, year) => {
        total.years[year] = (total.years[year] ?? 0) + pennies
      })
      total.contracts += totals?.contracts ?? 0
      total.notCalculated += totals?.notCalculated ?? 0
    }
    if (!hasSameContent(run.totals, total) || run.resultHash !== hashValue(runItems.map((item) => [item.budgetId, item.resultHash]).sort()))
      addFinding(null, `The totals of recalculation ${run.id} do not match its budgets.`)
  }
  for (const { run, budget_id: budgetId } of logged.values())
    findings.push({ budgetId, version: null, problem: `Recalculation ${run} is in the log but not in the table.` })
  return findings
}

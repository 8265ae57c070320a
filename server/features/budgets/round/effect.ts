import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import { calculateEntryYears } from '../../../../domain/budget/items/budgetEntry.ts'
import { costBudgetYears } from '../../../../domain/calculation/staffing/whatIf.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readCodingFacts } from '../../../shared/coding/queries.ts'
import { readCostSummaries, sumCosts } from '../../../shared/costing/costs/queries.ts'
import { readCurrentInputs } from '../../../shared/costing/inputs/queries.ts'
import { loadItems } from '../../../streams/budget/items.ts'
import { loadContracts } from '../../../streams/budget/queries.ts'

/**
 * A budget's costs by year in whole pennies, before and after the change. `entries`: expenditure less income, without amounts that could
 * not be calculated. `notCalculated`: the number of contracts that could not be calculated.
 */
export interface CostEffect {
  staffing: { before: Pennies[]; after: Pennies[] }
  entries: { before: Pennies[]; after: Pennies[] }
  notCalculated: { before: Pennies; after: Pennies }
}

/** Calculates how different tables and assumptions would change a budget's costs. Nothing is saved. */
export async function calculateCostEffect(tx: OrganisationTx, row: BudgetRow, changed: BudgetHead): Promise<CostEffect> {
  const { organisationId, id, head } = row
  const contracts = await loadContracts({ tx, organisationId, budgetId: id })
  const { shared, frozen } = await readCurrentInputs({ tx, organisationId }, changed, { contracts })
  const after = costBudgetYears(contracts, frozen, shared)
  const recorded = [...(await readCostSummaries({ tx, organisationId, budgetId: id })).values()].map((cost) => cost.yearTotals)
  const before = sumCosts(recorded, head.numberOfYears)
  const facts = await readCodingFacts(tx, organisationId, changed)
  const entries = await loadItems({ tx, organisationId, budgetId: id }, 'entry')
  const sum = (of: BudgetHead, rates: boolean): number[] =>
    Array.from({ length: of.numberOfYears }, (_unused, year) =>
      entries.reduce((all, { item }) => {
        const code = facts.budgetCodes.get(item.budgetCodeId)
        const basis = rates && !item.source && code ? { ...item.basis, rates: code.rates } : item.basis
        const amount = calculateEntryYears({ ...item, basis }, of.numberOfYears)[year]?.amount ?? 0
        return all + (code?.isIncome ? -amount : amount)
      }, 0),
    )
  return {
    staffing: { before: before.years, after: after.years },
    entries: { before: sum(head, false), after: sum(changed, true) },
    notCalculated: { before: before.notCalculated, after: after.notCalculated },
  }
}

import { type ElementKind, type ElementRow, elementNames } from '../../domain/budget/budget.ts'
import type { api } from '../api/api.ts'
import type { PartialRow } from './ElementRows.tsx'

/** What a budget is made with, as it is typed. */
export interface BudgetDraft extends Record<ElementKind, PartialRow[]> {
  name: string
  versionType: number
  budgetGroupId: string | null
  locationIds: number[]
  firstYear: number
  numberOfYears: number
  staffAssumptionsId: number | null
  inflationId: number | null
  contractTypeIds: number[]
  version: number | null
}

/** Rows that are not finished are dropped, here and again on the server (behaviour B-152). */
export function finishedRows(draft: BudgetDraft): Record<ElementKind, ElementRow[]> {
  return Object.fromEntries(
    elementNames.map((kind) => [kind, draft[kind].filter((row) => row.effectiveDate && row.adminTableId)]),
  ) as Record<ElementKind, ElementRow[]>
}

type Kept = Awaited<ReturnType<typeof api.budgets.elements.query>>

export function draftOfBudget(budget: Kept): BudgetDraft {
  const {
    name,
    versionType,
    budgetGroupId,
    locationIds,
    firstYear,
    numberOfYears,
    staffAssumptionsId,
    inflationId,
    contractTypeIds,
    version,
  } = budget
  const elements = Object.fromEntries(elementNames.map((kind) => [kind, budget[kind]])) as Record<ElementKind, ElementRow[]>
  return {
    name,
    versionType,
    budgetGroupId,
    locationIds,
    firstYear,
    numberOfYears,
    staffAssumptionsId,
    inflationId,
    contractTypeIds,
    version,
    ...elements,
  }
}

/** Whether a change could move figures: what a budget is called and which group it is in cannot. */
export function movesFigures(before: BudgetDraft, after: BudgetDraft): boolean {
  const figures = ({ name: _name, versionType: _type, budgetGroupId: _group, version: _version, ...rest }: BudgetDraft): string =>
    JSON.stringify(rest)
  return figures(before) !== figures(after)
}

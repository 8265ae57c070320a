import type { BudgetElementRow } from '../../domain/budget/budget.ts'
import { type BudgetTableKind, budget, budgetTableKindNames } from '../../domain/resources/entities/budget/budget.ts'
import { type EditedValuesOf, pickDeclaredFields } from '../../domain/resources/fields.ts'
import type { BudgetGroupId } from '../../domain/values/ids.ts'
import { recordFromKeys } from '../../domain/values/keysOf.ts'
import type { api } from '../shell/api.ts'
import type { BudgetTableRowDraft } from './ElementRows.tsx'

/** The form values of a budget. */
export interface BudgetDraft
  extends Omit<EditedValuesOf<typeof budget.fields>, BudgetTableKind>,
    Record<BudgetTableKind, BudgetTableRowDraft[]> {
  name: string
  versionType: number
  budgetGroupId: BudgetGroupId | null
  firstYear: number
  numberOfYears: number
  version: number | null
}

/** Returns the draft's table rows without unfinished ones. The server also drops unfinished rows (behaviour B-152). */
export function removeUnfinishedRows(draft: BudgetDraft): Record<BudgetTableKind, BudgetElementRow[]> {
  return recordFromKeys(budgetTableKindNames, (kind) =>
    draft[kind].flatMap(({ effectiveDate, adminTableId }) => (effectiveDate && adminTableId ? [{ effectiveDate, adminTableId }] : [])),
  )
}

/** Builds the input for creating a budget from a draft. */
export function toCreateBudgetInput(draft: BudgetDraft) {
  return { ...pickDeclaredFields(budget.fields, draft), ...removeUnfinishedRows(draft), budgetGroupId: draft.budgetGroupId }
}

/** A saved budget with its tables and assumptions. */
export type SavedBudget = Awaited<ReturnType<typeof api.budgets.elements.query>>

/** Converts a saved budget to form values, with the version that was read. */
export function toBudgetDraft(saved: SavedBudget): BudgetDraft {
  return { ...pickDeclaredFields(budget.fields, saved), budgetGroupId: saved.budgetGroupId, version: saved.version }
}

/** Whether a change to the draft could change figures. A new name, type or group does not. */
export function changesFigures(before: BudgetDraft, after: BudgetDraft): boolean {
  const figures = ({ name: _name, versionType: _type, budgetGroupId: _group, version: _version, ...rest }: BudgetDraft): string =>
    JSON.stringify(rest)
  return figures(before) !== figures(after)
}

import type { ElementRow } from '../../domain/budget/budget.ts'
import { budget, type ElementKind, elementNames } from '../../domain/resources/entities/budget/budget.ts'
import { declaredPart, type TypedOf } from '../../domain/resources/fields.ts'
import type { BudgetGroupId } from '../../domain/values/ids.ts'
import { recordFromKeys } from '../../domain/values/keysOf.ts'
import type { api } from '../shell/api.ts'
import type { PartialRow } from './ElementRows.tsx'

/** What a budget is made with, as it is typed. */
export interface BudgetDraft extends Omit<TypedOf<typeof budget.fields>, ElementKind>, Record<ElementKind, PartialRow[]> {
  name: string
  versionType: number
  budgetGroupId: BudgetGroupId | null
  firstYear: number
  numberOfYears: number
  version: number | null
}

/** Rows that are not finished are dropped, here and again on the server (behaviour B-152). */
export function finishedRows(draft: BudgetDraft): Record<ElementKind, ElementRow[]> {
  return recordFromKeys(elementNames, (kind) =>
    draft[kind].flatMap(({ effectiveDate, adminTableId }) => (effectiveDate && adminTableId ? [{ effectiveDate, adminTableId }] : [])),
  )
}

/** What is sent of a draft that is not a budget yet. */
export function askedOf(draft: BudgetDraft) {
  return { ...declaredPart(budget.fields, draft), ...finishedRows(draft), budgetGroupId: draft.budgetGroupId }
}

/** A budget with what it is made of, as the server keeps it. */
export type KeptBudget = Awaited<ReturnType<typeof api.budgets.elements.query>>

/** A kept budget as its form starts: what can be typed there, and the version it was read at. */
export function draftOfBudget(kept: KeptBudget): BudgetDraft {
  return { ...declaredPart(budget.fields, kept), budgetGroupId: kept.budgetGroupId, version: kept.version }
}

/** Whether a change could move figures: what a budget is called and which group it is in cannot. */
export function movesFigures(before: BudgetDraft, after: BudgetDraft): boolean {
  const figures = ({ name: _name, versionType: _type, budgetGroupId: _group, version: _version, ...rest }: BudgetDraft): string =>
    JSON.stringify(rest)
  return figures(before) !== figures(after)
}

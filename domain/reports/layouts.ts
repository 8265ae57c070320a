import type { BudgetGroupId, BudgetId, LocationId } from '../values/ids.ts'
import type { ReportName } from './registry.ts'

/** A stored report layout: the report, the budgets that it covers, its filters and its extra columns. */
export interface ReportLayoutRequest {
  report: ReportName
  /** A budget or a budget group; if both are null, the budgets of record. */
  budgetId: BudgetId | null
  budgetGroupId: BudgetGroupId | null
  locationIds: LocationId[] | null
  yearNames: string[] | null
  /** The budgets of a budget comparison; null for other reports. */
  budgetIds: BudgetId[] | null
  costCentreIds: number[]
  fundCodeIds: number[]
  analysisTagIds: number[]
  budgetCodeIds: number[]
  scheme: number
  includeEmpty: boolean
  perPupil: boolean
  ofIncome: boolean
  change: boolean
  pence: boolean
}

type LayoutRequestInput = { [Name in keyof ReportLayoutRequest]?: ReportLayoutRequest[Name] | null } & { report: ReportName }

const orNull = <T>(chosen: readonly T[] | null | undefined): T[] | null => (chosen?.length ? [...chosen] : null)

/**
 * Normalises a request, so that layouts of equal reports are equal.
 * @param isOverOpen whether the layout applies to the selected budget; if so, budgets and years are not stored
 */
export function normaliseLayoutRequest(given: LayoutRequestInput, isOverOpen: boolean): ReportLayoutRequest {
  const isComparison = given.report === 'budgetComparison'
  const isOver = !isOverOpen
  return {
    report: given.report,
    budgetId: (isOver && !isComparison && given.budgetId) || null,
    budgetGroupId: (isOver && !isComparison && given.budgetGroupId) || null,
    locationIds: isOver && !isComparison ? orNull(given.locationIds) : null,
    yearNames: isOver ? orNull(given.yearNames) : null,
    budgetIds: isOver && isComparison ? orNull(given.budgetIds) : null,
    costCentreIds: [...(given.costCentreIds ?? [])],
    fundCodeIds: [...(given.fundCodeIds ?? [])],
    analysisTagIds: [...(given.analysisTagIds ?? [])],
    budgetCodeIds: [...(given.budgetCodeIds ?? [])],
    scheme: given.scheme ?? 0,
    includeEmpty: Boolean(given.includeEmpty),
    perPupil: Boolean(given.perPupil),
    ofIncome: Boolean(given.ofIncome),
    change: Boolean(given.change),
    pence: Boolean(given.pence),
  }
}

export interface ReportLayout {
  id: number
  version: number
  name: string
  /** Whether everyone in the organisation who can read reports may use it. */
  isShared: boolean
  /** Whether the layout applies to the budget that the user has selected. */
  isOverOpen: boolean
  request: ReportLayoutRequest
  isOwn: boolean
  mayChange: boolean
}

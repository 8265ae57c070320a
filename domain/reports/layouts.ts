import type { BudgetGroupId, BudgetId, LocationId } from '../values/ids.ts'
import type { ReportName } from './registry.ts'

/** What is kept of a report under a name: which one, over what, narrowed to what, and with which columns. */
export interface LayoutRequest {
  report: ReportName
  /** One budget, or the budgets of a group; without either the budgets of record. */
  budgetId: BudgetId | null
  budgetGroupId: BudgetGroupId | null
  locationIds: LocationId[] | null
  yearNames: string[] | null
  /** Budgets that are compared. */
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

type Given = { [Name in keyof LayoutRequest]?: LayoutRequest[Name] | null } & { report: ReportName }

const orNull = <T>(chosen: readonly T[] | null | undefined): T[] | null => (chosen?.length ? [...chosen] : null)

/**
 * What is kept of what a report is asked for, so that the same report is the same layout however it was asked.
 * @param isOverOpen it is over whatever is open when it is chosen: neither budgets nor years are kept
 */
export function layoutRequest(given: Given, isOverOpen: boolean): LayoutRequest {
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

/** A layout as people see it. */
export interface ReportLayout {
  id: number
  version: number
  name: string
  /** Everybody of the organisation who reads reports may choose it. */
  isShared: boolean
  /** It is over whatever is open when it is chosen. */
  isOverOpen: boolean
  request: LayoutRequest
  /** Of whoever asks. */
  isOwn: boolean
  mayChange: boolean
}

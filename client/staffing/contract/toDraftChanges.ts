import type { SalaryRowChange } from '../../../domain/payroll/causes/causes.ts'
import type { SuggestedPayChange } from '../../budget/suggestedPayChange.ts'
import type { ContractDraft, SalaryDraftRow } from './contractDraft.ts'
import type { CostingInputs } from './costingInputs.ts'

/**
 * The form values that make a suggested change.
 * @returns null if the budget does not have the suggested scale point
 */
export function toDraftChanges(
  draft: ContractDraft,
  change: SuggestedPayChange['change'],
  points: CostingInputs['points'],
): Partial<ContractDraft> | null {
  switch (change.kind) {
    case 'dates':
      return { startDate: change.startDate, endDate: change.endDate }
    case 'apprentice':
      return { apprentice: change.apprentice }
    case 'row': {
      const fields = toRowFields(change.fields, points)
      return fields && { salary: changeRowsFrom(draft.salary, change.from, fields) }
    }
  }
}

function toRowFields({ scalePoint, ...fields }: SalaryRowChange, points: CostingInputs['points']): Partial<SalaryDraftRow> | null {
  if (!scalePoint) return fields
  const { kind, scale, increment } = scalePoint
  const matchingPoints = points.filter((point) => point.kind === kind && point.scale === scale && point.increment === increment)
  const point = matchingPoints.find((one) => one.newest) ?? matchingPoints[0]
  return point ? { ...fields, scalePoint: point.id } : null
}

/**
 * Rows with changed fields from a date on: edits the row that starts on that date, or adds a copy of the row then in
 * force.
 */
function changeRowsFrom(rows: readonly SalaryDraftRow[], from: string, fields: Partial<SalaryDraftRow>): SalaryDraftRow[] {
  const inForce = rows
    .filter((row): row is SalaryDraftRow & { effectiveDate: string } => row.effectiveDate !== null && row.effectiveDate <= from)
    .sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
    .at(-1)
  if (!inForce) return [...rows]
  const changed = { ...inForce, ...fields, effectiveDate: from }
  return inForce.effectiveDate === from ? rows.map((row) => (row === inForce ? changed : row)) : [...rows, changed]
}

import type { ContractRow, StaffContract } from '../../budget/budget.ts'
import type { AppliedLeave, ScalePoint } from '../../calculation/inputs.ts'
import type { IsoDate } from '../../values/calendar.ts'
import type { ContractId } from '../../values/ids.ts'

/** Causes of differences between payroll and budget, in the order in which they are tried (rules.md §18). */
export const payCauses = [
  { id: 'award', name: 'Award not paid yet' },
  { id: 'increment', name: 'Increment not given, or given early' },
  { id: 'point', name: 'Different point of the scale' },
  { id: 'hours', name: 'Different FTE or hours' },
  { id: 'dates', name: 'Started or left on a different day' },
  { id: 'allowance', name: 'Missing or extra allowance' },
  { id: 'pension', name: 'Pension membership' },
  { id: 'niCategory', name: 'Different NI category' },
  { id: 'arrears', name: 'Arrears for months carried forward' },
  { id: 'leave', name: 'Leave missing from payroll or budget' },
] as const
export type PayCause = (typeof payCauses)[number]['id']

/**
 * The fields of a salary row that a cause may change. A scale point is given by its position, because the calculation does not know the ids
 * of points.
 */
export interface SalaryRowChange extends Partial<Pick<ContractRow, 'fte' | 'hoursPerWeek' | 'allowances' | 'erPension'>> {
  scalePoint?: ScalePoint
}

/** A change to the budget with which it would calculate the actual pay. */
export type PayChange =
  /** From a date on, a copy of the salary row then in force with `fields` changed. */
  | { kind: 'row'; contractId: ContractId; from: IsoDate; fields: SalaryRowChange }
  | { kind: 'dates'; contractId: ContractId; startDate: IsoDate; endDate: IsoDate | null }
  | { kind: 'apprentice'; contractId: ContractId; apprentice: boolean }
  /** Leaves out the award of a date. The award belongs to the budget's tables or assumptions, so no contract changes. */
  | { kind: 'award'; effectiveDate: IsoDate }
  /** Another age. It is in the staff record, so no contract changes. */
  | { kind: 'age' }
  | { kind: 'arrears' }
  | { kind: 'leave'; leaves: AppliedLeave[] }

/** The explanation of one employee's actual pay by one cause, or two combined, with the correction to make. */
export interface PayExplanation {
  cause: PayCause
  /** One sentence with the amount, or two for two causes. If the user accepts the explanation, it is saved as the note. */
  sentence: string
  change: PayChange
  /** Set only if two causes are combined. */
  second?: PayChange
}

/** Applies a change to its own contract; any other contract is returned unchanged. */
export function applyPayChange(contract: StaffContract, change: PayChange): StaffContract {
  if (!('contractId' in change) || change.contractId !== contract.id) return contract
  switch (change.kind) {
    case 'row':
      return { ...contract, salary: changeRows(contract.salary, change.from, change.fields) }
    case 'dates':
      return { ...contract, startDate: change.startDate, endDate: change.endDate }
    case 'apprentice':
      return { ...contract, apprentice: change.apprentice }
  }
}

function changeRows(rows: readonly ContractRow[], from: IsoDate, { scalePoint, ...fields }: SalaryRowChange): ContractRow[] {
  const inForce = rows.filter((row) => row.effectiveDate <= from).reduce<ContractRow | undefined>(pickLaterRow, undefined)
  if (!inForce) return [...rows]
  const point = scalePoint && { ...scalePoint, id: 0 }
  const changed: ContractRow = { ...inForce, ...fields, ...(point && { scalePoint: point }), effectiveDate: from }
  return [...rows.filter((row) => row.effectiveDate !== from), changed]
}

function pickLaterRow(a: ContractRow | undefined, b: ContractRow): ContractRow {
  return a && a.effectiveDate > b.effectiveDate ? a : b
}

import type { ContractRow, StaffContract } from '../../budget/budget.ts'
import type { AppliedLeave, ScalePoint } from '../../calculation/inputs.ts'
import type { IsoDate } from '../../values/calendar.ts'
import type { ContractId } from '../../values/ids.ts'

/** Why payroll may pay something else than the budget calculates, in the order in which they are tried (rules.md §18). */
export const payCauses = [
  { id: 'award', name: 'Award not paid yet' },
  { id: 'increment', name: 'Increment not given, or given early' },
  { id: 'point', name: 'Another point of the scale' },
  { id: 'hours', name: 'Another FTE or hours' },
  { id: 'dates', name: 'Started or left on another day' },
  { id: 'allowance', name: 'Allowance missing or extra' },
  { id: 'pension', name: 'Pension membership' },
  { id: 'niCategory', name: 'Another NI category' },
  { id: 'arrears', name: 'Arrears of the months carried forward' },
  { id: 'leave', name: 'Leave not known' },
] as const
export type PayCause = (typeof payCauses)[number]['id']

/** What a salary row may differ in; a point is named, not picked, for the calculation knows no record of it. */
export interface RowChange extends Partial<Pick<ContractRow, 'fte' | 'hoursPerWeek' | 'allowances' | 'erPension'>> {
  scalePoint?: ScalePoint
}

/** The one thing that would have to be otherwise for the budget to calculate what was paid. */
export type PayChange =
  /** A salary row from a date on, like the one in force then but for these fields. */
  | { kind: 'row'; contractId: ContractId; from: IsoDate; fields: RowChange }
  | { kind: 'dates'; contractId: ContractId; startDate: IsoDate; endDate: IsoDate | null }
  | { kind: 'apprentice'; contractId: ContractId; apprentice: boolean }
  /** The award of a date is not there; it is of the budget's tables or assumptions, and no contract is changed. */
  | { kind: 'award'; effectiveDate: IsoDate }
  /** Age stands in the record of the staff member. */
  | { kind: 'age' }
  | { kind: 'arrears' }
  /** The leaves of the staff member as they would be. */
  | { kind: 'leave'; leaves: AppliedLeave[] }

/** A cause that holds, or two that hold together: what is said of it, and what would put it right. */
export interface PayExplanation {
  cause: PayCause
  /** One sentence with its figures, two for two causes; accepting writes it as the note. */
  sentence: string
  change: PayChange
  /** The change of the second cause, where two hold together. */
  second?: PayChange
}

/** A contract with a change made that is of it; others leave it as it is. */
export function withChange(contract: StaffContract, change: PayChange): StaffContract {
  if (!('contractId' in change) || change.contractId !== contract.id) return contract
  switch (change.kind) {
    case 'row':
      return { ...contract, salary: rowsWith(contract.salary, change.from, change.fields) }
    case 'dates':
      return { ...contract, startDate: change.startDate, endDate: change.endDate }
    case 'apprentice':
      return { ...contract, apprentice: change.apprentice }
  }
}

function rowsWith(rows: readonly ContractRow[], from: IsoDate, { scalePoint, ...fields }: RowChange): ContractRow[] {
  const inForce = rows.filter((row) => row.effectiveDate <= from).reduce<ContractRow | undefined>(later, undefined)
  if (!inForce) return [...rows]
  const point = scalePoint && { ...scalePoint, id: 0 }
  const changed: ContractRow = { ...inForce, ...fields, ...(point && { scalePoint: point }), effectiveDate: from }
  return [...rows.filter((row) => row.effectiveDate !== from), changed]
}

function later(a: ContractRow | undefined, b: ContractRow): ContractRow {
  return a && a.effectiveDate > b.effectiveDate ? a : b
}

/** One field as it was and as it is. */
export interface FieldChange {
  field: string
  before: string
  after: string
}

/** Names for ids in a history; unknown ids read as themselves. */
export type NameOf = (
  kind:
    | 'location'
    | 'contractType'
    | 'staffAssumptions'
    | 'allowance'
    | 'serviceTerm'
    | 'fundCode'
    | 'analysisTag'
    | 'adminTable'
    | 'inflation'
    | 'budgetCode'
    | 'costCentre'
    | 'profileTemplate'
    | 'topSliceTable'
    | 'gagPoolTable'
    | 'staff',
  id: number,
) => string

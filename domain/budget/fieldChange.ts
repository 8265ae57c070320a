/** One field as it was and as it is. */
export interface FieldChange {
  field: string
  before: string
  after: string
}

/** What a history names by its id. */
export type NamedRecord =
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
  | 'staff'

/** Names for ids in a history; unknown ids read as themselves. */
export type NameOf = (kind: NamedRecord, id: number) => string

/** One field as it was and as it is. */
export interface FieldChange {
  field: string
  before: string
  after: string
}

/** What a history names by its id. */
export const namedRecords = [
  'location',
  'contractType',
  'staffAssumptions',
  'allowance',
  'payScalePoint',
  'serviceTerm',
  'fundCode',
  'analysisTag',
  'adminTable',
  'inflation',
  'budgetCode',
  'costCentre',
  'profileTemplate',
  'topSliceTable',
  'gagPoolTable',
  'staff',
] as const
export type NamedRecord = (typeof namedRecords)[number]

/** Names for ids in a history; unknown ids read as themselves. */
export type NameOf = (kind: NamedRecord, id: number) => string

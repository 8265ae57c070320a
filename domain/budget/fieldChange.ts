export interface FieldChange {
  field: string
  before: string
  after: string
}

export const historyRecordKinds = [
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
export type HistoryRecordKind = (typeof historyRecordKinds)[number]

/** Finds the name of a record for the history. The name of an unknown record is its kind and id. */
export type RecordNamer = (kind: HistoryRecordKind, id: number) => string

import type { Limit } from './limits.ts'

/** What is known of a call before it is read. Each procedure names its own (`procedures.ts`). */
export interface Policy {
  /** What a call counts towards, besides being a call. */
  limit?: Limit
  /** It works long on what it is given, and is answered by a thread of its own. */
  isLong?: boolean
  /** Bytes that its body may have, where that is not `usualBytes`. */
  mostBytes?: number
  /** Its body is a form with one picture. */
  isPicture?: boolean
  /** A query that goes through many rows and may be read from the database that follows the first. Nobody edits what it shows. */
  mayFollow?: boolean
  /** It may change what people are allowed to do: every server asks again who may still listen. */
  changesRights?: boolean
}

/** Bytes that the body of a call may have. */
export const usualBytes = 2_000_000
/** Bytes that an import may have. */
const importBytes = 10_000_000
/** Bytes that the file of a ledger or payroll may have: a hundred thousand transactions with their texts. */
const ledgerBytes = 32_000_000

/** The policies that a procedure may name. */
export const policies = {
  /** Nearly every call: it reads or changes one screen's worth. */
  short: {},
  /** Asks for a password or a code again. */
  code: { limit: 'codes' },
  picture: { isPicture: true },
  /** Changes what people are allowed to do. */
  rights: { changesRights: true },
  import: { limit: 'imports', isLong: true, mostBytes: importBytes },
  rightsImport: { limit: 'imports', isLong: true, mostBytes: importBytes, changesRights: true },
  ledgerImport: { limit: 'imports', isLong: true, mostBytes: ledgerBytes },
  /** Compares the file of a ledger with what stands. */
  ledgerCheck: { limit: 'long', isLong: true, mostBytes: ledgerBytes },
  /** A file that is made quickly, or fetched when it is made. */
  file: { limit: 'exports' },
  export: { limit: 'exports', isLong: true },
  /** Goes through whole budgets, payrolls or logs. */
  long: { limit: 'long', isLong: true },
  report: { mayFollow: true },
  longReport: { limit: 'long', isLong: true, mayFollow: true },
  reportFile: { limit: 'exports', isLong: true, mayFollow: true },
} as const satisfies Record<string, Policy>

export type PolicyName = keyof typeof policies

/** @returns the policy of that name, its absent parts readable */
export const policyNamed = (name: PolicyName): Policy => policies[name]

import type { LimitName } from './limits.ts'

/**
 * Limits and treatment of a call that are known before it is read. Each procedure names its policy (`procedures.ts`).
 */
export interface CallPolicy {
  /** The rate limit it counts towards, besides that for all calls. */
  limit?: LimitName
  /** Takes long for some inputs, so a separate thread answers it. */
  isLong?: boolean
  /** The largest body in bytes, if not `defaultBodyBytes`. */
  mostBytes?: number
  /** The body is a form with one image. */
  isPicture?: boolean
  /** A query over many rows that may be read from the replica, because nobody edits what it shows. */
  mayReadReplica?: boolean
  /** Can change permissions: every server rechecks its live listeners. */
  changesRights?: boolean
}

/** The largest body of a call, in bytes. */
export const defaultBodyBytes = 2_000_000
/** The largest body of an import, in bytes. */
const importBytes = 10_000_000
/** The largest ledger or payroll file in bytes: a hundred thousand transactions with their texts. */
const ledgerBytes = 32_000_000

/** The policies that a procedure may name. */
export const callPolicies = {
  /** Nearly every call: reads or changes one screen's worth. */
  short: {},
  /** Requires the password or a code again. */
  code: { limit: 'codes' },
  picture: { isPicture: true },
  /** Changes permissions. */
  rights: { changesRights: true },
  newUser: { limit: 'newUsers', changesRights: true },
  import: { limit: 'imports', isLong: true, mostBytes: importBytes },
  rightsImport: { limit: 'imports', isLong: true, mostBytes: importBytes, changesRights: true },
  ledgerImport: { limit: 'imports', isLong: true, mostBytes: ledgerBytes },
  /** Compares a ledger file with the stored ledger. */
  ledgerCheck: { limit: 'long', isLong: true, mostBytes: ledgerBytes },
  /** A file that is quick to create, or the download of a finished one. */
  file: { limit: 'exports' },
  export: { limit: 'exports', isLong: true },
  /** Reads whole budgets, payrolls or logs. */
  long: { limit: 'long', isLong: true },
  report: { mayReadReplica: true },
  longReport: { limit: 'long', isLong: true, mayReadReplica: true },
  reportFile: { limit: 'exports', isLong: true, mayReadReplica: true },
} as const satisfies Record<string, CallPolicy>

export type CallPolicyName = keyof typeof callPolicies

/** @returns the policy with that name, typed so that its optional parts can be read */
export const getCallPolicy = (name: CallPolicyName): CallPolicy => callPolicies[name]

import type { StaffContract } from '../../../domain/budget/budget.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import type { RecordValues } from '../../../domain/resources/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { UseSource } from '../useSources.ts'

/** Returns a contract in which a record replaces the one with the id `from`. */
export type ContractSwap = (contract: StaffContract, from: number) => StaffContract

/** The rules of a resource, on the server, that its declaration cannot express. */
export interface ResourceHooks {
  /** Finds uses of the resource's records, except uses in declared resources, budgets, contracts and budget items. */
  uses?: (ids: readonly number[]) => UseSource[]
  /**
   * For a resource of whose records contracts store more than the id: returns the function that puts another record into a contract;
   * undefined if that record does not exist.
   */
  prepareContractSwap?: (tx: OrganisationTx, otherId: number) => Promise<ContractSwap | undefined>
  /** Whether a contract may refer to another record in place of its current one. */
  fitsContract?: (other: AnyRecord, contract: StaffContract) => boolean
  /** Says why entries, calculations and predictions may not refer to the other record instead of the old one; null if they may. */
  explainItemMisfit?: (old: AnyRecord, other: AnyRecord) => string | null
  /**
   * Names what a change would alter although a record in use must keep it, in words such as `its type`; null if the change is allowed. The
   * current value gives existing figures their meaning, even in locked budgets and closed months.
   */
  describeFixedChange?: (before: AnyRecord, after: RecordValues) => string | null
  /** Restores rows that were deleted together with these records and that have no log lines for their deletion. */
  restoreDependents?: (tx: OrganisationTx, ids: readonly number[]) => Promise<void>
}

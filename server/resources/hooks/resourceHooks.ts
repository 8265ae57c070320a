import type { StaffContract } from '../../../domain/budget/budget.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import type { Values } from '../../../domain/resources/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { UseSource } from '../useSources.ts'

/** Returns a contract in which a record replaces the one with the id `from`. */
export type ContractSwap = (contract: StaffContract, from: number) => StaffContract

/** The rules of a resource, on the server, that its declaration cannot express. */
export interface ResourceHooks {
  /** Finds uses of its records, other than those in declared resources, budgets, contracts and budget items. */
  uses?: (ids: readonly number[]) => UseSource[]
  /** Prepares replacing a record in contracts that store more of it than its id. Undefined if the other record does not exist. */
  contractSwap?: (tx: OrganisationTx, otherId: number) => Promise<ContractSwap | undefined>
  /** Whether a contract may refer to another record in place of its current one. */
  fitsContract?: (other: AnyRecord, contract: StaffContract) => boolean
  /** Says why entries, calculations and predictions may not refer to another record in place of their current one; null if they may. */
  misfitOfItems?: (old: AnyRecord, other: AnyRecord) => string | null
  /**
   * What a change would alter although the record is in use and must keep it, in words such as `its type`; null if nothing. Existing
   * figures are interpreted by the current value, even in locked budgets and closed months.
   */
  fixedInUse?: (before: AnyRecord, after: Values) => string | null
  /** Restores rows that were deleted together with these records and that the log does not list by themselves. */
  comesBackWith?: (tx: OrganisationTx, ids: readonly number[]) => Promise<void>
}

import type { StaffContract } from '../../../domain/budget/budget.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import type { Values } from '../../../domain/resources/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { UseSource } from '../useSources.ts'

/** A contract in which one record replaces the record with id `from`. */
export type ContractSwap = (contract: StaffContract, from: number) => StaffContract

/** The exceptions of an entity on the server that its declaration cannot express. */
export interface ResourceHooks {
  /** Uses of its records beyond those in other declarations, budgets, contracts and items. */
  uses?: (ids: readonly number[]) => UseSource[]
  /**
   * How to swap a record in contracts that store more of it than its id; undefined if the other record does not exist.
   */
  contractSwap?: (tx: OrganisationTx, otherId: number) => Promise<ContractSwap | undefined>
  /** Whether a contract may refer to another record instead of its current one. */
  fitsContract?: (other: AnyRecord, contract: StaffContract) => boolean
  /**
   * Why entries, calculations and predictions may not refer to another record instead of their current one; null if
   * they may.
   */
  misfitOfItems?: (old: AnyRecord, other: AnyRecord) => string | null
  /**
   * The part of a record that may not change while the record is in use, if it would change, in words such as `its
   * type`; null otherwise. Figures are read through its current value, even those of locked budgets and closed months.
   */
  fixedInUse?: (before: AnyRecord, after: Values) => string | null
  /** Restores the rows that were deleted along with these records and are not records of a list themselves. */
  comesBackWith?: (tx: OrganisationTx, ids: readonly number[]) => Promise<void>
}

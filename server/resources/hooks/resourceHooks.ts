import type { StaffContract } from '../../../domain/budget/budget.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import type { Values } from '../../../domain/resources/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { UseSource } from '../useSources.ts'

/** A contract with one record in place of the one with an id. */
export type ContractSwap = (contract: StaffContract, from: number) => StaffContract

/** What is special about an entity on the server and cannot be said by its declaration. */
export interface ResourceHooks {
  /** What uses its records beside what other declarations, budgets, contracts and items name. */
  uses?: (ids: readonly number[]) => UseSource[]
  /** How contracts keep more of a record than its id; undefined where the other record is not there. */
  contractSwap?: (tx: OrganisationTx, otherId: number) => Promise<ContractSwap | undefined>
  /** Whether a contract may name another record in place of the one it names. */
  fitsContract?: (other: AnyRecord, contract: StaffContract) => boolean
  /** Why entries, calculations and predictions may not name another record in place of the one they name; null: they may. */
  misfitOfItems?: (old: AnyRecord, other: AnyRecord) => string | null
  /**
   * What of a record stays as long as anything uses it, and is to be another, in words: `its type`; null: nothing. Figures are read by it as it
   * is now, those of locked budgets and closed months too.
   */
  fixedInUse?: (before: AnyRecord, after: Values) => string | null
  /** Puts back what went with records that are there again, and is no record of a list itself. */
  comesBackWith?: (tx: OrganisationTx, ids: readonly number[]) => Promise<void>
}

import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx, Store } from '../database/database.ts'
import type { Actor } from './actor.ts'
import type { RowScope } from './scope.ts'

/** The parts of a call's context that are known once its permissions have been checked. */
interface CheckedCall {
  organisationId: OrganisationId
  /** The selected location; in a log, 0 is the organisation itself. */
  locationId: LocationId
  budgetId: BudgetId
  /** The rows that the call may read and change. */
  scope: RowScope
  /** Who makes the call, as logs record it. */
  actor: Actor
  now: Date
  /** Opens further transactions, for reads outside the call's transaction. */
  store: Store
}

/**
 * The context of a running call: its transaction, and the named parts that a command or query needs, for example `Call<'organisationId' |
 * 'actor'>`. It is the first parameter and is passed on as it is. An area adds its own context to it: `Call & Reader`.
 */
export type Call<Needs extends keyof CheckedCall = never> = Readonly<{ tx: OrganisationTx } & Pick<CheckedCall, Needs>>

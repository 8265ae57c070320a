import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx, Store } from '../database/database.ts'
import type { Actor } from './actor.ts'
import type { RowScope } from './scope.ts'

/** What is known of a call once it has passed its gate. */
interface Known {
  organisationId: OrganisationId
  /** The selected location; in a log, 0 is the organisation itself. */
  locationId: LocationId
  budgetId: BudgetId
  /** The rows it may touch. */
  scope: RowScope
  /** Who makes the call, as logs record it. */
  actor: Actor
  now: Date
  /** For reads outside the transaction. */
  store: Store
}

/**
 * The context of a running call: its transaction, and the named parts that a command or query needs,
 * `Call<'organisationId' | 'actor'>`. It is the first parameter and is passed on whole. An area adds its own context to
 * it: `Call & Reader`.
 */
export type Call<Needs extends keyof Known = never> = Readonly<{ tx: OrganisationTx } & Pick<Known, Needs>>

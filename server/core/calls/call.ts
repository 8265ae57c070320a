import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx, Store } from '../database/database.ts'
import type { Actor } from './actor.ts'
import type { RowScope } from './scope.ts'

/** What a call knows once it is through its gate: who makes it, and where. */
interface Known {
  organisationId: OrganisationId
  /** The selected location; of a log 0 is the organisation itself. */
  locationId: LocationId
  budgetId: BudgetId
  /** Whose rows it may touch. */
  scope: RowScope
  /** Who makes it, as the logs tell. */
  actor: Actor
  now: Date
  /** For what is read beside the transaction. */
  store: Store
}

/**
 * A call at work: its transaction, and by name what of it a command or a query needs, `Call<'organisationId' | 'actor'>`. It comes first and is
 * handed on whole; what an area knows beside it stands there too, `Call & Reader`.
 */
export type Call<Needs extends keyof Known = never> = Readonly<{ tx: OrganisationTx } & Pick<Known, Needs>>

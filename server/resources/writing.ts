import type { AnyResource } from '../../domain/resources/resource.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { RowScope } from '../core/calls/scope.ts'

/** What every command on declared records receives: the resource, the actor, and the rows that the caller may reach. */
export interface WriteContext {
  resource: AnyResource
  scope: RowScope
  actor: Actor
  /** Fields that the organisation hides; their values do not change (behaviour B-098). */
  hidden?: readonly string[]
}

import type { AnyResource } from '../../domain/resources/resource.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { RowScope } from '../core/calls/scope.ts'

/** Who changes records of which entity, and which of them are in reach: what every command on declared records is given. */
export interface Writing {
  resource: AnyResource
  scope: RowScope
  actor: Actor
  /** Fields that the organisation hides: their values stay untouched (behaviour B-098). */
  hidden?: readonly string[]
}

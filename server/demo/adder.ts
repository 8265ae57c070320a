import { resources } from '../../domain/resources/all.ts'
import { newRecord } from '../../domain/resources/schema.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { create } from '../resources/commands.ts'
import type { Add } from './codes.ts'

/** Who keeps national data. */
export const administrator = { organisationId: null, locationIds: null, isAdministrator: true }

/** Makes records through the product's own checks, as an administrator for national ones. */
export function adder(tx: OrganisationTx, actor: Actor): Add {
  return (resource, values, organisationId) =>
    create(
      {
        tx,
        resource: resources[resource],
        scope: organisationId === null ? administrator : { organisationId, locationIds: null, isAdministrator: false },
        actor,
      },
      { ...newRecord(resources[resource]), ...values },
    )
}

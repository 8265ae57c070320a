import { resources } from '../../domain/resources/all.ts'
import { buildNewRecord } from '../../domain/resources/schema.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { createRecord } from '../resources/commands.ts'
import type { RecordAdder } from './trustRecords.ts'

export const nationalScope = { organisationId: null, locationIds: null, isAdministrator: true }

/** Returns a function that creates records through the product's own checks; records without an organisation are national. */
export function createRecordAdder(tx: OrganisationTx, actor: Actor): RecordAdder {
  return (resource, values, organisationId) =>
    createRecord(
      {
        tx,
        resource: resources[resource],
        scope: organisationId === null ? nationalScope : { organisationId, locationIds: null, isAdministrator: false },
        actor,
      },
      { ...buildNewRecord(resources[resource]), ...values },
    )
}

import type { Call } from '../../../core/calls/call.ts'
import { type Kept, type KeptRow, lockRecord } from '../../../resources/kept.ts'
import { type Changer, refusePart } from '../commands.ts'

/**
 * A record of an organisation that is the same for all its locations and is to be changed, locked until the end of the transaction.
 * @throws DomainError as `lockRecord`; 403 for somebody with only some locations
 */
export async function lockedRecord<Row extends KeptRow>(
  call: Call & Changer,
  kept: Kept<Row>,
  wanted: { id: number; version?: number },
): Promise<Row> {
  const { tx } = call
  refusePart(call)
  return lockRecord(tx, kept, { organisationId: call.organisationId, ...wanted })
}

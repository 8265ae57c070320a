import type { Call } from '../../../core/calls/call.ts'
import { type Kept, type KeptRow, lockRecord } from '../../../resources/kept.ts'
import { type Changer, refusePart } from '../commands.ts'

/**
 * Reads and locks a record that applies to all locations of an organisation.
 * @throws DomainError as `lockRecord`; 403 for a caller limited to some locations
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

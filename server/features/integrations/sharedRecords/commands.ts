import type { Call } from '../../../core/calls/call.ts'
import { lockUndeclaredRecord, type UndeclaredKind, type UndeclaredRow } from '../../../resources/undeclared.ts'
import { type IntegrationEditor, refuseLimitedEditor } from '../commands.ts'

/**
 * Reads and locks a record that applies to all locations of an organisation.
 * @throws DomainError as `lockUndeclaredRecord`; 403 for a caller limited to some locations
 */
export async function lockSharedRecord<Row extends UndeclaredRow>(
  call: Call & IntegrationEditor,
  recordKind: UndeclaredKind<Row>,
  wanted: { id: number; version?: number },
): Promise<Row> {
  const { tx } = call
  refuseLimitedEditor(call)
  return lockUndeclaredRecord(tx, recordKind, { organisationId: call.organisationId, ...wanted })
}

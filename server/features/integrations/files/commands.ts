import { requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { conflict } from '../../../../domain/words/errors.ts'
import { fileLayouts } from '../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { deleteUndeclaredRecord, type UndeclaredKind, updateUndeclaredRecord } from '../../../resources/undeclared.ts'
import { type IntegrationEditor, refuseLimitedEditor } from '../commands.ts'
import { lockSharedRecord } from '../sharedRecords/commands.ts'
import type { LayoutInput } from './inputs.ts'
import { type LayoutRow, listLayouts, readLayout } from './queries.ts'

const recordKind: UndeclaredKind<LayoutRow> = { name: 'fileLayout', table: fileLayouts, get: readLayout, toLogged: (row) => ({ ...row }) }
/** The most layouts of an organisation. */
const mostLayouts = 50

/** Saves a layout for the whole organisation. @throws DomainError 409 for a name that is taken, or at the maximum number of layouts */
export async function createLayout(call: Call & IntegrationEditor, input: LayoutInput): Promise<LayoutRow> {
  const { tx } = call
  refuseLimitedEditor(call)
  const { organisationId, actor } = call
  if ((await listLayouts(tx, organisationId)).length >= mostLayouts)
    throw conflict('tooMany', `You can have at most ${mostLayouts} layouts. Delete one that is no longer needed.`)
  const row = requireSingleRow(
    await tx
      .insert(fileLayouts)
      .values({ ...input, organisationId, created: actor.now.toISOString() })
      .returning(),
  )
  await logRecordChange({ tx, actor }, recordKind, { action: 'created', before: null, after: recordKind.toLogged(row) })
  return row
}

/** @throws DomainError 404; 409 for a name that is taken, or if someone else has saved the layout since the caller read it */
export async function updateLayout(
  call: Call & IntegrationEditor,
  { id, version, ...input }: LayoutInput & { id: number; version: number },
): Promise<LayoutRow> {
  return updateUndeclaredRecord(call, recordKind, { before: await lockSharedRecord(call, recordKind, { id, version }), set: input })
}

export async function deleteLayout(call: Call & IntegrationEditor, id: number): Promise<void> {
  await deleteUndeclaredRecord(call, recordKind, await lockSharedRecord(call, recordKind, { id }))
}

import { onlyRow } from '../../../../domain/values/assertDefined.ts'
import { conflict } from '../../../../domain/words/errors.ts'
import { fileLayouts } from '../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import { recordChange } from '../../../resources/referenceLog.ts'
import { changeRecord, deleteRecord, type UndeclaredKind } from '../../../resources/undeclared.ts'
import { type IntegrationEditor, refuseLimitedCaller } from '../commands.ts'
import { lockSharedRecord } from '../sharedRecords/commands.ts'
import type { LayoutInput } from './inputs.ts'
import { getLayout, type LayoutRow, listLayouts } from './queries.ts'

const recordKind: UndeclaredKind<LayoutRow> = { name: 'fileLayout', table: fileLayouts, get: getLayout, logged: (row) => ({ ...row }) }
/** The most layouts of an organisation. */
const mostLayouts = 50

/** Saves a layout for the whole organisation. @throws DomainError 409 for a name that is taken, or at the maximum number of layouts */
export async function createLayout(call: Call & IntegrationEditor, input: LayoutInput): Promise<LayoutRow> {
  const { tx } = call
  refuseLimitedCaller(call)
  const { organisationId, actor } = call
  if ((await listLayouts(tx, organisationId)).length >= mostLayouts)
    throw conflict('tooMany', `You can have at most ${mostLayouts} layouts. Delete one that is no longer needed.`)
  const row = onlyRow(
    await tx
      .insert(fileLayouts)
      .values({ ...input, organisationId, created: actor.now.toISOString() })
      .returning(),
  )
  await recordChange({ tx, actor }, recordKind, { action: 'created', before: null, after: recordKind.logged(row) })
  return row
}

/** @throws DomainError 404; 409 for a name that is taken, or if someone else has saved the layout since the caller read it */
export async function updateLayout(
  call: Call & IntegrationEditor,
  { id, version, ...input }: LayoutInput & { id: number; version: number },
): Promise<LayoutRow> {
  return changeRecord(call, recordKind, { before: await lockSharedRecord(call, recordKind, { id, version }), set: input })
}

export async function deleteLayout(call: Call & IntegrationEditor, id: number): Promise<void> {
  await deleteRecord(call, recordKind, await lockSharedRecord(call, recordKind, { id }))
}

import { conflict } from '../../../../domain/errors.ts'
import { onlyRow } from '../../../../domain/must.ts'
import { fileLayouts } from '../../../../drizzle/integrationTables.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { changeRecord, deleteRecord, type Kept } from '../../../resources/kept.ts'
import { recordChange } from '../../../resources/referenceLog.ts'
import { type Changer, refusePart } from '../commands.ts'
import { lockedRecord } from '../keeping/commands.ts'
import type { LayoutInput } from './inputs.ts'
import { getLayout, type LayoutRow, listLayouts } from './queries.ts'

const kept: Kept<LayoutRow> = { name: 'fileLayout', table: fileLayouts, get: getLayout, logged: (row) => ({ ...row }) }
/** The layouts that an organisation may have. */
const mostLayouts = 50

/** Keeps a layout for everybody of the organisation. @throws DomainError 409 for a name that is used, or one too many */
export async function createLayout(tx: OrganisationTx, who: Changer, input: LayoutInput): Promise<LayoutRow> {
  refusePart(who)
  const { organisationId, actor } = who
  if ((await listLayouts(tx, organisationId)).length >= mostLayouts)
    throw conflict('tooMany', `There can be ${mostLayouts} layouts. Delete one that is not needed any more.`)
  const row = onlyRow(
    await tx
      .insert(fileLayouts)
      .values({ ...input, organisationId, created: actor.now.toISOString() })
      .returning(),
  )
  await recordChange(tx, kept, { action: 'created', before: null, after: kept.logged(row) }, actor)
  return row
}

/** @throws DomainError 404; 409 for a name that is used, or where somebody else saved it in between */
export async function updateLayout(
  tx: OrganisationTx,
  who: Changer,
  { id, version, ...input }: LayoutInput & { id: number; version: number },
): Promise<LayoutRow> {
  return changeRecord(tx, kept, await lockedRecord(tx, who, kept, { id, version }), input, who.actor)
}

export async function deleteLayout(tx: OrganisationTx, who: Changer, id: number): Promise<void> {
  await deleteRecord(tx, kept, await lockedRecord(tx, who, kept, { id }), who.actor)
}

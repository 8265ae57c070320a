import { and, eq } from 'drizzle-orm'
import { conflict, stale } from '../../../../domain/errors.ts'
import { onlyRow } from '../../../../domain/must.ts'
import type { AnyRecord } from '../../../../domain/resources/resource.ts'
import { fileLayouts } from '../../../../drizzle/integrationTables.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { recordChange } from '../../../resources/referenceLog.ts'
import { type Changer, refusePart } from '../commands.ts'
import type { LayoutInput } from './inputs.ts'
import { getLayout, type LayoutRow, listLayouts } from './queries.ts'

const declared = { name: 'fileLayout' }
/** The layouts that an organisation may have. */
const mostLayouts = 50

const logged = (row: LayoutRow): AnyRecord => ({ ...row })

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
  await recordChange(tx, declared, 'created', null, logged(row), actor)
  return row
}

async function locked(tx: OrganisationTx, who: Changer, id: number): Promise<LayoutRow> {
  refusePart(who)
  await tx
    .select({ id: fileLayouts.id })
    .from(fileLayouts)
    .where(and(eq(fileLayouts.organisationId, who.organisationId), eq(fileLayouts.id, id)))
    .for('update')
  return getLayout(tx, who.organisationId, id)
}

const own = ({ organisationId, id }: LayoutRow) => and(eq(fileLayouts.organisationId, organisationId), eq(fileLayouts.id, id))

/** @throws DomainError 404; 409 for a name that is used, or where somebody else saved it in between */
export async function updateLayout(
  tx: OrganisationTx,
  who: Changer,
  { id, version, ...input }: LayoutInput & { id: number; version: number },
): Promise<LayoutRow> {
  const before = await locked(tx, who, id)
  if (version !== before.version) throw stale(null)
  const after = onlyRow(
    await tx
      .update(fileLayouts)
      .set({ ...input, version: before.version + 1 })
      .where(own(before))
      .returning(),
  )
  await recordChange(tx, declared, 'updated', logged(before), logged(after), who.actor)
  return after
}

export async function deleteLayout(tx: OrganisationTx, who: Changer, id: number): Promise<void> {
  const before = await locked(tx, who, id)
  await tx.delete(fileLayouts).where(own(before))
  await recordChange(tx, declared, 'deleted', logged(before), null, who.actor)
}

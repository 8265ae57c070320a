import { and, eq } from 'drizzle-orm'
import { maximumComparators, noComparatorsSentence, readComparatorFile } from '../../../../domain/reports/measures/comparatorFile.ts'
import { requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { displayNumber } from '../../../../domain/values/format.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { conflict, invalid } from '../../../../domain/words/errors.ts'
import { comparatorSets } from '../../../../drizzle/consoleTables.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import { type CallerRights, refuseLimitedCaller } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { logRecordChange } from '../../../resources/referenceLog.ts'
import { deleteUndeclaredRecord, lockUndeclaredRecord, type UndeclaredKind, updateUndeclaredRecord } from '../../../resources/undeclared.ts'
import { type ComparatorRow, loadComparatorSet, toLoggedComparators } from '../../../shared/reports/comparators/queries.ts'
import type { ComparatorChange, ComparatorImport } from './inputs.ts'

/** The most comparator sets of an organisation. */
const mostSets = 50

/** A caller who changes sets. They must see all locations, because a set applies to the whole organisation. */
interface ComparatorEditor {
  holder: CallerRights
  organisationId: OrganisationId
  actor: Actor
}

const recordKind: UndeclaredKind<ComparatorRow> = {
  name: 'comparatorSet',
  table: comparatorSets,
  get: loadComparatorSet,
  toLogged: toLoggedComparators,
}

/**
 * Saves the schools of a file as a set, with all of them selected. The first set of an organisation is used in reports at once.
 * @throws DomainError 400, 409
 */
export async function importComparators(
  tx: OrganisationTx,
  { organisationId, actor, holder }: ComparatorEditor,
  { rows, ...named }: ComparatorImport,
): Promise<ComparatorRow> {
  refuseLimitedCaller(holder)
  const read = readComparatorFile(rows.map((row) => row.split('\t')))
  if (!read) throw invalid([{ field: 'rows', message: noComparatorsSentence }])
  if (!read.schools.length)
    throw invalid([
      { field: 'rows', message: 'No school in this file has figures for the measures that Bursar compares. Choose another file.' },
    ])
  if (read.schools.length > maximumComparators)
    throw invalid([{ field: 'rows', message: `A set can have at most ${displayNumber(maximumComparators)} schools. Download fewer.` }])
  const ofOrganisation = eq(comparatorSets.organisationId, organisationId)
  const count = await tx.$count(comparatorSets, ofOrganisation)
  if (count >= mostSets)
    throw conflict('tooMany', `You can have at most ${mostSets} sets of comparators. Delete one that is no longer needed.`)
  const row = requireSingleRow(
    await tx
      .insert(comparatorSets)
      .values({
        ...named,
        organisationId,
        created: actor.now.toISOString(),
        schools: read.schools,
        unused: read.unused,
        chosen: read.schools.map(({ key }) => key),
        isUsed: count === 0,
      })
      .returning(),
  )
  await logRecordChange({ tx, actor }, recordKind, { action: 'created', before: null, after: recordKind.toLogged(row) })
  return row
}

/**
 * Changes the name of a comparator set, which of its schools are selected, and whether reports use it.
 * @throws DomainError 400 for a school that is not in the set; 404 for a set that does not exist; 409 if somebody else has changed it
 */
export async function updateComparatorSet(
  tx: OrganisationTx,
  { organisationId, actor, holder }: ComparatorEditor,
  { id, version, chosen, ...changed }: ComparatorChange,
): Promise<ComparatorRow> {
  refuseLimitedCaller(holder)
  const before = await lockUndeclaredRecord(tx, recordKind, { organisationId, id, version })
  const known = new Set(before.schools.map(({ key }) => key))
  if (chosen.some((key) => !known.has(key)))
    throw invalid([{ field: 'chosen', message: 'One of the chosen schools is not in the set. Choose another.' }])
  if (changed.isUsed && !before.isUsed) {
    const used = await tx
      .select({ id: comparatorSets.id })
      .from(comparatorSets)
      .where(and(eq(comparatorSets.organisationId, organisationId), comparatorSets.isUsed))
    for (const one of used)
      await updateUndeclaredRecord({ tx, actor }, recordKind, {
        before: await lockUndeclaredRecord(tx, recordKind, { organisationId, id: one.id }),
        set: { isUsed: false },
      })
  }
  return updateUndeclaredRecord({ tx, actor }, recordKind, { before, set: { ...changed, chosen: [...new Set(chosen)] } })
}

/** @throws DomainError 404 */
export async function deleteComparators(
  tx: OrganisationTx,
  { organisationId, actor, holder }: ComparatorEditor,
  id: number,
): Promise<void> {
  refuseLimitedCaller(holder)
  await deleteUndeclaredRecord({ tx, actor }, recordKind, await lockUndeclaredRecord(tx, recordKind, { organisationId, id }))
}

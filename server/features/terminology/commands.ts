import { and, eq, sql } from 'drizzle-orm'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { notFound, staleRecord } from '../../../domain/words/errors.ts'
import type { TermKey } from '../../../domain/words/terms.ts'
import { organisationTerms } from '../../../drizzle/consoleTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { logRecordChange } from '../../resources/referenceLog.ts'
import { listTermRows, type TermRow } from '../../resources/terms.ts'

/**
 * Changes a term.
 * @throws DomainError 409 if someone else changed it since `version`
 */
export async function saveTerm(
  call: Call<'organisationId' | 'actor'>,
  input: { term: TermKey; singular: string; plural: string; version: number | null },
): Promise<TermRow> {
  const { tx, organisationId } = call
  const before = assertDefined((await listTermRows(tx, organisationId)).find((row) => row.term === input.term))
  if (input.version !== null && input.version !== before.version) throw staleRecord({ version: before.version, record: before, fields: [] })
  const { term, singular, plural } = input
  await tx
    .insert(organisationTerms)
    .values({ organisationId, term, singular, plural })
    .onConflictDoUpdate({
      target: [organisationTerms.organisationId, organisationTerms.term],
      set: { singular, plural, version: sql`${organisationTerms.version} + 1` },
    })
  const after = assertDefined((await listTermRows(tx, organisationId)).find((row) => row.term === term))
  await logRecordChange(
    call,
    { name: 'terminologyTerm' },
    {
      action: before.isDefault ? 'created' : 'updated',
      before: before.isDefault ? null : { ...before, organisationId },
      after: { ...after, organisationId },
    },
  )
  return after
}

/**
 * Restores the default term.
 * @throws DomainError 404 for an unknown id
 */
export async function deleteTerm(call: Call<'organisationId' | 'actor'>, id: number): Promise<void> {
  const { tx, organisationId } = call
  const before = (await listTermRows(tx, organisationId)).find((row) => row.id === id)
  if (!before) throw notFound('Term')
  if (before.isDefault) return
  await tx
    .delete(organisationTerms)
    .where(and(eq(organisationTerms.organisationId, organisationId), eq(organisationTerms.term, before.term)))
  await logRecordChange(call, { name: 'terminologyTerm' }, { action: 'deleted', before: { ...before, organisationId }, after: null })
}

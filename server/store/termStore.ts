import { and, eq, sql } from 'drizzle-orm'
import { notFound, stale } from '../../domain/errors.ts'
import { defaultTerms, type TermKey, type Terms, termKeys } from '../../domain/terms.ts'
import { terms } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { recordChange } from './referenceLog.ts'

/** One word of the terminology as the API shows it (entities.json TerminologyTerm); its id is its place in the list of all keys. */
export interface TermRow {
  id: number
  term: TermKey
  singular: string
  plural: string
  isDefault: boolean
  created: string
  version: number
}

/** Nobody made the default terms: they are as old as the product. */
const beginning = '2026-11-20'

export async function listTerms(tx: OrganisationTx, organisationId: number): Promise<TermRow[]> {
  const rows = await tx.select().from(terms).where(eq(terms.organisationId, organisationId))
  const own = new Map(rows.map((row) => [row.term, row]))
  return termKeys.map((term, index) => {
    const row = own.get(term)
    const { singular, plural } = row ?? defaultTerms[term]
    return {
      id: index + 1,
      term,
      singular,
      plural,
      isDefault: !row,
      created: row ? new Date(row.created).toISOString().slice(0, 10) : beginning,
      version: row?.version ?? 0,
    }
  })
}

/** The words of an organisation; the default ones where none is chosen. */
export async function termsOf(tx: OrganisationTx, organisationId: number | null): Promise<Terms> {
  if (organisationId === null) return defaultTerms
  return Object.fromEntries(
    (await listTerms(tx, organisationId)).map(({ term, singular, plural }) => [term, { singular, plural }]),
  ) as Terms
}

/** Changes a word. @throws DomainError 409 when somebody else changed it since `version` */
export async function saveTerm(
  tx: OrganisationTx,
  organisationId: number,
  input: { term: TermKey; singular: string; plural: string; version: number | null },
  actor: Actor,
): Promise<TermRow> {
  const before = (await listTerms(tx, organisationId)).find((row) => row.term === input.term)!
  if (input.version !== null && input.version !== before.version) throw stale({ version: before.version, record: before, fields: [] })
  const { term, singular, plural } = input
  await tx
    .insert(terms)
    .values({ organisationId, term, singular, plural })
    .onConflictDoUpdate({ target: [terms.organisationId, terms.term], set: { singular, plural, version: sql`${terms.version} + 1` } })
  const after = (await listTerms(tx, organisationId)).find((row) => row.term === term)!
  await recordChange(
    tx,
    { name: 'terminologyTerm' },
    before.isDefault ? 'created' : 'updated',
    before.isDefault ? null : { ...before, organisationId },
    { ...after, organisationId },
    actor,
  )
  return after
}

/** Puts the default back. @throws DomainError 404 for a place that names no word */
export async function deleteTerm(tx: OrganisationTx, organisationId: number, id: number, actor: Actor): Promise<void> {
  const before = (await listTerms(tx, organisationId)).find((row) => row.id === id)
  if (!before) throw notFound('Term')
  if (before.isDefault) return
  await tx.delete(terms).where(and(eq(terms.organisationId, organisationId), eq(terms.term, before.term)))
  await recordChange(tx, { name: 'terminologyTerm' }, 'deleted', { ...before, organisationId }, null, actor)
}

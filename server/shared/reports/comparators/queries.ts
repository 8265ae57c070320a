import { createHash } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { type ComparatorSet, parseStoredComparator } from '../../../../domain/reports/measures/comparators.ts'
import { canonicalJson } from '../../../../domain/values/canonicalJson.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import { comparatorSets } from '../../../../drizzle/consoleTables.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'

export type ComparatorRow = typeof comparatorSets.$inferSelect

/** A set of comparator schools as a list shows it. */
export interface ListedComparators {
  id: number
  version: number
  name: string
  source: string
  year: string | null
  created: string
  isUsed: boolean
  schools: number
  chosen: number
}

/** The comparator sets of an organisation, in order of name. */
export async function listComparators(tx: OrganisationTx, organisationId: OrganisationId): Promise<ListedComparators[]> {
  const { id, version, name, source, year, created, isUsed } = comparatorSets
  return tx
    .select({
      id,
      version,
      name,
      source,
      year,
      created,
      isUsed,
      schools: sql<number>`jsonb_array_length(${comparatorSets.schools})`,
      chosen: sql<number>`cardinality(${comparatorSets.chosen})`,
    })
    .from(comparatorSets)
    .where(eq(comparatorSets.organisationId, organisationId))
    .orderBy(asc(sql`lower(${name})`), asc(id))
}

/** @throws DomainError 404 */
export async function loadComparatorSet(tx: OrganisationTx, organisationId: OrganisationId, id: number): Promise<ComparatorRow> {
  const [row] = await tx
    .select()
    .from(comparatorSets)
    .where(and(eq(comparatorSets.organisationId, organisationId), eq(comparatorSets.id, id)))
  if (!row) throw notFound('Set of comparators')
  return row
}

/** The comparator set that reports use, with its selected schools; null if none is in use. */
export async function readComparatorSetInUse(tx: OrganisationTx, organisationId: OrganisationId): Promise<ComparatorSet | null> {
  const [row] = await tx
    .select()
    .from(comparatorSets)
    .where(and(eq(comparatorSets.organisationId, organisationId), comparatorSets.isUsed))
  if (!row) return null
  const chosen = new Set(row.chosen)
  const { name, source, year, schools } = row
  return { name, source, year, schools: schools.filter(({ key }) => chosen.has(key)).map(parseStoredComparator) }
}

/** A set as the log stores it: with a digest of its schools, because there may be thousands. */
export function toLoggedComparators({ schools, unused, ...row }: ComparatorRow) {
  const digest = createHash('sha256').update(canonicalJson(schools)).digest('hex')
  return { ...row, schools: digest, unused: unused.length }
}

/** The comparator sets of an organisation as the change log stores them. */
export async function readLoggedComparatorSets(tx: OrganisationTx, organisationId: OrganisationId) {
  const rows = await tx.select().from(comparatorSets).where(eq(comparatorSets.organisationId, organisationId))
  return rows.map(toLoggedComparators)
}

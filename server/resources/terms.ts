import { eq, sql } from 'drizzle-orm'
import type { ListRequest, Paged } from '../../domain/lists/lists.ts'
import { requireItemAt } from '../../domain/values/assertDefined.ts'
import { dayInLondon } from '../../domain/values/format.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { recordFromKeys } from '../../domain/values/keysOf.ts'
import { defaultTerms, type TermKey, type Terms, termKeys } from '../../domain/words/terms.ts'
import { organisationTerms } from '../../drizzle/consoleTables.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { buildLondonDayColumn, createTextSearch, type ListSource, orderByIds, readListPage } from './listPages.ts'

/** The terms of an organisation, with defaults for those it has not changed. */
export async function readTerms(tx: OrganisationTx, organisationId: OrganisationId | null): Promise<Terms> {
  if (organisationId === null) return defaultTerms
  const rows = await listTermRows(tx, organisationId)
  return recordFromKeys(termKeys, (_term, index) => {
    const { singular, plural } = requireItemAt(rows, index)
    return { singular, plural }
  })
}

/** One term as the API shows it (entities.json TerminologyTerm). Its id is the position of its key in the list of all keys. */
export interface TermRow {
  id: number
  term: TermKey
  singular: string
  plural: string
  isDefault: boolean
  created: string
  version: number
}

/** The creation date of default terms, which nobody created. */
const beginning = '2026-11-20'

export async function listTermRows(tx: OrganisationTx, organisationId: OrganisationId): Promise<TermRow[]> {
  const rows = await tx.select().from(organisationTerms).where(eq(organisationTerms.organisationId, organisationId))
  const rowByTerm = new Map(rows.map((row) => [row.term, row]))
  return termKeys.map((term, index) => {
    const row = rowByTerm.get(term)
    const { singular, plural } = row ?? defaultTerms[term]
    return {
      id: index + 1,
      term,
      singular,
      plural,
      isDefault: !row,
      created: row ? dayInLondon(row.created) : beginning,
      version: row?.version ?? 0,
    }
  })
}

/** One page of the terms of an organisation. */
export async function readTermPage(tx: OrganisationTx, organisationId: OrganisationId, request: ListRequest): Promise<Paged<TermRow>> {
  const defaults = JSON.stringify(termKeys.map((term, index) => ({ ...defaultTerms[term], term, id: index + 1 })))
  const [singular, plural] = [sql`coalesce(own.singular, word.singular)`, sql`coalesce(own.plural, word.plural)`]
  const list = {
    from: sql`json_to_recordset(${defaults}::json) as word(id integer, term text, singular text, plural text)
      left join terms own on own.organisation_id = ${organisationId} and own.term = word.term`,
    where: sql`true`,
    id: sql`word.id`,
    columns: {
      id: { value: sql`word.id`, kind: 'number' },
      term: { value: sql`word.term`, kind: 'text' },
      singular: { value: singular, kind: 'text' },
      plural: { value: plural, kind: 'text' },
      isDefault: { value: sql`(own.id is null)`, kind: 'flag' },
      created: { value: sql`coalesce(${buildLondonDayColumn(sql`own.created`).value}, ${beginning})`, kind: 'date' },
      version: { value: sql`coalesce(own.version, 0)`, kind: 'number' },
    },
    search: createTextSearch([sql`word.term`, singular, plural]),
    defaultSort: 'term',
    ties: sql`word.id`,
  } satisfies ListSource
  const { ids, total } = await readListPage<number>(tx, list, request)
  return { rows: orderByIds(ids, await listTermRows(tx, organisationId), ({ id }) => id), total }
}

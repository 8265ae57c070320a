import { containsAllWords, rankMatch, splitSearch } from '../../../domain/lists/search.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { castRows } from '../../core/database/tables.ts'
import * as queries from '../../resources/queries.ts'

/** A published help article, without its text. */
export interface HelpArticleHead {
  slug: string
  title: string
  /** The paths of the pages that the article belongs to. */
  screens: string[]
}

/** The published help articles: all in order, or those whose title, text or keywords match the search, best first. */
export async function readPublishedHelp(tx: OrganisationTx, rows: RowScope, search: string): Promise<HelpArticleHead[]> {
  const articles = castRows(
    resources.assist,
    await queries.listAllRecords({ tx, scope: { ...rows, shownOnly: true } }, resources.assist, { sort: 'order' }),
  )
  const wanted = splitSearch(search)
  const found = articles.filter(({ title, article, words }) =>
    containsAllWords(`${title} ${words ?? ''} ${article.replace(/<[^>]*>/g, ' ')}`, wanted),
  )
  const distance = ({ title, words }: (typeof found)[number]): number =>
    containsAllWords(title, wanted) ? rankMatch(title, search) : containsAllWords(`${title} ${words ?? ''}`, wanted) ? 4 : 5
  return (wanted.length ? found.sort((a, b) => distance(a) - distance(b)) : found).map(({ slug, title, screens }) => ({
    slug,
    title,
    screens: (screens ?? '').split(/\s+/).filter(Boolean),
  }))
}

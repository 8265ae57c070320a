import { sql } from 'drizzle-orm'
import type { BulkSelection, ListRequest, Paged } from '../../../../domain/lists/lists.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import {
  buildLondonDayColumn,
  createTextSearch,
  type ListSource,
  orderByIds,
  readListPage,
  resolveSelectedIds,
} from '../../../resources/listPages.ts'
import { itemKindTitles, loadItems } from '../../../streams/budget/items.ts'
import { presentBalance } from './rows.ts'

const balanceList = ({ organisationId, budgetId }: Omit<Call<'organisationId' | 'budgetId'>, 'tx'>): ListSource => ({
  from: sql`budget_items c`,
  where: sql`c.organisation_id = ${organisationId} and c.budget_id = ${budgetId} and c.kind = 'balance'`,
  id: sql`c.id`,
  columns: {
    id: { value: sql`c.id`, kind: 'text' },
    version: { value: sql`c.version`, kind: 'number' },
    created: buildLondonDayColumn(sql`c.created`),
    description: { value: sql`c.description`, kind: 'text' },
    type: { value: sql`(c.item ->> 'type')::integer`, kind: 'number' },
    value: { value: sql`(c.item ->> 'value')::bigint`, kind: 'pennies' },
  },
  search: createTextSearch([sql`c.description`]),
  defaultSort: 'description',
  ties: sql`c.created, c.id`,
})

/** One page of a budget's opening balances. */
export async function readBalancePage(
  call: Call<'organisationId' | 'budgetId'>,
  request: ListRequest,
): Promise<Paged<ReturnType<typeof presentBalance>>> {
  const { ids, total } = await readListPage<string>(call.tx, balanceList(call), request)
  return { rows: orderByIds(ids, await loadItems(call, 'balance', ids), ({ id }) => id).map(presentBalance), total }
}

/**
 * The opening balances that a bulk action applies to.
 * @throws DomainError 404 if one is not in the budget
 */
export async function resolveSelectedBalances(call: Call<'organisationId' | 'budgetId'>, selection: BulkSelection): Promise<string[]> {
  const ids = await resolveSelectedIds<string>(call.tx, balanceList(call), selection)
  if (!ids) throw notFound(itemKindTitles.balance)
  return ids
}

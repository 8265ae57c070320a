import { sql } from 'drizzle-orm'
import { findLinkedEntry } from '../../../../domain/budget/items/decideItems.ts'
import type { BulkSelection, ListRequest, Paged } from '../../../../domain/lists/lists.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import type { BudgetCall } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import {
  buildCalculatedColumn,
  buildLondonDayColumn,
  createTextSearch,
  type ListSource,
  orderByIds,
  readListPage,
  resolveSelectedIds,
} from '../../../resources/listPages.ts'
import { findOutdatedEntries } from '../../../shared/funding/queries.ts'
import { loadItems, loadLinkedEntries } from '../../../streams/budget/items.ts'
import { presentCalculation, type ShownCalculation } from './rows.ts'

const notFoundHere = () => notFound('Income and expenditure calculation')

/**
 * The columns of a calculation that the database cannot compute, so their sorting and filtering happens here. A budget has only a few dozen
 * calculations.
 */
const workedOutNames = ['total', 'entryId', 'isOutOfDate'] as const

async function calculationList(
  tx: OrganisationTx,
  ctx: BudgetCall,
  { filters, sort }: Pick<ListRequest, 'filters' | 'sort'>,
): Promise<ListSource> {
  const names = new Set([...(filters ?? []).map((item) => item.filter), sort])
  const all = workedOutNames.some((name) => names.has(name)) ? await loadCalculations(tx, ctx) : []
  return {
    from: sql`budget_items c`,
    where: sql`c.organisation_id = ${ctx.organisationId} and c.budget_id = ${ctx.budgetId} and c.kind = 'calculation'`,
    id: sql`c.id`,
    columns: {
      id: { value: sql`c.id`, kind: 'text' },
      version: { value: sql`c.version`, kind: 'number' },
      created: buildLondonDayColumn(sql`c.created`),
      name: { value: sql`c.item ->> 'name'`, kind: 'text' },
      description: { value: sql`c.description`, kind: 'text' },
      budgetCodeId: { value: sql`c.budget_code_id`, kind: 'number' },
      costCentreId: { value: sql`c.cost_centre_id`, kind: 'number' },
      total: buildCalculatedColumn(
        sql`c.id`,
        all.map((one) => [one.id, one.total]),
        'number',
      ),
      entryId: buildCalculatedColumn(
        sql`c.id`,
        all.map((one) => [one.id, one.entryId]),
        'text',
      ),
      isOutOfDate: buildCalculatedColumn(
        sql`c.id`,
        all.map((one) => [one.id, one.isOutOfDate]),
        'flag',
      ),
    },
    search: createTextSearch([sql`c.item ->> 'name'`, sql`c.description`]),
    defaultSort: 'name',
    ties: sql`c.created, c.id`,
  }
}

/** The calculations of a budget, all or some. */
async function loadCalculations(
  tx: OrganisationTx,
  { organisationId, budget }: BudgetCall,
  ids?: readonly string[],
): Promise<ShownCalculation[]> {
  const entries = await loadLinkedEntries(tx, organisationId, budget.id)
  const stale = await findOutdatedEntries({ tx, organisationId }, budget.head, entries)
  return (await loadItems({ tx, organisationId, budgetId: budget.id }, 'calculation', ids)).map((one) => {
    const entry = findLinkedEntry(entries, { kind: 'calculation', id: one.id })
    return presentCalculation(one, { years: budget.head.numberOfYears, entry, isOutOfDate: Boolean(entry && stale.has(entry.id)) })
  })
}

/** One page of a budget's calculations. */
export async function readCalculationPage(tx: OrganisationTx, ctx: BudgetCall, request: ListRequest): Promise<Paged<ShownCalculation>> {
  const { ids, total } = await readListPage<string>(tx, await calculationList(tx, ctx, request), request)
  return { rows: orderByIds(ids, await loadCalculations(tx, ctx, ids), ({ id }) => id), total }
}

/**
 * The calculations that a bulk action applies to.
 * @throws DomainError 404 if one is not in the budget
 */
export async function resolveSelectedCalculations(tx: OrganisationTx, ctx: BudgetCall, selection: BulkSelection): Promise<string[]> {
  const ids = await resolveSelectedIds<string>(tx, await calculationList(tx, ctx, selection), selection)
  if (!ids) throw notFoundHere()
  return ids
}

/** @throws DomainError 404 */
export async function readCalculation(tx: OrganisationTx, ctx: BudgetCall, id: string): Promise<ShownCalculation> {
  const [one] = await loadCalculations(tx, ctx, [id])
  if (!one) throw notFoundHere()
  return one
}

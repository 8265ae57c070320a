import { z } from 'zod'
import { mongoId } from '../../domain/budget/budget.ts'
import { entryOf } from '../../domain/budget/items/decideItems.ts'
import { ieCalculationInput } from '../../domain/budget/items/ieCalculation.ts'
import type { StoredItem } from '../../domain/budget/items/item.ts'
import { calculate } from '../../domain/calculation/calculator.ts'
import type { Figure } from '../../domain/calculation/inputs.ts'
import { notFound } from '../../domain/errors.ts'
import { poundsOf } from '../../domain/format.ts'
import { bulkSelection, chosenOf, listRequest, pageOf } from '../../domain/lists.ts'
import { either } from '../../domain/permissions.ts'
import { runDeleteSources, runProcessCalculation, runSaveCalculation } from '../commands/items.ts'
import type { OrganisationTx } from '../store/database.ts'
import { loadItems } from '../store/itemStore.ts'
import { outOfDate } from '../store/linkedItems.ts'
import { inBudget, router } from '../trpc/procedures.ts'
import { type BudgetCall, changingMoney } from './changingMoney.ts'

const reading = either('BudgetingNonStaffing')
const writing = ['BudgetingNonStaffingReadUpdate'] as const
const byId = z.object({ id: mongoId })
const searched = ['name', 'description'] as const
const at = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string) =>
  ({ method, path: `/api/IncomeExpenditureCalculator${path}`, entity: 'IncomeExpenditureCalculator' }) as const

const pounds = (figure: Figure): number | null => (figure === null ? null : poundsOf(figure))

/** A calculation as the API shows it (entities.json IncomeExpenditureCalculator): pounds; `worked` stands beside the rows, one for each. */
function shown(
  { id, version, created, item }: StoredItem<'calculation'>,
  years: number,
  entry: StoredItem<'entry'> | undefined,
  isOutOfDate: boolean,
) {
  const { rows, total } = calculate(item.rows, years)
  return {
    ...item,
    id,
    version,
    created: created.slice(0, 10),
    total: pounds(total[0] ?? null),
    totals: total.map(pounds),
    worked: rows.map((row) => ({ years: row.years?.map(pounds) ?? null, problem: row.problem })),
    entryId: entry?.id ?? null,
    isOutOfDate,
  }
}

async function allShown(tx: OrganisationTx, { organisationId, budget }: BudgetCall) {
  const entries = await loadItems(tx, organisationId, budget.id, 'entry')
  const stale = await outOfDate(tx, organisationId, budget.head, entries)
  return (await loadItems(tx, organisationId, budget.id, 'calculation')).map((one) => {
    const entry = entryOf(entries, { kind: 'calculation', id: one.id })
    return shown(one, budget.head.numberOfYears, entry, Boolean(entry && stale.has(entry.id)))
  })
}

async function oneShown(tx: OrganisationTx, ctx: BudgetCall, id: string) {
  const one = (await allShown(tx, ctx)).find((row) => row.id === id)
  if (!one) throw notFound('Income and expenditure calculation')
  return one
}

/** Income and expenditure calculations (calculation.md §11). */
export const calculationRouter = router({
  list: inBudget(reading, at('POST', '/paginated'))
    .input(listRequest)
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => pageOf(await allShown(tx, ctx), input, searched, 'name'))),
  get: inBudget(reading, at('GET', '/id/{id:mongoId}'))
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => oneShown(tx, ctx, input.id))),
  save: inBudget(writing, at('PUT', '/save'))
    .input(ieCalculationInput)
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => oneShown(tx, ctx, await runSaveCalculation(tx, ctx, input)))),
  process: inBudget(writing, at('PUT', '/process'))
    .input(z.object({ id: mongoId, years: z.int('Years must be a whole number.').min(1).max(5).nullish() }))
    .mutation(({ ctx, input }) =>
      changingMoney(ctx, async (tx) => {
        await runProcessCalculation(tx, ctx, input.id, input.years)
        return oneShown(tx, ctx, input.id)
      }),
    ),
  delete: inBudget(writing, { ...at('DELETE', '/id/{id:mongoId}'), status: 204 })
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      await changingMoney(ctx, (tx) => runDeleteSources(tx, ctx, 'calculation', [input.id]))
    }),
  bulkDelete: inBudget(writing, at('POST', '/bulkDelete'))
    .input(bulkSelection)
    .mutation(({ ctx, input }) =>
      changingMoney(ctx, async (tx) => {
        const rows = chosenOf(await allShown(tx, ctx), input, searched)
        if (!rows) throw notFound('Income and expenditure calculation')
        const ids = rows.map((row) => row.id)
        return { deleted: await runDeleteSources(tx, ctx, 'calculation', ids) }
      }),
    ),
})

import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { mongoId } from '../../domain/budget/budget.ts'
import { entryOf } from '../../domain/budget/items/decideItems.ts'
import { fundingPredictionInput } from '../../domain/budget/items/fundingPrediction.ts'
import type { StoredItem } from '../../domain/budget/items/item.ts'
import { fundingRules } from '../../domain/calculation/fundingRules.ts'
import type { Figure } from '../../domain/calculation/inputs.ts'
import { yearName } from '../../domain/calendar.ts'
import { poundsOf } from '../../domain/format.ts'
import { lookupName } from '../../domain/lookups.ts'
import { either } from '../../domain/permissions.ts'
import { resources } from '../../domain/resources/all.ts'
import { itemOf, runCreatePrediction, runDeleteSources, runProcessPrediction, runUpdatePrediction } from '../commands/items.ts'
import type { OrganisationTx } from '../store/database.ts'
import { loadItems } from '../store/itemStore.ts'
import { countedPupils, outOfDate, predicted } from '../store/linkedItems.ts'
import { rowsOf, tableFor } from '../store/tables.ts'
import { inBudget, router } from '../trpc/procedures.ts'
import { type BudgetCall, changingMoney } from './changingMoney.ts'

const reading = either('BudgetingNonStaffing')
const writing = ['BudgetingNonStaffingReadUpdate'] as const
const byId = z.object({ id: mongoId })
const at = (method: 'GET' | 'POST' | 'DELETE', path: string) =>
  ({ method, path: `/api/FundingPredictor${path}`, entity: 'FundingPredictor' }) as const

const pounds = (figure: Figure): number | null => (figure === null ? null : poundsOf(figure))

/** A prediction as the API shows it (entities.json FundingPredictor): pounds; `worked` stands beside the rows, one for each. */
async function shown(tx: OrganisationTx, { organisationId, budget }: BudgetCall, { id, version, created, item }: StoredItem<'prediction'>) {
  const { head } = budget
  const worked = await predicted(tx, head, item, await countedPupils(tx, organisationId, head))
  const entries = await loadItems(tx, organisationId, head.id, 'entry')
  const entry = entryOf(entries, { kind: 'prediction', id })
  return {
    ...item,
    id,
    version,
    created: created.slice(0, 10),
    total: pounds(worked.total[0] ?? null),
    totals: worked.total.map(pounds),
    worked: worked.rows.map(({ years, rates, ...row }) => ({
      ...row,
      years: years?.map(pounds) ?? null,
      rates: rates?.map(pounds) ?? null,
    })),
    tableRates: Object.fromEntries(worked.rates),
    /** The budget year the table is of, from 0; rates of later years rise. */
    tableYear: worked.tableYear,
    leftOut: worked.leftOut,
    stoodIn: worked.stoodIn,
    entryId: entry?.id ?? null,
    isOutOfDate: Boolean(entry && (await outOfDate(tx, organisationId, head, [entry])).size),
  }
}

async function oneShown(tx: OrganisationTx, ctx: BudgetCall, id: string) {
  return shown(tx, ctx, await itemOf(tx, ctx, 'prediction', id))
}

/** The funding predictor (calculation.md §12). */
export const fundingRouter = router({
  list: inBudget(reading, at('GET', '/list')).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const rows = []
      for (const one of await loadItems(tx, ctx.organisationId, ctx.budgetId, 'prediction')) rows.push(await shown(tx, ctx, one))
      return rows.sort((a, b) => a.name.localeCompare(b.name, 'en-GB'))
    }),
  ),
  /** What a row may be, or the rows of one prediction worked out. */
  calculations: inBudget(reading, at('GET', '/calculations'))
    .input(z.object({ id: mongoId.nullish() }).optional())
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        if (!input?.id) return fundingRules.map((rule) => ({ ...rule, years: null }))
        const { rows, worked } = await oneShown(tx, ctx, input.id)
        return rows.map((row, index) => ({
          key: `${index + 1}`,
          description: row.description ?? lookupName('localAuthorityFundingRateCategories', row.category ?? 0) ?? row.kind,
          formula: fundingRules.find((rule) => rule.key === row.kind)?.formula ?? '',
          years: worked[index]!.years,
        }))
      }),
    ),
  /** The funding tables that have rates of the location's authority: those the budget names, else all that are active (behaviour B-154). */
  versions: inBudget(reading, at('GET', '/versions')).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const { head } = ctx.budget
      const [location] = await rowsOf(tx, resources.location, 'id', [head.locationId])
      const { table, columns } = tableFor(resources.localAuthorityFundingRate)
      const withRates = await tx
        .selectDistinct({ id: columns.adminTable! })
        .from(table)
        .where(eq(columns.localAuthority!, location!.localAuthorityId))
        .orderBy(asc(columns.adminTable!))
      const named = new Set(head.elements.localAuthorityFundingRates.map((row) => row.adminTableId))
      const tables = await rowsOf(
        tx,
        resources.adminTable,
        'id',
        withRates.map((row) => Number(row.id)),
      )
      return tables
        .filter((one) => (named.size ? named.has(one.id) : one.active))
        .map((one) => {
          const year = Number(/\b(20\d\d)\/\d\d\b/.exec(one.name)?.[1] ?? head.firstYear)
          // A year that has not begun may still change.
          const isFinal = ctx.now.toISOString().slice(0, 10) >= `${year}-${String(head.startMonth).padStart(2, '0')}-01`
          return { id: one.id, name: one.name, type: isFinal ? 2 : 1, yearName: yearName(year, 0) }
        })
        .sort((a, b) => b.yearName.localeCompare(a.yearName))
    }),
  ),
  get: inBudget(reading, at('GET', '/{id:mongoId}'))
    .input(byId)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => oneShown(tx, ctx, input.id))),
  create: inBudget(writing, { ...at('POST', ''), status: 201 })
    .input(z.object({ id: z.int('Version is required.'), budgetCodeId: z.int('Budget code is required.') }))
    .mutation(({ ctx, input }) => ctx.inTransaction(async (tx) => oneShown(tx, ctx, await runCreatePrediction(tx, ctx, input)))),
  update: inBudget(writing, at('POST', '/update'))
    .input(fundingPredictionInput)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await runUpdatePrediction(tx, ctx, input)
        return oneShown(tx, ctx, input.id)
      }),
    ),
  /** Puts the result into the budget as the entry that stays linked to it. */
  process: inBudget(writing)
    .input(byId)
    .mutation(({ ctx, input }) =>
      changingMoney(ctx, async (tx) => {
        await runProcessPrediction(tx, ctx, input.id)
        return oneShown(tx, ctx, input.id)
      }),
    ),
  /** The rates of a version, for rows that are still being typed. */
  table: inBudget(reading)
    .input(z.object({ versionId: z.int() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { rates, tableYear } = await predicted(tx, ctx.budget.head, { versionId: input.versionId, rows: [] }, [])
        return { rates: Object.fromEntries(rates), tableYear }
      }),
    ),
  delete: inBudget(writing, { ...at('DELETE', '/{id:mongoId}'), status: 204 })
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      await changingMoney(ctx, (tx) => runDeleteSources(tx, ctx, 'prediction', [input.id]))
    }),
})

import { z } from 'zod'
import { budgetMongoId, mongoId } from '../../../../domain/budget/budget.ts'
import { findQuickCalculationProblems, toQuickCalculation } from '../../../../domain/budget/decideQuick.ts'
import { type QuickCalculation, quickCalculatorInput, type StoredQuickCalculation } from '../../../../domain/budget/quickCalculation.ts'
import { type Problem, payScaleFlags } from '../../../../domain/calculation/inputs.ts'
import { toDisplayedProblem } from '../../../../domain/calculation/staffing/displayProblem.ts'
import { combineInputs } from '../../../../domain/calculation/staffing/frozen.ts'
import { type PreparedCalculation, prepareCalculation } from '../../../../domain/calculation/staffing/prepared.ts'
import { calculateQuickCost } from '../../../../domain/calculation/staffing/quick.ts'
import { bulkSelection, listRequest } from '../../../../domain/lists/lists.ts'
import { lookups } from '../../../../domain/lookups/lookups.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { findBudgetBounds, toIsoDate } from '../../../../domain/values/calendar.ts'
import { dayInLondon, toPounds } from '../../../../domain/values/format.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import { emptyReply, reply } from '../../../core/calls/reply.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { orderByIds, readListPage, resolveSelectedIds } from '../../../resources/listPages.ts'
import { toRecord } from '../../../resources/queries.ts'
import { createRecordShape, deletionResult, nameItems } from '../../../resources/replies.ts'
import { readCurrentInputs } from '../../../shared/costing/inputs/queries.ts'
import { loadQuickCalculations } from '../../../streams/budget/quick.ts'
import { loadOfferedPoints, loadRecordsByIds } from '../../../streams/budget/scalePoints.ts'
import { readQuickCalculationFacts, runDeleteQuickCalculations, runSaveQuickCalculation } from './commands.ts'
import { listQuickCalculations } from './queries.ts'
import * as replies from './replies.ts'

const none: Problem[] = []

const reading = listViewPermissions('BudgetingStaffing')
const writing = ['BudgetingStaffingReadUpdate'] as const
const byId = z.object({ id: mongoId })
const at = defineRestPaths('/api/QuickCalculator', { entity: 'QuickCalculator' })

/** The day whose rates a quick calculation uses: today, or the nearest day in the budget. */
function findRatesDay({ head }: BudgetRow, now: Date): string {
  const { first, last } = findBudgetBounds(head.firstYear, head.numberOfYears, head.startMonth)
  const today = dayInLondon(now)
  return assertDefined([toIsoDate(first), today, toIsoDate(last)].sort()[1])
}

function presentCalculation(
  budget: BudgetRow,
  {
    prepared,
    calculation,
    on,
  }: { prepared: PreparedCalculation; calculation: QuickCalculation & Partial<StoredQuickCalculation>; on: string },
) {
  const { scalePoint, ...rest } = calculation
  const { result, problems } = calculateResultRow(prepared, calculation, on)
  return {
    ...rest,
    budgetId: budget.id,
    scalePointId: scalePoint?.id ?? null,
    version: calculation.version ?? null,
    created: calculation.created ? dayInLondon(calculation.created) : null,
    result: result ? [result] : [],
    problems,
    ratesOf: on,
  }
}

/** The result of a quick calculation as one row of columns, in pounds (entities.json QuickResult). */
function calculateResultRow(prepared: PreparedCalculation, calculation: QuickCalculation, on: string) {
  const text = (value: number | null): string | null => (value === null ? null : String(value))
  const { scalePoint: point } = calculation
  const { result, problems } = calculateQuickCost(
    prepared,
    {
      contractType: String(calculation.contractTypeId),
      row: {
        scalePoint: point && { kind: point.kind, scale: point.scale, increment: point.increment },
        spotAdjustment: text(calculation.spotOrAdjustment),
        allowances: calculation.allowanceIds.map(String),
        erPension: calculation.eRpension,
        fte: text(calculation.fte),
        hoursPerWeek: text(calculation.hoursPerWeek),
        weeksPerYear: text(calculation.paidWeeksPerYear),
      },
    },
    on,
  )
  if (!result) return { result: null, problems: problems.map(toDisplayedProblem) }
  const { monthly, annual } = result
  return {
    result: {
      monthlyBasic: toPounds(monthly.basic),
      monthlyErNi: toPounds(monthly.ni),
      monthlyErPension: toPounds(monthly.pension),
      monthlyTotal: toPounds(monthly.total),
      annualBasic: toPounds(annual.basic),
      annualErNi: toPounds(annual.ni),
      annualErPension: toPounds(annual.pension),
      annualTotal: toPounds(annual.total),
      hourlyRate: toPounds(result.hourlyRate),
      dailyRate: toPounds(result.dailyRate),
    },
    problems: none,
  }
}

async function prepareCurrentInputs(tx: OrganisationTx, organisationId: OrganisationId, budget: BudgetRow): Promise<PreparedCalculation> {
  const { shared, frozen } = await readCurrentInputs({ tx, organisationId }, budget.head, { contracts: [] })
  return prepareCalculation(combineInputs(frozen, shared))
}

/** Selected quick calculations with their results. */
async function presentCalculationsByIds(
  tx: OrganisationTx,
  ctx: { organisationId: OrganisationId; budget: BudgetRow; now: Date },
  ids: readonly string[],
) {
  const prepared = await prepareCurrentInputs(tx, ctx.organisationId, ctx.budget)
  const on = findRatesDay(ctx.budget, ctx.now)
  const found = await loadQuickCalculations({ ...ctx, tx, budgetId: ctx.budget.id }, ids)
  return orderByIds(ids, found, ({ id }) => id).map((calculation) => presentCalculation(ctx.budget, { prepared, calculation, on }))
}

async function presentStoredCalculation(
  tx: OrganisationTx,
  ctx: { organisationId: OrganisationId; budget: BudgetRow; now: Date },
  id: string,
) {
  const [one] = await presentCalculationsByIds(tx, ctx, [id])
  if (!one) throw notFound('Quick calculation')
  return one
}

export const quickCalculatorRouter = router({
  list: inBudget(reading, 'short', at('POST', '/paginated', { summary: 'List quick calculations' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { ids, total } = await readListPage<string>(tx, listQuickCalculations(ctx), input)
        return { rows: await presentCalculationsByIds(tx, ctx, ids), total }
      }),
    ),
  get: inBudget(reading, 'short', at('GET', '/id/{id:mongoId}', { summary: 'Read a quick calculation' }))
    .input(byId)
    .output(replies.quickCalculation)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => presentStoredCalculation(tx, ctx, input.id))),
  save: inBudget(writing, 'short', at('PUT', '', { summary: 'Add or change a quick calculation' }))
    .input(quickCalculatorInput)
    .output(replies.quickCalculation)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => presentStoredCalculation(tx, ctx, await runSaveQuickCalculation({ ...ctx, tx }, input))),
    ),
  delete: inBudget(writing, 'short', at('DELETE', '/id/{id:mongoId}', { status: 204, summary: 'Delete a quick calculation' }))
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      await ctx.inTransaction((tx) => runDeleteQuickCalculations({ ...ctx, tx }, [input.id]))
    }),
  bulkDelete: inBudget(writing, 'short', at('POST', '/bulkDelete', { summary: 'Delete several quick calculations' }))
    .input(bulkSelection)
    .output(deletionResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const ids = await resolveSelectedIds<string>(tx, listQuickCalculations(ctx), input)
        if (!ids) throw notFound('Quick calculation')
        return { deleted: await runDeleteQuickCalculations({ ...ctx, tx }, ids) }
      }),
    ),
  /** The pay scale types that the budget's contract types may use. */
  types: inBudget(reading, 'short', at('GET', '/types', { summary: 'List the pay scale types' }))
    .output(nameItems)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const types = await loadRecordsByIds(tx, resources.contractType, ctx.budget.head.contractTypeIds)
        return lookups.staffContractTypes
          .filter((item) => types.some((type) => type.payScaleTypes & item.id))
          .map(({ id, name }) => ({ id, name }))
      }),
    ),
  /** The contract types that allow the chosen pay scale type (behaviour B-184). */
  contractTypes: inBudget(reading, 'short', at('POST', '/contracttypes', { summary: 'List the contract types of a pay scale type' }))
    .input(z.object({ budgetId: budgetMongoId, type: z.int() }))
    .output(reply(z.array(createRecordShape(resources.contractType))))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        if (input.budgetId !== ctx.budgetId) throw notFound('Budget')
        const rows = await readResourceRecords(tx, resources.contractType, { column: 'id', ids: ctx.budget.head.contractTypeIds })
        return rows.filter((row) => row.payScaleTypes & input.type).map((row) => toRecord(row))
      }),
    ),
  /** The scale points that the contract type may use, from the newest table of each kind (behaviour B-184). */
  scalePoints: inBudget(reading, 'short', at('POST', '/scalepoints', { summary: 'List the pay scale points of a contract type' }))
    .input(z.object({ budgetId: budgetMongoId, contractTypeId: z.int() }))
    .output(reply(z.array(createRecordShape(resources.payScalePoint))))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        if (input.budgetId !== ctx.budgetId) throw notFound('Budget')
        const [type] = await loadRecordsByIds(tx, resources.contractType, [input.contractTypeId])
        if (!type || !ctx.budget.head.contractTypeIds.includes(type.id)) throw notFound('Contract type')
        const offered = (await loadOfferedPoints(tx, ctx.budget.head)).filter(
          (point) => point.newest && type.payScaleTypes & payScaleFlags[point.kind],
        )
        const points = await loadRecordsByIds(
          tx,
          resources.payScalePoint,
          offered.map((point) => point.id),
        )
        const rank = new Map(offered.map((point, index) => [point.id, index]))
        return points.sort((a, b) => assertDefined(rank.get(a.id)) - assertDefined(rank.get(b.id))).map((point) => toRecord(point))
      }),
    ),
  /** Calculates a result while the user edits. Nothing is saved. */
  preview: inBudget(reading, 'short')
    .input(quickCalculatorInput.partial({ name: true }))
    .output(replies.preview)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const named = { ...input, name: input.name ?? 'preview' }
        const facts = await readQuickCalculationFacts(tx, ctx.budget.head, named)
        if (findQuickCalculationProblems(ctx.budget.head, named, facts).length) return null
        const prepared = await prepareCurrentInputs(tx, ctx.organisationId, ctx.budget)
        const { result, problems, ratesOf } = presentCalculation(ctx.budget, {
          prepared,
          calculation: toQuickCalculation(input.id ?? '', named, facts.points),
          on: findRatesDay(ctx.budget, ctx.now),
        })
        return { result: result[0] ?? null, problems, ratesOf }
      }),
    ),
})

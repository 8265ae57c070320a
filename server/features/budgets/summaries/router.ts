import type { Permission } from '../../../../domain/people/permissions.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { AnyRecord } from '../../../../domain/resources/resource.ts'
import { requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { findBudgetYearStart } from '../../../../domain/values/calendar.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { toRecord } from '../../../resources/queries.ts'
import * as replies from './replies.ts'

/** The table or set of assumptions that applies from a date, with its rows. */
export interface EffectiveSummary<Row> {
  effectiveDate: string
  adminTable: { id: number; name: string }
  rows: Row[]
}

const staffing: Permission[] = [
  ...listViewPermissions('BudgetingOverview'),
  ...listViewPermissions('BudgetingStaffing'),
  'ConsoleBudgetSummaryRead',
]
const nonStaffing: Permission[] = [...listViewPermissions('BudgetingNonStaffing'), ...staffing]
const at = defineRestPaths('/api/')

type DatedTables = { effectiveDate: string; adminTableId: number }[]

/** The tables of one kind that a budget refers to, by date, with their rows. */
async function listEffectiveTables<Row extends AnyRecord & { adminTableId: number }>(
  tx: OrganisationTx,
  dated: DatedTables,
  rows: readonly Row[],
) {
  const named = await readResourceRecords(tx, resources.adminTable, {
    column: 'id',
    ids: [...new Set(dated.map((row) => row.adminTableId))],
  })
  return [...dated]
    .sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
    .map(
      ({ effectiveDate, adminTableId: id }): EffectiveSummary<Row> => ({
        effectiveDate,
        adminTable: { id, name: named.find((table) => table.id === id)?.name ?? '' },
        rows: rows.filter((row) => row.adminTableId === id).map((row) => toRecord(row)),
      }),
    )
}

async function readEffectiveTables<R extends 'payScalePoint' | 'nationalInsurance' | 'extendedLeaveType'>(
  tx: OrganisationTx,
  name: R,
  dated: DatedTables,
) {
  const ids = [...new Set(dated.map((row) => row.adminTableId))]
  return listEffectiveTables(tx, dated, await readResourceRecords(tx, resources[name], { column: 'adminTableId', ids }))
}

/** The national pay points of a table, or the organisation's own. */
function payScales(kind: 'teacherPayScales' | 'supportPayScales' | 'customTeacherPayScales' | 'customSupportPayScales') {
  const isCustom = kind.startsWith('custom')
  return async (tx: OrganisationTx, { head }: BudgetRow) => {
    const summaries = await readEffectiveTables(tx, 'payScalePoint', head.elements[kind])
    return summaries.map((summary) => ({
      ...summary,
      rows: summary.rows
        .filter((point) => (point.organisationId === null) !== isCustom)
        .sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || a.id - b.id),
    }))
  }
}

/** The rates of one kind in the budget's assumptions, grouped by start date. */
async function listAssumedRates<R extends 'staffErPensionRate' | 'staffInflationRate'>(tx: OrganisationTx, name: R, { head }: BudgetRow) {
  const rows = await readResourceRecords(tx, resources[name], { column: 'staffAssumptionsId', ids: [head.staffAssumptionsId] })
  const [set] = await readResourceRecords(tx, resources.staffAssumptions, { column: 'id', ids: [head.staffAssumptionsId] })
  const adminTable = { id: head.staffAssumptionsId, name: set?.name ?? '' }
  const contractTypeRows = rows.filter((row) => head.contractTypeIds.includes(row.contractTypeId))
  return [...new Set(contractTypeRows.map((row) => row.effectiveDate))].sort().map((effectiveDate) => ({
    effectiveDate,
    adminTable,
    rows: contractTypeRows.filter((row) => row.effectiveDate === effectiveDate).map((row) => toRecord(row)),
  }))
}

/** If a budget refers to no funding tables, each table applies from the start of the budget year that contains the table's own date. */
async function dateTablesByBudgetYear(tx: OrganisationTx, head: BudgetRow['head'], ids: readonly number[]): Promise<DatedTables> {
  return (await readResourceRecords(tx, resources.adminTable, { column: 'id', ids })).flatMap(({ id, effectiveDate }) =>
    effectiveDate ? [{ effectiveDate: findBudgetYearStart(effectiveDate, head.startMonth), adminTableId: id }] : [],
  )
}

/** The funding rates of the location's local authority, by table. */
async function fundingRates(tx: OrganisationTx, { head }: BudgetRow) {
  const location = requireSingleRow(await readResourceRecords(tx, resources.location, { column: 'id', ids: [head.locationId] }))
  const rates = await readResourceRecords(tx, resources.localAuthorityFundingRate, {
    column: 'localAuthority',
    ids: [location.localAuthorityId],
  })
  const { localAuthorityFundingRates: named } = head.elements
  const dated = named.length ? named : await dateTablesByBudgetYear(tx, head, [...new Set(rates.map((rate) => rate.adminTable))])
  return listEffectiveTables(
    tx,
    dated,
    rates.map((rate) => ({ ...rate, adminTableId: rate.adminTable })),
  )
}

/** The tables and assumptions that a budget uses, with the dates from which each applies. */
export const budgetSummaryRouter = router({
  extendedLeave: inBudget(
    staffing,
    'short',
    at('POST', 'ExtendedLeave/BudgetSummary', {
      entity: 'ExtendedLeaveType',
      summary: 'List the extended leave types of a budget by effective date',
    }),
  )
    .output(replies.extendedLeave)
    .query(({ ctx }) =>
      ctx.inTransaction((tx) => readEffectiveTables(tx, 'extendedLeaveType', ctx.budget.head.elements.extendedLeaveRates)),
    ),
  fundingRates: inBudget(
    nonStaffing,
    'short',
    at('POST', 'LaFundingRates/budgetsummary', {
      entity: 'LocalAuthorityFundingRate',
      summary: 'List the funding rates of a budget by effective date',
    }),
  )
    .output(replies.fundingRates)
    .query(({ ctx }) => ctx.inTransaction((tx) => fundingRates(tx, ctx.budget))),
  nationalInsurance: inBudget(
    staffing,
    'short',
    at('POST', 'NationalInsurance/budgetsummary', {
      entity: 'NationalInsurance',
      summary: 'List the National Insurance bands of a budget by effective date',
    }),
  )
    .output(replies.nationalInsurance)
    .query(({ ctx }) =>
      ctx.inTransaction((tx) => readEffectiveTables(tx, 'nationalInsurance', ctx.budget.head.elements.nationalInsurance)),
    ),
  supportPayScales: inBudget(
    staffing,
    'short',
    at('POST', 'SupportPayScales/BudgetSummary', {
      entity: 'PayScalePoint',
      summary: 'List the support pay scale points of a budget by effective date',
    }),
  )
    .output(replies.payScales)
    .query(({ ctx }) => ctx.inTransaction((tx) => payScales('supportPayScales')(tx, ctx.budget))),
  teacherPayScales: inBudget(
    staffing,
    'short',
    at('POST', 'TeacherPayScales/BudgetSummary', {
      entity: 'PayScalePoint',
      summary: 'List the teacher pay scale points of a budget by effective date',
    }),
  )
    .output(replies.payScales)
    .query(({ ctx }) => ctx.inTransaction((tx) => payScales('teacherPayScales')(tx, ctx.budget))),
  customSupportPayScales: inBudget(
    staffing,
    'short',
    at('POST', 'CustomSupportPayScales/BudgetSummary', {
      entity: 'PayScalePoint',
      summary: 'List the custom support pay scale points of a budget by effective date',
    }),
  )
    .output(replies.payScales)
    .query(({ ctx }) => ctx.inTransaction((tx) => payScales('customSupportPayScales')(tx, ctx.budget))),
  customTeacherPayScales: inBudget(
    staffing,
    'short',
    at('POST', 'CustomTeacherPayScales/BudgetSummary', {
      entity: 'PayScalePoint',
      summary: 'List the custom teacher pay scale points of a budget by effective date',
    }),
  )
    .output(replies.payScales)
    .query(({ ctx }) => ctx.inTransaction((tx) => payScales('customTeacherPayScales')(tx, ctx.budget))),
  erPension: inBudget(
    staffing,
    'short',
    at('POST', 'StaffErPension/BudgetSummary', {
      entity: 'StaffErPensionRate',
      summary: 'List the employer pension rates of a budget by effective date',
    }),
  )
    .output(replies.erPension)
    .query(({ ctx }) => ctx.inTransaction((tx) => listAssumedRates(tx, 'staffErPensionRate', ctx.budget))),
  inflation: inBudget(
    staffing,
    'short',
    at('POST', 'StaffInflation/BudgetSummary', {
      entity: 'StaffInflationRate',
      summary: 'List the pay awards of a budget by effective date',
    }),
  )
    .output(replies.inflation)
    .query(({ ctx }) => ctx.inTransaction((tx) => listAssumedRates(tx, 'staffInflationRate', ctx.budget))),
  contractTypes: inBudget(
    staffing,
    'short',
    at('POST', 'ContractTypes/budgetsummary', { entity: 'ContractType', summary: 'List the contract types of budgets' }),
  )
    .output(replies.contractTypes)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const rows = await readResourceRecords(tx, resources.contractType, { column: 'id', ids: ctx.budget.head.contractTypeIds })
        return rows.map((row) => toRecord(row))
      }),
    ),
})

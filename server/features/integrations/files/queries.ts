import { and, asc, eq, sql } from 'drizzle-orm'
import { outgoingFiles } from '../../../../domain/integrations/files/connections.ts'
import {
  buildBudgetFile,
  type CodedLine,
  type FileContents,
  type FileLayout,
  type FileScope,
} from '../../../../domain/integrations/files/layout.ts'
import { presets } from '../../../../domain/integrations/files/presets.ts'
import { budgetCodeCategory, budgetCodeType } from '../../../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, findPreviousMonth, fromMonthIndex, toMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import { canSeeStaff, hasAnyPermission, listViewPermissions } from '../../../../domain/people/permissions.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { buildExportFileName } from '../../../../domain/values/format.ts'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { Pounds } from '../../../../domain/values/units.ts'
import { DomainError, forbidden, invalid, notFound } from '../../../../domain/words/errors.ts'
import { fileLayouts } from '../../../../drizzle/integrationTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { CallerRights } from '../../../core/calls/context.ts'
import type { FileReply } from '../../../core/calls/reply.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { writePlainCsv } from '../../../resources/files.ts'
import { type FiguresReader, findHiddenCodings, readHiddenCodes } from '../../../shared/fewPeople/queries.ts'
import { readForecasts } from '../../../shared/monitoring/outlook/queries.ts'
import type { LimitedCaller } from '../../../shared/monitoring/requests/queries.ts'
import { type ReportBudget, readScope } from '../../../shared/reports/scopes/queries.ts'
import { completeMonthSums } from '../../../streams/budget/monthSums.ts'
import type { FileInput } from './inputs.ts'

/** The permissions to see a forecast. */
const forecasting = listViewPermissions('ConsoleMonitoringBudgetForecast', 'BudgetingMonitoringBudgetForecast')

export type LayoutRow = typeof fileLayouts.$inferSelect

/** A layout that the organisation saved. */
export interface SavedLayout {
  id: number
  version: number
  created: string
  name: string
  layout: FileLayout
}

export const presentFileLayout = ({ id, version, created, name, layout }: LayoutRow): SavedLayout => ({
  id,
  version,
  created,
  name,
  layout,
})

/** The layouts of an organisation, in order of name. */
export async function listLayouts(tx: OrganisationTx, organisationId: OrganisationId): Promise<LayoutRow[]> {
  return tx
    .select()
    .from(fileLayouts)
    .where(eq(fileLayouts.organisationId, organisationId))
    .orderBy(asc(sql`lower(${fileLayouts.name})`))
}

/** @throws DomainError 404 for a layout of another organisation */
export async function readLayout(tx: OrganisationTx, organisationId: OrganisationId, id: number): Promise<LayoutRow> {
  const [row] = await tx
    .select()
    .from(fileLayouts)
    .where(and(eq(fileLayouts.organisationId, organisationId), eq(fileLayouts.id, id)))
  if (!row) throw notFound('Layout')
  return row
}

/** A file ready to write, with the budgets that it covers. */
interface LedgerFile extends FileContents {
  scope: FileScope
  /** Locations that the file leaves out, and why. */
  leftOut: { location: string; reason: string }[]
}

/**
 * Makes a file for another system from the budgets that the caller may see.
 * @param call its `now` decides which months of a forecast use actuals
 * @throws DomainError as `readScope` and `refuseRevealingPay`; 404 for a layout; 400 if the budget years start in
 * different months; 403 for a forecast that the caller may not see
 */
export async function buildLedgerFile(call: Call<'now'> & LimitedCaller & { holder: CallerRights }, input: FileInput): Promise<LedgerFile> {
  const { tx, now } = call
  if (input.connection === 'forecast' && !hasAnyPermission(call.holder, forecasting)) throw forbidden()
  const layout = input.layoutId
    ? (await readLayout(tx, call.organisationId, input.layoutId)).layout
    : assertDefined(presets.find(({ name }) => name === input.preset)).layout
  const { title, isApprovedOnly } = outgoingFiles[input.connection]
  const scope = await readScope(call, { locationIds: input.locationIds, yearNames: [input.yearName] })
  const isIn = ({ head }: ReportBudget): boolean => !isApprovedOnly || head.approval?.state === 'approved'
  const budgets = scope.budgets.filter(isIn)
  const startMonth = budgets[0]?.head.startMonth ?? 9
  if (budgets.some(({ head }) => head.startMonth !== startMonth))
    throw invalid([
      {
        field: 'locationIds',
        message: 'The years of these budgets begin in different months. Choose locations with the same budget year.',
      },
    ])
  const fileScope = { title, year: input.yearName, startMonth, from: input.from, to: input.to }
  const year = Number(input.yearName.slice(0, 4))
  await refuseRevealingPay(
    call,
    budgets.map(({ id }) => id),
  )
  const lines =
    input.connection === 'forecast'
      ? await readForecastLines(call, budgets, clampMonth(findPreviousMonth(now), year, startMonth))
      : await readBudgetLines(call, budgets, year)
  const file = buildBudgetFile(lines, layout, fileScope)
  return {
    ...file,
    problems: budgets.length ? file.problems : ['No location has the chosen type of budget for this year.', ...file.problems],
    scope: fileScope,
    leftOut: [
      ...scope.leftOut.map(({ location }) => ({ location, reason: 'It has no budget for this year.' })),
      ...scope.budgets
        .filter((budget) => !isIn(budget))
        .map(({ location }) => ({ location: location.name, reason: 'Its budget is not approved.' })),
    ],
  }
}

/**
 * A ledger file lists every code separately, so a file that would reveal the pay of one or two people requires the permission to see staff.
 * @throws DomainError 403
 */
async function refuseRevealingPay(call: Call & FiguresReader, budgetIds: readonly BudgetId[]): Promise<void> {
  if (canSeeStaff(call.holder)) return
  const codes = await readHiddenCodes(call, budgetIds)
  const by = ['costCentre', 'fundCode'] as const
  const others = await Promise.all(by.map((one) => findHiddenCodings(call, budgetIds, { by: one, codes })))
  if (codes.size || others.some((one) => one.size))
    throw new DomainError(
      'forbidden',
      'fewPeople',
      'This file would reveal what fewer than three people are paid. Ask someone who can view staff to create it.',
    )
}

/** The month, or the first or last month of a budget year if it lies before or after that year. */
function clampMonth(month: CalendarMonth, year: number, startMonth: number): CalendarMonth {
  const start = toMonthIndex({ year, month: startMonth })
  return fromMonthIndex(Math.min(Math.max(toMonthIndex(month), start), start + 11))
}

/** The forecast for the budget year of a month, as file lines. */
async function readForecastLines(call: Call & LimitedCaller, budgets: readonly ReportBudget[], month: CalendarMonth): Promise<CodedLine[]> {
  if (!budgets.length) return []
  const names = new Map(budgets.map(({ location }) => [location.id, location.name]))
  const found = await readForecasts(call, month, [...names.keys()])
  return found.map(({ locationId, code, months }) => ({
    location: assertDefined(names.get(locationId)),
    account: code,
    costCentre: '',
    fund: '',
    months,
  }))
}

/** The amounts of some budgets in a year, by location, budget code, cost centre and fund. Balance codes are left out. */
async function readBudgetLines(
  { tx, organisationId }: Call<'organisationId'>,
  budgets: readonly ReportBudget[],
  year: number,
): Promise<CodedLine[]> {
  if (!budgets.length) return []
  const wanted = budgets.map(({ id, head }) => ({ id, year: year - head.firstYear }))
  const rows = await tx.execute<{
    budgetId: BudgetId
    code: string | null
    description: string | null
    type: number | null
    centre: string | null
    fund: string | null
    months: (number | null)[]
  }>(sql`
    select line.budget_id as "budgetId", code.code, code.description, code.type, centre.code as centre, fund.code as fund, ${completeMonthSums} as months
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(id char(24), year smallint)
    join budget_lines line on line.organisation_id = ${organisationId} and line.budget_id = wanted.id and line.year = wanted.year
    left join budget_codes code on code.id = line.budget_code_id
    left join cost_centres centre on centre.id = line.cost_centre_id
    left join fund_codes fund on fund.id = line.fund_code_id
    where code.category is distinct from ${budgetCodeCategory.balance}
    group by 1, 2, 3, 4, 5, 6`)
  const locationNames = new Map(budgets.map(({ id, location }) => [id, location.name]))
  return [...rows].map(({ budgetId, code, description, type, centre, fund, months }) => ({
    location: assertDefined(locationNames.get(budgetId)),
    account: code === null ? null : { code, description: description ?? '', isIncome: type === budgetCodeType.income },
    costCentre: centre ?? '',
    fund: fund ?? '',
    months,
  }))
}

/** The most rows shown in the preview of a file. */
const maximumPreviewRows = 10

export interface FilePreview {
  rows: number
  /** Pounds. The line that only balances a journal is not counted. */
  debits: Pounds
  credits: number
  headings: string[]
  first: string[][]
  problems: string[]
  leftOut: { location: string; reason: string }[]
}

export function toFilePreview({ rows, debits, credits, headings, problems, leftOut }: LedgerFile): FilePreview {
  return {
    rows: rows.length,
    debits: debits / 100,
    credits: credits / 100,
    headings,
    first: rows.slice(0, maximumPreviewRows),
    problems,
    leftOut,
  }
}

/**
 * Returns the file as a download.
 * @throws DomainError 400 if there are problems, because an incomplete budget must not be sent
 */
export function toFileReply({ headings, rows, problems, scope }: LedgerFile, now: Date): FileReply {
  if (problems.length) throw new DomainError('invalid', 'notWhole', problems.join(' '))
  return writePlainCsv(buildExportFileName(`${scope.title} ${scope.year.replace('/', '-')}`, now), headings, rows)
}

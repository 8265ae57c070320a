import { sql } from 'drizzle-orm'
import { actualType, importType, monitoringNoteType } from '../../domain/lookups/lookupIds.ts'
import { saveOpeningCash } from '../../domain/monitoring/cash.ts'
import { importActuals } from '../../domain/monitoring/decide.ts'
import {
  type ActualLine,
  buildMonthKey,
  buildOpeningCashKey,
  type CalendarMonth,
  monthEndSteps,
} from '../../domain/monitoring/monitoring.ts'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import type { BudgetGroupId, BudgetId, LocationId, OrganisationId } from '../../domain/values/ids.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { hashValue } from '../core/stream/hash.ts'
import { runCloseMonth, runMarkMonthStep } from '../features/monitoring/monthEnd/commands.ts'
import { runSaveNote } from '../shared/monitoring/commands.ts'
import { readMonthEndStates } from '../shared/monitoring/monthEnd/queries.ts'
import { changeMonitoring } from '../streams/monitoring/stream.ts'
import type { RandomSource } from './random.ts'
import type { IdsByName } from './trustRecords.ts'

/** The two months that the demo's ledgers contain. `period` is the number of the month in the budget year, from 1. */
const september = { year: 2026, month: 9, period: 1 }
const october = { year: 2026, month: 10, period: 2 }

/** One variance for each of the first three schools: a budget code, and its actuals in each month as a percentage of budget. */
const variances: { code: string; months: [number, number] }[] = [
  { code: '4000', months: [165, 190] },
  { code: '4240', months: [70, 62] },
  { code: '1000', months: [100, 0] },
]

/** Budget codes with open orders at month end, as a percentage of the month's budget. */
const orderedPercentages: Record<string, number> = { '4000': 40, '4240': 25 }

const descriptions = { contract: 'Payroll', entry: null, transfer: 'Top slice' }

export interface SchoolLedger {
  organisationId: OrganisationId
  locationId: LocationId
  budgetId: BudgetId
  index: number
  names: IdsByName
  random: RandomSource
}

/** The first-year budget of a code by month, with its cost centre and fund; whole pennies. */
interface BudgetedLine {
  code: number
  centre: number | null
  fund: number | null
  /** Staff costs, non-staffing entries, or top slices paid to the central team. */
  kind: 'contract' | 'entry' | 'transfer'
  months: number[]
}

export async function listBudgetedLines(tx: OrganisationTx, { organisationId, budgetId }: SchoolLedger): Promise<BudgetedLine[]> {
  const months = sql.raw(Array.from({ length: 12 }, (_unused, period) => `coalesce(sum(month_${period + 1}), 0)::float8`).join(', '))
  const rows = await tx.execute<BudgetedLine & Record<string, unknown>>(sql`
    select budget_code_id as code, cost_centre_id as centre, fund_code_id as fund, source_kind as kind, array[${months}] as months
    from budget_lines
    where organisation_id = ${organisationId} and budget_id = ${budgetId} and year = 0 and budget_code_id is not null
      and source_kind in ('contract', 'entry', 'transfer')
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`)
  return [...rows]
}

/** A month of a ledger. `period` is its number in the budget year, from 1. */
export interface LedgerMonth extends CalendarMonth {
  period: number
}

/**
 * Imports one month of a school's ledger.
 * @param percentageOf returns the actual of a budget code as a percentage of budget; it must be 100 where `isAsBudgeted`, so that payments
 *   to the central team equal its receipts
 * @param ordered codes with open orders at month end, as a percentage of the month's budget
 */
export async function importLedgerMonth(
  { tx, actor }: Call<'actor'>,
  { organisationId, locationId, names }: SchoolLedger,
  {
    rows,
    month: { period, ...month },
    percentageOf,
    ordered,
  }: {
    rows: readonly BudgetedLine[]
    month: LedgerMonth
    percentageOf: (name: string | undefined, isAsBudgeted: boolean) => number
    ordered: Record<string, number>
  },
): Promise<void> {
  const anyCentre = assertDefined([...names].find(([name]) => name.startsWith('costCentre ')))[1]
  const codes = new Map(
    [...names].flatMap(([name, id]) => (name.startsWith('budgetCode ') ? [[id, name.slice('budgetCode '.length)]] : [])),
  )
  const lines = rows.flatMap(({ code, centre, fund, kind, months }): ActualLine[] => {
    const budget = assertDefined(months[period - 1])
    const name = codes.get(code)
    const percentage = percentageOf(name, kind !== 'entry')
    const line = (type: number, value: number, description: string | null): ActualLine[] =>
      value
        ? [{ type, budgetCodeId: code, costCentreId: centre ?? anyCentre, fundCodeId: fund, analysisTagId: null, description, value }]
        : []
    const share = name ? (ordered[name] ?? 0) : 0
    return [
      ...line(actualType.actual, Math.round((budget * percentage) / 100), descriptions[kind]),
      ...line(actualType.commitment, Math.round((budget * share) / 100), 'Orders placed'),
    ]
  })
  const file = { ...month, mode: importType.replace, digest: hashValue([locationId, month, lines]), lines, isNamed: true }
  await changeMonitoring({ tx, organisationId, locationId, actor }, [buildMonthKey(month)], () => importActuals(file))
}

/**
 * Imports the first two months of the ledgers. Staff costs and top slices match the budget exactly, other entries within 4 %. Each of the
 * first three schools has one variance: supply overspent, energy underspent, income late.
 * @param between runs after September's import and before October's
 */
export async function importFirstMonths(
  tx: OrganisationTx,
  ledgers: readonly SchoolLedger[],
  { by, between }: { by: { september: Actor; october: Actor }; between: () => Promise<void> },
): Promise<void> {
  for (const ledger of ledgers) await importNearBudget({ tx, actor: by.september }, ledger, september)
  await between()
  for (const ledger of ledgers) {
    await importNearBudget({ tx, actor: by.october }, ledger, october)
    await saveCash(tx, ledger, by.october)
  }
}

async function importNearBudget(call: Call<'actor'>, ledger: SchoolLedger, month: LedgerMonth): Promise<void> {
  const { tx } = call
  const story = variances[ledger.index]
  const percentageOf = (name: string | undefined, isAsBudgeted: boolean): number =>
    story && story.code === name ? assertDefined(story.months[month.period - 1]) : isAsBudgeted ? 100 : 100 + ledger.random.whole(-4, 4)
  await importLedgerMonth(call, ledger, { rows: await listBudgetedLines(tx, ledger), month, percentageOf, ordered: orderedPercentages })
}

/** Sets the opening cash to what was brought forward plus what is still owed for the previous year. */
async function saveCash(tx: OrganisationTx, { organisationId, locationId, budgetId }: SchoolLedger, actor: Actor): Promise<void> {
  const balance = requireSingleRow(
    await tx.execute<{ value: number }>(sql`
    select coalesce(sum((item ->> 'value')::bigint), 0)::float8 as value from budget_items
    where organisation_id = ${organisationId} and budget_id = ${budgetId} and kind = 'balance'`),
  )
  const opening = Math.round((balance.value * cashPercentage) / 100)
  const { year } = september
  await changeMonitoring({ tx, organisationId, locationId, actor }, [buildOpeningCashKey(year)], (state) =>
    saveOpeningCash(state, year, opening),
  )
}

/** Opening cash as a percentage of the balance brought forward. */
const cashPercentage = 112

const explanations = [
  { notes: 'Invoices for summer works arrived in September.', action: 'None needed: the full year is expected to be on budget.' },
  { notes: 'The first claim will be paid in October.', action: 'Finance will submit claims by the 10th of each month.' },
  { notes: 'Annual contracts are paid in full at the start of the year.', action: 'The budget will be reprofiled at the next review.' },
]

/**
 * Explains and closes September for every school but the first, which is behind. October remains open everywhere.
 * @param groupId the budget group to which the explanatory notes belong; null for the whole organisation
 */
export async function closeSeptember(
  tx: OrganisationTx,
  {
    organisationId,
    groupId,
    locationIds,
  }: { organisationId: OrganisationId; groupId: BudgetGroupId | null; locationIds: readonly LocationId[] },
  actor: Actor,
): Promise<void> {
  const call = { organisationId, holder: { isAdministrator: true, permissions: [], locationIds: null }, actor }
  const { period: _period, ...month } = september
  const [behind, ...done] = locationIds
  const due = [...new Set((await readMonthEndStates({ ...call, tx }, month, { only: done })).flatMap((one) => one.dueCodes))].sort(
    (a, b) => a - b,
  )
  for (const [index, budgetCodeId] of due.entries()) {
    const about = { ...month, groupId, budgetCodeId, type: monitoringNoteType.versusActuals }
    await runSaveNote({ ...call, tx }, about, assertDefined(explanations[index % explanations.length]))
  }
  for (const step of monthEndSteps) await runMarkMonthStep({ ...call, tx }, { ...month, locationIds: done, step, isDone: true })
  await runMarkMonthStep({ ...call, tx }, { ...month, locationIds: [assertDefined(behind)], step: 'payroll', isDone: true })
  await runCloseMonth({ ...call, tx }, { ...month, locationIds: done })
}

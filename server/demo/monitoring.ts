import { sql } from 'drizzle-orm'
import { actualType, importType, monitoringNoteType } from '../../domain/lookups/lookupIds.ts'
import { saveOpeningCash } from '../../domain/monitoring/cash.ts'
import { importActuals } from '../../domain/monitoring/decide.ts'
import { type ActualLine, type CalendarMonth, monthKey, monthSteps, openingCashKey } from '../../domain/monitoring/monitoring.ts'
import type { BudgetGroupId, BudgetId, LocationId, OrganisationId } from '../../domain/values/ids.ts'
import { must, onlyRow } from '../../domain/values/must.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { hashOf } from '../core/stream/hash.ts'
import { runClose, runTick } from '../features/monitoring/monthEnd/commands.ts'
import { runNote } from '../shared/monitoring/commands.ts'
import { standingOf } from '../shared/monitoring/monthEnd/queries.ts'
import { changeMonitoring } from '../streams/monitoring/stream.ts'
import type { Names } from './codes.ts'
import type { Random } from './random.ts'

/** The months of the year that the demo's ledgers have in, with the period of the budget year that each is. */
const september = { year: 2026, month: 9, period: 1 }
const october = { year: 2026, month: 10, period: 2 }

/** What is worth looking at in a school: a code and how its months are against the budget, in hundredths. */
const stories: { code: string; months: [number, number] }[] = [
  { code: '4000', months: [165, 190] },
  { code: '4240', months: [70, 62] },
  { code: '1000', months: [100, 0] },
]

/** Codes that orders are open on as a month ends, and for how much of the month. */
const ordered: Record<string, number> = { '4000': 40, '4240': 25 }

/** What the lines of a ledger say they are. */
const descriptions = { contract: 'Payroll', entry: null, transfer: 'Top slice' }

/** The ledger of a school, and the budget that it is beside. */
export interface Ledger {
  organisationId: OrganisationId
  locationId: LocationId
  budgetId: BudgetId
  /** The place of the school among those of its trust. */
  index: number
  names: Names
  random: Random
}

/** What a code comes to in each month of the first year of a budget, where its money is spent; whole pennies. */
interface Budgeted {
  code: number
  centre: number | null
  fund: number | null
  /** People, what is bought and earned, or what the schools pay to the central team. */
  kind: 'contract' | 'entry' | 'transfer'
  months: number[]
}

/** The lines of a school's budget that its ledger has too. */
export async function budgeted(tx: OrganisationTx, { organisationId, budgetId }: Ledger): Promise<Budgeted[]> {
  const months = sql.raw(Array.from({ length: 12 }, (_unused, period) => `coalesce(sum(month_${period + 1}), 0)::float8`).join(', '))
  const rows = await tx.execute<Budgeted & Record<string, unknown>>(sql`
    select budget_code_id as code, cost_centre_id as centre, fund_code_id as fund, source_kind as kind, array[${months}] as months
    from budget_lines
    where organisation_id = ${organisationId} and budget_id = ${budgetId} and year = 0 and budget_code_id is not null
      and source_kind in ('contract', 'entry', 'transfer')
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`)
  return [...rows]
}

/** A month of a ledger, and the period of the budget year that it is. */
export interface LedgerMonth extends CalendarMonth {
  period: number
}

/**
 * Brings a month of a school's ledger in.
 * @param against what a code came to, in hundredths of its budget, by the code's name; what is paid to the central team is what it receives
 * @param ordered codes that orders are open on as the month ends, and for how much of the month
 */
export async function bringIn(
  { tx, actor }: Call<'actor'>,
  { organisationId, locationId, names }: Ledger,
  {
    rows,
    month: { period, ...month },
    against,
    ordered,
  }: {
    rows: readonly Budgeted[]
    month: LedgerMonth
    against: (name: string | undefined, isAsBudgeted: boolean) => number
    ordered: Record<string, number>
  },
): Promise<void> {
  const anyCentre = must([...names].find(([name]) => name.startsWith('costCentre ')))[1]
  const codes = new Map(
    [...names].flatMap(([name, id]) => (name.startsWith('budgetCode ') ? [[id, name.slice('budgetCode '.length)]] : [])),
  )
  const lines = rows.flatMap(({ code, centre, fund, kind, months }): ActualLine[] => {
    const budget = must(months[period - 1])
    const name = codes.get(code)
    const hundredths = against(name, kind !== 'entry')
    const line = (type: number, value: number, description: string | null): ActualLine[] =>
      value
        ? [{ type, budgetCodeId: code, costCentreId: centre ?? anyCentre, fundCodeId: fund, analysisTagId: null, description, value }]
        : []
    const share = name ? (ordered[name] ?? 0) : 0
    return [
      ...line(actualType.actual, Math.round((budget * hundredths) / 100), descriptions[kind]),
      ...line(actualType.commitment, Math.round((budget * share) / 100), 'Orders placed'),
    ]
  })
  const file = { ...month, mode: importType.replace, digest: hashOf([locationId, month, lines]), lines, isNamed: true }
  await changeMonitoring({ tx, organisationId, locationId, actor }, [monthKey(month)], () => importActuals(file))
}

/**
 * Brings the first two months of the ledgers in, one after the other, with what is done between them: staff and top slices to the penny, other money within
 * a few per cent of the budget. The first three schools have a story each: supply overspent, energy underspent, income late.
 * @param between what happens after September came in and before October does
 */
export async function monitoring(
  tx: OrganisationTx,
  ledgers: readonly Ledger[],
  { by, between }: { by: { september: Actor; october: Actor }; between: () => Promise<void> },
): Promise<void> {
  for (const ledger of ledgers) await bringNear({ tx, actor: by.september }, ledger, september)
  await between()
  for (const ledger of ledgers) {
    await bringNear({ tx, actor: by.october }, ledger, october)
    await openingCash(tx, ledger, by.october)
  }
}

async function bringNear(call: Call<'actor'>, ledger: Ledger, month: LedgerMonth): Promise<void> {
  const { tx } = call
  const story = stories[ledger.index]
  const against = (name: string | undefined, isAsBudgeted: boolean): number =>
    story && story.code === name ? must(story.months[month.period - 1]) : isAsBudgeted ? 100 : 100 + ledger.random.whole(-4, 4)
  await bringIn(call, ledger, { rows: await budgeted(tx, ledger), month, against, ordered })
}

/** In the bank is what was brought forward, and what is still to be paid of the year before. */
async function openingCash(tx: OrganisationTx, { organisationId, locationId, budgetId }: Ledger, actor: Actor): Promise<void> {
  const balance = onlyRow(
    await tx.execute<{ value: number }>(sql`
    select coalesce(sum((item ->> 'value')::bigint), 0)::float8 as value from budget_items
    where organisation_id = ${organisationId} and budget_id = ${budgetId} and kind = 'balance'`),
  )
  const opening = Math.round((balance.value * owed) / 100)
  const { year } = september
  await changeMonitoring({ tx, organisationId, locationId, actor }, [openingCashKey(year)], (state) =>
    saveOpeningCash(state, year, opening),
  )
}

/** The cash that a school begins the year with, in hundredths of what it brings forward. */
const owed = 112

/** What was said of lines over the threshold, in turn. */
const words = [
  { notes: 'Invoices of the summer came in September.', action: 'None: the year is as budgeted.' },
  { notes: 'The first claim is paid in October.', action: 'Finance asks for it by the 10th of the month.' },
  { notes: 'Annual contracts are paid at once.', action: 'The profile of the budget is changed at the next review.' },
]

/**
 * The month end of the first month: every school but the first has explained it and closed it. The first is behind, and the month after it
 * is open everywhere.
 * @param groupId where the notes stand; null: with the whole organisation
 */
export async function monthEnds(
  tx: OrganisationTx,
  {
    organisationId,
    groupId,
    locationIds,
  }: { organisationId: OrganisationId; groupId: BudgetGroupId | null; locationIds: readonly LocationId[] },
  actor: Actor,
): Promise<void> {
  const who = { organisationId, holder: { isAdministrator: true, permissions: [], locationIds: null }, actor }
  const { period: _period, ...month } = september
  const [behind, ...done] = locationIds
  const due = [...new Set((await standingOf({ ...who, tx }, month, { only: done })).flatMap((one) => one.dueCodes))].sort((a, b) => a - b)
  for (const [index, budgetCodeId] of due.entries()) {
    const about = { ...month, groupId, budgetCodeId, type: monitoringNoteType.versusActuals }
    await runNote({ ...who, tx }, about, must(words[index % words.length]))
  }
  for (const step of monthSteps) await runTick({ ...who, tx }, { ...month, locationIds: done, step, isDone: true })
  await runTick({ ...who, tx }, { ...month, locationIds: [must(behind)], step: 'payroll', isDone: true })
  await runClose({ ...who, tx }, { ...month, locationIds: done })
}

import { eq, sql } from 'drizzle-orm'
import { locateMonth } from '../../../../domain/budget/budgetOfRecord.ts'
import { isStaffSource } from '../../../../domain/budget/sharedSources.ts'
import { findCodesOfFewPeople } from '../../../../domain/budget/snapshots/fewPeopleDiffer.ts'
import type { BudgetSnapshot } from '../../../../domain/budget/snapshots/snapshot.ts'
import { foldItems } from '../../../../domain/changes/itemLog.ts'
import { budgetCodeCategory, budgetCodeType, monitoringNoteType } from '../../../../domain/lookups/lookupIds.ts'
import { mergeCodesOfFewPeople } from '../../../../domain/monitoring/codesOfFewPeople.ts'
import { evolve, type MonitoringState } from '../../../../domain/monitoring/evolve.ts'
import { type CodeId, calculateCodeFigures, type LocationYear } from '../../../../domain/monitoring/figures.ts'
import {
  buildMonthEndKey,
  type CalendarMonth,
  defaultExplanationSettings,
  fromMonthIndex,
  settingsKey,
  toMonthIndex,
} from '../../../../domain/monitoring/monitoring.ts'
import { buildMonitoringRows, type MonitoringScreen, type MonitoringTableRow } from '../../../../domain/monitoring/rows.ts'
import { buildYearFromLog } from '../../../../domain/monitoring/yearFromLog.ts'
import { canSeeStaff } from '../../../../domain/people/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { type BudgetId, type OrganisationId, organisationWideLocationId } from '../../../../domain/values/ids.ts'
import { invalid, notFound } from '../../../../domain/words/errors.ts'
import { budgetEvents, budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { decryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { readStream } from '../../../core/stream/stream.ts'
import { readRecordsAsOf } from '../../../resources/asOf.ts'
import { type FiguresReader, readHiddenCodes } from '../../../shared/fewPeople/queries.ts'
import type { MonitoredScope } from '../../../shared/monitoring/facts/queries.ts'
import { readCodesInRows } from '../../../shared/monitoring/queries.ts'
import { type LimitedCaller, readBudgetHeads } from '../../../shared/monitoring/requests/queries.ts'
import { loadVisibleSnapshot } from '../../../shared/versions/queries.ts'
import { loadGroupOfBudget } from '../../../streams/budget/groupMembers.ts'

const nothing: ReadonlySet<CodeId> = new Set()

/** A monitoring screen of a budget, and the time in the past for which to show it. */
export interface PastRequest extends CalendarMonth {
  budgetId: BudgetId
  scheme?: number | null
  /** ISO 8601. Changes before this time are included. */
  until: string
}

/**
 * The rows of a monitoring screen as they were at an earlier time, rebuilt from the logs: budget, actuals, forecasts, adjustments, notes,
 * codes and settings. Only the budget's group is the current one. Whole pennies.
 * @throws DomainError 404 for a budget that the caller may not see; 400 for a time before it existed, or a month outside it
 */
export async function readPastTable(
  call: Call & LimitedCaller & FiguresReader,
  { budgetId, scheme, until, ...month }: PastRequest,
  versus: MonitoringScreen,
): Promise<MonitoredScope & { rows: MonitoringTableRow[] }> {
  const { tx, organisationId } = call
  const [head] = await readBudgetHeads(call, eq(budgets.id, budgetId))
  if (!head) throw notFound('Budget')
  const { locationId } = head
  const [last] = await tx
    .select({ version: sql<number | null>`max(${budgetEvents.version})::integer` })
    .from(budgetEvents)
    .where(
      sql`${budgetEvents.organisationId} = ${organisationId} and ${budgetEvents.budgetId} = ${budgetId} and ${budgetEvents.occurredAt} < ${until}::timestamptz`,
    )
  if (!last?.version) throw invalid([{ field: 'day', message: 'The budget did not exist yet. Choose a later day.' }])
  const { snapshot } = await loadVisibleSnapshot({ ...call, budgetId }, last.version)
  const notTold = canSeeStaff(call.holder)
    ? nothing
    : new Set([...(await readHiddenCodes(call, [budgetId])), ...findCodesOfFewPeople(snapshot)])
  const monthPosition = locateMonth(snapshot.head, month)
  if (!monthPosition) throw invalid([{ field: 'month', message: 'The budget did not cover that month at the time. Choose another month.' }])
  const start = toMonthIndex({ year: snapshot.head.firstYear + monthPosition.yearIndex, month: snapshot.head.startMonth })
  const locationState = await readLogAt({ tx, organisationId, locationId }, until)
  const shared = await readLogAt({ tx, organisationId, locationId: organisationWideLocationId }, until)
  const past = { organisationId, until }
  const organisation = (await readRecordsAsOf({ tx, organisationId }, resources.organisation, until)).find(
    (one) => one.id === organisationId,
  )
  const cumulative = Boolean(organisation?.useCumulativeActuals)
  const logged = buildYearFromLog(locationState, start, monthPosition.period)
  const { budget, staffCodes, missing } = listSnapshotLines(snapshot, monthPosition.yearIndex)
  const year: LocationYear = { period: monthPosition.period, budget, forecastBudget: null, ...logged }
  const monitoredBudget = { id: budgetId, locationId, head: snapshot.head, ...monthPosition }
  const locations = [
    {
      locationId,
      budgets: [monitoredBudget],
      start,
      year: Math.floor(start / 12),
      period: monthPosition.period,
      closed: [...logged.closed],
      methods: logged.methods,
    },
  ]
  const level = (await loadGroupOfBudget(tx, organisationId, budgetId))?.id ?? (call.holder.locationIds ? undefined : null)
  const type = versus === 'actuals' ? monitoringNoteType.versusActuals : monitoringNoteType.versusForecast
  const remarks = await readRemarksAt({ tx, organisationId }, { locationState, shared }, { level, type, month })
  const facts = {
    locations,
    budgets: [monitoredBudget],
    leftOut: [],
    closedMonths: closedOf(logged.closed, start, monthPosition.period),
    cumulative,
  }
  const also = [...remarks.adjustments.keys(), ...remarks.notes.keys()]
  const codes = await readCodesInRows(
    tx,
    { ...facts, years: [year], staffCodes, missing, gaps: [missing] },
    { also, scheme: scheme ?? 0, past },
  )
  const storedSettings = shared.items.get(settingsKey)?.item
  const all = codes.map((code) => ({
    ...code,
    figures: calculateCodeFigures(year, code.codeId, cumulative),
    adjustment: code.codeId === null ? 0 : (remarks.adjustments.get(code.codeId) ?? 0),
    note: code.codeId === null ? null : (remarks.notes.get(code.codeId)?.note ?? null),
    action: code.codeId === null ? null : (remarks.notes.get(code.codeId)?.action ?? null),
  }))
  const rows = buildMonitoringRows(mergeCodesOfFewPeople(all, notTold), {
    versus,
    broughtForward: await calculateBroughtForward({ ...past, tx }, snapshot, monthPosition.yearIndex),
    settings: storedSettings?.kind === 'settings' ? storedSettings : defaultExplanationSettings,
    byScheme: Boolean(scheme),
  })
  return { ...facts, rows }
}

/** The instant at which a day ends in the United Kingdom, in ISO 8601. @param day such as 2026-10-03 */
export async function findEndOfDay(tx: OrganisationTx, day: string): Promise<string> {
  const row = requireSingleRow(
    await tx.execute<{ at: string }>(sql`
    select to_char(((${day}::date + 1)::timestamp at time zone 'Europe/London') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`),
  )
  return row.at
}

/** The state of a location's log at a time. Location 0 is the organisation. */
async function readLogAt(call: Call<'organisationId' | 'locationId'>, until: string): Promise<MonitoringState> {
  const { tx, organisationId, locationId } = call
  const [last] = await tx.execute<{ version: number | null }>(sql`
    select max(version)::integer as version from monitoring_events
    where organisation_id = ${organisationId} and location_id = ${locationId} and occurred_at < ${until}::timestamptz`)
  return foldItems(evolve, last?.version ? await readStream(call, { name: 'monitoring', id: locationId }, { upTo: last.version }) : [])
}

/** A snapshot's lines of one year by code. Months that could not be calculated are left out. */
function listSnapshotLines({ lines }: BudgetSnapshot, yearIndex: number) {
  const budget = new Map<CodeId, number[]>()
  const staffCodes = new Set<CodeId>()
  const missing = new Map<CodeId, number>()
  for (const line of lines) {
    if (line.year !== yearIndex) continue
    const code = line.budgetCodeId
    const monthlyBudget = budget.get(code) ?? Array<number>(12).fill(0)
    line.months.forEach((amount, month) => {
      monthlyBudget[month] = assertDefined(monthlyBudget[month]) + (amount ?? 0)
    })
    budget.set(code, monthlyBudget)
    if (isStaffSource(line.source)) staffCodes.add(code)
    if (line.missing) missing.set(code, (missing.get(code) ?? 0) + line.missing)
  }
  return { budget, staffCodes, missing }
}

/** The balance brought forward into a year of a snapshot: opening balances plus the balances of earlier years. Whole pennies. */
async function calculateBroughtForward(
  call: Call & { organisationId: OrganisationId; until: string },
  { lines, state }: BudgetSnapshot,
  yearIndex: number,
): Promise<number> {
  const { until } = call
  const codes = await readRecordsAsOf(call, resources.budgetCode, until)
  const records = new Map(codes.map((record) => [record.id, record]))
  let total = 0
  for (const { kind, item } of state.items.values()) if (kind === 'balance') total += item.value
  for (const line of lines) {
    const record = line.budgetCodeId === null ? undefined : records.get(line.budgetCodeId)
    if (line.year >= yearIndex || record?.category === budgetCodeCategory.balance) continue
    total += record?.type === budgetCodeType.income ? line.total : -line.total
  }
  return total
}

const closedOf = (closed: readonly boolean[], start: number, period: number): number[] =>
  closed.flatMap((isClosed, at) => (isClosed && at < period ? [fromMonthIndex(start + at).month] : []))

/**
 * The notes and adjustments of a group or the organisation at that time. If the school had closed the month, those stored at closing apply.
 */
async function readRemarksAt(
  { tx, organisationId }: Call<'organisationId'>,
  { locationState: own, shared }: { locationState: MonitoringState; shared: MonitoringState },
  { level, type, month }: { level: string | null | undefined; type: number; month: CalendarMonth },
) {
  const notes = new Map<number, { note: string; action: string | null }>()
  const adjustments = new Map<number, number>()
  if (level === undefined) return { notes, adjustments }
  const key = await ensureOrganisationKey(tx, organisationId)
  for (const { item } of shared.items.values()) {
    if ((item.kind !== 'note' && item.kind !== 'adjustment') || item.groupId !== level || item.type !== type) continue
    if (item.year !== month.year || item.month !== month.month) continue
    if (item.kind === 'adjustment') adjustments.set(item.budgetCodeId, item.value)
    else
      notes.set(item.budgetCodeId, {
        note: decryptText(key, item.sealedNotes),
        action: item.sealedAction ? decryptText(key, item.sealedAction) : null,
      })
  }
  const end = own.items.get(buildMonthEndKey(month))?.item
  const adjustedAtClose = end?.kind === 'monthEnd' ? end.closed?.adjusted : undefined
  if (!adjustedAtClose || adjustedAtClose.groupId !== level) return { notes, adjustments }
  return {
    notes,
    adjustments: new Map(adjustedAtClose.adjustments.flatMap((one) => (one.type === type ? [[one.budgetCodeId, one.value] as const] : []))),
  }
}

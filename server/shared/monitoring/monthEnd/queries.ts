import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { budgetCodeCategory, budgetCodeType, monitoringNoteType } from '../../../../domain/lookups/lookupIds.ts'
import { type CodeId, calculateCodeFigures } from '../../../../domain/monitoring/figures.ts'
import {
  type AdjustmentsAtClose,
  type CalendarMonth,
  type DoneBy,
  type ExplanationSettings,
  fromMonthIndex,
  type MonthEndItem,
  type MonthEndStep,
  monthEndSteps,
  toMonthIndex,
} from '../../../../domain/monitoring/monitoring.ts'
import { listMonthEndObstacles, type MonthEndReadiness } from '../../../../domain/monitoring/monthEnd.ts'
import { buildMonitoringRows } from '../../../../domain/monitoring/rows.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import {
  type BudgetId,
  type LocationId,
  type OrganisationId,
  organisationWideLocationId,
  type UserId,
} from '../../../../domain/values/ids.ts'
import { monitoringEvents, monitoringItems } from '../../../../drizzle/monitoringTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { readUserNames } from '../../../core/database/userNames.ts'
import { decryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { selectGroups } from '../../../streams/budget/groupMembers.ts'
import { readPayrollCompletion } from '../../../streams/payroll/completion.ts'
import { listCodesOfYear, type MonitoringFacts, readMonitoringFacts } from '../facts/queries.ts'
import { readExplanationSettings } from '../queries.ts'
import type { LimitedCaller } from '../requests/queries.ts'

/** The state of a location's month end, with the facts it depends on. */
export interface MonthEndState {
  locationId: LocationId
  location: string
  /** Null if the location has no budget of record in that month and so nothing to close. */
  budgetId: BudgetId | null
  /** The name of that budget. */
  budget: string | null
  /** The version of the location's log in which the actuals were imported; null without actuals. */
  actualsVersion: number | null
  actualsAt: string | null
  /** The start of the budget year; null without a budget of record. */
  start: CalendarMonth | null
  /** Earlier months of the budget year without actuals. */
  missing: CalendarMonth[]
  end: MonthEndItem
  /** Whether the payroll is reconciled in Bursar. The payroll step then follows the reconciliation and cannot be set by hand. */
  followsPayroll: boolean
  /** Whether a finished governors' pack covers the month, so that the step counts as done. */
  followsPack: boolean
  /** The completed steps. The payroll step follows the payroll month if it is reconciled in Bursar. */
  ticks: MonthEndItem['ticks']
  readiness: MonthEndReadiness
  /** The adjustments that apply at the location: those of its group or of the organisation. */
  adjusted: AdjustmentsAtClose
  /** The codes without a required reason or action. */
  dueCodes: number[]
  /** The last saved note on a line over the threshold. */
  lastNote: { version: number; at: string } | null
  /** The latest month of the budget year after this one that is already closed; null if none is. */
  closedAfter: CalendarMonth | null
}

/**
 * The month-end state of each location that the caller may see, in order of name.
 * @param only these locations; null for all
 * @param read the month's data by location, if already read
 */
export async function readMonthEndStates(
  call: Call & LimitedCaller,
  month: CalendarMonth,
  { only, read }: { only: readonly LocationId[] | null; read?: MonitoringFacts },
): Promise<MonthEndState[]> {
  const { tx } = call
  const facts = read ?? (await readMonitoringFacts(call, { ...month, locationIds: only?.length ? [...only] : null }, { way: 'byLocation' }))
  const locations = (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [call.organisationId] }))
    .filter(({ id }) => !call.holder.locationIds || call.holder.locationIds.includes(id))
    .filter(({ id }) => !only || only.includes(id))
  const items = await itemsOfYears(
    call,
    locations.map((location) => location.id),
    month,
  )
  const ended = new Map(
    items.flatMap(({ locationId, item }) =>
      item.kind === 'monthEnd' && toMonthIndex(item) === toMonthIndex(month) && item.closed?.adjusted
        ? [[locationId, item.closed.adjusted] as const]
        : [],
    ),
  )
  const toExplain = await linesToExplain(call, facts, { month, ended })
  const now = toMonthIndex(month)
  const budgetAt = new Map(locations.map(({ id }) => [id, facts.budgets.find((one) => one.locationId === id)?.id ?? null]))
  const payrolls = await readPayrollCompletion(call, budgetAt, month)
  const packs = await readFinishedPacks(tx, call.organisationId, month)
  return locations
    .flatMap((location): MonthEndState[] => {
      const index = facts.locations.findIndex((one) => one.locationId === location.id)
      if (index < 0 && location.archive) return []
      const locationItems = items.filter((row) => row.locationId === location.id)
      const start = facts.locations[index]?.start ?? now
      const stored = locationItems.find((row) => row.item.kind === 'month' && toMonthIndex(row.item) === now)
      const actuals = stored?.item.kind === 'month' && stored.item.isClosed ? stored : undefined
      const ends = locationItems.flatMap(({ item }) => (item.kind === 'monthEnd' ? [item] : []))
      const isEnded = (at: number): boolean => ends.some((end) => toMonthIndex(end) === at && end.closed)
      const openBefore = locationItems
        .flatMap(({ item }) => (item.kind === 'month' ? [toMonthIndex(item)] : []))
        .filter((at) => at >= start && at < now && !isEnded(at))
        .sort((a, b) => a - b)[0]
      const isIn = new Set(locationItems.flatMap(({ item }) => (item.kind === 'month' && item.isClosed ? [toMonthIndex(item)] : [])))
      const missing = Array.from({ length: now - start }, (_unused, at) => start + at).filter((at) => !isIn.has(at))
      const closedAfter = ends
        .map((end) => toMonthIndex(end))
        .filter((at) => at > now && at < start + 12 && isEnded(at))
        .sort((a, b) => b - a)[0]
      const lines = toExplain.get(location.id)
      const end = ends.find((one) => toMonthIndex(one) === now) ?? { kind: 'monthEnd', ...month, ticks: {}, closed: null, reopened: null }
      const { isReconciledHere, completed } = assertDefined(payrolls.get(location.id))
      const pack = packs.get(location.id)
      const last = actuals?.item.kind === 'month' ? actuals.item.imports.at(-1) : undefined
      return [
        {
          locationId: location.id,
          location: location.name,
          budgetId: budgetAt.get(location.id) ?? null,
          budget: facts.budgets.find((one) => one.locationId === location.id)?.head.name ?? null,
          actualsVersion: last?.version ?? actuals?.version ?? null,
          actualsAt: last?.at ?? (actuals ? new Date(actuals.savedAt).toISOString() : null),
          start: index < 0 ? null : fromMonthIndex(start),
          missing: missing.map(fromMonthIndex),
          end,
          followsPayroll: isReconciledHere,
          followsPack: pack !== undefined,
          ticks: { ...(isReconciledHere ? addPayrollTick(end, completed) : end.ticks), ...(pack && { pack }) },
          readiness: {
            actualsIn: Boolean(actuals),
            toExplain: actuals ? (lines?.toExplain ?? 0) : 0,
            toAct: actuals ? (lines?.toAct ?? 0) : 0,
            openBefore: openBefore === undefined ? null : fromMonthIndex(openBefore),
          },
          adjusted: lines?.adjusted ?? { groupId: null, adjustments: [] },
          dueCodes: actuals ? (lines?.dueCodes ?? []) : [],
          lastNote: actuals ? (lines?.lastNote ?? null) : null,
          closedAfter: closedAfter === undefined ? null : fromMonthIndex(closedAfter),
        },
      ]
    })
    .sort((a, b) => a.location.localeCompare(b.location))
}

/** The completed steps of a month whose payroll is reconciled in Bursar. A closed month keeps the steps with which it was closed. */
function addPayrollTick({ ticks: { payroll, ...others }, closed }: MonthEndItem, completed: DoneBy | null): MonthEndItem['ticks'] {
  const done = completed ?? (closed ? payroll : undefined)
  return done ? { ...others, payroll: done } : others
}

/** By location: who first finished a governors' pack that covers the month, the location's own or the organisation's, and when. */
async function readFinishedPacks(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { year, month }: CalendarMonth,
): Promise<Map<LocationId, DoneBy>> {
  const rows = await tx.execute<{ locationId: LocationId; by: UserId | null; at: string }>(sql`
    select distinct on (held.place) held.place as "locationId", (item #>> '{finished,by}')::integer as by, item #>> '{finished,at}' as at
    from monitoring_items
    cross join lateral (
      select location_id as place where location_id <> 0
      union all
      select (log ->> 'locationId')::integer from jsonb_array_elements(item #> '{finished,pins,logs}') log where location_id = 0
    ) as held
    where organisation_id = ${organisationId} and kind = 'pack' and year = ${year} and month = ${month} and item -> 'finished' <> 'null'::jsonb
    order by held.place, item #>> '{finished,at}'`)
  return new Map([...rows].map(({ locationId, by, at }) => [locationId, { by, at }]))
}

/**
 * The month-end items of the eleven months before and after a month, so that the whole budget year around it is included, whichever month
 * it starts in.
 */
function itemsOfYears({ tx, organisationId }: Call<'organisationId'>, locationIds: readonly LocationId[], month: CalendarMonth) {
  const now = toMonthIndex(month)
  return tx
    .select({
      locationId: monitoringItems.locationId,
      version: monitoringItems.version,
      savedAt: monitoringItems.savedAt,
      item: monitoringItems.item,
    })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        inArray(monitoringItems.locationId, [...locationIds]),
        inArray(monitoringItems.kind, ['month', 'monthEnd']),
        sql`year * 12 + month - 1 between ${now - 11} and ${now + 11}`,
      ),
    )
}

interface ToExplain {
  adjusted: AdjustmentsAtClose
  toExplain: number
  toAct: number
  dueCodes: number[]
  lastNote: { version: number; at: string } | null
}

/** The lines over the threshold at each location, as on its budgets versus actuals page (rules.md §17). */
async function linesToExplain(
  { tx, organisationId }: Call<'organisationId'>,
  facts: MonitoringFacts,
  { month: { year, month }, ended }: { month: CalendarMonth; ended: ReadonlyMap<LocationId, AdjustmentsAtClose> },
): Promise<Map<LocationId, ToExplain>> {
  const settings = await readExplanationSettings(tx, organisationId)
  const levels = new Map((await selectGroups(tx, organisationId)).flatMap((group) => group.budgetIds.map((id) => [id, group.id] as const)))
  const remarks = await tx
    .select({ version: monitoringItems.version, savedAt: monitoringItems.savedAt, item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.locationId, organisationWideLocationId),
        inArray(monitoringItems.kind, ['note', 'adjustment']),
        eq(monitoringItems.year, year),
        eq(monitoringItems.month, month),
      ),
    )
  const records = new Map((await readResourceRecords(tx, resources.budgetCode)).map((record) => [record.id, record]))
  return new Map(
    facts.locations.map((location, index) => {
      const figures = assertDefined(facts.years[index])
      const level = levels.get(assertDefined(location.budgets[0]).id) ?? null
      const remarksOfLevel = remarks.flatMap(({ item, ...saved }) =>
        (item.kind === 'note' || item.kind === 'adjustment') && item.groupId === level ? [{ ...saved, item }] : [],
      )
      const notes = remarksOfLevel.filter(({ item }) => item.kind === 'note' && item.type === monitoringNoteType.versusActuals)
      const adjusted = ended.get(location.locationId) ?? {
        groupId: level,
        adjustments: remarksOfLevel.flatMap(({ item }) =>
          item.kind === 'adjustment' ? [{ budgetCodeId: item.budgetCodeId, type: item.type, value: item.value }] : [],
        ),
      }
      const adjustments = adjusted.adjustments.filter((one) => one.type === monitoringNoteType.versusActuals)
      // A month without actuals has no lines to explain.
      const isIn = location.closed[location.period - 1]
      const used = new Set<CodeId>([
        ...(isIn || notes.length ? listCodesOfYear(figures) : []),
        ...notes.map(({ item }) => item.budgetCodeId),
        ...adjustments.map((one) => one.budgetCodeId),
      ])
      const codes = [...used].flatMap((codeId) => {
        const record = codeId === null ? undefined : records.get(codeId)
        if (record?.category === budgetCodeCategory.balance) return []
        const note = notes.find(({ item }) => item.budgetCodeId === codeId)?.item
        return [
          {
            codeId,
            code: record?.code ?? null,
            description: '',
            isIncome: record?.type === budgetCodeType.income,
            isStaff: false,
            scheme: null,
            figures: calculateCodeFigures(figures, codeId, facts.cumulative),
            adjustment: adjustments.find((one) => one.budgetCodeId === codeId)?.value ?? 0,
            // Only whether there is a note matters here; its text is not used.
            note: note ? 'written' : null,
            action: note?.kind === 'note' && note.sealedAction ? 'written' : null,
            missing: 0,
          },
        ]
      })
      return [location.locationId, { adjusted, ...countExplained(codes, settings, notes) }] as const
    }),
  )
}

function countExplained(
  codes: Parameters<typeof buildMonitoringRows>[0],
  settings: ExplanationSettings,
  notes: readonly { version: number; savedAt: string; item: { budgetCodeId: number } }[],
): Omit<ToExplain, 'adjusted'> {
  const rows = buildMonitoringRows(codes, { versus: 'actuals', broughtForward: 0, settings, byScheme: false })
  const over = new Set(rows.filter((row) => row.note && row.budgetCodeId !== null).map((row) => row.budgetCodeId))
  const [last] = notes.filter(({ item }) => over.has(item.budgetCodeId)).sort((a, b) => b.version - a.version)
  return {
    // The apprenticeship levy has no code, so it cannot have a note.
    toExplain: rows.filter((row) => row.needsExplaining).length,
    toAct: rows.filter((row) => row.needsAction).length,
    dueCodes: rows.flatMap((row) => (row.budgetCodeId !== null && (row.needsExplaining || row.needsAction) ? [row.budgetCodeId] : [])),
    lastNote: last ? { version: last.version, at: new Date(last.savedAt).toISOString() } : null,
  }
}

/** Who did something, and when. */
export interface ShownCompletion {
  by: string
  at: string
}

/** The month-end checklist of one location. */
export interface MonthEndChecklist {
  locationId: LocationId
  location: string
  budgetId: BudgetId | null
  /** The name of the budget of record. */
  budget: string | null
  /** The start of the budget year. */
  start: CalendarMonth | null
  actuals: ShownCompletion | null
  /** Earlier months of the budget year without actuals. */
  missing: CalendarMonth[]
  steps: Record<MonthEndStep, ShownCompletion | null>
  /** Whether the payroll is reconciled in Bursar, so that its step cannot be set by hand. */
  followsPayroll: boolean
  /** Whether a finished pack covers the month, so that the pack's step cannot be set by hand. */
  followsPack: boolean
  /** The number of lines to explain; null without actuals, because nothing is known yet. */
  toExplain: number | null
  toAct: number | null
  explained: ShownCompletion | null
  closed: ShownCompletion | null
  reopened: (ShownCompletion & { reason: string }) | null
  /** What prevents closing the month. */
  inTheWay: string[]
}

/** The checklists of a month at the locations that the caller may see, with who completed each step and when. */
export async function listMonthEndChecklists(
  call: Call<'store'> & LimitedCaller,
  month: CalendarMonth,
  only: readonly LocationId[] | null,
): Promise<MonthEndChecklist[]> {
  const { tx, store } = call
  const all = await readMonthEndStates(call, month, { only })
  const versions = all.flatMap(({ locationId, actualsVersion, lastNote }) => [
    ...(actualsVersion === null ? [] : [{ locationId, version: actualsVersion }]),
    ...(lastNote ? [{ locationId: organisationWideLocationId, version: lastNote.version }] : []),
  ])
  const events = versions.length
    ? await tx
        .select({ locationId: monitoringEvents.locationId, version: monitoringEvents.version, actorId: monitoringEvents.actorId })
        .from(monitoringEvents)
        .where(
          and(
            eq(monitoringEvents.organisationId, call.organisationId),
            or(...versions.map((one) => and(eq(monitoringEvents.locationId, one.locationId), eq(monitoringEvents.version, one.version)))),
          ),
        )
    : []
  const actors = new Map(events.map((event) => [`${event.locationId} ${event.version}`, event.actorId]))
  const people = all.flatMap(({ end, ticks }) => [end.closed?.by, end.reopened?.by, ...monthEndSteps.map((step) => ticks[step]?.by)])
  const names = await readUserNames(store, [...actors.values(), ...people.map((id) => id ?? null)])
  const nameOf = (id: number | null | undefined): string => (id == null ? 'System' : (names.get(id) ?? 'Unknown'))
  const key = all.some(({ end }) => end.reopened) ? await ensureOrganisationKey(tx, call.organisationId) : null
  return all.map((one): MonthEndChecklist => {
    const { locationId, location, budgetId, budget, actualsVersion, actualsAt, end, ticks, readiness, lastNote } = one
    const done = (item: { by: UserId | null; at: string } | null | undefined): ShownCompletion | null =>
      item ? { by: nameOf(item.by), at: new Date(item.at).toISOString() } : null
    const presentDone = (index: number, version: number | null, at: string | null): ShownCompletion | null =>
      version === null || at === null ? null : { by: nameOf(actors.get(`${index} ${version}`)), at: new Date(at).toISOString() }
    return {
      locationId,
      location,
      budgetId,
      budget,
      start: one.start,
      actuals: presentDone(locationId, actualsVersion, actualsAt),
      missing: one.missing,
      steps: { payroll: done(ticks.payroll), adjustments: done(ticks.adjustments), pack: done(ticks.pack) },
      followsPayroll: one.followsPayroll,
      followsPack: one.followsPack,
      toExplain: readiness.actualsIn ? readiness.toExplain : null,
      toAct: readiness.actualsIn ? readiness.toAct : null,
      explained: lastNote ? presentDone(0, lastNote.version, lastNote.at) : null,
      closed: done(end.closed),
      reopened: end.reopened && {
        ...assertDefined(done(end.reopened)),
        reason: decryptText(assertDefined(key), end.reopened.sealedReason),
      },
      inTheWay: end.closed ? [] : listMonthEndObstacles(ticks, readiness),
    }
  })
}

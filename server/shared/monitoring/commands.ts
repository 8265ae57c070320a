import { sql } from 'drizzle-orm'
import { createRefusedImportError, createWholeFileError } from '../../../domain/files/refusals.ts'
import { actualFile } from '../../../domain/monitoring/actualFile.ts'
import {
  accrueBackPay,
  chooseForecastMethod,
  clearMonth,
  copyAdjustment,
  importActuals,
  type LocationActuals,
  refuseRepeatedFile,
  removeAdjustment,
  removeNote,
  saveAdjustment,
  saveExplanationSettings,
  saveNote,
} from '../../../domain/monitoring/decide.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { type ActualsFileContext, readActualsFile } from '../../../domain/monitoring/fileRows.ts'
import {
  type ActualLine,
  buildForecastKey,
  buildMonthKey,
  buildNoteOrAdjustmentKey,
  type CalendarMonth,
  type CodeSubject,
  type ExplanationSettings,
  type ForecastMethod,
  formatMonth,
  settingsKey,
  toMonthIndex,
} from '../../../domain/monitoring/monitoring.ts'
import { abbreviateNameList, createMonthClosedError } from '../../../domain/monitoring/monthEnd.ts'
import { monthEndPermissions } from '../../../domain/monitoring/rights.ts'
import { hasAnyPermission, type Permission } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { type LocationId, organisationWideLocationId } from '../../../domain/values/ids.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import { forbidden, notFound } from '../../../domain/words/errors.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import { refuseLimitedCaller } from '../../core/calls/context.ts'
import { advisoryLocks } from '../../core/database/advisoryLocks.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { decryptText, encryptText, ensureOrganisationKey } from '../../core/database/vault.ts'
import { sha256 } from '../../core/stream/hash.ts'
import { type LoggedChange, undoItemChanges } from '../../core/stream/undo.ts'
import { createImportNames } from '../../resources/import/names.ts'
import { lockReferencedCodes } from '../../streams/monitoring/references.ts'
import { changeMonitoring, monitoringStream } from '../../streams/monitoring/stream.ts'
import { readVisibleGroup } from '../budgetGroups/queries.ts'
import {
  checkBudgetCodes,
  countActualLines,
  findImportOfFile,
  findStartMonth,
  listLocationsOfLevel,
  listLocationsWithDataInMonth,
  readAccruedBackPay,
  readClosedLocations,
  readClosedMonths,
  readLocationsWithBudget,
} from './queries.ts'
import type { LimitedCaller } from './requests/queries.ts'

/** The caller who changes monitoring. */
export interface MonitoringEditor extends LimitedCaller {
  holder: CallerRights
  actor: Actor
}

type Cells = Record<string, string>

export interface ImportedMonth extends CalendarMonth {
  /** A value of `importTypes`. */
  type: number
  rows: readonly Cells[]
  /** The locations that the file covers and closes; if empty, those of its rows. */
  locationIds?: LocationId[] | null
  /** Whether the user confirmed importing a file that has already been imported. */
  again?: boolean | null
}

/**
 * Imports the actuals and commitments of a month, all or none, for each location in the file.
 * @throws DomainError with row, column, value and sentence for each invalid cell; 409 for a file that has already been imported
 * @returns how many lines were imported and their total, and the locations that changed
 */
export async function runImportActuals(
  call: Call & MonitoringEditor,
  file: ImportedMonth,
): Promise<{ imported: number; sum: Pennies; locationIds: LocationId[] }> {
  const { tx, organisationId, holder, actor } = call
  const month = { year: file.year, month: file.month }
  const { rows } = file
  const named = file.locationIds ?? []
  if (!rows.length && !named.length)
    throw createWholeFileError('The file has no rows. Choose the locations that it is for, or another file.')
  const locations = (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).filter(
    ({ id }) => !holder.locationIds || holder.locationIds.includes(id),
  )
  if (named.some((id) => !locations.some((location) => location.id === id))) throw notFound('Location')
  const locationsWithBudget = await readLocationsWithBudget(call, month)
  const outside = named
    .filter((id) => !locationsWithBudget.has(id))
    .map((id) => assertDefined(locations.find((location) => location.id === id)).name)
  if (outside.length)
    throw createWholeFileError(
      `${formatMonth(month)} is not covered by any budget for ${outside.join(', ')}. Add a budget for that year, or choose another month.`,
    )
  const lines = rows.length ? await readLines(call, file, { locations, locationsWithBudget }) : new Map<LocationId, ActualLine[]>()
  const digest = sha256(canonicalJson({ type: file.type, rows, named }))
  if (rows.length && !file.again) await refuseImportedFile(call, digest)
  const locationIds = [...new Set([...named, ...lines.keys()])].sort((a, b) => a - b)
  await lockReferencedCodes(call, [...lines.values()].flat())
  let imported = 0
  for (const locationId of locationIds) {
    const locationActuals: LocationActuals = {
      ...month,
      mode: file.type,
      digest,
      lines: lines.get(locationId) ?? [],
      isNamed: named.includes(locationId),
    }
    await changeMonitoring({ tx, organisationId, locationId, actor }, [buildMonthKey(month)], () => importActuals(locationActuals))
    imported += locationActuals.lines.length
  }
  const sum = [...lines.values()].flat().reduce((total, line) => total + line.value, 0)
  return { imported, sum, locationIds }
}

/**
 * The lines of a file by location.
 * @throws DomainError with every invalid cell
 */
async function readLines(
  { tx, organisationId, holder }: Call & LimitedCaller,
  { rows, ...month }: ImportedMonth,
  known: Pick<ActualsFileContext, 'locations' | 'locationsWithBudget'>,
): Promise<Map<LocationId, ActualLine[]>> {
  const { find } = await createImportNames(tx, actualFile, { organisationId, locationIds: holder.locationIds, isAdministrator: false })
  const { lines, problems } = readActualsFile(rows, month, { ...known, find, locationsByRecord: await readCodesByLocation(tx) })
  if (problems.length) throw createRefusedImportError(problems, rows.length)
  return lines
}

/** The locations that use each code, for the message about a code that is not available at a line's location. */
export async function readCodesByLocation(tx: OrganisationTx): Promise<Map<string, number[]>> {
  const limited = new Map<string, number[]>()
  for (const [name, resource] of [
    ['budgetCode', resources.budgetCode],
    ['costCentre', resources.costCentre],
    ['fundCode', resources.fundCode],
  ] as const)
    for (const { id, locations } of await readResourceRecords(tx, resource)) if (locations.length) limited.set(`${name} ${id}`, locations)
  return limited
}

/** @throws DomainError 409 for a file with the same digest as one imported for any month */
export async function refuseImportedFile({ tx, organisationId }: Call<'organisationId'>, digest: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.actualsFiles}, hashtext(${`${organisationId} ${digest}`}))`)
  const standing = await findImportOfFile(tx, organisationId, digest)
  if (standing) refuseRepeatedFile(standing)
}

/**
 * Clears a month at some locations, or at all that the caller may see.
 * @returns how many lines were cleared, and the changes, so that they can be undone
 */
export async function runClearActuals(
  call: Call & MonitoringEditor,
  month: CalendarMonth,
  chosen?: readonly LocationId[],
): Promise<{ deleted: number; changes: LoggedChange[] }> {
  const { tx, organisationId, holder, actor } = call
  if (chosen) {
    const locations = await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })
    const isSeen = (id: LocationId): boolean =>
      locations.some((location) => location.id === id) && (!holder.locationIds || holder.locationIds.includes(id))
    if (!chosen.every(isSeen)) throw forbidden()
  }
  const standing = await listLocationsWithDataInMonth(call, month)
  const locationIds = chosen ? standing.filter((id) => chosen.includes(id)) : standing
  const deleted = await countActualLines({ tx, organisationId }, locationIds, month)
  const changes: LoggedChange[] = []
  for (const locationId of locationIds) {
    const log = { tx, organisationId, locationId, actor }
    for (const { version } of await changeMonitoring(log, [buildMonthKey(month)], (state) => clearMonth(state, month)))
      changes.push({ locationId, version })
  }
  return { deleted, changes }
}

const screens: Partial<Record<number, 'MonitoringBudgetActuals' | 'MonitoringBudgetForecast'>> = {
  1: 'MonitoringBudgetActuals',
  2: 'MonitoringBudgetForecast',
}

/**
 * Checks whether the caller may change a note or adjustment. Type 1 requires the permission for budgets versus actuals, type 2 that for the
 * forecast. A note or adjustment without a group applies to the whole organisation, and requires the console's permission and all
 * locations.
 * @throws DomainError 403; 404 for an unknown group or code
 */
async function checkRemarkPermission(
  call: Call & MonitoringEditor,
  about: Pick<CodeSubject, 'type' | 'groupId'>,
  codeIds: readonly number[],
): Promise<void> {
  const { tx } = call
  const screen = assertDefined(screens[about.type])
  const console: Permission = `Console${screen}ReadUpdate`
  const anyOf: Permission[] = about.groupId ? [`Budgeting${screen}ReadUpdate`, console] : [console]
  if (!hasAnyPermission(call.holder, anyOf)) throw forbidden()
  if (about.groupId) await readVisibleGroup(call, about.groupId)
  else refuseLimitedCaller(call.holder)
  await checkBudgetCodes(tx, call.organisationId, codeIds)
}

/**
 * Refuses changes at a level that is closed. Notes and adjustments belong to a group or the whole organisation, but months are closed by
 * each location. Once one location has closed the month, existing notes and adjustments are fixed. While another location is open, new ones
 * are still possible, because that location could not close otherwise; closed locations keep the adjustments with which they closed.
 * @param isNew whether the change concerns codes without a note
 * @throws DomainError 409
 */
async function refuseClosedLevel(
  call: Call<'organisationId'>,
  about: CalendarMonth & Pick<CodeSubject, 'groupId'>,
  { kind, isNew }: { kind: 'note' | 'adjustment'; isNew: boolean },
): Promise<void> {
  const { tx, organisationId } = call
  const locations = await listLocationsOfLevel(tx, organisationId, about)
  const closed = await readClosedLocations(
    call,
    locations.map((one) => one.id),
    about,
  )
  const hasOpen = locations.some((one) => !closed.has(one.id))
  const staysAsClosed = kind === 'note' ? isNew : [...closed.values()].every((adjustments) => adjustments !== null)
  if (closed.size === 0 || (hasOpen && staysAsClosed)) return
  const names = locations.filter((one) => closed.has(one.id)).map((one) => one.name)
  throw createMonthClosedError(about, abbreviateNameList(names))
}

/** The text of a note: the cause and the action; null if missing. */
export interface NoteText {
  notes: string
  action: string | null
}

/** Saves a note on a code; null deletes it. */
export async function runSaveNote(call: Call & MonitoringEditor, about: CodeSubject, words: NoteText | null): Promise<void> {
  const { tx } = call
  await checkRemarkPermission(call, about, [about.budgetCodeId])
  const key = await ensureOrganisationKey(tx, call.organisationId)
  await changeMonitoring(
    { ...call, organisationId: call.organisationId, locationId: organisationWideLocationId },
    [buildNoteOrAdjustmentKey('note', about)],
    async (state) => {
      const before = state.items.get(buildNoteOrAdjustmentKey('note', about))?.item
      await refuseClosedLevel(call, about, { kind: 'note', isNew: !before })
      if (words === null) return removeNote(state, about)
      const existing = before?.kind === 'note' ? before : undefined
      const sealed = (text: string, was: string | undefined): string =>
        was && decryptText(key, was) === text ? was : encryptText(key, text)
      return saveNote(state, about, {
        notes: sealed(words.notes, existing?.sealedNotes),
        action: words.action === null ? null : sealed(words.action, existing?.sealedAction),
      })
    },
  )
}

/** Saves an adjustment of a code, in whole pennies; null deletes it. */
export async function runSaveAdjustment(call: Call & MonitoringEditor, about: CodeSubject, value: number | null): Promise<void> {
  await checkRemarkPermission(call, about, [about.budgetCodeId])
  await changeMonitoring(
    { ...call, organisationId: call.organisationId, locationId: organisationWideLocationId },
    [buildNoteOrAdjustmentKey('adjustment', about)],
    async (state) => {
      await refuseClosedLevel(call, about, { kind: 'adjustment', isNew: false })
      return value === null ? removeAdjustment(state, about) : saveAdjustment(state, about, value)
    },
  )
}

/**
 * Writes a month's payroll accrual to its adjustments, replacing the accrual of an earlier call, also for codes that no longer have one.
 * Calling it twice changes nothing more.
 * @param accrued whole pennies still to be paid, by budget code
 * @returns how many codes changed
 */
export async function runPostAccrual(
  call: Call & MonitoringEditor,
  to: Omit<CodeSubject, 'budgetCodeId'>,
  accrued: ReadonlyMap<number, Pennies>,
): Promise<number> {
  const { tx } = call
  await checkRemarkPermission(call, to, [...accrued.keys()])
  const taken = await readAccruedBackPay(tx, call.organisationId, to)
  const subjects = [...new Set([...accrued.keys(), ...taken.keys()])]
    .sort((a, b) => a - b)
    .map((id): CodeSubject => ({ ...to, budgetCodeId: id }))
  const events = await changeMonitoring(
    { ...call, organisationId: call.organisationId, locationId: organisationWideLocationId },
    subjects.map((about) => buildNoteOrAdjustmentKey('adjustment', about)),
    async (state) => {
      await refuseClosedLevel(call, to, { kind: 'adjustment', isNew: false })
      return subjects.flatMap((about) => accrueBackPay(state, about, accrued.get(about.budgetCodeId) ?? 0))
    },
  )
  return events.length
}

/**
 * Copies a month's notes or adjustments from the previous month, for codes that have none yet.
 * @returns how many were copied
 */
export async function runCopyFromPreviousMonth(
  call: Call & MonitoringEditor,
  { kind, budgetCodeIds, ...to }: Omit<CodeSubject, 'budgetCodeId'> & { kind: 'note' | 'adjustment'; budgetCodeIds: readonly number[] },
): Promise<number> {
  const from = to.month === 1 ? { year: to.year - 1, month: 12 } : { year: to.year, month: to.month - 1 }
  const subjects = [...new Set(budgetCodeIds)].map((budgetCodeId): CodeSubject => ({ ...to, budgetCodeId }))
  await checkRemarkPermission(call, to, budgetCodeIds)
  const keys = subjects.flatMap((about) => [buildNoteOrAdjustmentKey(kind, about), buildNoteOrAdjustmentKey(kind, { ...about, ...from })])
  const events = await changeMonitoring(
    { ...call, organisationId: call.organisationId, locationId: organisationWideLocationId },
    keys,
    async (state) => {
      await refuseClosedLevel(call, to, { kind, isNew: true })
      return subjects.flatMap((about): MonitoringEvent[] => {
        const last = state.items.get(buildNoteOrAdjustmentKey(kind, { ...about, ...from }))?.item
        if (state.items.has(buildNoteOrAdjustmentKey(kind, about))) return []
        if (last?.kind === 'note') return saveNote(state, about, { notes: last.sealedNotes, action: last.sealedAction ?? null })
        return last?.kind === 'adjustment' ? copyAdjustment(state, about, last) : []
      })
    },
  )
  return events.length
}

/**
 * Checks that a location is one the caller may see.
 * @throws DomainError 404
 */
export async function refuseHiddenLocation({ tx, organisationId, holder, locationId }: Call<'locationId'> & LimitedCaller): Promise<void> {
  const [location] = await readResourceRecords(tx, resources.location, { column: 'id', ids: [locationId] })
  if (location?.organisationId !== organisationId || (holder.locationIds && !holder.locationIds.includes(locationId)))
    throw notFound('Location')
}

/** Sets how codes are forecast at a location. Values are in whole pennies. */
export async function runSetForecastMethods(
  call: Call & MonitoringEditor,
  {
    locationId,
    ...chosen
  }: { locationId: LocationId; year: number; budgetCodeIds: number[]; method: ForecastMethod; values: number[] | null },
): Promise<void> {
  const { tx } = call
  await refuseHiddenLocation({ ...call, locationId })
  await checkBudgetCodes(tx, call.organisationId, chosen.budgetCodeIds)
  const keys = chosen.budgetCodeIds.map((id) => buildForecastKey(chosen.year, id))
  await changeMonitoring({ ...call, organisationId: call.organisationId, locationId }, keys, async (state) => {
    const { values } = chosen
    if (values) {
      const typed = keys.flatMap((key) => {
        const before = state.items.get(key)?.item
        return before?.kind === 'forecast' && before.values ? [before.values] : []
      })
      const startMonth = await findStartMonth({ ...call, locationId }, chosen.year)
      await refuseClosedPeriods(call, { locationId, year: chosen.year, startMonth }, (period) =>
        typed.some((before) => before[period] !== values[period]),
      )
    }
    return chooseForecastMethod(state, chosen)
  })
}

/**
 * Refuses changes to the forecast of closed months.
 * @param year the calendar year in which the budget year starts
 * @param isChanged whether a period, from 0, would change
 * @throws DomainError 409
 */
async function refuseClosedPeriods(
  { tx, organisationId }: Call & Pick<LimitedCaller, 'organisationId'>,
  { locationId, year, startMonth }: { locationId: LocationId; year: number; startMonth: number },
  isChanged: (period: number) => boolean,
): Promise<void> {
  const start = toMonthIndex({ year, month: startMonth })
  for (const month of await readClosedMonths({ tx, organisationId, locationId }, start, start + 11))
    if (isChanged(toMonthIndex(month) - start)) {
      const [location] = await readResourceRecords(tx, resources.location, { column: 'id', ids: [locationId] })
      throw createMonthClosedError(month, location?.name ?? null)
    }
}

/**
 * As `refuseClosedPeriods`, for the months of entries. Also locks the location's log, so that nobody closes a month until the transaction
 * ends.
 */
export async function refuseEntriesInClosedMonths(
  call: Call & Pick<MonitoringEditor, 'organisationId' | 'actor'>,
  at: { locationId: LocationId; year: number; startMonth: number },
  isChanged: (period: number) => boolean,
): Promise<void> {
  await changeMonitoring({ ...call, organisationId: call.organisationId, locationId: at.locationId }, [], () => [])
  await refuseClosedPeriods(call, at, isChanged)
}

/** Saves the organisation's thresholds for explanations. */
export async function runSaveExplanationSettings(call: Call & MonitoringEditor, settings: ExplanationSettings): Promise<void> {
  refuseLimitedCaller(call.holder)
  const log = { organisationId: call.organisationId, locationId: organisationWideLocationId }
  await changeMonitoring({ ...call, ...log }, [settingsKey], (state) => saveExplanationSettings(state, settings))
}

/** Checks the permissions for an undo, which are those for the change itself. */
function checkUndo(holder: CallerRights, event: StoredMonitoringEvent): void {
  const wanted: Permission[] =
    event.type === 'ActualsImported' || event.type === 'MonthCleared'
      ? ['ConsoleMonitoringReadUpdate']
      : event.type.startsWith('MonthStep') || event.type.startsWith('Pack')
        ? [...monthEndPermissions]
        : [
            'BudgetingMonitoringBudgetActualsReadUpdate',
            'BudgetingMonitoringBudgetForecastReadUpdate',
            'ConsoleMonitoringBudgetActualsReadUpdate',
            'ConsoleMonitoringBudgetForecastReadUpdate',
          ]
  if (!hasAnyPermission(holder, wanted)) throw forbidden()
}

/** Undoes the caller's own changes, all or none, as described at `undoItemChanges`. */
export function runUndoMonitoring(call: Call<'store'> & MonitoringEditor, changes: readonly LoggedChange[]): Promise<void> {
  return undoItemChanges(monitoringStream, call, {
    changes,
    checkLocation: (locationId) => refuseHiddenLocation({ ...call, locationId }),
    checkChange: async (event) => {
      checkUndo(call.holder, event)
      for (const about of listRemarkSubjects(event)) {
        await checkRemarkPermission(call, about, [about.budgetCodeId])
        const kind = event.type.startsWith('Note') ? 'note' : 'adjustment'
        await refuseClosedLevel(call, about, { kind, isNew: false })
      }
    },
  })
}

function listRemarkSubjects(event: StoredMonitoringEvent): CodeSubject[] {
  switch (event.type) {
    case 'NoteSaved':
    case 'NoteRemoved':
    case 'AdjustmentSaved':
    case 'AdjustmentRemoved':
      return [event.data]
    default:
      return []
  }
}

import type { LeftOutRow } from '../../../domain/files/leftOut.ts'
import { payrollClearOption, payrollMonthState } from '../../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, formatMonth } from '../../../domain/monitoring/monitoring.ts'
import {
  applyStoredReference,
  carryForward,
  clearCarriedForward,
  clearEnteredActuals,
  clearPayroll,
  completeMonth,
  createMonthCompletedError,
  enterActual,
  importPayroll,
  isUndoable,
  listMonthsWithChangedActuals,
  refuseFileOfOtherMonth,
  removeNotes,
  reopenMonth,
  saveNotes,
  saveTolerance,
  selectLinesToImport,
} from '../../../domain/payroll/decide.ts'
import type { PayrollEvent, StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { findPayrollMonth, listTouchedKeys, type PayrollState } from '../../../domain/payroll/evolve.ts'
import { type DuplicateLine, describeImportRemarks, type ParsedPayrollFile, readPayrollFile } from '../../../domain/payroll/fileRows.ts'
import {
  buildActualsKey,
  buildCarriedForwardKey,
  buildEnteredActualKey,
  buildMonthStateKey,
  buildNoteKey,
  type CarriedForward,
  type EmployeeRef,
  type LevelMonth,
  type PayrollCell,
  type PayrollMonthItem,
  toleranceKey,
} from '../../../domain/payroll/payroll.ts'
import { sumDifferencesByEmployee, sumReconciledRows } from '../../../domain/payroll/reconcile.ts'
import { hasAnyPermission, type Permission } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { type BudgetGroupId, type LocationId, organisationWideLocationId } from '../../../domain/values/ids.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import { conflict, type DomainError, forbidden, invalid, notFound, otherLocationsAffected } from '../../../domain/words/errors.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { encryptText, ensureOrganisationKey } from '../../core/database/vault.ts'
import { sha256 } from '../../core/stream/hash.ts'
import { type LoggedChange, undoItemChanges } from '../../core/stream/undo.ts'
import type { ImportProgressReporter } from '../../resources/import/commands.ts'
import { loadPayrollItems } from '../../streams/payroll/items.ts'
import { changePayroll, payrollStream } from '../../streams/payroll/stream.ts'
import { listVisibleGroups } from '../budgetGroups/queries.ts'
import { refuseHiddenLocation } from '../monitoring/commands.ts'
import { readLocationsWithBudget } from '../monitoring/queries.ts'
import type { LimitedCaller } from '../monitoring/requests/queries.ts'
import { findEmployee, type NoteKeyFinder, type PayrollPeople, readNoteKeys, readPayrollPeople } from './people/queries.ts'
import {
  findOtherMonthOfFile,
  listCompletedLevelNames,
  listVisibleLocations,
  type ReconciliationLevel,
  readEmployeesInMonth,
  readProviderCodes,
  readReconciliation,
  readStoredItems,
  resolveReconciliationLevel,
  unsealNote,
} from './queries.ts'

/** The caller who changes payroll. */
export interface PayrollEditor extends LimitedCaller {
  holder: CallerRights
  actor: Actor
}

/** The permissions to change reconciliation data of the whole organisation (`organisationChangePermissions`) and of a group (`groupChangePermissions`). */
export const organisationChangePermissions = ['ConsolePayrollReconciliationReadUpdate'] as const satisfies Permission[]
export const groupChangePermissions = [
  'BudgetingPayrollReconciliationReadUpdate',
  ...organisationChangePermissions,
] as const satisfies Permission[]

/**
 * Resolves the level that a change concerns.
 * @throws DomainError 403 for the whole organisation if the caller is limited to some locations
 */
async function resolveLevelToChange(call: Call & PayrollEditor, month: LevelMonth): Promise<ReconciliationLevel> {
  if (!hasAnyPermission(call.holder, month.groupId ? groupChangePermissions : organisationChangePermissions)) throw forbidden()
  if (!month.groupId && call.holder.locationIds) throw otherLocationsAffected()
  return resolveReconciliationLevel(call, month)
}

/** @throws DomainError 403 if the caller does not see every location of a level */
export function refusePartialAccess(level: ReconciliationLevel, caller: LimitedCaller): void {
  if (listVisibleLocations(level, caller).length < level.locationIds.length) throw otherLocationsAffected()
}

/** Locks the organisation's payroll log, so that imports, changes of a level and its completion happen one after the other. */
export function lockOrganisationPayroll({ tx, organisationId, actor }: Call & PayrollEditor): Promise<StoredPayrollEvent[]> {
  return changePayroll({ tx, organisationId, locationId: organisationWideLocationId, actor }, [], () => [])
}

/**
 * Changes the data of a level's month.
 * @throws DomainError 409 for a completed month, even if nothing would change
 */
function changeLevel(
  { tx, organisationId, actor }: Call & PayrollEditor,
  month: LevelMonth,
  { keys, decide }: { keys: readonly string[]; decide: (state: PayrollState) => PayrollEvent[] },
): Promise<StoredPayrollEvent[]> {
  const stateKey = buildMonthStateKey(month)
  return changePayroll({ tx, organisationId, locationId: organisationWideLocationId, actor }, [stateKey, ...keys], (state) => {
    const item = findPayrollMonth(state, month)
    if (item.state === payrollMonthState.complete) throw createMonthCompletedError(item)
    return decide(state)
  })
}

/** The result of a change to a level: how many items changed, and the log versions for undo. */
interface LevelChange {
  updated: number
  versions: number[]
}

const changedBy = (events: readonly StoredPayrollEvent[]): LevelChange => ({
  updated: events[0] ? listTouchedKeys(events[0]).length : 0,
  versions: events.map(({ version }) => version),
})

const levelMonth = ({ year, month, groupId }: LevelMonth): LevelMonth => ({ year, month, groupId })

/** @throws DomainError 409 if a level with one of the locations is complete */
export async function refuseCompletedMonth(
  call: Call<'organisationId'>,
  locationIds: readonly LocationId[],
  month: CalendarMonth,
): Promise<void> {
  const [level] = await listCompletedLevelNames(call, locationIds, month)
  if (level) throw createMonthCompletedError(month, level)
}

export interface ImportedPayroll extends CalendarMonth {
  rows: readonly Record<string, string>[]
  /** The location of the file; null if each row names a location. */
  locationId: LocationId | null
  /** Whether the user confirmed importing a file that has already been imported for another month. */
  again?: boolean | null
}

export interface PayrollImportResult {
  imported: number
  created: number
  updated: number
  /** Whole pennies. */
  sum: Pennies
  doubled: DuplicateLine[]
  unknown: string[]
  remarks: string[]
}

/**
 * Imports what a payroll paid in a month, all or none. Lines replace earlier ones of the same employees and codes.
 * @throws DomainError with row, column, value and sentence for each invalid cell; 409 for a completed month, or a file already imported for
 * another month
 */
export async function runImportPayroll(
  call: Call & PayrollEditor,
  { rows, locationId, again, ...at }: ImportedPayroll,
): Promise<PayrollImportResult> {
  const { tx, organisationId, holder } = call
  const month = { year: at.year, month: at.month }
  const locations = (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).filter(
    ({ id }) => !holder.locationIds || holder.locationIds.includes(id),
  )
  await lockOrganisationPayroll(call)
  // Checked before the rows, because a completed month refuses any file.
  if (locationId !== null) await refuseCompletedMonth({ tx, organisationId }, [locationId], month)
  const people = await readPayrollPeople(tx, organisationId)
  const file = readPayrollFile(
    { ...month, rows, locationId },
    { people, codes: await readProviderCodes(tx, organisationId), locations, withYear: await readLocationsWithBudget(call, month) },
  )
  const digest = sha256(canonicalJson({ rows, locationId }))
  return storePayrollFile(call, month, { file: { ...file, digest, rows: rows.length, again: Boolean(again) } })
}

/** A parsed file to store. */
interface FileToStore extends ParsedPayrollFile {
  /** SHA-256 of its rows. */
  digest: string
  rows: number
  /** Whether the user confirmed importing a file that has already been imported for another month. */
  again: boolean
  /** Whether to store a zero only if it replaces a line, because a wide file has a cell for every employee and code. */
  dropNewZeros?: boolean
  /** Rows of the file that the user left out. */
  leftOut?: LeftOutRow[]
}

/**
 * Stores a file, location by location. The caller has locked the organisation's log.
 * @throws DomainError as `runImportPayroll`
 */
export async function storePayrollFile(
  call: Call & PayrollEditor,
  month: CalendarMonth,
  { file, progress = async () => undefined }: { file: FileToStore; progress?: ImportProgressReporter },
): Promise<PayrollImportResult> {
  const { tx, organisationId, actor } = call
  const { digest } = file
  await refuseCompletedMonth({ tx, organisationId }, [...file.locations.keys()], month)
  // A file identical to that of another month is probably the wrong file, but salaried pay can repeat, so a file that names its month is
  // accepted.
  if (!file.again && !file.namesMonth) {
    const standing = await findOtherMonthOfFile({ tx, organisationId }, digest, month)
    if (standing) refuseFileOfOtherMonth(standing)
  }
  const done: PayrollImportResult = {
    imported: file.rows,
    created: 0,
    updated: 0,
    sum: 0,
    doubled: file.doubled,
    unknown: file.unknown,
    remarks: describeImportRemarks(file),
  }
  const total = [...file.locations.values()].reduce((sum, locationPayroll) => sum + locationPayroll.rows, 0)
  const people = await readPayrollPeople(tx, organisationId)
  let saved = 0
  for (const [locationId, locationPayroll] of [...file.locations].sort(([a], [b]) => a - b)) {
    const key = buildActualsKey(month)
    await progress('saving', saved, total)
    await changePayroll({ tx, organisationId, locationId, actor }, [key], (state) => {
      const before = state.items.get(key)?.item
      const standing = before?.kind === 'actuals' ? before.lines : []
      const { lines, created, updated } = selectLinesToImport(locationPayroll.lines, standing, {
        resolve: people.resolve,
        dropNewZeros: Boolean(file.dropNewZeros),
      })
      done.updated += updated
      done.created += created
      return importPayroll({ ...month, digest, ...locationPayroll, lines, ...(file.leftOut?.length && { leftOut: file.leftOut }) })
    })
    done.sum += locationPayroll.sum
    saved += locationPayroll.rows
  }
  return done
}

/**
 * Finds employees in a level's month.
 * @throws DomainError 400 for an employee who is in neither its budgets nor its payroll, at the locations that the caller may see
 */
async function findPresentEmployees(
  call: Call & PayrollEditor,
  level: ReconciliationLevel,
  employeeNumbers: readonly string[],
): Promise<{ people: PayrollPeople; employees: { employee: EmployeeRef; locationId: LocationId; sealedNumber: string | null }[] }> {
  const { tx } = call
  const people = await readPayrollPeople(tx, call.organisationId)
  const present = await readEmployeesInMonth(call, level, people)
  const found = [...new Set(employeeNumbers)].map((number, index, all) => {
    const employee = findEmployee(people, number)
    const at = present.get(employee)
    if (!at) {
      const which = all.length > 1 ? `Employee ${index + 1} in the list` : 'This employee'
      const message = `${which} is in neither the budgets nor the payroll for ${formatMonth(level)}. Choose an employee from the list.`
      throw invalid([{ field: 'employeeNumber', message }])
    }
    return { employee, locationId: at.locationId, sealedNumber: at.sealedNumber }
  })
  return { people, employees: found }
}

/**
 * Saves a note on some employees; null deletes their notes.
 * @param seen each employee's note as the user saw it
 * @throws DomainError 409 if somebody has changed one of the notes since
 */
export async function runSaveNotes(
  call: Call & PayrollEditor,
  month: LevelMonth,
  { employeeNumbers, notes, seen }: { employeeNumbers: readonly string[]; notes: string | null; seen?: readonly (string | null)[] | null },
): Promise<LevelChange> {
  const { tx } = call
  const level = await resolveLevelToChange(call, month)
  const { people, employees: found } = await findPresentEmployees(call, level, employeeNumbers)
  const employees = found.map((one) => one.employee)
  const refs = employees.flatMap(people.refsOf)
  const keys = await readNoteKeys(tx, people, employees)
  const events = await changeLevel(call, month, {
    keys: refs.map((ref) => buildNoteKey(month, ref)),
    decide: (state) => {
      const noted = (ref: EmployeeRef): string | null => {
        const item = state.items.get(buildNoteKey(month, ref))?.item
        return item?.kind === 'note' ? unsealNote(keys(ref), item.sealedNotes) : null
      }
      for (const [index, employee] of seen ? employees.entries() : []) {
        const now =
          people
            .refsOf(employee)
            .map(noted)
            .find((text) => text !== null) ?? null
        // If the note already has the text to save, there is no conflict.
        if (now !== notes && now !== (assertDefined(seen)[index] ?? null)) throw createNoteConflict()
      }
      if (notes === null) return removeNotes(state, levelMonth(month), refs)
      // Notes stored under an employee number that was unknown at the time are replaced by one encrypted with the person's own key.
      const earlier = refs.filter((ref) => !employees.includes(ref))
      const saved = saveNotes(
        state,
        levelMonth(month),
        employees.map((employee) => ({ employee, sealedNotes: sealNote(state, keys, { month, employee, notes }) })),
      )
      return [...saved, ...removeNotes(state, levelMonth(month), earlier)]
    },
  })
  return changedBy(events)
}

function createNoteConflict(): DomainError {
  return conflict('newer', 'Someone has changed this note since you last looked. Read it before you replace it.')
}

/**
 * Encrypts a note. Unchanged text keeps its ciphertext, so that saving it again changes nothing.
 * @throws DomainError 409 for an erased person
 */
function sealNote(
  state: PayrollState,
  keys: NoteKeyFinder,
  { month, employee, notes }: { month: LevelMonth; employee: EmployeeRef; notes: string },
): string {
  const before = state.items.get(buildNoteKey(month, employee))?.item
  const key = keys(employee)
  if (before?.kind === 'note' && unsealNote(key, before.sealedNotes) === notes) return before.sealedNotes
  if (!key) throw conflict('erased', 'This person was erased: no more notes can be added about them.')
  return encryptText(key, notes)
}

/** Deletes every note of a level's month. */
export async function runRemoveAllNotes(call: Call & PayrollEditor, month: LevelMonth): Promise<void> {
  const level = await resolveLevelToChange(call, month)
  refusePartialAccess(level, call)
  await lockOrganisationPayroll(call)
  await clearStoredItems(call, level, ['note'])
}

/** Deletes all items of some kinds in a level's month. */
async function clearStoredItems(
  call: Call & PayrollEditor,
  level: ReconciliationLevel,
  kinds: readonly ('note' | 'carry' | 'typed')[],
): Promise<StoredPayrollEvent[]> {
  const { tx } = call
  const month = levelMonth(level)
  const storedItems = (await readStoredItems(tx, call.organisationId, { ...level, areItemsVisible: true })).filter(
    (item) => 'year' in item && item.year === month.year && item.month === month.month,
  )
  const notes = kinds.includes('note') ? storedItems.flatMap((item) => (item.kind === 'note' ? [item.employee] : [])) : []
  const carries = kinds.includes('carry') ? storedItems.flatMap((item) => (item.kind === 'carry' ? [item.employee] : [])) : []
  const typed = kinds.includes('typed') ? storedItems.flatMap((item): PayrollCell[] => (item.kind === 'typed' ? [item] : [])) : []
  const cells = typed.map(({ locationId, employee, payrollCodeId }): PayrollCell => ({ locationId, employee, payrollCodeId }))
  const keys = [
    ...notes.map((employee) => buildNoteKey(month, employee)),
    ...carries.map((employee) => buildCarriedForwardKey(month, employee)),
    ...cells.map((cell) => buildEnteredActualKey(month, cell)),
  ]
  return changeLevel(call, month, {
    keys,
    decide: (state) => [
      ...removeNotes(state, month, notes),
      ...clearCarriedForward(state, month, carries),
      ...clearEnteredActuals(state, month, cells),
    ],
  })
}

/**
 * Clears a month at a level, by the list `payrollReconciliationClearOptions`: imported amounts and amounts that users entered, notes,
 * carried differences, or everything.
 * @returns the changes, so that they can be undone
 */
export async function runClearMonth(call: Call & PayrollEditor, month: LevelMonth, option: number): Promise<LoggedChange[]> {
  const { tx, organisationId, actor } = call
  const level = await resolveLevelToChange(call, month)
  refusePartialAccess(level, call)
  await lockOrganisationPayroll(call)
  const isAll = option === payrollClearOption.everything
  const has = (one: number): boolean => isAll || option === one
  const clearedEvents = await clearStoredItems(call, level, [
    ...(has(payrollClearOption.actuals) ? (['typed'] as const) : []),
    ...(has(payrollClearOption.notes) ? (['note'] as const) : []),
    ...(has(payrollClearOption.carriedForward) ? (['carry'] as const) : []),
  ])
  const changes = clearedEvents.map(({ version }): LoggedChange => ({ locationId: organisationWideLocationId, version }))
  if (!has(payrollClearOption.actuals)) return changes
  await refuseCompletedMonth({ tx, organisationId }, level.locationIds, month)
  for (const locationId of [...level.locationIds].sort((a, b) => a - b)) {
    const isThere = (await loadPayrollItems({ tx, organisationId, locationId }, [buildActualsKey(month)])).items.size > 0
    if (!isThere) continue
    const log = { tx, organisationId, locationId, actor }
    for (const { version } of await changePayroll(log, [buildActualsKey(month)], (state) => clearPayroll(state, month)))
      changes.push({ locationId, version })
  }
  return changes
}

/** A cell of a reconciliation, identified by location, code and employee number as a user enters them. */
export interface EnteredCell {
  employeeNumber: string
  payrollCode: string
  locationId: LocationId
}

/**
 * Resolves a cell.
 * @throws DomainError 404 for a location outside the level or the caller's locations; 400 for an unknown code or employee
 */
async function resolveCell(
  call: Call & PayrollEditor,
  level: ReconciliationLevel,
  written: EnteredCell,
): Promise<PayrollCell & { sealedNumber: string | null }> {
  const { tx } = call
  if (!listVisibleLocations(level, call).includes(written.locationId)) throw notFound('Location')
  const wanted = written.payrollCode.trim().toLowerCase()
  const code = (await readProviderCodes(tx, call.organisationId)).find((one) => one.code.trim().toLowerCase() === wanted)
  if (!code) throw invalid([{ field: 'payrollCode', message: 'This payroll provider code was not found. Correct it, or add it first.' }])
  const { employees: found } = await findPresentEmployees(call, level, [written.employeeNumber])
  const { employee, sealedNumber } = assertDefined(found[0])
  return { employee, sealedNumber, payrollCodeId: code.id, locationId: written.locationId }
}

/**
 * Replaces an imported amount with the amount that a user enters.
 * @param value whole pennies; deductions are negative
 */
export async function runEnterActual(
  call: Call & PayrollEditor,
  month: LevelMonth,
  written: EnteredCell & { value: number },
): Promise<void> {
  const { tx } = call
  const level = await resolveLevelToChange(call, month)
  const cell = await resolveCell(call, level, written)
  const refs = (await readPayrollPeople(tx, call.organisationId)).refsOf(cell.employee)
  const key = (employee: EmployeeRef): string => buildEnteredActualKey(month, { ...cell, employee })
  await changeLevel(call, month, {
    keys: refs.map(key),
    decide: (state) => enterActual(state, levelMonth(month), { ...applyStoredReference(state, cell, { refs, key }), value: written.value }),
  })
}

/**
 * Deletes the amount that a user entered in a cell, so that the imported amount counts again: at one level or, without a level, at every
 * level that the caller may change.
 * @returns the log versions, for undo
 */
export async function runClearEnteredAmount(
  call: Call & PayrollEditor,
  { groupId, ...month }: CalendarMonth & { groupId: BudgetGroupId | null | undefined },
  written: EnteredCell,
): Promise<number[]> {
  const { tx } = call
  await refuseHiddenLocation({ ...call, locationId: written.locationId })
  const wanted = written.payrollCode.trim().toLowerCase()
  const code = (await readProviderCodes(tx, call.organisationId)).find((one) => one.code.trim().toLowerCase() === wanted)
  if (!code) throw invalid([{ field: 'payrollCode', message: 'This payroll provider code was not found.' }])
  const people = await readPayrollPeople(tx, call.organisationId)
  const cells = people
    .refsOf(findEmployee(people, written.employeeNumber))
    .map((employee): PayrollCell => ({ locationId: written.locationId, employee, payrollCodeId: code.id }))
  const levels = groupId === undefined ? await findLevelsWithTypedAmounts(call, month, cells) : [groupId]
  if (groupId !== undefined) await resolveLevelToChange(call, { ...month, groupId })
  else if (!levels.length) await refuseCompletedMonth(call, [written.locationId], month)
  const versions: number[] = []
  for (const level of levels) {
    const at = { ...month, groupId: level }
    const keys = cells.map((cell) => buildEnteredActualKey(at, cell))
    versions.push(...changedBy(await changeLevel(call, at, { keys, decide: (state) => clearEnteredActuals(state, at, cells) })).versions)
  }
  return versions
}

/** The levels, among those that the caller may change, in which users entered amounts in some cells. */
async function findLevelsWithTypedAmounts(
  call: Call & PayrollEditor,
  month: CalendarMonth,
  cells: readonly PayrollCell[],
): Promise<(BudgetGroupId | null)[]> {
  const { tx } = call
  const groups = hasAnyPermission(call.holder, groupChangePermissions) ? (await listVisibleGroups(call)).map((group) => group.id) : []
  const levels: (BudgetGroupId | null)[] = [
    ...(hasAnyPermission(call.holder, organisationChangePermissions) && !call.holder.locationIds ? [null] : []),
    ...groups,
  ]
  const keysAt = (groupId: BudgetGroupId | null): string[] => cells.map((cell) => buildEnteredActualKey({ ...month, groupId }, cell))
  const { items } = await loadPayrollItems(
    { tx, organisationId: call.organisationId, locationId: organisationWideLocationId },
    levels.flatMap(keysAt),
  )
  return levels.filter((groupId) => keysAt(groupId).some((key) => items.has(key)))
}

/** Carries amounts of some employees forward to the next month: the whole difference if no amount is given. Whole pennies. */
export async function runCarryForward(
  call: Call & PayrollEditor,
  month: LevelMonth,
  wanted: readonly { employeeNumber: string; amount: number | null }[],
): Promise<CarriedForward[]> {
  const level = await resolveLevelToChange(call, month)
  const { people, employees: found } = await findPresentEmployees(
    call,
    level,
    wanted.map((one) => one.employeeNumber),
  )
  const isWhole = wanted.some((one) => one.amount === null)
  const differences = isWhole
    ? sumDifferencesByEmployee((await readReconciliation(call, { ...month, useInflation: true })).allRows)
    : undefined
  const amounts = new Map(wanted.map((one) => [one.employeeNumber, one.amount]))
  const numbers = [...new Set(wanted.map((one) => one.employeeNumber))]
  const carried = found.map((one, index): CarriedForward => {
    const given = amounts.get(assertDefined(numbers[index]))
    const amount = given ?? differences?.get(one.employee)?.difference ?? null
    if (amount === null) {
      const which = found.length > 1 ? `of employee ${index + 1} in the list` : 'of this employee'
      throw conflict('notCalculated', `The pay ${which} could not be calculated. Enter the amount to carry forward.`)
    }
    return { ...one, amount }
  })
  await changeLevel(call, month, {
    keys: carried.flatMap((one) => people.refsOf(one.employee)).map((ref) => buildCarriedForwardKey(month, ref)),
    decide: (state) => carryForward(state, levelMonth(month), matchCarriedToStored(state, { month, carried, people })),
  })
  return carried
}

/** The carried amounts, with each employee under the reference that the month already uses. */
function matchCarriedToStored(
  state: PayrollState,
  { month, carried, people: { refsOf } }: { month: LevelMonth; carried: readonly CarriedForward[]; people: PayrollPeople },
): CarriedForward[] {
  return carried.map((one) =>
    applyStoredReference(state, one, { refs: refsOf(one.employee), key: (employee) => buildCarriedForwardKey(month, employee) }),
  )
}

/** Deletes the amounts that some employees carry forward. */
export async function runClearCarriedAmounts(
  call: Call & PayrollEditor,
  month: LevelMonth,
  employeeNumbers: readonly string[],
): Promise<LevelChange> {
  const { tx } = call
  await resolveLevelToChange(call, month)
  const people = await readPayrollPeople(tx, call.organisationId)
  const employees = [...new Set(employeeNumbers)].flatMap((number) => people.refsOf(findEmployee(people, number)))
  await refuseUnseenEmployees(call, month, employeeNumbers)
  const events = await changeLevel(call, month, {
    keys: employees.map((employee) => buildCarriedForwardKey(month, employee)),
    decide: (state) => clearCarriedForward(state, levelMonth(month), employees),
  })
  return changedBy(events)
}

/** Refuses a caller limited to some locations if an employee is at other locations. */
async function refuseUnseenEmployees(call: Call & PayrollEditor, month: LevelMonth, employeeNumbers: readonly string[]): Promise<void> {
  if (call.holder.locationIds) await findPresentEmployees(call, await resolveReconciliationLevel(call, month), employeeNumbers)
}

/**
 * Completes a month at a level, by the list `completionTypes`.
 * @throws DomainError 409 if the month is already complete
 */
export async function runCompletePayrollMonth(call: Call & PayrollEditor, month: LevelMonth, type: number): Promise<PayrollMonthItem> {
  const { tx } = call
  const level = await resolveLevelToChange(call, month)
  refusePartialAccess(level, call)
  await lockOrganisationPayroll(call)
  const { allRows, level: whole } = await readReconciliation(call, { ...month, useInflation: true })
  const remaining = [...sumDifferencesByEmployee(allRows)].flatMap(([employee, { difference, locationId }]): CarriedForward[] =>
    difference ? [{ employee, locationId, sealedNumber: null, amount: difference }] : [],
  )
  const people = await readPayrollPeople(tx, call.organisationId)
  const present = await readEmployeesInMonth(call, whole, people)
  const { calculated, actual, notCalculated } = sumReconciledRows(allRows)
  const figures = { rows: allRows.length, employees: new Set(allRows.map((row) => row.employee)).size, calculated, actual, notCalculated }
  const refs = remaining.flatMap((one) => people.refsOf(one.employee))
  const keys = [buildMonthStateKey(month), ...refs.map((ref) => buildCarriedForwardKey(month, ref))]
  await changePayroll({ ...call, organisationId: call.organisationId, locationId: organisationWideLocationId }, keys, (state) =>
    completeMonth(state, levelMonth(month), {
      type,
      remaining: matchCarriedToStored(state, {
        month,
        carried: remaining.map((one) => ({ ...one, sealedNumber: present.get(one.employee)?.sealedNumber ?? null })),
        people,
      }),
      figures,
    }),
  )
  return readMonthItem(call, month)
}

/**
 * Reopens a completed month. Its data does not change.
 * @param reason null for a caller that cannot send one
 */
export async function runReopenPayrollMonth(
  call: Call & PayrollEditor,
  month: LevelMonth,
  reason: string | null,
): Promise<PayrollMonthItem> {
  const { tx } = call
  const level = await resolveLevelToChange(call, month)
  refusePartialAccess(level, call)
  const key = reason === null ? null : await ensureOrganisationKey(tx, call.organisationId)
  await changePayroll(
    { ...call, organisationId: call.organisationId, locationId: organisationWideLocationId },
    [buildMonthStateKey(month)],
    (state) => reopenMonth(state, levelMonth(month), key && reason !== null ? encryptText(key, reason) : null),
  )
  return readMonthItem(call, month)
}

async function readMonthItem({ tx, organisationId }: Call & LimitedCaller, month: LevelMonth): Promise<PayrollMonthItem> {
  return findPayrollMonth(
    await loadPayrollItems({ tx, organisationId, locationId: organisationWideLocationId }, [buildMonthStateKey(month)]),
    month,
  )
}

/**
 * Saves the largest difference at which a row still counts as matched.
 * @param pennies whole pennies
 */
export async function runSaveTolerance(call: Call & PayrollEditor, pennies: Pennies): Promise<void> {
  if (call.holder.locationIds) throw otherLocationsAffected()
  const log = { organisationId: call.organisationId, locationId: organisationWideLocationId }
  await changePayroll({ ...call, ...log }, [toleranceKey], (state) => saveTolerance(state, pennies))
}

/** Undoes the caller's own changes, all or none, as described at `undoItemChanges`. */
export async function runUndoPayroll(call: Call<'store'> & PayrollEditor, changes: readonly LoggedChange[]): Promise<void> {
  await lockOrganisationPayroll(call)
  await undoItemChanges(payrollStream, call, {
    changes,
    checkLocation: (locationId) => refuseHiddenLocation({ ...call, locationId }),
    checkChange: async (event) => {
      const { locationId } = event
      if (locationId) for (const month of listMonthsWithChangedActuals(event)) await refuseCompletedMonth(call, [locationId], month)
      else if (isUndoable(event)) {
        if ('groupId' in event.data) await resolveLevelToChange(call, event.data)
        else if (!hasAnyPermission(call.holder, organisationChangePermissions) || call.holder.locationIds) throw forbidden()
      }
    },
  })
}

import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { PayScaleKind } from '../../../domain/calculation/inputs.ts'
import { createEmptyItems } from '../../../domain/changes/itemLog.ts'
import { adminTableType, payrollMonthState } from '../../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, toMonthIndex } from '../../../domain/monitoring/monitoring.ts'
import { calculatePay, type SubstitutePayTable, substitutePayTables } from '../../../domain/payroll/calculatedPay.ts'
import { getPreviousLevelMonth } from '../../../domain/payroll/decide.ts'
import { findPayrollMonth } from '../../../domain/payroll/evolve.ts'
import {
  type EmployeeRef,
  type LevelMonth,
  type PayrollCell,
  type PayrollItem,
  type PayrollMonthItem,
  toleranceKey,
  toStaffRef,
} from '../../../domain/payroll/payroll.ts'
import {
  type BroughtForward,
  type CalculatedShare,
  type ProviderCode,
  proveImport,
  type ReconciledRow,
  type ReconciliationInput,
  reconcile,
} from '../../../domain/payroll/reconcile.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import {
  type BudgetGroupId,
  type BudgetId,
  type LocationId,
  type OrganisationId,
  organisationWideLocationId,
  type StaffId,
} from '../../../domain/values/ids.ts'
import { invalid } from '../../../domain/words/errors.ts'
import { payrollItems, payrollLines } from '../../../drizzle/payrollTables.ts'
import { budgets as budgetRows } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readDataVersion } from '../../core/database/dataVersion.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { decryptText, erasedName } from '../../core/database/vault.ts'
import { loadGroupOfBudget, selectGroups } from '../../streams/budget/groupMembers.ts'
import { loadContractHolders, loadContracts } from '../../streams/budget/queries.ts'
import { loadPayrollItems } from '../../streams/payroll/items.ts'
import { readVisibleGroup } from '../budgetGroups/queries.ts'
import { readInputsOfBudgets, readSharedInputs } from '../costing/inputs/queries.ts'
import { findRequestedBudgets, type LimitedCaller, type MonitoredBudget } from '../monitoring/requests/queries.ts'
import { type PayrollPeople, readNoteKeys, readPayrollPeople } from './people/queries.ts'

/** The scope of a reconciliation: a budget, a budget group, or without either the whole organisation. */
export interface ReconciliationRequest extends CalendarMonth {
  budgetId?: BudgetId | null
  groupId?: BudgetGroupId | null
  /** If false, the pay awards of the assumptions are left out (rules.md §18). */
  useInflation: boolean
  /** Pay tables to use in place of the budgets' tables of the same kind. */
  payScaleTableIds?: readonly number[]
}

/** What a month's reconciliation covers: the budgets and locations of a group, of the whole organisation, or of one budget. */
export interface ReconciliationLevel extends LevelMonth {
  budgets: MonitoredBudget[]
  /** All locations of the level, the same for every caller. */
  locationIds: LocationId[]
  /** Whether the caller may see the notes, carried differences and state of the month that are stored for this level. */
  areItemsVisible: boolean
}

/** @throws DomainError 404 for a budget or group that the caller may not see; 400 for a month outside the budget years */
export async function resolveReconciliationLevel(
  call: Call & LimitedCaller,
  { budgetId, groupId, year, month }: Omit<ReconciliationRequest, 'useInflation'>,
): Promise<ReconciliationLevel> {
  const { tx, organisationId, holder } = call
  const at = { year, month }
  if (budgetId) {
    const { requested: budgets } = await findRequestedBudgets(call, { ...at, budgetId })
    const group = (await loadGroupOfBudget(tx, organisationId, budgetId))?.id ?? null
    return {
      ...at,
      groupId: group,
      budgets,
      locationIds: placesOf(budgets),
      areItemsVisible: group !== null || !holder.locationIds,
    }
  }
  const everything = { organisationId, holder: { locationIds: null } }
  if (groupId) {
    await readVisibleGroup(call, groupId)
    const { requested: budgets } = await findRequestedBudgets({ ...everything, tx }, { ...at, budgetGroupId: groupId })
    return { ...at, groupId, budgets, locationIds: placesOf(budgets), areItemsVisible: true }
  }
  const { requested: budgets } = await findRequestedBudgets({ ...everything, tx }, at)
  const locations = await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })
  return { ...at, groupId: null, budgets, locationIds: locations.map((location) => location.id), areItemsVisible: !holder.locationIds }
}

const placesOf = (budgets: readonly MonitoredBudget[]): LocationId[] => [...new Set(budgets.map((one) => one.locationId))]

/** The locations of a level that the caller may see. */
export function listVisibleLocations({ locationIds }: ReconciliationLevel, { holder }: LimitedCaller): LocationId[] {
  return locationIds.filter((id) => !holder.locationIds || holder.locationIds.includes(id))
}

/** Everything that the reconciliation page shows. */
export interface Reconciliation {
  level: ReconciliationLevel
  month: PayrollMonthItem
  /** The rows at the locations that the caller may see. */
  rows: ReconciledRow[]
  /** All rows of the level, the same for every caller. */
  allRows: ReconciledRow[]
  /** The calculated pay, divided among the provider codes to which it is posted. */
  shares: readonly CalculatedShare[]
  /** The check that the rows add up to the imported total, to the penny. */
  proof: ReturnType<typeof proveImport>
  people: PayrollPeople
  /** The numbers that no staff member has, as payrolls wrote them. */
  numbers: ReadonlyMap<EmployeeRef, string>
  notes: ReadonlyMap<EmployeeRef, string>
  tolerance: number
  importedAt: string | null
}

/** Compares the pay that the budgets calculate for a month with what payrolls paid (rules.md §18). */
export async function readReconciliation(call: Call & LimitedCaller, request: ReconciliationRequest): Promise<Reconciliation> {
  const { tx, organisationId } = call
  const level = await resolveReconciliationLevel(call, request)
  const people = await readPayrollPeople(tx, organisationId)
  const shares = await calculateShares({ tx, organisationId }, level.budgets, request)
  const lines = await selectPaidLines(tx, organisationId, level)
  const storedItems = await readStoredItems(tx, organisationId, level)
  const cell = (one: PayrollCell & { value: number }) => ({ ...one, employee: people.resolve(one.employee) })
  const toReconcile: ReconciliationInput = {
    shares,
    codes: await readProviderCodes(tx, organisationId),
    imported: lines.map(cell),
    typed: storedItems.flatMap((item) =>
      item.kind === 'typed' && isAt(item, level) && level.locationIds.includes(item.locationId) ? [cell(item)] : [],
    ),
    broughtForward: findBroughtForward(storedItems, getPreviousLevelMonth(level), people),
    carriedForward: new Map(
      storedItems.flatMap((item) =>
        item.kind === 'carry' && isAt(item, level) ? [[people.resolve(item.employee), item.amount] as const] : [],
      ),
    ),
    tolerance: await readTolerance(tx, organisationId),
  }
  const allRows = reconcile(toReconcile)
  const seen = new Set(listVisibleLocations(level, call))
  return {
    level,
    month:
      storedItems.find((item): item is PayrollMonthItem => item.kind === 'month' && isAt(item, level)) ??
      findPayrollMonth(createEmptyItems(), level),
    rows: allRows.filter((row) => seen.has(row.locationId)),
    allRows,
    shares,
    proof: proveImport(allRows, toReconcile),
    people,
    numbers: resolveNumbers(
      [...lines, ...storedItems.flatMap((item) => (item.kind === 'typed' || item.kind === 'carry' ? [item] : []))],
      people,
    ),
    notes: await readNotes(tx, storedItems, { level, people }),
    tolerance: toReconcile.tolerance,
    importedAt: await findLastImport({ tx, organisationId }, level, seen),
  }
}

const isAt = (item: LevelMonth, { groupId, ...month }: LevelMonth): boolean =>
  item.groupId === groupId && toMonthIndex(item) === toMonthIndex(month)

/** The calculated pay of every contract with an employee in the month, divided among the provider codes. */
async function calculateShares(
  call: Call<'organisationId'>,
  budgets: readonly MonitoredBudget[],
  { useInflation, payScaleTableIds = [], year, month }: ReconciliationRequest,
): Promise<CalculatedShare[]> {
  const { tx, organisationId } = call
  if (!budgets.length) return []
  const tables = await readSubstituteTables(tx, organisationId, payScaleTableIds)
  const rows = budgets.map(({ id, head }) => ({
    id,
    head: tables.length ? { ...head, elements: substitutePayTables(head.elements, tables) } : head,
  }))
  const version = await readDataVersion(tx, organisationId, 'reference')
  const shared = await readSharedInputs(
    call,
    rows.map((row) => row.head),
    version,
  )
  const frozen = await readInputsOfBudgets(call, rows, { shared, version })
  const engines = await readEngineVersions(tx, organisationId, budgets)
  const shares: CalculatedShare[] = []
  for (const { id, locationId } of budgets)
    for (const pay of calculatePay(await loadContracts({ tx, organisationId, budgetId: id }), {
      frozen: assertDefined(frozen[id]),
      shared,
      engine: engines.get(id),
      question: { useInflation, year, month },
    }))
      for (const share of pay.shares) shares.push({ ...share, locationId, employee: toStaffRef(pay.staffId), contractId: pay.contractId })
  return shares
}

/** The engine version of each budget's last recalculation, so that payroll is compared with the figures that the budget shows. */
async function readEngineVersions(tx: OrganisationTx, organisationId: OrganisationId, budgets: readonly MonitoredBudget[]) {
  const ids = budgets.map(({ id }) => id)
  const rows = await tx
    .select({ id: budgetRows.id, recalculated: budgetRows.recalculated })
    .from(budgetRows)
    .where(and(eq(budgetRows.organisationId, organisationId), inArray(budgetRows.id, ids)))
  return new Map(rows.map(({ id, recalculated }) => [id, recalculated?.engine]))
}

/** @throws DomainError 400 for a table that does not exist or is not a pay table */
async function readSubstituteTables(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  ids: readonly number[],
): Promise<SubstitutePayTable[]> {
  if (!ids.length) return []
  const tables = await readResourceRecords(tx, resources.adminTable, { column: 'id', ids })
  const points = await readResourceRecords(tx, resources.payScalePoint, { column: 'adminTableId', ids })
  return [...new Set(ids)].map((id) => {
    const table = tables.find((one) => one.id === id)
    const isTeacher = table?.type === adminTableType.teacherPayScales
    if (!table || !(isTeacher || table.type === adminTableType.supportPayScales))
      throw invalid([{ field: 'payScaleTableIds', message: 'Pay scale table was not found.' }])
    if (!table.effectiveDate)
      throw invalid([{ field: 'payScaleTableIds', message: `${table.name} has no effective date. Give it one, or choose another table.` }])
    const pointsOfTable = points.filter((point) => point.adminTableId === id)
    const kinds: PayScaleKind[] = [
      ...(pointsOfTable.some((point) => point.organisationId === null) ? [isTeacher ? ('teacher' as const) : ('support' as const)] : []),
      ...(pointsOfTable.some((point) => point.organisationId === organisationId)
        ? [isTeacher ? ('customTeacher' as const) : ('customSupport' as const)]
        : []),
    ]
    return { adminTableId: id, kinds, effectiveDate: table.effectiveDate }
  })
}

/** What payrolls paid in the month at the locations of a level. */
function selectPaidLines(tx: OrganisationTx, organisationId: OrganisationId, { year, month, locationIds }: ReconciliationLevel) {
  const { locationId, employee, payrollCodeId, sealedNumber, value } = payrollLines
  return tx
    .select({ locationId, employee, payrollCodeId, sealedNumber, value })
    .from(payrollLines)
    .where(
      and(
        eq(payrollLines.organisationId, organisationId),
        eq(payrollLines.year, year),
        eq(payrollLines.month, month),
        inArray(payrollLines.locationId, locationIds),
      ),
    )
    .orderBy(payrollLines.locationId, payrollLines.employee, payrollLines.payrollCodeId)
}

/**
 * The stored items of a level's month, with the amounts carried forward from the previous month. Callers who may not see the items get only
 * the state of the month.
 */
export async function readStoredItems(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  level: ReconciliationLevel,
): Promise<PayrollItem[]> {
  const before = getPreviousLevelMonth(level)
  // Every caller who may see a month may know its state.
  const shown = level.areItemsVisible ? (['typed', 'note', 'carry', 'month'] as const) : (['month'] as const)
  const rows = await tx
    .select({ item: payrollItems.item })
    .from(payrollItems)
    .where(
      and(
        eq(payrollItems.organisationId, organisationId),
        eq(payrollItems.locationId, organisationWideLocationId),
        sql`group_id is not distinct from ${level.groupId}`,
        or(
          and(inArray(payrollItems.kind, [...shown]), eq(payrollItems.year, level.year), eq(payrollItems.month, level.month)),
          level.areItemsVisible
            ? and(eq(payrollItems.kind, 'carry'), eq(payrollItems.year, before.year), eq(payrollItems.month, before.month))
            : undefined,
        ),
      ),
    )
    .orderBy(payrollItems.key)
  return rows.map((row) => row.item)
}

function findBroughtForward(
  storedItems: readonly PayrollItem[],
  before: LevelMonth,
  people: PayrollPeople,
): Map<EmployeeRef, BroughtForward> {
  const brought = new Map<EmployeeRef, BroughtForward>()
  for (const item of storedItems) {
    if (item.kind !== 'carry' || !isAt(item, before)) continue
    const employee = people.resolve(item.employee)
    const known = brought.get(employee)
    brought.set(employee, { locationId: known?.locationId ?? item.locationId, amount: (known?.amount ?? 0) + item.amount })
  }
  return brought
}

function resolveNumbers(
  sealed: readonly { employee: EmployeeRef; sealedNumber: string | null }[],
  people: PayrollPeople,
): Map<EmployeeRef, string> {
  const numbers = new Map<EmployeeRef, string>()
  for (const { employee, sealedNumber } of sealed)
    if (sealedNumber !== null && !numbers.has(employee)) numbers.set(employee, decryptText(people.organisationKey, sealedNumber))
  return numbers
}

async function readNotes(
  tx: OrganisationTx,
  storedItems: readonly PayrollItem[],
  { level, people }: { level: ReconciliationLevel; people: PayrollPeople },
): Promise<Map<EmployeeRef, string>> {
  const notes = storedItems.flatMap((item) => (item.kind === 'note' && isAt(item, level) ? [item] : []))
  const keys = await readNoteKeys(
    tx,
    people,
    notes.map((item) => item.employee),
  )
  return new Map(notes.map((item) => [people.resolve(item.employee), unsealNote(keys(item.employee), item.sealedNotes)]))
}

/** The text of a note; for an erased person, a text that says so. */
export function unsealNote(key: Buffer | undefined, sealedNotes: string): string {
  return key ? decryptText(key, sealedNotes) : erasedName
}

export async function readProviderCodes(tx: OrganisationTx, organisationId: OrganisationId): Promise<ProviderCode[]> {
  const rows = await readResourceRecords(tx, resources.payrollCode, { column: 'organisationId', ids: [organisationId] })
  return rows.map(({ id, code, type, element, locations, serviceTerms }) => ({ id, code, type, element, locations, serviceTerms }))
}

/** The largest difference, in whole pennies, at which a row counts as matched. */
export async function readTolerance(tx: OrganisationTx, organisationId: OrganisationId): Promise<number> {
  const found = (await loadPayrollItems({ tx, organisationId, locationId: organisationWideLocationId }, [toleranceKey])).items.get(
    toleranceKey,
  )?.item
  return found?.kind === 'tolerance' ? found.pennies : 0
}

async function findLastImport(
  call: Call<'organisationId'>,
  { year, month }: CalendarMonth,
  seen: ReadonlySet<LocationId>,
): Promise<string | null> {
  const times = (await readPayrollImportMonths(call, [...seen], { from: { year, month }, to: { year, month } })).map(
    (one) => one.importedAt,
  )
  return times.sort().at(-1) ?? null
}

/** The months with imports at some locations, in order. */
export async function readPayrollImportMonths(
  { tx, organisationId }: Call<'organisationId'>,
  locationIds: readonly LocationId[],
  within?: { from: CalendarMonth; to: CalendarMonth },
): Promise<(CalendarMonth & { locationId: LocationId; importedAt: string })[]> {
  if (!locationIds.length) return []
  const rows = await tx
    .select({ locationId: payrollItems.locationId, item: payrollItems.item })
    .from(payrollItems)
    .where(
      and(
        eq(payrollItems.organisationId, organisationId),
        inArray(payrollItems.locationId, [...locationIds]),
        eq(payrollItems.kind, 'actuals'),
        within && sql`year * 12 + month - 1 between ${toMonthIndex(within.from)} and ${toMonthIndex(within.to)}`,
      ),
    )
    .orderBy(payrollItems.year, payrollItems.month, payrollItems.locationId)
  return rows.flatMap(({ locationId, item }) =>
    item.kind === 'actuals' && item.imports.length
      ? [{ locationId, year: item.year, month: item.month, importedAt: assertDefined(item.imports.at(-1)).at }]
      : [],
  )
}

/** The months with actuals at the locations of a budget group, or of the whole organisation if null. */
export async function listMonthsWithActuals(call: Call & LimitedCaller, groupId: BudgetGroupId | null): Promise<CalendarMonth[]> {
  const locationIds = await listLocations(call, groupId)
  const months = new Map<number, CalendarMonth>()
  for (const one of await readPayrollImportMonths(call, locationIds)) months.set(toMonthIndex(one), { year: one.year, month: one.month })
  return [...months.values()]
}

/** The locations of a group in any month, or of the organisation, limited to those that the caller may see. */
async function listLocations(call: Call & LimitedCaller, groupId: BudgetGroupId | null): Promise<LocationId[]> {
  const { tx } = call
  const locationIds = (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [call.organisationId] }))
    .map((location) => location.id)
    .filter((id) => !call.holder.locationIds || call.holder.locationIds.includes(id))
  if (!groupId) return locationIds
  const { items } = await readVisibleGroup(call, groupId)
  const ids = items.map((item) => item.budgetId)
  const rows = ids.length
    ? await tx.execute<{ id: LocationId }>(sql`select distinct location_id as id from budgets
        where organisation_id = ${call.organisationId} and id = any(${sql.param(`{${ids.join(',')}}`)}::char(24)[])`)
    : []
  const ownIds = new Set([...rows].map((row) => row.id))
  return locationIds.filter((id) => ownIds.has(id))
}

/** An employee's locations in a month, and their number if no staff member has it. */
export interface EmployeeInMonth {
  locationId: LocationId
  sealedNumber: string | null
}

/**
 * The employees of a level's month at the locations that the caller may see: those with a contract, with payroll lines, or with an amount
 * carried forward.
 */
export async function readEmployeesInMonth(
  call: Call & LimitedCaller,
  level: ReconciliationLevel,
  people: PayrollPeople,
): Promise<Map<EmployeeRef, EmployeeInMonth>> {
  const { tx } = call
  const seen = new Set(listVisibleLocations(level, call))
  const present = new Map<EmployeeRef, EmployeeInMonth>()
  const put = (employee: EmployeeRef, at: EmployeeInMonth): void => void (present.has(employee) || present.set(employee, at))
  const budgets = level.budgets.filter((one) => seen.has(one.locationId))
  const holders = budgets.length
    ? await loadContractHolders(
        tx,
        call.organisationId,
        budgets.map((one) => one.id),
      )
    : new Map<string, StaffId[]>()
  for (const { id, locationId } of budgets)
    for (const staffId of holders.get(id) ?? []) put(toStaffRef(staffId), { locationId, sealedNumber: null })
  for (const { employee, locationId, sealedNumber } of await selectPaidLines(tx, call.organisationId, level))
    if (seen.has(locationId)) put(people.resolve(employee), { locationId, sealedNumber })
  for (const item of await readStoredItems(tx, call.organisationId, level))
    if (item.kind === 'carry' && seen.has(item.locationId)) put(people.resolve(item.employee), item)
  return present
}

/** The names of the levels that include some locations and are complete in a month. */
export async function listCompletedLevelNames(
  { tx, organisationId }: Call<'organisationId'>,
  locationIds: readonly LocationId[],
  { year, month }: CalendarMonth,
): Promise<string[]> {
  const rows = await tx
    .select({ item: payrollItems.item })
    .from(payrollItems)
    .where(
      and(
        eq(payrollItems.organisationId, organisationId),
        eq(payrollItems.locationId, organisationWideLocationId),
        eq(payrollItems.kind, 'month'),
        eq(payrollItems.year, year),
        eq(payrollItems.month, month),
      ),
    )
  const complete = rows.flatMap(({ item }) => (item.kind === 'month' && item.state === payrollMonthState.complete ? [item.groupId] : []))
  if (!complete.length || !locationIds.length) return []
  if (complete.includes(null)) return ['the whole organisation']
  const ownGroups = await tx.execute<{ id: string }>(sql`
    select distinct members.group_id as id from budget_group_members members
    join budgets on budgets.organisation_id = members.organisation_id and budgets.id = members.budget_id
    where members.organisation_id = ${organisationId} and budgets.location_id = any(${sql.param(`{${locationIds.join(',')}}`)}::integer[])`)
  const ids = new Set([...ownGroups].map((row) => row.id.trim()))
  const groups = await selectGroups(tx, organisationId)
  return groups.filter((group) => ids.has(group.id) && complete.includes(group.id)).map((group) => group.name)
}

/** The other month for which the rows of a file are already stored. */
export async function findOtherMonthOfFile(
  { tx, organisationId }: Call<'organisationId'>,
  digest: string,
  { year, month }: CalendarMonth,
): Promise<(CalendarMonth & { at: string }) | undefined> {
  const [row] = await tx.execute<{ year: number; month: number; at: string }>(sql`
    select item.year, item.month, one ->> 'at' as at from payroll_items item
    cross join lateral jsonb_array_elements(item.item -> 'imports') one
    where item.organisation_id = ${organisationId} and item.kind = 'actuals' and one ->> 'digest' = ${digest}
      and (item.year, item.month) <> (${year}, ${month})
    order by item.year, item.month limit 1`)
  return row
}

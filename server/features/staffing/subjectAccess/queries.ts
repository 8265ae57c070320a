import { and, eq, sql } from 'drizzle-orm'
import { type Comment, replaceUserIdsWithNames } from '../../../../domain/budget/items/comment.ts'
import { getLookupName } from '../../../../domain/lookups/lookups.ts'
import { canSeePayroll, canSeeStaff } from '../../../../domain/people/permissions.ts'
import { findContractOfRow } from '../../../../domain/reports/cells/cells.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { staffMember } from '../../../../domain/resources/entities/budget/staffMember.ts'
import { appliesOutsideLocations } from '../../../../domain/resources/sharing.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import { displayDate } from '../../../../domain/values/format.ts'
import {
  type BudgetId,
  type ContractId,
  type LocationId,
  type OrganisationId,
  type StaffId,
  toContractId,
  toLocationId,
  toUserId,
} from '../../../../domain/values/ids.ts'
import { isKeyOf, keysOf } from '../../../../domain/values/keysOf.ts'
import type { Pounds } from '../../../../domain/values/units.ts'
import { requireNumbers } from '../../../../domain/values/unknownValues.ts'
import { conflict, DomainError } from '../../../../domain/words/errors.ts'
import { budgets, reminders, staffContracts } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { CallerRights } from '../../../core/calls/context.ts'
import type { RowScope } from '../../../core/calls/scope.ts'
import { type OrganisationTx, openStoreWithin } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { readUserNames } from '../../../core/database/userNames.ts'
import { decryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { addActorNames, readRecordHistory } from '../../../resources/referenceLog.ts'
import { readLeavesOfPerson } from '../../../shared/costing/leave/queries.ts'
import {
  type PayrollIdentities,
  type PayrollOfPerson,
  readPayrollIdentities,
  readPayrollOfPerson,
} from '../../../shared/payroll/personalData/queries.ts'
import { readStaffHistory, readStaffMember } from '../../../shared/staff/queries.ts'
import { readStaffFileRowsOfPerson } from '../../../shared/staffFiles/queries.ts'
import { readContractRow } from '../../../shared/staffing/contracts/queries.ts'
import { loadItems } from '../../../streams/budget/items.ts'
import type { StaffMember } from '../../../streams/budget/people.ts'

/** All data held about one person, for them to read. Money in pounds. */
export interface AccessPack extends PayrollOfPerson {
  madeAt: string
  organisation: string
  person: { field: string; value: string }[]
  leave: { from: string; to: string; ruleSet: string; notes: string | null }[]
  contracts: HeldContract[]
  /** The latest data from an HR system. */
  hrFile: { location: string; day: string; values: { column: string; value: string }[] }[]
  /** Comments on the contracts. */
  comments: { at: string; by: string; contract: string; budget: string; text: string }[]
  reminders: { when: string; description: string; notes: string | null; by: string }[]
  changes: { at: string; by: string; what: string; fields: { field: string; before: string; after: string }[] }[]
  /** Places that the user must search by hand, because their data is not linked to a person. */
  elsewhere: string[]
}

interface HeldContract {
  budget: string
  location: string
  name: string
  position: string | null
  department: string | null
  from: string | null
  to: string | null
  notes: string | null
  rows: { from: string; scalePoint: string | null; fte: number | null; hoursPerWeek: number | null; weeksPerYear: number | null }[]
  /** Pounds; null if not calculated. */
  costs: { year: string; pounds: Pounds | null }[]
}

const elsewhere = [
  'Comments on budgets, entries and codes, reasons for reopening a month, names of contracts and messages are free text: search them for the person.',
  'Backups and files created earlier hold the data as it was then.',
  'Earlier versions of contracts, and who changed them, are in the history of each budget.',
  'If the person also signs in to Bursar, the people who manage users can provide the data held about them as a user, including the names and dates of passkeys.',
]

/** The caller who requests a pack, with their permissions. */
export interface AccessPackCaller {
  rows: RowScope
  holder: CallerRights
}

/**
 * The person for whom a pack is requested.
 * @throws DomainError 404 for people of other locations; 403 for a caller who may not see pay at every location where
 * the person may work; 409 for an erased person
 */
async function loadSubject(
  { tx, rows, holder }: Call & AccessPackCaller,
  id: StaffId,
): Promise<{ member: StaffMember; known: PayrollIdentities }> {
  const organisationId = assertDefined(rows.organisationId)
  const member = await readStaffMember({ tx, organisationId }, id, rows.locationIds)
  if (member.erased) throw conflict('erased', 'This person was erased: nothing that identifies them is held any more.')
  if (!canSeeStaff(holder) || !canSeePayroll(holder, 'part'))
    throw new DomainError('forbidden', 'beyond', 'The pack contains contracts and pay. Ask someone who can also view staffing and payroll.')
  const { locationIds } = rows
  if (appliesOutsideLocations(staffMember, locationIds, member))
    throw new DomainError(
      'forbidden',
      'forbidden',
      'This person may also work at other locations. Someone with access to all of them can create the pack.',
    )
  const known = await readPayrollIdentities(tx, organisationId, id)
  if (
    locationIds &&
    [...known.locationIds, ...(await listPlannedLocations(tx, organisationId, id))].some((one) => !locationIds.includes(one))
  )
    throw new DomainError(
      'forbidden',
      'forbidden',
      'Other locations also hold contracts or pay of this person. Someone with access to all of them can create the pack.',
    )
  return { member, known }
}

/** The locations whose budgets have contracts of a person, including earlier locations. */
async function listPlannedLocations(tx: OrganisationTx, organisationId: OrganisationId, staffId: StaffId): Promise<LocationId[]> {
  const locations = await tx
    .selectDistinct({ locationId: budgets.locationId })
    .from(staffContracts)
    .innerJoin(budgets, and(eq(budgets.organisationId, staffContracts.organisationId), eq(budgets.id, staffContracts.budgetId)))
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.staffId, staffId)))
  return locations.map(({ locationId }) => locationId)
}

const label = (field: string): string => (isKeyOf(staffMember.fields, field) ? staffMember.fields[field].label : field)

/** A person's field as text. */
function describeField(field: string, value: unknown, locationNames: ReadonlyMap<LocationId, string>): string {
  if (value === null || value === undefined || value === '') return ''
  if (field === 'title') return getLookupName('titles', Number(value)) ?? String(value)
  if (field === 'gender') return getLookupName('genders', Number(value)) ?? String(value)
  if (field === 'locations')
    return (
      requireNumbers(value)
        .map((id) => locationNames.get(toLocationId(id)) ?? `Location ${id}`)
        .join(', ') || 'All locations'
    )
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? displayDate(String(value)) : String(value)
}

const recorded = keysOf(staffMember.fields)

/** Collects all data held about a person. */
export async function collectAccessPack(call: Call<'store' | 'now'> & AccessPackCaller, id: StaffId): Promise<AccessPack> {
  const { tx, store, now } = call
  const organisationId = assertDefined(call.rows.organisationId)
  const { member, known } = await loadSubject(call, id)
  const [organisation] = await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] })
  const locationNames = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).map((one) => [
      one.id,
      one.name,
    ]),
  )
  const contracts = await readContracts({ tx, organisationId }, id, locationNames)
  return {
    madeAt: now.toISOString(),
    organisation: assertDefined(organisation).name,
    person: recorded.map((field) => ({ field: label(field), value: describeField(field, member[field], locationNames) })),
    leave: await readLeaves(tx, call.rows, id),
    contracts: contracts.map(({ contractId: _id, budgetId: _budget, ...contract }) => contract),
    ...(await readPayrollOfPerson({ tx, organisationId }, id, locationNames)),
    hrFile: (await readStaffFileRowsOfPerson(tx, organisationId, known.isTheirs)).map(({ locationId, day, values }) => ({
      location: locationNames.get(locationId) ?? `Location ${locationId}`,
      day,
      values: Object.entries(values).map(([column, value]) => ({ column, value })),
    })),
    comments: await readComments({ tx, store, organisationId }, contracts),
    reminders: await readReminders({ tx, store, organisationId }, [
      `staff:${id}`,
      ...contracts.map(({ contractId }) => `contract:${contractId}`),
    ]),
    changes: await readChanges({ tx, store: openStoreWithin(tx, store, organisationId), organisationId }, id, locationNames),
    elsewhere,
  }
}

async function readLeaves(tx: OrganisationTx, rows: RowScope, id: StaffId): Promise<AccessPack['leave']> {
  const leaves = await readLeavesOfPerson(tx, rows, id)
  const sets = new Map((await readResourceRecords(tx, resources.extendedLeaveRuleSet)).map((one) => [one.id, one.name]))
  return leaves.map(({ startDate, endDate, notes, extendedLeaveRulesetId }) => ({
    from: startDate,
    to: endDate,
    ruleSet: sets.get(extendedLeaveRulesetId) ?? `Rule set ${extendedLeaveRulesetId}`,
    notes: notes ?? null,
  }))
}

/** A contract with its budget and location. */
interface FoundContract extends HeldContract {
  contractId: ContractId
  budgetId: BudgetId
}

/** A person's contracts in every budget, newest budgets first. */
async function readContracts(
  { tx, organisationId }: Call<'organisationId'>,
  staffId: StaffId,
  locationNames: ReadonlyMap<LocationId, string>,
): Promise<FoundContract[]> {
  const found = await tx
    .select({ id: staffContracts.id, budgetId: staffContracts.budgetId, head: budgets.head })
    .from(staffContracts)
    .innerJoin(budgets, and(eq(budgets.organisationId, staffContracts.organisationId), eq(budgets.id, staffContracts.budgetId)))
    .where(and(eq(staffContracts.organisationId, organisationId), eq(staffContracts.staffId, staffId)))
    .orderBy(sql`(${budgets.head} ->> 'firstYear')::int desc`, budgets.locationId, budgets.name, staffContracts.id)
  const contracts: FoundContract[] = []
  for (const { id, budgetId, head } of found) {
    const contract = await readContractRow({ tx, organisationId, budgetId }, id)
    contracts.push({
      contractId: id,
      budgetId,
      budget: head.name,
      location: locationNames.get(head.locationId) ?? `Location ${head.locationId}`,
      name: contract.contractName,
      position: contract.position ?? null,
      department: contract.department ?? null,
      from: contract.startDate ?? null,
      to: contract.endDate ?? null,
      notes: contract.notes,
      rows: contract.salary.map((row, index) => ({
        from: row.effectiveDate,
        scalePoint: contract.pointNames[index] ?? null,
        fte: row.fte ?? null,
        hoursPerWeek: row.hoursPerWeek ?? null,
        weeksPerYear: row.weeksPerYear ?? null,
      })),
      costs: (contract.costYears ?? []).map((pounds, year) => ({ year: formatBudgetYear(head.firstYear, year), pounds })),
    })
  }
  return contracts
}

/** Comments on a person's contracts and on their figures in reports, oldest first. */
async function readComments(
  { tx, store, organisationId }: Call<'store' | 'organisationId'>,
  contracts: readonly FoundContract[],
): Promise<AccessPack['comments']> {
  const names = new Map(contracts.map(({ contractId, name }) => [contractId, name]))
  const comments: { item: Comment; contract: string; budget: string }[] = []
  for (const [budgetId, budget] of new Map(contracts.map((one) => [one.budgetId, one.budget])))
    for (const { item } of await loadItems({ tx, organisationId, budgetId }, 'comment')) {
      const { kind, ref, cell } = item.about
      const of = cell ? findContractOfRow(cell.row) : kind === 'contract' ? ref : undefined
      const contract = names.get(toContractId(of ?? ''))
      if (contract !== undefined) comments.push({ item, contract, budget })
    }
  if (!comments.length) return []
  const key = await ensureOrganisationKey(tx, organisationId)
  const people = await readUserNames(
    openStoreWithin(tx, store, organisationId),
    comments.flatMap(({ item }) => [item.byId, ...(item.mentionIds ?? [])]),
  )
  const personOf = (id: number): string => people.get(id) ?? 'Someone'
  return comments
    .map(({ item, ...where }) => ({
      at: item.at,
      by: personOf(item.byId),
      ...where,
      text: replaceUserIdsWithNames({ text: decryptText(key, item.sealedText), mentionIds: item.mentionIds }, personOf),
    }))
    .sort((a, b) => a.at.localeCompare(b.at))
}

/** All users' reminders about a person and their contracts. */
async function readReminders(
  { tx, store, organisationId }: Call<'store' | 'organisationId'>,
  sources: readonly string[],
): Promise<AccessPack['reminders']> {
  const rows = await tx
    .select()
    .from(reminders)
    .where(sql`organisation_id = ${organisationId} and source_id = any(${sql.param([...sources])}::text[])`)
  const held = rows
  const names = await readUserNames(
    openStoreWithin(tx, store, organisationId),
    held.map((row) => (row.userId === null ? null : toUserId(row.userId))),
  )
  return held
    .map(({ userId, when, description, notes }) => ({ when, description, notes, by: names.get(userId ?? 0) ?? 'Someone' }))
    .sort((a, b) => a.when.localeCompare(b.when))
}

/** The changes to a person's record, with who made each. */
async function readChanges(
  { tx, store, organisationId }: Call<'store' | 'organisationId'>,
  id: StaffId,
  locationNames: ReadonlyMap<LocationId, string>,
): Promise<AccessPack['changes']> {
  const entries = await addActorNames(store, [...(await readStaffHistory(tx, organisationId, id)), ...(await listAccessPacks(tx, id))])
  return entries
    .sort((a, b) => a.occurredAt.localeCompare(b.occurredAt))
    .map(({ occurredAt, actor, action, sentence, before, after }) => ({
      at: occurredAt,
      by: actor,
      what: sentence ?? action,
      fields: recorded.flatMap((field) => {
        const [was, is] = [describeField(field, before?.[field], locationNames), describeField(field, after?.[field], locationNames)]
        return was === is ? [] : [{ field: label(field), before: was, after: is }]
      }),
    }))
}

/** The name under which the change log lists access packs. */
export const accessPackLog = { name: 'accessPack' }

/** Lists who made access packs of a person and when, newest first. */
export async function listAccessPacks(tx: OrganisationTx, id: StaffId) {
  return (await readRecordHistory(tx, accessPackLog, id)).map((entry) => ({
    ...entry,
    action: 'updated',
    before: null,
    after: null,
    sentence: 'created a subject-access pack for this person',
  }))
}

import { and, desc, eq, inArray } from 'drizzle-orm'
import { type Comment, type CommentSubject, replaceUserIdsWithNames } from '../../../domain/budget/items/comment.ts'
import {
  commentReadPermissions,
  hasAnyPermission,
  listViewPermissions,
  type Permission,
  type PermissionHolder,
  reportReadPermissions,
} from '../../../domain/people/permissions.ts'
import { describeCellValue, findContractOfRow } from '../../../domain/reports/cells/cells.ts'
import { reports } from '../../../domain/reports/registry.ts'
import { resources } from '../../../domain/resources/all.ts'
import { type BudgetGroupId, type LocationId, type OrganisationId, toContractId, type UserId } from '../../../domain/values/ids.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import { budgetEvents, budgetGroupMembers, budgets, staffContracts } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { readUserNames } from '../../core/database/userNames.ts'
import { decryptText, ensureOrganisationKey } from '../../core/database/vault.ts'
import { toStreamEvent } from '../../core/stream/stream.ts'
import { formatListedName, loadStaffDirectory } from '../../streams/budget/staffDirectory.ts'
import { listPeopleWithPermissions, type NotifiablePerson } from '../users/queries.ts'

const stepTypes = { BudgetSubmitted: 'submitted', BudgetReturned: 'returned', BudgetApproved: 'approved' } as const
const mostSteps = 50

/**
 * The approval steps of a budget with names and comments, newest first. Reasons for a return remain after the budget is submitted again.
 */
export async function readApprovalTrail(call: Call<'organisationId' | 'budgetId' | 'store'>) {
  const { tx, organisationId, budgetId, store } = call
  const rows = await tx
    .select()
    .from(budgetEvents)
    .where(
      and(
        eq(budgetEvents.organisationId, organisationId),
        eq(budgetEvents.budgetId, budgetId),
        inArray(budgetEvents.type, keysOf(stepTypes)),
      ),
    )
    .orderBy(desc(budgetEvents.version))
    .limit(mostSteps)
  const steps = rows
    .map((row) => toStreamEvent('budget', row))
    .flatMap((event) => {
      const { type, data } = event
      return type === 'BudgetSubmitted' || type === 'BudgetReturned' || type === 'BudgetApproved'
        ? [{ state: stepTypes[type], ...data }]
        : []
    })
  if (!steps.length) return []
  const key = await ensureOrganisationKey(tx, organisationId)
  const names = await readUserNames(
    store,
    steps.map(({ byId }) => byId),
  )
  return steps.map(({ state, byId, at, version, sealedComment }) => ({
    state,
    by: names.get(byId) ?? 'Unknown',
    at,
    version,
    comment: sealedComment ? decryptText(key, sealedComment) : null,
  }))
}

/** The parts of a subject that decide who may read comments on it. */
type CommentedSubject =
  | { kind: Exclude<CommentSubject['kind'], 'cell'>; cell?: undefined }
  | { kind: 'cell'; cell: { groupId: BudgetGroupId | null; isOfStaff: boolean } }

/**
 * The permissions needed to read comments on a subject: one from each list. Only people who may see a report's figure
 * can read comments on it.
 */
function listNeededPermissions({ kind, cell }: CommentedSubject): (readonly Permission[])[] {
  if (kind === 'contract') return [listViewPermissions('BudgetingStaffing')]
  if (kind !== 'cell') return [commentReadPermissions]
  return [commentReadPermissions, reportReadPermissions, ...(cell.isOfStaff ? [listViewPermissions('BudgetingStaffing')] : [])]
}

/** The locations of some groups' budgets; none for a deleted group. */
async function readGroupLocations(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  ids: readonly BudgetGroupId[],
): Promise<Map<BudgetGroupId, LocationId[]>> {
  const locationIdsByGroup = new Map<BudgetGroupId, LocationId[]>()
  if (!ids.length) return locationIdsByGroup
  const rows = await tx
    .selectDistinct({ groupId: budgetGroupMembers.groupId, locationId: budgets.locationId })
    .from(budgetGroupMembers)
    .innerJoin(budgets, and(eq(budgets.organisationId, budgetGroupMembers.organisationId), eq(budgets.id, budgetGroupMembers.budgetId)))
    .where(and(eq(budgetGroupMembers.organisationId, organisationId), inArray(budgetGroupMembers.groupId, [...ids])))
  for (const { groupId, locationId } of rows) locationIdsByGroup.set(groupId, [...(locationIdsByGroup.get(groupId) ?? []), locationId])
  return locationIdsByGroup
}

/**
 * Returns a function that tells whether a caller may read comments on a subject. It assumes that the caller can reach the budget's
 * location; figures of a group require access to the locations of all its budgets.
 */
export async function createCommentReadTest(
  tx: OrganisationTx,
  { organisationId, holder }: { organisationId: OrganisationId; holder: PermissionHolder & { locationIds: readonly LocationId[] | null } },
  subjects: readonly CommentedSubject[],
): Promise<(about: CommentedSubject) => boolean> {
  const groups = await readGroupLocations(tx, organisationId, [...new Set(subjects.flatMap(({ cell }) => cell?.groupId ?? []))])
  const seesAll = (groupId: BudgetGroupId): boolean =>
    groups.get(groupId)?.every((id) => !holder.locationIds || holder.locationIds.includes(id)) ?? false
  return (about) =>
    listNeededPermissions(about).every((anyOf) => hasAnyPermission(holder, anyOf)) && (!about.cell?.groupId || seesAll(about.cell.groupId))
}

/**
 * The people who may read comments on a subject in a location's budget.
 * @param tx with platform scope
 */
export async function listCommentReaders(
  tx: OrganisationTx,
  about: CommentedSubject,
  { organisationId, locationId }: { organisationId: OrganisationId; locationId: LocationId },
): Promise<NotifiablePerson[]> {
  const groupId = about.cell?.groupId
  const locationIds = groupId ? (await readGroupLocations(tx, organisationId, [groupId])).get(groupId) : [locationId]
  return locationIds ? listPeopleWithPermissions(tx, listNeededPermissions(about), { organisationId, locationIds }) : []
}

/** Comments with the names of their authors, subjects and mentioned people. */
export async function presentComments(
  { tx, store, organisationId, userId }: Call<'store'> & { organisationId: OrganisationId; userId: UserId | null },
  items: readonly { id: string; item: Comment }[],
) {
  // An organisation that has encrypted nothing yet has no key, and a read-only call cannot create one.
  if (!items.length) return []
  const key = await ensureOrganisationKey(tx, organisationId)
  const nameOf = await readSubjectNames(
    tx,
    organisationId,
    items.map(({ item }) => item.about),
  )
  const names = await readUserNames(
    store,
    items.flatMap(({ item }) => [item.byId, item.resolvedById, ...(item.mentionIds ?? [])]),
  )
  const personOf = (id: number): string => names.get(id) ?? 'Unknown'
  return items.map(({ id, item }) => ({
    id,
    about: presentSubject(item.about),
    name: nameOf(item.about),
    text: replaceUserIdsWithNames({ text: decryptText(key, item.sealedText), mentionIds: item.mentionIds }, personOf),
    by: personOf(item.byId),
    isOwn: item.byId === userId,
    at: item.at,
    resolvedBy: item.resolvedById === null ? null : personOf(item.resolvedById),
    resolvedAt: item.resolvedAt,
  }))
}

/** The subject of a comment for display; for a report figure, with its value when the comment was written. */
export function presentSubject({ kind, ref, year, cell }: CommentSubject) {
  if (!cell) return { kind, ref, year }
  const { report, groupId, row, column, scheme, value, type } = cell
  return { kind, ref, year, cell: { report, groupId, row, column, scheme, was: describeCellValue(value, type) } }
}

/** The names of the subjects of comments. A contract is named by its employee, only for callers who may see staff. */
export async function readSubjectNames(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  subjects: readonly CommentSubject[],
): Promise<(about: CommentSubject) => string | null> {
  const refs = (kind: CommentSubject['kind']): string[] => [
    ...new Set(subjects.filter((one) => one.kind === kind).flatMap(({ ref }) => ref ?? [])),
  ]
  const names = new Map<string, string>()
  const ofRows = subjects.flatMap(({ cell }) => (cell && findContractOfRow(cell.row)) ?? [])
  const [contracts, entries, codes] = [[...new Set([...refs('contract'), ...ofRows])], refs('entry'), refs('code')]
  if (contracts.length) {
    const { people } = await loadStaffDirectory(tx, organisationId)
    for (const { id, staffId, name, position } of await tx
      .select({
        id: staffContracts.id,
        staffId: staffContracts.staffId,
        name: staffContracts.contractName,
        position: staffContracts.position,
      })
      .from(staffContracts)
      .where(and(eq(staffContracts.organisationId, organisationId), inArray(staffContracts.id, contracts.map(toContractId))))) {
      const person = staffId === null ? undefined : people.get(staffId)
      names.set(`contract ${id}`, [person && formatListedName(person), position ?? name].filter(Boolean).join(' · '))
    }
  }
  if (entries.length)
    for (const row of await tx
      .select({ id: budgetItems.id, name: budgetItems.description })
      .from(budgetItems)
      .where(and(eq(budgetItems.organisationId, organisationId), eq(budgetItems.kind, 'entry'), inArray(budgetItems.id, entries))))
      names.set(`entry ${row.id}`, row.name ?? '')
  const known = codes.filter((ref) => /^\d{1,9}$/.test(ref)).map(Number)
  for (const row of await readResourceRecords(tx, resources.budgetCode, { column: 'id', ids: known }))
    names.set(`code ${row.id}`, `${row.code} ${row.description}`)
  return ({ kind, ref, cell }) => {
    if (!cell) return names.get(`${kind} ${ref}`) ?? null
    const row = cell.label ?? names.get(`contract ${findContractOfRow(cell.row)}`) ?? 'a deleted contract'
    return `${reports[cell.report].title}: ${row}, ${cell.title}`
  }
}

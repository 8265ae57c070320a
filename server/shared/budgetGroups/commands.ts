import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { findPostingBudgets } from '../../../domain/calculation/allowanceClaim.ts'
import type { Transfer } from '../../../domain/calculation/nonStaffing/transfers.ts'
import { budgetCodeCategory, budgetCodeType } from '../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../domain/resources/all.ts'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { BudgetGroupId, BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, DomainError, type FieldProblem, invalid, staleRecord } from '../../../domain/words/errors.ts'
import { budgetGroupMembers, budgetGroups, budgets } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { type LoggedRecord, logRecordChange } from '../../resources/referenceLog.ts'
import { type GroupRow, loadGroupOfBudget, replaceGroupMembers, selectGroups } from '../../streams/budget/groupMembers.ts'
import { lockBudgets, refuseWhileRecalculating } from '../../streams/budget/queries.ts'
import { removeAllowances } from '../groupMoney/allowance/commands.ts'
import { withdrawGroupShares, withdrawLevyShare } from '../groupMoney/levy/commands.ts'
import { hasAnyPay } from '../groupMoney/levy/queries.ts'
import { postTransferSides, postTransfersAsNotCalculated } from '../groupMoney/transfers/commands.ts'
import { type GroupReader, loadGroupRow, loadGroupToChange, readGroup, selectRunningRecalculations } from './queries.ts'
import { type BudgetGroup, presentGroup } from './rows.ts'

export interface GroupInput {
  name: string
  description: string | null
  budgetIds: BudgetId[]
  /** If omitted, the claim does not change. */
  claim?: AllowanceClaim
}

/** Whether a group claims the Employment Allowance, and where it is posted (rules.md §7). */
export type AllowanceClaim = Pick<GroupRow, 'claimsEmploymentAllowance' | 'allowanceBudgetCodeId' | 'allowanceCostCentreId'>

export const noClaim: AllowanceClaim = { claimsEmploymentAllowance: false, allowanceBudgetCodeId: null, allowanceCostCentreId: null }

export const isSameClaim = (a: AllowanceClaim, b: AllowanceClaim): boolean =>
  a.claimsEmploymentAllowance === b.claimsEmploymentAllowance &&
  a.allowanceBudgetCodeId === b.allowanceBudgetCodeId &&
  a.allowanceCostCentreId === b.allowanceCostCentreId

/** Checks the rules of a group, and locks its budgets so that none is deleted or moved at the same time. */
async function checkGroup(
  { tx, organisationId }: Call<'organisationId'>,
  id: BudgetGroupId | null,
  { name, budgetIds }: GroupInput,
): Promise<void> {
  if (new Set(budgetIds).size < budgetIds.length) throw invalid([{ field: 'items', message: 'A budget can only be in a group once.' }])
  const others = and(eq(budgetGroups.organisationId, organisationId), id ? ne(budgetGroups.id, id) : undefined)
  const [same] = await tx
    .select({ id: budgetGroups.id })
    .from(budgetGroups)
    .where(and(others, sql`lower(${budgetGroups.name}) = lower(${name})`))
  if (same)
    throw new DomainError('conflict', 'duplicate', 'Name is already used.', {
      fields: [{ field: 'name', message: 'Name is already used.' }],
    })
  if (!budgetIds.length) return
  const known = await tx
    .select({ id: budgets.id, name: budgets.name })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, budgetIds)))
  if (known.length < budgetIds.length) throw invalid([{ field: 'items', message: 'Budget was not found.' }])
  const [taken] = await tx
    .select({ name: budgetGroups.name, budgetId: budgetGroupMembers.budgetId })
    .from(budgetGroupMembers)
    .innerJoin(
      budgetGroups,
      and(eq(budgetGroups.organisationId, budgetGroupMembers.organisationId), eq(budgetGroups.id, budgetGroupMembers.groupId)),
    )
    .where(and(others, inArray(budgetGroupMembers.budgetId, budgetIds)))
    .orderBy(budgetGroupMembers.budgetId)
    .limit(1)
  if (taken) {
    const budget = known.find((one) => one.id === taken.budgetId)
    throw invalid([
      { field: 'items', message: `${budget?.name ?? 'A budget'} is already in the group ${taken.name}. Remove it from there first.` },
    ])
  }
}

/**
 * Checks where the Employment Allowance is posted: an expenditure code and a cost centre available to the posting
 * budgets.
 * @throws DomainError 400 naming the field
 */
async function checkClaim(
  { tx, organisationId }: Call<'organisationId'>,
  { claimsEmploymentAllowance: isClaimed, allowanceBudgetCodeId, allowanceCostCentreId }: AllowanceClaim,
  budgetIds: readonly BudgetId[],
): Promise<void> {
  const ofRecord = (id: number | null) => ({ column: 'id' as const, ids: id === null ? [] : [id] })
  const [code] = await readResourceRecords(tx, resources.budgetCode, ofRecord(allowanceBudgetCodeId))
  const [centre] = await readResourceRecords(tx, resources.costCentre, ofRecord(allowanceCostCentreId))
  const problems: FieldProblem[] = []
  const say = (field: keyof AllowanceClaim, message: string): void => void problems.push({ field, message })
  if (allowanceBudgetCodeId !== null && code?.organisationId !== organisationId) say('allowanceBudgetCodeId', 'Budget code was not found.')
  else if (code && (code.type !== budgetCodeType.expenditure || code.category === budgetCodeCategory.balance))
    say('allowanceBudgetCodeId', 'Budget code must be an expenditure code.')
  if (allowanceCostCentreId !== null && centre?.organisationId !== organisationId)
    say('allowanceCostCentreId', 'Cost centre was not found.')
  const [organisation] = await readResourceRecords(tx, resources.organisation, ofRecord(organisationId))
  if (isClaimed && code && allowanceCostCentreId === null && organisation?.costCentresMandatory)
    say('allowanceCostCentreId', 'Cost centre is required.')
  const locationIds = await readPostingLocations(tx, organisationId, budgetIds)
  const isElsewhere = (locations: readonly number[] | undefined): boolean =>
    Boolean(locations?.length) && locationIds.some((index) => !locations?.includes(index))
  if (!problems.length && isElsewhere(code?.locations)) say('allowanceBudgetCodeId', 'Budget code belongs to another location.')
  if (!problems.length && isElsewhere(centre?.locations)) say('allowanceCostCentreId', 'Cost centre belongs to another location.')
  if (problems.length) throw invalid(problems)
}

/** The locations whose budgets post a group's Employment Allowance: the central ones, or the only one. */
async function readPostingLocations(tx: OrganisationTx, organisationId: OrganisationId, budgetIds: readonly BudgetId[]): Promise<number[]> {
  if (!budgetIds.length) return []
  const rows = await tx
    .select({ locationId: budgets.locationId })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, [...budgetIds])))
  const locations = await readResourceRecords(tx, resources.location, { column: 'id', ids: rows.map(({ locationId }) => locationId) })
  return findPostingBudgets(locations.map(({ id, central }) => ({ locationId: id, isCentral: central }))).map(
    ({ locationId }) => locationId,
  )
}

/** The claim of a deleted group, without budget codes or cost centres that no longer exist. */
async function readRemainingClaim({ tx }: Call, claim: AllowanceClaim): Promise<AllowanceClaim> {
  const left = async (resource: typeof resources.budgetCode | typeof resources.costCentre, id: number | null): Promise<number | null> =>
    id !== null && (await readResourceRecords(tx, resource, { column: 'id', ids: [id] })).length ? id : null
  return {
    ...claim,
    allowanceBudgetCodeId: await left(resources.budgetCode, claim.allowanceBudgetCodeId),
    allowanceCostCentreId: await left(resources.costCentre, claim.allowanceCostCentreId),
  }
}

function toLogRecord(row: GroupRow): LoggedRecord {
  return { ...row }
}

async function refuseWhileRunning(tx: OrganisationTx, organisationId: OrganisationId, groupId: BudgetGroupId): Promise<void> {
  const [running] = await selectRunningRecalculations(tx, organisationId, groupId)
  if (running) throw conflict('recalculating', 'This budget group is being recalculated. Try again when it has finished.')
}

/**
 * @param version the version that the caller's form shows; null if the caller sends none
 * @throws DomainError 409 if someone else has saved the group since
 */
export function refuseStaleGroup(before: GroupRow, version: number | null): void {
  if (version !== null && version !== before.version)
    throw staleRecord({ version: before.version, record: presentGroup(before, undefined), fields: [] })
}

/**
 * Creates or changes a budget group. Changing its budgets or its Employment Allowance claim requires a recalculation and withdraws the levy
 * shares of the remaining budgets. Budgets that leave the group lose their parts of the group's pools and top slices.
 */
export async function saveGroup(
  call: Call<'organisationId' | 'actor'>,
  { id, version, isNew }: { id: BudgetGroupId; version: number | null; isNew: boolean },
  input: GroupInput,
): Promise<BudgetGroup> {
  const { tx, organisationId, actor } = call
  const now = actor.now.toISOString()
  const { budgetIds, claim, ...details } = input
  if (isNew) {
    await lockBudgets(tx, organisationId, budgetIds)
    await checkGroup(call, null, input)
    if (claim) await checkClaim(call, claim, budgetIds)
    await makeGroup(call, { id, version: 1, action: 'created' }, input)
    return readGroup(tx, organisationId, id)
  }
  const members = (await loadGroupRow(call, id)).budgetIds
  const rows = await lockBudgets(tx, organisationId, [...members, ...budgetIds])
  await checkGroup(call, id, input)
  const before = await loadGroupRow(call, id, true)
  refuseStaleGroup(before, version)
  await refuseWhileRunning(tx, organisationId, id)
  const isOtherClaim = claim !== undefined && !isSameClaim(claim, before)
  const added = input.budgetIds.filter((one) => !before.budgetIds.includes(one))
  // An added budget may be the one that posts the claim, at another location.
  if (isOtherClaim || (added.length && before.claimsEmploymentAllowance)) await checkClaim(call, claim ?? before, budgetIds)
  for (const one of added) await refuseWhileRecalculating(tx, organisationId, one)
  const isAdded = added.length > 0
  const leaving = rows.filter((row) => before.budgetIds.includes(row.id) && !input.budgetIds.includes(row.id))
  const staying = rows.filter((row) => before.budgetIds.includes(row.id) && input.budgetIds.includes(row.id))
  if (leaving.length) await leaveGroup(call, { leaving, staying })
  const moving = rows.filter((row) => before.budgetIds.includes(row.id) !== input.budgetIds.includes(row.id))
  if (await hasAnyPay(tx, organisationId, moving)) await withdrawGroupShares(call, { groupId: id, budgetIds: staying.map((row) => row.id) })
  const hasOpen = staying.some((row) => !row.head.locked)
  const asks = isAdded || ((leaving.length > 0 || isOtherClaim) && hasOpen)
  const reason = isAdded ? 'Budgets were added' : leaving.length ? 'Budgets were removed' : 'Employment Allowance'
  const required = asks ? { requiredSince: before.requiredSince ?? now, requiredReason: before.requiredReason ?? reason } : {}
  const row = requireSingleRow(
    await tx
      .update(budgetGroups)
      .set({ ...details, ...claim, ...required, version: before.version + 1 })
      .where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, id)))
      .returning(),
  )
  await replaceGroupMembers(call, id, budgetIds)
  await logRecordChange(
    call,
    { name: 'budgetGroup' },
    { action: 'updated', before: toLogRecord(before), after: toLogRecord({ ...row, budgetIds }) },
  )
  return readGroup(tx, organisationId, id)
}

async function makeGroup(
  call: Call<'organisationId' | 'actor'>,
  { id, version, action }: { id: BudgetGroupId; version: number; action: 'created' | 'restored' },
  { budgetIds, claim, ...details }: GroupInput,
): Promise<void> {
  const { tx, organisationId, actor } = call
  const required = budgetIds.length ? { requiredSince: actor.now.toISOString(), requiredReason: 'Budgets were added' } : {}
  const row = requireSingleRow(
    await tx
      .insert(budgetGroups)
      .values({ organisationId, id, version, ...details, ...claim, ...required })
      .returning(),
  )
  await replaceGroupMembers(call, id, budgetIds)
  await logRecordChange(call, { name: 'budgetGroup' }, { action, before: null, after: toLogRecord({ ...row, budgetIds }) })
}

/**
 * Recreates a deleted group under its old id.
 * @param version the version of the deletion
 * @throws DomainError 409 if another group now has its name
 */
export async function recreateGroup(
  call: Call<'organisationId' | 'actor'>,
  { id, version, name, description, budgetIds, claim }: GroupInput & { id: BudgetGroupId; version: number },
): Promise<void> {
  const { tx, organisationId } = call
  const input = { name, description, budgetIds, claim: claim && (await readRemainingClaim(call, claim)) }
  await lockBudgets(tx, organisationId, budgetIds)
  for (const budgetId of budgetIds) await refuseWhileRecalculating(tx, organisationId, budgetId)
  const [taken] = await tx
    .select({ id: budgetGroups.id })
    .from(budgetGroups)
    .where(and(eq(budgetGroups.organisationId, organisationId), sql`lower(${budgetGroups.name}) = lower(${name})`))
  if (taken) throw conflict('taken', `Another budget group is now called ${name}. Rename that one first.`)
  await checkGroup(call, null, input)
  await makeGroup(call, { id, version: version + 1, action: 'restored' }, input)
}

export async function deleteGroup(call: Call<'organisationId' | 'actor'>, id: BudgetGroupId): Promise<void> {
  const { tx, organisationId } = call
  const leaving = await lockBudgets(tx, organisationId, (await loadGroupRow(call, id)).budgetIds)
  const before = await loadGroupRow(call, id, true)
  await refuseWhileRunning(tx, organisationId, id)
  await leaveGroup(call, { leaving, staying: [] })
  await replaceGroupMembers(call, id, [])
  await tx.delete(budgetGroups).where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, id)))
  await logRecordChange(call, { name: 'budgetGroup' }, { action: 'deleted', before: toLogRecord(before), after: null })
}

/** Appends budgets to a group. */
export async function addBudgetsToGroup(
  call: Call<'organisationId' | 'actor'>,
  groupId: BudgetGroupId,
  budgetIds: readonly BudgetId[],
): Promise<void> {
  const { name, description, budgetIds: before, version } = await loadGroupRow(call, groupId)
  await saveGroup(call, { id: groupId, version, isNew: false }, { name, description, budgetIds: [...before, ...budgetIds] })
}

/**
 * Moves a budget to another group, or out of any group if null. Does nothing if the budget is already there.
 * @throws DomainError 403 if either group has budgets outside the caller's locations
 */
export async function moveBudgetToGroup(
  call: Call<'organisationId' | 'budgetId' | 'actor'> & GroupReader,
  groupId: BudgetGroupId | null,
): Promise<void> {
  const { tx, organisationId, budgetId } = call
  const now = await loadGroupOfBudget(tx, organisationId, budgetId)
  if ((now?.id ?? null) === groupId) return
  for (const id of [now?.id, groupId]) if (id) await loadGroupToChange(call, id)
  await removeBudgetsFromGroups(call, [budgetId])
  if (groupId) await addBudgetsToGroup(call, groupId, [budgetId])
}

/**
 * Removes deleted budgets from their groups.
 * @throws DomainError 409 while one of the groups is being recalculated
 */
export async function removeBudgetsFromGroups(call: Call<'organisationId' | 'actor'>, budgetIds: readonly BudgetId[]): Promise<void> {
  const { tx, organisationId } = call
  const groups = await selectGroups(tx, organisationId).orderBy(budgetGroups.id)
  for (const group of groups.filter((one) => one.budgetIds.some((id) => budgetIds.includes(id)))) {
    const { id, name, description, version } = group
    const rest = group.budgetIds.filter((one) => !budgetIds.includes(one))
    await saveGroup(call, { id, version, isNew: false }, { name, description, budgetIds: rest })
  }
}

/** A key that is equal for both sides of a pool or top slice, to find the side in the other budget. */
function buildTransferKey({ head }: BudgetRow, centralIds: ReadonlySet<number>, { kind, tableId, year, counterpartId }: Transfer): string {
  const when = `${head.firstYear + year} ${head.startMonth} ${kind} ${tableId}`
  return kind === 'gagPool' ? when : `${when} ${centralIds.has(head.locationId) ? counterpartId : head.locationId}`
}

/**
 * Removes budgets from their group. Their pools and top slices are removed in both budgets, their levy becomes uncalculated, their postings
 * of the group's Employment Allowance are removed, and their pools must be shared again (rules.md §14).
 * @throws DomainError 409 if a locked budget would keep one side while the other is removed, because its lines are frozen
 */
async function leaveGroup(
  { tx, organisationId, actor }: Call<'organisationId' | 'actor'>,
  { leaving, staying }: { leaving: readonly BudgetRow[]; staying: readonly BudgetRow[] },
): Promise<void> {
  const locations = await readResourceRecords(tx, resources.location)
  const centralIds = new Set(locations.filter((location) => location.central).map((location) => location.id))
  const keysOf = (row: BudgetRow): string[] => (row.transfers?.transfers ?? []).map((one) => buildTransferKey(row, centralIds, one))
  const all = [...leaving, ...staying]
  const isBroken = (locked: BudgetRow, open: BudgetRow): boolean => {
    const keys = new Set(keysOf(locked))
    return (leaving.includes(locked) || leaving.includes(open)) && keysOf(open).some((key) => keys.has(key))
  }
  for (const locked of all.filter((row) => row.head.locked))
    for (const open of all.filter((row) => !row.head.locked))
      if (isBroken(locked, open))
        throw conflict(
          'frozen',
          `${(leaving.includes(open) ? open : locked).name} cannot leave the group: ${locked.name} is locked, and a pool or top slice is posted in both ${locked.name} and ${open.name}.`,
        )
  const gone = new Map(leaving.flatMap((row) => keysOf(row).map((key) => [key, row.name] as const)))
  for (const row of staying) {
    if (row.head.locked) continue
    const before = row.transfers?.transfers ?? []
    if (!before.some((one) => gone.has(buildTransferKey(row, centralIds, one)))) continue
    const problems = new Set(row.transfers?.problems)
    const transfers = before.flatMap((one) => {
      const name = gone.get(buildTransferKey(row, centralIds, one))
      if (name === undefined) return [one]
      if (one.kind === 'topSlice') return []
      problems.add(`${name} has left the group: its pool is not calculated until the group is recalculated.`)
      return [{ ...one, amounts: one.amounts.map(() => null) }]
    })
    await postTransferSides({ tx, organisationId, budgetId: row.id, actor }, { transfers, problems: [...problems] })
  }
  const open = leaving.filter(({ head }) => !head.locked).map(({ id }) => id)
  await postTransfersAsNotCalculated({ tx, organisationId, actor }, open, { isInGroup: false, keeps: false })
  for (const budgetId of open) await withdrawLevyShare({ tx, organisationId, budgetId, actor })
  await removeAllowances({ tx, organisationId, actor }, await lockBudgets(tx, organisationId, open))
}

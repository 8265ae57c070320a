import { and, type SQL, sql } from 'drizzle-orm'
import { areSettingsEqual, type StaffContract } from '../../../domain/budget/budget.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { isReferencedByContracts, replaceInContract, replaceInHead } from '../../../domain/budget/replace.ts'
import { hasAnyPermission, type PermissionHolder } from '../../../domain/people/permissions.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import type { RecordValues } from '../../../domain/resources/schema.ts'
import { appliesOutsideLocations } from '../../../domain/resources/sharing.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { requireNumbers } from '../../../domain/values/unknownValues.ts'
import { conflict, type DomainError, invalid } from '../../../domain/words/errors.ts'
import { defaultTerms } from '../../../domain/words/terms.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { buildVisibleCondition, castRows, getResourceTable } from '../../core/database/tables.ts'
import type { RecalculationRequired } from '../../core/live/announce.ts'
import { markBudgetForRecalculation, markBudgetsUsing } from '../../streams/budget/marks.ts'
import { loadBudget, loadContracts, refuseWhileBusy } from '../../streams/budget/queries.ts'
import { commitEvents } from '../../streams/budget/stream.ts'
import { buildBudgetUsesCondition, buildContractUsesCondition, buildItemUsesCondition } from '../../streams/budget/usePaths.ts'
import * as records from '../commands.ts'
import { getHooks } from '../hooks/all.ts'
import { readRecord } from '../queries.ts'
import { buildCallerRowsCondition } from '../rowRules.ts'
import { findUsingResources } from '../uses.ts'
import type { WriteContext } from '../writing.ts'
import { buildItemReplacementEvents } from './items.ts'

/** The result of a replacement: how many uses were moved, and the locked budgets that keep the old record. */
export interface ReplacementResult {
  moved: number
  locked: string[]
  required: RecalculationRequired[]
}

type ReplaceContext = WriteContext & { holder: PermissionHolder }

/** The record in use, and the record to use instead. */
interface Swap {
  id: number
  withId: number
}

/**
 * Moves every use of a record to another record of its kind, in one step: other reference records, budgets and staff contracts. Locked
 * budgets are not changed. All or none. Each change is recorded in the log of the record or budget that it changes.
 * @throws DomainError 400 for the same record, 409 if something that uses the record may not use the other record
 */
export async function runReplaceUses(call: Call & ReplaceContext, { id, withId }: Swap): Promise<ReplacementResult> {
  const { tx, resource, scope, holder, actor } = call
  if (resource.usesStay) throw conflict('cannotReplace', 'This record cannot be replaced by another.')
  if (id === withId) throw invalid([{ field: 'withId', message: 'Choose a different record from the one to replace.' }])
  const old = await readRecord({ tx, scope }, resource, { id, lock: 'toChange' })
  const other = await readRecord({ tx, scope }, resource, { id: withId })
  if (resource.archivedBy && other[resource.archivedBy])
    throw invalid([{ field: 'withId', message: `${defaultTerms[resource.key].singular} is archived. Choose another.` }])
  const required: RecalculationRequired[] = []
  let moved = 0
  for (const { using, where } of findUsingResources(resource, [id])) {
    const changed = await replaceInRecords(call, { id, withId }, { using, where })
    required.push(...(await markBudgetsUsing({ tx, now: actor.now }, using, { records: changed, reason: defaultTerms[using.key].plural })))
    moved += changed.length
  }
  const inBudgets = await budgetsNaming(tx, resource, id)
  if (inBudgets.some((row) => scope.locationIds && !scope.locationIds.includes(row.locationId)))
    throw buildBeyondError(defaultTerms.Budget.plural)
  const locked = inBudgets.filter((row) => row.head.locked)
  for (const row of inBudgets.filter((one) => !one.head.locked)) {
    await refuseWhileBusy(tx, row.organisationId, row.id)
    const inHead = headEvents(row, { resource, id, withId })
    const inContracts = await contractEvents(tx, row, { resource, id, other })
    if (inHead.length && !hasAnyPermission(holder, ['ConsoleBudgetManagementReadUpdate']))
      throw buildBeyondError(defaultTerms.Budget.plural)
    if (inContracts.length && !hasAnyPermission(holder, ['BudgetingStaffingReadUpdate']))
      throw buildBeyondError(defaultTerms.StaffContract.plural)
    const inItems = await buildItemReplacementEvents(tx, row, { resource, old, other })
    if (inItems.length && !hasAnyPermission(holder, ['BudgetingNonStaffingReadUpdate']))
      throw buildBeyondError(defaultTerms.BudgetEntry.plural)
    const events = [...inHead, ...inContracts, ...inItems]
    if (!events.length) continue
    await commitEvents({ tx, actor }, await loadBudget({ tx, organisationId: row.organisationId }, row.id, true), { events })
    required.push(
      ...(await markBudgetForRecalculation(
        { tx, organisationId: row.organisationId, budgetId: row.id, now: actor.now },
        'A replaced record',
      )),
    )
    moved += events.length
  }
  return { moved, locked: locked.map((row) => row.name), required }
}

/** The error for a caller who may not change some of the records that use the old record. */
function buildBeyondError(things: string): DomainError {
  return conflict('beyond', `${things} that you cannot change use this record. Ask someone who can change them. Nothing was replaced.`)
}

/** Replaces uses in other reference records, with the same checks as a save. */
async function replaceInRecords(
  { tx, resource, scope, holder, actor }: Call & ReplaceContext,
  { id, withId }: Swap,
  { using, where }: { using: AnyResource; where: SQL },
): Promise<AnyRecord[]> {
  const { table, columns } = getResourceTable(using)
  const rows = castRows(using, await tx.select().from(table).where(where))
  const { write } = using.access
  if (rows.length && !(write === 'administrator' ? holder.isAdministrator : hasAnyPermission(holder, write)))
    throw buildBeyondError(defaultTerms[using.key].plural)
  const seen = await tx
    .select({ id: columns.id })
    .from(table)
    .where(and(where, ...buildCallerRowsCondition(using, { columns, scope })))
  if (seen.length < rows.length || rows.some((row) => appliesOutsideLocations(using, scope.locationIds, row)))
    throw buildBeyondError(defaultTerms[using.key].plural)
  const done: AnyRecord[] = []
  for (const row of rows) {
    const patch: RecordValues = {}
    for (const [name, field] of Object.entries(using.fields)) {
      if (field.kind === 'reference' && field.to === resource.name && row[name] === id) patch[name] = withId
      if (field.kind === 'references' && field.to === resource.name && requireNumbers(row[name]).includes(id))
        patch[name] = [...new Set(requireNumbers(row[name]).map((one) => (one === id ? withId : one)))]
    }
    done.push(...(await records.editRecords({ tx, resource: using, scope, actor }, [row.id], patch)).records)
  }
  return done
}

async function budgetsNaming(tx: OrganisationTx, resource: AnyResource, id: number): Promise<BudgetRow[]> {
  const inHead = buildBudgetUsesCondition(resource, [id])
  const inContracts = buildContractUsesCondition(resource, [id])
  const inItems = buildItemUsesCondition(resource, [id])
  if (!inHead && !inContracts && !inItems) return []
  const named = inContracts
    ? sql`exists (select from ${staffContracts} where ${staffContracts.organisationId} = ${budgets.organisationId} and ${staffContracts.budgetId} = ${budgets.id} and ${inContracts})`
    : sql`false`
  const ofItems = inItems
    ? sql`exists (select from ${budgetItems} where ${budgetItems.organisationId} = ${budgets.organisationId} and ${budgetItems.budgetId} = ${budgets.id} and ${inItems})`
    : sql`false`
  return tx
    .select()
    .from(budgets)
    .where(and(buildVisibleCondition(tx, budgets.organisationId), sql`(${inHead ?? sql`false`} or ${named} or ${ofItems})`))
    .orderBy(budgets.id)
}

function headEvents({ head }: BudgetRow, { resource, id, withId }: { resource: AnyResource; id: number; withId: number }): BudgetEvent[] {
  const data = replaceInHead(head, { resource: resource.name, from: id, to: withId })
  return areSettingsEqual(head, data) ? [] : [{ type: 'BudgetElementsSaved', data }]
}

async function contractEvents(
  tx: OrganisationTx,
  row: BudgetRow,
  { resource, id, other }: { resource: AnyResource; id: number; other: AnyRecord },
): Promise<BudgetEvent[]> {
  const using = buildContractUsesCondition(resource, [id])
  if (!using) return []
  const ids = await tx
    .select({ id: staffContracts.id })
    .from(staffContracts)
    .where(sql`${staffContracts.organisationId} = ${row.organisationId} and ${staffContracts.budgetId} = ${row.id} and ${using}`)
  const contracts = await loadContracts(
    { tx, organisationId: row.organisationId, budgetId: row.id },
    ids.map((one) => one.id),
  )
  const hooks = getHooks(resource)
  const swap = await hooks.prepareContractSwap?.(tx, other.id)
  const isFit = (contract: StaffContract): boolean =>
    (hooks.fitsContract?.(other, contract) ?? true) &&
    (!Array.isArray(other.locations) || !other.locations.length || other.locations.includes(row.locationId))
  const unfit = contracts.filter((contract) => !isFit(contract))
  if (unfit.length)
    throw conflict(
      'unfit',
      `${displayCount(unfit.length, 'contract')} in ${row.name} cannot use the new record, because of its locations or pay scales. Nothing was replaced.`,
    )
  return contracts.flatMap(({ version: _version, savedAt: _at, created: _created, ...contract }): BudgetEvent[] => {
    const after = swap
      ? swap(contract, id)
      : isReferencedByContracts(resource.name)
        ? replaceInContract(contract, { resource: resource.name, from: id, to: other.id })
        : contract
    return after === contract ? [] : [{ type: 'StaffContractSaved', data: { id: contract.id, contract: after } }]
  })
}

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { StoredContract } from '../../../domain/budget/budget.ts'
import { refuseLockedFigures } from '../../../domain/budget/decide.ts'
import type { BudgetEvent, StoredEvent } from '../../../domain/budget/events.ts'
import { type BudgetState, createEmptyBudget, evolve } from '../../../domain/budget/evolve.ts'
import type { StoredItem } from '../../../domain/budget/items/item.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, ContractId, OrganisationId } from '../../../domain/values/ids.ts'
import { budgetItems, budgetPay, postedLines, presences, quickCalculations, staffCosts } from '../../../drizzle/costTables.ts'
import { budgetChangesByDay, budgets, recalculationMarks, staffContracts } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { appendEvents, appendEventsToStreams, createEmptyHead, readStream, type StreamHead } from '../../core/stream/stream.ts'
import { listChangedItemIds, loadItems, loadItemsById, postAllEntries, postTransfers, projectItems } from './items.ts'
import { deleteJobItems } from './jobs.ts'
import { deleteLines, postAllowance } from './lines.ts'
import { loadContracts } from './queries.ts'
import { loadQuickCalculations, projectQuickCalculations } from './quick.ts'

/** The tables from which all rows of a budget are deleted with it. */
const contentProjections = [staffContracts, staffCosts, postedLines, budgetPay, budgetItems, quickCalculations] as const

/** Every table that is built from a budget's log alone. A trigger on the log writes `budgetChangesByDay`. */
export const budgetProjections = [budgets, ...contentProjections, budgetChangesByDay] as const

/**
 * Events of one budget. `currentContracts` and `currentItems`: what the events change, as stored now, if the caller has read it after
 * locking the budget's row.
 */
interface BudgetChange {
  events: readonly BudgetEvent[]
  currentContracts?: readonly StoredContract[]
  currentItems?: readonly StoredItem[]
}

/**
 * Appends events to a budget and projects them, in the caller's transaction.
 * @throws DomainError 409 for events that would change the figures of a locked budget
 */
export async function commitEvents(
  call: Call<'actor'>,
  row: BudgetRow | { organisationId: OrganisationId; id: BudgetId; version: 0 },
  change: BudgetChange,
): Promise<StoredEvent[]> {
  return (await commitEventsReturningRow(call, row, change)).stored
}

/**
 * Appends and projects events like `commitEvents`.
 * @returns also the resulting row; undefined if it was deleted or there were no events
 */
export async function commitEventsReturningRow(
  call: Call<'actor'>,
  row: BudgetRow | { organisationId: OrganisationId; id: BudgetId; version: 0 },
  { events, currentContracts, currentItems }: BudgetChange,
): Promise<{ stored: StoredEvent[]; now?: BudgetRow }> {
  const { tx } = call
  const { organisationId } = row
  if ('head' in row) refuseLockedFigures(row.head, events)
  const stored = await appendEvents(call, 'budget', {
    head: 'head' in row ? toStreamHead(row) : createEmptyHead(organisationId, row.id),
    events,
  })
  const last = stored.at(-1)
  if (!last) return { stored }
  tx.changedBudgets.set(row.id, { organisationId, version: last.version })
  const touched = new Set(
    stored.flatMap((event) => (event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' ? [event.data.id] : [])),
  )
  const state: BudgetState = 'head' in row ? stateFromRow(row) : createEmptyBudget()
  if ('head' in row) {
    const before = currentContracts ?? (touched.size ? await loadContracts({ tx, organisationId, budgetId: row.id }, [...touched]) : [])
    for (const contract of before) state.contracts.set(contract.id, contract)
  }
  const quick = stored.flatMap((event) =>
    event.type === 'QuickCalculationSaved' ? [event.data.calculation.id] : event.type === 'QuickCalculationDeleted' ? [event.data.id] : [],
  )
  for (const calculation of quick.length ? await loadQuickCalculations({ tx, organisationId, budgetId: row.id }, quick) : [])
    state.quickCalculations.set(calculation.id, calculation)
  const items = new Set(listChangedItemIds(stored))
  const itemsBefore = currentItems ?? (await loadItemsById({ tx, organisationId, budgetId: row.id }, [...items]))
  for (const item of itemsBefore) state.items.set(item.id, item)
  for (const event of stored) evolve(state, event)
  if (!state.head) {
    await removeProjections(tx, organisationId, row.id)
    return { stored }
  }
  await projectItems({ tx, organisationId }, state.head, { state, touched: items })
  const hasOtherYears = 'head' in row && row.head.numberOfYears !== state.head.numberOfYears
  // A change in the number of years changes the lines of all entries, including those that no event changes.
  if (hasOtherYears)
    await postAllEntries({ tx, organisationId }, state.head, await loadItems({ tx, organisationId, budgetId: row.id }, 'entry'))
  if (stored.some((event) => event.type === 'TransfersPosted'))
    await postTransfers({ tx, organisationId, budgetId: row.id }, state.transfers?.transfers ?? [])
  if (hasOtherYears || stored.some((event) => event.type === 'EmploymentAllowancePosted'))
    await postAllowance({ tx, organisationId }, state.head, state.employmentAllowance)
  await projectQuickCalculations({ tx, organisationId, budgetId: row.id }, state, new Set(quick))
  const set = await project({ tx, organisationId }, state, { touched, last })
  return { stored, now: { organisationId, id: row.id, created: 'head' in row ? row.created : last.occurredAt, ...set } }
}

/** The last event of a budget's stream, according to its row. */
function toStreamHead({ organisationId, id, version, lastHash }: BudgetRow): StreamHead<'budget'> {
  return { organisationId, id, version, lastHash }
}

/** Reads the events of a budget, oldest first, after one version and up to another. */
export function readBudgetEvents(call: Call<'organisationId' | 'budgetId'>, after?: number, upTo?: number): Promise<StoredEvent[]> {
  return readStream(call, { name: 'budget', id: call.budgetId }, { after, upTo })
}

/** Builds the part of a budget's state that is stored in its row. */
function stateFromRow({ head, recalculated, levyShares, employmentAllowance, transfers }: BudgetRow): BudgetState {
  return {
    ...createEmptyBudget(),
    head,
    recalculated: recalculated ?? undefined,
    levyShares: levyShares ?? undefined,
    employmentAllowance: employmentAllowance ?? undefined,
    transfers: transfers ?? undefined,
  }
}

/** Events that change only the row of the budget. */
type HeadOnlyEvent = Extract<BudgetEvent, { type: 'LevyAllowanceShared' | 'EmploymentAllowancePosted' }>

/**
 * Appends an event to each of many budgets whose rows the caller has locked, in batches: a group may have a thousand.
 * @returns the resulting rows, in the given order
 */
export async function commitToEachBudget(
  call: Call<'actor'>,
  changes: readonly { row: BudgetRow; event: HeadOnlyEvent }[],
): Promise<BudgetRow[]> {
  const { tx } = call
  for (const { row, event } of changes) refuseLockedFigures(row.head, [event])
  const stored = await appendEventsToStreams(
    call,
    'budget',
    changes.map(({ row, event }) => ({ head: toStreamHead(row), events: [event] })),
  )
  const rows = changes.map(({ row }, index): BudgetRow => {
    const last = assertDefined(stored[index])
    tx.changedBudgets.set(row.id, { organisationId: row.organisationId, version: last.version })
    return { ...row, ...toRowValues(evolve(stateFromRow(row), last), last) }
  })
  for (let start = 0; start < rows.length; start += 500)
    await tx
      .insert(budgets)
      .values(rows.slice(start, start + 500))
      .onConflictDoUpdate({
        target: [budgets.organisationId, budgets.id],
        set: {
          version: sql`excluded.version`,
          levyShares: sql`excluded.levy_shares`,
          employmentAllowance: sql`excluded.employment_allowance`,
          savedAt: sql`excluded.saved_at`,
          savedById: sql`excluded.saved_by_id`,
          lastHash: sql`excluded.last_hash`,
        },
      })
  return rows
}

/**
 * Restores a deleted budget: appends the restoring events and rebuilds its projections from its log. The caller
 * recalculates the costs of its contracts.
 * @param log the whole log, which ends with the deletion
 * @returns the new row and the folded state
 */
export async function commitRestoredBudget(
  call: Call<'actor'>,
  log: readonly StoredEvent[],
  events: readonly BudgetEvent[],
): Promise<{ row: BudgetRow; state: BudgetState }> {
  const { tx } = call
  const { organisationId, budgetId, version, hash } = assertDefined(log.at(-1))
  const stored = await appendEvents(call, 'budget', { head: { organisationId, id: budgetId, version, lastHash: hash }, events })
  tx.changedBudgets.set(budgetId, { organisationId, version: assertDefined(stored.at(-1)).version })
  return assertDefined(await writeProjectionsFromLog({ tx }, [...log, ...stored]))
}

/**
 * Writes the projections of a budget from its whole log, except the costs of contracts and `budgetChangesByDay`. The tables must not have rows
 * of the budget.
 * @returns the new row and the folded state; undefined if the budget is deleted
 */
export async function writeProjectionsFromLog(
  { tx }: Call,
  log: readonly StoredEvent[],
): Promise<{ row: BudgetRow; state: BudgetState } | undefined> {
  const state = createEmptyBudget()
  for (const event of log) evolve(state, event)
  const { head } = state
  if (!head) return undefined
  const [first, last] = [assertDefined(log[0]), assertDefined(log.at(-1))]
  const { organisationId, budgetId } = last
  const created = first.occurredAt
  const set = await project({ tx, organisationId }, state, { touched: new Set(state.contracts.keys()), last, created })
  await projectItems({ tx, organisationId }, head, { state, touched: new Set(state.items.keys()) })
  await postTransfers({ tx, organisationId, budgetId }, state.transfers?.transfers ?? [])
  await postAllowance({ tx, organisationId }, head, state.employmentAllowance)
  await projectQuickCalculations({ tx, organisationId, budgetId }, state, new Set(state.quickCalculations.keys()))
  return { row: { organisationId, id: budgetId, created, ...set }, state }
}

/**
 * Deletes the projections of a deleted budget. Its log remains, and so do the notices of unread comments, which are
 * needed again if the budget is restored.
 */
async function removeProjections(tx: OrganisationTx, organisationId: OrganisationId, budgetId: BudgetId): Promise<void> {
  for (const table of [...contentProjections, presences, recalculationMarks])
    await tx.delete(table).where(and(eq(table.organisationId, organisationId), eq(table.budgetId, budgetId)))
  await deleteJobItems(tx, organisationId, [budgetId])
  await tx.delete(budgets).where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId)))
}

/** The column values of the budget's row. */
function toRowValues(
  { head, recalculated, levyShares, employmentAllowance, transfers, version }: BudgetState,
  last: StoredEvent,
): Omit<BudgetRow, 'organisationId' | 'id' | 'created'> {
  return {
    locationId: assertDefined(head).locationId,
    name: assertDefined(head).name,
    version,
    head: assertDefined(head),
    recalculated: recalculated ?? null,
    levyShares: levyShares ?? null,
    employmentAllowance: employmentAllowance ?? null,
    transfers: transfers ?? null,
    savedAt: last.occurredAt,
    savedById: last.actorId,
    lastHash: last.hash,
  }
}

async function project(
  { tx, organisationId }: Call<'organisationId'>,
  state: BudgetState,
  { touched, last, created = last.occurredAt }: { touched: ReadonlySet<ContractId>; last: StoredEvent; created?: string },
): Promise<Omit<BudgetRow, 'organisationId' | 'id' | 'created'>> {
  const { contracts } = state
  const budgetId = assertDefined(state.head).id
  const set = toRowValues(state, last)
  await tx
    .insert(budgets)
    .values({ organisationId, id: budgetId, created, ...set })
    .onConflictDoUpdate({ target: [budgets.organisationId, budgets.id], set })
  const deletedIds = [...touched].filter((id) => !contracts.has(id))
  if (deletedIds.length) {
    const ofBudget = (table: typeof staffContracts | typeof staffCosts) =>
      and(eq(table.organisationId, organisationId), eq(table.budgetId, budgetId))
    await tx.delete(staffContracts).where(and(ofBudget(staffContracts), inArray(staffContracts.id, deletedIds)))
    await tx.delete(staffCosts).where(and(ofBudget(staffCosts), inArray(staffCosts.contractId, deletedIds)))
    await deleteLines({ tx, organisationId, budgetId }, 'contract', deletedIds)
  }
  const rows = [...touched].flatMap((id) => {
    const contract = contracts.get(id)
    if (!contract) return []
    const { version: saved, savedAt, created: createdAt, ...plain } = contract
    return [{ organisationId, budgetId, id, created: createdAt, staffId: contract.staffId, version: saved, savedAt, contract: plain }]
  })
  for (let start = 0; start < rows.length; start += 500)
    await tx
      .insert(staffContracts)
      .values(rows.slice(start, start + 500))
      .onConflictDoUpdate({
        target: [staffContracts.organisationId, staffContracts.budgetId, staffContracts.id],
        set: {
          staffId: sql`excluded.staff_id`,
          version: sql`excluded.version`,
          savedAt: sql`excluded.saved_at`,
          contract: sql`excluded.contract`,
        },
      })
  return set
}

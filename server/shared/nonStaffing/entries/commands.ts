import { randomBytes } from 'node:crypto'
import { refuseLocked } from '../../../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../../../domain/budget/events.ts'
import { type BudgetEntryInput, budgetEntryInput } from '../../../../domain/budget/items/budgetEntry.ts'
import {
  applyEntryChanges,
  type CalculatedEntryInput,
  deleteItems,
  type EntryChanges,
  rebaseEntries,
  saveBudgetEntry,
  toEntryInput,
  writeCalculatedEntry,
} from '../../../../domain/budget/items/decideEntry.ts'
import type { StoredItem } from '../../../../domain/budget/items/item.ts'
import { mongoIdFromBytes } from '../../../../domain/values/mongoId.ts'
import { DomainError, type FieldProblem, invalid, notFound, staleRecord } from '../../../../domain/words/errors.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { loadItems, postAllEntries } from '../../../streams/budget/items.ts'
import { loadBudget } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'
import { readCodingFacts } from '../../coding/queries.ts'
import { saveFormReminder } from '../../reminders/commands.ts'
import { createNotesSealer } from './rows.ts'

const machine = randomBytes(5)
let counter = randomBytes(3).readUIntBE(0, 3)

/** A new id that sorts after earlier ones, so that entries created together stay in order. */
export function createEntryId(): string {
  counter = (counter + 1) % 0x1000000
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(Math.floor(Date.now() / 1000))
  machine.copy(bytes, 4)
  bytes.writeUIntBE(counter, 9, 3)
  return mongoIdFromBytes(bytes)
}

/**
 * One of many entries that are saved together: an id and changed fields for a stored entry; all fields and no id for a
 * new one.
 */
export interface EntryChange {
  id: string | null
  version?: number | null
  changes: EntryChanges
}

/** The defaults of a new entry; required fields have none. */
const blank = { identifier: null, costCentreId: null, amount: null, budgetYearName: null, profileTemplateId: null, notes: null }

/**
 * Saves a complete entry.
 * @returns its id, and the version for undo
 */
export async function runSaveEntry(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  input: BudgetEntryInput,
): Promise<{ id: string; version: number | null }> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget(call, budgetId, true)
  const [before] = input.id ? await loadItems(call, 'entry', [input.id]) : []
  if (before && input.version != null && input.version !== before.version) throw staleRecord({ version: before.version, id: before.id })
  const notes = await createNotesSealer(tx, organisationId)
  const id = input.id ?? createEntryId()
  const facts = await readCodingFacts(tx, organisationId, row.head)
  const events = saveBudgetEntry(row.head, { id, before, input, sealedNotes: notes.seal(input.notes, before?.item), facts })
  const [event] = await commitEvents(call, row, { events, currentItems: before ? [before] : [] })
  if (actor.userId !== null && (input.reminderDate !== undefined || input.reminderText !== undefined))
    await saveFormReminder(
      tx,
      { organisationId, userId: actor.userId, source: `entry:${id}`, actor },
      { when: input.reminderDate || null, description: input.reminderText || null },
    )
  return { id, version: event?.version ?? null }
}

/**
 * Changes many entries, all or none: cells of a sheet, a pasted block, a bulk edit.
 * @throws DomainError whose fields name each change by its index: `3.amount`
 * @returns the ids, in the order of the changes, and the log versions for undo
 */
export async function runChangeEntries(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  changes: readonly EntryChange[],
): Promise<{ ids: string[]; versions: number[] }> {
  const { tx, budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  const { events, ids, problems, entries } = await decideEntryChanges(tx, row, changes)
  if (problems.length) throw invalid(problems)
  const stored = await commitEvents(call, row, { events, currentItems: entries })
  return { ids, versions: stored.map((event) => event.version) }
}

/**
 * The events for changes to entries, and the stored entries that they change.
 * @throws DomainError with every rule that one of the changes breaks
 */
export async function decideEntryChanges(
  tx: OrganisationTx,
  row: BudgetRow,
  changes: readonly EntryChange[],
): Promise<{ events: BudgetEvent[]; ids: string[]; problems: FieldProblem[]; entries: StoredItem<'entry'>[] }> {
  const { organisationId, head } = row
  refuseLocked(head)
  const wanted = changes.flatMap((change) => change.id ?? [])
  const stored = new Map((await loadItems({ tx, organisationId, budgetId: row.id }, 'entry', wanted)).map((entry) => [entry.id, entry]))
  if (wanted.some((id) => !stored.has(id))) throw notFound('Budget entry')
  const facts = await readCodingFacts(tx, organisationId, head)
  const notes = await createNotesSealer(tx, organisationId)
  const events: BudgetEvent[] = []
  const problems: FieldProblem[] = []
  const ids = changes.map(({ id, version, changes: changed }, index) => {
    const before = id ? stored.get(id) : undefined
    if (before && version != null && version !== before.version) throw staleRecord({ version: before.version, id: before.id })
    // Validated below, after the changed values are applied.
    const base = before ? toEntryInput(head, before, notes.open(before.item)) : (blank as BudgetEntryInput)
    const key = id ?? createEntryId()
    const checked = budgetEntryInput.safeParse({ ...applyEntryChanges(base, changed), id })
    if (!checked.success) {
      for (const { path, message } of checked.error.issues)
        problems.push({ field: `${index}.${path.join('.')}`, message: message.endsWith('.') ? message : 'This is not valid.' })
      return key
    }
    try {
      events.push(
        ...saveBudgetEntry(head, {
          id: key,
          before,
          input: checked.data,
          sealedNotes: notes.seal(checked.data.notes, before?.item),
          facts,
        }),
      )
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const fields = error.fields.length ? error.fields : [{ field: '', message: error.message }]
      problems.push(...fields.map(({ field, message }) => ({ field: `${index}.${field}`, message })))
    }
    return key
  })
  return { events, ids, problems, entries: [...stored.values()] }
}

/**
 * Deletes entries, all or none.
 * @throws DomainError 404 if one does not exist
 * @returns the versions for undo
 */
export async function runDeleteEntries(call: Call<'organisationId' | 'budgetId' | 'actor'>, ids: readonly string[]): Promise<number[]> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  const entries = await loadItems(call, 'entry', ids)
  if (entries.length < new Set(ids).size) throw notFound('Budget entry')
  return (await commitEvents(call, row, { events: deleteItems(row.head, entries), currentItems: entries })).map((event) => event.version)
}

/** Posts calculated years as the entry with the given description and budget code, replacing an existing entry (behaviour B-172). */
export async function runPostCalculatedEntry(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  input: CalculatedEntryInput,
): Promise<string> {
  const { tx, organisationId, budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  refuseLocked(row.head)
  const facts = await readCodingFacts(tx, organisationId, row.head)
  const { id, events } = writeCalculatedEntry(row.head, { entries: await loadItems(call, 'entry'), newId: createEntryId(), input, facts })
  await commitEvents(call, row, { events })
  return id
}

/** Recalculates a budget's entries with the current price rises and profile templates, and posts them. */
export async function runRecalculateEntries(tx: OrganisationTx, row: BudgetRow, actor: Actor): Promise<void> {
  const entries = await loadItems({ tx, organisationId: row.organisationId, budgetId: row.id }, 'entry')
  if (!entries.length) return
  const events = rebaseEntries(entries, await readCodingFacts(tx, row.organisationId, row.head))
  if (events.length) await commitEvents({ tx, actor }, row, { events })
  // If no entry changed, their lines are still written again, in case something else has changed them.
  const now = events.length ? await loadItems({ tx, organisationId: row.organisationId, budgetId: row.id }, 'entry') : entries
  await postAllEntries({ tx, organisationId: row.organisationId }, row.head, now)
}

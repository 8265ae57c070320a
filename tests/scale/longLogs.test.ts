import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeHistory, getChangedKey, type HistoryLine } from '../../domain/budget/describe.ts'
import type { StoredEvent } from '../../domain/budget/events.ts'
import { createEmptyBudget, evolve } from '../../domain/budget/evolve.ts'
import type { StoredItem } from '../../domain/budget/items/item.ts'
import { type BudgetId, type OrganisationId, toContractId, toUserId } from '../../domain/values/ids.ts'
import { budgets } from '../../drizzle/schema.ts'
import { openStore, type Store } from '../../server/core/database/database.ts'
import { readChangedDays, readHistoryPage, readSavesWithBefore } from '../../server/shared/budgetHistory/queries.ts'
import { runRenameBudget, runUndoSaves } from '../../server/shared/budgets/commands.ts'
import { runChangeEntries } from '../../server/shared/nonStaffing/entries/commands.ts'
import { loadItems } from '../../server/streams/budget/items.ts'
import { loadBudget } from '../../server/streams/budget/queries.ts'
import { commitEvents, readBudgetEvents } from '../../server/streams/budget/stream.ts'
import { createDatabase } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'

const nameOf = (kind: string, id: number): string => `${kind} ${id}`
let store: Store
let logs: { organisationId: OrganisationId; budgetId: BudgetId; events: StoredEvent[] }[]
let requests = 0
const actor = () => ({ userId: toUserId(1), requestId: `long-${++requests}`, now: new Date(Date.UTC(2026, 10, 1 + (requests % 5), 12)) })

beforeAll(async () => {
  store = openStore({ databaseUrl: await createDatabase(), dataKey: testDataKey }, 2)
  const rows = await store.asPlatform((tx) =>
    tx
      .select({ id: budgets.id, organisationId: budgets.organisationId })
      .from(budgets)
      // The fullest comes first: it has entries to change, and contracts and entries enough to tell about.
      .orderBy(
        sql`(select count(*) from budget_items where budget_id = budgets.id and kind = 'entry') desc`,
        sql`(select count(*) from staff_contracts where budget_id = budgets.id) desc`,
        budgets.id,
      ),
  )
  const { organisationId, id } = rows[0]!
  await store.inOrganisation(organisationId, async (tx) => {
    const entries = await loadItems({ tx, organisationId, budgetId: id }, 'entry')
    for (let turn = 0; turn < 12; turn++) {
      const entry = entries[turn % 3]!
      await runChangeEntries({ tx, organisationId, budgetId: id, actor: actor() }, [
        { id: entry.id, changes: { amount: 1000 + turn, description: `Turn ${turn}` } },
      ])
      if (turn % 4 === 1) {
        const bases = entries.slice(0, 2).map((one) => ({ id: one.id, ...one.item.basis, rates: [turn, turn, turn, turn, turn] }))
        await commitEvents({ tx, actor: actor() }, await loadBudget({ tx, organisationId }, id, true), {
          events: [{ type: 'BudgetEntriesRebased', data: { bases } }],
        })
      }
      if (turn % 5 === 2) await runRenameBudget({ tx, organisationId, actor: actor() }, id, `Name ${turn}`)
    }
  })
  logs = []
  for (const { id: budgetId, organisationId } of rows)
    logs.push({
      organisationId,
      budgetId,
      events: await store.inOrganisation(organisationId, (tx) => readBudgetEvents({ tx, organisationId, budgetId })),
    })
  return () => store.close()
})

/** The history derived from the whole log. */
function wholeHistory(events: readonly StoredEvent[]): HistoryLine[] {
  const since = new Map<string, StoredEvent[]>()
  for (const event of events) {
    const thing = getChangedKey(event) ?? ''
    const own = since.get(thing)
    if (own) own.push(event)
    else since.set(thing, [event])
  }
  return describeHistory(events, { versions: new Set(events.map((event) => event.version)), since, isLocked: false }, nameOf)
}

describe('a history', () => {
  it('is the same page by page as from the whole log', async () => {
    let pages = 0
    for (const { events, ...log } of logs) {
      const lines: HistoryLine[] = []
      for (let before: number | null = null; before !== 1; before = lines.at(-1)!.version) {
        const { events: some, part } = await store.inOrganisation(log.organisationId, (tx) =>
          readHistoryPage(tx, log, { before, limit: 17 }),
        )
        lines.push(...describeHistory(some, part, nameOf))
        pages++
      }
      expect(lines).toEqual(wholeHistory(events))
    }
    expect(pages).toBeGreaterThan(30)
  })
  it('finds its rows through an index, not in the whole log', async () => {
    const log = logs[0]!
    await store.inOrganisation(log.organisationId, async (tx) => {
      // So few rows are faster to read whole. What matters is whether row-level security lets the index be used at all.
      await tx.execute(sql`set local enable_seqscan = off`)
      await readHistoryPage(tx, log, { limit: 17 })
      const [used] = await tx.execute<{ scans: number }>(
        sql`select pg_stat_get_xact_numscans('budget_events_about'::regclass)::integer as scans`,
      )
      expect(used!.scans).toBeGreaterThan(0)
    })
  })
  it('of one contract or entry is the same as from the whole log', async () => {
    const { events, ...log } = logs[0]!
    const whole = wholeHistory(events)
    const things = [...new Set(whole.flatMap((line) => line.contractId ?? line.itemId ?? []))]
    expect(things.length).toBeGreaterThan(20)
    for (const id of things) {
      const { events: some, part } = await store.inOrganisation(log.organisationId, (tx) => readHistoryPage(tx, log, { id, limit: 100 }))
      expect(describeHistory(some, part, nameOf)).toEqual(whole.filter((line) => (line.contractId ?? line.itemId) === id))
    }
  })
})

describe('undoing a save', () => {
  it('finds the item as it was before, without the log in between', async () => {
    for (const { events, ...log } of logs) {
      const found = await store.inOrganisation(log.organisationId, (tx) =>
        readSavesWithBefore(
          tx,
          log,
          events.map((event) => event.version),
        ),
      )
      expect(found.map(({ event }) => event)).toEqual(events)
      const state = createEmptyBudget()
      for (const [index, event] of events.entries()) {
        const { before } = found[index]!
        const thing = getChangedKey(event)
        if (event.type === 'BudgetRenamed') expect(before.name).toBe(state.head?.name)
        else if (thing) {
          expect(plain(before.item)).toEqual(plain(state.items.get(thing)))
          expect(before.contract && { ...before.contract, created: '' }).toEqual(
            state.contracts.get(toContractId(thing)) && { ...state.contracts.get(toContractId(thing))!, created: '' },
          )
        }
        evolve(state, event)
      }
    }
  })
  it('restores an entry’s inflation to what it had been recalculated with since', async () => {
    const { organisationId, budgetId } = logs[0]!
    await store.inOrganisation(organisationId, async (tx) => {
      const before = (await loadItems({ tx, organisationId, budgetId }, 'entry'))[0]!
      const { versions } = await runChangeEntries({ tx, organisationId, budgetId, actor: actor() }, [
        { id: before.id, changes: { amount: 7 } },
      ])
      await runUndoSaves({ tx, organisationId, budgetId, actor: actor() }, versions)
      const [after] = await loadItems({ tx, organisationId, budgetId }, 'entry', [before.id])
      expect(after!.item).toEqual(before.item)
    })
  })
})

/** An undo does not restore when an item was created. */
const plain = (item: StoredItem | undefined) => item && { ...item, created: '' }

describe('the daily counts of a budget’s changes', () => {
  it('include everybody who changed something on those days', async () => {
    for (const log of logs) {
      const events = await store.inOrganisation(log.organisationId, (tx) =>
        readBudgetEvents({ tx, organisationId: log.organisationId, budgetId: log.budgetId }),
      )
      const days = await store.inOrganisation(log.organisationId, (tx) => readChangedDays(tx, log))
      for (const { day, at, version, changes, actorIds } of days) {
        const own = events.filter((event) => event.occurredAt.slice(0, 10) === day)
        expect([at, version, changes]).toEqual([own.at(-1)!.occurredAt, own.at(-1)!.version, own.length])
        expect(new Set(actorIds)).toEqual(new Set(own.map((event) => event.actorId)))
      }
      expect(days.reduce((sum, day) => sum + day.changes, 0)).toBe(events.length)
    }
  })
  it('can be written only from the log', async () => {
    const { organisationId } = logs[0]!
    for (const statement of [sql`update budget_days set changes = 1`, sql`delete from budget_days`])
      await expect(store.inOrganisation(organisationId, (tx) => tx.execute(statement))).rejects.toMatchObject({ cause: { code: '42501' } })
  })
})

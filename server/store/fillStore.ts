import { randomBytes } from 'node:crypto'
import type { StaffContract } from '../../domain/budget/budget.ts'
import { duplicateEvents } from '../../domain/budget/copies/duplicate.ts'
import type { RollFacts } from '../../domain/budget/copies/rollContract.ts'
import { rollForwardEvents } from '../../domain/budget/copies/rollForward.ts'
import { type BudgetState, emptyBudget, evolve } from '../../domain/budget/evolve.ts'
import { saved } from '../../domain/budget/items/item.ts'
import { inputsOf } from '../../domain/calculation/frozen.ts'
import { prepare } from '../../domain/calculation/prepared.ts'
import { firstOf, isoOf } from '../../domain/calendar.ts'
import { mongoIdFrom } from '../../domain/mongoId.ts'
import { endItem, openItem } from './budgetJobs.ts'
import { type BudgetRow, commit, inputsNow, loadBudget } from './budgetStore.ts'
import { recalculateAll } from './costStore.ts'
import type { OrganisationTx } from './database.ts'
import { type Actor, readEvents } from './eventLog.ts'
import { loadItems } from './itemStore.ts'
import { fundingTable, linkedTotals } from './linkedItems.ts'
import { pointsOf } from './scalePoints.ts'

const newId = (): string => mongoIdFrom(randomBytes(12))

/**
 * Fills a budget that was made of another with what it takes over, and costs it; once: a doubled or late job finds it done and does nothing.
 * The source is read from its log as it stood when the budget was asked for, so what happens to it meanwhile does not matter.
 * @returns whether it was done now
 */
export async function fillBudget(tx: OrganisationTx, organisationId: number, budgetId: string, now: Date): Promise<boolean> {
  const open = await openItem(tx, organisationId, budgetId)
  if (!open) return false
  const { item, job } = open
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const state = emptyBudget()
  for (const event of await readEvents(tx, organisationId, item.sourceId, 0, item.sourceVersion)) evolve(state, event)
  const events = job.how === 'duplicate' ? duplicateEvents(state, newId) : rollForwardEvents(state, await rollFacts(tx, row, state), newId)
  const actor = { userId: job.requestedById, requestId: `fill-${job.id}`, now }
  await commit(tx, row, events, actor)
  if (job.how === 'rollForward') await addLastYears(tx, organisationId, budgetId, actor)
  await recalculateAll(tx, organisationId, budgetId, { ...actor, requestId: `fill-${job.id}-costs` })
  await endItem(tx, organisationId, budgetId, { doneAt: now.toISOString() })
  return true
}

/** The year that was added to entries which a calculation or prediction makes is what that one comes to; the others stay as they were. */
async function addLastYears(tx: OrganisationTx, organisationId: number, budgetId: string, actor: Actor): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const totals = await linkedTotals(tx, organisationId, row.head)
  const last = row.head.numberOfYears - 1
  const events = (await loadItems(tx, organisationId, budgetId, 'entry')).flatMap(({ id, item }) => {
    const amount = item.source && totals.get(item.source.id)?.[last]
    if (amount == null) return []
    const years = item.years.map((year, index) => (index === last ? { amount, periods: null, rate: null } : year))
    return [saved('entry', id, { ...item, years })]
  })
  await commit(tx, row, events, actor)
}

/** What folding the salary rows of a budget into its first day needs to know. */
async function rollFacts(tx: OrganisationTx, row: BudgetRow, state: BudgetState): Promise<Parameters<typeof rollForwardEvents>[1]> {
  const { frozen, shared } = await inputsNow(tx, row.organisationId, row.head, [...state.contracts.values()])
  const { types } = prepare(inputsOf(frozen, shared))
  const points = (await pointsOf(tx, row.head)).sort((a, b) => Number(b.newest) - Number(a.newest))
  const first = isoOf(firstOf(row.head.firstYear, row.head.startMonth))
  const versions = [...state.items.values()].flatMap((item) => (item.kind === 'prediction' ? [item.item.versionId] : []))
  const years = new Map<number, number>()
  for (const id of new Set(versions)) {
    const year = (await fundingTable(tx, row.head, id))?.year
    if (year) years.set(id, year - state.head!.firstYear)
  }
  const contract = (contract: StaffContract): RollFacts => ({
    type: types.get(String(contract.contractTypeId)),
    pointId: ({ kind, scale, increment }) =>
      points.find((point) => point.kind === kind && point.scale === scale && point.increment === increment)?.id,
    isOnLeave: Boolean(
      contract.staffId !== null &&
        frozen.people[contract.staffId]?.leaves.some((leave) => leave.startDate < first && leave.endDate >= first),
    ),
  })
  return { contract, tableYearOf: (id) => years.get(id) ?? 0 }
}

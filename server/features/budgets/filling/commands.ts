import { randomBytes } from 'node:crypto'
import type { StaffContract, StoredLeaveEarnings } from '../../../../domain/budget/budget.ts'
import { createDuplicateEvents } from '../../../../domain/budget/copies/duplicate.ts'
import type { RollContractFacts } from '../../../../domain/budget/copies/rollContract.ts'
import { createRollForwardEvents } from '../../../../domain/budget/copies/rollForward.ts'
import { type BudgetState, createEmptyBudget, evolve } from '../../../../domain/budget/evolve.ts'
import { createItemSavedEvent } from '../../../../domain/budget/items/item.ts'
import { combineInputs, type FrozenBudget, groupByEmployee, toContractInput } from '../../../../domain/calculation/staffing/frozen.ts'
import { type PreparedCalculation, prepareCalculation } from '../../../../domain/calculation/staffing/prepared.ts'
import { calculateWeeklyEarnings } from '../../../../domain/calculation/staffing/stretches.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { firstDayOfMonth, toIsoDate } from '../../../../domain/values/calendar.ts'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../../domain/values/mongoId.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx, Store } from '../../../core/database/database.ts'
import { log } from '../../../core/log.ts'
import { fingerprintFailure } from '../../../core/queue/attempts.ts'
import { recalculateAllContracts } from '../../../shared/costing/costs/commands.ts'
import { readCurrentInputs } from '../../../shared/costing/inputs/queries.ts'
import { readCalculationResults, readFundingTable } from '../../../shared/funding/queries.ts'
import { refuseIfReferencesDeleted } from '../../../shared/restoring/budgets/queries.ts'
import { loadItems } from '../../../streams/budget/items.ts'
import { claimBudgetToFill, lockUnfinishedJobItem, markBudgetFilled, recordFillFailure } from '../../../streams/budget/jobs.ts'
import { removeRecalculationMarks } from '../../../streams/budget/marks.ts'
import { loadBudget } from '../../../streams/budget/queries.ts'
import { loadOfferedPoints } from '../../../streams/budget/scalePoints.ts'
import { commitEvents, readBudgetEvents } from '../../../streams/budget/stream.ts'

const newId = (): string => mongoIdFromBytes(randomBytes(12))

/**
 * Fills a new budget with what it takes over from its source, and calculates its costs. If the job is delivered twice or late, the second
 * run finds the budget filled and does nothing. The source is read at the version that was current when the new budget was requested, so
 * later changes to it have no effect.
 * @returns whether this call filled it
 * @throws DomainError 409 if something that it takes over has since been deleted
 */
export async function fillBudget(call: Call<'organisationId' | 'budgetId' | 'now'>): Promise<boolean> {
  const { tx, organisationId, budgetId, now } = call
  const open = await lockUnfinishedJobItem(tx, organisationId, budgetId)
  if (!open) return false
  const { item, job } = open
  const row = await loadBudget(call, budgetId, true)
  const state = createEmptyBudget()
  for (const event of await readBudgetEvents({ tx, organisationId, budgetId: item.sourceId }, 0, item.sourceVersion)) evolve(state, event)
  if (!state.head) throw new Error('The source has no log.')
  const events =
    job.how === 'duplicate'
      ? createDuplicateEvents(state, newId)
      : createRollForwardEvents(state, await loadRollForwardFacts(tx, row, state), newId)
  const actor = { userId: job.requestedById, requestId: `fill-${job.id}`, now }
  await commitEvents({ tx, actor }, row, { events })
  await refuseIfReferencesDeleted(call, { since: job.startedAt, refusal: 'It could not be created' })
  if (job.how === 'rollForward') await recalculateLastYears({ tx, organisationId, budgetId, actor })
  await recalculateAllContracts({ tx, organisationId, budgetId, actor }, 'kept')
  await removeRecalculationMarks(tx, organisationId, [budgetId])
  await markBudgetFilled(call)
  return true
}

/**
 * Fills a budget and records the outcome. A failure that repeats identically is final, and its reason is shown instead of the budget; after
 * a temporary failure the next sweep retries. Throws only if the outcome cannot be recorded.
 * @returns whether the budget is finished, that is filled or finally failed
 */
export async function tryToFillBudget(store: Store, organisationId: OrganisationId, budgetId: BudgetId): Promise<boolean> {
  const begun = await store.inOrganisation(organisationId, (tx) => claimBudgetToFill(tx, organisationId, budgetId))
  if (begun !== 'go') return begun === 'over'
  try {
    return await store.inOrganisation(organisationId, (tx) => fillBudget({ tx, organisationId, budgetId, now: new Date() }))
  } catch (error) {
    const isOver = await store.inOrganisation(organisationId, (tx) => recordFillFailure({ tx, organisationId, budgetId }, error))
    log.warn({ cause: fingerprintFailure(error), budgetId, isOver }, 'a new budget could not be copied from its source')
    return isOver
  }
}

/**
 * Recalculates the last year, which is new, of entries whose amounts come from a calculation or prediction. The amounts of all other
 * entries stay as they are.
 */
async function recalculateLastYears(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { tx, organisationId, budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  const totals = await readCalculationResults(tx, organisationId, row.head)
  const last = row.head.numberOfYears - 1
  const events = (await loadItems(call, 'entry')).flatMap(({ id, item }) => {
    const amount = item.source && totals.get(item.source.id)?.[last]
    if (amount == null) return []
    const years = item.years.map((year, index) => (index === last ? { amount, periods: null, rate: null } : year))
    return [createItemSavedEvent('entry', { id, item: { ...item, years } })]
  })
  await commitEvents(call, row, { events })
}

/** Earnings before each leave that is under way on a day, from the contracts of the budget that is rolled forward. */
function findEarningsBeforeLeaves(
  prepared: PreparedCalculation,
  { frozen, state, first }: { frozen: FrozenBudget; state: BudgetState; first: string },
): StoredLeaveEarnings[] {
  return [...groupByEmployee(state.contracts.values()).values()].flatMap((contracts) => {
    const staffId = contracts[0]?.staffId ?? null
    const person = staffId === null ? undefined : frozen.people[staffId]
    if (staffId === null || !person) return []
    const employee = { ...person, contracts: contracts.map(toContractInput) }
    // Pay on leave depends on the earnings before it, of which the new budget has no record. A leave that starts on the
    // first day counts too.
    const begun = person.leaves.filter((leave) => leave.startDate <= first && leave.endDate >= first)
    return begun.flatMap((leave): StoredLeaveEarnings[] => {
      const before = assertDefined(state.head).leaveEarnings?.find(
        (one) => one.staffId === staffId && one.type === leave.type && one.startDate === leave.startDate,
      )
      const weekly = before?.weekly ?? calculateWeeklyEarnings(prepared, employee, leave)
      return weekly ? [{ staffId, type: leave.type, startDate: leave.startDate, weekly }] : []
    })
  })
}

/** The facts with which a budget's salary rows are merged into one row on the new budget's first day. */
async function loadRollForwardFacts(
  tx: OrganisationTx,
  row: BudgetRow,
  state: BudgetState,
): Promise<Parameters<typeof createRollForwardEvents>[1]> {
  const { frozen, shared } = await readCurrentInputs({ tx, organisationId: row.organisationId }, row.head, {
    contracts: [...state.contracts.values()],
  })
  const prepared = prepareCalculation(combineInputs(frozen, shared))
  const { types } = prepared
  const points = (await loadOfferedPoints(tx, row.head)).sort((a, b) => Number(b.newest) - Number(a.newest))
  const first = toIsoDate(firstDayOfMonth(row.head.firstYear, row.head.startMonth))
  const versions = [...state.items.values()].flatMap((item) => (item.kind === 'prediction' ? [item.item.versionId] : []))
  const years = new Map<number, number>()
  for (const id of new Set(versions)) {
    const table = await readFundingTable(tx, assertDefined(state.head), id)
    if (table) years.set(id, table.tableYear)
  }
  const contract = (contract: StaffContract): RollContractFacts => ({
    type: types.get(String(contract.contractTypeId)),
    pointId: ({ kind, scale, increment }) =>
      points.find((point) => point.kind === kind && point.scale === scale && point.increment === increment)?.id,
    isOnLeave: Boolean(
      contract.staffId !== null &&
        frozen.people[contract.staffId]?.leaves.some((leave) => leave.startDate < first && leave.endDate >= first),
    ),
  })
  return { contract, tableYearOf: (id) => years.get(id) ?? 0, leaveEarnings: findEarningsBeforeLeaves(prepared, { frozen, state, first }) }
}

import { postTransfers } from '../../../../domain/budget/decideShared.ts'
import {
  calculateGagPool,
  calculateTopSlices,
  listLockedReceipts,
  listUngroupedTransfers,
  type PoolRule,
  type SliceRule,
  type Transfer,
} from '../../../../domain/calculation/nonStaffing/transfers.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { RecalculationRequired } from '../../../core/live/announce.ts'
import { markBudgetForRecalculation, readRecalculationMark } from '../../../streams/budget/marks.ts'
import { loadBudget, lockBudgets } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'
import {
  findPartyTable,
  groupPartiesByStartMonth,
  groupPartiesByTable,
  namePartyYear,
  type Party,
  type PostingsByBudget,
  readParties,
  readPoolRule,
  readSliceRules,
} from './parties/queries.ts'
import { contributesToTransfers } from './queries.ts'

/**
 * Calculates the pools and top slices of a group and posts both sides (rules.md §14). Budgets are matched by the month in which their years
 * start. If a location has two budgets, one takes part and the other gets a problem that says so. Locked budgets are frozen: the other
 * budgets follow the lines that the locked budgets posted. If the central budget is locked, its open schools keep their posted slices.
 */
export async function postGroupTransfers(call: Call<'organisationId' | 'actor'>, budgetIds: readonly BudgetId[]): Promise<void> {
  const { tx, organisationId, actor } = call
  if (!budgetIds.length) return
  const found = await lockBudgets(tx, organisationId, budgetIds)
  const rows = budgetIds.flatMap((id) => found.find((row) => row.id === id) ?? [])
  const open = rows.filter((row) => !row.head.locked)
  const posted: PostingsByBudget = new Map(open.map((row) => [row.id, { transfers: [], problems: new Set() }]))
  const parties = await readParties(tx, organisationId, rows)
  const central = parties.find((party) => party.isCentral)?.budget ?? null
  for (const cohort of groupPartiesByStartMonth(parties, posted)) {
    await postPools(tx, cohort, posted)
    await postSlices(call, cohort, { posted, centralBudget: central })
  }
  for (const row of open) {
    const { transfers, problems } = assertDefined(posted.get(row.id))
    await postSidesOfLocked({ tx, actor }, row, { transfers, problems: [...problems] })
  }
}

/** Posts a budget's changed sides of pools and top slices. */
export async function postTransferSides(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  data: { transfers: Transfer[]; problems: string[] },
): Promise<void> {
  await postSidesOfLocked(call, await loadBudget(call, call.budgetId, true), data)
}

/** As `postTransferSides`, for a budget that the caller has locked. */
async function postSidesOfLocked(call: Call<'actor'>, row: BudgetRow, sides: { transfers: Transfer[]; problems: string[] }): Promise<void> {
  const events = postTransfers(row.transfers, sides)
  if (events.length) await commitEvents(call, row, { events })
}

const aloneSentence = 'Pools and top slices are not calculated: this budget is not in a group.'

const waitingSentence = 'Pools and top slices are not calculated until the budget group is recalculated.'

/**
 * Posts the expected sides of budgets as not calculated, because they have no group or their group has not been recalculated with them yet.
 * With `keeps`, posted amounts stay if none of their inputs changed. Data that the budgets share is read once.
 */
export async function postTransfersAsNotCalculated(
  call: Call<'organisationId' | 'actor'>,
  budgetIds: readonly BudgetId[],
  { isInGroup, keeps }: { isInGroup: boolean; keeps: boolean },
): Promise<void> {
  const { tx, organisationId } = call
  const rows = (await lockBudgets(tx, organisationId, budgetIds)).filter((row) => !row.head.locked)
  const parties = await readParties(tx, organisationId, rows)
  const slicesBy = new Map<number, SliceRule[]>()
  const poolsBy = new Map<number, PoolRule[]>()
  for (const party of parties) {
    const [sliceTable, poolTable] = [findPartyTable(party, 'topSliceTables'), findPartyTable(party, 'gagPoolTables')]
    if (sliceTable !== undefined && !slicesBy.has(sliceTable))
      slicesBy.set(sliceTable, await readSliceRules(tx, organisationId, sliceTable))
    if (poolTable !== undefined && !poolsBy.has(poolTable)) {
      const pools = await readPoolRule(tx, poolTable)
      poolsBy.set(poolTable, pools ? [pools] : [])
    }
  }
  for (const row of rows) {
    const transfers = parties
      .filter((party) => party.budget === row)
      .flatMap((party) => {
        const [sliceTable, poolTable] = [findPartyTable(party, 'topSliceTables'), findPartyTable(party, 'gagPoolTables')]
        const rules = { slices: slicesBy.get(sliceTable ?? 0) ?? [], pools: poolsBy.get(poolTable ?? 0) ?? [] }
        return listUngroupedTransfers(party, rules, keeps ? (row.transfers?.transfers ?? []) : [])
      })
    const isMissing = transfers.some((one) => one.amounts.includes(null))
    await postSidesOfLocked(call, row, { transfers, problems: isMissing ? [isInGroup ? waitingSentence : aloneSentence] : [] })
  }
}

function addTransfers(
  posted: PostingsByBudget,
  parties: readonly Party[],
  { byParty, problems }: ReturnType<typeof calculateGagPool>,
): void {
  for (const [index, party] of parties.entries()) {
    const posting = posted.get(party.budget.id)
    if (!posting) continue
    posting.transfers.push(...assertDefined(byParty[index]))
    for (const problem of problems) posting.problems.add(problem)
  }
}

async function postPools(tx: OrganisationTx, parties: readonly Party[], posted: PostingsByBudget): Promise<void> {
  for (const [tableId, poolParties] of groupPartiesByTable(parties, 'gagPoolTables')) {
    const rule = await readPoolRule(tx, tableId)
    // A locked budget stays in the pool to which it posted, whichever table applies to its year.
    const all = parties.filter(
      (party) => poolParties.includes(party) || party.lockedTransfers?.some((one) => one.tableId === tableId && one.kind === 'gagPool'),
    )
    if (rule) addTransfers(posted, all, calculateGagPool(all, rule))
  }
}

async function postSlices(
  call: Call<'organisationId'>,
  parties: readonly Party[],
  { posted, centralBudget }: { posted: PostingsByBudget; centralBudget: BudgetRow | null },
): Promise<void> {
  const { tx, organisationId } = call
  const central = parties.find((party) => party.isCentral)
  if (central?.lockedTransfers) return keepSlices(parties, posted, central)
  const withoutCentral = centralBudget
    ? `Top slices for ${namePartyYear(assertDefined(parties[0]))} are not posted: ${centralBudget.name} of the central location does not have that year.`
    : 'Top slices are not posted: the group has no budget of a central location.'
  for (const [tableId, sliceParties] of groupPartiesByTable(parties, 'topSliceTables')) {
    // The central budget receives the money whichever table it has itself.
    const all = central && !sliceParties.includes(central) ? [...sliceParties, central] : sliceParties
    const worked = calculateTopSlices(all, await readSliceRules(tx, organisationId, tableId), withoutCentral)
    addTransfers(posted, all, worked)
    if (centralBudget && worked.problems.includes(withoutCentral)) posted.get(centralBudget.id)?.problems.add(withoutCentral)
  }
  if (central && parties.some((party) => party.lockedTransfers)) await receiveFrozen(call, parties, { posted, central })
}

/** If the central budget is locked, what it received is fixed, so its open schools keep their posted slices. */
function keepSlices(parties: readonly Party[], posted: PostingsByBudget, { budget, locationId }: Party): void {
  for (const { budget: partyBudget, year } of parties) {
    const mine = posted.get(partyBudget.id)
    if (!mine) continue
    mine.transfers.push(
      ...(partyBudget.transfers?.transfers ?? []).filter(
        (one) => one.kind === 'topSlice' && one.year === year && one.counterpartId === locationId,
      ),
    )
    mine.problems.add(`Top slices stay as posted: ${budget.name} of the central location is locked.`)
  }
}

async function receiveFrozen(
  { tx, organisationId }: Call<'organisationId'>,
  parties: readonly Party[],
  { posted, central }: { posted: PostingsByBudget; central: Party },
): Promise<void> {
  const centralPosting = assertDefined(posted.get(central.budget.id))
  const tables = new Set(
    parties.flatMap((party) => party.lockedTransfers?.filter((one) => one.kind === 'topSlice').map((one) => one.tableId) ?? []),
  )
  const rules: SliceRule[] = []
  for (const tableId of tables) rules.push(...(await readSliceRules(tx, organisationId, tableId)))
  const before = central.budget.transfers?.transfers ?? []
  const { receipts, isWhole } = listLockedReceipts(central, parties, (charge, payerId) => {
    const mine = rules.filter((rule) => rule.tableId === charge.tableId && rule.locationId === payerId)
    return (
      (mine.find((rule) => rule.budgetCodeId === charge.budgetCodeId) ?? mine[0])?.centralBudgetCodeId ??
      before.find((one) => one.tableId === charge.tableId && one.counterpartId === payerId && one.part === 'receipt')?.budgetCodeId
    )
  })
  centralPosting.transfers.push(...receipts)
  if (!isWhole)
    centralPosting.problems.add('A top slice of a locked budget cannot be received: its table no longer has a central budget code.')
}

/**
 * Marks a budget and its group as requiring recalculation after a change of income or pupils, if pools or top slices depend on them
 * (rules.md §14). An existing mark is not announced again, so a user who edits fifty cells is notified once.
 */
export async function markTransfersOutdated(tx: OrganisationTx, budget: BudgetRow, now: Date): Promise<RecalculationRequired[]> {
  if (!contributesToTransfers(budget.head)) return []
  if (await readRecalculationMark(tx, budget.organisationId, budget.id)) return []
  return markBudgetForRecalculation(
    { tx, organisationId: budget.organisationId, budgetId: budget.id, now },
    'Income or pupils that pools and top slices are based on',
  )
}

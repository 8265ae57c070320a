import { and, eq, inArray, sql } from 'drizzle-orm'
import type { StoredContract } from '../../../domain/budget/budget.ts'
import { type AwardInForce, listAwardsInForce } from '../../../domain/calculation/staffing/awardsInForce.ts'
import type { FrozenBudget, SharedInputs } from '../../../domain/calculation/staffing/frozen.ts'
import {
  addTrialAward,
  calculateContractTypeEffects,
  costBudgetYears,
  placeTrialAward,
  type TrialAward,
} from '../../../domain/calculation/staffing/whatIf.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { budgets, referenceChanges } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { loadGroupOfBudget } from '../../streams/budget/groupMembers.ts'
import { loadContracts } from '../../streams/budget/queries.ts'
import { readBudgetInputs, readSharedInputs } from '../costing/inputs/queries.ts'

interface PreparedTrial {
  key: string
  shared: SharedInputs
  budgets: {
    row: BudgetRow
    location: string
    contracts: StoredContract[]
    frozen: FrozenBudget
    before: ReturnType<typeof costBudgetYears>
  }[]
}

/** The budgets of the latest trial, costed once and cached until they change. One entry is enough while a user moves a slider. */
let ready: PreparedTrial | undefined

/** The budgets of a trial, costed as they are now. */
async function prepareTrial(tx: OrganisationTx, organisationId: OrganisationId, budgetIds: readonly BudgetId[]): Promise<PreparedTrial> {
  const rows = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), budgetIds.length ? inArray(budgets.id, [...budgetIds]) : sql`false`))
    .orderBy(budgets.id)
  const changes = requireSingleRow(await tx.select({ last: sql<number>`coalesce(max(id), 0)::int` }).from(referenceChanges))
  const key = JSON.stringify([organisationId, changes.last, rows.map((row) => [row.id, row.version])])
  if (ready?.key === key) return ready
  const shared = await readSharedInputs(
    { tx, organisationId },
    rows.map((row) => row.head),
  )
  const names = new Map((await readResourceRecords(tx, resources.location)).map((location) => [location.id, location.name]))
  const prepared: PreparedTrial = { key, shared, budgets: [] }
  for (const row of rows) {
    const contracts = await loadContracts({ tx, organisationId, budgetId: row.id })
    const frozen = await readBudgetInputs({ tx, organisationId }, row.head, { contracts, shared })
    const before = costBudgetYears(contracts, frozen, shared)
    prepared.budgets.push({ row, location: names.get(row.head.locationId) ?? '', contracts, frozen, before })
  }
  ready = prepared
  return prepared
}

/** An award that budgets already have, and the contract types to which it applies. */
export interface ExistingAward {
  effectiveDate: string
  rate: string
  table: string | null
  contractTypeIds: number[]
}

/** Groups the awards of contract types: those with the same date, rate and table are one award for several types. */
export function groupAwards(all: readonly AwardInForce[]): ExistingAward[] {
  const byKey = new Map<string, ExistingAward>()
  for (const { contractTypeId, effectiveDate, rate, table } of all) {
    const key = JSON.stringify([effectiveDate, Number(rate), table])
    const one = byKey.get(key) ?? { effectiveDate, rate, table, contractTypeIds: [] }
    if (!one.contractTypeIds.includes(contractTypeId)) one.contractTypeIds.push(contractTypeId)
    byKey.set(key, one)
  }
  return [...byKey.values()].sort((a, b) => a.effectiveDate.localeCompare(b.effectiveDate) || Number(a.rate) - Number(b.rate))
}

/** The awards that the budgets already have, for contract types that these budgets use in contracts. */
export async function listExistingAwards(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetIds: readonly BudgetId[],
): Promise<ExistingAward[]> {
  const { shared, budgets: all } = await prepareTrial(tx, organisationId, budgetIds)
  return groupAwards(all.flatMap(({ frozen, before }) => listAwardsInForce(frozen, shared, [...before.types.keys()])))
}

/** The effect of an award on each of some budgets by year and contract type, in whole pennies. Nothing is saved. */
export async function calculateAwardEffects(
  { tx, organisationId }: Call<'organisationId'>,
  budgetIds: readonly BudgetId[],
  award: TrialAward,
) {
  const { shared, budgets: all } = await prepareTrial(tx, organisationId, budgetIds)
  return all.map(({ row, location, contracts, frozen, before }) => {
    const after = costBudgetYears(contracts, frozen, addTrialAward(shared, frozen, award))
    return {
      budgetId: row.id,
      name: row.name,
      location,
      notCalculated: after.notCalculated,
      types: calculateContractTypeEffects(contracts, { before, after, award, placed: placeTrialAward(frozen, shared, award) }),
      years: before.years.map((was, year) => ({
        year: formatBudgetYear(row.head.firstYear, year),
        before: was,
        after: assertDefined(after.years[year]),
      })),
    }
  })
}

interface BudgetViewer {
  organisationId: OrganisationId
  budgetId: BudgetId
  holder: { locationIds: LocationId[] | null }
}

/** The budgets in the group of the selected budget that the caller may see; only the selected budget if it has no group. */
export async function listTrustBudgets({ tx, organisationId, budgetId, holder }: Call & BudgetViewer): Promise<BudgetId[]> {
  const group = await loadGroupOfBudget(tx, organisationId, budgetId)
  const ids = group?.budgetIds ?? [budgetId]
  if (!holder.locationIds) return ids
  const rows = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, ids), inArray(budgets.locationId, holder.locationIds)))
  return rows.map((row) => row.id)
}

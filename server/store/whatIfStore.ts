import { and, eq, inArray, sql } from 'drizzle-orm'
import type { StoredContract } from '../../domain/budget/budget.ts'
import type { FrozenBudget, SharedInputs } from '../../domain/calculation/frozen.ts'
import { budgetYears, sharedWith, type TriedAward } from '../../domain/calculation/whatIf.ts'
import { yearName } from '../../domain/calendar.ts'
import { resources } from '../../domain/resources/all.ts'
import { budgets, referenceChanges } from '../../drizzle/schema.ts'
import { type BudgetRow, loadContracts } from './budgetStore.ts'
import type { OrganisationTx } from './database.ts'
import { frozenBudget, sharedInputs } from './snapshot.ts'
import { rowsOf } from './tables.ts'

interface Ready {
  key: string
  shared: SharedInputs
  budgets: { row: BudgetRow; location: string; contracts: StoredContract[]; frozen: FrozenBudget; before: ReturnType<typeof budgetYears> }[]
}

/** The budgets somebody is trying awards on: read and costed once, kept while nothing of them changes. One set is enough for one slider. */
let ready: Ready | undefined

/** The budgets of a try, as they stand now. */
async function readied(tx: OrganisationTx, organisationId: number, budgetIds: readonly string[]): Promise<Ready> {
  const rows = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, budgetIds.length ? [...budgetIds] : [''])))
    .orderBy(budgets.id)
  const [changes] = await tx.select({ last: sql<number>`coalesce(max(id), 0)::int` }).from(referenceChanges)
  const key = JSON.stringify([organisationId, changes!.last, rows.map((row) => [row.id, row.version])])
  if (ready?.key === key) return ready
  const shared = await sharedInputs(
    tx,
    rows.map((row) => row.head),
  )
  const names = new Map((await rowsOf(tx, resources.location)).map((location) => [location.id, location.name]))
  const made: Ready = { key, shared, budgets: [] }
  for (const row of rows) {
    const contracts = await loadContracts(tx, organisationId, row.id)
    const frozen = await frozenBudget(tx, organisationId, row.head, contracts, shared)
    const before = budgetYears(contracts, frozen, shared)
    made.budgets.push({ row, location: names.get(row.head.locationId) ?? '', contracts, frozen, before })
  }
  ready = made
  return made
}

/** The effect of an award on each of some budgets, year by year, in whole pennies; nothing is saved. */
export async function tryAward(tx: OrganisationTx, organisationId: number, budgetIds: readonly string[], award: TriedAward) {
  const { shared, budgets: all } = await readied(tx, organisationId, budgetIds)
  const changed = sharedWith(shared, award)
  return all.map(({ row, location, contracts, frozen, before }) => {
    const after = budgetYears(contracts, frozen, changed)
    return {
      budgetId: row.id,
      name: row.name,
      location,
      notCalculated: after.notCalculated,
      years: before.years.map((was, year) => ({ year: yearName(row.head.firstYear, year), before: was, after: after.years[year]! })),
    }
  })
}

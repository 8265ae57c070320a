import { and, eq, inArray } from 'drizzle-orm'
import type { BudgetState } from '../../domain/budget/evolve.ts'
import { linesOfEntry } from '../../domain/budget/items/budgetEntry.ts'
import { itemName } from '../../domain/budget/items/describeItems.ts'
import type { StoredItem } from '../../domain/budget/items/item.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { budgetItems, budgetLines } from '../../drizzle/costTables.ts'
import type { OrganisationTx } from '../store/database.ts'
import { transferSource } from '../store/itemStore.ts'
import type { Finding } from './verify.ts'

const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)

/** Whether entries, calculations, predictions, pupil numbers and balances stand as the log has them, and are posted to the penny. */
export async function compareItems(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  state: Pick<BudgetState, 'head' | 'items' | 'transfers'>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const find = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  const rows = await tx
    .select()
    .from(budgetItems)
    .where(and(eq(budgetItems.organisationId, organisationId), eq(budgetItems.budgetId, budgetId)))
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const [id, { kind, version, item }] of state.items) {
    const kept = stored.get(id)
    stored.delete(id)
    const called = `The ${kind} ${itemName({ kind, item } as StoredItem)} (${id})`
    if (!kept) find(`${called} is in the log and not in the table.`, version)
    else if (kept.kind !== kind || kept.version !== version || !same(kept.item, item))
      find(`${called} in the table is not the one of the log.`, version)
  }
  for (const id of stored.keys()) find(`The table has an item ${id} that the log does not know.`)
  const lines = await tx
    .select()
    .from(budgetLines)
    .where(
      and(
        eq(budgetLines.organisationId, organisationId),
        eq(budgetLines.budgetId, budgetId),
        inArray(budgetLines.sourceKind, ['entry', 'transfer']),
      ),
    )
  const posted = new Map<string, string[]>()
  for (const { sourceKind, sourceId, component, year, budgetCodeId, costCentreId, fundCodeId, amounts } of lines) {
    const key = `${sourceKind} ${sourceId}`
    posted.set(key, [...(posted.get(key) ?? []), canonicalJson({ component, year, budgetCodeId, costCentreId, fundCodeId, amounts })])
  }
  for (const [key, expected] of expectedLines(state)) {
    if (!same((posted.get(key) ?? []).sort(), expected.sort())) find(`The lines of ${key} in the table are not what the log comes to.`)
    posted.delete(key)
  }
  for (const key of posted.keys()) find(`The table has lines of ${key} that the log does not know.`)
  return findings
}

/** The lines that the log comes to, by their source. */
function expectedLines({ head, items, transfers }: Pick<BudgetState, 'head' | 'items' | 'transfers'>): Map<string, string[]> {
  const expected = new Map<string, string[]>()
  const add = (key: string, line: object): void => void expected.set(key, [...(expected.get(key) ?? []), canonicalJson(line)])
  for (const [id, stored] of items) {
    if (stored.kind !== 'entry') continue
    expected.set(`entry ${id}`, [])
    for (const line of linesOfEntry(stored.item, head!.numberOfYears)) add(`entry ${id}`, line)
  }
  for (const transfer of transfers?.transfers ?? []) {
    const { kind, year, budgetCodeId, amounts } = transfer
    add(`transfer ${transferSource(transfer)}`, { component: kind, year, budgetCodeId, costCentreId: null, fundCodeId: null, amounts })
  }
  return expected
}

import type { BudgetState } from '../../domain/budget/evolve.ts'
import { linesOfEntry } from '../../domain/budget/items/budgetEntry.ts'
import { engine as newestEngine } from '../../domain/calculation/engine.ts'
import { knownEngine } from '../../domain/calculation/engines/engines.ts'
import type { Figure } from '../../domain/calculation/inputs.ts'
import { eachYear, type PostedLine } from '../../domain/calculation/staffing/posting.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import type { BudgetId } from '../../domain/ids.ts'
import { must } from '../../domain/must.ts'
import { transferSource } from '../core/budget/items.ts'
import { addText, digestOfTexts, type LineTexts, standingTexts } from '../core/budget/lineTexts.ts'
import type { Call } from '../core/calls/call.ts'
import type { ReplayedCost } from './replayLog.ts'
import type { Finding } from './verify.ts'

/**
 * Whether the lines that screens and reports sum are those that the log comes to: months, sums, what is missing and where it is posted. They are
 * compared year by year: how many years a row of the table holds follows from which version wrote it.
 */
export async function compareLines(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  state: Pick<BudgetState, 'head' | 'items' | 'transfers' | 'levyShares' | 'recalculated'>,
  costs: ReadonlyMap<string, ReplayedCost>,
): Promise<Finding[]> {
  const kept = await standingTexts({ tx, organisationId, budgetId })
  const expected = expectedLines(budgetId, state, costs)
  const findings: Finding[] = []
  const find = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  // What an engine that is not here worked out is taken as it stands.
  const lost = new Set<string>()
  for (const [id, stored] of state.items) if (stored.kind === 'entry' && !knownEngine(stored.item.basis.engine)) lost.add(`entry ${id}`)
  for (const [key, lines] of expected) {
    if (lost.has(key)) expected.set(key, kept.get(key) ?? [])
    else if (canonicalJson(lines.sort()) === canonicalJson((kept.get(key) ?? []).sort())) continue
    if (lost.has(key)) continue
    const [kind, id = ''] = key.split(' ')
    if (kind === 'contract')
      find(`The lines of contract ${id} in the table are not what its cost is posted to.`, must(costs.get(id)).version)
    else if (kind === 'levy') find('The apprenticeship levy in the table is not what the gross comes to.')
    else find(`The lines of ${key} in the table are not what the log comes to.`)
  }
  const approved = state.head?.approval?.state === 'approved' ? state.head.approval.figures : undefined
  if (approved && digestOfTexts(expected) !== approved.lines) find('The lines that the log comes to are not those that were approved.')
  for (const key of kept.keys()) if (!expected.has(key)) find(`The table has lines of ${key} that the log does not know.`)
  return findings
}

/** The lines that the log comes to, by their source. */
function expectedLines(
  budgetId: BudgetId,
  { head, items, transfers, levyShares, recalculated }: Pick<BudgetState, 'head' | 'items' | 'transfers' | 'levyShares' | 'recalculated'>,
  costs: ReadonlyMap<string, ReplayedCost>,
): LineTexts {
  const expected: LineTexts = new Map()
  if (!head) return expected
  const post = (key: string, lines: readonly PostedLine[]): void => {
    if (!expected.has(key)) expected.set(key, [])
    for (const line of lines) addText(expected, { key, line, sums: summed(line.amounts) })
  }
  for (const [id, { lines }] of costs) post(`contract ${id}`, eachYear(lines))
  for (const [id, stored] of items) if (stored.kind === 'entry') post(`entry ${id}`, linesOfEntry(stored.item, head.numberOfYears))
  for (const transfer of transfers?.transfers ?? []) {
    const { kind, year, budgetCodeId, amounts } = transfer
    post(`transfer ${transferSource(transfer)}`, [{ component: kind, year, budgetCodeId, costCentreId: null, fundCodeId: null, amounts }])
  }
  const levy = levyLines(head.numberOfYears, { levyShares, recalculated }, costs)
  if (levy.length) post(`levy ${budgetId}`, levy)
  return expected
}

/** The levy is what the gross of all contracts comes to, less the share that the log gave the budget (rules.md §7). */
function levyLines(
  years: number,
  { levyShares, recalculated }: Pick<BudgetState, 'levyShares' | 'recalculated'>,
  costs: ReadonlyMap<string, ReplayedCost>,
): PostedLine[] {
  const gross = Array.from({ length: years * 12 }, (_unused, month): Figure => {
    let sum = 0
    for (const { cost } of costs.values()) {
      const figure = cost.years[Math.floor(month / 12)]?.gross[month % 12]
      if (figure === null) return null
      sum += figure ?? 0
    }
    return sum
  })
  const levy = (knownEngine(recalculated?.engine) ?? newestEngine).levyOf(gross, levyShares ?? [])
  return Array.from({ length: years }, (_unused, year) => year).flatMap((year) => {
    const amounts = levy.slice(year * 12, year * 12 + 12)
    const coding = { budgetCodeId: null, costCentreId: null, fundCodeId: null }
    return amounts.some((amount) => amount !== 0) ? [{ component: 'levy' as const, year, ...coding, amounts }] : []
  })
}

/** The sum over the months that could be calculated, and how many could not. */
function summed(amounts: readonly Figure[]): { total: number; missing: number } {
  let [total, missing] = [0, 0]
  for (const amount of amounts)
    if (amount === null) missing++
    else total += amount
  return { total, missing }
}

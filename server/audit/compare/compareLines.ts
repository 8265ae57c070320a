import type { BudgetState } from '../../../domain/budget/evolve.ts'
import { linesOfEntry } from '../../../domain/budget/items/budgetEntry.ts'
import { allowanceLines, levyLines } from '../../../domain/budget/sharedLines.ts'
import { engine as newestEngine } from '../../../domain/calculation/engine.ts'
import { knownEngine } from '../../../domain/calculation/engines/engines.ts'
import type { Figure } from '../../../domain/calculation/inputs.ts'
import { eachYear, type PostedLine } from '../../../domain/calculation/staffing/posting.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import type { BudgetId } from '../../../domain/values/ids.ts'
import { must } from '../../../domain/values/must.ts'
import type { Call } from '../../core/calls/call.ts'
import { transferSource } from '../../streams/budget/items.ts'
import { addText, digestOfTexts, type LineTexts, standingTexts } from '../../streams/budget/lineTexts.ts'
import type { ReplayedCost } from '../replay/replayLog.ts'
import type { Finding } from '../verify/verify.ts'

type FiguresOf = Pick<BudgetState, 'head' | 'items' | 'transfers' | 'levyShares' | 'employmentAllowance' | 'recalculated'>

/**
 * Whether the lines that screens and reports sum are those that the log comes to: months, sums, what is missing and where it is posted. They are
 * compared year by year: how many years a row of the table holds follows from which version wrote it.
 */
export async function compareLines(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  state: FiguresOf,
  costs: ReadonlyMap<string, ReplayedCost>,
): Promise<Finding[]> {
  const kept = await standingTexts({ tx, organisationId, budgetId })
  const expected = expectedLines(budgetId, state, costs)
  const findings: Finding[] = []
  const find = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  // What an engine that is not here worked out is taken as it stands.
  const lost = new Set<string>()
  if (state.employmentAllowance && !knownEngine(state.employmentAllowance.engine) && state.head) lost.add(`employmentAllowance ${budgetId}`)
  for (const [id, stored] of state.items) if (stored.kind === 'entry' && !knownEngine(stored.item.basis.engine)) lost.add(`entry ${id}`)
  for (const [key, lines] of expected) {
    if (lost.has(key)) expected.set(key, kept.get(key) ?? [])
    else if (canonicalJson(lines.sort()) === canonicalJson((kept.get(key) ?? []).sort())) continue
    if (lost.has(key)) continue
    const [kind, id = ''] = key.split(' ')
    if (kind === 'contract')
      find(`The lines of contract ${id} in the table are not what its cost is posted to.`, must(costs.get(id)).version)
    else if (kind === 'levy') find('The apprenticeship levy in the table is not what the gross comes to.')
    else if (kind === 'employmentAllowance') find('The Employment Allowance in the table is not what the log comes to.')
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
  { head, items, transfers, levyShares, employmentAllowance, recalculated }: FiguresOf,
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
  const levy = levyLines(grossOf(head.numberOfYears, costs), levyShares, knownEngine(recalculated?.engine) ?? newestEngine)
  if (levy.length) post(`levy ${budgetId}`, levy)
  const allowance = allowanceLines(head, employmentAllowance)
  if (allowance.length) post(`employmentAllowance ${budgetId}`, allowance)
  return expected
}

/** The gross of all contracts by month, which the levy follows from. */
function grossOf(years: number, costs: ReadonlyMap<string, ReplayedCost>): Figure[] {
  return Array.from({ length: years * 12 }, (_unused, month): Figure => {
    let sum = 0
    for (const { cost } of costs.values()) {
      const figure = cost.years[Math.floor(month / 12)]?.gross[month % 12]
      if (figure === null) return null
      sum += figure ?? 0
    }
    return sum
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

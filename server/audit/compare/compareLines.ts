import type { BudgetState } from '../../../domain/budget/evolve.ts'
import { calculateEntryLines } from '../../../domain/budget/items/budgetEntry.ts'
import { postEmploymentAllowance, postLevy } from '../../../domain/budget/sharedLines.ts'
import { engine as newestEngine } from '../../../domain/calculation/engine.ts'
import { findEngine } from '../../../domain/calculation/engines/engines.ts'
import type { Figure } from '../../../domain/calculation/inputs.ts'
import { type PostedLine, splitByYear } from '../../../domain/calculation/staffing/posting.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import type { BudgetId } from '../../../domain/values/ids.ts'
import type { Call } from '../../core/calls/call.ts'
import { buildTransferSourceId } from '../../streams/budget/items.ts'
import { addLineText, hashLineTexts, type LineTexts, readLineTexts } from '../../streams/budget/lineTexts.ts'
import type { ReplayedCost } from '../replay/replayLog.ts'
import type { AuditFinding } from '../verify/verify.ts'

type BudgetFigures = Pick<BudgetState, 'head' | 'items' | 'transfers' | 'levyShares' | 'employmentAllowance' | 'recalculated'>

/**
 * Compares the posted lines, which screens and reports sum, with the log: months, totals, missing amounts and coding. It compares year by
 * year, because versions of the product differ in the number of years that a row holds.
 */
export async function comparePostedLines(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  state: BudgetFigures,
  costs: ReadonlyMap<string, ReplayedCost>,
): Promise<AuditFinding[]> {
  const stored = await readLineTexts({ tx, organisationId, budgetId })
  const expected = expectedLines(budgetId, state, costs)
  const findings: AuditFinding[] = []
  const addFinding = (problem: string, version: number | null = null): void => void findings.push({ budgetId, version, problem })
  // Lines from an engine that this version lacks cannot be recalculated, so they are accepted as stored.
  const notReproducible = new Set<string>()
  if (state.employmentAllowance && !findEngine(state.employmentAllowance.engine) && state.head)
    notReproducible.add(`employmentAllowance ${budgetId}`)
  for (const [id, stored] of state.items)
    if (stored.kind === 'entry' && !findEngine(stored.item.basis.engine)) notReproducible.add(`entry ${id}`)
  for (const [key, lines] of expected) {
    if (notReproducible.has(key)) expected.set(key, stored.get(key) ?? [])
    else if (canonicalJson(lines.sort()) === canonicalJson((stored.get(key) ?? []).sort())) continue
    if (notReproducible.has(key)) continue
    const [kind, id = ''] = key.split(' ')
    if (kind === 'contract')
      addFinding(`The lines of contract ${id} in the table do not match its cost.`, assertDefined(costs.get(id)).version)
    else if (kind === 'levy') addFinding('The apprenticeship levy in the table does not match the gross pay.')
    else if (kind === 'employmentAllowance') addFinding('The Employment Allowance in the table does not match the log.')
    else addFinding(`The lines of ${key} in the table do not match the log.`)
  }
  const approved = state.head?.approval?.state === 'approved' ? state.head.approval.figures : undefined
  if (approved && hashLineTexts(expected) !== approved.lines)
    addFinding('The lines derived from the log differ from those that were approved.')
  for (const key of stored.keys()) if (!expected.has(key)) addFinding(`The table has lines of ${key}, which is not in the log.`)
  return findings
}

function expectedLines(
  budgetId: BudgetId,
  { head, items, transfers, levyShares, employmentAllowance, recalculated }: BudgetFigures,
  costs: ReadonlyMap<string, ReplayedCost>,
): LineTexts {
  const expected: LineTexts = new Map()
  if (!head) return expected
  const post = (key: string, lines: readonly PostedLine[]): void => {
    if (!expected.has(key)) expected.set(key, [])
    for (const line of lines) addLineText(expected, { key, line, sums: sumKnown(line.amounts) })
  }
  for (const [id, { lines }] of costs) post(`contract ${id}`, splitByYear(lines))
  for (const [id, stored] of items) if (stored.kind === 'entry') post(`entry ${id}`, calculateEntryLines(stored.item, head.numberOfYears))
  for (const transfer of transfers?.transfers ?? []) {
    const { kind, year, budgetCodeId, amounts } = transfer
    post(`transfer ${buildTransferSourceId(transfer)}`, [
      { component: kind, year, budgetCodeId, costCentreId: null, fundCodeId: null, amounts },
    ])
  }
  const levy = postLevy(grossByMonth(head.numberOfYears, costs), levyShares, findEngine(recalculated?.engine) ?? newestEngine)
  if (levy.length) post(`levy ${budgetId}`, levy)
  const allowance = postEmploymentAllowance(head, employmentAllowance)
  if (allowance.length) post(`employmentAllowance ${budgetId}`, allowance)
  return expected
}

/** Gross pay of all contracts by month, from which the levy is calculated. */
function grossByMonth(years: number, costs: ReadonlyMap<string, ReplayedCost>): Figure[] {
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

/** The sum of the calculated months, and the number of months not calculated. */
function sumKnown(amounts: readonly Figure[]): { total: number; missing: number } {
  let [total, missing] = [0, 0]
  for (const amount of amounts)
    if (amount === null) missing++
    else total += amount
  return { total, missing }
}
